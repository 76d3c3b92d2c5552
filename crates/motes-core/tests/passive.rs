//! Passive particles: free flight, carried along, and without any effect on others.

use motes_core::constraints::smoothing::poly6;
use motes_core::glam::{Vec3, Vec4Swizzles};
use motes_core::random::Random;
use motes_core::{CpuEngine, Group, Material, Passive, Settings, Volume, World};

const DT: f32 = 1.0 / 60.0;

fn empty(threads: usize, settings: Settings) -> World {
    let mut world = World::with_engine(settings, Box::new(CpuEngine::with_threads(threads))).expect("settings");
    world.add_material(Material::SAND).expect("material");
    world
}

fn marker(position: Vec3, velocity: Vec3) -> Passive {
    Passive {
        position,
        velocity,
        lifetime: f32::INFINITY,
    }
}

/// Grains in a heap of a random kind, and markers all over it.
fn heap(threads: usize, fluid: bool, markers: usize) -> World {
    let mut world = empty(threads, Settings::default());
    let material = motes_core::MaterialId(0);
    let group = if fluid {
        Group::fluid("water", material)
    } else {
        Group::grains("sand", material)
    };
    let group = world.add_group(group).expect("group");
    let mut random = Random::new(5, 0);
    let mut place = |size: f32| size * Vec3::new(random.signed(), random.signed(), random.signed());
    let grains: Vec<Vec3> = (0..2000).map(|_| place(0.7)).collect();
    world
        .add_particles(group, &grains, Vec3::new(1.0, 2.0, 0.5))
        .expect("grains");
    let markers: Vec<Passive> = (0..markers).map(|_| marker(place(1.0), place(3.0))).collect();
    world.add_passive(&markers).expect("markers");
    world
}

#[test]
fn free_flight_without_drag_is_a_parabola() {
    let settings = Settings {
        passive_drag: 0.0,
        ..Settings::default()
    };
    let mut world = empty(1, settings);
    world
        .add_passive(&[marker(Vec3::Y, Vec3::new(2.0, 3.0, 0.0))])
        .expect("marker");
    for _ in 0..60 {
        world.step(DT);
    }
    let passive = world.passive();
    let expected = Vec3::new(2.0, 1.0 + 3.0 - 0.5 * 9.81, 0.0);
    assert!(
        passive.positions()[0].xyz().distance(expected) < 1e-4,
        "{:?}",
        passive.positions()
    );
    assert!((passive.velocities()[0].y - (3.0 - 9.81)).abs() < 1e-4);
    assert!((passive.positions()[0].w - 1.0).abs() < 1e-4, "its age");
}

#[test]
fn drag_ends_in_a_steady_fall_at_gravity_over_its_rate() {
    let mut world = empty(1, Settings::default());
    world.add_passive(&[marker(Vec3::ZERO, Vec3::X)]).expect("marker");
    for _ in 0..900 {
        world.step(DT);
    }
    let velocity = world.passive().velocities()[0].xyz();
    // Within half a sub-step of the rate, 1/s.
    assert!(velocity.distance(-9.81 * Vec3::Y) < 0.1, "{velocity}");
}

#[test]
fn markers_among_others_take_the_weighted_mean_of_their_velocities() {
    let settings = Settings {
        gravity: Vec3::ZERO,
        substeps: 1,
        ..Settings::default()
    };
    let smoothing = settings.smoothing_distance();
    let mut world = empty(1, settings);
    let group = Group::fluid("water", motes_core::MaterialId(0));
    let group = world.add_group(group).expect("group");
    let mut random = Random::new(6, 0);
    let mut place = |size: f32| size * Vec3::new(random.signed(), random.signed(), random.signed());
    for _ in 0..300 {
        world.add_particles(group, &[place(0.4)], place(0.2)).expect("water");
    }
    let markers: Vec<Passive> = (0..200).map(|_| marker(place(0.8), Vec3::ZERO)).collect();
    world.add_passive(&markers).expect("markers");
    world.step(DT);
    let particles = world.particles().clone();
    let mut carried = 0;
    for (k, marker) in markers.iter().enumerate() {
        let (mut sum, mut weights) = (Vec3::ZERO, 0.0);
        for (position, velocity) in particles.positions.iter().zip(&particles.velocities) {
            let weight = poly6(position.xyz().distance_squared(marker.position), smoothing);
            sum += weight * velocity.xyz();
            weights += weight;
        }
        let expected = if weights > 0.0 { sum / weights } else { Vec3::ZERO };
        carried += u32::from(weights > 0.0);
        let passive = world.passive();
        let (found, moved) = (
            passive.velocities()[k].xyz(),
            passive.positions()[k].xyz() - marker.position,
        );
        assert!(found.distance(expected) < 1e-5, "{k}: {found}, expected {expected}");
        assert!(moved.distance(DT * expected) < 1e-6);
    }
    assert!((50..200).contains(&carried), "{carried} among others, the rest alone");
}

#[test]
fn markers_are_removed_when_their_time_is_over() {
    let mut world = empty(1, Settings::default());
    let short = |k: usize| Passive {
        lifetime: 0.1 * k as f32,
        ..marker(k as f32 * Vec3::X, Vec3::ZERO)
    };
    world
        .add_passive(&(0..10).map(short).collect::<Vec<_>>())
        .expect("markers");
    world
        .add_passive(&[marker(99.0 * Vec3::X, Vec3::ZERO)])
        .expect("marker");
    for _ in 0..33 {
        world.step(DT);
    }
    let left: Vec<f32> = world.passive().positions().iter().map(|p| p.x).collect();
    assert_eq!(left, [6.0, 7.0, 8.0, 9.0, 99.0], "after 0.55 s");
    let nonsense = Passive {
        lifetime: f32::NAN,
        ..short(1)
    };
    assert!(world.add_passive(&[nonsense]).is_err());
}

#[test]
fn markers_in_a_kill_volume_are_removed_before_the_frame() {
    let mut world = empty(1, Settings::default());
    let floor = Volume::Below {
        point: Vec3::ZERO,
        normal: Vec3::Y,
    };
    world.kill_volumes_mut().push(floor);
    let falling = marker(0.05 * Vec3::Y, Vec3::ZERO);
    world
        .add_passive(&[marker(-Vec3::Y, Vec3::ZERO), falling, marker(9.0 * Vec3::Y, Vec3::ZERO)])
        .expect("markers");
    world.step(DT);
    assert_eq!(world.passive_count(), 2, "the one that was added there");
    (0..10).for_each(|_| world.step(DT));
    assert_eq!(world.passive_count(), 1, "the one that fell in");
}

#[test]
fn markers_count_in_the_digest() {
    let [mut with, mut without] = [1, 0].map(|markers| heap(1, false, markers));
    with.step(DT);
    without.step(DT);
    assert_ne!(with.digest(), without.digest());
    with.clear_passive();
    assert_eq!(with.digest(), without.digest());
}

#[test]
fn markers_change_nothing_for_others() {
    for fluid in [false, true] {
        let [mut with, mut without] = [500, 0].map(|markers| heap(2, fluid, markers));
        for _ in 0..20 {
            with.step(DT);
            without.step(DT);
        }
        assert_eq!(with.particles().positions, without.particles().positions);
    }
}

#[test]
fn markers_are_the_same_bytes_at_any_number_of_threads_and_after_a_restart() {
    for fluid in [false, true] {
        let run = |threads: usize, restart: bool| {
            let mut world = heap(threads, fluid, 3000);
            for frame in 0..20 {
                if restart && frame == 10 {
                    let engine = Box::new(CpuEngine::with_threads(threads));
                    world = World::restore(&world.save(), engine).expect("state");
                }
                world.step(DT);
            }
            (world.digest(), world.passive().clone())
        };
        let one = run(1, false);
        assert_eq!(one, run(2, false));
        assert_eq!(one, run(4, true));
    }
}
