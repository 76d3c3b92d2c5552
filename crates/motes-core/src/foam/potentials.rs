//! How much a liquid foams and where (Ihmsen et al. 2012): the potentials of trapped air, of wave crests and of kinetic energy, each clamped between two
//! thresholds, the number given off and the cylinder they appear in.
//!
//! Sums over neighbours are divided by what they would be if all space were full, so that trapped air is a speed and sharpness a pure number, whatever
//! the smoothing radius.

use std::f32::consts::{PI, TAU};

use glam::Vec3;

use super::Foam;
use crate::heat::AMBIENT;
use crate::particles::passive::{PassiveKind, PassiveParts};

/// Slope of the density, over the rest density and times the smoothing radius, from which on a particle is at a surface: half of what it is at a level one.
pub const SURFACE: f32 = 0.75;

/// Cosine of the widest angle between velocity and normal at which a surface moves outwards.
pub const OUTWARDS: f32 = 0.6;

/// Speed across the path of those that are given off, at the rim of the cylinder, over the speed of the liquid.
pub const SPREAD: f32 = 0.15;

/// How much lifetimes differ: the shortest over the longest.
pub const SHORTEST: f32 = 0.5;

/// Clamped to 0 below the first threshold and to 1 above the second.
#[inline(always)]
pub fn clamped(value: f32, [low, high]: [f32; 2]) -> f32 {
    ((value - low) / (high - low)).clamp(0.0, 1.0)
}

/// Weight of a neighbour at a distance in smoothing radii.
#[inline(always)]
pub fn weight(q: f32) -> f32 {
    (1.0 - q).max(0.0)
}

/// One over the sum of all [`weight`]s where everything is full, for a smoothing radius in diameters.
pub fn per_full(smoothing: f32) -> f32 {
    3.0 / (PI * smoothing.powi(3))
}

/// What one neighbour adds to trapped air, m/s: twice their relative speed if they go straight at each other, nothing if they part. Both are given as
/// particle less neighbour.
#[inline(always)]
pub fn trapped_air(velocity: Vec3, offset: Vec3, q: f32) -> f32 {
    let distance = offset.length().max(f32::MIN_POSITIVE);
    (velocity.length() - velocity.dot(offset) / distance) * weight(q)
}

/// What one neighbour adds to the sharpness of a crest: how far its normal turns away, if it lies below the tangent plane.
#[inline(always)]
pub fn crest(normal: Vec3, other: Vec3, offset: Vec3, q: f32) -> f32 {
    if offset.dot(normal) > 0.0 {
        (1.0 - normal.dot(other)) * weight(q)
    } else {
        0.0
    }
}

impl Foam {
    /// How many a liquid particle gives off in `dt` seconds, with fractions: given how fast it meets its neighbours, how sharp its surface
    /// is, 0 where that does not move outwards, and its velocity.
    pub fn given_off(&self, meeting: f32, sharpness: f32, velocity: Vec3, dt: f32) -> f32 {
        let air = self.air_rate * clamped(meeting, self.meeting);
        let crest = self.crest_rate * clamped(sharpness, self.sharpness);
        let squares = self.speed.map(|speed| speed * speed);
        clamped(velocity.length_squared(), squares) * (air + crest) * dt
    }
}

/// Random bits of a number (Jarzynski and Olano 2020, "Hash functions for GPU rendering", pcg): 32-bit words only, so that every engine has the same.
#[inline(always)]
pub fn bits(number: u32) -> u32 {
    let state = number.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
    (word >> 22) ^ word
}

/// Random numbers of a liquid particle in a frame, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Draws(u32);

impl Draws {
    /// Those of the particle with this index, in a frame, for a seed.
    pub fn new(seed: u32, frame: u32, index: u32) -> Self {
        Self(bits(bits(bits(seed).wrapping_add(frame)).wrapping_add(index)))
    }

    /// The next, in [0, 1).
    #[inline]
    pub fn unit(&mut self) -> f32 {
        self.0 = bits(self.0);
        (self.0 >> 8) as f32 / (1 << 24) as f32
    }

    /// A whole number whose mean is this one.
    #[inline]
    pub fn round(&mut self, number: f32) -> u32 {
        (number + self.unit()) as u32
    }
}

/// The way of a liquid particle in the last sub-step.
#[derive(Clone, Copy, Debug)]
pub struct Path {
    /// Where it began and where it ended, metres.
    pub ends: [Vec3; 2],
    /// Its velocity, m/s.
    pub velocity: Vec3,
    /// Its radius, metres.
    pub radius: f32,
}

impl Path {
    /// One that is given off: anywhere in the cylinder that the particle swept, which no wall is in, and spreading a little.
    pub fn give_off(&self, lifetime: f32, draws: &mut Draws) -> PassiveParts {
        let [along, out, around, left] = std::array::from_fn(|_| draws.unit());
        let speed = self.velocity.length();
        let [first, second] = across(self.velocity / speed.max(f32::MIN_POSITIVE));
        let angle = TAU * around;
        let rim = out.sqrt() * (angle.cos() * first + angle.sin() * second);
        let place = self.ends[0].lerp(self.ends[1], along) + self.radius * rim;
        let velocity = self.velocity + SPREAD * speed * rim;
        PassiveParts {
            position: place.extend(0.0),
            velocity: velocity.extend(lifetime * (SHORTEST + (1.0 - SHORTEST) * left)),
            kind: PassiveKind::Spray,
            temperature: AMBIENT,
        }
    }
}

/// Two unit vectors across a third and each other; any two across if it is none (Duff et al. 2017).
fn across(axis: Vec3) -> [Vec3; 2] {
    let sign = 1.0_f32.copysign(axis.z);
    let a = -1.0 / (sign + axis.z);
    let b = axis.x * axis.y * a;
    [
        Vec3::new(1.0 + sign * axis.x * axis.x * a, sign * b, -sign * axis.x),
        Vec3::new(b, sign + axis.y * axis.y * a, -axis.y),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;

    #[test]
    fn thresholds_clamp() {
        assert_eq!(
            [1.0, 2.0, 3.0, 4.0, 9.0].map(|v| clamped(v, [2.0, 4.0])),
            [0.0, 0.0, 0.5, 1.0, 1.0]
        );
    }

    #[test]
    fn air_is_trapped_between_those_that_meet() {
        // At half the smoothing radius, where a neighbour weighs a half.
        let offset = Vec3::new(0.1, 0.0, 0.0);
        let meets = trapped_air(Vec3::new(-3.0, 0.0, 0.0), offset, 0.5);
        let parts = trapped_air(Vec3::new(3.0, 0.0, 0.0), offset, 0.5);
        let passes = trapped_air(Vec3::new(0.0, 3.0, 0.0), offset, 0.5);
        assert!((meets - 3.0).abs() < 1e-6, "twice the speed, times the weight: {meets}");
        assert!(parts.abs() < 1e-6);
        assert!((passes - 1.5).abs() < 1e-6);
    }

    #[test]
    fn crests_are_sharp_and_hollows_are_not() {
        let (up, aside) = (Vec3::Y, Vec3::new(0.8, 0.6, 0.0));
        let below = Vec3::new(-0.1, 0.05, 0.0);
        assert!((crest(up, aside, below, 0.25) - 0.4 * 0.75).abs() < 1e-6);
        assert_eq!(crest(up, aside, -below, 0.25), 0.0, "a neighbour above is in a hollow");
        assert!(crest(up, up, below, 0.25).abs() < 1e-6, "level");
    }

    #[test]
    fn numbers_worked_out_by_hand() {
        let foam = Foam {
            air_rate: 100.0,
            crest_rate: 300.0,
            meeting: [1.0, 3.0],
            sharpness: [0.0, 0.2],
            speed: [1.0, 3.0],
            ..Foam::of(&Settings::default())
        };
        // Half of the air, a quarter of the crest; (5 − 1)/(9 − 1) of the energy.
        let velocity = Vec3::new(1.0, 2.0, 0.0);
        let found = foam.given_off(2.0, 0.05, velocity, 0.02);
        assert!((found - 0.5 * (50.0 + 75.0) * 0.02).abs() < 1e-5, "{found}");
        assert_eq!(foam.given_off(9.0, 1.0, Vec3::X, 0.02), 0.0, "too slow");
        assert_eq!(foam.given_off(1.0, 0.0, velocity, 0.02), 0.0, "nothing happens");
    }

    #[test]
    fn rounding_keeps_the_mean() {
        let mut sum = 0;
        for index in 0..20_000 {
            let mut draws = Draws::new(3, 17, index);
            sum += draws.round(0.3);
        }
        assert!((5_800..6_200).contains(&sum), "{sum}");
        let mut draws = Draws::new(3, 17, 5);
        assert_eq!(draws.round(2.0), 2, "whole numbers stay");
    }

    #[test]
    fn those_given_off_are_in_the_cylinder() {
        let path = Path {
            ends: [Vec3::ZERO, Vec3::new(0.0, 0.0, -0.4)],
            velocity: Vec3::new(0.0, 0.0, -4.0),
            radius: 0.05,
        };
        let mut draws = Draws::new(0, 0, 0);
        let (mut farthest, mut sum) = (0.0_f32, 0.0);
        for _ in 0..4000 {
            let new = path.give_off(2.0, &mut draws);
            let place = new.position.truncate();
            assert!((-0.4..=0.0).contains(&place.z));
            farthest = farthest.max(place.truncate().length());
            sum += place.z / 4000.0;
            assert!((1.0..=2.0).contains(&new.velocity.w));
            let aside = new.velocity.truncate() - path.velocity;
            assert!(aside.length() <= SPREAD * 4.0 + 1e-5);
            assert!(aside.dot(place) >= 0.0, "it spreads");
        }
        assert!(farthest <= 0.05 + 1e-6 && farthest > 0.049, "{farthest}");
        assert!((sum + 0.2).abs() < 0.01, "{sum}");
    }
}
