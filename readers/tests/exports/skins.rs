//! Skinned meshes of binary glTF, read with the crate `gltf` and posed as the specification says.

use std::collections::HashMap;
use std::f32::consts::TAU;
use std::sync::Arc;

use glam::{Mat4, Quat, Vec3, Vec4};
use gltf::Gltf;
use gltf::animation::util::ReadOutputs;
use motes_core::Pose;
use motes_drawing::export::{Geometry, Object, Paint, SkinnedMesh, Snapshot, Timeline};
use motes_geometry::{Blend, Mesh, RigSkin, rig_weights};

use crate::glb::written;
use crate::{RED, creased, timeline};

const FRAMES: u64 = 6;

/// The frame in which the worm is not there.
const AWAY: u64 = 4;

/// A worm on four joints that are turned at rest.
fn worm() -> Arc<SkinnedMesh> {
    worm_of(16)
}

/// The same, with so many sides.
fn worm_of(sides: u32) -> Arc<SkinnedMesh> {
    let rest = creased(&Mesh::capsule(0.1, 0.5, sides));
    let bind: Vec<Pose> = (0..4)
        .map(|joint| Pose {
            position: Vec3::Y * (-0.45 + 0.3 * joint as f32),
            rotation: Quat::from_rotation_z(0.4 * joint as f32),
        })
        .collect();
    let mesh = Mesh::new(rest.positions.clone(), rest.triangles.clone());
    let places: Vec<Vec3> = bind.iter().map(|pose| pose.position).collect();
    let weights = rig_weights(&mesh, &places, 0.3).expect("weights");
    let skin = RigSkin::new(&mesh, weights, 4).expect("a skin");
    Arc::new(SkinnedMesh {
        skin: skin.with_normals(rest.normals.clone()),
        rest: (*rest).clone(),
        bind,
    })
}

fn poses(worm: &SkinnedMesh, frame: u64) -> Vec<Pose> {
    let bent = |(joint, bind): (usize, &Pose)| {
        let turn = Quat::from_axis_angle(Vec3::X, 0.13 * TAU * (frame as f32) * (joint as f32 - 1.5));
        Pose {
            position: bind.position + Vec3::new(0.0, 0.1, 0.2) * joint as f32 * frame as f32,
            rotation: turn * bind.rotation,
        }
    };
    worm.bind.iter().enumerate().map(bent).collect()
}

fn film(worm: &Arc<SkinnedMesh>) -> Vec<Snapshot> {
    let frame = |frame: u64| {
        let object = |name: &str, geometry| Object {
            name: name.into(),
            paint: Paint::solid(RED),
            geometry,
        };
        let brick = Geometry::Rigid(creased(&Mesh::cuboid(Vec3::ONE)), Pose::at(Vec3::X * 5.0));
        let mut objects = vec![object("brick", brick)];
        if frame != AWAY {
            objects.push(object("worm", Geometry::Skinned(worm.clone(), poses(worm, frame))));
        }
        Snapshot {
            frame,
            objects,
            clouds: Vec::new(),
        }
    };
    (0..FRAMES).map(frame).collect()
}

/// Translation, rotation and scale of each node at a key.
fn transforms(document: &gltf::Document, blob: &[u8], time: f32) -> HashMap<usize, (Vec3, Quat, Vec3)> {
    let mut all: HashMap<usize, (Vec3, Quat, Vec3)> = document
        .nodes()
        .map(|node| {
            let (place, turn, scale) = node.transform().decomposed();
            (
                node.index(),
                (Vec3::from(place), Quat::from_array(turn), Vec3::from(scale)),
            )
        })
        .collect();
    for channel in document.animations().flat_map(|animation| animation.channels()) {
        let reader = channel.reader(|_| Some(blob));
        let times: Vec<f32> = reader.read_inputs().expect("times").collect();
        let key = times.partition_point(|key| *key <= time + 1e-5).saturating_sub(1);
        let node = all.get_mut(&channel.target().node().index()).expect("a node");
        match reader.read_outputs().expect("values") {
            ReadOutputs::Translations(mut values) => node.0 = Vec3::from(values.nth(key).expect("a key")),
            ReadOutputs::Rotations(values) => {
                node.1 = Quat::from_array(values.into_f32().nth(key).expect("a key"));
            }
            ReadOutputs::Scales(mut values) => node.2 = Vec3::from(values.nth(key).expect("a key")),
            ReadOutputs::MorphTargetWeights(_) => {}
        }
    }
    all
}

fn matrix(&(place, turn, scale): &(Vec3, Quat, Vec3)) -> Mat4 {
    Mat4::from_scale_rotation_translation(scale, turn, place)
}

/// The vertices of the skinned mesh of a file at a time.
fn vertices(bytes: &[u8], time: f32) -> Vec<Vec3> {
    let Gltf { document, blob } = Gltf::from_slice(bytes).expect("a valid file");
    let blob = blob.unwrap_or_default();
    let local = transforms(&document, &blob, time);
    let mut parents: HashMap<usize, usize> = HashMap::new();
    for node in document.nodes() {
        for child in node.children() {
            assert_eq!(parents.insert(child.index(), node.index()), None, "two parents");
        }
    }
    let global = |mut node: usize| {
        let mut all = matrix(&local[&node]);
        while let Some(&parent) = parents.get(&node) {
            all = matrix(&local[&parent]) * all;
            node = parent;
        }
        all
    };
    let node = document.nodes().find(|node| node.skin().is_some()).expect("a skin");
    let (mesh, skin) = (node.mesh().expect("a mesh"), node.skin().expect("a skin"));
    let root = document
        .default_scene()
        .expect("a scene")
        .nodes()
        .next()
        .expect("a root")
        .index();
    let ours: Vec<Mat4> = {
        let back = skin
            .reader(|_| Some(&blob))
            .read_inverse_bind_matrices()
            .expect("matrices");
        let back = back.map(|columns| Mat4::from_cols_array_2d(&columns));
        skin.joints()
            .map(|joint| global(joint.index()))
            .zip(back)
            .map(|(joint, back)| joint * back)
            .collect()
    };
    assert!(skin.joints().all(|joint| {
        let mut above = joint.index();
        while let Some(&parent) = parents.get(&above) {
            above = parent;
        }
        above == root
    }));
    let primitive = mesh.primitives().next().expect("a primitive");
    let reader = primitive.reader(|_| Some(&blob));
    let joints = reader.read_joints(0).expect("joints").into_u16();
    let weights = reader.read_weights(0).expect("weights").into_f32();
    let places = reader.read_positions().expect("positions");
    let pulled = places.zip(joints.zip(weights)).map(|(place, (joints, weights))| {
        assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        let place = Vec3::from(place).extend(1.0);
        let parts = joints
            .iter()
            .zip(weights)
            .map(|(&joint, weight)| weight * (ours[joint as usize] * place));
        parts.sum::<Vec4>().truncate()
    });
    pulled.collect()
}

#[test]
fn a_skinned_mesh_is_where_linear_blending_has_it_in_every_frame() {
    let worm = worm();
    for z_up in [false, true] {
        let bytes = written(Timeline { z_up, ..timeline() }, &film(&worm));
        for frame in (0..FRAMES).filter(|frame| *frame != AWAY) {
            let motions = worm.skin.motions(&worm.bind, &poses(&worm, frame));
            let (expected, _) = worm.skin.deform(&motions, Blend::Linear);
            let found = vertices(&bytes, frame as f32 / 24.0);
            assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(&expected) {
                let upright = match z_up {
                    true => Vec3::new(expected.x, expected.z, -expected.y),
                    false => *expected,
                };
                assert!(found.distance(upright) < 1e-5, "frame {frame}: {found} {upright}");
            }
        }
    }
}

#[test]
fn a_skinned_mesh_that_is_not_there_is_a_point() {
    let found = vertices(&written(timeline(), &film(&worm())), AWAY as f32 / 24.0);
    assert!(found.iter().all(|place| *place == Vec3::ZERO));
}

#[test]
fn a_frame_takes_room_for_its_joints_and_not_for_its_vertices() {
    let a_frame = |sides: u32| {
        let film = film(&worm_of(sides));
        let size = |frames: u64| {
            let long: Vec<Snapshot> = (0..frames)
                .map(|frame| Snapshot {
                    frame,
                    ..film[frame as usize % 4].clone()
                })
                .collect();
            written(timeline(), &long).len()
        };
        (size(100) - size(10)) / 90
    };
    let [coarse, fine] = [8, 16].map(a_frame);
    assert!(coarse.abs_diff(fine) <= 8, "{coarse} and {fine} bytes");
}
