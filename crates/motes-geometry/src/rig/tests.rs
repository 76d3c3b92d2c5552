use std::f32::consts::TAU;

use glam::{Affine3A, Quat, Vec3};
use motes_core::{Bounds, Pose};
use proptest::prelude::*;

use super::*;
use crate::{dual_contour, models, primitives};

fn bar(half: Vec3) -> Mesh {
    let distance = move |point: Vec3| primitives::cuboid(point, half);
    dual_contour(&distance, &Bounds { min: -half, max: half }.expanded(0.03), 0.015).unwrap()
}

fn at_spacing(spacing: f32) -> RigOptions {
    RigOptions {
        density: Density::Spacing(spacing),
        ..RigOptions::default()
    }
}

fn bind_poses(rig: &Rig) -> Vec<Pose> {
    let pose = |particle: &RigParticle| Pose {
        position: particle.position,
        rotation: particle.orientation,
    };
    rig.particles.iter().map(pose).collect()
}

#[test]
fn a_thin_bar_becomes_a_chain_along_its_middle() {
    let rig = rig(&bar(Vec3::new(0.6, 0.025, 0.025)), &at_spacing(0.1)).unwrap();
    assert!((8..=17).contains(&rig.particles.len()), "{}", rig.particles.len());
    assert_eq!((rig.edges.len(), rig.pieces), (rig.particles.len() - 1, 1));
    for particle in &rig.particles {
        assert!(particle.position.y.hypot(particle.position.z) < 0.012, "{particle:?}");
        let longest = particle.orientation * Vec3::X;
        assert!(longest.x.abs() > 0.9, "{longest}");
        assert!((0.02..0.04).contains(&particle.radii.y), "{particle:?}");
    }
    let ends = rig.particles.iter().map(|particle| particle.position.x.abs());
    assert!(ends.fold(0.0, f32::max) > 0.5);
}

#[test]
fn particles_of_a_thick_thing_stay_at_its_surface_without_standing_out() {
    let ball = Mesh::ball(0.5, 48);
    let rig = rig(&ball, &at_spacing(0.1)).unwrap();
    for particle in &rig.particles {
        let outward = particle.position.normalize();
        let reach = (particle.radii * (particle.orientation.conjugate() * outward)).length();
        assert!(particle.position.length() > 0.38, "{particle:?}");
        assert!(particle.position.length() + reach < 0.52, "{particle:?}");
        assert!(particle.radii.max_element() <= 2.0001 * particle.radii.min_element());
    }
    let euler = 3 * rig.particles.len() - 6;
    assert!(
        rig.edges.len() > euler * 4 / 5,
        "a triangulated surface: {} edges",
        rig.edges.len()
    );
}

#[test]
fn a_wanted_number_is_about_the_number_there_is() {
    let mesh = models::by_name("octopus").unwrap().mesh(64).unwrap();
    for wanted in [60, 300] {
        let options = RigOptions {
            density: Density::Count(wanted),
            ..RigOptions::default()
        };
        let found = rig(&mesh, &options).unwrap();
        let ratio = found.particles.len() as f32 / wanted as f32;
        assert!((0.9..1.1).contains(&ratio), "{} of {wanted}", found.particles.len());
        assert_eq!(found.pieces, 1);
        let edges = found.edges.len() as f32 / found.particles.len() as f32;
        assert!((1.5..4.0).contains(&edges), "{edges} edges a particle");
    }
}

#[test]
fn arms_beside_each_other_are_not_joined_and_have_weights_of_their_own() {
    let arm = bar(Vec3::new(0.5, 0.05, 0.05));
    let mut mesh = arm.clone();
    let first = mesh.positions.len();
    mesh.append(&arm.transformed(&Affine3A::from_translation(Vec3::Z * 0.14)));
    let options = RigOptions {
        gap: 0.0,
        ..at_spacing(0.12)
    };
    let apart = rig(&mesh, &options).unwrap();
    assert_eq!((apart.parts, apart.pieces), (2, 2));
    let is_far = |index: u32| apart.particles[index as usize].position.z > 0.07;
    assert!(apart.edges.iter().all(|&[a, b]| is_far(a) == is_far(b)));
    for (vertex, indices) in apart.weights.indices.iter().enumerate() {
        assert!(indices.iter().all(|&index| is_far(index) == (vertex >= first)));
    }
    let joined = RigOptions { gap: 0.6, ..options };
    assert_eq!(rig(&mesh, &joined).unwrap().pieces, 1);
}

#[test]
fn a_curl_that_comes_back_beside_itself_is_not_joined_there() {
    // A spiral of two turns, 0.03 m of air between them.
    let points: Vec<Vec3> = (0..=160)
        .map(|step| {
            let turn = step as f32 / 80.0;
            let radius = 0.25 + 0.15 * turn;
            Vec3::new(radius * (turn * TAU).cos(), 0.0, radius * (turn * TAU).sin())
        })
        .collect();
    let distance = |point: Vec3| {
        let segment = |pair: &[Vec3]| {
            let along = pair[1] - pair[0];
            let t = ((point - pair[0]).dot(along) / along.length_squared()).clamp(0.0, 1.0);
            point.distance(pair[0] + t * along) - 0.06
        };
        points.windows(2).map(segment).fold(f32::INFINITY, f32::min)
    };
    let mesh = dual_contour(&distance, &Bounds::of(points.iter().copied()).expanded(0.1), 0.02).unwrap();
    let rig = rig(&mesh, &at_spacing(0.12)).unwrap();
    let angle = |index: u32| {
        let place = rig.particles[index as usize].position;
        place.with_y(0.0).length()
    };
    assert_eq!(rig.pieces, 1);
    for &[a, b] in &rig.edges {
        assert!((angle(a) - angle(b)).abs() < 0.1, "{} {}", angle(a), angle(b));
    }
}

#[test]
fn the_same_mesh_gives_the_same_rig_on_any_number_of_threads() {
    let mesh = models::by_name("fish").unwrap().mesh(48).unwrap();
    let options = at_spacing(0.06);
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| rig(&mesh, &options).unwrap())
    };
    assert_eq!(with(1), with(3));
    assert_ne!(with(1), rig(&mesh, &RigOptions { seed: 1, ..options }).unwrap());
}

#[test]
fn a_rigid_motion_of_the_particles_is_that_of_the_mesh_either_way() {
    let mesh = models::by_name("octopus").unwrap().mesh(40).unwrap();
    let rig = rig(&mesh, &at_spacing(0.1)).unwrap();
    let skin = RigSkin::new(&mesh, rig.weights.clone(), rig.particles.len()).unwrap();
    let bind = bind_poses(&rig);
    let turn = Quat::from_scaled_axis(Vec3::new(0.7, -2.6, 0.4));
    let moved = |pose: &Pose| Pose {
        position: turn * pose.position + Vec3::new(0.3, 2.0, -1.0),
        // Either of the two quaternions of a rotation is as good.
        rotation: if pose.position.x > 0.0 {
            -(turn * pose.rotation)
        } else {
            turn * pose.rotation
        },
    };
    let poses: Vec<Pose> = bind.iter().map(moved).collect();
    let motions = skin.motions(&bind, &poses);
    for blend in [Blend::Linear, Blend::DualQuaternion] {
        let (positions, normals) = skin.deform(&motions, blend);
        for (vertex, place) in mesh.positions.iter().enumerate() {
            assert!(positions[vertex].distance(turn * *place + Vec3::new(0.3, 2.0, -1.0)) < 3e-6);
            assert!(normals[vertex].distance(turn * skin.normals()[vertex]) < 3e-6);
        }
    }
}

#[test]
fn dual_quaternions_keep_a_twisted_bar_thick_and_matrices_do_not() {
    let mesh = bar(Vec3::new(0.5, 0.06, 0.06));
    let particles = [Vec3::X * -0.25, Vec3::X * 0.25];
    let weights = rig_weights(&mesh, &particles, 0.6).unwrap();
    let skin = RigSkin::new(&mesh, weights, 2).unwrap();
    let bind = particles.map(Pose::at);
    let twisted = [
        bind[0],
        Pose {
            rotation: Quat::from_rotation_x(2.8),
            ..bind[1]
        },
    ];
    let motions = skin.motions(&bind, &twisted);
    let thickness = |blend| {
        let middle = |vertex: &usize| mesh.positions[*vertex].x.abs() < 0.02;
        let (positions, _) = skin.deform(&motions, blend);
        let wide = (0..mesh.positions.len())
            .filter(middle)
            .map(|vertex| positions[vertex].y.hypot(positions[vertex].z));
        wide.fold(0.0, f32::max)
    };
    assert!(thickness(Blend::Linear) < 0.035, "{}", thickness(Blend::Linear));
    assert!(
        thickness(Blend::DualQuaternion) > 0.075,
        "{}",
        thickness(Blend::DualQuaternion)
    );
}

#[test]
fn open_sheets_and_single_triangles_have_rigs_and_nothing_has_none() {
    let sheet = Mesh::new(
        vec![Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Z, Vec3::Z],
        vec![[0, 2, 1], [0, 3, 2]],
    );
    let flat = rig(&sheet, &at_spacing(0.2)).unwrap();
    assert!(flat.particles.len() > 10 && flat.pieces == 1);
    assert!(flat.particles.iter().all(|particle| particle.position.y.abs() < 1e-6));
    let total: f32 = flat.particles.iter().map(|particle| particle.mass_share).sum();
    assert!((total - 1.0).abs() < 1e-5);
    let coarse = rig(&sheet, &at_spacing(5.0)).unwrap();
    assert_eq!((coarse.particles.len(), coarse.edges.len()), (1, 0));
    assert_eq!(rig(&Mesh::default(), &at_spacing(0.1)), Err(GeometryError::NoSurface));
    assert!(rig(&sheet, &at_spacing(1e-5)).is_err());
    assert!(rig(&sheet, &at_spacing(-1.0)).is_err());
}

#[test]
fn mass_goes_where_the_volume_is() {
    let mut mesh = bar(Vec3::new(0.5, 0.05, 0.05));
    let knob = Mesh::ball(0.2, 32).transformed(&Affine3A::from_translation(Vec3::X * 1.0));
    mesh.append(&knob);
    let volume = knob.volume() / mesh.volume();
    let rig = rig(&mesh, &at_spacing(0.1)).unwrap();
    let of_knob = rig.particles.iter().filter(|particle| particle.position.x > 0.7);
    let share: f32 = of_knob.map(|particle| particle.mass_share).sum();
    assert!((share / volume - 1.0).abs() < 0.1, "{share} for {volume}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn weights_are_positive_and_together_one(
        particles in prop::collection::vec(prop::array::uniform3(-0.6f32..0.6), 1..40),
        spacing in 0.05f32..0.5,
    ) {
        let particles: Vec<Vec3> = particles.into_iter().map(Vec3::from).collect();
        let mesh = models::by_name("torus").unwrap().mesh(8).unwrap();
        let found = rig_weights(&mesh, &particles, spacing).unwrap();
        prop_assert_eq!(found.len(), mesh.positions.len());
        for (indices, weights) in found.indices.iter().zip(&found.weights) {
            prop_assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            prop_assert!(weights.iter().all(|weight| (0.0..=1.0001).contains(weight)));
            prop_assert!(indices.iter().all(|&index| (index as usize) < particles.len()));
        }
    }
}
