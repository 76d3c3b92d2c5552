//! What is wrong with a creature that is to be added.

use std::collections::HashSet;

use super::{Edge, Muscle, NewCreature, OrientedParticle};
use crate::error::WorldError;

/// Mass of a particle, kg, below which sums of inverse masses leave the range of numbers.
const LEAST_MASS: f32 = 1e-30;

/// How many times larger than the smallest radius of a particle its largest may be: beyond it, a thin one turns further in a sub-step than
/// contacts can follow.
pub(super) const FLATTEST: f32 = 20.0;

impl NewCreature {
    /// What is wrong with it, if anything.
    pub(super) fn check(&self) -> Result<(), WorldError> {
        let refuse = |field: String, found: String, expected: &str| {
            Err(WorldError::Value {
                what: format!("creature \"{}\"", self.name),
                field,
                found,
                expected: expected.into(),
            })
        };
        if self.particles.is_empty() {
            return refuse("particles".into(), "none".into(), "at least one");
        }
        for (number, particle) in self.particles.iter().enumerate() {
            if let Some((field, found, expected)) = particle.problem() {
                return refuse(format!("particles[{number}].{field}"), found, expected);
            }
        }
        let count = self.particles.len();
        let mut known = HashSet::new();
        for (number, edge) in self.edges.iter().enumerate() {
            let [a, b] = edge.particles;
            if let Some((field, found, expected)) = edge.problem(count) {
                return refuse(format!("edges[{number}].{field}"), found, expected);
            }
            if !known.insert([a.min(b), a.max(b)]) {
                return refuse(
                    format!("edges[{number}]"),
                    format!("{a}, {b} again"),
                    "one edge between two particles",
                );
            }
        }
        for (number, part) in self.parts.iter().enumerate() {
            let own: HashSet<u32> = part.iter().copied().collect();
            if part.is_empty() || own.len() != part.len() || part.iter().any(|&k| k as usize >= count) {
                let found = format!("{} particles of {count}", part.len());
                return refuse(
                    format!("parts[{number}]"),
                    found,
                    "different particles of the creature, at least one",
                );
            }
        }
        if let Some(denting) = self.denting
            && !(denting.speed >= 0.0
                && denting.speed.is_finite()
                && denting.seconds > 0.0
                && denting.seconds.is_finite())
        {
            return refuse(
                "denting".into(),
                format!("{denting:?}"),
                "a speed of 0 or more, m/s, and a time, seconds",
            );
        }
        if !self.pose.is_sound() {
            return refuse(
                "pose".into(),
                format!("{:?}", self.pose),
                "a finite position and a unit rotation",
            );
        }
        if !(self.velocity.is_finite() && self.angular_velocity.is_finite()) {
            return refuse("velocity".into(), format!("{}", self.velocity), "finite numbers");
        }
        Ok(())
    }
}

type Problem = Option<(&'static str, String, &'static str)>;

impl OrientedParticle {
    fn problem(&self) -> Problem {
        let share = |value: f32| (0.0..=1.0).contains(&value);
        let (least, most) = (self.radii.min_element(), self.radii.max_element());
        if !self.position.is_finite() {
            Some(("position", self.position.to_string(), "finite numbers, metres"))
        } else if !self.orientation.is_normalized() {
            Some(("orientation", self.orientation.to_string(), "a unit quaternion"))
        } else if !(self.radii.is_finite() && least > 0.0 && most <= FLATTEST * least) {
            let expected = "positive lengths, metres, the largest at most 20 times the smallest";
            Some(("radii", self.radii.to_string(), expected))
        } else if !(self.mass >= LEAST_MASS && self.mass.is_finite()) {
            Some(("mass", self.mass.to_string(), "positive, 1e-30 kg or more"))
        } else if !share(self.stiffness) {
            Some(("stiffness", self.stiffness.to_string(), "between 0 and 1"))
        } else if !share(self.torsion) {
            Some(("torsion", self.torsion.to_string(), "between 0 and 1"))
        } else if !self.buoyancy.is_finite() {
            Some(("buoyancy", self.buoyancy.to_string(), "a finite number"))
        } else {
            None
        }
    }
}

impl Edge {
    fn problem(&self, count: usize) -> Problem {
        let [a, b] = self.particles;
        if a == b || a.max(b) as usize >= count {
            return Some((
                "particles",
                format!("{a}, {b}"),
                "two different particles of the creature",
            ));
        }
        if let Some(expected) = self.stretch.and_then(|softness| softness.problem()) {
            return Some(("stretch", format!("{:?}", self.stretch), expected));
        }
        self.muscle.and_then(|muscle| muscle.problem())
    }
}

impl Muscle {
    fn problem(&self) -> Problem {
        let fine = (0.0..1.0).contains(&self.amplitude) && self.frequency.is_finite() && self.phase.is_finite();
        let expected = "an amplitude from 0 to below 1, finite frequency (Hz) and phase";
        (!fine).then(|| ("muscle", format!("{self:?}"), expected))
    }
}
