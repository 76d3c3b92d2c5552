//! Cuts: the straightest path of edges between two points, torn at once or at a time.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::Tear;
use crate::error::WorldError;
use crate::particles::ParticleId;
use crate::store::ConstraintKind;
use crate::world::World;
use crate::world::group::GroupId;
use crate::world::questions::OfGroup;
use crate::world::switches::EARLY;

/// A cut to come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Cutting {
    /// Time of the world, seconds.
    time: f64,
    path: Vec<ParticleId>,
}

impl World {
    /// Cuts the sheets of a group along the edges nearest to a segment between two points of the world, metres, from the particle nearest to
    /// the one to that nearest to the other. Nothing happens where these are not of one piece. Asks where the particles are, and waits for a
    /// device; [`World::tear_along`] does not.
    pub fn cut(&mut self, group: GroupId, from: Vec3, to: Vec3) -> Result<Vec<Tear>, WorldError> {
        for (field, point) in [("start", from), ("end", to)] {
            if !point.is_finite() {
                return Err(WorldError::Value {
                    what: "cut".into(),
                    field: field.into(),
                    found: point.to_string(),
                    expected: "finite numbers".into(),
                });
            }
        }
        self.group(group).ok_or(WorldError::Gone("group"))?;
        let found = self.query(OfGroup(group));
        let number = |id: ParticleId| found.binary_search_by_key(&id, |&(known, _)| known).ok();
        let places: Vec<Vec3> = found.iter().map(|(_, state)| state.position).collect();
        let mut edges = Vec::new();
        let faces = self.engine.constraints_mut().batch(ConstraintKind::Face);
        for face in faces.ids() {
            let corners = faces.particles_of(face.index as usize);
            for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                if let (Some(a), Some(b)) = (number(corners[a]), number(corners[b])) {
                    edges.push([a as u32, b as u32]);
                }
            }
        }
        let path = straight_path(&places, &edges, from, to);
        let path: Vec<ParticleId> = path.iter().map(|&vertex| found[vertex as usize].0).collect();
        Ok(self.tear_along(&path))
    }

    /// Tears sheets along a path of their edges, as [`World::tear_along`] does, before the first frame that begins at a time of the world,
    /// seconds, or later.
    pub fn cut_at(&mut self, time: f64, path: Vec<ParticleId>) -> Result<(), WorldError> {
        if !time.is_finite() {
            return Err(WorldError::Value {
                what: "cut".into(),
                field: "time".into(),
                found: time.to_string(),
                expected: "a finite number of seconds".into(),
            });
        }
        if !path.iter().all(|&id| self.engine.is_alive(id)) {
            return Err(WorldError::Gone("particle of a cut"));
        }
        let place = self.model.cuts.partition_point(|cut| cut.time <= time);
        self.model.cuts.insert(place, Cutting { time, path });
        Ok(())
    }

    /// Cuts what is due.
    pub(crate) fn cut_due(&mut self) {
        let now = self.model.time + EARLY;
        let due = self.model.cuts.partition_point(|cut| cut.time <= now);
        let due: Vec<Cutting> = self.model.cuts.drain(..due).collect();
        for cut in due {
            self.tear_along(&cut.path);
        }
    }
}

/// How much longer a way may be for being nearer to the segment, over how much nearer it is.
const STRAIGHTNESS: f32 = 4.0;

/// The path of edges from the vertex nearest to a point to the one nearest to another that keeps nearest to the segment between these (Dijkstra's
/// algorithm); none if there is no way.
pub fn straight_path(places: &[Vec3], edges: &[[u32; 2]], from: Vec3, to: Vec3) -> Vec<u32> {
    let nearest = |point: Vec3| {
        let distances = places.iter().map(|place| place.distance_squared(point)).zip(0..);
        distances.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, vertex)| vertex)
    };
    let (Some(first), Some(last)) = (nearest(from), nearest(to)) else {
        return Vec::new();
    };
    let mut neighbors: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for &[a, b] in edges {
        neighbors.entry(a).or_default().push(b);
        neighbors.entry(b).or_default().push(a);
    }
    let way = to - from;
    let aside = |place: Vec3| {
        let along = (place - from).dot(way) / way.length_squared().max(f32::MIN_POSITIVE);
        place.distance(from + along.clamp(0.0, 1.0) * way)
    };
    let cost = |a: u32, b: u32| {
        let [a, b] = [a, b].map(|vertex| places[vertex as usize]);
        a.distance(b) + STRAIGHTNESS * (aside(b) + aside(a.midpoint(b)))
    };
    let mut best: Vec<(f32, u32)> = vec![(f32::INFINITY, u32::MAX); places.len()];
    best[first as usize].0 = 0.0;
    // Lengths are positive, so that their bits are ordered as they are.
    let mut open = BinaryHeap::from([Reverse((0u32, first))]);
    while let Some(Reverse((bits, vertex))) = open.pop() {
        let so_far = f32::from_bits(bits);
        if so_far > best[vertex as usize].0 || vertex == last {
            continue;
        }
        for &next in neighbors.get(&vertex).into_iter().flatten() {
            let length = so_far + cost(vertex, next);
            if length < best[next as usize].0 {
                best[next as usize] = (length, vertex);
                open.push(Reverse((length.to_bits(), next)));
            }
        }
    }
    if !best[last as usize].0.is_finite() {
        return Vec::new();
    }
    let mut path = vec![last];
    while let Some(&vertex) = path.last().filter(|&&vertex| vertex != first) {
        path.push(best[vertex as usize].1);
    }
    path.reverse();
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_keeps_to_the_segment() {
        let place = |vertex: u32| Vec3::new((vertex % 5) as f32, (vertex / 5) as f32, 0.0);
        let places: Vec<Vec3> = (0..25).map(place).collect();
        let mut edges = Vec::new();
        for vertex in 0..25 {
            for (step, last) in [
                (1, vertex % 5 == 4),
                (5, vertex > 19),
                (6, vertex % 5 == 4 || vertex > 19),
            ] {
                if !last {
                    edges.push([vertex, vertex + step]);
                }
            }
        }
        let path = |from, to| straight_path(&places, &edges, from, to);
        assert_eq!(
            path(Vec3::new(-1.0, 2.1, 0.0), Vec3::new(6.0, 2.1, 0.0)),
            [10, 11, 12, 13, 14]
        );
        assert_eq!(
            path(Vec3::ZERO, Vec3::new(4.0, 4.0, 0.0)),
            [0, 6, 12, 18, 24],
            "along diagonals"
        );
        assert_eq!(path(Vec3::ZERO, Vec3::ZERO), [0]);
        assert!(straight_path(&places, &[], Vec3::ZERO, Vec3::ONE * 4.0).is_empty());
    }
}
