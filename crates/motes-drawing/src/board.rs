//! Planes in pictures: a square board with a soft checker, seen only from the open side.

use glam::Vec3;
use motes_core::Pose;
use motes_core::colliders::Plane;
use motes_render::{Camera, Mesh, MeshInstance};
use motes_scene::ColliderLook;

/// Half the edge of a board, in distances of the camera from its target.
const REACH: f32 = 3.0;

/// Squares from the middle of a board to its edge.
const SQUARES: i32 = 12;

/// How much darker every other square is.
const CONTRAST: f32 = 0.06;

/// A plane collider, in its own frame.
pub(crate) struct Board {
    plane: Plane,
    /// The lighter and the darker squares.
    squares: [Mesh; 2],
}

impl Board {
    /// The part of a plane, at a pose, that is before the camera.
    pub(crate) fn new(plane: Plane, pose: &Pose, camera: &Camera) -> Self {
        let (middle, edges) = layout(&plane, pose, camera);
        let [across, along] = edges.map(|edge| edge / SQUARES as f32);
        let place = |x: i32, y: i32| middle + x as f32 * across + y as f32 * along;
        let squares = [0, 1].map(|parity| {
            let (mut positions, mut triangles) = (Vec::new(), Vec::new());
            for (x, y) in (-SQUARES..SQUARES).flat_map(|x| (-SQUARES..SQUARES).map(move |y| (x, y))) {
                if (x + y).rem_euclid(2) == parity {
                    let first = positions.len() as u32;
                    positions.extend([place(x, y), place(x + 1, y), place(x + 1, y + 1), place(x, y + 1)]);
                    triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
                }
            }
            Mesh::new(positions, triangles, false)
        });
        Self { plane, squares }
    }

    /// A point of the plane at a pose, metres, and its unit normal.
    pub(crate) fn plane_at(&self, pose: &Pose) -> (Vec3, Vec3) {
        let normal = self.plane.normal();
        (pose.point(self.plane.offset() * normal), pose.direction(normal))
    }

    /// Whether the open side of the plane faces a camera.
    pub(crate) fn faces(&self, pose: &Pose, camera: Vec3) -> bool {
        self.plane.signed_distance(pose.local_point(camera)).0 > 0.0
    }

    /// The squares of the board at a pose.
    pub(crate) fn instances(&self, pose: &Pose, look: &ColliderLook) -> [MeshInstance<'_>; 2] {
        let [light, dark] = [1.0, 1.0 - CONTRAST].map(|share| look.color.0.map(|part| (f32::from(part) * share) as u8));
        let instance = |mesh, color| MeshInstance {
            mesh,
            pose: pose.to_affine(),
            color,
            opacity: look.opacity,
            casts_shadow: false,
        };
        [instance(&self.squares[0], light), instance(&self.squares[1], dark)]
    }
}

/// The part of a plane, at a pose, that is before the camera: the middle of a square in the plane's frame, and how far it is from
/// there to two of its edges. Seen from the open side the second lies to the left of the first.
pub(crate) fn layout(plane: &Plane, pose: &Pose, camera: &Camera) -> (Vec3, [Vec3; 2]) {
    let normal = plane.normal();
    let target = pose.local_point(camera.target);
    let middle = target - normal * (normal.dot(target) - plane.offset());
    let upright = pose.rotation.inverse() * camera.up;
    let across = upright.cross(normal).try_normalize();
    let across = across.unwrap_or_else(|| normal.any_orthonormal_vector());
    let reach = REACH * camera.position.distance(camera.target);
    (middle, [reach * across, reach * normal.cross(across)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    fn camera() -> Camera {
        Camera {
            position: Vec3::new(0.0, 2.0, 6.0),
            target: Vec3::Y,
            up: Vec3::Y,
            field_of_view: 40.0,
        }
    }

    fn board(normal: Vec3, offset: f32) -> Board {
        let plane = Plane::new(normal, offset).expect("a plane");
        Board::new(plane, &Pose::IDENTITY, &camera())
    }

    #[test]
    fn a_board_lies_in_its_plane_before_the_camera() {
        let normal = Vec3::new(1.0, 2.0, -0.5).normalize();
        let board = board(normal, 0.7);
        let corners = board.squares.iter().flat_map(Mesh::positions);
        assert!(corners.clone().all(|corner| (corner.dot(normal) - 0.7).abs() < 1e-4));
        let count = corners.clone().count() as f32;
        let middle = corners.sum::<Vec3>() / count;
        assert!(middle.distance(Vec3::Y) < 1.0, "{middle}");
    }

    #[test]
    fn a_wall_is_seen_from_its_open_side_only() {
        let wall = board(Vec3::Z, -1.0);
        assert!(wall.faces(&Pose::IDENTITY, camera().position));
        assert!(!wall.faces(&Pose::at(Vec3::Z * 9.0), camera().position));
    }

    #[test]
    fn a_board_goes_where_its_collider_goes() {
        let wall = board(Vec3::Z, -1.0);
        let pose = Pose {
            position: Vec3::X,
            rotation: Quat::from_rotation_y(std::f32::consts::FRAC_PI_2),
        };
        let (point, normal) = wall.plane_at(&pose);
        assert!(
            normal.distance(Vec3::X) < 1e-6 && point.length() < 1e-6,
            "{point} {normal}"
        );
    }
}
