//! Two liquids: a light one stays on a heavy one, and a heavy one on a light one falls through it in fingers that grow as they should
//! (Rayleigh 1883, Taylor 1950).

use std::f32::consts::PI;

use glam::{Vec3, Vec4Swizzles};
use motes_core::random::Random;
use motes_core::{Material, ParticleId};

use super::super::lab::{DT, furthest_from_one, step};
use super::super::{Case, EngineMaker};
use super::tank::{IDEAL, Tank};

const RADIUS: f32 = 0.02;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "liquids/ten to one stays layered",
            source: "exact: distance of the middles of two layers after 5 s over that at the start, the furthest off of three steps",
            reference: 1.0,
            band: [0.95, 1.05],
            unit: "",
            quick: false,
            measure: |engine| furthest_from_one([[2, 4], [4, 4], [8, 8]].map(|numbers| layered(engine, numbers, true))),
            control_name: "the heavy one above",
            control: |engine| layered(engine, [4, 4], false),
        },
        Case {
            name: "liquids/Rayleigh-Taylor, 4 to 1",
            source: "exact: rate of growth over sqrt(A g k tanh(k H)), the furthest off of three steps",
            reference: 1.0,
            band: [0.8, 1.2],
            unit: "",
            quick: false,
            measure: |engine| furthest_from_one([[2, 4], [4, 4], [8, 8]].map(|numbers| growth(engine, numbers, 4.0))),
            control_name: "1.5 to 1",
            control: |engine| growth(engine, [4, 4], 1.5),
        },
    ]
}

fn lighter(ratio: f32) -> Material {
    Material {
        density: IDEAL.density / ratio,
        ..IDEAL
    }
}

fn layered(engine: EngineMaker, numbers: [u32; 2], light_above: bool) -> f64 {
    let (length, depth, height) = (10, 5, 8);
    let mut tank = Tank::new(engine, step(numbers, RADIUS), [length, depth]);
    let [light, heavy] = [lighter(10.0), IDEAL].map(|material| tank.liquid(material));
    let (below, above) = if light_above { (heavy, light) } else { (light, heavy) };
    tank.fill(below, [length, height], 0);
    tank.fill(above, [length, height], height);
    tank.run(5.0);
    let apart = tank.mean_height(light) - tank.mean_height(heavy);
    f64::from(apart / (height as f32 * tank.diameter))
}

/// Half a wave fits into the tank, and each layer is as high as that is long.
const HALF_WAVE: usize = 24;

/// Rate at which a ripple between a heavy liquid above and a light one below grows, over that of liquids of four to one.
fn growth(engine: EngineMaker, numbers: [u32; 2], ratio: f32) -> f64 {
    let mut tank = Tank::new(engine, step(numbers, RADIUS), [HALF_WAVE, 4]);
    let diameter = tank.diameter;
    let half_wave = HALF_WAVE as f32 * diameter;
    tank.lid(2.0 * half_wave);
    let [light, heavy] = [lighter(ratio), IDEAL].map(|material| tank.liquid(material));
    let ids = [
        tank.fill(light, [HALF_WAVE, HALF_WAVE], 0),
        tank.fill(heavy, [HALF_WAVE, HALF_WAVE], HALF_WAVE),
    ]
    .concat();
    let wave = PI / half_wave;
    let gravity = tank.world.settings().gravity.length();
    let expected = (0.6 * gravity * wave * (wave * half_wave).tanh()).sqrt();
    // The ripple starts flat, with the speeds that it would have when it is a hundredth of a wave high.
    let speed = 0.02 * half_wave * expected;
    let push = |place: Vec3| {
        let up = place.y - half_wave;
        let fade = speed * (-wave * up.abs()).exp();
        let (sin, cos) = (wave * place.x).sin_cos();
        fade * Vec3::new(sin * up.signum(), cos, 0.0)
    };
    loosen(&mut tank, &ids);
    let velocities: Vec<(ParticleId, Vec3)> = { tank.world.positions(&ids).into_iter().zip(&ids) }
        .filter_map(|(place, &id)| Some((id, push(place?))))
        .collect();
    tank.world.set_velocities(&velocities).expect("alive");
    let frames = (1.2 / expected / DT).round() as u32;
    let amplitude = |tank: &mut Tank| {
        (0..frames).for_each(|_| tank.world.step(DT));
        ripple(tank, heavy.index(), wave)
    };
    let [first, second] = [amplitude(&mut tank), amplitude(&mut tank)];
    // sinh 2x = 2 sinh x cosh x; what does not grow swings, and counts as negative.
    let part = 0.5 * second / first;
    let grown = if part < 1.0 {
        -part.max(-1.0).acos()
    } else {
        part.acosh()
    };
    grown / f64::from(frames as f32 * DT * expected)
}

/// Moves particles off the lattice a little, which would hold them.
fn loosen(tank: &mut Tank, ids: &[ParticleId]) {
    let mut random = Random::new(7, 0);
    let places: Vec<(ParticleId, Vec3)> = { tank.world.positions(ids).into_iter().zip(ids) }
        .filter_map(|(place, &id)| {
            let aside = 0.2 * RADIUS * Vec3::new(random.signed(), random.signed(), random.signed());
            Some((id, place? + aside))
        })
        .collect();
    tank.world.set_positions(&places).expect("alive");
}

/// Amplitude of the ripple below a group, over what it takes to make no difference.
fn ripple(tank: &Tank, group: u32, wave: f32) -> f64 {
    let particles = tank.world.particles();
    { particles.positions.iter().zip(&particles.phases) }
        .filter(|(_, phase)| phase.group() == group)
        .map(|(place, _)| -f64::from((wave * place.xyz().x).cos()))
        .sum()
}
