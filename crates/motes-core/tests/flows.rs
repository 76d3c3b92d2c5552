//! Liquids of several kinds: as thick as they are said to be, light on heavy, with eddies that last.

#[path = "common/tank.rs"]
mod tank;

use motes_core::colliders::Plane;
use motes_core::glam::Vec3;
use motes_core::random::Random;
use motes_core::{Collider, CpuEngine, GroupId, Liquids, Material, Pose, Settings, Sph, World};
use tank::{IDEAL, STEPS, block, energy, excess, liquid, run, settings, tank};

const RADIUS: f32 = 0.02;
const DIAMETER: f32 = 2.0 * RADIUS;

/// Rate at which the flow along z in a gap twelve particles wide decays, over the rate it should have: fastest in the middle of a gap between walls, or
/// opposite at both sides of a free layer.
fn decay(settings: Settings, kinematic: f32, walls: bool) -> f32 {
    let settings = Settings {
        gravity: Vec3::ZERO,
        ..settings
    };
    let mut world = World::with_engine(settings, Box::new(CpuEngine::with_threads(2))).expect("settings");
    let smooth = world.add_material(Material::FRICTIONLESS).expect("material");
    let width = 12.0 * DIAMETER;
    for (normal, offset) in [(Vec3::X, 0.0), (Vec3::NEG_X, -width)] {
        let plane = Plane::new(normal, offset).expect("plane");
        if walls {
            let wall = Collider::new("wall", plane.into(), smooth, Pose::IDENTITY);
            world.add_collider(wall).expect("wall");
        }
    }
    let material = Material {
        viscosity: kinematic * IDEAL.density,
        ..IDEAL
    };
    let oil = liquid(&mut world, "oil", material);
    let places = block([12, 6, 12], DIAMETER, Vec3::ZERO);
    let ids = world.add_particles(oil, &places, Vec3::ZERO).expect("oil");
    let wave = std::f32::consts::PI / width;
    let shape = |x: f32| if walls { (wave * x).sin() } else { (wave * x).cos() };
    let velocities: Vec<_> = { ids.iter().zip(&places) }
        .map(|(&id, place)| (id, 0.1 * shape(place.x) * Vec3::Z))
        .collect();
    world.set_velocities(&velocities).expect("alive");
    let amplitude = |world: &World| -> f32 {
        let particles = world.particles();
        { particles.positions.iter().zip(&particles.velocities) }
            .map(|(position, velocity)| shape(position.x) * velocity.z)
            .sum()
    };
    let (before, rate) = (amplitude(&world), kinematic * wave * wave);
    let seconds = (20.0 * rate.recip()).clamp(6.0, 24.0).round() / 60.0;
    run(&mut world, seconds);
    (before / amplitude(&world)).ln() / (seconds * rate)
}

#[test]
fn flow_in_a_gap_decays_as_its_viscosity_says_at_any_step() {
    for steps in STEPS {
        for kinematic in [0.01, 0.1] {
            for walls in [true, false] {
                let part = decay(settings(RADIUS, steps), kinematic, walls);
                assert!(
                    (part - 1.0).abs() < 0.12,
                    "{steps:?}, {kinematic} m²/s, {walls}: {part}"
                );
            }
        }
    }
}

#[test]
fn flow_of_sph_decays_as_its_viscosity_says() {
    let thin = Sph {
        artificial_viscosity: 0.0,
        ..Sph::default()
    };
    for substeps in [10, 16] {
        for (kinematic, walls) in [(0.01, true), (0.01, false), (0.1, true), (0.1, false)] {
            let settings = Settings {
                liquids: Liquids::Sph(thin),
                ..settings(RADIUS, [substeps, 1])
            };
            let part = decay(settings, kinematic, walls);
            // A lattice that shears spreads where it is free, since no pressure draws it together, and has fewer neighbours then.
            assert!(
                (0.75..1.1).contains(&part),
                "{substeps}, {kinematic} m²/s, {walls}: {part}"
            );
        }
    }
}

#[test]
fn an_ideal_liquid_hardly_slows_down() {
    let part = decay(settings(RADIUS, [4, 4]), 1e-9, true);
    assert!((1e-9 * part).abs() < 5e-5, "{} m²/s", 1e-9 * part);
}

fn mean_height(world: &World, group: GroupId) -> f32 {
    let particles = world.particles();
    let heights: Vec<f32> = { particles.positions.iter().zip(&particles.phases) }
        .filter(|(_, phase)| phase.group() == group.index())
        .map(|(position, _)| position.y)
        .collect();
    heights.iter().sum::<f32>() / heights.len() as f32
}

/// A light and a heavy liquid, eight layers each.
fn layers(steps: [u32; 2], ratio: f32, light_above: bool) -> (World, [GroupId; 2]) {
    let mut world = tank(settings(RADIUS, steps), [10, 5]);
    let thin = Material {
        density: IDEAL.density / ratio,
        ..IDEAL
    };
    let groups = [liquid(&mut world, "light", thin), liquid(&mut world, "heavy", IDEAL)];
    let mut random = Random::new(7, 0);
    for (group, above) in groups.into_iter().zip([light_above, !light_above]) {
        let corner = if above { 8.0 * DIAMETER * Vec3::Y } else { Vec3::ZERO };
        let mut places = block([10, 8, 5], DIAMETER, corner);
        for place in &mut places {
            *place += 0.2 * RADIUS * Vec3::new(random.signed(), random.signed(), random.signed());
        }
        world.add_particles(group, &places, Vec3::ZERO).expect("liquid");
    }
    (world, groups)
}

#[test]
fn a_light_liquid_stays_on_a_heavy_one() {
    for steps in STEPS {
        let (mut world, [light, heavy]) = layers(steps, 10.0, true);
        run(&mut world, 2.0);
        let apart = mean_height(&world, light) - mean_height(&world, heavy);
        assert!((apart / (8.0 * DIAMETER) - 1.0).abs() < 0.05, "{steps:?}: {apart} m");
        let [mean, most] = excess(&mut world);
        assert!(
            mean < 0.02 && most < 0.1,
            "{steps:?}: {mean} on average, {most} at most"
        );
    }
}

#[test]
fn a_heavy_liquid_sinks_through_a_light_one() {
    for ([substeps, iterations], ratio) in [([2, 4], 4.0), ([4, 4], 4.0), ([4, 4], 10.0)] {
        let (mut world, [light, heavy]) = layers([substeps, iterations], ratio, false);
        let start = energy(&world);
        run(&mut world, 4.0);
        let apart = mean_height(&world, light) - mean_height(&world, heavy);
        assert!(apart > 3.0 * DIAMETER, "{substeps}×{iterations}, {ratio}: {apart} m");
        let left = energy(&world) / start;
        assert!(left < 0.9, "{substeps}×{iterations}, {ratio}: {left}");
    }
}

/// Turning left in a disc of liquid, of all that was there, after a second.
fn turning_left(vorticity: f32) -> f32 {
    let settings = Settings {
        gravity: Vec3::ZERO,
        ..settings(RADIUS, [2, 4])
    };
    let mut world = World::new(settings).expect("settings");
    let material = Material {
        viscosity: 2.0,
        vorticity,
        ..IDEAL
    };
    let water = liquid(&mut world, "water", material);
    let places: Vec<Vec3> = { block([24, 4, 24], DIAMETER, -12.0 * DIAMETER * Vec3::ONE).into_iter() }
        .filter(|place| place.with_y(0.0).length() < 12.0 * DIAMETER)
        .collect();
    let ids = world.add_particles(water, &places, Vec3::ZERO).expect("water");
    // An eddy in the middle of what rests.
    let swirl = |place: Vec3| {
        let out = place.with_y(0.0) / (4.0 * DIAMETER);
        Vec3::Y.cross(out) * 0.3 * (-out.length_squared()).exp()
    };
    let velocities: Vec<_> = { ids.iter().zip(&places) }
        .map(|(&id, &place)| (id, swirl(place)))
        .collect();
    world.set_velocities(&velocities).expect("alive");
    let swirling = |world: &World| -> f32 {
        let particles = world.particles();
        { particles.positions.iter().zip(&particles.velocities) }
            .map(|(position, velocity)| swirl(position.truncate()).dot(velocity.truncate()))
            .sum()
    };
    let before = swirling(&world);
    run(&mut world, 1.0);
    swirling(&world) / before
}

#[test]
fn vorticity_keeps_eddies_up() {
    let [plain, kept] = [0.0, 2.0].map(turning_left);
    assert!(plain < 0.9, "{plain}");
    assert!(kept > plain + 0.05, "{plain}, kept {kept}");
}
