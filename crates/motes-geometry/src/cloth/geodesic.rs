//! Distances along a sheet from some of its vertices.
//!
//! Waves run over the triangles as in fast marching (Kimmel and Sethian 1998), but round ones: where a wave has come to both
//! ends of an edge, the point that it would have come from in the plane of the next triangle is found again, and its
//! distance to the third vertex is taken (Novotni and Klein 2002, "Computing geodesic distances on triangular meshes"). On
//! a flat sheet without notches this is exact; distances that only follow edges are up to 8 % too long.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::ClothShape;

/// An anchor and its distance, metres.
type Reached = (u32, f64);

/// The nearest anchors of each vertex along the sheet, at most `most` of them, nearest first.
pub(super) fn nearest(shape: &ClothShape, anchors: &[u32], most: usize) -> Vec<Vec<Reached>> {
    let around = triangles_around(shape);
    let mut front = Front {
        shape,
        // Where anchors stand side by side, both ends of an edge must know of one to say how far it is.
        kept: most + 3,
        reached: vec![Vec::new(); shape.positions.len()],
        open: BinaryHeap::new(),
    };
    for &anchor in anchors {
        front.offer(anchor, (anchor, 0.0));
    }
    while let Some(Reverse((Ordered(distance), vertex, anchor))) = front.open.pop() {
        if front.known(vertex, anchor) != Some(distance) {
            continue;
        }
        for &triangle in &around[vertex as usize] {
            let [a, b, c] = shape.triangles[triangle as usize];
            let [next, last] = match vertex {
                _ if vertex == a => [b, c],
                _ if vertex == b => [c, a],
                _ => [a, b],
            };
            for (near, far) in [(next, last), (last, next)] {
                front.offer(near, (anchor, distance + front.length(vertex, near)));
                if let Some(other) = front.known(near, anchor)
                    && let Some(found) = front.across([(vertex, distance), (near, other)], far)
                {
                    front.offer(far, (anchor, found));
                }
            }
        }
    }
    front.reached.iter_mut().for_each(|list| list.truncate(most));
    front.reached
}

struct Front<'a> {
    shape: &'a ClothShape,
    kept: usize,
    /// Nearest first.
    reached: Vec<Vec<Reached>>,
    open: BinaryHeap<Reverse<(Ordered, u32, u32)>>,
}

impl Front<'_> {
    fn known(&self, vertex: u32, anchor: u32) -> Option<f64> {
        let list = &self.reached[vertex as usize];
        list.iter()
            .find(|(known, _)| *known == anchor)
            .map(|(_, distance)| *distance)
    }

    fn length(&self, a: u32, b: u32) -> f64 {
        let [a, b] = [a, b].map(|vertex| self.shape.positions[vertex as usize].as_dvec3());
        a.distance(b)
    }

    /// Notes a distance that is shorter than what is known, and has it spread.
    fn offer(&mut self, vertex: u32, (anchor, distance): Reached) {
        let list = &mut self.reached[vertex as usize];
        match list.iter().position(|(known, _)| *known == anchor) {
            // Less than that is rounding, and would go round in circles.
            Some(place) if distance < list[place].1 * (1.0 - 1e-9) => {
                list.remove(place);
            }
            Some(_) => return,
            None => {}
        }
        let place = list.partition_point(|(_, known)| *known <= distance);
        if place < self.kept {
            list.insert(place, (anchor, distance));
            list.truncate(self.kept);
            self.open.push(Reverse((Ordered(distance), vertex, anchor)));
        }
    }

    /// How far a vertex is from the source of a wave that has come to both ends of the edge before it, if the shortest way
    /// leads through the edge.
    fn across(&self, [(a, from_a), (b, from_b)]: [Reached; 2], vertex: u32) -> Option<f64> {
        let [a, b, c] = [a, b, vertex].map(|vertex| self.shape.positions[vertex as usize].as_dvec3());
        let length = a.distance(b);
        let along = (b - a) / length;
        let x = (c - a).dot(along);
        let y = (c - a - x * along).length();
        let source = (from_a * from_a - from_b * from_b + length * length) / (2.0 * length);
        let depth = (from_a * from_a - source * source).max(0.0).sqrt();
        let passed = source + (x - source) * depth / (depth + y);
        let slack = 1e-9 * length;
        (passed >= -slack && passed <= length + slack).then(|| (x - source).hypot(y + depth))
    }
}

fn triangles_around(shape: &ClothShape) -> Vec<Vec<u32>> {
    let mut around = vec![Vec::new(); shape.positions.len()];
    for (triangle, corners) in (0..).zip(&shape.triangles) {
        corners
            .iter()
            .for_each(|&corner| around[corner as usize].push(triangle));
    }
    around
}

/// A distance that can be put in order.
#[derive(Clone, Copy, Debug)]
struct Ordered(f64);

impl PartialEq for Ordered {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}
