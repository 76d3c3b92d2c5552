//! Surface tension: drops of water some millimetres large become round, swing as Rayleigh says, and lie on solids at their angle.

#[path = "common/tank.rs"]
mod tank;

use motes_core::colliders::Plane;
use motes_core::constraints::density::{self, Lattice};
use motes_core::constraints::tension::{Surface, pull_work};
use motes_core::glam::{DVec3, Vec3};
use motes_core::random::Random;
use motes_core::{Collider, CpuEngine, Group, Material, Pose, Settings, World};
use tank::{STEPS, block, liquid, settings};

const RADIUS: f32 = 2e-4;
const DIAMETER: f32 = 2.0 * RADIUS;

/// Water that nothing but tension slows down.
const WATER: Material = Material {
    viscosity: 0.0,
    density: 1000.0,
    surface_tension: 0.072,
    ..Material::FRICTIONLESS
};

/// A sub-step of a tenth of √(ρ d³/γ).
const STEP: f32 = 9e-5;

fn weightless(steps: [u32; 2]) -> World {
    let settings = Settings {
        gravity: Vec3::ZERO,
        ..settings(RADIUS, steps)
    };
    World::with_engine(settings, Box::new(CpuEngine::with_threads(2))).expect("settings")
}

fn shake(places: &mut [Vec3], part: f32, seed: u64) {
    let mut random = Random::new(seed, 0);
    for place in places {
        *place += part * DIAMETER * Vec3::new(random.signed(), random.signed(), random.signed());
    }
}

/// Places of a ball that is so many particles across.
fn ball(across: usize) -> Vec<Vec3> {
    let half = 0.5 * across as f32 * DIAMETER;
    { block([across; 3], DIAMETER, Vec3::splat(-half)).into_iter() }
        .filter(|place| place.length() < half)
        .collect()
}

/// Frames of two sub-steps of a length, so that sub-steps of all settings are as long or shorter.
fn run(world: &mut World, seconds: f32) {
    for _ in 0..(seconds / (2.0 * STEP)).round() as usize {
        world.step(2.0 * STEP);
        world.health().expect("finite numbers");
    }
}

fn places(world: &World) -> Vec<DVec3> {
    let places: Vec<DVec3> = { world.particles().positions.iter() }
        .map(|position| position.truncate().as_dvec3())
        .collect();
    let middle = places.iter().sum::<DVec3>() / places.len() as f64;
    places.into_iter().map(|place| place - middle).collect()
}

/// Mean squares along the axes, over those of a ball, and the sum of fourth powers over the square of the mean square: 5/7 in a ball, 0.6 in a cube.
fn shape(world: &World) -> (DVec3, f64) {
    let places = places(world);
    let count = places.len() as f64;
    let squares = places.iter().map(|place| *place * *place).sum::<DVec3>() / count;
    let fourth = places.iter().map(|place| place.powf(4.0).element_sum()).sum::<f64>() / count;
    let radius = (0.75 * count / std::f64::consts::PI).cbrt() * f64::from(DIAMETER);
    (
        squares / (radius * radius / 5.0),
        fourth / squares.element_sum().powi(2),
    )
}

/// Energy of motion and of tension, over the tension times the area of a ball.
fn energy(world: &World, tension: f64) -> f64 {
    let particles = world.particles();
    let smoothing = world.settings().smoothing_radius;
    let lattice = Lattice::new(smoothing);
    let surface = Surface::new(smoothing, &lattice);
    let reach = smoothing * DIAMETER;
    let mut moving = 0.0;
    let mut taut = 0.0;
    for (i, (place, velocity)) in particles.positions.iter().zip(&particles.velocities).enumerate() {
        moving += 0.5 * f64::from(velocity.truncate().length_squared() / place.w);
        let mut slope = Vec3::ZERO;
        for (j, other) in particles.positions.iter().enumerate() {
            let offset = (*place - *other).truncate() / reach;
            let q = offset.length();
            if i != j && q < 1.0 {
                slope += density::slope(q) / lattice.sum * offset;
                taut -= 0.5 * f64::from(surface.pairs * pull_work(q));
            }
        }
        taut += 0.5 * f64::from(surface.area * slope.length_squared());
    }
    let radius = (0.75 * particles.len() as f64 / std::f64::consts::PI).cbrt() * f64::from(DIAMETER);
    let area = 4.0 * std::f64::consts::PI * radius * radius;
    (moving / tension + taut * f64::from(reach * reach)) / area
}

fn momentum(world: &World) -> DVec3 {
    let particles = world.particles();
    { particles.positions.iter().zip(&particles.velocities) }
        .map(|(position, velocity)| velocity.truncate().as_dvec3() / f64::from(position.w))
        .sum()
}

#[test]
fn a_cube_of_water_becomes_a_ball_and_gains_no_energy() {
    for (seed, steps) in (1..).zip(STEPS) {
        let mut world = weightless(steps);
        let water = liquid(&mut world, "water", WATER);
        let mut cube = block([9; 3], DIAMETER, Vec3::splat(-4.5 * DIAMETER));
        shake(&mut cube, 0.02, seed);
        world.add_particles(water, &cube, Vec3::ZERO).expect("water");
        let start = energy(&world, 0.072);
        let mut last = start;
        for _ in 0..4 {
            run(&mut world, 0.015);
            let now = energy(&world, 0.072);
            assert!(now < last + 0.02, "{steps:?}: {last} to {now}");
            last = now;
        }
        let (squares, fourth) = shape(&world);
        assert!(fourth > 0.69 && fourth < 0.74, "{steps:?}: {fourth}");
        assert!(
            squares.max_element() / squares.min_element() < 1.12,
            "{steps:?}: {squares}"
        );
        assert!(last < start - 0.3, "{steps:?}: {start} to {last}");
        let speed = momentum(&world).length() / (729.0 * 1000.0 * f64::from(DIAMETER).powi(3));
        assert!(speed < 1e-4, "{steps:?}: {speed} m/s");
    }
}

/// Time until a drop so many particles across that was set swinging is as high as wide, over half of Rayleigh's period.
fn period(steps: [u32; 2], across: usize) -> f32 {
    let mut world = weightless(steps);
    let water = liquid(
        &mut world,
        "water",
        Material {
            viscosity: 0.01,
            ..WATER
        },
    );
    let mut drop = ball(across);
    shake(&mut drop, 0.1, 7);
    let ids = world.add_particles(water, &drop, Vec3::ZERO).expect("water");
    run(&mut world, 0.03);
    let radius = (0.75 * drop.len() as f32 / std::f32::consts::PI).cbrt() * DIAMETER;
    let pulse = (8.0 * WATER.surface_tension / (WATER.density * radius.powi(3))).sqrt();
    let velocities: Vec<_> = { ids.iter() }
        .map(|&id| {
            let particles = world.particles();
            let place = particles.positions[particles.slot(id).expect("alive")].truncate();
            (id, 0.3 * pulse * place * Vec3::new(-0.5, 1.0, -0.5))
        })
        .collect();
    world.set_velocities(&velocities).expect("alive");
    let half_period = std::f32::consts::PI / pulse;
    let frames = (3.0 * half_period / (2.0 * STEP)) as usize;
    for frame in 1..frames {
        world.step(2.0 * STEP);
        let (squares, _) = shape(&world);
        if frame > 20 && squares.y * squares.y < squares.x * squares.z {
            return frame as f32 * 2.0 * STEP / half_period;
        }
    }
    f32::INFINITY
}

#[test]
fn drops_swing_as_rayleigh_says() {
    for (steps, across) in [([2, 4], 12), ([4, 4], 12), ([8, 8], 12), ([2, 4], 15)] {
        let part = period(steps, across);
        assert!((part - 1.0).abs() < 0.25, "{steps:?}, {across} across: {part}");
    }
}

/// Angle at which a drop lies on a plane, degrees, once a puddle has drawn itself together.
fn angle(steps: [u32; 2], contact_angle: f32) -> f32 {
    let mut world = weightless(steps);
    let smooth = world.add_material(Material::FRICTIONLESS).expect("material");
    let plane = Plane::new(Vec3::Y, 0.0).expect("plane");
    world
        .add_collider(Collider::new("floor", plane.into(), smooth, Pose::IDENTITY))
        .expect("floor");
    let material = Material {
        contact_angle,
        viscosity: 0.001,
        ..WATER
    };
    let water = liquid(&mut world, "water", material);
    let mut drop = block([18, 4, 18], DIAMETER, Vec3::new(-9.0, 0.0, -9.0) * DIAMETER);
    shake(&mut drop, 0.05, 3);
    let count = drop.len() as f32;
    world.add_particles(water, &drop, Vec3::ZERO).expect("water");
    run(&mut world, 0.1);
    let positions = &world.particles().positions;
    // A cap of a ball of the volume there is has its middle at a height that its angle alone decides.
    let height = positions.iter().map(|place| place.y).sum::<f32>() / count;
    let volume = count * DIAMETER.powi(3);
    cap_angle(height / volume.cbrt())
}

/// Angle of a cap of a ball, degrees, from the height of its middle over the cube root of its volume.
fn cap_angle(height: f32) -> f32 {
    let middle = |degrees: f64| {
        let cosine = degrees.to_radians().cos();
        // Of a ball of radius 1 cut at a height of cos θ below its middle.
        let tall = 1.0 - cosine;
        let volume = std::f64::consts::PI * tall * tall * (3.0 - tall) / 3.0;
        let moment = std::f64::consts::PI * tall * tall * (2.0 - tall).powi(2) / 4.0;
        (moment / volume - cosine) / volume.cbrt()
    };
    let (mut low, mut high) = (5.0, 179.0);
    for _ in 0..40 {
        let degrees = 0.5 * (low + high);
        match middle(degrees) < f64::from(height) {
            true => low = degrees,
            false => high = degrees,
        }
    }
    low as f32
}

#[test]
fn drops_lie_on_a_plane_at_their_angle() {
    assert!((cap_angle(0.375 / (2.0 * std::f32::consts::PI / 3.0).cbrt()) - 90.0).abs() < 0.1);
    for expected in [60.0, 90.0, 120.0] {
        let measured = angle([2, 4], expected);
        assert!((measured - expected).abs() < 15.0, "{measured}° for {expected}°");
    }
}

#[test]
fn liquids_of_different_tension_keep_apart_and_those_of_the_same_do_not() {
    let touching = |other: f32| {
        let mut world = weightless([2, 4]);
        let groups = [("water", 0.072), ("oil", other)].map(|(name, surface_tension)| {
            let material = Material {
                surface_tension,
                viscosity: 0.002,
                ..WATER
            };
            liquid(&mut world, name, material)
        });
        // Every particle has others of both about it.
        let mut places = ball(11);
        shake(&mut places, 0.05, 5);
        let mut random = Random::new(5, 1);
        for place in places {
            let group = groups[usize::from(random.signed() > 0.0)];
            world.add_particles(group, &[place], Vec3::ZERO).expect("liquid");
        }
        run(&mut world, 0.08);
        let particles = world.particles();
        let (mut own, mut all) = (0, 0);
        for (i, a) in particles.positions.iter().enumerate() {
            for (j, b) in particles.positions.iter().enumerate() {
                if i != j && (*a - *b).truncate().length() < 1.3 * DIAMETER {
                    all += 1;
                    own += usize::from(particles.phases[i].group() == particles.phases[j].group());
                }
            }
        }
        own as f32 / all as f32
    };
    let [apart, mixed] = [touching(0.02), touching(0.072)];
    assert!(apart > 0.56 && (mixed - 0.5).abs() < 0.05, "{apart} {mixed}");
}

#[test]
fn what_solids_and_liquids_do_to_each_other_is_equal_and_opposite() {
    for contact_angle in [30.0, 150.0] {
        let mut world = weightless([2, 4]);
        let water = liquid(&mut world, "water", Material { contact_angle, ..WATER });
        let mut places = block([7, 4, 7], DIAMETER, Vec3::ZERO);
        shake(&mut places, 0.05, 9);
        world.add_particles(water, &places, Vec3::ZERO).expect("water");
        let sand = world.add_material(Material::FAST_SAND).expect("material");
        let grains = world.add_group(Group::grains("sand", sand)).expect("group");
        let mut places = block([7, 2, 7], DIAMETER, Vec3::new(0.0, 4.1 * DIAMETER, 0.0));
        shake(&mut places, 0.02, 10);
        world.add_particles(grains, &places, Vec3::ZERO).expect("grains");
        run(&mut world, 0.01);
        let particles = world.particles();
        let mean = |fluid: bool| -> f32 {
            let chosen: Vec<f32> = { particles.velocities.iter().zip(&particles.phases) }
                .filter(|(_, phase)| phase.has(motes_core::Phase::FLUID) == fluid)
                .map(|(velocity, _)| velocity.y)
                .collect();
            chosen.iter().sum::<f32>() / chosen.len() as f32
        };
        let mass: f64 = particles.positions.iter().map(|place| 1.0 / f64::from(place.w)).sum();
        let speed = momentum(&world).length() / mass;
        assert!(speed < 1e-4, "{speed} m/s");
        assert_eq!(mean(true) > mean(false), contact_angle < 90.0, "{contact_angle}");
    }
}
