//! The tools the models are made with: soft joins and cuts, limbs, curves and fins (after I. Quilez, "Distance functions").

use glam::{Quat, Vec2, Vec3, Vec4, Vec4Swizzles};

use crate::primitives;

/// Union of two solids, rounded over about `softness` metres.
pub(super) fn join(a: f32, b: f32, softness: f32) -> f32 {
    let overlap = (softness - (a - b).abs()).max(0.0) / softness;
    a.min(b) - 0.25 * softness * overlap * overlap
}

/// The first solid without the second, rounded over about `softness` metres.
pub(super) fn cut(kept: f32, removed: f32, softness: f32) -> f32 {
    -join(-kept, removed, softness)
}

/// The part of a solid in another, rounded over about `softness` metres.
pub(super) fn within(a: f32, b: f32, softness: f32) -> f32 {
    -join(-a, -b, softness)
}

/// The other side folded onto +z, for what comes in pairs.
pub(super) fn mirrored(point: Vec3) -> Vec3 {
    point.with_z(point.z.abs())
}

pub(super) fn ball(point: Vec3, center: Vec3, radius: f32) -> f32 {
    point.distance(center) - radius
}

/// An ellipsoid; exact on the surface, approximate elsewhere.
pub(super) fn ellipsoid(point: Vec3, center: Vec3, radii: Vec3) -> f32 {
    let scaled = (point - center) / radii;
    let (inner, outer) = (scaled.length(), (scaled / radii).length());
    if outer < 1e-6 {
        return -radii.min_element();
    }
    inner * (inner - 1.0) / outer
}

/// An ellipsoid turned about its centre.
pub(super) fn turned_ellipsoid(point: Vec3, center: Vec3, radii: Vec3, turn: Quat) -> f32 {
    ellipsoid(turn.conjugate() * (point - center), Vec3::ZERO, radii)
}

/// A box with rounded edges; `half` includes the rounding.
pub(super) fn block(point: Vec3, center: Vec3, half: Vec3, rounding: f32) -> f32 {
    primitives::cuboid(point - center, half - rounding) - rounding
}

/// A cylinder with rounded rims about an axis through `center`; sizes include the rounding.
pub(super) fn drum(point: Vec3, center: Vec3, axis: Vec3, radius: f32, half_height: f32, rounding: f32) -> f32 {
    let from = point - center;
    let along = from.dot(axis);
    let across = (from - along * axis).length();
    let faces = Vec2::new(across - radius + rounding, along.abs() - half_height + rounding);
    faces.max(Vec2::ZERO).length() + faces.max_element().min(0.0) - rounding
}

/// A straight limb whose radius changes from one end to the other; round at both.
pub(super) fn limb(point: Vec3, from: Vec3, to: Vec3, from_radius: f32, to_radius: f32) -> f32 {
    let along = to - from;
    let place = ((point - from).dot(along) / along.length_squared()).clamp(0.0, 1.0);
    point.distance(from + place * along) - (from_radius + (to_radius - from_radius) * place)
}

/// A flat plate: an outline in a plane, thickened to both sides and rounded at its rim.
pub(super) fn plate(outline: f32, height: f32, half_thickness: f32, rounding: f32) -> f32 {
    let faces = Vec2::new(outline + rounding, height.abs() - half_thickness + rounding);
    faces.max(Vec2::ZERO).length() + faces.max_element().min(0.0) - rounding
}

/// Signed distance to a polygon.
pub(super) fn polygon(point: Vec2, corners: &[Vec2]) -> f32 {
    let mut nearest = f32::INFINITY;
    let mut inside = false;
    let mut before = corners[corners.len() - 1];
    for &corner in corners {
        let (edge, from) = (before - corner, point - corner);
        let place = (from.dot(edge) / edge.length_squared()).clamp(0.0, 1.0);
        nearest = nearest.min((from - place * edge).length_squared());
        if (corner.y > point.y) != (before.y > point.y) {
            let crossing = corner.x + (point.y - corner.y) / (before.y - corner.y) * (before.x - corner.x);
            inside ^= point.x < crossing;
        }
        before = corner;
    }
    if inside { -nearest.sqrt() } else { nearest.sqrt() }
}

/// A limb along a smooth curve through given points, each with its radius.
pub(super) struct Curve {
    /// Points and radii.
    knots: Vec<Vec4>,
    /// A ball around each run of [`RUN`] pieces.
    runs: Vec<Vec4>,
}

/// Pieces of a curve that are passed over together.
const RUN: usize = 6;

/// The place of a curve nearest to a point.
#[derive(Clone, Copy)]
pub(super) struct Nearest {
    /// Distance to the surface, negative inside.
    pub(super) distance: f32,
    /// 0 at the start of the curve, 1 at its end, by number of knots.
    pub(super) place: f32,
    /// From the middle of the limb to the point.
    pub(super) from_middle: Vec3,
    /// Radius there.
    pub(super) radius: f32,
}

impl Curve {
    /// A Catmull–Rom curve through the points, drawn with `steps` straight pieces between neighbours.
    pub(super) fn through(points: &[(Vec3, f32)], steps: usize) -> Self {
        let at = |index: isize| {
            let (point, radius) = points[index.clamp(0, points.len() as isize - 1) as usize];
            point.extend(radius)
        };
        let mut knots = Vec::new();
        for piece in 0..points.len() as isize - 1 {
            let [a, b, c, d] = [at(piece - 1), at(piece), at(piece + 1), at(piece + 2)];
            knots.extend((0..steps).map(|step| {
                let t = step as f32 / steps as f32;
                0.5 * (2.0 * b
                    + (c - a) * t
                    + (2.0 * a - 5.0 * b + 4.0 * c - d) * t * t
                    + (3.0 * b - a - 3.0 * c + d) * t * t * t)
            }));
        }
        knots.push(at(points.len() as isize - 1));
        let run = |start: usize| {
            let knots = &knots[start..(start + RUN + 1).min(knots.len())];
            let center = knots.iter().map(|knot| knot.xyz()).sum::<Vec3>() / knots.len() as f32;
            let reach = knots.iter().map(|knot| knot.xyz().distance(center) + knot.w);
            center.extend(reach.fold(0.0, f32::max))
        };
        let runs = (0..knots.len() - 1).step_by(RUN).map(run).collect();
        Self { knots, runs }
    }

    /// Distance to the limb.
    pub(super) fn distance(&self, point: Vec3) -> f32 {
        self.nearest(point).distance
    }

    /// The nearest place of the limb.
    pub(super) fn nearest(&self, point: Vec3) -> Nearest {
        let mut best = Nearest {
            distance: f32::INFINITY,
            place: 0.0,
            from_middle: Vec3::ZERO,
            radius: 0.0,
        };
        for (index, pair) in self.knots.windows(2).enumerate() {
            let run = self.runs[index / RUN];
            if point.distance(run.xyz()) - run.w > best.distance {
                continue;
            }
            let along = pair[1] - pair[0];
            let axis = along.xyz();
            let t = ((point - pair[0].xyz()).dot(axis) / axis.length_squared()).clamp(0.0, 1.0);
            let middle = pair[0] + t * along;
            let from_middle = point - middle.xyz();
            let distance = from_middle.length() - middle.w;
            if distance < best.distance {
                best = Nearest {
                    distance,
                    place: (index as f32 + t) / (self.knots.len() - 1) as f32,
                    from_middle,
                    radius: middle.w,
                };
            }
        }
        best
    }
}

/// Rises smoothly from 0 to 1 between two values.
pub(super) fn ramp(from: f32, to: f32, value: f32) -> f32 {
    let t = ((value - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn soft_join_is_a_union_away_from_the_seam_and_fuller_at_it() {
        assert_eq!(join(0.1, 0.5, 0.2), 0.1);
        assert!(join(0.1, 0.1, 0.2) < 0.1);
        assert!(cut(-0.05, -0.05, 0.2) > 0.05);
    }

    #[test]
    fn curve_passes_through_its_points() {
        let points = [(Vec3::ZERO, 0.1), (Vec3::X, 0.2), (Vec3::new(1.0, 1.0, 0.0), 0.05)];
        let curve = Curve::through(&points, 8);
        for (point, radius) in points {
            assert!((curve.distance(point) + radius).abs() < 0.03);
        }
    }

    #[test]
    fn polygon_distance_of_a_square() {
        let square = [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];
        assert!((polygon(Vec2::new(0.5, 0.25), &square) + 0.25).abs() < 1e-6);
        assert!((polygon(Vec2::new(2.0, 0.5), &square) - 1.0).abs() < 1e-6);
    }
}
