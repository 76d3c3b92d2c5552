//! Edits of whole bodies: what becomes of the body itself, and of its particles.

use glam::Vec4Swizzles;

use crate::body::bodies::Bodies;
use crate::constraints::rigid::pseudo_inverse;
use crate::engine::edit::{BodyChange, Change, Edit};
use crate::particles::Particles;

impl Bodies {
    /// Takes note of an edit of the body at a place in the list, as far as it concerns the body itself.
    pub fn note(&mut self, place: usize, change: &BodyChange) {
        let Some(body) = self.list.get_mut(place) else { return };
        match change {
            BodyChange::Kick { .. } | BodyChange::Velocity { .. } => {}
            BodyChange::Pose(pose) => {
                body.rotation = pose.rotation;
                body.drive = None;
                body.path = body.path.map(|_| [*pose; 2]);
                let clusters = body.clusters();
                for cluster in &mut self.clusters[clusters] {
                    cluster.rotation = pose.rotation;
                }
            }
            BodyChange::Kinematic(pose) => {
                body.path = pose.map(|pose| [pose; 2]);
                body.drive = None;
            }
        }
    }

    /// What an edit of the body at a place in the list does to its particles that are alive.
    pub fn edits_of_members(&self, place: usize, change: &BodyChange, particles: &Particles) -> Vec<Edit> {
        let Some(body) = self.list.get(place) else {
            return Vec::new();
        };
        let Some(motion) = self.motion(body.id, particles) else {
            return Vec::new();
        };
        let (mut velocity, mut turning) = (motion.velocity, motion.angular_velocity);
        match *change {
            BodyChange::Kick { impulse, point } => {
                velocity += impulse / motion.mass;
                turning += pseudo_inverse(&motion.inertia) * (point - motion.center).cross(impulse);
            }
            BodyChange::Velocity {
                velocity: given,
                angular_velocity,
            } => (velocity, turning) = (given, angular_velocity),
            BodyChange::Pose(_) | BodyChange::Kinematic(_) => {}
        }
        let of_member = |member: usize| {
            let (id, rest) = (self.particles[member], self.rest[member]);
            let position = particles.positions[particles.slot(id)?];
            let (is_pinned, position) = (position.w == 0.0, position.xyz());
            let change = match change {
                BodyChange::Kick { .. } | BodyChange::Velocity { .. } if is_pinned => return None,
                BodyChange::Kick { .. } | BodyChange::Velocity { .. } => {
                    Change::Velocity(velocity + turning.cross(position - motion.center))
                }
                BodyChange::Pose(pose) => Change::Position(pose.point(body.origin + rest.xyz())),
                BodyChange::Kinematic(Some(_)) => Change::InverseMass(0.0),
                BodyChange::Kinematic(None) => Change::InverseMass(1.0 / rest.w),
            };
            Some(Edit::Particle(id, change))
        };
        body.members().filter_map(of_member).collect()
    }
}
