//! Gas and smoke on the device do what they do on the CPU, and the same again and again.

use std::collections::BTreeMap;

use motes_core::colliders::Sphere;
use motes_core::glam::{Vec3, Vec4, Vec4Swizzles};
use motes_core::heat::HeatZone;
use motes_core::{
    Collider, CpuEngine, Engine, Foam, Group, Material, Passive, PassiveKind, Plume, Pose, Settings, Smoke, Strays,
    Volume, Wind, World,
};
use motes_gpu::{Gpu, GpuEngine};

use crate::gases::{gas, open_on, room, source};
use crate::passive::markers;
use crate::tank::{DT, block, liquid, settings};

const RADIUS: f32 = 0.05;

fn on_gpu(gpu: &Gpu) -> Box<dyn Engine> {
    Box::new(GpuEngine::new(gpu).expect("engine"))
}

fn on_cpu() -> Box<dyn Engine> {
    Box::new(CpuEngine::with_threads(2))
}

/// A room of gas of all temperatures, in part in a heat zone, that swirls and is dragged along where it is open.
fn warm_room(engine: Box<dyn Engine>) -> World {
    let mut world = open_on(engine, settings(RADIUS, [2, 4]));
    room(&mut world, 0.1 * Vec3::new(8.0, 12.0, 5.0));
    let material = Material {
        thermal_diffusivity: 0.02,
        ..Material::SMOKE
    };
    let group = gas(&mut world, material);
    let places = block([8, 7, 5], 0.1, Vec3::ZERO);
    let ids = world.add_particles(group, &places, 0.2 * Vec3::Z).expect("gas");
    let warm: Vec<_> = (0..)
        .zip(&ids)
        .map(|(k, &id)| (id, 20.0 + (k % 7) as f32 * 30.0))
        .collect();
    world.set_temperatures(&warm).expect("alive");
    let volume = Volume::Box {
        min: Vec3::ZERO,
        max: Vec3::new(0.4, 0.3, 9.0),
    };
    let zone = HeatZone {
        volume,
        temperature: 250.0.into(),
    };
    world.set_heat_zones(vec![zone]).expect("zone");
    let wind = Wind {
        velocity: 0.5 * Vec3::X,
        turbulence: 0.3,
        ..Wind::default()
    };
    world.set_wind(wind).expect("wind");
    world
}

/// A hot plume, beside which some water lies, and markers of both kinds about it. Gas that loses its markers is soon gone.
pub(crate) fn plume(engine: Box<dyn Engine>) -> World {
    let settings = settings(RADIUS, [2, 4]);
    let mut world = open_on(engine, settings.clone());
    let smoke = Smoke {
        lifetime: 0.4,
        lonely: 0.15,
        ..Smoke::of(&settings)
    };
    world.set_smoke(Some(smoke)).expect("smoke");
    let ball = Sphere::new(0.2).expect("sphere");
    let smooth = world.add_material(Material::FRICTIONLESS).expect("material");
    let at = Pose {
        position: Vec3::new(0.05, 0.7, 0.0),
        ..Pose::IDENTITY
    };
    world
        .add_collider(Collider::new("ball", ball.into(), smooth, at))
        .expect("collider");
    let water = liquid(&mut world, "water", Material::WATER);
    let puddle = block([4, 3, 4], 0.1, Vec3::new(0.8, 0.0, 0.0));
    world.add_particles(water, &puddle, Vec3::ZERO).expect("water");
    world.add_passive(&markers(5, 200, 0.7)).expect("markers");
    let group = gas(&mut world, Material::SMOKE);
    let hot = Plume {
        markers: 8.0,
        temperature: 150.0,
        ..Plume::default()
    };
    world.add_emitter(source(group, 0.3, 1.0, hot)).expect("source");
    world
}

/// What is known of each particle by its id: place, velocity, vortex strength and temperature.
fn all_of(world: &World) -> BTreeMap<u32, [Vec4; 3]> {
    let particles = world.particles();
    let of = |slot: usize| {
        let swirl = particles.swirls.get(slot);
        let warmth = particles.temperatures.get(slot);
        [
            particles.positions[slot].xyz().extend(warmth / 100.0),
            particles.velocities[slot].xyz().extend(swirl.w),
            swirl.xyz().extend(0.0),
        ]
    };
    (0..particles.len())
        .map(|slot| (particles.ids()[slot].index, of(slot)))
        .collect()
}

fn apart(a: &BTreeMap<u32, [Vec4; 3]>, b: &BTreeMap<u32, [Vec4; 3]>) -> [f32; 3] {
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
    let mut most = [0.0_f32; 3];
    for (a, b) in a.values().zip(b.values()) {
        for (most, (a, b)) in most.iter_mut().zip(a.iter().zip(b)) {
            *most = most.max((*a - *b).abs().max_element());
        }
    }
    most
}

/// One frame from the same state on both engines, at moments of a run.
fn compare(gpu: &Gpu, name: &str, build: impl Fn(Box<dyn Engine>) -> World) -> (World, f32) {
    let mut world = build(on_cpu());
    let mut loneliest = 0.0_f32;
    for moment in 0..6 {
        let mut other = World::restore(&world.save(), on_gpu(gpu)).expect("state");
        assert_eq!(world.digest(), other.digest(), "{name}: the state is all there");
        world.step(DT);
        other.step(DT);
        assert_eq!(other.fault(), None);
        let times = all_of(&world).into_values().map(|of| of[1].w);
        loneliest = times.fold(loneliest, f32::max);
        let [places, velocities, swirls] = apart(&all_of(&world), &all_of(&other));
        println!("{name}, {moment}: {places} {velocities} {swirls}");
        assert!(places < 1e-5, "{name}, {moment}: {places} m or 100 K apart");
        assert!(velocities < 1e-3, "{name}, {moment}: {velocities} m/s apart");
        assert!(swirls < 1e-3, "{name}, {moment}: vortex strengths {swirls} 1/s apart");
        let (expected, found) = (world.passive(), other.passive());
        assert_eq!(expected.kinds(), found.kinds(), "{name}, {moment}");
        let pairs = expected.positions().iter().zip(found.positions());
        let off = pairs.map(|(a, b)| (*a - *b).abs().max_element()).fold(0.0, f32::max);
        assert!(off < 1e-4, "{name}, {moment}: markers {off} m apart");
        let warmths = (0..found.len()).map(|k| (expected.temperature(k) - found.temperature(k)).abs());
        let warmer = warmths.fold(0.0, f32::max);
        assert!(warmer < 0.01, "{name}, {moment}: markers {warmer} K apart");
        (0..7).for_each(|_| world.step(DT));
    }
    (world, loneliest)
}

#[test]
fn a_frame_of_gas_is_that_of_the_cpu() {
    let Some(gpu) = crate::gpu() else { return };
    let (room, _) = compare(&gpu, "warm room", warm_room);
    let strongest = all_of(&room).values().map(|of| of[2].length()).fold(0.0, f32::max);
    assert!(strongest > 0.1, "it swirls: {strongest}");
    let (plume, loneliest) = compare(&gpu, "plume", plume);
    assert!(plume.passive().count_of(PassiveKind::Smoke) > 200);
    assert!(loneliest > 0.0, "some gas is lonely");
}

#[test]
fn gases_of_several_sizes_are_those_of_the_cpu() {
    let Some(gpu) = crate::gpu() else { return };
    let (world, _) = compare(&gpu, "several sizes", |engine| {
        let mut world = plume(engine);
        let material = world.add_material(Material::SMOKE).expect("material");
        let fine = Group::gas("fine", material).with_radius(0.03).with_temperature(80.0);
        let fine = world.add_group(fine).expect("group");
        let places = block([5, 8, 5], 0.06, Vec3::new(0.15, 0.2, 0.0));
        world.add_particles(fine, &places, Vec3::ZERO).expect("gas");
        let smoke: Vec<Passive> = markers(8, 300, 0.3);
        world.add_smoke(&smoke).expect("markers");
        world
    });
    assert!(world.passive().count_of(PassiveKind::Smoke) > 200);
}

#[test]
fn plumes_of_both_engines_rise_alike() {
    let Some(gpu) = crate::gpu() else { return };
    let [cpu, gpu] = [on_cpu(), on_gpu(&gpu)].map(|engine| {
        let mut world = plume(engine);
        (0..70).for_each(|_| world.step(DT));
        assert_eq!(world.fault(), None);
        let passive = world.passive();
        let smoke = (0..passive.len()).filter(|&k| passive.kinds()[k] == PassiveKind::Smoke);
        let heights: Vec<f32> = smoke.map(|k| passive.positions()[k].y).collect();
        let mean = heights.iter().sum::<f32>() / heights.len() as f32;
        [mean, heights.len() as f32, world.particle_count() as f32]
    });
    println!("{cpu:?} on the CPU, {gpu:?} on the GPU");
    for (cpu, gpu) in cpu.into_iter().zip(gpu) {
        assert!((gpu / cpu - 1.0).abs() < 0.1, "{cpu} {gpu}");
    }
}

#[test]
fn smoke_is_the_same_again_and_nothing_looks_at_what_is_dead() {
    let Some(gpu) = crate::gpu() else { return };
    let digests = [false, false, true].map(|fills| {
        let mut engine = GpuEngine::new(&gpu).expect("engine");
        if fills {
            engine.fill_dead().expect("the device works");
        }
        let mut world = plume(Box::new(engine));
        for frame in 0..30 {
            world.step(DT);
            if fills && frame % 9 == 0 {
                world.passive_count();
            }
        }
        assert!(world.passive_count() > 100);
        world.digest()
    });
    assert_eq!(digests[0], digests[1]);
    assert_eq!(digests[0], digests[2]);
}

#[test]
fn strays_fly_or_go_with_the_wind_and_stop_at_a_ball() {
    let Some(gpu) = crate::gpu() else { return };
    for strays in [Strays::Fly, Strays::Wind] {
        let mut worlds = [on_cpu(), on_gpu(&gpu)].map(|engine| {
            let settings = settings(RADIUS, [2, 1]);
            let mut world = open_on(engine, settings.clone());
            let smoke = Smoke {
                strays,
                ..Smoke::of(&settings)
            };
            world.set_smoke(Some(smoke)).expect("smoke");
            let wind = Wind {
                velocity: Vec3::NEG_Y,
                turbulence: 0.4,
                ..Wind::default()
            };
            world.set_wind(wind).expect("wind");
            let ball = Sphere::new(0.5).expect("sphere");
            let smooth = world.add_material(Material::FRICTIONLESS).expect("material");
            let collider = Collider::new("ball", ball.into(), smooth, Pose::IDENTITY);
            world.add_collider(collider).expect("collider");
            let immortal = |marker: Passive| Passive {
                position: marker.position + Vec3::Y,
                lifetime: f32::INFINITY,
                ..marker
            };
            let all: Vec<Passive> = markers(3, 300, 0.4).into_iter().map(immortal).collect();
            world.add_smoke(&all).expect("markers");
            world
        });
        for frame in 0..30 {
            worlds.iter_mut().for_each(|world| world.step(DT));
            let [cpu, gpu] = &worlds;
            let pairs = cpu.passive().positions().iter().zip(gpu.passive().positions());
            let off = pairs.map(|(a, b)| (*a - *b).abs().max_element()).fold(0.0, f32::max);
            assert!(off < 1e-3, "{strays:?}, {frame}: {off} m apart");
            assert_eq!(gpu.passive().kinds(), cpu.passive().kinds());
        }
        let inside = |place: &Vec4| place.xyz().length() < 0.49;
        assert!(!worlds[1].passive().positions().iter().any(inside));
    }
}

#[test]
fn smoke_does_not_go_with_liquids_or_grains() {
    let Some(gpu) = crate::gpu() else { return };
    for is_liquid in [true, false] {
        let still = Settings {
            gravity: Vec3::ZERO,
            ..settings(RADIUS, [2, 2])
        };
        let mut world = open_on(on_gpu(&gpu), still);
        let material = world.add_material(Material::WATER).expect("material");
        let group = match is_liquid {
            true => Group::fluid("others", material),
            false => Group::grains("others", material),
        };
        let group = world.add_group(group).expect("group");
        let places = block([4, 4, 4], 0.1, Vec3::ZERO);
        world.add_particles(group, &places, Vec3::Y).expect("particles");
        let marker = Passive {
            position: Vec3::splat(0.2),
            velocity: Vec3::ZERO,
            lifetime: f32::INFINITY,
        };
        world.add_smoke(&[marker]).expect("marker");
        world.add_passive(&[marker]).expect("marker");
        (0..6).for_each(|_| world.step(DT));
        let rise = |k: usize| world.passive().positions()[k].y - 0.2;
        assert!(rise(0).abs() < 1e-6 && rise(1) > 0.05, "{} {}", rise(0), rise(1));
    }
}

#[test]
fn lonely_gas_leaves_and_smoke_without_room_is_told_of() {
    let Some(gpu) = crate::gpu() else { return };
    let mut worlds = [on_cpu(), on_gpu(&gpu)].map(|engine| {
        let settings = settings(RADIUS, [2, 2]);
        let mut world = open_on(engine, settings.clone());
        let smoke = Smoke {
            lonely: 0.1,
            most: 6,
            ..Smoke::of(&settings)
        };
        world.set_smoke(Some(smoke)).expect("smoke");
        let group = gas(&mut world, Material::AIR);
        for x in [0.0, 3.0] {
            let places = block([3, 3, 3], 0.1, x * Vec3::X);
            world.add_particles(group, &places, Vec3::ZERO).expect("gas");
        }
        let kept = Passive {
            position: Vec3::splat(0.15),
            velocity: Vec3::ZERO,
            lifetime: f32::INFINITY,
        };
        world.add_smoke(&[kept]).expect("marker");
        let mut emitter = source(group, 0.15, 0.5, Plume::default());
        emitter.pose.position = 20.0 * Vec3::X;
        world.add_emitter(emitter).expect("source");
        world
    });
    let mut told = [0; 2];
    for frame in 0..20 {
        for (world, told) in worlds.iter_mut().zip(&mut told) {
            world.step(DT);
            world.wait();
            *told += usize::from(world.notice().is_some_and(|notice| notice.contains("smoke")));
        }
        let counts = worlds
            .each_ref()
            .map(|world| [world.particle_count(), world.passive_count()]);
        assert_eq!(counts[0], counts[1], "frame {frame}");
    }
    assert_eq!(worlds[1].passive_count(), 6);
    assert!(told[0] > 0 && told[1] > 0, "{told:?}");
    let near = |world: &World, x: f32| {
        let places = world.particles().positions.iter();
        places.filter(|place| (place.x - x).abs() < 1.0).count()
    };
    for world in &worlds {
        assert_eq!((near(world, 0.0), near(world, 3.0)), (27, 0));
    }
}

#[test]
fn liquids_foam_without_regard_to_gas() {
    let Some(gpu) = crate::gpu() else { return };
    let build = |engine| {
        let settings = settings(RADIUS, [2, 4]);
        let mut world = open_on(engine, settings.clone());
        room(&mut world, Vec3::new(2.0, 2.0, 0.5));
        let foam = Foam {
            air_rate: 300.0,
            crest_rate: 300.0,
            ..Foam::of(&settings)
        };
        world.set_foam(Some(foam)).expect("foam");
        let water = liquid(&mut world, "water", Material::WATER);
        let column = block([6, 12, 5], 0.1, Vec3::ZERO);
        world.add_particles(water, &column, Vec3::X).expect("water");
        let material = world.add_material(Material::AIR).expect("material");
        let air = world.add_group(Group::gas("air", material)).expect("group");
        let beside = block([8, 6, 5], 0.1, Vec3::new(0.8, 0.0, 0.0));
        world.add_particles(air, &beside, Vec3::ZERO).expect("air");
        world
    };
    let mut world = build(on_cpu());
    let mut given_off = 0;
    for moment in 0..4 {
        (0..8).for_each(|_| world.step(DT));
        let mut other = World::restore(&world.save(), on_gpu(&gpu)).expect("state");
        let before = world.passive_count();
        world.step(DT);
        other.step(DT);
        let counts = [&world, &other].map(World::passive_count);
        given_off += counts[0].saturating_sub(before);
        assert!(
            counts[0].abs_diff(counts[1]) <= 1 + counts[0] / 50,
            "{moment}: {counts:?}"
        );
        assert_eq!(other.fault(), None);
    }
    assert!(given_off > 10, "{given_off}");
}
