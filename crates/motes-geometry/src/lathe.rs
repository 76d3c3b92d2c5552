//! Surfaces of revolution about the y axis.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};

use crate::mesh::Mesh;

/// Turns a profile of (distance from the axis, height) points about the y axis, `segments` steps a turn.
///
/// Triangles face to the right of the profile's direction: out of a body whose profile runs upward. A profile that
/// starts and ends on the axis, or that returns to its first point, gives a watertight mesh.
pub fn lathe(profile: &[Vec2], segments: u32) -> Mesh {
    let segments = segments.max(3);
    let closed = profile.len() > 3 && profile.first() == profile.last();
    let points = if closed { &profile[1..] } else { profile };
    let mut mesh = Mesh::default();
    let rings: Vec<Ring> = points
        .iter()
        .map(|point| Ring::push(&mut mesh, *point, segments))
        .collect();
    for pair in rings.windows(2) {
        join(&mut mesh, &pair[0], &pair[1], segments);
    }
    if let (true, [first, .., last]) = (closed, rings.as_slice()) {
        join(&mut mesh, last, first, segments);
    }
    mesh
}

/// The vertices made from one profile point: a single one on the axis, else one per segment.
struct Ring {
    start: u32,
    on_axis: bool,
}

impl Ring {
    fn push(mesh: &mut Mesh, point: Vec2, segments: u32) -> Self {
        let ring = Self {
            start: mesh.positions.len() as u32,
            on_axis: point.x <= 0.0,
        };
        let vertices = if ring.on_axis { 1 } else { segments };
        mesh.positions.extend((0..vertices).map(|segment| {
            let (sin, cos) = (segment as f32 * TAU / segments as f32).sin_cos();
            Vec3::new(point.x.max(0.0) * cos, point.y, point.x.max(0.0) * sin)
        }));
        ring
    }

    fn vertex(&self, segment: u32, segments: u32) -> u32 {
        if self.on_axis {
            self.start
        } else {
            self.start + segment % segments
        }
    }
}

fn join(mesh: &mut Mesh, lower: &Ring, upper: &Ring, segments: u32) {
    for segment in 0..segments {
        let [a, b] = [0, 1].map(|step| lower.vertex(segment + step, segments));
        let [c, d] = [0, 1].map(|step| upper.vertex(segment + step, segments));
        if !lower.on_axis {
            mesh.triangles.push([a, c, b]);
        }
        if !upper.on_axis {
            mesh.triangles.push([b, c, d]);
        }
    }
}

/// Points of a circular arc between two angles from the horizontal, in `steps` steps.
pub(crate) fn arc(center: Vec2, radius: f32, from: f32, to: f32, steps: u32) -> impl Iterator<Item = Vec2> {
    (0..=steps).map(move |index| {
        let angle = from + (to - from) * index as f32 / steps as f32;
        center + radius * Vec2::from_angle(angle)
    })
}

/// Removes the rounding error that would leave pinholes where a profile starts and ends on the axis.
pub(crate) fn pinned_to_axis(mut profile: Vec<Vec2>) -> Vec<Vec2> {
    if let [first, .., last] = profile.as_mut_slice() {
        first.x = 0.0;
        last.x = 0.0;
    }
    profile
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::PI;

    #[test]
    fn cylinder_is_watertight_and_has_its_volume() {
        let profile = [(0.0, 0.0), (1.0, 0.0), (1.0, 2.0), (0.0, 2.0)].map(Vec2::from);
        let cylinder = lathe(&profile, 128);
        assert!(cylinder.is_watertight());
        assert!((cylinder.volume() / (2.0 * PI) - 1.0).abs() < 1e-3);
    }

    #[test]
    fn cone_has_a_third_of_the_volume_of_its_cylinder() {
        let profile = [(0.0, 0.0), (1.0, 0.0), (0.0, 3.0)].map(Vec2::from);
        let cone = lathe(&profile, 128);
        assert!(cone.is_watertight());
        assert!((cone.volume() / PI - 1.0).abs() < 1e-3);
    }

    #[test]
    fn closed_profile_makes_a_ring_with_the_volume_of_pappus() {
        let profile = [(2.0, 0.0), (3.0, 0.0), (3.0, 1.0), (2.0, 1.0), (2.0, 0.0)].map(Vec2::from);
        let ring = lathe(&profile, 256);
        assert!(ring.is_watertight());
        assert!((ring.volume() / (TAU * 2.5) - 1.0).abs() < 1e-3);
    }

    #[test]
    fn open_profile_is_not_watertight_and_short_ones_are_empty() {
        let wall = lathe(&[Vec2::new(1.0, 0.0), Vec2::new(1.0, 1.0)], 16);
        assert_eq!(wall.triangles.len(), 32);
        assert!(!wall.is_watertight());
        assert!(lathe(&[], 16).triangles.is_empty());
        assert!(lathe(&[Vec2::ONE], 16).triangles.is_empty());
    }
}
