//! Markers of smoke: what carries them, where they stop, how long they stay, and what plumes are.

#[path = "common/gas.rs"]
mod air;
#[path = "common/tank.rs"]
mod tank;

use air::{STILL, gas, open, open_on, room, source, wall};
use motes_core::glam::{Vec3, Vec4Swizzles};
use motes_core::random::Random;
use motes_core::{
    CpuEngine, Group, Material, Passive, PassiveKind, Plume, Settings, Smoke, Strays, Volume, Wind, World,
};
use tank::{DT, STEPS, block, settings};

fn marker(position: Vec3) -> Passive {
    Passive {
        position,
        velocity: Vec3::ZERO,
        lifetime: f32::INFINITY,
    }
}

fn weightless(steps: [u32; 2]) -> Settings {
    Settings {
        gravity: Vec3::ZERO,
        ..settings(0.05, steps)
    }
}

#[test]
fn gas_carries_markers_and_liquids_and_grains_do_not() {
    for steps in STEPS {
        let mut world = open(weightless(steps));
        let smoke = gas(&mut world, STILL);
        let water = tank::liquid(&mut world, "water", Material::WATER);
        let sand = world.add_material(Material::SAND).expect("material");
        let sand = world.add_group(Group::grains("sand", sand)).expect("group");
        let far = 20.0 * Vec3::X;
        for (group, at) in [(smoke, Vec3::ZERO), (water, far), (sand, 2.0 * far)] {
            world
                .add_particles(group, &block([5, 5, 5], 0.1, at), Vec3::Y)
                .expect("particles");
        }
        let middle = Vec3::splat(0.25);
        world
            .add_smoke(&[0.0, 1.0, 2.0].map(|k| marker(middle + k * far)))
            .expect("markers");
        tank::run(&mut world, 0.5);
        let height = |k: usize| world.passive().positions()[k].y - 0.25;
        assert!((height(0) - 0.5).abs() < 1e-4, "{steps:?}: {}", height(0));
        assert_eq!([height(1), height(2)], [0.0; 2]);
        assert_eq!(world.passive().count_of(PassiveKind::Smoke), 3);
    }
}

#[test]
fn strays_go_with_the_wind_or_fly() {
    for strays in [Strays::Wind, Strays::Fly] {
        let settings = Settings {
            passive_drag: 0.0,
            ..settings(0.05, STEPS[0])
        };
        let mut world = open(settings.clone());
        let smoke = Smoke {
            strays,
            ..Smoke::of(&settings)
        };
        world.set_smoke(Some(smoke)).expect("smoke");
        let wind = Wind {
            velocity: 2.0 * Vec3::X,
            ..Wind::default()
        };
        world.set_wind(wind).expect("wind");
        let thrown = Passive {
            velocity: Vec3::Z,
            ..marker(Vec3::ZERO)
        };
        world.add_smoke(&[thrown]).expect("marker");
        tank::run(&mut world, 0.5);
        let place = world.passive().positions()[0].xyz();
        let expected = match strays {
            Strays::Wind => Vec3::X,
            Strays::Fly => Vec3::new(0.0, -0.5 * 9.81 * 0.25, 0.5),
        };
        assert!((place - expected).length() < 0.02, "{strays:?}: {place}");
    }
}

/// A jet against a wall a metre above, with the marker furthest up in five seconds.
fn jet_against_a_wall(steps: [u32; 2], has_wall: bool) -> f32 {
    let mut world = open(settings(0.05, steps));
    if has_wall {
        wall(&mut world, Vec3::NEG_Y, -1.0);
    }
    let group = gas(&mut world, STILL);
    world
        .add_emitter(source(group, 0.25, 2.0, Plume::default()))
        .expect("source");
    let mut highest = 0.0_f32;
    for _ in 0..120 {
        world.step(DT);
        let heights = world.passive().positions().iter().map(|place| place.y);
        highest = heights.fold(highest, f32::max);
    }
    assert!(world.passive_count() > 100, "{}", world.passive_count());
    highest
}

#[test]
fn markers_stop_at_walls() {
    for steps in STEPS {
        let highest = jet_against_a_wall(steps, true);
        assert!((0.9..1.0).contains(&highest), "{steps:?}: {highest}");
    }
    assert!(jet_against_a_wall(STEPS[0], false) > 1.5);
}

/// Smoke that rises, from a source that stops after a second.
fn plume(threads: usize, steps: [u32; 2], smoke: impl Fn(Smoke) -> Smoke) -> World {
    let settings = settings(0.025, steps);
    let mut world = open_on(Box::new(CpuEngine::with_threads(threads)), settings.clone());
    world.set_smoke(Some(smoke(Smoke::of(&settings)))).expect("smoke");
    let group = gas(&mut world, Material::SMOKE);
    let hot = Plume {
        temperature: 150.0,
        ..Plume::default()
    };
    let mut emitter = source(group, 0.3, 0.8, hot);
    emitter.stop = 1.0;
    world.add_emitter(emitter).expect("source");
    world
}

#[test]
fn no_marker_is_lost_until_its_time_has_come() {
    let mut world = plume(2, STEPS[0], |smoke| Smoke { lifetime: 3.0, ..smoke });
    tank::run(&mut world, 1.2);
    let (all, gas) = (world.passive_count(), world.particle_count());
    assert!(all > 1000 && gas > 300, "{all} {gas}");
    tank::run(&mut world, 1.6);
    assert_eq!((world.passive_count(), world.particle_count()), (all, gas));
    tank::run(&mut world, 1.4);
    assert_eq!((world.passive_count(), world.particle_count()), (0, gas));
}

#[test]
fn gas_without_markers_leaves() {
    let lonely = |lonely: f32| {
        let mut world = plume(2, STEPS[0], |smoke| Smoke {
            lifetime: 1.0,
            lonely,
            ..smoke
        });
        tank::run(&mut world, 4.0);
        (world.particle_count(), world.passive_count())
    };
    assert_eq!(lonely(0.5), (0, 0));
    assert!(lonely(f32::INFINITY).0 > 300);
    // As long as there are any, it stays.
    let mut world = open(weightless(STEPS[0]));
    let smoke = Smoke {
        lonely: 0.25,
        ..Smoke::of(world.settings())
    };
    world.set_smoke(Some(smoke)).expect("smoke");
    let group = gas(&mut world, STILL);
    world
        .add_particles(group, &[Vec3::ZERO, 5.0 * Vec3::X], Vec3::ZERO)
        .expect("gas");
    world.add_smoke(&[marker(0.19 * Vec3::Y)]).expect("marker");
    tank::run(&mut world, 0.2);
    assert_eq!(world.particle_count(), 2);
    tank::run(&mut world, 0.2);
    assert_eq!(world.particle_count(), 1);
    world.clear_passive();
    tank::run(&mut world, 0.4);
    assert_eq!(world.particle_count(), 0);
}

#[test]
fn no_more_markers_are_given_off_than_asked_for() {
    let mut world = plume(2, STEPS[0], |smoke| Smoke { most: 700, ..smoke });
    tank::run(&mut world, 1.0);
    assert_eq!(world.passive_count(), 700);
    let notice = world.notice().expect("some found no room");
    assert!(notice.contains("700"), "{notice}");
}

#[test]
fn markers_are_as_warm_as_the_gas_about_them() {
    let mut world = plume(2, STEPS[0], |smoke| smoke);
    tank::run(&mut world, 0.5);
    let warmest = world.passive().temperatures().iter().copied().fold(0.0, f32::max);
    assert!((120.0..150.1).contains(&warmest), "{warmest}");
    tank::run(&mut world, 3.0);
    let warmest = world.passive().temperatures().iter().copied().fold(0.0, f32::max);
    assert!((30.0..90.0).contains(&warmest), "{warmest}");
}

#[test]
fn any_number_of_threads_makes_the_same_smoke_and_so_does_a_restored_world() {
    let smoke = |smoke| Smoke {
        lifetime: 1.5,
        lonely: 0.5,
        ..smoke
    };
    let mut one = plume(1, STEPS[0], smoke);
    let mut two = plume(2, STEPS[0], smoke);
    tank::run(&mut one, 1.5);
    tank::run(&mut two, 1.5);
    assert_eq!(one.digest(), two.digest());
    let bytes = one.save();
    let mut restored = World::restore(&bytes, Box::new(CpuEngine::with_threads(2))).expect("sound");
    assert_eq!(restored.digest(), one.digest());
    assert_eq!(restored.save(), bytes);
    tank::run(&mut one, 1.0);
    tank::run(&mut restored, 1.0);
    assert_eq!(restored.digest(), one.digest());
    assert_eq!(restored.smoke(), one.smoke());
}

#[test]
fn foam_and_its_liquid_know_nothing_of_gas_far_off_nor_of_smoke() {
    let run = |smokes: bool| {
        let mut world = open(settings(0.05, STEPS[0]));
        room(&mut world, Vec3::new(2.0, 9.0, 0.5));
        world
            .set_foam(Some(motes_core::Foam::of(world.settings())))
            .expect("foam");
        let water = tank::liquid(&mut world, "water", Material::WATER);
        world
            .add_particles(water, &block([8, 16, 5], 0.1, Vec3::ZERO), Vec3::ZERO)
            .expect("water");
        if smokes {
            let mut random = Random::new(3, 0);
            let markers: Vec<_> = (0..500)
                .map(|_| marker(Vec3::new(random.unit(), random.unit(), 0.5 * random.unit())))
                .collect();
            world.add_smoke(&markers).expect("markers");
        }
        tank::run(&mut world, 1.0);
        let foam = world
            .passive()
            .kinds()
            .iter()
            .filter(|kind| **kind != PassiveKind::Smoke)
            .count();
        world.clear_passive();
        (world.digest(), foam)
    };
    let (with, without) = (run(true), run(false));
    assert_eq!(with, without);
    assert!(with.1 > 100, "{}", with.1);
}

#[test]
fn smoke_dies_in_kill_volumes_and_nonsense_is_refused() {
    let mut world = open(weightless(STEPS[0]));
    world
        .add_smoke(&[marker(Vec3::ZERO), marker(5.0 * Vec3::X)])
        .expect("markers");
    world.kill_volumes_mut().push(Volume::Sphere {
        center: Vec3::ZERO,
        radius: 1.0,
    });
    world.step(DT);
    assert_eq!(world.passive_count(), 1);
    assert!(world.add_smoke(&[marker(Vec3::NAN)]).is_err());
    let smoke = Smoke {
        radius: -1.0,
        ..Smoke::of(world.settings())
    };
    assert!(world.set_smoke(Some(smoke)).is_err());
    let group = gas(&mut world, STILL);
    let thick = Plume {
        sheath: 9,
        ..Plume::default()
    };
    assert!(world.add_emitter(source(group, 0.3, 1.0, thick)).is_err());
}
