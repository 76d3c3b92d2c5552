//! Colliders as they are drawn.

use motes_core::{Collider, Pose, Shape, World};
use motes_geometry::{Detail, tessellate};
use motes_render::{Camera, Mesh, MeshInstance};
use motes_scene::ColliderLook;

use crate::board::Board;
use crate::style::Style;

/// A collider, how it looks and where it is.
pub(crate) struct Obstacle {
    look: ColliderLook,
    body: Body,
    /// Nothing if the collider is gone or switched off.
    pose: Option<Pose>,
}

/// What is drawn of a collider, in its own frame.
enum Body {
    Solid(Mesh),
    Plane(Board),
}

impl Obstacle {
    /// A collider whose planes reach as far as a camera wants.
    pub(crate) fn new(collider: &Collider, look: ColliderLook, camera: &Camera) -> Self {
        let body = match &collider.shape {
            Shape::Plane(plane) => Body::Plane(Board::new(*plane, &collider.initial_pose, camera)),
            shape => {
                let mesh = tessellate(shape, &Detail::default());
                Body::Solid(Mesh::new(mesh.positions, mesh.triangles, is_smooth(shape)))
            }
        };
        let pose = Some(collider.initial_pose);
        Self { look, body, pose }
    }

    /// Goes where the collider is.
    pub(crate) fn follow(&mut self, world: &World) {
        let is_on = world.is_collider_on(self.look.collider).unwrap_or(false);
        self.pose = world.collider_pose(self.look.collider).filter(|_| is_on);
    }

    /// Adds what is seen of the collider. A plane within `tolerance` of the ground, metres, is the ground.
    pub(crate) fn draw<'a>(
        &'a self,
        style: &Style,
        camera: &Camera,
        tolerance: f32,
        meshes: &mut Vec<MeshInstance<'a>>,
    ) {
        let Some(pose) = &self.pose else {
            return;
        };
        match &self.body {
            Body::Solid(mesh) => meshes.push(MeshInstance {
                mesh,
                pose: pose.to_affine(),
                color: self.look.color.0,
                opacity: self.look.opacity,
                casts_shadow: true,
            }),
            Body::Plane(board) => {
                let (point, normal) = board.plane_at(pose);
                if !style.is_ground(point, normal, tolerance) && board.faces(pose, camera.position) {
                    meshes.extend(board.instances(pose, &self.look));
                }
            }
        }
    }
}

/// Whether the edges of a shape between small angles are not to be seen.
pub(crate) fn is_smooth(shape: &Shape) -> bool {
    use Shape::{Capsule, Heightfield, SdfGrid, Sphere, TriangleMesh};
    matches!(
        shape,
        Capsule(_) | Heightfield(_) | SdfGrid(_) | Sphere(_) | TriangleMesh(_)
    )
}
