//! Bodies melt and freeze on both engines alike, into grains and into liquids.

use motes_core::colliders::Plane;
use motes_core::glam::Vec3;
use motes_core::{
    BodyId, Collider, CpuEngine, Engine, Group, HeatZone, Material, Melting, NewBody, Pose, Settings, Shape,
    Temperature, Volume, World,
};
use motes_gpu::{Gpu, GpuEngine};

const DT: f32 = 1.0 / 60.0;
const RADIUS: f32 = 0.05;

fn on_gpu(gpu: &Gpu) -> Box<dyn Engine> {
    Box::new(GpuEngine::new(gpu).expect("engine"))
}

/// A block of wax on a plate that is hot for three quarters of a second, and one beside the plate.
pub(crate) fn plate(engine: Box<dyn Engine>) -> (World, [BodyId; 2]) {
    let settings = Settings {
        particle_radius: RADIUS,
        ..Settings::default()
    };
    let mut world = World::with_engine(settings, engine).expect("settings");
    let stone = world.add_material(Material::default()).expect("material");
    let plane = Shape::Plane(Plane::new(Vec3::Y, 0.0).expect("plane"));
    let floor = Collider::new("floor", plane, stone, Pose::IDENTITY);
    world.add_collider(floor).expect("floor");
    let places = (0..48).map(|k| Vec3::new((k % 4) as f32, (k / 4 % 3) as f32, (k / 12) as f32));
    let positions: Vec<Vec3> = places.map(|place| 2.0 * RADIUS * place + RADIUS * Vec3::Y).collect();
    let bodies = [0.0, 3.0].map(|x| {
        let wax = Melting {
            temperature: 45.0,
            time_constant: 0.6,
            ..Melting::between(50.0, 60.0)
        };
        let new = NewBody {
            pose: Pose::at(x * Vec3::X),
            melting: Some(wax),
            ..NewBody::new("wax", stone, positions.clone(), vec![0.5; positions.len()])
        };
        world.add_body(new).expect("body")
    });
    let hot = HeatZone {
        volume: Volume::Sphere {
            center: Vec3::ZERO,
            radius: 1.5,
        },
        temperature: Temperature {
            keys: vec![[0.75, 90.0], [0.8, -40.0]],
        },
    };
    world.set_heat_zones(vec![hot]).expect("zones");
    (world, bodies)
}

/// Positions of all particles, by id.
fn places(world: &mut World) -> Vec<Vec3> {
    let particles = world.particles();
    let mut found: Vec<_> = particles.ids().iter().zip(&particles.positions).collect();
    found.sort_unstable_by_key(|(id, _)| **id);
    found.into_iter().map(|(_, position)| position.truncate()).collect()
}

#[test]
fn bodies_melt_and_freeze_in_the_same_frames() {
    let Some(gpu) = crate::gpu() else { return };
    let (mut cpu, bodies) = plate(Box::new(CpuEngine::new()));
    let (mut device, _) = plate(on_gpu(&gpu));
    let mut course = Vec::new();
    for frame in 0..80 {
        cpu.step(DT);
        device.step(DT);
        let states = [&cpu, &device].map(|world| {
            let melts = world.melts().iter();
            melts.map(|melt| (melt.body(), melt.temperature())).collect::<Vec<_>>()
        });
        assert_eq!(states[0], states[1], "frame {frame}");
        assert_eq!(states[0][1].0, Some(bodies[1]), "the one beside the plate stays whole");
        course.push(states[0][0].0.is_some());
        if frame % 10 == 0 {
            let [a, b] = [&mut cpu, &mut device].map(places);
            let most = a.iter().zip(&b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            assert!(most < 2e-3, "{most} m apart in frame {frame}");
        }
    }
    course.dedup();
    assert_eq!(course, [true, false, true], "melts and freezes");
}

#[test]
fn a_world_saved_while_melting_goes_on_the_same_on_the_device() {
    let Some(gpu) = crate::gpu() else { return };
    let (mut world, _) = plate(on_gpu(&gpu));
    (0..13).for_each(|_| world.step(DT));
    let state = world.save();
    let mut again = World::restore(&state, on_gpu(&gpu)).expect("a state");
    for frame in 13..80 {
        world.step(DT);
        again.step(DT);
        let bodies = [&world, &again].map(|world| world.melts()[0].body());
        assert_eq!(bodies[0], bodies[1], "frame {frame}");
    }
    assert_eq!(world.digest(), again.digest());
}

#[test]
fn a_change_of_stiffness_does_the_same_on_both_engines() {
    let Some(gpu) = crate::gpu() else { return };
    let mut worlds = [Box::new(CpuEngine::new()) as Box<dyn Engine>, on_gpu(&gpu)].map(|engine| {
        let (mut world, bodies) = plate(engine);
        for body in bodies {
            world.set_melting(body, None).expect("alive");
        }
        for frame in 0..40 {
            // Rigid, limp, rigid again.
            match frame {
                5 => world.set_body_stiffness(bodies[0], 0.02).expect("alive"),
                20 => world.set_body_stiffness(bodies[0], 1.0).expect("alive"),
                _ => {}
            }
            world.step(DT);
            if frame == 18 {
                let motion = world.body_motion(bodies[0]).expect("alive");
                assert!(motion.center.y < 2.8 * RADIUS, "it sags: {}", motion.center);
            }
        }
        world
    });
    let [a, b] = worlds.each_mut().map(places);
    let most = a.iter().zip(&b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(most < 1e-4, "{most} m apart");
}

/// A block of wax that melts into oil beside a pool of water that freezes, both by the clock.
fn pool(engine: Box<dyn Engine>) -> World {
    let settings = Settings {
        particle_radius: RADIUS,
        ..Settings::default()
    };
    let mut world = World::with_engine(settings, engine).expect("settings");
    let [stone, oil, water, ice] = [Material::default(), Material::OIL, Material::WATER, Material::ICE]
        .map(|material| world.add_material(material).expect("material"));
    let plane = Shape::Plane(Plane::new(Vec3::Y, 0.0).expect("plane"));
    let floor = Collider::new("floor", plane, stone, Pose::IDENTITY);
    world.add_collider(floor).expect("floor");
    let places = (0..48).map(|k| Vec3::new((k % 4) as f32, (k / 4 % 3) as f32, (k / 12) as f32));
    let positions: Vec<Vec3> = places.map(|place| 2.0 * RADIUS * place + RADIUS * Vec3::Y).collect();
    let by_clock = |keys: &[[f32; 2]]| Melting {
        script: Some(Temperature { keys: keys.to_vec() }),
        ..Melting::between(50.0, 60.0)
    };
    let wax = Melting {
        liquid: Some(oil),
        ..by_clock(&[[0.1, 20.0], [0.2, 70.0], [0.5, 70.0], [0.6, 20.0]])
    };
    let new = NewBody {
        melting: Some(wax),
        ..NewBody::new("wax", stone, positions.clone(), vec![0.9; positions.len()])
    };
    world.add_body(new).expect("body");
    let group = world.add_group(Group::fluid("pool", water)).expect("group");
    // Two puddles, which freeze into a body each.
    let beside: Vec<Vec3> = [1.5, 3.0]
        .iter()
        .flat_map(|&x| positions.iter().map(move |place| *place + x * Vec3::X))
        .take(80)
        .collect();
    world.add_particles(group, &beside, Vec3::ZERO).expect("particles");
    let cold = by_clock(&[[0.1, 70.0], [0.2, 20.0], [0.7, 20.0], [0.8, 70.0]]);
    world.set_freezing(group, ice, Some(cold)).expect("a liquid");
    world
}

#[test]
fn liquids_and_bodies_turn_into_each_other_on_both_engines() {
    let Some(gpu) = crate::gpu() else { return };
    let mut cpu = pool(Box::new(CpuEngine::new()));
    let mut device = pool(on_gpu(&gpu));
    let mut courses = [Vec::new(), Vec::new()];
    let mut saved = None;
    for frame in 0..56 {
        if frame == 25 {
            saved = Some(device.save());
        }
        cpu.step(DT);
        device.step(DT);
        let states = [&cpu, &device].map(|world| {
            let melts = world.melts().iter();
            melts.map(|melt| (melt.group(), melt.body())).collect::<Vec<_>>()
        });
        assert_eq!(states[0], states[1], "frame {frame}");
        for (course, (_, body)) in courses.iter_mut().zip(&states[0]) {
            course.push(body.is_some());
        }
        let [a, b] = [&mut cpu, &mut device].map(places);
        let most = a.iter().zip(&b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(most < 0.5 * RADIUS, "{most} m apart in frame {frame}");
    }
    courses.iter_mut().for_each(Vec::dedup);
    assert_eq!(courses, [[true, false, true], [false, true, false]]);
    assert!(cpu.melts().len() > 2, "the pool froze into several bodies");
    let mut again = World::restore(&saved.expect("saved"), on_gpu(&gpu)).expect("a state");
    (25..56).for_each(|_| again.step(DT));
    assert_eq!(again.digest(), device.digest());
}
