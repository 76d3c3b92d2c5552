//! What floats in a liquid, how deep, and what liquids do to grains and cloth.

#[path = "common/tank.rs"]
mod tank;

use motes_core::glam::{DVec3, Vec3};
use motes_core::particles::phase::Phase;
use motes_core::{BodyId, Group, Liquids, Material, NewBody, Pose, Settings, Sph, World};
use tank::{IDEAL, block, liquid, run, settings, tank};

const RADIUS: f32 = 0.05;
const DIAMETER: f32 = 2.0 * RADIUS;
/// Particles along the sides of the tank, and depth of the water.
const WIDTH: usize = 16;
const DEPTH: usize = 11;

/// A body eight particles across, let go in the water near where it should float.
struct Floating {
    world: World,
    body: BodyId,
    /// Half its height, metres.
    half: f32,
}

impl Floating {
    fn new(settings: Settings, ratio: f32, is_ball: bool, draught: f32) -> Self {
        let mut world = tank(settings, [WIDTH; 2]);
        let water = liquid(&mut world, "water", IDEAL);
        let side = 4.0 * DIAMETER;
        let places: Vec<Vec3> = { block([8; 3], DIAMETER, Vec3::splat(-side)).into_iter() }
            .filter(|place| !is_ball || place.length() <= side)
            .collect();
        let volume = places.len() as f32 * DIAMETER.powi(3);
        let half = match is_ball {
            true => (0.75 * volume / std::f32::consts::PI).cbrt(),
            false => side,
        };
        let middle = 0.5 * WIDTH as f32 * DIAMETER;
        let center = Vec3::new(middle, DEPTH as f32 * DIAMETER + half * (1.0 - 2.0 * draught), middle);
        let around: Vec<Vec3> = { block([WIDTH, DEPTH, WIDTH], DIAMETER, Vec3::ZERO).into_iter() }
            .filter(|at| {
                places
                    .iter()
                    .all(|place| (center + *place).distance(*at) > 0.99 * DIAMETER)
            })
            .collect();
        world.add_particles(water, &around, Vec3::ZERO).expect("water");
        let masses = vec![ratio * IDEAL.density * DIAMETER.powi(3); places.len()];
        let smooth = world.add_material(Material::FRICTIONLESS).expect("material");
        let new = NewBody {
            pose: Pose::at(center),
            ..NewBody::new("body", smooth, places, masses)
        };
        let body = world.add_body(new).expect("body");
        Self { world, body, half }
    }

    /// How deep it lies in the water, over its height.
    fn draught(&self) -> f32 {
        let center = self.world.body_motion(self.body).expect("alive").center;
        let particles = self.world.particles();
        let far: Vec<f32> = { particles.positions.iter().zip(&particles.phases) }
            .filter(|(position, phase)| {
                let aside = (position.truncate() - center).with_y(0.0).length();
                phase.has(Phase::FLUID) && aside > self.half + 2.0 * DIAMETER
            })
            .map(|(position, _)| position.y)
            .collect();
        let level = 2.0 * far.iter().sum::<f32>() / far.len() as f32;
        (level - (center.y - self.half)) / (2.0 * self.half)
    }

    /// The mean over a second, after some.
    fn settle(&mut self, seconds: f32) -> f32 {
        run(&mut self.world, seconds);
        let draughts = (0..20).map(|_| {
            run(&mut self.world, 0.05);
            self.draught()
        });
        draughts.sum::<f32>() / 20.0
    }
}

#[test]
fn balls_float_as_deep_as_their_density_says() {
    for (ratio, draught) in [(0.25, 0.3264), (0.5, 0.5), (0.75, 0.6736)] {
        let found = Floating::new(settings(RADIUS, [2, 4]), ratio, true, draught).settle(1.5);
        assert!((found - draught).abs() < 0.05, "{ratio}: {found} instead of {draught}");
    }
}

#[test]
fn a_box_floats_upright_as_deep_as_its_density_says() {
    for (ratio, draught) in [(0.3, 0.3), (0.7, 0.7)] {
        let found = Floating::new(settings(RADIUS, [2, 4]), ratio, false, draught).settle(1.5);
        assert!((found - draught).abs() < 0.05, "{ratio}: {found}");
    }
}

#[test]
fn more_sub_steps_float_it_as_deep() {
    let found = Floating::new(settings(RADIUS, [4, 4]), 0.5, true, 0.5).settle(1.0);
    assert!((found - 0.5).abs() < 0.05, "{found}");
}

#[test]
fn bodies_float_in_liquids_of_sph_and_pcisph_as_deep() {
    for liquids in [Liquids::Sph(Sph::default()), Liquids::Pcisph] {
        let settings = Settings {
            liquids,
            ..settings(RADIUS, [6, 2])
        };
        let found = Floating::new(settings, 0.5, false, 0.5).settle(0.5);
        assert!((found - 0.5).abs() < 0.07, "{liquids:?}: {found}");
    }
}

#[test]
fn what_is_lighter_rises_and_what_is_heavier_sinks() {
    for (ratio, rises) in [(0.75, true), (1.3, false)] {
        let mut floating = Floating::new(settings(RADIUS, [2, 4]), ratio, true, 1.1);
        let before = floating.draught();
        run(&mut floating.world, 1.5);
        let after = floating.draught();
        assert!((after < before - 0.03) == rises, "{ratio}: {before}, then {after}");
        assert!(rises || after > before + 0.03, "{ratio}: {before}, then {after}");
    }
}

#[test]
fn a_liquid_and_what_it_hits_keep_their_momentum() {
    let settings = Settings {
        gravity: Vec3::ZERO,
        ..settings(RADIUS, [2, 4])
    };
    let mut world = World::new(settings).expect("settings");
    let water = liquid(
        &mut world,
        "water",
        Material {
            viscosity: 1.0,
            ..IDEAL
        },
    );
    let sand = world.add_material(Material::FRICTIONLESS).expect("material");
    let grains = world.add_group(Group::grains("sand", sand)).expect("group");
    let splash = block([6; 3], DIAMETER, Vec3::ZERO);
    world.add_particles(water, &splash, 2.0 * Vec3::X).expect("water");
    let heap = block([4; 3], DIAMETER, Vec3::new(7.0, 1.0, 1.0) * DIAMETER);
    world.add_particles(grains, &heap, Vec3::ZERO).expect("grains");
    let momentum = |world: &World| -> DVec3 {
        let particles = world.particles();
        { particles.positions.iter().zip(&particles.velocities) }
            .map(|(position, velocity)| velocity.truncate().as_dvec3() / f64::from(position.w))
            .sum()
    };
    let before = momentum(&world);
    run(&mut world, 0.5);
    let particles = world.particles();
    let pushed = { particles.positions.iter().zip(&particles.phases) }
        .filter(|(position, phase)| !phase.has(Phase::FLUID) && position.x > 12.0 * DIAMETER)
        .count();
    assert!(pushed > 10, "{pushed} grains were pushed on");
    let drift = (momentum(&world) - before).length() / before.length();
    assert!(drift < 1e-4, "{drift}");
}
