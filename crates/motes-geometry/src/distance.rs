//! Signed distance to a mesh: exact distances to its triangles, signs by the generalised winding number, so that small
//! holes and overlapping parts do no harm.

use glam::{Vec3, Vec4};

use crate::mesh::Mesh;
use crate::tree::{Recent, Tree};

/// Answers how far points are from the surface of a mesh, and on which side.
pub struct MeshDistance {
    tree: Tree,
    size: f32,
}

impl std::fmt::Debug for MeshDistance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MeshDistance").finish_non_exhaustive()
    }
}

/// Points of the surface that are nearest within this share of the distance count as equally near.
const EQUALLY_NEAR: f32 = 0.02;

/// Where several points of the surface are equally near, the one furthest along this direction is chosen, so that
/// neighbours choose alike.
const PREFERRED: Vec3 = Vec3::new(0.36, 0.80, 0.48);

impl MeshDistance {
    /// Prepares a mesh; its triangles must be in range and finite, as [`repair`](crate::repair()) leaves them.
    pub fn new(mesh: &Mesh) -> Self {
        Self {
            tree: Tree::new(mesh),
            size: mesh.bounds().size().max_element(),
        }
    }

    /// Whether a point lies inside: the surface goes around it more than half.
    pub fn is_inside(&self, point: Vec3) -> bool {
        self.tree.winding_number(point) > 0.5
    }

    /// Distance to the surface, metres, negative inside; infinite if there are no triangles.
    pub fn signed_distance(&self, point: Vec3) -> f32 {
        let distance = self.unsigned(point, f32::INFINITY);
        if self.is_inside(point) { -distance } else { distance }
    }

    /// Whether the straight line between two places does not cross the surface; surface at the places themselves does not
    /// count. Two places inside that see each other are of the same limb.
    pub fn is_clear(&self, from: Vec3, to: Vec3) -> bool {
        self.tree.is_clear(from, to)
    }

    /// Normals of the faces that come within `reach` of a point, metres, and how far away they are (w), if they differ by more than
    /// 45° from `known` and from each other; two at most. The second value tells whether one of them is opposite to `known`, as in a plate.
    pub(crate) fn other_faces(&self, point: Vec3, reach: f32, known: Vec3) -> ([Vec4; 2], bool) {
        let mut found = [Vec4::ZERO; 2];
        let mut count = 0;
        let mut is_thin = false;
        self.tree.each_within(point, reach, |surface, place| {
            let normal = self.tree.normal(place).normalize_or_zero();
            if normal == Vec3::ZERO || normal.dot(known) > 0.7 {
                return;
            }
            is_thin |= normal.dot(known) < -0.7;
            let is_new = found[..count].iter().all(|other| normal.dot(other.truncate()) < 0.7);
            if is_new && count < 2 && normal.dot(known) > -0.7 {
                found[count] = normal.extend(normal.dot(surface - point));
                count += 1;
            }
        });
        (found, is_thin)
    }

    /// Distance to the surface, metres, or `limit` if it is farther.
    pub(crate) fn unsigned(&self, point: Vec3, limit: f32) -> f32 {
        self.tree
            .nearest(point, limit)
            .map_or(limit, |nearest| nearest.distance)
    }

    /// Distance to the surface, metres, or `limit` if it is farther; if it is nearer than `enough`, any distance up to that.
    pub(crate) fn unsigned_or_enough(&self, point: Vec3, limit: f32, enough: f32, recent: &mut Recent) -> f32 {
        let nearest = self.tree.nearest_or_enough(point, limit, enough, recent);
        nearest.map_or(limit, |nearest| nearest.distance)
    }

    /// Signed distance and the unit direction in which it grows, which points out of the solid.
    ///
    /// On the surface the direction is its normal. On the medial axis, where it is ambiguous, the choice is arbitrary
    /// but the same for neighbouring points (the paper leaves it open, figure 7).
    pub fn with_gradient(&self, point: Vec3) -> (f32, Vec3) {
        let Some(nearest) = self.tree.nearest(point, f32::INFINITY) else {
            return (f32::INFINITY, Vec3::Y);
        };
        let sign = if self.is_inside(point) { -1.0 } else { 1.0 };
        let tolerance = 1e-5 * self.size;
        let mut normals = Vec3::ZERO;
        let away = |surface: Vec3| sign * (point - surface).normalize_or_zero();
        let direct = away(nearest.point);
        let mut chosen = direct;
        let mut is_ambiguous = false;
        let reach = nearest.distance * (1.0 + EQUALLY_NEAR) + tolerance;
        self.tree.each_within(point, reach, |surface, place| {
            normals += self.tree.normal(place);
            let direction = away(surface);
            is_ambiguous |= direction.dot(direct) < 0.5;
            if direction.dot(PREFERRED) > chosen.dot(PREFERRED) {
                chosen = direction;
            }
        });
        let gradient = if nearest.distance <= tolerance {
            normals
                .try_normalize()
                .unwrap_or_else(|| self.tree.normal(nearest.place))
        } else if is_ambiguous {
            chosen
        } else {
            direct
        };
        let gradient = gradient.try_normalize().unwrap_or(Vec3::Y);
        (sign * nearest.distance, gradient)
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::cuboid;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn distance_and_gradient_of_a_box_are_those_of_its_formula(p in prop::array::uniform3(-1.6f32..1.6)) {
            let half = Vec3::new(0.5, 1.0, 0.7);
            let (point, distance) = (Vec3::from(p), MeshDistance::new(&cuboid(half)));
            let (found, gradient) = distance.with_gradient(point);
            let expected = crate::primitives::cuboid(point, half);
            prop_assert!((found - expected).abs() < 1e-5);
            prop_assert!((gradient.length() - 1.0).abs() < 1e-5);
            let ahead = crate::primitives::cuboid(point + 1e-3 * gradient, half);
            let mut faces = [half - point, half + point].map(|inside| inside.to_array()).concat();
            faces.sort_by(f32::total_cmp);
            let on_medial_axis = expected < 0.0 && faces[1] < faces[0] * (1.0 + 2.0 * EQUALLY_NEAR);
            prop_assert!(on_medial_axis || ahead > expected - 3e-5, "{ahead} after {expected}");
        }
    }

    #[test]
    fn on_the_surface_the_gradient_is_the_normal() {
        let distance = MeshDistance::new(&cuboid(Vec3::ONE));
        for point in [Vec3::new(1.0, 0.2, 0.3), Vec3::new(0.4, -0.3, -1.0)] {
            let (found, gradient) = distance.with_gradient(point);
            assert!(found.abs() < 1e-6);
            assert!(
                gradient.dot(point.signum()) > 0.99 && gradient.abs().max_element() > 0.99,
                "{gradient}"
            );
        }
    }

    proptest! {
        #[test]
        fn a_line_is_clear_where_its_ends_and_all_between_are_on_one_side(
            from in prop::array::uniform3(-1.0f32..1.0),
            to in prop::array::uniform3(-1.0f32..1.0),
        ) {
            let (from, to) = (Vec3::from(from), Vec3::from(to));
            let mut pair = cuboid(Vec3::new(0.3, 0.6, 0.6));
            pair.append(&cuboid(Vec3::splat(0.2)).transformed(&glam::Affine3A::from_translation(Vec3::X * 0.7)));
            let distance = MeshDistance::new(&pair);
            let sides: Vec<bool> = (0..=400)
                .map(|step| distance.is_inside(from.lerp(to, step as f32 / 400.0)))
                .collect();
            // Surface at the ends themselves does not count.
            prop_assume!([from, to].iter().all(|end| distance.signed_distance(*end).abs() > 0.02));
            let is_clear = distance.is_clear(from, to);
            prop_assert_eq!(is_clear, distance.is_clear(to, from));
            if sides.contains(&!sides[0]) {
                prop_assert!(!is_clear);
            }
            if sides == [true; 401] {
                prop_assert!(is_clear);
            }
        }
    }

    #[test]
    fn in_the_middle_of_a_plate_all_gradients_agree() {
        let distance = MeshDistance::new(&cuboid(Vec3::new(2.0, 0.1, 2.0)));
        for index in 0..200u64 {
            let random = |axis: u64| 2.0 * motes_core::random::unit_at(9, 3 * index + axis) - 1.0;
            let point = Vec3::new(1.5 * random(0), 1e-6 * random(1), 1.5 * random(2));
            assert!(distance.with_gradient(point).1.y > 0.99);
        }
    }

    #[test]
    fn a_missing_triangle_does_not_turn_the_inside_out() {
        let mut open = crate::models::by_name("torus").unwrap().mesh(32).unwrap();
        let count = open.triangles.len();
        open.triangles.truncate(count - 6);
        let distance = MeshDistance::new(&open);
        assert!(distance.signed_distance(Vec3::new(0.35, 0.15, 0.0)) < -0.1);
        assert!(distance.signed_distance(Vec3::new(0.0, 0.15, 0.0)) > 0.1);
    }
}
