//! How rigid bodies yield to impulses on their particles.

use std::collections::{HashMap, HashSet};

use glam::{Mat3A, Vec3, Vec4, Vec4Swizzles};

use super::bodies::{Bodies, Body};
use crate::constraints::rigid::Mobility;
use crate::particles::ParticleId;

impl Body {
    fn rest_center(&self, rest: &[Vec4]) -> Vec3 {
        let sum = rest[self.members()]
            .iter()
            .map(|rest| rest.xyz().extend(1.0) * rest.w)
            .sum::<Vec4>();
        sum.xyz() / sum.w
    }

    /// Effective inverse mass, 1/kg, of particles at the ends of some arms from the centre of a rigid body, metres in its rest
    /// shape: what each may count on so that impulses on all of them, in whatever directions, do not overshoot.
    pub fn mobility(&self, arms: impl Iterator<Item = Vec3>) -> f32 {
        let mut all = Mobility::ZERO;
        for arm in arms {
            all.add(arm.into(), &Mat3A::IDENTITY);
        }
        all.largest(1.0 / self.mass, &Mat3A::from(self.inverse_inertia))
    }
}

impl Bodies {
    /// The same, each by itself, of those particles that belong to rigid bodies which nobody drives.
    pub(crate) fn mobilities(&self, of: impl Iterator<Item = ParticleId>) -> HashMap<ParticleId, f32> {
        let mut found = HashMap::new();
        if self.is_empty() {
            return found;
        }
        let wanted: HashSet<ParticleId> = of.collect();
        for body in self.list.iter().filter(|body| body.is_rigid() && body.path.is_none()) {
            let members = body
                .members()
                .filter(|&member| wanted.contains(&self.particles[member]));
            for member in members {
                let center = body.rest_center(&self.rest);
                let arm = self.rest[member].xyz() - center;
                found.insert(self.particles[member], body.mobility(std::iter::once(arm)));
            }
        }
        found
    }
}
