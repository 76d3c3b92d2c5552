//! The swept query: where does a moving ball first touch, and where does it slide to from there?
//!
//! Along a straight path the signed distance to a convex shape is a convex function of time, so Newton's method from
//! the start never steps past the first touch (conservative advancement). Other solids are marched by sphere tracing.

use glam::Vec3;

use super::{SurfacePlane, Sweep};
use crate::space::bounds::Bounds;

/// A ball that starts in touch may lose this fraction of its distance before it counts as moving in. It keeps a ball
/// that slides along a surface from hitting it through rounding.
pub const TOUCH: f32 = 0.999;
/// Slides after which a ball counts as wedged.
pub const MAX_SLIDES: usize = 4;
/// Passes over the reported planes that bring the end of a path above all of them.
pub const MAX_PROJECTIONS: usize = 8;
/// Newton steps; a grazing path halves its error in each.
pub const MAX_ADVANCES: usize = 32;
/// Gap at which a ball has arrived, compared with the distance it touches at.
pub const NEAR: f32 = 1e-4;
/// Planes whose normals agree to 0.8° and whose heights agree to `SAME_HEIGHT` radii are one plane.
pub const SAME_NORMAL: f32 = 0.9999;
/// Difference in height up to which planes that face the same way are one, in particle radii.
pub const SAME_HEIGHT: f32 = 0.01;

/// The first touch of a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    /// Fraction of the path.
    pub(super) time: f32,
    /// The plane touched.
    pub(super) plane: SurfacePlane,
}

/// Distance from the surface at which a ball that starts `distance` from it touches.
#[inline]
pub(super) fn touch_distance(distance: f32, radius: f32) -> f32 {
    if distance > 0.0 {
        TOUCH * distance.min(radius)
    } else {
        distance
    }
}

/// Appends a plane unless the ones from `first` on already say the same.
#[inline]
pub(super) fn push_distinct(plane: SurfacePlane, radius: f32, first: usize, out: &mut Vec<SurfacePlane>) -> bool {
    let known = out[first..].iter().any(|other| {
        other.normal.dot(plane.normal) > SAME_NORMAL && other.height(plane.point).abs() <= SAME_HEIGHT * radius
    });
    if !known {
        out.push(plane);
    }
    !known
}

/// Follows the path, at each touch reporting the plane and sliding on along it.
///
/// Returns the end of the path as the reported planes leave it, or `None` when the ball is wedged between them, and
/// what is near the end says nothing about the side the ball came from. A wedged ball that still has far to go gets
/// one more plane, across its way, that holds it where it last was free.
pub(super) fn slide(
    sweep: &Sweep,
    out: &mut Vec<SurfacePlane>,
    mut first_hit: impl FnMut(Vec3, Vec3, f32) -> Option<Hit>,
) -> Option<Vec3> {
    let first = out.len();
    let (mut start, mut end, mut radius) = (sweep.start, sweep.end, sweep.radius);
    for _ in 0..MAX_SLIDES {
        let Some(hit) = first_hit(start, end, radius) else {
            return Some(end);
        };
        // A ball that slides on is a little smaller, or rounding would make it touch what it slides along.
        radius *= TOUCH * TOUCH;
        start = start.lerp(end, hit.time);
        if !push_distinct(hit.plane, sweep.radius, first, out) {
            break;
        }
        for _ in 0..MAX_PROJECTIONS {
            for plane in &out[first..] {
                end += plane.normal * (sweep.radius - plane.height(end)).max(0.0);
            }
        }
    }
    if start.distance_squared(end) > 0.25 * sweep.radius * sweep.radius
        && let Some(normal) = (start - end).try_normalize()
    {
        let point = start - sweep.radius * normal;
        out.push(SurfacePlane { point, normal });
    }
    None
}

/// Contacts of a convex solid with an exact signed distance.
#[inline]
pub(super) fn convex_contacts(
    signed_distance: impl Fn(Vec3) -> (f32, Vec3),
    sweep: &Sweep,
    out: &mut Vec<SurfacePlane>,
) {
    solid_contacts(&signed_distance, 1.0, sweep, out, |start, end, radius| {
        convex_hit(&signed_distance, start, end, radius)
    });
}

/// Contacts of a solid whose distance changes by at most `steepness` metres per metre.
#[inline]
pub(super) fn solid_contacts(
    signed_distance: impl Fn(Vec3) -> (f32, Vec3),
    steepness: f32,
    sweep: &Sweep,
    out: &mut Vec<SurfacePlane>,
    first_hit: impl FnMut(Vec3, Vec3, f32) -> Option<Hit>,
) {
    let first = out.len();
    let at_start = signed_distance(sweep.start).0;
    let at_end = signed_distance(sweep.end).0;
    let length = sweep.start.distance(sweep.end);
    if at_start + at_end - steepness * length >= 2.0 * sweep.reach() {
        return;
    }
    // A centre only just inside still remembers its side; one deeper leaves by the nearest way.
    let rest = if at_start <= -sweep.radius {
        Some(sweep.end)
    } else {
        slide(sweep, out, first_hit)
    };
    if let Some(rest) = rest {
        let (distance, normal) = signed_distance(rest);
        if distance < sweep.reach() {
            let point = rest - distance * normal;
            push_distinct(SurfacePlane { point, normal }, sweep.radius, first, out);
        }
    }
}

/// First touch of a ball with a convex solid.
#[inline]
pub(super) fn convex_hit(
    signed_distance: impl Fn(Vec3) -> (f32, Vec3),
    start: Vec3,
    end: Vec3,
    radius: f32,
) -> Option<Hit> {
    let length = start.distance(end);
    let direction = (end - start).try_normalize()?;
    let (mut distance, mut normal) = signed_distance(start);
    let target = touch_distance(distance, radius);
    let tolerance = NEAR * target.max(0.0) + f32::EPSILON * start.abs().max(end.abs()).max_element();
    let mut travelled = 0.0;
    let mut center = start;
    for _ in 0..MAX_ADVANCES {
        let closing = -direction.dot(normal);
        if closing <= 0.0 {
            return None;
        }
        let gap = distance - target;
        if gap <= tolerance {
            break;
        }
        travelled += gap / closing;
        if travelled >= length {
            return None;
        }
        center = start + travelled * direction;
        (distance, normal) = signed_distance(center);
    }
    Some(Hit {
        time: travelled / length,
        plane: SurfacePlane {
            point: center - distance * normal,
            normal,
        },
    })
}

/// First touch of a ball with a solid known by a distance that changes by at most `pace.0` metres per metre; no step
/// is shorter than `pace.1` metres, below which the solid has no detail.
pub(super) fn marched_hit(
    signed_distance: impl Fn(Vec3) -> (f32, Vec3),
    bounds: &Bounds,
    (start, end): (Vec3, Vec3),
    radius: f32,
    (steepness, shortest): (f32, f32),
) -> Option<Hit> {
    let (at_start, _) = signed_distance(start);
    let target = touch_distance(at_start, radius);
    let (enter, leave) = clip(&bounds.expanded(radius + shortest), start, end)?;
    let (from, to) = (start.lerp(end, enter), start.lerp(end, leave));
    let length = from.distance(to);
    let direction = (to - from).try_normalize()?;
    let mut before = 0.0;
    let mut travelled = 0.0;
    loop {
        let (distance, normal) = signed_distance(from + travelled * direction);
        if distance <= target && direction.dot(normal) < 0.0 {
            break;
        }
        before = travelled;
        travelled = length.min(travelled + ((distance - target) / steepness).max(shortest));
        if travelled <= before {
            return None;
        }
    }
    // The last step may have gone in; the touch lies between it and the one before.
    for _ in 0..12 {
        let middle = 0.5 * (before + travelled);
        if signed_distance(from + middle * direction).0 <= target {
            travelled = middle;
        } else {
            before = middle;
        }
    }
    let center = from + travelled * direction;
    let (distance, normal) = signed_distance(center);
    Some(Hit {
        time: enter + (leave - enter) * travelled / length,
        plane: SurfacePlane {
            point: center - distance * normal,
            normal,
        },
    })
}

/// The fractions of a segment at which it enters and leaves a box.
fn clip(bounds: &Bounds, start: Vec3, end: Vec3) -> Option<(f32, f32)> {
    let (mut enter, mut leave) = (0.0_f32, 1.0_f32);
    for axis in 0..3 {
        let along = end[axis] - start[axis];
        let (low, high) = (bounds.min[axis] - start[axis], bounds.max[axis] - start[axis]);
        if along == 0.0 {
            if low > 0.0 || high < 0.0 {
                return None;
            }
        } else {
            let (a, b) = (low / along, high / along);
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
    }
    (enter <= leave).then_some((enter, leave))
}
