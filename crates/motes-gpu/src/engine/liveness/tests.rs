//! The declaration is neither too short, or worlds would come out differently, nor longer than any reader needs.

use std::panic::{AssertUnwindSafe, catch_unwind};

use motes_core::colliders::Plane;
use motes_core::constraints::revolution::Revolution;
use motes_core::glam::{Quat, Vec3};
use motes_core::{
    BodyId, Collider, Group, Joint, Material, NewBody, NewDistance, Partner, Pose, Settings, Shape, World,
};

use super::{USES, Use};
use crate::engine::GpuEngine;
use crate::{Choice, Gpu, GpuError};

const DT: f32 = 1.0 / 60.0;
const RADIUS: f32 = 0.05;

/// Without a GPU, the tests say so and pass; with `MOTES_REQUIRE_GPU=1` they fail.
fn gpu() -> Option<Gpu> {
    match Gpu::pick(&Choice::default()) {
        Ok(gpu) => Some(gpu),
        Err(GpuError::NoAdapter { .. }) if std::env::var("MOTES_REQUIRE_GPU").as_deref() != Ok("1") => {
            println!("not tested: no GPU here");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn engine(gpu: &Gpu, uses: Option<Vec<Use>>) -> Box<GpuEngine> {
    let mut engine = Box::new(GpuEngine::new(gpu).expect("engine"));
    if let Some(uses) = uses {
        engine.fill_all_but(uses).expect("filler");
    }
    engine
}

fn cube(side: usize, corner: Vec3) -> Vec<Vec3> {
    let places = (0..side * side * side)
        .map(|i| Vec3::new((i % side) as f32, (i / side / side) as f32, (i / side % side) as f32));
    places.map(|place| corner + 0.101 * place).collect()
}

fn add_body(world: &mut World, stiffness: f32, place: Vec3) -> BodyId {
    let new = cube_body(world, stiffness, place);
    world.add_body(new).expect("body")
}

/// A block that hits the floor beside the others with its corners while it is looked at.
fn add_falling(world: &mut World) {
    let new = cube_body(world, 1.0, Vec3::ZERO);
    let new = NewBody {
        inscribed: new.positions.iter().map(|at| (0.5 * *at).extend(0.0)).collect(),
        revolution: Some(Revolution {
            point: Vec3::ZERO,
            axis: Vec3::Y,
        }),
        pose: Pose {
            position: Vec3::new(1.0, 1.65, 0.0),
            rotation: Quat::from_rotation_x(0.3) * Quat::from_rotation_z(0.4),
        },
        velocity: 6.0 * Vec3::NEG_Y,
        ..new
    };
    world.add_body(new).expect("body");
}

fn cube_body(world: &mut World, stiffness: f32, place: Vec3) -> NewBody {
    let stone = world.add_material(Material::default()).expect("material");
    let positions = cube(3, Vec3::splat(-0.101));
    let fields = positions
        .iter()
        .map(|at| at.normalize_or(Vec3::Y).extend(-RADIUS))
        .collect();
    let sides = |at: &Vec3| [at.y.signum() * Vec3::Y, at.x.signum() * Vec3::X];
    let mut new = NewBody {
        stiffness,
        fields,
        faces: positions.iter().map(sides).collect(),
        pose: Pose::at(place),
        ..NewBody::new("cube", stone, positions.clone(), vec![1.0; positions.len()])
    };
    if stiffness < 1.0 {
        let near = |a: usize, b: usize| positions[a].distance(positions[b]) < 3.0 * RADIUS;
        let pairs = (0..27).flat_map(|a| (a + 1..27).map(move |b| (a, b)));
        new.links.pairs = pairs
            .filter(|&(a, b)| near(a, b))
            .map(|(a, b)| [a as u32, b as u32])
            .collect();
        new.links.compliance = 1e-6;
    }
    new
}

/// Grains on a floor, with every optional part of the step; with bodies, a rigid and a linked one among them.
fn heap(gpu: &Gpu, bodies: bool) -> World {
    let settings = Settings {
        particle_radius: RADIUS,
        mass_scaling: 0.2,
        stabilization_iterations: 2,
        sleep_speed: 0.001,
        ..Settings::default()
    };
    let mut world = World::with_engine(settings, engine(gpu, None)).expect("settings");
    let sand = world
        .add_material(Material::SAND.with_restitution(0.3))
        .expect("material");
    let grains = world.add_group(Group::grains("grains", sand)).expect("group");
    let plane = Shape::Plane(Plane::new(Vec3::Y, 0.0).expect("plane"));
    let floor = Collider::new("floor", plane, sand, Pose::IDENTITY);
    world.add_collider(floor).expect("floor");
    world
        .add_particles(grains, &cube(5, Vec3::new(-0.25, 0.05, -0.25)), 0.2 * Vec3::X)
        .expect("grains");
    if !bodies {
        // Rows that are solved in patches.
        let cord = [0.0, 0.12, 0.26].map(|x| Vec3::new(1.0 + x, 0.3, 0.0));
        let ids = world.add_particles(grains, &cord, Vec3::ZERO).expect("a cord");
        let rows = [[0, 1], [1, 2]].map(|pair| NewDistance::new(pair.map(|end: usize| ids[end]), 0.1));
        world.add_distances(&rows).expect("rows");
        return world;
    }
    let rigid = add_body(&mut world, 1.0, Vec3::new(0.0, 0.72, 0.0));
    add_falling(&mut world);
    let linked = add_body(&mut world, 0.1, Vec3::new(0.31, 0.73, 0.0));
    let joint = Joint::Ball(Vec3::new(0.15, 0.72, 0.0));
    world
        .join(rigid, Partner::Body(linked), joint, f32::INFINITY)
        .expect("joint");
    world
}

/// Everything that can be known of a world.
fn known(world: &mut World) -> (Vec<u8>, String) {
    let contacts = (world.particle_contacts(), world.collider_contacts());
    (world.save(), format!("{contacts:?}"))
}

/// What becomes of a state when all but some uses are filled.
fn outcome(gpu: &Gpu, state: &[u8], uses: Option<Vec<Use>>) -> (Vec<u8>, String) {
    let mut world = World::restore(state, engine(gpu, uses)).expect("a state");
    (0..3).for_each(|_| world.step(DT));
    known(&mut world)
}

/// Which of the declared uses nothing notices the lack of.
fn unread(gpu: &Gpu, bodies: bool) -> Vec<bool> {
    let mut world = heap(gpu, bodies);
    (0..12).for_each(|_| world.step(DT));
    assert!(world.particle_contacts().len() > 100 && world.collider_contacts().len() > 10);
    let state = world.save();
    let normal = outcome(gpu, &state, None);
    assert!(
        outcome(gpu, &state, Some(USES.to_vec())) == normal,
        "filling what is dead changes nothing"
    );
    let unnoticed = |left_out| {
        let mut uses = USES.to_vec();
        uses.remove(left_out);
        // The host may stumble over what it reads back, which is noticed too.
        let outcome = catch_unwind(AssertUnwindSafe(|| outcome(gpu, &state, Some(uses))));
        outcome.is_ok_and(|outcome| outcome == normal)
    };
    (0..USES.len()).map(unnoticed).collect()
}

#[test]
fn dead_sections_are_read_by_nobody_and_every_declared_use_has_a_reader() {
    let Some(gpu) = gpu() else { return };
    // Kernels of worlds with bodies and without read differently.
    let unread = [false, true].map(|bodies| unread(&gpu, bodies));
    let unread: Vec<&str> = (0..USES.len())
        .filter(|&left_out| unread.iter().all(|unread| unread[left_out]))
        .map(|left_out| USES[left_out].name)
        .collect();
    assert!(unread.is_empty(), "nobody reads {unread:?}");
}
