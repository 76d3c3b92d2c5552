//! One triangle: its nearest point to a point, and the part of it that point lies on (Ericson 2005, §5.1.5).

use glam::Vec3;

/// The part of a triangle that is nearest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// The inside.
    Face,
    /// The edge from this corner to the next.
    Edge(usize),
    /// This corner.
    Corner(usize),
}

/// Three corners, counter-clockwise seen from the side the normal points to.
#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    /// The corners, metres.
    pub corners: [Vec3; 3],
}

impl Triangle {
    /// Unit normal by winding; `None` for a triangle without area.
    pub fn normal(&self) -> Option<Vec3> {
        let [a, b, c] = self.corners;
        let (ab, ac, bc) = (b - a, c - a, c - b);
        let longest = ab.length().max(ac.length()).max(bc.length());
        let area = ab.cross(ac);
        // A sliver's normal is mostly rounding, and its neighbours cover it.
        if area.length() <= 1e-6 * longest * longest {
            return None;
        }
        (area / (longest * longest)).try_normalize()
    }

    /// The nearest point of the triangle. Of one without area, a point of it that may not be the nearest.
    #[inline]
    pub fn closest(&self, point: Vec3) -> (Vec3, Feature) {
        let [a, b, c] = self.corners;
        let (ab, ac) = (b - a, c - a);
        let ap = point - a;
        let (d1, d2) = (ab.dot(ap), ac.dot(ap));
        if d1 <= 0.0 && d2 <= 0.0 {
            return (a, Feature::Corner(0));
        }
        let bp = point - b;
        let (d3, d4) = (ab.dot(bp), ac.dot(bp));
        if d3 >= 0.0 && d4 <= d3 {
            return (b, Feature::Corner(1));
        }
        let vc = d1 * d4 - d3 * d2;
        if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 && d1 > d3 {
            return (a + ab * (d1 / (d1 - d3)), Feature::Edge(0));
        }
        let cp = point - c;
        let (d5, d6) = (ab.dot(cp), ac.dot(cp));
        if d6 >= 0.0 && d5 <= d6 {
            return (c, Feature::Corner(2));
        }
        let vb = d5 * d2 - d1 * d6;
        if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 && d2 > d6 {
            return (a + ac * (d2 / (d2 - d6)), Feature::Edge(2));
        }
        let va = d3 * d6 - d5 * d4;
        let (from_b, from_c) = (d4 - d3, d5 - d6);
        if va <= 0.0 && d4 >= d3 && d5 >= d6 && from_b + from_c > 0.0 {
            return (b + (c - b) * (from_b / (from_b + from_c)), Feature::Edge(1));
        }
        let sum = va + vb + vc;
        if sum <= 0.0 {
            return (a, Feature::Corner(0));
        }
        let scale = 1.0 / sum;
        (a + ab * (vb * scale) + ac * (vc * scale), Feature::Face)
    }

    /// Whether the line through a point along a direction passes through the triangle, its border included.
    ///
    /// Two triangles with a common edge compute bit for bit opposite volumes for it, so no line slips between them.
    #[inline]
    pub(super) fn is_pierced(&self, origin: Vec3, direction: Vec3) -> bool {
        let [a, b, c] = self.corners.map(|corner| corner - origin);
        let u = direction.dot(b.cross(a));
        let v = direction.dot(c.cross(b));
        let w = direction.dot(a.cross(c));
        (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const UNIT: Triangle = Triangle {
        corners: [Vec3::ZERO, Vec3::X, Vec3::Y],
    };

    fn point() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-2.0_f32..2.0).prop_map(Vec3::from)
    }

    #[test]
    fn every_feature_is_found() {
        for (point, feature) in [
            (Vec3::new(0.2, 0.2, 1.0), Feature::Face),
            (Vec3::new(0.5, -1.0, 1.0), Feature::Edge(0)),
            (Vec3::new(1.0, 1.0, 0.0), Feature::Edge(1)),
            (Vec3::new(-1.0, 0.5, 0.0), Feature::Edge(2)),
            (Vec3::new(-1.0, -1.0, 0.0), Feature::Corner(0)),
            (Vec3::new(2.0, 0.0, 0.0), Feature::Corner(1)),
            (Vec3::new(0.0, 2.0, 0.0), Feature::Corner(2)),
        ] {
            assert_eq!(UNIT.closest(point).1, feature);
        }
    }

    #[test]
    fn two_corners_at_one_place_leave_a_segment() {
        for corners in [
            [Vec3::ZERO, Vec3::ZERO, Vec3::X],
            [Vec3::ZERO, Vec3::X, Vec3::X],
            [Vec3::ZERO, Vec3::X, Vec3::ZERO],
        ] {
            let (point, _) = Triangle { corners }.closest(Vec3::new(0.25, 1.0, 0.0));
            assert_eq!(point, Vec3::X * 0.25);
        }
        let corners = [Vec3::Y; 3];
        assert_eq!(Triangle { corners }.closest(Vec3::ZERO).0, Vec3::Y);
    }

    proptest! {
        #[test]
        fn the_closest_point_is_finite_and_near_the_corners(
            a in point(),
            b in point(),
            along in -1.0_f32..2.0,
            p in point(),
        ) {
            let sliver = [a, b, a.lerp(b, along)];
            let closest = Triangle { corners: sliver }.closest(p).0;
            let around = crate::Bounds::of(sliver).expanded(1e-4);
            prop_assert!(around.contains(closest), "{closest}");
        }

        #[test]
        fn no_sampled_point_is_nearer_than_the_closest(
            corners in prop::array::uniform3(point()),
            p in point(),
        ) {
            let triangle = Triangle { corners };
            prop_assume!(triangle.normal().is_some());
            let nearest = triangle.closest(p).0.distance(p);
            let mut sampled = f32::INFINITY;
            for i in 0..=40 {
                for j in 0..=40 - i {
                    let (u, v) = (i as f32 / 40.0, j as f32 / 40.0);
                    let sample = corners[0] * (1.0 - u - v) + corners[1] * u + corners[2] * v;
                    sampled = sampled.min(sample.distance(p));
                }
            }
            prop_assert!(nearest <= sampled + 1e-4);
            prop_assert!(sampled <= nearest + 0.3);
        }
    }
}
