//! Air on the GPU: faces feel it as on the CPU, steady and in eddies, and particles without faces do not.

use motes_core::glam::Vec3;
use motes_core::{CpuEngine, Engine, Group, Material, NewDistance, NewFace, ParticleId, Settings, Wind, World};
use motes_gpu::GpuEngine;

use crate::gpu;

const DT: f32 = 1.0 / 60.0;
const PITCH: f32 = 0.05;

struct Flag {
    world: World,
    ids: Vec<ParticleId>,
    rows: Vec<motes_core::ConstraintId>,
}

/// A flag, held along one side, and grains that fall beside it.
fn flag(engine: Box<dyn Engine>, wind: Wind) -> Flag {
    let settings = Settings {
        particle_radius: 0.02,
        ..Settings::default()
    };
    let mut world = World::with_engine(settings, engine).expect("settings");
    let glass = world.add_material(Material::GLASS).expect("material");
    let mut group = Group::grains("flag", glass);
    group.flags = 0;
    let group = world.add_group(group).expect("group");
    let side = 10;
    let corner = |i: usize| PITCH * Vec3::new((i % side) as f32, -((i / side) as f32), 0.0);
    let mut positions: Vec<Vec3> = (0..side * side).map(corner).collect();
    positions.extend((0..20).map(|k| Vec3::new(k as f32 * PITCH, 1.0, 1.0)));
    let ids = world.add_particles(group, &positions, Vec3::ZERO).expect("particles");
    let masses: Vec<_> = ids[..side * side].iter().map(|&id| (id, 2000.0)).collect();
    world.set_inverse_masses(&masses).expect("light");
    let held: Vec<_> = (0..side).map(|y| (ids[y * side], 0.0)).collect();
    world.set_inverse_masses(&held).expect("pinned");
    let (mut distances, mut faces) = (Vec::new(), Vec::new());
    for (x, y) in (0..side * side).map(|i| (i % side, i / side)) {
        let at = |dx: usize, dy: usize| ids[(y + dy) * side + x + dx];
        for (dx, dy) in [(1, 0), (0, 1), (1, 1)] {
            if x + dx < side && y + dy < side {
                let length = PITCH * ((dx * dx + dy * dy) as f32).sqrt();
                distances.push(NewDistance::new([at(0, 0), at(dx, dy)], length));
            }
        }
        if x + 1 < side && y + 1 < side {
            faces.push(NewFace::new([at(0, 0), at(1, 0), at(1, 1)]));
            faces.push(NewFace::new([at(0, 0), at(1, 1), at(0, 1)]));
        }
    }
    world.add_distances(&distances).expect("distances");
    let rows = world.add_faces(&faces).expect("faces");
    world.set_wind(wind).expect("wind");
    Flag { world, ids, rows }
}

fn flags(wind: Wind) -> Option<[Flag; 2]> {
    let gpu = gpu()?;
    let engines: [Box<dyn Engine>; 2] = [
        Box::new(CpuEngine::with_threads(2)),
        Box::new(GpuEngine::new(&gpu).expect("engine")),
    ];
    Some(engines.map(|engine| flag(engine, wind)))
}

fn run(flag: &mut Flag, frames: usize) {
    for _ in 0..frames {
        flag.world.step(DT);
    }
    flag.world.health().expect("finite");
}

fn apart(flags: &mut [Flag; 2]) -> f32 {
    let [a, b] = flags.each_mut().map(|flag| flag.world.positions(&flag.ids));
    let distances = a.iter().zip(&b).map(|(a, b)| match (a, b) {
        (Some(a), Some(b)) => a.distance(*b),
        (None, None) => 0.0,
        _ => f32::INFINITY,
    });
    distances.fold(0.0, f32::max)
}

#[test]
fn a_flag_blows_alike_on_both_engines() {
    let steady = Wind {
        velocity: Vec3::new(3.0, 0.0, 1.0),
        ..Wind::default()
    };
    let storm = Wind {
        gusts: 0.5,
        turbulence: 2.0,
        eddy_size: 0.4,
        seed: 3,
        ..steady
    };
    for wind in [Wind::default(), steady, storm] {
        let Some(mut both) = flags(wind) else { return };
        for (frames, bound) in [(1, 2e-6), (9, 2e-4), (20, 5e-3)] {
            both.iter_mut().for_each(|flag| run(flag, frames));
            let apart = apart(&mut both);
            assert!(apart < bound, "{apart} {wind:?}");
        }
        // Grains fall as if there were none.
        let [cpu, gpu] = both.each_mut().map(|flag| flag.world.velocities(&flag.ids[100..]));
        for velocity in cpu.iter().chain(&gpu).flatten() {
            assert!((velocity.y + 9.81 * 0.5).abs() < 0.05, "{velocity}");
        }
    }
}

#[test]
fn faces_are_switched_removed_and_the_air_is_taken_away_while_it_blows() {
    let wind = Wind {
        velocity: Vec3::new(4.0, 0.0, 2.0),
        ..Wind::default()
    };
    let Some(mut both) = flags(wind) else { return };
    for flag in &mut both {
        run(flag, 3);
        flag.world.switch_constraint(flag.rows[5], false).expect("alive");
        assert_eq!(flag.world.remove_constraints(&flag.rows[10..20]), 10);
        run(flag, 3);
        flag.world.set_wind(Wind { density: 0.0, ..wind }).expect("none");
        run(flag, 3);
        flag.world
            .set_wind(Wind {
                velocity: -wind.velocity,
                ..wind
            })
            .expect("back");
        run(flag, 3);
        assert_eq!(flag.world.remove_particles(&flag.ids[55..56]), 1);
        run(flag, 3);
    }
    let apart = apart(&mut both);
    assert!(apart < 1e-3, "{apart}");
}

#[test]
fn a_flag_goes_on_byte_for_byte_after_it_was_saved() {
    let Some(gpu) = gpu() else { return };
    let wind = Wind {
        velocity: 5.0 * Vec3::X,
        turbulence: 2.0,
        ..Wind::default()
    };
    let mut flag = flag(Box::new(GpuEngine::new(&gpu).expect("engine")), wind);
    run(&mut flag, 10);
    let saved = flag.world.save();
    let mut again = World::restore(&saved, Box::new(GpuEngine::new(&gpu).expect("engine"))).expect("a state");
    for _ in 0..10 {
        flag.world.step(DT);
        again.step(DT);
    }
    assert_eq!(flag.world.digest(), again.digest());
}
