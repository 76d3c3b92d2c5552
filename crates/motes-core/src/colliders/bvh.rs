//! A bounding volume hierarchy over boxes, in one flat array that a GPU can read as it is.
//!
//! Nodes lie in depth-first order and each inner node knows where its subtree ends, so a query walks the array
//! forwards and needs no stack.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use crate::space::bounds::Bounds;

const LEAF_SIZE: usize = 4;

/// One node, 32 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct BvhNode {
    /// Lower corner of the box.
    pub min: Vec3,
    /// Leaf: first place in [`Bvh::order`]. Inner node: index of the node after its subtree.
    pub link: u32,
    /// Upper corner of the box.
    pub max: Vec3,
    /// Leaf: how many places. Inner node: 0.
    pub count: u32,
}

/// The hierarchy.
#[derive(Clone, Debug, PartialEq)]
pub struct Bvh {
    nodes: Vec<BvhNode>,
    order: Vec<u32>,
}

impl Bvh {
    /// Builds by median split along the longest axis; ties go by index, so the result is always the same.
    pub(super) fn new(boxes: &[Bounds]) -> Self {
        let mut bvh = Self {
            nodes: Vec::with_capacity(boxes.len()),
            order: (0..boxes.len() as u32).collect(),
        };
        let mut order = std::mem::take(&mut bvh.order);
        bvh.build(boxes, &mut order, 0);
        bvh.order = order;
        bvh
    }

    fn build(&mut self, boxes: &[Bounds], order: &mut [u32], first: usize) {
        let around = order
            .iter()
            .fold(Bounds::EMPTY, |around, &i| around.union(boxes[i as usize]));
        let node = self.nodes.len();
        self.nodes.push(BvhNode {
            min: around.min,
            link: first as u32,
            max: around.max,
            count: order.len() as u32,
        });
        if order.len() <= LEAF_SIZE {
            return;
        }
        let axis = Bounds::of(order.iter().map(|&i| boxes[i as usize].center()))
            .size()
            .max_position();
        let middle = order.len() / 2;
        order.select_nth_unstable_by(middle, |&a, &b| {
            let (key_a, key_b) = (boxes[a as usize].center()[axis], boxes[b as usize].center()[axis]);
            key_a.total_cmp(&key_b).then(a.cmp(&b))
        });
        let (left, right) = order.split_at_mut(middle);
        // The selection leaves either half in an order of its own; the index order is one nobody can change.
        left.sort_unstable();
        right.sort_unstable();
        self.build(boxes, left, first);
        self.build(boxes, right, first + middle);
        self.nodes[node].link = self.nodes.len() as u32;
        self.nodes[node].count = 0;
    }

    /// The nodes in depth-first order.
    pub fn nodes(&self) -> &[BvhNode] {
        &self.nodes
    }

    /// The items, leaf after leaf.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Visits every item of every leaf whose box passes the test.
    #[inline]
    pub(super) fn visit(&self, mut enter: impl FnMut(&BvhNode) -> bool, mut visit: impl FnMut(u32)) {
        let mut index = 0;
        while let Some(node) = self.nodes.get(index) {
            let entered = enter(node);
            if node.count > 0 {
                if entered {
                    let first = node.link as usize;
                    for &item in &self.order[first..first + node.count as usize] {
                        visit(item);
                    }
                }
                index += 1;
            } else {
                index = if entered { index + 1 } else { node.link as usize };
            }
        }
    }

    /// Visits at least the items within `reach` of a segment.
    #[inline]
    pub(super) fn visit_near(&self, start: Vec3, end: Vec3, reach: f32, visit: impl FnMut(u32)) {
        let around = Bounds::of([start, end]).expanded(reach);
        // The box around a short path is as good as the path.
        if start.distance_squared(end) <= 16.0 * reach * reach {
            self.visit(|node| node.overlaps(&around), visit);
        } else {
            self.visit(
                |node| node.overlaps(&around) && node.meets_segment(start, end, reach),
                visit,
            );
        }
    }
}

impl BvhNode {
    /// Whether the box meets another.
    #[inline]
    fn overlaps(&self, other: &Bounds) -> bool {
        // One `&` chain without branches: most nodes of a query fail, on an axis nobody can predict.
        (self.min.x <= other.max.x)
            & (self.min.y <= other.max.y)
            & (self.min.z <= other.max.z)
            & (self.max.x >= other.min.x)
            & (self.max.y >= other.min.y)
            & (self.max.z >= other.min.z)
    }

    /// Whether a segment comes within `reach` of the box along every axis (Ericson 2005, §5.3.3).
    #[inline]
    fn meets_segment(&self, start: Vec3, end: Vec3, reach: f32) -> bool {
        let half = 0.5 * (self.max - self.min) + reach;
        let middle = 0.5 * (start + end) - 0.5 * (self.min + self.max);
        let along = 0.5 * (end - start);
        let extent = along.abs();
        let extent = extent + f32::EPSILON * (middle.abs() + half).max_element();
        let cross = middle.cross(along).abs();
        let limit = Vec3::new(
            half.y * extent.z + half.z * extent.y,
            half.x * extent.z + half.z * extent.x,
            half.x * extent.y + half.y * extent.x,
        );
        cross.cmple(limit).all()
    }

    /// Squared distance from a point to the box.
    #[inline]
    pub(super) fn distance_squared(&self, point: Vec3) -> f32 {
        point.distance_squared(point.clamp(self.min, self.max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-5.0_f32..5.0).prop_map(Vec3::from)
    }

    proptest! {
        #[test]
        fn every_box_on_the_path_is_visited_once(
            corners in prop::collection::vec((point(), point()), 1..60),
            start in point(),
            end in point(),
        ) {
            let boxes: Vec<_> = corners.iter().map(|&(a, b)| Bounds::of([a, a.lerp(b, 0.1)])).collect();
            let bvh = Bvh::new(&boxes);
            let mut seen = vec![0; boxes.len()];
            bvh.visit_near(start, end, 0.1, |item| seen[item as usize] += 1);
            for (bounds, &count) in boxes.iter().zip(&seen) {
                let near = (0..=200).any(|i| {
                    let p = start.lerp(end, i as f32 / 200.0);
                    p.distance(p.clamp(bounds.min, bounds.max)) < 0.1
                });
                prop_assert!(count <= 1);
                prop_assert!(!near || count == 1);
            }
        }
    }

    #[test]
    fn a_short_path_skips_most_of_a_long_row() {
        let boxes: Vec<_> = (0..1000)
            .map(|i| Bounds::of([Vec3::X * i as f32, Vec3::new(i as f32 + 0.5, 1.0, 1.0)]))
            .collect();
        let mut visited = 0;
        Bvh::new(&boxes).visit_near(Vec3::X * 500.0, Vec3::X * 500.1, 0.1, |_| visited += 1);
        assert!((1..=8).contains(&visited));
    }
}
