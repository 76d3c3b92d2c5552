//! Force fields: accelerations that depend on where a particle is.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::space::volume::Volume;

/// A region and the acceleration it gives to the particles inside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForceField {
    /// What it does.
    pub kind: FieldKind,
    /// Where it acts.
    pub volume: Volume,
}

/// What a force field does to a particle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FieldKind {
    /// The same acceleration everywhere, m/s².
    Uniform {
        /// Acceleration, m/s².
        acceleration: Vec3,
    },
    /// Away from a point (towards it when negative).
    Radial {
        /// The point, metres.
        center: Vec3,
        /// Acceleration at the centre, m/s².
        strength: f32,
        /// Distance over which the strength falls linearly to zero, metres; infinite keeps it constant.
        range: f32,
    },
    /// Around an axis, with an optional pull towards it and a lift along it.
    Vortex {
        /// A point of the axis, metres.
        center: Vec3,
        /// Direction of the axis.
        axis: Vec3,
        /// Acceleration around the axis, m/s².
        swirl: f32,
        /// Acceleration towards the axis, m/s².
        pull: f32,
        /// Acceleration along the axis, m/s².
        lift: f32,
        /// Distance from the axis over which all three fall linearly to zero, metres; infinite keeps them constant.
        range: f32,
    },
    /// Drags particles along with a medium that moves at a given velocity.
    Drag {
        /// Velocity of the medium, m/s.
        velocity: Vec3,
        /// Rate at which the difference decays, 1/s.
        rate: f32,
    },
}

impl ForceField {
    /// Change of velocity of a particle over a time `h` seconds, m/s.
    pub fn velocity_change(&self, position: Vec3, velocity: Vec3, h: f32) -> Vec3 {
        if !self.volume.contains(position) {
            return Vec3::ZERO;
        }
        match self.kind {
            FieldKind::Uniform { acceleration } => h * acceleration,
            FieldKind::Radial {
                center,
                strength,
                range,
            } => {
                let offset = position - center;
                h * strength * falloff(offset.length(), range) * offset.normalize_or_zero()
            }
            FieldKind::Vortex {
                center,
                axis,
                swirl,
                pull,
                lift,
                range,
            } => {
                let axis = axis.normalize_or_zero();
                let offset = position - center;
                let outward = offset - offset.dot(axis) * axis;
                let strength = falloff(outward.length(), range);
                let outward = outward.normalize_or_zero();
                h * strength * (swirl * axis.cross(outward) - pull * outward + lift * axis)
            }
            // The exact decay over the time: it never overshoots, however high the rate.
            FieldKind::Drag { velocity: medium, rate } => (medium - velocity) * (1.0 - (-rate * h).exp()),
        }
    }
}

fn falloff(distance: f32, range: f32) -> f32 {
    if range.is_finite() {
        (1.0 - distance / range.max(f32::MIN_POSITIVE)).max(0.0)
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn everywhere(kind: FieldKind) -> ForceField {
        ForceField {
            kind,
            volume: Volume::Everywhere,
        }
    }

    #[test]
    fn drag_never_overshoots_the_medium() {
        let wind = everywhere(FieldKind::Drag {
            velocity: Vec3::X,
            rate: 1e6,
        });
        let change = wind.velocity_change(Vec3::ZERO, Vec3::ZERO, 0.1);
        assert!((change - Vec3::X).length() < 1e-6);
    }

    #[test]
    fn a_vortex_turns_right_handed_about_its_axis() {
        let vortex = everywhere(FieldKind::Vortex {
            center: Vec3::ZERO,
            axis: Vec3::Y,
            swirl: 2.0,
            pull: 0.0,
            lift: 0.0,
            range: f32::INFINITY,
        });
        let change = vortex.velocity_change(Vec3::X, Vec3::ZERO, 0.5);
        assert!((change - Vec3::NEG_Z).length() < 1e-6, "{change}");
    }

    #[test]
    fn a_radial_field_fades_to_nothing_at_its_range() {
        let blast = everywhere(FieldKind::Radial {
            center: Vec3::ZERO,
            strength: 8.0,
            range: 2.0,
        });
        let at = |x: f32| blast.velocity_change(Vec3::new(x, 0.0, 0.0), Vec3::ZERO, 1.0).x;
        assert_eq!(at(1.0), 4.0);
        assert_eq!(at(3.0), 0.0);
        assert_eq!(at(0.0), 0.0);
    }
}
