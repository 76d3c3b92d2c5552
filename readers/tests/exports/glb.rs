//! Binary glTF, read with the crate `gltf`.

use std::io::Cursor;

use glam::{Quat, Vec3};
use gltf::animation::Interpolation;
use gltf::animation::util::ReadOutputs;
use gltf::{Gltf, Semantic};
use motes_drawing::export::{Geometry, GlbWriter, Object, Paint, Snapshot, Timeline};

use crate::{FRAMES, are_close, film, sheet, timeline};

pub(crate) fn written(timeline: Timeline, film: &[Snapshot]) -> Vec<u8> {
    let mut writer = GlbWriter::new(timeline, Cursor::new(Vec::new()));
    for snapshot in film {
        assert!(writer.frame(snapshot).expect("a frame"));
    }
    let mut bytes = Vec::new();
    writer.finish(&mut bytes).expect("a file");
    bytes
}

/// A node as it is at some time.
#[derive(Debug)]
struct Seen {
    name: String,
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    uvs: Vec<[f32; 2]>,
    triangles: Vec<u32>,
    color: [f32; 4],
}

/// Two keys around a time, and how far it is from the first to the second.
fn keys(times: &[f32], time: f32, interpolation: Interpolation) -> (usize, usize, f32) {
    let after = times.partition_point(|key| *key <= time);
    let (before, after) = (after.saturating_sub(1), after.min(times.len() - 1));
    let share = (time - times[before]) / (times[after] - times[before]);
    match interpolation {
        Interpolation::Linear if after > before => (before, after, share.max(0.0)),
        _ => (before, before, 0.0),
    }
}

/// What is seen of a file at a time: nodes that are not scaled to nothing, as the specification has them move.
fn at(bytes: &[u8], time: f32) -> Vec<Seen> {
    let Gltf { document, blob } = Gltf::from_slice(bytes).expect("a valid file");
    let blob = blob.unwrap_or_default();
    let root = document
        .default_scene()
        .expect("a scene")
        .nodes()
        .next()
        .expect("a root");
    let (_, turn, _) = root.transform().decomposed();
    let turn = Quat::from_array(turn);
    let mut seen = Vec::new();
    for node in root.children() {
        let (place, rotation, scale) = node.transform().decomposed();
        let (mut place, mut rotation, mut scale) = (Vec3::from(place), Quat::from_array(rotation), Vec3::from(scale));
        let mesh = node.mesh().expect("a mesh");
        let mut weights = mesh.weights().unwrap_or_default().to_vec();
        let channels = document.animations().flat_map(|animation| animation.channels());
        for channel in channels.filter(|channel| channel.target().node().index() == node.index()) {
            let reader = channel.reader(|_| Some(&blob));
            let times: Vec<f32> = reader.read_inputs().expect("times").collect();
            let (a, b, share) = keys(&times, time, channel.sampler().interpolation());
            match reader.read_outputs().expect("values") {
                ReadOutputs::Translations(values) => {
                    let values: Vec<Vec3> = values.map(Vec3::from).collect();
                    place = values[a].lerp(values[b], share);
                }
                ReadOutputs::Rotations(values) => {
                    let values: Vec<Quat> = values.into_f32().map(Quat::from_array).collect();
                    rotation = values[a].slerp(values[b], share);
                }
                ReadOutputs::Scales(values) => {
                    let values: Vec<Vec3> = values.map(Vec3::from).collect();
                    scale = values[a].lerp(values[b], share);
                }
                ReadOutputs::MorphTargetWeights(values) => {
                    let values: Vec<f32> = values.into_f32().collect();
                    let count = weights.len();
                    assert_eq!(values.len(), count * times.len());
                    weights = (0..count)
                        .map(|i| values[a * count + i] + share * (values[b * count + i] - values[a * count + i]))
                        .collect();
                }
            }
        }
        if scale == Vec3::ZERO {
            continue;
        }
        let primitive = mesh.primitives().next().expect("a primitive");
        let reader = primitive.reader(|_| Some(&blob));
        let mut positions: Vec<Vec3> = reader.read_positions().expect("positions").map(Vec3::from).collect();
        let mut normals: Vec<Vec3> = reader.read_normals().expect("normals").map(Vec3::from).collect();
        for ((places, turns, _), weight) in reader.read_morph_targets().zip(&weights) {
            for (vertex, moved) in positions.iter_mut().zip(places.expect("places")) {
                *vertex += *weight * Vec3::from(moved);
            }
            for (normal, turned) in normals.iter_mut().zip(turns.expect("normals")) {
                *normal += *weight * Vec3::from(turned);
            }
        }
        let uvs = reader.read_tex_coords(0);
        seen.push(Seen {
            name: node.name().expect("a name").to_owned(),
            positions: positions
                .iter()
                .map(|p| turn * (place + rotation * (scale * p)))
                .collect(),
            normals: normals.iter().map(|n| turn * (rotation * n)).collect(),
            uvs: uvs.map_or(Vec::new(), |uvs| uvs.into_f32().collect()),
            triangles: reader.read_indices().expect("indices").into_u32().collect(),
            color: primitive.material().pbr_metallic_roughness().base_color_factor(),
        });
    }
    seen
}

#[test]
fn every_frame_is_read_back_as_it_was() {
    let film = film();
    let bytes = written(timeline(), &film);
    for snapshot in &film {
        let seen = at(&bytes, snapshot.frame as f32 / 24.0);
        assert_eq!(seen.len(), snapshot.objects.len(), "frame {}", snapshot.frame);
        for object in &snapshot.objects {
            let mesh = object.geometry.placed();
            let found = seen.iter().find(|seen| seen.name == object.name).expect(&object.name);
            let place = (object.name.as_str(), snapshot.frame);
            assert!(are_close(&found.positions, &mesh.positions), "{place:?}");
            assert!(are_close(&found.normals, &mesh.normals), "{place:?}");
            assert_eq!(found.triangles, mesh.triangles.as_flattened(), "{place:?}");
            let uvs: Vec<[f32; 2]> = mesh.uvs.iter().map(|uv| [uv.x, 1.0 - uv.y]).collect();
            assert_eq!(found.uvs, uvs, "{place:?}");
            assert_eq!(found.color[3], object.paint.opacity);
        }
    }
}

#[test]
fn between_frames_things_are_between() {
    let film = film();
    let bytes = written(timeline(), &film);
    for (name, frame) in [("brick", 2), ("sheet/1", 2)] {
        let seen = at(&bytes, (frame as f32 + 0.5) / 24.0);
        let found = seen.iter().find(|seen| seen.name == name).expect(name);
        let placed = |frame: usize| {
            let object = film[frame].objects.iter().find(|object| object.name == name);
            object.expect(name).geometry.placed().positions
        };
        let (before, after) = (placed(frame), placed(frame + 1));
        for (vertex, found) in found.positions.iter().enumerate() {
            let (a, b) = (before[vertex], after[vertex]);
            assert!(found.distance(a) < a.distance(b) + 1e-5, "{name}");
            assert!(found.distance(a.midpoint(b)) < 0.3 * a.distance(b) + 1e-5, "{name}");
        }
    }
}

/// What the validator of glTF asks for and this reader does not.
fn check_rules(bytes: &[u8]) {
    let Gltf { document, blob } = Gltf::from_slice(bytes).expect("a valid file");
    let blob = blob.unwrap_or_default();
    assert_eq!(
        u32::from_le_bytes(bytes[8..12].try_into().expect("a length")) as usize,
        bytes.len()
    );
    assert_eq!(bytes.len() % 4, 0);
    for view in document.views() {
        assert!(view.offset() % 4 == 0 && view.length() > 0 && view.offset() + view.length() <= blob.len());
    }
    for accessor in document.accessors() {
        let view = accessor.view().expect("a view");
        assert!(accessor.count() > 0 && accessor.count() * accessor.size() <= view.length());
    }
    let bounds = |accessor: &gltf::Accessor, values: &[[f32; 3]]| {
        let bound = |value: Option<gltf::json::Value>| -> Vec<f32> {
            let list = value.expect("bounds");
            let numbers = list.as_array().expect("a list").iter();
            numbers
                .map(|number| number.as_f64().expect("a number") as f32)
                .collect()
        };
        let (min, max) = (bound(accessor.min()), bound(accessor.max()));
        for axis in 0..3 {
            let along = || values.iter().map(|value| value[axis]);
            assert_eq!(min[axis], along().fold(f32::INFINITY, f32::min));
            assert_eq!(max[axis], along().fold(f32::NEG_INFINITY, f32::max));
        }
    };
    for primitive in document.meshes().flat_map(|mesh| mesh.primitives()) {
        let reader = primitive.reader(|_| Some(&blob));
        let positions: Vec<[f32; 3]> = reader.read_positions().expect("positions").collect();
        bounds(&primitive.get(&Semantic::Positions).expect("positions"), &positions);
        for normal in reader.read_normals().expect("normals") {
            assert!((Vec3::from(normal).length() - 1.0).abs() < 1e-4);
        }
        for (target, (places, _, _)) in primitive.morph_targets().zip(reader.read_morph_targets()) {
            let places: Vec<[f32; 3]> = places.expect("places").collect();
            bounds(&target.positions().expect("places"), &places);
        }
        assert!(
            reader
                .read_indices()
                .expect("indices")
                .into_u32()
                .all(|corner| (corner as usize) < positions.len())
        );
    }
    for animation in document.animations() {
        let mut targets = std::collections::HashSet::new();
        for channel in animation.channels() {
            let path = format!("{:?}", channel.target().property());
            assert!(targets.insert((channel.target().node().index(), path)));
            let times: Vec<f32> = channel.reader(|_| Some(&blob)).read_inputs().expect("times").collect();
            assert!(
                times[0] >= 0.0 && times.windows(2).all(|pair| pair[0] < pair[1]),
                "{times:?}"
            );
            let input = channel.sampler().input();
            let ends = [input.min(), input.max()].map(|end| end.expect("ends")[0].as_f64().map(|time| time as f32));
            assert_eq!(ends, [times.first().copied(), times.last().copied()]);
        }
    }
}

#[test]
fn files_keep_the_rules_of_the_format() {
    let film = film();
    for frames in [0, 1, 2, FRAMES as usize] {
        check_rules(&written(timeline(), &film[..frames]));
    }
    let empty = Snapshot::default();
    check_rules(&written(timeline(), &[empty]));
}

#[test]
fn copies_share_their_vertices_and_what_rests_has_no_keys() {
    let film = film();
    let bytes = written(timeline(), &film);
    let Gltf { document, .. } = Gltf::from_slice(&bytes).expect("a valid file");
    let accessors = |name: &str| {
        let node = document.nodes().find(|node| node.name() == Some(name)).expect(name);
        let primitive = node.mesh().expect("a mesh").primitives().next().expect("a primitive");
        primitive.get(&Semantic::Positions).expect("positions").index()
    };
    assert_eq!(accessors("floor"), accessors("brick"));
    let keys = |name: &str| {
        let channels = document.animations().flat_map(|animation| animation.channels());
        let of = channels.filter(|channel| channel.target().node().name() == Some(name));
        of.map(|channel| channel.sampler().input().count()).collect::<Vec<_>>()
    };
    assert_eq!(keys("floor"), Vec::<usize>::new());
    // It flies for five frames, and is gone at some time.
    assert_eq!(keys("brick"), [6, 6, 2]);
}

#[test]
fn a_long_run_is_cut_into_meshes_with_few_targets() {
    let frames = 700;
    let film: Vec<Snapshot> = (0..frames)
        .map(|frame| Snapshot {
            frame,
            objects: vec![Object {
                name: "sheet".into(),
                paint: Paint::solid([9; 3]),
                geometry: Geometry::Changing(sheet(frame, false)),
            }],
            clouds: Vec::new(),
        })
        .collect();
    let bytes = written(timeline(), &film);
    check_rules(&bytes);
    let Gltf { document, .. } = Gltf::from_slice(&bytes).expect("a valid file");
    assert_eq!(document.meshes().count(), 3);
    let primitives = document.meshes().flat_map(|mesh| mesh.primitives());
    assert!(primitives.map(|primitive| primitive.morph_targets().count()).max() <= Some(256));
    for frame in [0, 1, 239, 240, 241, 480, 699] {
        let seen = at(&bytes, frame as f32 / 24.0);
        assert_eq!(seen.len(), 1, "frame {frame}");
        assert!(
            are_close(&seen[0].positions, &sheet(frame, false).positions),
            "frame {frame}"
        );
    }
}

#[test]
fn z_becomes_y_where_it_points_up() {
    let film = &film()[..1];
    let upright = Timeline {
        z_up: true,
        ..timeline()
    };
    let (seen, expected) = (at(&written(upright, film), 0.0), film[0].objects[0].geometry.placed());
    let turned: Vec<Vec3> = expected.positions.iter().map(|p| Vec3::new(p.x, p.z, -p.y)).collect();
    assert!(are_close(&seen[0].positions, &turned));
}

#[test]
fn frames_that_are_not_later_and_odd_meshes_are_left_out() {
    let film = film();
    let mut writer = GlbWriter::new(timeline(), Cursor::new(Vec::new()));
    assert!(writer.frame(&film[3]).expect("a frame"));
    assert!(!writer.frame(&film[3]).expect("a frame"));
    assert!(!writer.frame(&film[1]).expect("a frame"));
    let mut odd = film[4].clone();
    for object in &mut odd.objects {
        if let Geometry::Changing(mesh) = &mut object.geometry {
            mesh.positions[0].x = f32::NAN;
        }
    }
    assert!(writer.frame(&odd).expect("a frame"));
    let mut bytes = Vec::new();
    writer.finish(&mut bytes).expect("a file");
    check_rules(&bytes);
    assert_eq!(at(&bytes, 1.0 / 24.0).len(), odd.objects.len() - 1);
}
