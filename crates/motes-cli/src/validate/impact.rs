//! Rebounds of bodies, in empty space.

use glam::{Quat, Vec3};
use motes_core::{BodyId, Material, NewBody, Pose, Settings};
use motes_geometry::{BodyOptions, Mesh, body};

use super::lab::{DT, Lab};
use super::{Case, EngineMaker};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "impact/bodies on a plane",
            source: "exact: restitution over that of the material, the worst of a sphere and a box, e = 0.5 and 1, 2 x 4, 4 x 4 and 8 x 8",
            reference: 1.0,
            band: [0.95, 1.05],
            unit: "",
            quick: true,
            measure: |engine| on_a_plane(engine, 1.0),
            control_name: "restitution 10 % too high",
            control: |engine| on_a_plane(engine, 1.1),
        },
        Case {
            name: "impact/box on box",
            source: "exact: restitution over that of the material, the worst of masses 1 : 1 and 1 : 3, e = 0.5 and 1, 2 x 4, 4 x 4 and 8 x 8",
            reference: 1.0,
            band: [0.95, 1.05],
            unit: "",
            quick: false,
            measure: |engine| on_another(engine, &cube(), Quat::IDENTITY, 1.0),
            control_name: "restitution 10 % too high",
            control: |engine| on_another(engine, &cube(), Quat::IDENTITY, 1.1),
        },
        Case {
            name: "impact/sphere on sphere",
            source: "exact: the same of spheres of 4 particles across, turned against each other",
            reference: 1.0,
            band: [0.95, 1.05],
            unit: "",
            quick: false,
            measure: |engine| on_another(engine, &ball(), Quat::from_rotation_z(0.4), 1.0),
            control_name: "twice the restitution",
            control: |engine| on_another(engine, &ball(), Quat::from_rotation_z(0.4), 2.0),
        },
    ]
}

const SPEED: f32 = 2.0;
const STEPS: [[u32; 2]; 3] = [[2, 4], [4, 4], [8, 8]];
const RESTITUTIONS: [f32; 2] = [0.5, 1.0];

fn cube() -> Mesh {
    Mesh::cuboid(Vec3::splat(0.2))
}

fn ball() -> Mesh {
    Mesh::ball(0.2, 32)
}

fn lab(engine: EngineMaker, [substeps, iterations]: [u32; 2], restitution: f32) -> Lab {
    let settings = Settings {
        gravity: Vec3::ZERO,
        substeps,
        iterations,
        ..Settings::default()
    };
    let material = Material::WOOD.with_friction(0.3).with_restitution(restitution.min(1.0));
    Lab::new(engine, settings, material)
}

fn add(lab: &mut Lab, mesh: &Mesh, heavier: f32, pose: Pose, velocity: Vec3) -> BodyId {
    let solid = body(mesh, &BodyOptions::solid(0.05)).expect("a mesh that becomes a body");
    let new = solid.to_new("body", lab.material);
    let new = NewBody {
        masses: new.masses.iter().map(|mass| heavier * mass).collect(),
        pose,
        velocity,
        ..new
    };
    lab.world.add_body(new).expect("body")
}

fn velocity(lab: &Lab, id: BodyId) -> Vec3 {
    lab.world.body_motion(id).expect("alive").velocity
}

/// Of some ratios to what they should be, the one that is furthest from 1.
fn worst(ratios: impl Iterator<Item = f32>) -> f64 {
    let further = |worst: f32, ratio: f32| {
        if (ratio - 1.0).abs() > (worst - 1.0).abs() {
            ratio
        } else {
            worst
        }
    };
    f64::from(ratios.fold(1.0, further))
}

/// All step sizes with all restitutions.
fn trials() -> impl Iterator<Item = ([u32; 2], f32)> {
    STEPS
        .into_iter()
        .flat_map(|steps| RESTITUTIONS.map(|restitution| (steps, restitution)))
}

fn on_a_plane(engine: EngineMaker, mistake: f32) -> f64 {
    let ratio = |mesh: &Mesh, steps: [u32; 2], restitution: f32| {
        let mut lab = lab(engine, steps, mistake.min(1.0 / restitution) * restitution);
        lab.floor(Vec3::Y);
        let id = add(&mut lab, mesh, 1.0, Pose::at(Vec3::Y * 0.413), -SPEED * Vec3::Y);
        (0..30).for_each(|_| lab.world.step(DT));
        velocity(&lab, id).y / (SPEED * restitution)
    };
    let meshes = [cube(), ball()];
    worst(
        meshes
            .iter()
            .flat_map(|mesh| trials().map(move |(steps, e)| ratio(mesh, steps, e))),
    )
}

fn on_another(engine: EngineMaker, mesh: &Mesh, rotation: Quat, mistake: f32) -> f64 {
    let ratio = |heavier: f32, steps: [u32; 2], restitution: f32| {
        let mut lab = lab(engine, steps, mistake.min(1.0 / restitution) * restitution);
        let first = add(&mut lab, mesh, 1.0, Pose::at(-0.613 * Vec3::X), SPEED * Vec3::X);
        let turned = Pose {
            rotation,
            ..Pose::IDENTITY
        };
        let second = add(&mut lab, mesh, heavier, turned, Vec3::ZERO);
        (0..40).for_each(|_| lab.world.step(DT));
        (velocity(&lab, second).x - velocity(&lab, first).x) / (SPEED * restitution)
    };
    let masses = [1.0, 3.0];
    worst(
        masses
            .into_iter()
            .flat_map(|heavier| trials().map(move |(steps, e)| ratio(heavier, steps, e))),
    )
}
