//! A bounding volume hierarchy over boxes, in one flat array that a GPU can read as it is.
//!
//! Nodes lie in depth-first order and each inner node knows where its subtree ends, so a [`Walk`] goes through the array
//! forwards and needs no stack. [`NearestFirst`] keeps one, for queries that shrink as they find something.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use rayon::prelude::*;

use crate::space::bounds::Bounds;

const LEAF_SIZE: usize = 4;

/// Every level halves the items, and their indices are 32 bits wide; the nearest-first walk leaves one node a level.
const MAX_DEPTH: usize = 33;

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
///
/// ```
/// use motes_core::{Bounds, colliders::Bvh, glam::Vec3};
///
/// let boxes: Vec<_> = (0..100).map(|i| Bounds::of([Vec3::X * i as f32]).expanded(0.4)).collect();
/// let bvh = Bvh::new(&boxes);
/// let point = Vec3::new(42.1, 0.0, 0.0);
/// let mut inside = Vec::new();
/// let mut walk = bvh.walk();
/// while let Some(leaf) = walk.next(|_, node| node.distance_squared(point) == 0.0) {
///     let items = bvh.order()[leaf].iter().copied();
///     inside.extend(items.filter(|&item| boxes[item as usize].contains(point)));
/// }
/// assert_eq!(inside, [42]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Bvh {
    nodes: Vec<BvhNode>,
    order: Vec<u32>,
}

impl Bvh {
    /// Builds by median split along the longest axis; ties go by index, so the result is always the same.
    pub fn new(boxes: &[Bounds]) -> Self {
        let numbered = |(number, &bounds): (usize, &Bounds)| Item {
            bounds,
            number: number as u32,
        };
        let mut items: Vec<Item> = boxes.par_iter().enumerate().map(numbered).collect();
        let mut nodes = Vec::with_capacity(boxes.len());
        if !boxes.is_empty() {
            let (mut spare, mut keys) = rayon::join(|| items.clone(), || vec![0; items.len()]);
            build(&mut items, &mut spare, &mut keys, 0, &mut nodes);
        }
        let order = items.iter().map(|item| item.number).collect();
        Self { nodes, order }
    }

    /// The nodes in depth-first order; none if there are no boxes.
    pub fn nodes(&self) -> &[BvhNode] {
        &self.nodes
    }

    /// The items, leaf after leaf.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Goes through the leaves in order.
    #[inline]
    pub fn walk(&self) -> Walk<'_> {
        Walk {
            nodes: &self.nodes,
            index: 0,
        }
    }

    /// Goes through the leaves, of any two subtrees the one nearer to `point` first.
    #[inline]
    pub fn nearest_first(&self, point: Vec3) -> NearestFirst<'_> {
        let mut open = [(0.0, 0); MAX_DEPTH];
        if let Some(root) = self.nodes.first() {
            open[0].0 = root.distance_squared(point);
        }
        NearestFirst {
            nodes: &self.nodes,
            point,
            open,
            depth: usize::from(!self.nodes.is_empty()),
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

    /// Visits every item of every leaf whose box passes the test.
    #[inline]
    fn visit(&self, enter: impl Fn(&BvhNode) -> bool, mut visit: impl FnMut(u32)) {
        let mut walk = self.walk();
        while let Some(leaf) = walk.next(|_, node| enter(node)) {
            for &item in &self.order[leaf] {
                visit(item);
            }
        }
    }
}

/// Items from which on both halves of them are built at the same time.
const PARALLEL: usize = 1 << 14;

/// A box while the hierarchy is built. Boxes move along with their numbers, so that every level reads them one after the other.
#[derive(Clone, Copy)]
struct Item {
    bounds: Bounds,
    number: u32,
}

/// Appends the node over these items, which are in the order of their numbers, and all below it. `spare` and `keys` have as many
/// places, whatever they hold.
fn build(items: &mut [Item], spare: &mut [Item], keys: &mut [u64], first: usize, nodes: &mut Vec<BvhNode>) {
    let around = items
        .iter()
        .fold(Bounds::EMPTY, |around, item| around.union(item.bounds));
    let node = nodes.len();
    nodes.push(BvhNode {
        min: around.min,
        link: first as u32,
        max: around.max,
        count: items.len() as u32,
    });
    if items.len() <= LEAF_SIZE {
        return;
    }
    let axis = Bounds::of(items.iter().map(|item| item.bounds.center()))
        .size()
        .max_position();
    let key = |item: &Item| u64::from(ascending(item.bounds.center()[axis])) << 32 | u64::from(item.number);
    for (place, item) in keys.iter_mut().zip(items.iter()) {
        *place = key(item);
    }
    let middle = items.len() / 2;
    let (_, &mut pivot, _) = keys.select_nth_unstable(middle);
    // Both halves keep the order of their numbers.
    let (mut lower, mut upper) = (0, 0);
    for place in 0..items.len() {
        let item = items[place];
        let is_upper = key(&item) >= pivot;
        items[lower] = item;
        spare[upper] = item;
        lower += usize::from(!is_upper);
        upper += usize::from(is_upper);
    }
    items[middle..].copy_from_slice(&spare[..upper]);
    let (left, right) = items.split_at_mut(middle);
    let (left_spare, right_spare) = spare.split_at_mut(middle);
    let (left_keys, right_keys) = keys.split_at_mut(middle);
    if left.len() >= PARALLEL {
        let subtree = |items: &mut [Item], spare: &mut [Item], keys: &mut [u64], first: usize| {
            let mut nodes = Vec::with_capacity(items.len());
            build(items, spare, keys, first, &mut nodes);
            nodes
        };
        let (left, right) = rayon::join(
            || subtree(left, left_spare, left_keys, first),
            || subtree(right, right_spare, right_keys, first + middle),
        );
        append(nodes, &left);
        append(nodes, &right);
    } else {
        build(left, left_spare, left_keys, first, nodes);
        build(right, right_spare, right_keys, first + middle, nodes);
    }
    nodes[node].link = nodes.len() as u32;
    nodes[node].count = 0;
}

/// A number that is ordered as [`f32::total_cmp`] orders the value.
fn ascending(value: f32) -> u32 {
    let bits = value.to_bits();
    if bits >> 31 == 0 { bits | 1 << 31 } else { !bits }
}

/// Adds a subtree that was built by itself.
fn append(nodes: &mut Vec<BvhNode>, subtree: &[BvhNode]) {
    let start = nodes.len() as u32;
    nodes.extend(subtree.iter().map(|node| BvhNode {
        link: if node.count == 0 { node.link + start } else { node.link },
        ..*node
    }));
}

/// A way through a hierarchy in the order of its nodes.
#[derive(Clone, Debug)]
pub struct Walk<'a> {
    nodes: &'a [BvhNode],
    index: usize,
}

impl Walk<'_> {
    /// The next leaf that `enter` lets in, as places in [`Bvh::order`]; asked with a node and its index, parents first.
    #[inline]
    pub fn next(&mut self, mut enter: impl FnMut(usize, &BvhNode) -> bool) -> Option<Range<usize>> {
        while let Some(node) = self.nodes.get(self.index) {
            let entered = enter(self.index, node);
            if node.count > 0 {
                self.index += 1;
                if entered {
                    return Some(node.places());
                }
            } else {
                self.index = if entered { self.index + 1 } else { node.link as usize };
            }
        }
        None
    }
}

/// A way through a hierarchy that goes down on the near side first.
#[derive(Clone, Debug)]
pub struct NearestFirst<'a> {
    nodes: &'a [BvhNode],
    point: Vec3,
    /// Subtrees still to be looked at, with the squared distances of their boxes.
    open: [(f32, u32); MAX_DEPTH],
    depth: usize,
}

impl NearestFirst<'_> {
    /// The next leaf whose box lies nearer than the root of `reach_squared`, as places in [`Bvh::order`].
    #[inline]
    pub fn next(&mut self, reach_squared: f32) -> Option<Range<usize>> {
        while self.depth > 0 {
            self.depth -= 1;
            let (gap, mut index) = self.open[self.depth];
            if gap >= reach_squared {
                continue;
            }
            loop {
                let node = &self.nodes[index as usize];
                if node.count > 0 {
                    return Some(node.places());
                }
                let left = index + 1;
                let right = self.nodes[left as usize].after(left);
                let gap = |child: u32| self.nodes[child as usize].distance_squared(self.point);
                let (mut near, mut far) = ((gap(left), left), (gap(right), right));
                if far.0 < near.0 {
                    (near, far) = (far, near);
                }
                if near.0 >= reach_squared {
                    break;
                }
                if far.0 < reach_squared {
                    self.open[self.depth] = far;
                    self.depth += 1;
                }
                index = near.1;
            }
        }
        None
    }
}

impl BvhNode {
    /// The places of a leaf in [`Bvh::order`].
    #[inline]
    fn places(&self) -> Range<usize> {
        self.link as usize..(self.link + self.count) as usize
    }

    /// Index of the node after the subtree of this one, which is node `index`.
    #[inline]
    fn after(&self, index: u32) -> u32 {
        if self.count > 0 { index + 1 } else { self.link }
    }

    /// Whether the box meets another.
    #[inline]
    pub fn overlaps(&self, other: &Bounds) -> bool {
        // One `&` chain without branches: most nodes of a query fail, on an axis nobody can predict.
        (self.min.x <= other.max.x)
            & (self.min.y <= other.max.y)
            & (self.min.z <= other.max.z)
            & (self.max.x >= other.min.x)
            & (self.max.y >= other.min.y)
            & (self.max.z >= other.min.z)
    }

    /// Whether the line of a segment comes within `reach` of the box along every axis (Ericson 2005, §5.3.3). With
    /// [`overlaps`](Self::overlaps) of the box around the segment: whether the segment does.
    #[inline]
    pub fn meets_segment(&self, start: Vec3, end: Vec3, reach: f32) -> bool {
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
    pub fn distance_squared(&self, point: Vec3) -> f32 {
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

        #[test]
        fn nearest_first_misses_nothing_within_reach(
            corners in prop::collection::vec((point(), point()), 0..60),
            from in point(),
            reach in 0.0_f32..3.0,
        ) {
            let boxes: Vec<_> = corners.iter().map(|&(a, b)| Bounds::of([a, a.lerp(b, 0.1)])).collect();
            let bvh = Bvh::new(&boxes);
            let mut seen = vec![0; boxes.len()];
            let mut walk = bvh.nearest_first(from);
            while let Some(leaf) = walk.next(reach * reach) {
                bvh.order()[leaf].iter().for_each(|&item| seen[item as usize] += 1);
            }
            for (bounds, &count) in boxes.iter().zip(&seen) {
                let near = from.distance_squared(from.clamp(bounds.min, bounds.max)) < reach * reach;
                prop_assert!(count <= 1);
                prop_assert!(!near || count == 1);
            }
        }
    }

    #[test]
    fn nothing_is_found_in_an_empty_hierarchy() {
        let empty = Bvh::new(&[]);
        assert_eq!(empty.walk().next(|_, _| true), None);
        assert_eq!(empty.nearest_first(Vec3::ZERO).next(f32::INFINITY), None);
    }

    #[test]
    fn halves_that_are_built_by_themselves_fit_together() {
        let boxes: Vec<_> = (0..3 * PARALLEL as u64)
            .map(|i| {
                Bounds::of([Vec3::from_array(
                    [0, 1, 2].map(|axis| crate::random::unit_at(5, 3 * i + axis)),
                )])
            })
            .collect();
        let bvh = Bvh::new(&boxes);
        let mut seen = vec![0; boxes.len()];
        let mut walk = bvh.walk();
        while let Some(leaf) = walk.next(|index, node| {
            let after = if node.count > 0 { index + 1 } else { node.link as usize };
            after > index && after <= bvh.nodes().len()
        }) {
            bvh.order()[leaf].iter().for_each(|&item| seen[item as usize] += 1);
        }
        assert!(seen.iter().all(|&times| times == 1));
        assert_eq!(bvh.nodes()[0].link as usize, bvh.nodes().len());
        let point = Vec3::splat(0.4);
        let reach = 0.05 * 0.05;
        let mut found = 0;
        let mut walk = bvh.nearest_first(point);
        while let Some(leaf) = walk.next(reach) {
            let items = bvh.order()[leaf].iter().map(|&item| boxes[item as usize].min);
            found += items.filter(|place| place.distance_squared(point) < reach).count();
        }
        let near = boxes.iter().filter(|place| place.min.distance_squared(point) < reach);
        assert_eq!(found, near.count());
        assert!(found > 5);
    }

    #[test]
    fn keys_are_in_the_order_of_the_numbers() {
        let values = [
            f32::NEG_INFINITY,
            -2.0,
            -1e-40,
            -0.0,
            0.0,
            1e-40,
            2.0,
            f32::INFINITY,
            f32::NAN,
        ];
        assert!(values.windows(2).all(|pair| ascending(pair[0]) < ascending(pair[1])));
    }

    #[test]
    fn equal_boxes_are_divided_by_their_numbers() {
        let bvh = Bvh::new(&[Bounds::of([Vec3::ONE]); 11]);
        assert!(bvh.order().iter().copied().eq(0..11));
    }

    #[test]
    fn the_first_leaf_is_near_the_point() {
        let boxes: Vec<_> = (0..1000).map(|i| Bounds::of([Vec3::X * i as f32])).collect();
        let bvh = Bvh::new(&boxes);
        let first = bvh.nearest_first(Vec3::X * 700.0).next(f32::INFINITY).expect("a leaf");
        assert!(bvh.order()[first].contains(&700));
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
