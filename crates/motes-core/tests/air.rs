//! Air and the triangles that feel it: terminal speeds, wind, momentum, and that it is the same whoever solves it.

use glam::Vec3;
use motes_core::{CpuEngine, Group, Material, NewDistance, NewFace, ParticleId, Settings, Wind, World, WorldError};

const DT: f32 = 1.0 / 60.0;

fn world(threads: usize, substeps: u32, gravity: f32) -> World {
    let settings = Settings {
        gravity: -gravity * Vec3::Y,
        particle_radius: 0.02,
        substeps,
        ..Settings::default()
    };
    World::with_engine(settings, Box::new(CpuEngine::with_threads(threads))).expect("settings")
}

/// A flat sheet of `side` particles along each edge, `mass` kilograms in all, stiff and with faces.
fn sheet(world: &mut World, side: usize, size: f32, mass: f32) -> Vec<ParticleId> {
    let glass = world.add_material(Material::GLASS).expect("material");
    let mut group = Group::grains("sheet", glass);
    group.flags = 0;
    let group = world.add_group(group).expect("group");
    let pitch = size / (side - 1) as f32;
    let at = |i: usize| pitch * Vec3::new((i % side) as f32, 0.0, (i / side) as f32);
    let positions: Vec<Vec3> = (0..side * side).map(at).collect();
    let ids = world.add_particles(group, &positions, Vec3::ZERO).expect("particles");
    let (mut faces, mut rows) = (Vec::new(), Vec::new());
    for (x, z) in (0..side * side).map(|i| (i % side, i / side)) {
        let corner = |dx: usize, dz: usize| ids[(z + dz) * side + x + dx];
        for (dx, dz) in [(1, 0), (0, 1), (1, 1)] {
            if x + dx < side && z + dz < side {
                let length = pitch * ((dx * dx + dz * dz) as f32).sqrt();
                rows.push(NewDistance::new([corner(0, 0), corner(dx, dz)], length));
            }
        }
        if x + 1 < side && z + 1 < side {
            faces.push(NewFace {
                drag: 1.2,
                lift: 0.0,
                particles: [corner(0, 0), corner(1, 0), corner(1, 1)],
            });
            faces.push(NewFace {
                drag: 1.2,
                lift: 0.0,
                particles: [corner(0, 0), corner(1, 1), corner(0, 1)],
            });
        }
    }
    world.add_distances(&rows).expect("rows");
    world.add_faces(&faces).expect("faces");
    // Each particle by the faces around it: then it stays flat.
    let around = |id: ParticleId| faces.iter().filter(|face| face.particles.contains(&id)).count() as f32;
    let each = mass / (3 * faces.len()) as f32;
    let masses: Vec<_> = ids.iter().map(|&id| (id, 1.0 / (each * around(id)))).collect();
    world.set_inverse_masses(&masses).expect("masses");
    ids
}

fn mean_velocity(world: &mut World, ids: &[ParticleId]) -> Vec3 {
    let all = world.velocities(ids);
    all.iter().map(|velocity| velocity.expect("alive")).sum::<Vec3>() / ids.len() as f32
}

fn run(world: &mut World, seconds: f32) {
    for _ in 0..(60.0 * seconds) as usize {
        world.step(DT);
    }
    world.health().expect("finite");
}

/// A plate falls at √(2 m g / (ρ c A)), at any step.
#[test]
fn a_sheet_falls_at_its_terminal_speed() {
    let (size, mass) = (0.5f32, 0.05);
    let expected = (2.0 * mass * 9.81 / (1.2 * 1.2 * size * size)).sqrt();
    for substeps in [1, 2, 4, 8] {
        let mut world = world(1, substeps, 9.81);
        let ids = sheet(&mut world, 6, size, mass);
        run(&mut world, 1.5);
        // By the way it goes: at the end of a sub-step the air has acted and gravity has not.
        let height = |world: &mut World| world.positions(&ids)[0].expect("alive").y;
        let before = height(&mut world);
        run(&mut world, 0.5);
        let speed = 2.0 * (before - height(&mut world));
        assert!((speed / expected - 1.0).abs() < 0.01, "{speed} {expected} {substeps}");
        // Without air it goes on.
        world
            .set_wind(Wind {
                density: 0.0,
                ..Wind::default()
            })
            .expect("vacuum");
        let before = mean_velocity(&mut world, &ids).y;
        run(&mut world, 0.5);
        let faster = before - mean_velocity(&mut world, &ids).y;
        assert!((faster - 0.5 * 9.81).abs() < 0.01, "{faster}");
    }
}

#[test]
fn wind_carries_what_is_light_along_and_never_faster() {
    for (mass, wind) in [(1e-4, 20.0), (0.02, 5.0), (10.0, 5.0)] {
        let mut world = world(1, 2, 0.0);
        let ids = sheet(&mut world, 6, 0.5, mass);
        world
            .set_wind(Wind {
                velocity: wind * Vec3::Y,
                ..Wind::default()
            })
            .expect("wind");
        let mut before = 0.0;
        for _ in 0..120 {
            world.step(DT);
            let speed = mean_velocity(&mut world, &ids).y;
            assert!(
                speed >= before - 1e-3 && speed <= 1.001 * wind,
                "{speed} {before} {wind}"
            );
            before = speed;
        }
        assert!(before > 0.01 * wind);
    }
}

#[test]
fn a_storm_is_the_same_on_any_number_of_threads_and_after_it_was_saved() {
    let digests = [1, 3].map(|threads| {
        let mut world = world(threads, 2, 9.81);
        sheet(&mut world, 12, 0.6, 0.05);
        let storm = Wind {
            velocity: Vec3::new(8.0, 1.0, 0.0),
            gusts: 0.6,
            turbulence: 4.0,
            eddy_size: 0.5,
            ..Wind::default()
        };
        world.set_wind(storm).expect("wind");
        run(&mut world, 0.5);
        let mut again = World::restore(&world.save(), Box::new(CpuEngine::new())).expect("a state");
        assert_eq!(again.wind(), &storm);
        run(&mut world, 0.5);
        run(&mut again, 0.5);
        assert_eq!(world.digest(), again.digest());
        world.digest()
    });
    assert_eq!(digests[0], digests[1]);
}

#[test]
fn faces_and_winds_that_make_no_sense_are_refused() {
    let mut world = world(1, 2, 9.81);
    let ids = sheet(&mut world, 3, 0.2, 0.1);
    let face = NewFace::new([ids[0], ids[1], ids[2]]);
    for bad in [
        NewFace { drag: -1.0, ..face },
        NewFace { lift: f32::NAN, ..face },
        NewFace {
            particles: [ids[0], ids[1], ids[1]],
            ..face
        },
    ] {
        assert!(world.add_faces(&[face, bad]).is_err());
    }
    let count = world.constraints().len();
    let rows = world.add_faces(&[face]).expect("a face");
    assert_eq!(world.constraints().len(), count + 1);
    assert!(world.set_rest_length(rows[0], 1.0).is_err());
    for (bad, field) in [
        (
            Wind {
                density: -1.0,
                ..Wind::default()
            },
            "density",
        ),
        (
            Wind {
                gusts: 2.0,
                ..Wind::default()
            },
            "gusts",
        ),
        (
            Wind {
                gust_period: 0.0,
                ..Wind::default()
            },
            "gust_period",
        ),
        (
            Wind {
                turbulence: f32::INFINITY,
                ..Wind::default()
            },
            "turbulence",
        ),
        (
            Wind {
                eddy_size: 0.0,
                ..Wind::default()
            },
            "eddy_size",
        ),
        (
            Wind {
                velocity: Vec3::NAN,
                ..Wind::default()
            },
            "velocity",
        ),
    ] {
        let error = world.set_wind(bad).expect_err("refused");
        assert!(
            matches!(&error, WorldError::Value { field: found, .. } if found == field),
            "{error}"
        );
    }
}
