//! Which edges around a particle are torn: those across a direction, as they lie on the flat sheet.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use super::fan::Fan;
use super::index::Sheets;
use crate::particles::ParticleId;
use crate::store::ConstraintKind;

/// How far from a right angle to a stretched edge another may be that is torn for it, radians.
const ASKEW: f64 = 0.7;

impl Sheets<'_> {
    /// The sides of a face at rest, metres, each opposite its corner; all alike where distances do not tell.
    fn sides(&self, face: u32) -> [f64; 3] {
        let [a, b, c] = self.corners(face);
        let batch = self.batch(ConstraintKind::Distance);
        let length = |a: ParticleId, b: ParticleId| {
            let row = self.springs(a, b).first().copied()?;
            Some(f64::from(batch.rest()[row as usize])).filter(|&length| length > 0.0)
        };
        match (length(b, c), length(c, a), length(a, b)) {
            (Some(a), Some(b), Some(c)) => [a, b, c],
            _ => [1.0; 3],
        }
    }

    /// The area of a face at rest, m², by Heron's formula.
    pub(super) fn area(&self, face: u32) -> f64 {
        let [a, b, c] = self.sides(face);
        let half = 0.5 * (a + b + c);
        (half * (half - a) * (half - b) * (half - c)).max(0.0).sqrt()
    }

    /// The angle of a face at one of its corners, radians, at rest.
    fn angle(&self, face: u32, particle: ParticleId) -> f64 {
        let sides = self.sides(face);
        let corner = self.corners(face).iter().position(|&corner| corner == particle);
        let [opposite, left, right] = [0, 1, 2].map(|turn| sides[(corner.unwrap_or(0) + turn) % 3]);
        let cosine = (left * left + right * right - opposite * opposite) / (2.0 * left * right);
        cosine.clamp(-1.0, 1.0).acos()
    }

    /// The direction of each edge of a fan around a particle when that is laid flat, radians from the first; those of a ring are a
    /// turn in all.
    pub(super) fn angles(&self, particle: ParticleId, fan: &Fan) -> Vec<f64> {
        let mut angles = vec![0.0];
        for &face in &fan.faces {
            angles.push(angles[angles.len() - 1] + self.angle(face, particle));
        }
        if fan.is_ring() {
            let whole = angles.pop().unwrap_or(TAU).max(1e-9);
            angles.iter_mut().for_each(|angle| *angle *= TAU / whole);
        }
        angles
    }

    /// The edges of a fan to be torn when the one to a place on its rim is stretched too far, and how far they are from a right angle
    /// to it at most, radians.
    pub(super) fn across(&self, particle: ParticleId, fan: &Fan, stretched: usize) -> Option<(Vec<usize>, f64)> {
        let angles = self.angles(particle, fan);
        let turn = |rim: usize| {
            let turn = angles[rim] - angles[stretched];
            if fan.is_ring() {
                (turn + PI).rem_euclid(TAU) - PI
            } else {
                turn
            }
        };
        let nearest = |wanted: f64| {
            let inner = fan.inner().filter(|&rim| rim != stretched);
            let askew = inner.map(|rim| (rim, (turn(rim) - wanted).abs()));
            askew
                .filter(|(_, askew)| *askew < ASKEW)
                .min_by(|a, b| a.1.total_cmp(&b.1))
        };
        match (nearest(FRAC_PI_2), nearest(-FRAC_PI_2)) {
            (Some(a), Some(b)) if fan.is_ring() => Some((vec![a.0, b.0], a.1.max(b.1))),
            (Some(a), Some(b)) => Some(if a.1 <= b.1 { (vec![a.0], a.1) } else { (vec![b.0], b.1) }),
            (Some(a), None) | (None, Some(a)) if !fan.is_ring() => Some((vec![a.0], a.1)),
            _ => None,
        }
    }
}

/// The edges of a fan to be torn by a plane, given their directions and how far each leans out of it.
pub(super) fn by_plane(fan: &Fan, angles: &[f64], leans: impl Fn(usize) -> f32) -> Vec<usize> {
    let least = |rims: &mut dyn Iterator<Item = usize>| rims.min_by(|&a, &b| leans(a).total_cmp(&leans(b)));
    let Some(first) = least(&mut fan.inner()) else {
        return Vec::new();
    };
    if !fan.is_ring() {
        return vec![first];
    }
    let away = |rim: usize| ((angles[rim] - angles[first] + PI).rem_euclid(TAU) - PI).abs();
    let second = least(&mut fan.inner().filter(|&rim| rim != first && away(rim) > 0.99 * FRAC_PI_2));
    second.map_or(Vec::new(), |second| vec![first, second])
}
