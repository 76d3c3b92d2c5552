//! A collider in a world: a shape, where it is and was, and what it does to particles.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use crate::colliders::Shape;
use crate::material::MaterialId;
use crate::particles::phase::Phase;
use crate::space::bounds::Bounds;
use crate::space::motion::Motion;
use crate::space::pose::Pose;

/// Names one collider for as long as it lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ColliderId {
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

/// How the surface of a collider runs along itself while its shape stays: a conveyor belt, a turntable, a roller. Friction
/// draws along what touches it; of the velocity at a point only what is along the surface counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SurfaceMotion {
    /// Velocity in the collider's own frame, m/s.
    pub velocity: Vec3,
    /// Angular velocity in that frame, rad/s.
    pub angular_velocity: Vec3,
    /// A point of the axis that it turns about, metres in that frame.
    pub center: Vec3,
}

/// How far a surface runs in some time, in the collider's own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceRun {
    /// How far the origin of the frame would go along, metres.
    pub offset: Vec3,
    /// Axis times angle by which the surface turns.
    pub turn: Vec3,
    /// The rotation that undoes the turn.
    pub back: Quat,
}

impl SurfaceMotion {
    /// A surface that does not run.
    pub const STILL: Self = Self {
        velocity: Vec3::ZERO,
        angular_velocity: Vec3::ZERO,
        center: Vec3::ZERO,
    };

    /// Runs straight on, m/s in the collider's own frame.
    pub fn straight(velocity: Vec3) -> Self {
        Self {
            velocity,
            ..Self::STILL
        }
    }

    /// Runs about an axis through the origin of the collider's own frame, rad/s.
    pub fn about(angular_velocity: Vec3) -> Self {
        Self {
            angular_velocity,
            ..Self::STILL
        }
    }

    /// Whether it runs at all.
    pub fn is_still(&self) -> bool {
        self.velocity == Vec3::ZERO && self.angular_velocity == Vec3::ZERO
    }

    /// How far it runs in `seconds`.
    pub fn during(&self, seconds: f32) -> SurfaceRun {
        let turn = seconds * self.angular_velocity;
        let back = Quat::from_scaled_axis(-turn);
        SurfaceRun {
            offset: seconds * self.velocity + (back * self.center - self.center),
            turn,
            back,
        }
    }

    /// Whether every number of it is finite.
    pub fn is_finite(&self) -> bool {
        self.velocity.is_finite() && self.angular_velocity.is_finite() && self.center.is_finite()
    }
}

impl SurfaceRun {
    /// How far the surface ran along itself to come to a point with a unit normal, metres; all in the collider's own frame.
    pub fn along(&self, point: Vec3, normal: Vec3) -> Vec3 {
        // On a circle: along its tangent, what a turntable carries would spiral inwards.
        let moved = self.offset + (point - self.back * point);
        moved - moved.dot(normal) * normal
    }
}

/// A shape that particles cannot enter, or, as a trigger, one that notices them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Collider {
    /// Name for messages.
    pub name: String,
    /// The shape, in its local frame.
    pub shape: Shape,
    /// Its surface: friction and restitution.
    pub material: MaterialId,
    /// Pose at time zero; motions are relative to it.
    pub initial_pose: Pose,
    /// How it moves by itself.
    pub motion: Motion,
    /// How its surface runs along itself.
    pub surface: SurfaceMotion,
    /// Particles that share a channel with it are affected.
    pub channels: u8,
    /// Reports overlaps instead of colliding.
    pub trigger: bool,
}

impl Collider {
    /// A fixed collider for every channel.
    pub fn new(name: impl Into<String>, shape: Shape, material: MaterialId, pose: Pose) -> Self {
        Self {
            name: name.into(),
            shape,
            material,
            initial_pose: pose,
            motion: Motion::Fixed,
            surface: SurfaceMotion::STILL,
            channels: Phase::ALL_CHANNELS,
            trigger: false,
        }
    }

    /// The same collider with a motion.
    pub fn moving(self, motion: Motion) -> Self {
        Self { motion, ..self }
    }

    /// The same collider with a surface that runs.
    pub fn running(self, surface: SurfaceMotion) -> Self {
        Self { surface, ..self }
    }

    /// The same collider as a trigger.
    pub fn as_trigger(self) -> Self {
        Self { trigger: true, ..self }
    }
}

/// A collider over one frame, as engines see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColliderFrame {
    /// Handle of the collider.
    pub id: ColliderId,
    /// The collider itself.
    pub collider: Collider,
    /// Pose at the start of the frame.
    pub from: Pose,
    /// Pose at the end of the frame.
    pub to: Pose,
}

impl ColliderFrame {
    /// Whether the collider can touch anything in a box during the frame. Says no only for planes, which have no
    /// bounds of their own to go by.
    pub(crate) fn reaches(&self, bounds: &Bounds) -> bool {
        let Shape::Plane(plane) = &self.collider.shape else {
            return true;
        };
        [self.from, self.to].iter().any(|pose| {
            let normal = pose.direction(plane.normal());
            let height = (bounds.center() - pose.point(plane.offset() * plane.normal())).dot(normal);
            height <= 0.5 * bounds.size().dot(normal.abs())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_surface_runs_along_itself_only() {
        let belt = SurfaceMotion::straight(Vec3::new(2.0, 1.0, 0.0)).during(0.5);
        assert_eq!(belt.along(Vec3::ONE, Vec3::Y), Vec3::new(1.0, 0.0, 0.0));
        assert_eq!(belt.along(Vec3::ONE, Vec3::Z), Vec3::new(1.0, 0.5, 0.0));
        let roller = SurfaceMotion::about(Vec3::new(0.0, 0.0, -3.0)).during(1e-3);
        let near = |a: Vec3, b: Vec3| a.distance(b) < 1e-6;
        assert!(near(roller.along(Vec3::Y * 0.5, Vec3::Y), Vec3::X * 1.5e-3));
        assert!(near(roller.along(Vec3::X * 0.5, Vec3::X), Vec3::Y * -1.5e-3));
    }

    #[test]
    fn a_turntable_carries_round_its_center() {
        let center = Vec3::new(1.0, 0.0, 2.0);
        let table = SurfaceMotion {
            center,
            ..SurfaceMotion::about(Vec3::Y)
        };
        let end = Vec3::new(1.3, 0.0, 2.4);
        let start = end - table.during(0.7).along(end, Vec3::Y);
        assert!((start.distance(center) - end.distance(center)).abs() < 1e-6, "{start}");
        let turned = (start - center).angle_between(end - center);
        assert!((turned - 0.7).abs() < 1e-5, "{turned}");
        assert!(table.during(0.7).along(center, Vec3::Y).length() < 1e-6);
    }
}
