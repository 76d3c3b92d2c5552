//! Contacts of a ball with a surface of joined triangles, felt from both sides; meshes and heightfields share it.
//!
//! A triangle whose nearest point lies on an edge or corner speaks only where no neighbour is nearer (the Voronoi
//! region of that edge or corner), so a ball that slides over a smooth surface never catches on the edges inside it.

use glam::Vec3;

use super::{
    SurfacePlane, Sweep,
    sweep::{Hit, SAME_NORMAL, convex_hit, push_distinct, slide},
    triangle::{Feature, Triangle},
};
use crate::space::bounds::Bounds;

/// Cosine above which a direction counts as leaning over a neighbour.
pub const COVERED: f32 = 1e-3;

/// A surface of joined triangles.
pub(super) trait Shell {
    /// The vertices of a triangle; neighbours name the same vertices.
    fn indices(&self, triangle: u32) -> [u32; 3];

    /// Position of a vertex.
    fn vertex(&self, index: u32) -> Vec3;

    /// Unit normal of a triangle by winding.
    fn normal(&self, triangle: u32) -> Vec3;

    /// Visits at least the triangles within `reach` of a segment, each once, in a fixed order.
    fn visit_near(&self, start: Vec3, end: Vec3, reach: f32, visit: impl FnMut(u32));

    /// Visits at least the triangles around a vertex.
    fn visit_fan(&self, vertex: u32, visit: impl FnMut(u32));

    /// A triangle's corner positions.
    #[inline]
    fn corners(&self, triangle: u32) -> Triangle {
        Triangle {
            corners: self.indices(triangle).map(|index| self.vertex(index)),
        }
    }
}

/// Appends the planes a ball on this path must stay above.
pub(super) fn contacts(shell: &impl Shell, sweep: &Sweep, out: &mut Vec<SurfacePlane>) {
    let first = out.len();
    if let Some(rest) = follow(shell, sweep, out) {
        surroundings(shell, sweep, rest, first, out);
    }
}

/// Appends the planes the path runs into and returns where it comes to rest, unless it is wedged.
pub(super) fn follow(shell: &impl Shell, sweep: &Sweep, out: &mut Vec<SurfacePlane>) -> Option<Vec3> {
    slide(sweep, out, |start, end, radius| first_hit(shell, start, end, radius))
}

/// Appends the planes within reach of the ball at rest that those from `first` on do not say already.
pub(super) fn surroundings(shell: &impl Shell, sweep: &Sweep, rest: Vec3, first: usize, out: &mut Vec<SurfacePlane>) {
    let reach = sweep.reach();
    let around = Bounds::of([rest]).expanded(reach);
    shell.visit_near(rest, rest, reach, |triangle| {
        let corners = shell.corners(triangle);
        if !around.overlaps(&Bounds::of(corners.corners)) {
            return;
        }
        let normal = shell.normal(triangle);
        if (rest - corners.corners[0]).dot(normal).abs() >= reach {
            return;
        }
        let (point, feature) = corners.closest(rest);
        if rest.distance_squared(point) >= reach * reach {
            return;
        }
        let side = side_of(&corners, normal, [rest, sweep.start]);
        if let Some(normal) = outward(shell, triangle, feature, rest - point, side * normal) {
            push_distinct(SurfacePlane { point, normal }, sweep.radius, first, out);
        }
    });
}

/// Which side of the triangle's plane the first point off it lies on; by winding when all lie on it.
#[inline]
fn side_of(triangle: &Triangle, normal: Vec3, points: [Vec3; 2]) -> f32 {
    points
        .iter()
        .map(|&point| (point - triangle.corners[0]).dot(normal))
        .find(|&height| height != 0.0)
        .map_or(1.0, f32::signum)
}

/// Normal of a contact whose nearest point lies on `feature`, or `None` where a neighbour is nearer.
#[inline]
fn outward(shell: &impl Shell, triangle: u32, feature: Feature, to_center: Vec3, face_normal: Vec3) -> Option<Vec3> {
    let indices = shell.indices(triangle);
    let (pivot, other) = match feature {
        Feature::Face => return Some(face_normal),
        Feature::Edge(edge) => (indices[edge], Some(indices[(edge + 1) % 3])),
        Feature::Corner(corner) => (indices[corner], None),
    };
    let Some(direction) = to_center.try_normalize() else {
        return Some(face_normal);
    };
    let origin = shell.vertex(pivot);
    let along = other.map(|other| (shell.vertex(other) - origin).normalize_or_zero());
    let mut covered = false;
    let mut smooth = None;
    shell.visit_fan(pivot, |neighbor| {
        let corners = shell.indices(neighbor);
        if other.is_some_and(|other| !corners.contains(&other)) {
            return;
        }
        if neighbor != triangle {
            for corner in corners {
                if corner == pivot || Some(corner) == other {
                    continue;
                }
                let arm = shell.vertex(corner) - origin;
                let inward = along.map_or(arm, |along| arm - along * arm.dot(along));
                covered |= direction.dot(inward) > COVERED * inward.length();
            }
        }
        let normal = shell.normal(neighbor);
        let facing = direction.dot(normal);
        if facing.abs() > SAME_NORMAL {
            smooth = Some(normal * facing.signum());
        }
    });
    (!covered).then_some(smooth.unwrap_or(direction))
}

/// The earliest touch of the path with any triangle.
fn first_hit(shell: &impl Shell, start: Vec3, end: Vec3, radius: f32) -> Option<Hit> {
    let mut earliest: Option<Hit> = None;
    let mut earliest_triangle = 0;
    // The part of the path that could still hold an earlier touch.
    let mut around = Bounds::of([start, end]).expanded(radius);
    shell.visit_near(start, end, radius, |triangle| {
        let corners = shell.corners(triangle);
        if !around.overlaps(&Bounds::of(corners.corners)) {
            return;
        }
        let normal = shell.normal(triangle);
        let anchor = corners.corners[0];
        let (from, to) = ((start - anchor).dot(normal), (end - anchor).dot(normal));
        if from.min(to) >= radius || from.max(to) <= -radius {
            return;
        }
        let side = if from >= 0.0 { 1.0 } else { -1.0 };
        let crosses = (from >= 0.0) != (to >= 0.0) && corners.is_pierced(start, end - start);
        let touch = convex_hit(|center| distance(&corners, side * normal, center), start, end, radius);
        let time = match touch {
            Some(hit) => hit.time,
            None if crosses => from / (from - to),
            None => return,
        };
        if earliest.is_some_and(|hit| (hit.time, earliest_triangle) <= (time, triangle)) {
            return;
        }
        let center = start.lerp(end, time);
        let (point, feature) = corners.closest(center);
        // A path that goes through the face must be stopped by it, whatever part of it the ball meets first.
        let normal = if crosses {
            Some(side * normal)
        } else {
            outward(shell, triangle, feature, center - point, side * normal)
        };
        if let Some(normal) = normal {
            let plane = SurfacePlane { point, normal };
            earliest = Some(Hit { time, plane });
            earliest_triangle = triangle;
            around = Bounds::of([start, center]).expanded(radius);
        }
    });
    earliest
}

/// Distance to a triangle and the direction away from it; `face_normal` serves a centre that lies on it.
#[inline]
fn distance(triangle: &Triangle, face_normal: Vec3, center: Vec3) -> (f32, Vec3) {
    let (point, feature) = triangle.closest(center);
    if feature == Feature::Face {
        let height = (center - triangle.corners[0]).dot(face_normal);
        let side = if height < 0.0 { -1.0 } else { 1.0 };
        return (height.abs(), side * face_normal);
    }
    let away = center - point;
    (away.length(), away.try_normalize().unwrap_or(face_normal))
}
