//! Tubes along a line of points, for ropes: a smooth middle line through all of them (centripetal Catmull–Rom, Yuksel et al.
//! 2011), frames without twist along it (double reflection, Wang et al. 2008), round ends.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use glam::{Quat, Vec2, Vec3};

use crate::shaded::ShadedMesh;

/// How finely a tube is made and where it ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TubeOptions {
    /// Steps around, at least 3; 12 by default.
    pub segments: u32,
    /// Pieces between two points, at least 1; 4 by default.
    pub steps: u32,
    /// Whether the last point is followed by the first; not by default.
    pub closed: bool,
    /// Whether ends that are open are round; they are by default.
    pub caps: bool,
}

impl Default for TubeOptions {
    fn default() -> Self {
        Self {
            segments: 12,
            steps: 4,
            closed: false,
            caps: true,
        }
    }
}

/// A tube, frame after frame: it remembers how it was turned about its middle line, so that no vertex jumps around it while
/// the points move.
#[derive(Clone, Debug, Default)]
pub struct Tube {
    options: TubeOptions,
    /// Where the line u = 0 began when it was last made: a direction across the middle line.
    side: Option<Vec3>,
    /// By how much the frames of a loop were turned to meet, radians.
    twist: f32,
}

/// A place on the middle line.
#[derive(Clone, Copy, Debug)]
struct Station {
    center: Vec3,
    radius: f32,
    tangent: Vec3,
    /// Unit direction across, where u = 0 is.
    side: Vec3,
    /// How much the radius grows per metre along the line.
    growth: f32,
    v: f32,
}

impl Tube {
    /// A tube that is yet to be made.
    pub fn new(options: TubeOptions) -> Self {
        Self {
            options: TubeOptions {
                segments: options.segments.clamp(3, 1024),
                steps: options.steps.clamp(1, 1024),
                ..options
            },
            side: None,
            twist: 0.0,
        }
    }

    /// The tube along points, metres. A radius that is missing is that of the point before; one that is negative or not finite
    /// is 0.
    ///
    /// How many vertices and triangles there are, and what they join, depends on the number of points alone. u goes around from
    /// 0 to 1, v along by 1 from point to point, so that a pattern stretches with the rope. One point is a ball if ends are
    /// round and else nothing; a loop has at least three points; a point that is not finite is where the one before it is.
    pub fn mesh(&mut self, points: &[Vec3], radii: &[f32]) -> ShadedMesh {
        let Some(first) = points.iter().copied().find(|point| point.is_finite()) else {
            return ShadedMesh::default();
        };
        let mut last = first;
        let points: Vec<Vec3> = points
            .iter()
            .map(|point| {
                last = if point.is_finite() { *point } else { last };
                last
            })
            .collect();
        let mut last = 0.0;
        let radii: Vec<f32> = (0..points.len())
            .map(|number| {
                let radius = radii.get(number).copied().unwrap_or(last);
                last = if radius.is_finite() { radius.max(0.0) } else { 0.0 };
                last
            })
            .collect();
        let closed = self.options.closed && points.len() > 2;
        if points.len() == 1 && !self.options.caps {
            return ShadedMesh::default();
        }
        let mut stations = self.stations(&points, &radii, closed);
        self.turn(&mut stations, closed);
        let mut rings = Rings::new(self.options.segments);
        let capped = self.options.caps && !closed;
        if capped {
            rings.cap(&stations[0], -1.0);
        }
        for station in &stations {
            rings.ring(station, 0.0, station.v);
        }
        if closed {
            rings.close(stations.len());
        }
        if capped {
            rings.cap(&stations[stations.len() - 1], 1.0);
        }
        rings.mesh
    }

    /// Places on the middle line, without their sides.
    fn stations(&self, points: &[Vec3], radii: &[f32], closed: bool) -> Vec<Station> {
        let (count, steps) = (points.len(), self.options.steps as usize);
        let spans = if closed { count } else { count - 1 };
        let mut stations = Vec::with_capacity(spans * steps + 1);
        for number in 0..=spans * steps {
            let (span, step) = match number {
                last if last == spans * steps && spans > 0 => (spans - 1, steps),
                number => (number / steps, number % steps),
            };
            let share = step as f32 / steps as f32;
            let (from, to) = (radii[span % count], radii[(span + 1) % count]);
            stations.push(Station {
                center: if spans == 0 {
                    points[0]
                } else {
                    between(points, closed, span, share)
                },
                radius: from + share * (to - from),
                tangent: Vec3::ZERO,
                side: Vec3::ZERO,
                growth: 0.0,
                v: span as f32 + share,
            });
        }
        directions(&mut stations, closed);
        stations
    }

    /// Carries the side along the line without twist; a loop is turned evenly so that its ends meet.
    fn turn(&mut self, stations: &mut [Station], closed: bool) {
        let tangent = stations[0].tangent;
        let across = |side: Vec3| side.reject_from_normalized(tangent).try_normalize();
        let first = self.side.and_then(across);
        let first = first.unwrap_or_else(|| Quat::from_rotation_arc(Vec3::Z, tangent) * Vec3::X);
        self.side = Some(first);
        stations[0].side = first;
        for number in 1..stations.len() {
            let [before, here] = [stations[number - 1], stations[number]];
            stations[number].side = carried(before.side, &before, &here);
        }
        if let ([start, .., end], true) = (&*stations, closed) {
            let angle = end.side.cross(start.side).dot(start.tangent);
            let angle = angle.atan2(end.side.dot(start.side));
            // Of all turns that meet, the one next to that of the frame before.
            self.twist = angle + TAU * ((self.twist - angle) / TAU).round();
            let last = (stations.len() - 1) as f32;
            for (number, station) in stations.iter_mut().enumerate() {
                let turn = Quat::from_axis_angle(station.tangent, self.twist * number as f32 / last);
                station.side = turn * station.side;
            }
        }
    }
}

/// A place between two points of a line.
fn between(points: &[Vec3], closed: bool, span: usize, share: f32) -> Vec3 {
    let count = points.len();
    let (b, c) = (points[span], points[(span + 1) % count]);
    let a = match span {
        0 if closed => points[count - 1],
        0 => b + (b - c),
        span => points[span - 1],
    };
    let d = if closed || span + 2 < count {
        points[(span + 2) % count]
    } else {
        c + (c - b)
    };
    // Points that coincide have no knots between them, which the least distance stands for.
    let knots = |a: Vec3, b: Vec3| a.distance(b).sqrt().max(1e-6);
    let (before, here, after) = (knots(a, b), knots(b, c), knots(c, d));
    let start = here * ((b - a) / before - (c - a) / (before + here)) + (c - b);
    let end = here * ((d - c) / after - (d - b) / (here + after)) + (c - b);
    let (t, u) = (share, 1.0 - share);
    b * (1.0 + 2.0 * t) * u * u + start * t * u * u + c * t * t * (3.0 - 2.0 * t) - end * t * t * u
}

/// Finds the directions of a middle line and how the radius grows along it. Where places coincide the direction is that before,
/// or that after at the start, or that of z.
fn directions(stations: &mut [Station], closed: bool) {
    let count = stations.len();
    let mut known = None;
    for number in 0..count {
        let (before, after) = match number {
            0 if closed => (count - 2, 1),
            last if closed && last + 1 == count => (last - 1, 1),
            number => (number.saturating_sub(1), (number + 1).min(count - 1)),
        };
        let [before, after] = [before, after].map(|place| stations[place]);
        let along = after.center - before.center;
        known = along.try_normalize().or(known);
        stations[number].tangent = known.unwrap_or(Vec3::ZERO);
        let length = along.length();
        let growth = (after.radius - before.radius) / length;
        stations[number].growth = if growth.is_finite() {
            growth.clamp(-4.0, 4.0)
        } else {
            0.0
        };
    }
    let first = stations.iter().map(|station| station.tangent);
    let first = first.clone().find(|tangent| *tangent != Vec3::ZERO).unwrap_or(Vec3::Z);
    let lost = stations.iter_mut().take_while(|station| station.tangent == Vec3::ZERO);
    lost.for_each(|station| station.tangent = first);
}

/// A side carried from one place to the next by two reflections.
fn carried(side: Vec3, from: &Station, to: &Station) -> Vec3 {
    let reflected = |vector: Vec3, mirror: Vec3| match mirror.length_squared() {
        square if square > 1e-20 => vector - mirror * (2.0 * mirror.dot(vector) / square),
        _ => vector,
    };
    let across = to.center - from.center;
    let (side, tangent) = (reflected(side, across), reflected(from.tangent, across));
    let side = reflected(side, to.tangent - tangent);
    let side = side.reject_from_normalized(to.tangent).try_normalize();
    side.unwrap_or_else(|| to.tangent.any_orthonormal_vector())
}

/// A mesh made of rings one after the other, each with its first vertex once more at u = 1.
struct Rings {
    mesh: ShadedMesh,
    segments: u32,
    count: u32,
    /// Whether the last ring is a pole, all of it in one place.
    after_pole: bool,
}

impl Rings {
    fn new(segments: u32) -> Self {
        Self {
            mesh: ShadedMesh::default(),
            segments,
            count: 0,
            after_pole: false,
        }
    }

    /// Adds a ring of a station, or of the half sphere at its end: `latitude` is 0 around the middle line and ±π/2 at the poles.
    fn ring(&mut self, station: &Station, latitude: f32, v: f32) {
        let (rise, reach) = latitude.sin_cos();
        let is_pole = latitude.abs() >= FRAC_PI_2;
        // To the last digit.
        let reach = if is_pole { 0.0 } else { reach };
        let other = station.tangent.cross(station.side);
        let lean = if latitude == 0.0 { -station.growth } else { 0.0 };
        for segment in 0..=self.segments {
            let angle = (segment % self.segments) as f32 / self.segments as f32 * TAU;
            let (sin, cos) = angle.sin_cos();
            let out = cos * station.side + sin * other;
            let direction = reach * out + rise * station.tangent;
            self.mesh.positions.push(station.center + station.radius * direction);
            self.mesh.normals.push((direction + lean * station.tangent).normalize());
            self.mesh.uvs.push(Vec2::new(segment as f32 / self.segments as f32, v));
        }
        if self.count > 0 {
            let (width, here) = (self.segments + 1, self.count * (self.segments + 1));
            for segment in 0..self.segments {
                let (a, b) = (here - width + segment, here - width + segment + 1);
                let (c, d) = (here + segment + 1, here + segment);
                // Triangles that would end in a pole with two corners are left out.
                let lower = (!self.after_pole).then_some([a, b, c]);
                let upper = (!is_pole).then_some([a, c, d]);
                self.mesh.triangles.extend(lower.into_iter().chain(upper));
            }
        }
        self.count += 1;
        self.after_pole = is_pole;
    }

    /// Adds the rings of a round end; `side` is -1 at the start of the tube and 1 at its end.
    fn cap(&mut self, station: &Station, side: f32) {
        let rings = (self.segments / 4).max(1);
        // Round ends are as long as they are wide, in the measure of the pattern: a full turn is one.
        for ring in 0..rings {
            let step = if side < 0.0 { rings - ring } else { ring + 1 };
            let latitude = FRAC_PI_2 * step as f32 / rings as f32;
            let latitude = if step == rings { FRAC_PI_2 } else { latitude };
            self.ring(station, side * latitude, station.v + side * latitude / PI);
        }
    }

    /// Has the last of `rings` rings lie on the first, to the last digit.
    fn close(&mut self, rings: usize) {
        let width = self.segments as usize + 1;
        let last = width * (rings - 1);
        self.mesh.positions.copy_within(..width, last);
        self.mesh.normals.copy_within(..width, last);
    }
}

#[cfg(test)]
#[path = "tube_tests.rs"]
mod tests;
