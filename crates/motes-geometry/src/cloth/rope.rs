//! Ropes: particles along a curve, with what keeps them apart and resists bending.

use glam::{DVec3, Vec3};

use crate::error::{GeometryError, positive};

/// A curve that a rope follows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RopePath {
    /// Points that it passes, metres.
    pub points: Vec<Vec3>,
    /// Whether it bends smoothly through the points; straight from one to the next by default.
    pub smooth: bool,
    /// Whether its end is its start.
    pub closed: bool,
}

impl RopePath {
    /// Straight from point to point.
    pub fn line(points: impl Into<Vec<Vec3>>) -> Self {
        Self {
            points: points.into(),
            ..Self::default()
        }
    }

    /// Smoothly through the points.
    pub fn curve(points: impl Into<Vec<Vec3>>) -> Self {
        Self {
            smooth: true,
            ..Self::line(points)
        }
    }

    /// The same, back to its start.
    pub fn closed(self) -> Self {
        Self { closed: true, ..self }
    }
}

/// Most particles of a rope.
const MAX_PARTICLES: f64 = 2e7;

/// A rope at rest: particles at equal distances along a curve.
#[derive(Clone, Debug, PartialEq)]
pub struct RopeShape {
    /// Particles from end to end, metres.
    pub positions: Vec<Vec3>,
    /// Length of rope from one particle to the next, metres. Times the number of segments it is the length of the curve; where this bends,
    /// particles start a little nearer.
    pub spacing: f32,
    /// Whether the last particle is joined to the first.
    pub closed: bool,
}

/// Three particles in a row that resist bending: an energy `½ (|v| − rest)²/compliance` of `v = Σ weights · positions`, which is the
/// curvature times the spacing squared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RopeBend {
    /// The particles, the one in the middle second.
    pub vertices: [u32; 3],
    /// Weight of each: 1, −2, 1.
    pub weights: [f32; 3],
    /// Length of v in the shape as it is, metres; 0 in its place for a rope that is straight at rest.
    pub rest: f32,
    /// Compliance, m/N, times flexural rigidity EI, N·m²: the spacing cubed. Compliance is this over the rigidity.
    pub compliance_times_rigidity: f32,
}

impl RopeShape {
    /// A rope with particles `spacing` metres apart, or a little less, so that they end where the path does.
    pub fn along(path: &RopePath, spacing: f32) -> Result<Self, GeometryError> {
        let line = line_of(path)?;
        let segments = (total(&line) / f64::from(positive("spacing", spacing)?) - 1e-4).ceil();
        Self::sampled(&line, path.closed, segments)
    }

    /// A rope of so many particles.
    pub fn with_count(path: &RopePath, particles: u32) -> Result<Self, GeometryError> {
        let least = if path.closed { 3 } else { 2 };
        if particles < least {
            return Err(GeometryError::TooFew {
                what: "a rope, in particles,",
                least: least as usize,
                found: particles as usize,
            });
        }
        let segments = particles - u32::from(!path.closed);
        Self::sampled(&line_of(path)?, path.closed, f64::from(segments))
    }

    fn sampled(line: &[DVec3], closed: bool, segments: f64) -> Result<Self, GeometryError> {
        if segments > MAX_PARTICLES {
            return Err(GeometryError::TooManyPoints {
                wanted: segments,
                limit: MAX_PARTICLES,
            });
        }
        let segments = segments.max(if closed { 3.0 } else { 1.0 }) as usize;
        let spacing = total(line) / segments as f64;
        let mut positions = Vec::with_capacity(segments + 1);
        let (mut passed, mut piece) = (0.0, 0);
        for index in 0..segments + usize::from(!closed) {
            let wanted = index as f64 * spacing;
            let mut length = line[piece].distance(line[piece + 1]);
            while piece + 2 < line.len() && passed + length < wanted {
                passed += length;
                piece += 1;
                length = line[piece].distance(line[piece + 1]);
            }
            let share = ((wanted - passed) / length).clamp(0.0, 1.0);
            positions.push(line[piece].lerp(line[piece + 1], share).as_vec3());
        }
        Ok(Self {
            positions,
            spacing: spacing as f32,
            closed,
        })
    }

    /// Number of particles.
    fn count(&self) -> u32 {
        self.positions.len() as u32
    }

    /// Pairs of particles that are one spacing of rope apart. Their compliance is the spacing over EA, the force per strain, N.
    pub fn segments(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        let count = self.count();
        (0..count - u32::from(!self.closed)).map(move |index| [index, (index + 1) % count])
    }

    /// Length of the rope, metres.
    pub fn length(&self) -> f32 {
        self.spacing * self.segments().count() as f32
    }

    /// What resists bending at each particle between two others.
    ///
    /// Each stands for half a segment on either side. Where the middle one and one of the others are held fast, only the free
    /// half bends: [`clamp_bends`] says so.
    pub fn bends(&self) -> Vec<RopeBend> {
        let count = self.count();
        let inner = if self.closed { 0..count } else { 1..count.max(2) - 1 };
        let bend = |middle: u32| {
            let vertices = [(middle + count - 1) % count, middle, (middle + 1) % count];
            let [a, b, c] = vertices.map(|vertex| self.positions[vertex as usize].as_dvec3());
            RopeBend {
                vertices,
                weights: [1.0, -2.0, 1.0],
                rest: ((a - b) + (c - b)).length() as f32,
                compliance_times_rigidity: self.spacing.powi(3),
            }
        };
        inner.map(bend).collect()
    }

    /// Mass of each particle, kg, of a rope of that many kg/m: half a segment for the ends.
    pub fn masses(&self, linear_density: f32) -> Vec<f32> {
        let last = self.positions.len() - 1;
        let share = |index: usize| {
            if !self.closed && (index == 0 || index == last) {
                0.5
            } else {
                1.0
            }
        };
        (0..=last)
            .map(|index| share(index) * linear_density * self.spacing)
            .collect()
    }

    /// For every particle the next anchors along the rope, on either side: the particle, the anchor, metres between them. Held from one side
    /// alone, the two halves of a rope between two pins are pulled apart in the middle by what falls on it.
    pub fn tethers(&self, anchors: &[u32]) -> Vec<super::Tether> {
        let count = self.count();
        let steps_up = |from: u32, to: u32| match self.closed {
            true => Some((to + count - from) % count),
            false => to.checked_sub(from),
        };
        let there = || anchors.iter().copied().filter(|&anchor| anchor < count);
        let mut tethers = Vec::new();
        for vertex in (0..count).filter(|vertex| !anchors.contains(vertex)) {
            let below = there()
                .filter_map(|anchor| Some((steps_up(anchor, vertex)?, anchor)))
                .min();
            let above = there()
                .filter_map(|anchor| Some((steps_up(vertex, anchor)?, anchor)))
                .min();
            let mut sides: Vec<(u32, u32)> = below.into_iter().chain(above).collect();
            // A ring on one anchor has the same one on both sides.
            sides.sort_unstable();
            sides.dedup_by_key(|&mut (_, anchor)| anchor);
            tethers.extend(sides.into_iter().map(|(steps, anchor)| super::Tether {
                vertex,
                anchor,
                length: self.spacing * steps as f32,
            }));
        }
        tethers
    }
}

/// Halves the compliance of bends of which the middle and one other particle are held: a clamp begins there, and only the free
/// half of the rope around it bends. Without this a clamped rope is half a segment too long.
pub fn clamp_bends(bends: &mut [RopeBend], is_held: impl Fn(u32) -> bool) {
    for bend in bends {
        let [a, middle, b] = bend.vertices.map(&is_held);
        if middle && a != b {
            bend.compliance_times_rigidity *= 0.5;
        }
    }
}

/// Pieces of a smooth curve between two of its points.
const PIECES: u32 = 64;

/// The path as a line of short pieces.
fn line_of(path: &RopePath) -> Result<Vec<DVec3>, GeometryError> {
    if let Some(index) = path.points.iter().position(|point| !point.is_finite()) {
        return Err(GeometryError::NotFinite { index });
    }
    let mut points: Vec<DVec3> = path.points.iter().map(|point| point.as_dvec3()).collect();
    points.dedup();
    if path.closed && points.len() > 1 && points.first() == points.last() {
        points.pop();
    }
    let least = if path.closed { 3 } else { 2 };
    if points.len() < least {
        return Err(GeometryError::TooFew {
            what: "a rope, in different points,",
            least,
            found: points.len(),
        });
    }
    let count = points.len();
    let spans = count - usize::from(!path.closed);
    if !path.smooth || count < 3 {
        return Ok((0..=spans).map(|index| points[index % count]).collect());
    }
    // Before the first and after the last the curve goes on as if mirrored.
    let at = |index: isize| match index {
        _ if path.closed => points[index.rem_euclid(count as isize) as usize],
        -1 => 2.0 * points[0] - points[1],
        _ if index as usize == count => 2.0 * points[count - 1] - points[count - 2],
        _ => points[index as usize],
    };
    let mut line = vec![points[0]];
    for span in 0..spans as isize {
        let around = [span - 1, span, span + 1, span + 2].map(at);
        line.extend((1..=PIECES).map(|piece| catmull_rom(around, f64::from(piece) / f64::from(PIECES))));
    }
    Ok(line)
}

/// The centripetal spline of Catmull and Rom between the second and the third of four points (Barry and Goldman 1988; Yuksel et al. 2011: it
/// makes no loops).
fn catmull_rom([a, b, c, d]: [DVec3; 4], share: f64) -> DVec3 {
    let knot = |from: DVec3, to: DVec3| from.distance(to).sqrt().max(1e-12);
    let times = [
        0.0,
        knot(a, b),
        knot(a, b) + knot(b, c),
        knot(a, b) + knot(b, c) + knot(c, d),
    ];
    let time = times[1] + share * (times[2] - times[1]);
    let mix = |from: DVec3, to: DVec3, start: f64, end: f64| from.lerp(to, (time - start) / (end - start));
    let first = [
        mix(a, b, times[0], times[1]),
        mix(b, c, times[1], times[2]),
        mix(c, d, times[2], times[3]),
    ];
    let second = [
        mix(first[0], first[1], times[0], times[2]),
        mix(first[1], first[2], times[1], times[3]),
    ];
    mix(second[0], second[1], times[1], times[2])
}

fn total(line: &[DVec3]) -> f64 {
    line.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec2;

    #[test]
    fn a_straight_rope_has_even_particles_from_end_to_end() {
        let path = RopePath::line([Vec3::ZERO, Vec3::X, Vec3::X, Vec3::new(2.5, 0.0, 0.0)]);
        let rope = RopeShape::along(&path, 0.1).unwrap();
        assert_eq!(
            (rope.positions.len(), rope.segments().count(), rope.bends().len()),
            (26, 25, 24)
        );
        assert!((rope.length() - 2.5).abs() < 1e-6);
        for [a, b] in rope.segments() {
            assert!((rope.positions[a as usize].distance(rope.positions[b as usize]) - 0.1).abs() < 1e-6);
        }
        assert_eq!(rope.positions[25], Vec3::new(2.5, 0.0, 0.0));
        let masses = rope.masses(0.2);
        assert!((masses[0] - 0.01).abs() < 1e-7 && (masses.iter().sum::<f32>() - 0.5).abs() < 1e-6);
        assert!(rope.bends().iter().all(|bend| bend.rest < 1e-6));
        let coarse = RopeShape::along(&path, 0.3).unwrap();
        assert_eq!((coarse.positions.len(), coarse.length()), (10, 2.5));
    }

    #[test]
    fn a_ring_through_eight_points_is_nearly_a_circle_and_has_its_curvature() {
        let mut points: Vec<Vec3> = (0..8)
            .map(|index| Vec3::from((glam::Vec2::from_angle(index as f32 * std::f32::consts::FRAC_PI_4), 0.0)))
            .collect();
        let ring = RopeShape::with_count(&RopePath::curve(points.clone()).closed(), 100).unwrap();
        assert_eq!(
            (ring.positions.len(), ring.segments().count(), ring.bends().len()),
            (100, 100, 100)
        );
        assert!(
            (ring.length() / std::f32::consts::TAU - 1.0).abs() < 0.01,
            "{}",
            ring.length()
        );
        let mean: f32 = ring.bends().iter().map(|bend| bend.rest / 100.0).sum();
        assert!((mean / ring.spacing.powi(2) - 1.0).abs() < 0.03);
        points.push(points[0]);
        let same = RopeShape::with_count(&RopePath::curve(points).closed(), 100).unwrap();
        assert_eq!(same, ring);
    }

    #[test]
    fn a_ring_has_the_energy_of_a_beam_bent_to_its_radius() {
        let ring: Vec<Vec3> = (0..64)
            .map(|index| 2.0 * Vec3::from((glam::Vec2::from_angle(index as f32 * std::f32::consts::TAU / 64.0), 0.0)))
            .collect();
        let rope = RopeShape::with_count(&RopePath::line(ring).closed(), 64).unwrap();
        let energy: f32 = rope
            .bends()
            .iter()
            .map(|bend| 0.5 * bend.rest * bend.rest / bend.compliance_times_rigidity)
            .sum();
        assert!((energy / (0.5 * rope.length() / 4.0) - 1.0).abs() < 1e-3, "{energy}");
    }

    /// How far the tip of a heavy rope hangs down that is held level by its first two particles, over its free length of 1 m: moments balance at
    /// every bend, where a fold of θ has `EI/l sin θ`.
    fn sag(rope: &RopeShape, bends: &[RopeBend], gamma: f64) -> f64 {
        let (spacing, weights) = (f64::from(rope.spacing), rope.masses(1.0));
        let mut folds = vec![0.0f64; bends.len()];
        let mut places = vec![DVec2::ZERO; weights.len()];
        for _ in 0..4000 {
            let mut angle = 0.0;
            for (index, fold) in folds.iter().enumerate() {
                angle += fold;
                places[index + 2] = places[index + 1] + spacing * DVec2::from_angle(-angle);
            }
            for (index, (bend, fold)) in bends.iter().zip(&mut folds).enumerate() {
                let right = places.iter().zip(&weights).skip(index + 2);
                let moment: f64 = right
                    .map(|(place, weight)| f64::from(*weight) * (place.x - places[index + 1].x))
                    .sum();
                let sine = gamma * moment * f64::from(bend.compliance_times_rigidity) / spacing.powi(2);
                *fold += 0.3 * (sine.clamp(-1.0, 1.0).asin() - *fold);
            }
        }
        -places[weights.len() - 1].y
    }

    #[test]
    fn a_heavy_rope_held_at_one_end_hangs_as_the_elastica_does() {
        for segments in [10, 20] {
            let path = RopePath::line([-Vec3::X / segments as f32, Vec3::X]);
            let rope = RopeShape::with_count(&path, segments + 2).unwrap();
            for (gamma, wanted) in [(1.0, 0.1235), (5.0, 0.4959), (10.0, 0.7002)] {
                let mut bends = rope.bends();
                let loose = sag(&rope, &bends, gamma) / wanted;
                clamp_bends(&mut bends, |vertex| vertex < 2);
                let clamped = sag(&rope, &bends, gamma) / wanted;
                println!(
                    "{segments} segments, Γ = {gamma}: tip at {clamped:.4}, without the clamp {loose:.4} of the elastica's"
                );
                assert!((clamped - 1.0).abs() < 1.2 / f64::from(segments).powi(2), "{clamped}");
                assert!(loose > 1.05);
            }
        }
    }

    #[test]
    fn tethers_follow_the_rope_and_bad_paths_are_refused() {
        let ring = [Vec3::ZERO, Vec3::X, Vec3::ONE];
        let rope = RopeShape::with_count(&RopePath::line(ring).closed(), 10).unwrap();
        let tethers = rope.tethers(&[0]);
        assert_eq!(tethers.len(), 9);
        assert!(
            (tethers[8].length - rope.spacing).abs() < 1e-6 && (tethers[4].length - 5.0 * rope.spacing).abs() < 1e-6
        );
        // Between two anchors, both hold.
        let line = RopeShape::with_count(&RopePath::line([Vec3::ZERO, Vec3::X]), 11).unwrap();
        let tethers = line.tethers(&[0, 10]);
        assert_eq!(tethers.len(), 2 * 9);
        for pair in tethers.chunks(2) {
            assert_eq!(pair[0].vertex, pair[1].vertex);
            assert!((pair[0].length + pair[1].length - 1.0).abs() < 1e-5);
        }
        for points in [vec![], vec![Vec3::X], vec![Vec3::X; 3], vec![Vec3::ZERO, Vec3::NAN]] {
            assert!(RopeShape::along(&RopePath::curve(points), 0.1).is_err());
        }
        let path = RopePath::line([Vec3::ZERO, Vec3::X]);
        assert!(RopeShape::along(&path, 0.0).is_err() && RopeShape::with_count(&path, 1).is_err());
        assert!(RopeShape::along(&path, 1e-20).is_err() && RopeShape::along(&path.closed(), 0.1).is_err());
    }
}
