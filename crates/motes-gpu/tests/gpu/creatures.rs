//! Creatures go on alike on both engines, and what the GPU engine does not do with them it says.

use motes_core::colliders::Plane;
use motes_core::glam::{Quat, Vec3};
use motes_core::{
    BodyId, Collider, CpuEngine, CreatureId, Denting, Edge, Engine, FrictionModel, Group, Keyframe, Material,
    MaterialId, Motion, Muscle, NewCreature, OrientedParticle, Pose, Settings, Shape, Softness, StateError, World,
    WorldError,
};
use motes_gpu::GpuEngine;

use crate::moments::{BACK, FORTH, compare, nothing};

const DT: f32 = 1.0 / 60.0;

type Built = (World, Vec<BodyId>);

/// A world with a material, and maybe a floor through the origin that slopes about z.
fn world(engine: Box<dyn Engine>, gravity: f32, slope: Option<f32>) -> (World, MaterialId) {
    let settings = Settings {
        gravity: gravity * Vec3::NEG_Y,
        particle_radius: 0.05,
        ..Settings::default()
    };
    let mut world = World::with_engine(settings, engine).expect("settings");
    let material = Material {
        rolling_resistance: Some(0.01),
        ..Material::RUBBER
    };
    let material = world.add_material(material).expect("material");
    if let Some(slope) = slope {
        let normal = Quat::from_rotation_z(slope) * Vec3::Y;
        let plane = Shape::Plane(Plane::new(normal, 0.0).expect("plane"));
        let floor = Collider::new("floor", plane, material, Pose::IDENTITY);
        world.add_collider(floor).expect("floor");
    }
    (world, material)
}

fn ellipsoid(place: Vec3, radii: Vec3) -> OrientedParticle {
    let turned = Pose {
        position: place,
        rotation: Quat::from_rotation_z(0.3) * Quat::from_rotation_x(place.x),
    };
    OrientedParticle::ellipsoid(turned, radii, 0.2)
}

fn add(world: &mut World, new: NewCreature) -> CreatureId {
    world.add_creature(new).expect("sound")
}

/// A lone ellipsoid that tumbles, and one that is about to land on a floor.
fn alone(engine: Box<dyn Engine>) -> Built {
    let (mut world, material) = world(engine, 9.81, Some(0.0));
    let radii = Vec3::new(0.08, 0.05, 0.03);
    for (place, spin) in [(Vec3::new(0.0, 3.0, 0.0), 9.0), (Vec3::new(0.5, 0.12, 0.0), 2.0)] {
        let lone = vec![ellipsoid(Vec3::ZERO, radii)];
        add(
            &mut world,
            NewCreature {
                pose: Pose::at(place),
                angular_velocity: spin * Vec3::new(0.3, 0.1, 1.0),
                ..NewCreature::new("lone", material, lone, Vec::new())
            },
        );
    }
    (world, Vec::new())
}

/// A chain of ellipsoids that is held at one end.
fn chain(length: usize, material: MaterialId, pinned: bool) -> NewCreature {
    let particles = (0..length).map(|k| OrientedParticle {
        stiffness: 0.6,
        torsion: 0.7,
        pinned: pinned && k == 0,
        ..ellipsoid(Vec3::X * 0.09 * k as f32, Vec3::new(0.05, 0.04, 0.03))
    });
    let edges = (1..length as u32).map(|k| Edge {
        stretch: (k % 9 != 0).then_some(Softness::Stiffness(0.9)),
        ..Edge::new(k - 1, k)
    });
    NewCreature::new("chain", material, particles.collect(), edges.collect())
}

fn hanging(engine: Box<dyn Engine>) -> Built {
    let (mut world, material) = world(engine, 9.81, None);
    add(
        &mut world,
        NewCreature {
            pose: Pose::at(Vec3::Y),
            ..chain(14, material, true)
        },
    );
    let side = 5u32;
    let particles = (0..side * side).map(|k| OrientedParticle {
        pinned: k == 0,
        buoyancy: if k == 12 { 0.5 } else { 0.0 },
        ..ellipsoid(
            0.09 * Vec3::new((k % side) as f32, 0.0, (k / side) as f32),
            Vec3::new(0.05, 0.02, 0.05),
        )
    });
    let across = (0..side * side).filter(|k| k % side > 0).map(|k| Edge::new(k - 1, k));
    let along = (side..side * side).map(|k| Edge::new(k - side, k));
    let edges = across.chain(along).collect();
    add(
        &mut world,
        NewCreature {
            pose: Pose::at(Vec3::new(-1.0, 1.0, 0.0)),
            ..NewCreature::new("sheet", material, particles.collect(), edges)
        },
    );
    (world, Vec::new())
}

/// A ball that rolls down a slope, and a disc that slides on its flat side and tips over.
fn sloping(engine: Box<dyn Engine>) -> Built {
    let (mut world, material) = world(engine, 9.81, Some(0.2));
    for (place, radii) in [(0.0, Vec3::splat(0.08)), (0.5, Vec3::new(0.08, 0.02, 0.08))] {
        let lone = vec![ellipsoid(Vec3::ZERO, radii)];
        add(
            &mut world,
            NewCreature {
                pose: Pose::at(Vec3::new(0.0, 0.09, place)),
                ..NewCreature::new("roller", material, lone, Vec::new())
            },
        );
    }
    (world, Vec::new())
}

/// A round middle with arms all about it.
fn octopus(material: MaterialId) -> NewCreature {
    let mut particles = vec![ellipsoid(Vec3::ZERO, Vec3::new(0.1, 0.08, 0.1))];
    let mut edges = Vec::new();
    for arm in 0..5u32 {
        let way = Quat::from_rotation_y(arm as f32 * 1.2566) * Vec3::X;
        let mut before = 0;
        for k in 0..5 {
            let number = particles.len() as u32;
            let place = (0.15 + 0.08 * k as f32) * way - 0.01 * k as f32 * Vec3::Y;
            particles.push(ellipsoid(place, Vec3::new(0.05, 0.03, 0.04)));
            edges.push(Edge::new(before, number));
            if k > 1 {
                edges.push(Edge::new(before - 1, number));
            }
            before = number;
        }
    }
    NewCreature::new("octopus", material, particles, edges)
}

fn dropped(engine: Box<dyn Engine>) -> Built {
    let (mut world, material) = world(engine, 9.81, Some(0.0));
    let new = NewCreature {
        pose: Pose::at(0.25 * Vec3::Y),
        velocity: Vec3::NEG_Y,
        ..octopus(material)
    };
    add(&mut world, new);
    (world, Vec::new())
}

/// Two parts with a joint between them, one of which has a soft tail.
fn jointed(material: MaterialId) -> NewCreature {
    let particles: Vec<_> = (0..9)
        .map(|k| {
            let place = Vec3::new(0.1 * (k % 5) as f32, 0.0, 0.12 * (k / 5) as f32);
            ellipsoid(place, Vec3::new(0.06, 0.04, 0.05))
        })
        .collect();
    let edges = [(0, 1), (1, 2), (2, 3), (3, 4), (0, 5), (5, 6), (6, 7), (7, 8)];
    let edges = edges.map(|(a, b)| Edge::new(a, b)).to_vec();
    NewCreature {
        parts: vec![vec![0, 1, 5, 6], vec![1, 2, 7, 3]],
        ..NewCreature::new("jointed", material, particles, edges)
    }
}

/// Rigid parts on a floor.
fn parts(engine: Box<dyn Engine>) -> Built {
    let (mut world, material) = world(engine, 9.81, Some(0.0));
    let new = NewCreature {
        pose: Pose {
            position: 0.2 * Vec3::Y,
            rotation: Quat::from_rotation_x(0.4),
        },
        velocity: Vec3::NEG_Y,
        angular_velocity: Vec3::new(1.0, 2.0, 0.5),
        ..jointed(material)
    };
    add(&mut world, new);
    (world, Vec::new())
}

/// Creatures that fall onto each other and onto grains.
pub(crate) fn crowd(engine: Box<dyn Engine>) -> Built {
    let (world, material) = world(engine, 9.81, Some(0.0));
    crowded(world, material)
}

/// The same with other settings. Not with friction that acts on velocities: whether a contact of an ellipsoid has pushed at all decides about all of it,
/// and in contacts at rest rounding decides about that.
fn turned_crowd(engine: Box<dyn Engine>) -> Built {
    let (mut world, material) = world(engine, 9.81, Some(0.0));
    let settings = Settings {
        particle_radius: 0.05,
        friction: FrictionModel::Position,
        ..crate::engine::turned()
    };
    world.set_settings(settings).expect("settings");
    crowded(world, material)
}

/// Creatures that fall into bodies of all kinds, without joints: among bodies these go through other rounds of rebounds.
fn among_bodies(engine: Box<dyn Engine>) -> Built {
    let (mut world, bodies) = crate::bodies::all_kinds_on_grains(engine);
    let material = world.add_material(Material::RUBBER).expect("material");
    let mut rigid = jointed(material);
    rigid.parts.truncate(1);
    for (k, new) in [octopus(material), rigid].into_iter().enumerate() {
        let pose = Pose::at(Vec3::new(0.1, 0.9 + 0.2 * k as f32, 0.0));
        let velocity = 2.0 * Vec3::NEG_Y;
        add(&mut world, NewCreature { pose, velocity, ..new });
    }
    (world, bodies)
}

/// Creatures in water.
fn swimming(engine: Box<dyn Engine>) -> Built {
    let (mut world, material) = world(engine, 9.81, Some(0.0));
    let water = world.add_material(Material::WATER).expect("material");
    let group = world.add_group(Group::fluid("water", water)).expect("group");
    let places = (0..384).map(|k| Vec3::new((k % 8) as f32, (k / 64) as f32, (k / 8 % 8) as f32));
    let places: Vec<Vec3> = places.map(|at| 0.06 * at + Vec3::new(-0.21, 0.05, -0.21)).collect();
    world.add_particles(group, &places, Vec3::ZERO).expect("water");
    for (k, new) in [octopus(material), jointed(material)].into_iter().enumerate() {
        let pose = Pose::at(Vec3::new(0.0, 0.55 + 0.2 * k as f32, 0.0));
        add(&mut world, NewCreature { pose, ..new });
    }
    (world, Vec::new())
}

fn crowded(mut world: World, material: MaterialId) -> Built {
    for (k, new) in [octopus(material), jointed(material), chain(8, material, false)]
        .into_iter()
        .enumerate()
    {
        let pose = Pose::at(Vec3::new(0.0, 0.3 + 0.16 * k as f32, 0.0));
        add(&mut world, NewCreature { pose, ..new });
    }
    let sand = world.add_material(Material::SAND).expect("material");
    let grains = world.add_group(Group::grains("grains", sand)).expect("group");
    let places = (0..48).map(|k| Vec3::new((k % 4) as f32, (k / 16) as f32, (k / 4 % 4) as f32));
    let places: Vec<Vec3> = places.map(|at| 0.103 * at + Vec3::new(-0.15, 0.06, -0.15)).collect();
    world.add_particles(grains, &places, Vec3::ZERO).expect("grains");
    (world, Vec::new())
}

/// What swims by its muscles, and what is led by one end.
fn led(engine: Box<dyn Engine>) -> Built {
    let (mut world, material) = world(engine, 0.0, None);
    let mut eel = chain(10, material, false);
    for (k, edge) in eel.edges.iter_mut().enumerate() {
        edge.muscle = Some(Muscle {
            amplitude: 0.3,
            frequency: 1.5,
            phase: 0.1 * k as f32,
        });
    }
    add(&mut world, eel);
    let new = NewCreature {
        pose: Pose::at(Vec3::new(0.0, 1.0, 0.0)),
        ..chain(8, material, false)
    };
    let held = add(&mut world, new);
    let first = world.creature_particles(held).expect("there")[0];
    let key = |time, position, rotation| Keyframe {
        time,
        pose: Pose { position, rotation },
    };
    let keys = vec![
        key(0.0, Vec3::Y, Quat::IDENTITY),
        key(0.5, 1.2 * Vec3::Y, Quat::from_rotation_x(1.0)),
        key(1.0, Vec3::new(0.0, 1.0, 0.2), Quat::from_rotation_y(1.0)),
    ];
    let path = Motion::Path { keys, repeat: true };
    world
        .carry_particles(&[first], Pose::at(Vec3::Y), path)
        .expect("carried");
    (world, Vec::new())
}

#[test]
fn single_ellipsoids_go_on_alike_on_the_other_engine() {
    compare("alone", FORTH, (alone, nothing), 0.1);
    compare("sloping", FORTH, (sloping, nothing), 0.1);
}

#[test]
fn neighbourhoods_go_on_alike_on_the_other_engine() {
    compare("hanging", FORTH, (hanging, nothing), 0.5);
    compare("dropped", FORTH, (dropped, nothing), 1.0);
    compare("led", FORTH, (led, nothing), 0.5);
}

#[test]
fn rigid_parts_go_on_alike_on_the_other_engine() {
    compare("parts", FORTH, (parts, nothing), 0.5);
}

#[test]
fn creatures_among_others_go_on_alike_on_the_other_engine() {
    compare("crowd", FORTH, (crowd, nothing), 1.0);
    compare("crowd", BACK, (crowd, nothing), 1.0);
    compare("crowd with every setting turned", FORTH, (turned_crowd, nothing), 1.0);
    compare("among bodies", FORTH, (among_bodies, nothing), 1.0);
}

#[test]
fn creatures_sink_into_water_alike_on_both_engines() {
    let Some(gpu) = crate::gpu() else { return };
    let depths = [Box::new(CpuEngine::new()) as Box<dyn Engine>, gpu_engine(&gpu)].map(|engine| {
        let (mut world, _) = swimming(engine);
        (0..45).for_each(|_| world.step(DT));
        world.health().expect("finite");
        world
            .creature_ids()
            .into_iter()
            .map(|id| {
                let particles = world.creature(id).expect("there").particles;
                let heights = particles.iter().filter_map(|particle| Some(particle.pose?.position.y));
                heights.sum::<f32>() / particles.len() as f32
            })
            .collect::<Vec<f32>>()
    });
    for (cpu, gpu) in depths[0].iter().zip(&depths[1]) {
        assert!((cpu - gpu).abs() < 0.03, "{cpu} {gpu}");
    }
    // The one with rigid parts goes down, the other lies on the surface.
    let [floats, sinks] = [depths[1][0], depths[1][1]];
    assert!(floats > 0.4 && sinks < 0.3, "{floats} {sinks}");
}

fn gpu_engine(gpu: &motes_gpu::Gpu) -> Box<dyn Engine> {
    Box::new(GpuEngine::new(gpu).expect("engine"))
}

#[test]
fn a_restored_creature_goes_on_to_the_last_bit_and_every_run_is_the_same() {
    let Some(gpu) = crate::gpu() else { return };
    let run = |world: &mut World, frames: usize| {
        (0..frames).for_each(|_| world.step(DT));
        world.health().expect("finite");
        world.digest()
    };
    let (mut first, _) = crowd(gpu_engine(&gpu));
    let (mut second, _) = crowd(gpu_engine(&gpu));
    assert_eq!(run(&mut first, 20), run(&mut second, 20));
    let mut third = World::restore(&first.save(), gpu_engine(&gpu)).expect("a state");
    assert_eq!(run(&mut first, 15), run(&mut third, 15));
}

#[test]
fn a_creature_can_be_asked_for_and_removed_while_the_device_runs() {
    let Some(gpu) = crate::gpu() else { return };
    let (mut world, material) = world(gpu_engine(&gpu), 9.81, Some(0.0));
    let sink = |world: &World, id| {
        let state = world.creature(id).expect("there");
        state.particles[0].pose.expect("alive").position.y
    };
    let first = add(&mut world, octopus(material));
    (0..5).for_each(|_| world.step(DT));
    let new = NewCreature {
        pose: Pose::at(2.0 * Vec3::Y),
        ..jointed(material)
    };
    let second = add(&mut world, new);
    (0..6).for_each(|_| world.step(DT));
    let fallen = 0.5 * 9.81 * 0.1 * 0.1;
    assert!((sink(&world, second) - 2.0 + fallen).abs() < 0.01);
    world.remove_creature(first).expect("there");
    (0..6).for_each(|_| world.step(DT));
    assert!((sink(&world, second) - 2.0 + 4.0 * fallen).abs() < 0.02);
    assert!(world.creature(first).is_none());
    assert_eq!(world.particle_count(), 9);
    world.remove_creature(second).expect("there");
    world.step(DT);
    assert_eq!(world.particle_count(), 0);
}

#[test]
fn creatures_that_dent_are_refused_on_the_gpu_and_so_is_a_state_with_one() {
    let Some(gpu) = crate::gpu() else { return };
    let dents = |world: &mut World, material| {
        let denting = Some(Denting::default());
        world.add_creature(NewCreature {
            denting,
            ..jointed(material)
        })
    };
    let (mut on_gpu, material) = world(gpu_engine(&gpu), 9.81, None);
    let refused = dents(&mut on_gpu, material);
    assert!(matches!(
        refused,
        Err(WorldError::Unsupported {
            what: "creatures that dent",
            engine: "gpu"
        })
    ));
    assert_eq!((on_gpu.particle_count(), on_gpu.groups().count()), (0, 0));
    on_gpu.step(DT);

    let (mut on_cpu, material) = world(Box::new(CpuEngine::new()), 9.81, None);
    dents(&mut on_cpu, material).expect("known to this engine");
    let restored = World::restore(&on_cpu.save(), gpu_engine(&gpu));
    assert!(matches!(
        restored.err(),
        Some(StateError::Unsupported {
            what: "creatures that dent",
            engine: "gpu"
        })
    ));
}
