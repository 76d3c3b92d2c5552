//! Markers of smoke as they are drawn and exported: soft puffs that grow and fade as they age.

use glam::{Vec3, Vec4};
use motes_core::{PassiveKind, Smoke, World};
use motes_render::Puff;
use rayon::prelude::*;

/// A marker of smoke in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmokeMarker {
    /// Where it is, metres.
    pub position: Vec3,
    /// Velocity, m/s.
    pub velocity: Vec3,
    /// Its age, seconds.
    pub age: f32,
    /// Age at which it is removed, seconds; infinite keeps it.
    pub lifetime: f32,
    /// Its radius at that age, metres.
    pub radius: f32,
    /// The part of light that is stopped in its middle at that age, 0 to 1.
    pub opacity: f32,
    /// Temperature, °C.
    pub temperature: f32,
}

impl SmokeMarker {
    /// As it is drawn in a colour.
    pub fn puff(&self, color: [u8; 3]) -> Puff {
        Puff {
            position: self.position,
            radius: self.radius,
            opacity: self.opacity,
            temperature: self.temperature,
            color,
        }
    }
}

/// The markers of smoke of a world. Where it does not say how smoke looks, they look as is usual for the size of its particles.
pub fn smoke_markers(world: &World) -> Vec<SmokeMarker> {
    let look = world.smoke().copied().unwrap_or_else(|| Smoke::of(world.settings()));
    let passive = world.passive();
    let all = (passive.kinds().par_iter().enumerate()).filter(|(_, kind)| **kind == PassiveKind::Smoke);
    let marker = |place: usize| {
        let (position, velocity): (Vec4, Vec4) = (passive.positions()[place], passive.velocities()[place]);
        let (radius, opacity) = look.look(position.w, velocity.w);
        SmokeMarker {
            position: position.truncate(),
            velocity: velocity.truncate(),
            age: position.w,
            lifetime: if velocity.w < f32::MAX {
                velocity.w
            } else {
                f32::INFINITY
            },
            radius,
            opacity,
            temperature: passive.temperature(place),
        }
    };
    all.map(|(place, _)| marker(place)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use motes_core::{Passive, Settings};

    fn aged(seconds: f32) -> Vec<SmokeMarker> {
        let settings = Settings {
            gravity: Vec3::ZERO,
            ..Settings::default()
        };
        let mut world = World::new(settings).expect("a world");
        let look = Smoke {
            radius: 0.1,
            opacity: 0.4,
            growth: 2.0,
            ..Smoke::of(world.settings())
        };
        world.set_smoke(Some(look)).expect("smoke");
        let marker = |lifetime: f32| Passive {
            position: Vec3::ONE,
            velocity: Vec3::ZERO,
            lifetime,
        };
        world.add_passive(&[marker(9.0)]).expect("a marker of something else");
        world.add_smoke(&[marker(2.0), marker(f32::INFINITY)]).expect("markers");
        let frames = (seconds * 60.0).round() as u32;
        for _ in 0..frames {
            world.step(1.0 / 60.0);
        }
        smoke_markers(&world)
    }

    #[test]
    fn puffs_grow_and_fade_with_age_and_are_smoke_alone() {
        let steps: Vec<Vec<SmokeMarker>> = [0.0, 0.5, 1.0, 1.5].map(aged).to_vec();
        for markers in &steps {
            assert_eq!(markers.len(), 2);
            assert_eq!(markers[1].puff([1, 2, 3]).color, [1, 2, 3]);
            assert_eq!((markers[1].radius, markers[1].opacity), (0.1, 0.4), "for ever");
            assert_eq!(markers[1].lifetime, f32::INFINITY);
            assert_eq!(markers[0].temperature, 20.0);
        }
        assert_eq!((steps[0][0].radius, steps[0][0].opacity), (0.1, 0.4));
        for pair in steps.windows(2) {
            assert!(pair[1][0].radius > pair[0][0].radius && pair[1][0].opacity < pair[0][0].opacity);
        }
        // A diffusing cloud: half-way its area is the mean of those of both ends.
        assert!((steps[2][0].radius - 0.1 * 2.5_f32.sqrt()).abs() < 1e-3);
        assert!((steps[2][0].opacity - 0.2).abs() < 1e-3);
    }
}
