//! Exact signed distances of simple solids around the origin, upright along y (formulas after I. Quilez, "Distance functions").

use glam::{Vec2, Vec3, Vec3Swizzles};

/// Distance from the axis and height of a point.
fn radial(point: Vec3) -> Vec2 {
    Vec2::new(point.xz().length(), point.y)
}

/// Distance to a rectangle or a box from the signed distances to its faces.
fn from_face_distances(faces: Vec3) -> f32 {
    faces.max(Vec3::ZERO).length() + faces.max_element().min(0.0)
}

pub(crate) fn cuboid(point: Vec3, half_extents: Vec3) -> f32 {
    from_face_distances(point.abs() - half_extents)
}

pub(crate) fn cylinder(point: Vec3, radius: f32, half_height: f32) -> f32 {
    let q = radial(point);
    let (side, cap) = (q.x - radius, q.y.abs() - half_height);
    from_face_distances(Vec3::new(side, cap, f32::NEG_INFINITY))
}

pub(crate) fn frustum(point: Vec3, bottom_radius: f32, top_radius: f32, half_height: f32) -> f32 {
    let q = radial(point);
    let top = Vec2::new(top_radius, half_height);
    let slant = Vec2::new(top_radius - bottom_radius, 2.0 * half_height);
    let cap_radius = if q.y < 0.0 { bottom_radius } else { top_radius };
    let to_cap = Vec2::new(q.x - q.x.min(cap_radius), q.y.abs() - half_height);
    let along = ((top - q).dot(slant) / slant.length_squared()).clamp(0.0, 1.0);
    let to_side = q - top + slant * along;
    let magnitude = to_cap.length_squared().min(to_side.length_squared()).sqrt();
    if to_side.x < 0.0 && to_cap.y < 0.0 {
        -magnitude
    } else {
        magnitude
    }
}

pub(crate) fn capsule(point: Vec3, radius: f32, half_height: f32) -> f32 {
    let nearest = point.y.clamp(-half_height, half_height);
    (point - Vec3::new(0.0, nearest, 0.0)).length() - radius
}

pub(crate) fn torus(point: Vec3, ring_radius: f32, tube_radius: f32) -> f32 {
    let q = radial(point);
    Vec2::new(q.x - ring_radius, q.y).length() - tube_radius
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f32, expected: f32) {
        assert!((found - expected).abs() < 1e-5, "{found} is not {expected}");
    }

    #[test]
    fn box_distance_is_to_face_edge_and_corner() {
        let half = Vec3::ONE;
        close(cuboid(Vec3::new(3.0, 0.0, 0.0), half), 2.0);
        close(cuboid(Vec3::new(4.0, 5.0, 0.0), half), 5.0);
        close(cuboid(Vec3::splat(2.0), half), 3.0f32.sqrt());
        close(cuboid(Vec3::new(0.0, 0.25, 0.0), half), -0.75);
    }

    #[test]
    fn cylinder_distance_is_to_wall_cap_and_rim() {
        close(cylinder(Vec3::new(3.0, 0.0, 4.0), 2.0, 1.0), 3.0);
        close(cylinder(Vec3::new(0.0, 3.0, 1.0), 2.0, 1.0), 2.0);
        close(cylinder(Vec3::new(5.0, 5.0, 0.0), 2.0, 1.0), 5.0);
        close(cylinder(Vec3::ZERO, 2.0, 1.0), -1.0);
    }

    #[test]
    fn frustum_with_equal_radii_is_a_cylinder() {
        for point in [
            Vec3::ZERO,
            Vec3::new(1.0, 0.3, 0.5),
            Vec3::new(3.0, 2.0, 0.1),
            Vec3::new(0.2, -4.0, 0.0),
        ] {
            close(frustum(point, 2.0, 2.0, 1.0), cylinder(point, 2.0, 1.0));
        }
    }

    #[test]
    fn cone_distance_is_perpendicular_to_its_slant() {
        // A cone of 45 degrees: from (1, 0) on the floor level of its middle, the slant is 1/sqrt(2) * (1 - 0) away.
        close(frustum(Vec3::new(2.0, 0.0, 0.0), 2.0, 0.0, 1.0), 0.5f32.sqrt());
        close(frustum(Vec3::new(0.0, 0.0, 0.0), 2.0, 0.0, 1.0), -(0.5f32.sqrt()));
    }

    #[test]
    fn torus_and_capsule_distances_are_to_their_cores() {
        close(torus(Vec3::new(0.0, 0.0, 5.0), 3.0, 1.0), 1.0);
        close(torus(Vec3::ZERO, 3.0, 1.0), 2.0);
        close(capsule(Vec3::new(0.0, 4.0, 0.0), 1.0, 2.0), 1.0);
        close(capsule(Vec3::new(3.0, 1.5, 4.0), 1.0, 2.0), 4.0);
    }
}
