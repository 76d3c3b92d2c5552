//! Spray, foam and bubbles stay out of colliders.

use glam::Vec3;

use super::super::State;
use crate::colliders::{SurfacePlane, Sweep};
use crate::foam::kinds::{SIZE, TOUCHES, WETS, stopped};
use crate::particles::passive::PassiveKind;

/// Where a particle comes to in a sub-step.
pub(super) struct Moved {
    pub(super) end: Vec3,
    pub(super) velocity: Vec3,
    touches: bool,
}

impl Moved {
    /// How fast it ages there.
    pub(super) fn ageing(&self, kind: PassiveKind) -> f32 {
        if self.touches && kind == PassiveKind::Spray {
            WETS
        } else {
            kind.ageing()
        }
    }
}

impl State {
    /// Moves a particle on from a place for `h` seconds, as far as colliders let it.
    pub(super) fn out_of_walls(&self, start: Vec3, velocity: Vec3, h: f32, planes: &mut Vec<SurfacePlane>) -> Moved {
        let radius = SIZE * self.frame.settings.particle_radius;
        let mut moved = Moved {
            end: start + h * velocity,
            velocity,
            touches: false,
        };
        for moving in &self.colliders {
            if !moving.may_touch(start, moved.end, TOUCHES * radius) {
                continue;
            }
            let sweep = Sweep {
                start: moving.from.local_point(start),
                end: moving.to.local_point(moved.end),
                radius,
                margin: (TOUCHES - 1.0) * radius,
            };
            planes.clear();
            self.frame.colliders[moving.index]
                .collider
                .shape
                .contacts(&sweep, planes);
            for plane in planes.iter() {
                let (point, normal) = (moving.to.point(plane.point), moving.to.direction(plane.normal));
                let depth = radius - (moved.end - point).dot(normal);
                moved.touches = true;
                if depth > 0.0 {
                    moved.end += depth * normal;
                    moved.velocity = stopped(moved.velocity, moving.travel(point, plane) / h, normal);
                }
            }
        }
        moved
    }
}
