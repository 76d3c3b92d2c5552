//! Questions to single triangles that only meshes of files ask; nearest points are those of [`motes_core::colliders::Triangle`].

use glam::{Vec2, Vec3};

/// Solid angle of a triangle seen from a point, positive from behind (Van Oosterom & Strackee 1983).
pub(crate) fn solid_angle(point: Vec3, corners: [Vec3; 3]) -> f32 {
    let [a, b, c] = corners.map(|corner| corner - point);
    let (la, lb, lc) = (a.length(), b.length(), c.length());
    let numerator = a.dot(b.cross(c));
    let denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    2.0 * numerator.atan2(denominator)
}

/// Where a line along +x through `(y, z)` crosses a triangle, and whether it leaves the solid there.
pub(crate) fn crossing(line: Vec2, corners: [Vec3; 3]) -> Option<(f32, bool)> {
    let flat = corners.map(|corner| Vec2::new(corner.y, corner.z).as_dvec2() - line.as_dvec2());
    // An edge is always worked out from the same end, so that its two triangles agree on the side of the line.
    let side = |from: usize, to: usize| {
        let (p, q) = (flat[from], flat[to]);
        if (p.x, p.y) < (q.x, q.y) {
            p.perp_dot(q)
        } else {
            -q.perp_dot(p)
        }
    };
    let (wa, wb, wc) = (side(1, 2), side(2, 0), side(0, 1));
    let total = wa + wb + wc;
    let all_left = wa > 0.0 && wb > 0.0 && wc > 0.0;
    let all_right = wa < 0.0 && wb < 0.0 && wc < 0.0;
    if !(all_left || all_right) {
        return None;
    }
    let x = [wa, wb, wc]
        .iter()
        .zip(&corners)
        .map(|(weight, corner)| weight * f64::from(corner.x))
        .sum::<f64>()
        / total;
    Some((x as f32, all_left))
}

/// Where a segment crosses a triangle, as a share of its length from its start (Möller & Trumbore 1997).
pub(crate) fn piercing(start: Vec3, along: Vec3, [a, b, c]: [Vec3; 3]) -> Option<f32> {
    let (ab, ac) = (b - a, c - a);
    let across = along.cross(ac);
    let determinant = ab.dot(across);
    if determinant == 0.0 {
        return None;
    }
    let from = start - a;
    let u = from.dot(across) / determinant;
    let turned = from.cross(ab);
    let v = along.dot(turned) / determinant;
    let share = ac.dot(turned) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && (0.0..=1.0).contains(&share)).then_some(share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::PI;

    #[test]
    fn a_face_of_a_cube_is_a_sixth_of_the_view() {
        let corner = |y: f32, z: f32| Vec3::new(1.0, y, z);
        let halves = [
            [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0)],
            [corner(-1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)],
        ];
        let seen: f32 = halves.iter().map(|&half| solid_angle(Vec3::ZERO, half)).sum();
        assert!((seen - 4.0 * PI / 6.0).abs() < 1e-5, "{seen}");
    }

    #[test]
    fn a_line_crosses_where_the_plane_is_and_leaves_through_a_face_along_x() {
        let face = [
            Vec3::new(2.0, -1.0, -1.0),
            Vec3::new(2.0, 1.0, -1.0),
            Vec3::new(2.0, 0.0, 2.0),
        ];
        assert_eq!(crossing(Vec2::ZERO, face), Some((2.0, true)));
        assert_eq!(crossing(Vec2::ZERO, [face[0], face[2], face[1]]), Some((2.0, false)));
        assert_eq!(crossing(Vec2::new(5.0, 0.0), face), None);
    }
}
