//! What becomes of spray, foam and bubbles (Ihmsen et al. 2012): which of them one is follows from the liquid around it, in every sub-step anew.
//!
//! The paper goes by the number of neighbours alone, of which there are half as many at a wall, deep down, as in the open. Here what tells foam from bubbles
//! is how much liquid is above.

use std::f32::consts::PI;

use glam::Vec3;

use super::Foam;
use crate::particles::passive::PassiveKind;
use crate::settings::Settings;

/// Neighbours, over those where everything is full, below which a particle is spray: 6 of 33.
pub const SPRAY: f32 = 0.18;

/// Neighbours above, likewise, from which on it is a bubble: there are as many a third of a smoothing radius below a level surface.
pub const BUBBLE: f32 = 0.12;

/// How fast spray and bubbles age: foam is what is seen to go.
pub const SLOW_AGEING: f32 = 0.25;

/// Radius of a particle when it comes to colliders, in radii of those of the world.
pub const SIZE: f32 = 0.25;

/// Distance within which it touches them, in those radii: what slides along a wall does so all the time, whatever is rounded.
pub const TOUCHES: f32 = 1.05;

/// Coefficient of friction of spray on walls.
pub const FRICTION: f32 = 0.5;

/// How fast spray ages that touches a wall: it wets it, and is gone.
pub const WETS: f32 = 4.0;

/// What there is of liquid around a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Around {
    /// Liquid particles within the smoothing radius.
    pub count: u32,
    /// Those of them that are above.
    pub above: u32,
    /// Their mean velocity, weighted by their kernels (Unified, eq. 28), m/s.
    pub velocity: Vec3,
}

/// How particles of each kind move in a sub-step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Neighbours below which one is spray.
    pub few: f32,
    /// Neighbours above from which on it is a bubble.
    pub covered: f32,
    /// What gravity adds to the velocity of spray, m/s.
    pub kick: Vec3,
    /// What is left of its speed through the air.
    pub flies: f32,
    /// How the air moves, m/s.
    pub wind: Vec3,
    /// What is left of the speed of bubbles through the liquid.
    pub swims: f32,
    /// What buoyancy adds to it, m/s.
    pub lift: Vec3,
}

impl Motion {
    /// That of a sub-step of `h` seconds, in air that moves at a velocity, m/s.
    pub fn new(foam: &Foam, settings: &Settings, wind: Vec3, h: f32) -> Self {
        let full = 4.0 / 3.0 * PI * settings.smoothing_radius.powi(3);
        let swims = (-foam.drag * h).exp();
        let pushed = if foam.drag > 0.0 { (1.0 - swims) / foam.drag } else { h };
        // Without gravity nothing is above: what is in the middle of it all is a bubble.
        let covered = if settings.gravity == Vec3::ZERO {
            0.5 + BUBBLE
        } else {
            BUBBLE
        };
        Self {
            few: SPRAY * full,
            covered: covered * full,
            kick: h * settings.gravity,
            flies: (-settings.passive_drag * h).exp(),
            wind,
            swims,
            lift: -pushed * foam.buoyancy * settings.gravity,
        }
    }

    /// What a particle is in these surroundings.
    #[inline]
    pub fn kind(&self, around: &Around) -> PassiveKind {
        if (around.count as f32) < self.few {
            PassiveKind::Spray
        } else if around.above as f32 >= self.covered {
            PassiveKind::Bubble
        } else {
            PassiveKind::Foam
        }
    }

    /// Its velocity after the sub-step, m/s, which carries it over it.
    #[inline]
    pub fn velocity(&self, kind: PassiveKind, before: Vec3, around: &Around) -> Vec3 {
        match kind {
            PassiveKind::Spray => self.wind + self.flies * (before + self.kick - self.wind),
            PassiveKind::Bubble => around.velocity + self.swims * (before - around.velocity) + self.lift,
            _ => around.velocity,
        }
    }
}

impl PassiveKind {
    /// How fast it ages.
    #[inline]
    pub fn ageing(self) -> f32 {
        match self {
            Self::Marker | Self::Foam | Self::Smoke => 1.0,
            Self::Spray | Self::Bubble => SLOW_AGEING,
        }
    }
}

/// Velocity after a contact with a surface that moves at a velocity and has a unit normal: it does not go on into it, and friction takes some of the rest.
#[inline]
pub fn stopped(velocity: Vec3, surface: Vec3, normal: Vec3) -> Vec3 {
    let relative = velocity - surface;
    let into = -relative.dot(normal);
    if into <= 0.0 {
        return velocity;
    }
    let along = relative + into * normal;
    let left = (1.0 - FRICTION * into / along.length().max(f32::MIN_POSITIVE)).max(0.0);
    surface + left * along
}

#[cfg(test)]
mod tests {
    use super::*;

    fn motion(foam: Foam) -> Motion {
        Motion::new(&foam, &Settings::default(), Vec3::ZERO, 0.01)
    }

    fn among(count: u32, above: u32) -> Around {
        Around {
            count,
            above,
            velocity: Vec3::X,
        }
    }

    #[test]
    fn surroundings_tell_the_kind() {
        let motion = motion(Foam::of(&Settings::default()));
        assert_eq!(motion.kind(&among(5, 5)), PassiveKind::Spray);
        assert_eq!(motion.kind(&among(17, 1)), PassiveKind::Foam, "on the surface");
        assert_eq!(motion.kind(&among(33, 16)), PassiveKind::Bubble, "deep down");
        assert_eq!(motion.kind(&among(17, 16)), PassiveKind::Bubble, "on the floor");
        assert_eq!(motion.kind(&among(17, 8)), PassiveKind::Bubble, "at a wall");
    }

    #[test]
    fn bubbles_come_to_rise_at_their_speed() {
        let foam = Foam {
            buoyancy: 2.0,
            drag: 20.0,
            ..Foam::of(&Settings::default())
        };
        let (motion, deep) = (motion(foam), among(33, 16));
        let mut velocity = Vec3::ZERO;
        for _ in 0..200 {
            velocity = motion.velocity(PassiveKind::Bubble, velocity, &deep);
        }
        assert!(velocity.distance(Vec3::new(1.0, 0.981, 0.0)) < 1e-4, "{velocity}");
        let free = Motion::new(&Foam { drag: 0.0, ..foam }, &Settings::default(), Vec3::ZERO, 0.01);
        let pushed = free.velocity(PassiveKind::Bubble, Vec3::ZERO, &deep);
        assert!((pushed.y - 2.0 * 9.81 * 0.01).abs() < 1e-5, "{pushed}");
    }

    #[test]
    fn walls_stop_what_goes_into_them() {
        let slides = stopped(Vec3::new(3.0, -2.0, 0.0), Vec3::ZERO, Vec3::Y);
        assert!(slides.distance(Vec3::new(2.0, 0.0, 0.0)) < 1e-6, "{slides}");
        assert_eq!(stopped(Vec3::new(0.5, -2.0, 0.0), Vec3::ZERO, Vec3::Y), Vec3::ZERO);
        assert_eq!(stopped(Vec3::Y, Vec3::ZERO, Vec3::Y), Vec3::Y, "it leaves");
        let pushed = stopped(Vec3::ZERO, 2.0 * Vec3::Y, Vec3::Y);
        assert_eq!(pushed, 2.0 * Vec3::Y, "a wall that comes takes it along");
    }

    #[test]
    fn spray_falls_and_foam_goes_along() {
        let motion = motion(Foam::of(&Settings::default()));
        let falls = motion.velocity(PassiveKind::Spray, Vec3::X, &Around::default());
        let left = (-0.01_f32).exp();
        assert!(falls.distance(left * Vec3::new(1.0, -0.0981, 0.0)) < 1e-6, "{falls}");
        assert_eq!(motion.velocity(PassiveKind::Foam, Vec3::Z, &among(17, 0)), Vec3::X);
    }
}
