//! A hierarchy of boxes over the triangles of a mesh: nearest points, crossings of lines, and the generalised winding
//! number with far triangles lumped together (Barill et al. 2018, "Fast winding numbers for soups and clouds").

use glam::{Vec2, Vec3};
use motes_core::Bounds;
use std::f32::consts::PI;

use crate::mesh::Mesh;
use crate::triangle;

const LEAF_SIZE: usize = 4;

/// How many radii away a node is taken for one dipole.
const FAR: f32 = 2.3;

/// Share of a line at either end of which crossings belong to the place there.
const NEAR_END: f32 = 1e-3;

struct Node {
    bounds: Bounds,
    /// Leaf: its triangles. Inner node: the node after its subtree, and nothing.
    first: u32,
    count: u32,
    /// Area-weighted centre and normal of the triangles below, and the radius around the centre that holds them.
    center: Vec3,
    normal: Vec3,
    radius: f32,
}

/// The triangles of a mesh, sorted for queries.
pub(crate) struct Tree {
    nodes: Vec<Node>,
    corners: Vec<[Vec3; 3]>,
}

/// The point of the surface nearest to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest {
    pub(crate) point: Vec3,
    pub(crate) distance: f32,
    /// Place of its triangle in the tree's order.
    pub(crate) place: usize,
}

impl Tree {
    pub(crate) fn new(mesh: &Mesh) -> Self {
        let all: Vec<[Vec3; 3]> = mesh.corners().collect();
        let mut order: Vec<u32> = (0..all.len() as u32).collect();
        let middles: Vec<Vec3> = all.iter().map(|[a, b, c]| (*a + *b + *c) / 3.0).collect();
        let mut nodes = Vec::with_capacity(all.len());
        if !all.is_empty() {
            build(&all, &middles, &mut order, 0, &mut nodes);
        }
        Self {
            nodes,
            corners: order.iter().map(|&index| all[index as usize]).collect(),
        }
    }

    /// Outward normal of a triangle, by its place in the tree; zero if it has no area.
    pub(crate) fn normal(&self, place: usize) -> Vec3 {
        let [a, b, c] = self.corners[place];
        (b - a).cross(c - a).normalize_or_zero()
    }

    /// The nearest point of the surface closer than `limit`.
    pub(crate) fn nearest(&self, point: Vec3, limit: f32) -> Option<Nearest> {
        let mut best: Option<Nearest> = None;
        let mut reach = limit * limit;
        self.walk(
            |node, reach| point.distance_squared(point.clamp(node.bounds.min, node.bounds.max)) < *reach,
            |place, reach| {
                let found = triangle::nearest(point, self.corners[place]);
                let squared = found.distance_squared(point);
                if squared < *reach {
                    *reach = squared;
                    best = Some(Nearest {
                        point: found,
                        distance: squared.sqrt(),
                        place,
                    });
                }
            },
            &mut reach,
            point,
        );
        best
    }

    /// Visits the nearest point of every triangle within a distance.
    pub(crate) fn each_within(&self, point: Vec3, distance: f32, mut visit: impl FnMut(Vec3, usize)) {
        let mut reach = distance * distance;
        self.walk(
            |node, reach| point.distance_squared(point.clamp(node.bounds.min, node.bounds.max)) <= *reach,
            |place, reach| {
                let found = triangle::nearest(point, self.corners[place]);
                if found.distance_squared(point) <= *reach {
                    visit(found, place);
                }
            },
            &mut reach,
            point,
        );
    }

    /// Visits near subtrees first.
    fn walk<S>(
        &self,
        enter: impl Fn(&Node, &S) -> bool,
        mut visit: impl FnMut(usize, &mut S),
        state: &mut S,
        point: Vec3,
    ) {
        let mut open = [0u32; 64];
        let mut depth = usize::from(!self.nodes.is_empty());
        while depth > 0 {
            depth -= 1;
            let index = open[depth] as usize;
            let node = &self.nodes[index];
            if !enter(node, state) {
                continue;
            }
            if node.count > 0 {
                (node.first..node.first + node.count).for_each(|place| visit(place as usize, state));
            } else {
                let (left, right) = self.children(index);
                let gap = |child: usize| {
                    let bounds = &self.nodes[child].bounds;
                    point.distance_squared(point.clamp(bounds.min, bounds.max))
                };
                let (near, far) = if gap(left) <= gap(right) {
                    (left, right)
                } else {
                    (right, left)
                };
                open[depth] = far as u32;
                open[depth + 1] = near as u32;
                depth += 2;
            }
        }
    }

    /// Whether nothing of the surface lies between two places; surface at the places themselves does not count.
    pub(crate) fn is_clear(&self, from: Vec3, to: Vec3) -> bool {
        let along = to - from;
        let mut index = 0;
        while let Some(node) = self.nodes.get(index) {
            if !is_met(&node.bounds, from, along) {
                index = if node.count > 0 { index + 1 } else { node.first as usize };
                continue;
            }
            for place in node.first..node.first + node.count {
                let share = triangle::piercing(from, along, self.corners[place as usize]);
                if share.is_some_and(|share| (NEAR_END..1.0 - NEAR_END).contains(&share)) {
                    return false;
                }
            }
            index += 1;
        }
        true
    }

    fn children(&self, index: usize) -> (usize, usize) {
        let left = index + 1;
        let right = if self.nodes[left].count > 0 {
            left + 1
        } else {
            self.nodes[left].first as usize
        };
        (left, right)
    }

    /// How often the surface goes around a point: 1 inside, 0 outside, in between near holes.
    pub(crate) fn winding_number(&self, point: Vec3) -> f32 {
        let mut sum = 0.0;
        let mut index = 0;
        while let Some(node) = self.nodes.get(index) {
            let from = node.center - point;
            let squared = from.length_squared();
            let far = FAR * node.radius;
            if squared > far * far {
                sum += f64::from(node.normal.dot(from) / (squared * squared.sqrt()));
                index = if node.count > 0 { index + 1 } else { node.first as usize };
            } else {
                for place in node.first..node.first + node.count {
                    sum += f64::from(triangle::solid_angle(point, self.corners[place as usize]));
                }
                index += 1;
            }
        }
        (sum / f64::from(4.0 * PI)) as f32
    }

    /// Where the line along +x through `(y, z)` crosses the surface, and whether it leaves the solid there; in no order.
    pub(crate) fn crossings(&self, line: Vec2, found: &mut Vec<(f32, bool)>) {
        let mut index = 0;
        while let Some(node) = self.nodes.get(index) {
            let (low, high) = (node.bounds.min, node.bounds.max);
            if line.x < low.y || line.x > high.y || line.y < low.z || line.y > high.z {
                index = if node.count > 0 { index + 1 } else { node.first as usize };
                continue;
            }
            for place in node.first..node.first + node.count {
                found.extend(triangle::crossing(line, self.corners[place as usize]));
            }
            index += 1;
        }
    }
}

/// Whether a segment enters a box, by its separating axes (Ericson 2005, §5.3.3).
fn is_met(bounds: &Bounds, from: Vec3, along: Vec3) -> bool {
    let half = 0.5 * bounds.size();
    let (reach, middle) = (0.5 * along.abs(), from + 0.5 * along - bounds.center());
    if middle.abs().cmpgt(half + reach).any() {
        return false;
    }
    let slack = 1e-6 * (half + reach).length_squared();
    let (reach, apart) = (reach + f32::MIN_POSITIVE, middle.cross(along).abs());
    let limit = 2.0
        * Vec3::new(
            half.y * reach.z + half.z * reach.y,
            half.z * reach.x + half.x * reach.z,
            half.x * reach.y + half.y * reach.x,
        );
    apart.cmple(limit + slack).all()
}

/// Splits at the median along the longest axis; ties go by index, so the tree is always the same.
fn build(all: &[[Vec3; 3]], middles: &[Vec3], order: &mut [u32], first: usize, nodes: &mut Vec<Node>) {
    let corners = order.iter().flat_map(|&index| all[index as usize]);
    let bounds = Bounds::of(corners.clone());
    let (mut center, mut normal, mut total) = (Vec3::ZERO, Vec3::ZERO, 0.0);
    for &index in order.iter() {
        let [a, b, c] = all[index as usize];
        let area = 0.5 * (b - a).cross(c - a);
        normal += area;
        center += area.length() * middles[index as usize];
        total += area.length();
    }
    let center = if total > 0.0 { center / total } else { bounds.center() };
    let radius = corners.map(|corner| corner.distance(center)).fold(0.0, f32::max);
    let place = nodes.len();
    nodes.push(Node {
        bounds,
        first: first as u32,
        count: order.len() as u32,
        center,
        normal,
        radius,
    });
    if order.len() <= LEAF_SIZE {
        return;
    }
    let axis = Bounds::of(order.iter().map(|&index| middles[index as usize]))
        .size()
        .max_position();
    let half = order.len() / 2;
    order.select_nth_unstable_by(half, |&a, &b| {
        middles[a as usize][axis]
            .total_cmp(&middles[b as usize][axis])
            .then(a.cmp(&b))
    });
    let (left, right) = order.split_at_mut(half);
    // The selection leaves either half in an order of its own; the index order is one nobody can change.
    left.sort_unstable();
    right.sort_unstable();
    build(all, middles, left, first, nodes);
    build(all, middles, right, first + half, nodes);
    nodes[place].first = nodes.len() as u32;
    nodes[place].count = 0;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models;
    use proptest::prelude::*;
    use std::sync::LazyLock;

    #[test]
    fn winding_number_of_a_model_is_one_inside_and_zero_outside() {
        let model = models::by_name("teapot").unwrap();
        let mesh = model.mesh(40).unwrap();
        let tree = Tree::new(&mesh);
        for index in 0..2000 {
            let random = |axis: u64| crate::hash::unit(3, 3 * index + axis);
            let bounds = model.bounds();
            let point = bounds.min + bounds.size() * Vec3::new(random(0), random(1), random(2));
            let distance = model.distance(point);
            if distance.abs() > 0.02 {
                let expected = if distance < 0.0 { 1.0 } else { 0.0 };
                let exact: f32 = mesh
                    .corners()
                    .map(|corners| triangle::solid_angle(point, corners))
                    .sum();
                assert!((exact / (4.0 * PI) - expected).abs() < 1e-3);
                assert!(
                    (tree.winding_number(point) - expected).abs() < 0.1,
                    "{}",
                    tree.winding_number(point)
                );
            }
        }
    }

    proptest! {
        #[test]
        fn nearest_point_is_that_of_asking_every_triangle(p in prop::array::uniform3(-1.0f32..1.5)) {
            static GEAR: LazyLock<Mesh> = LazyLock::new(|| models::by_name("gear").unwrap().mesh(16).unwrap());
            let (mesh, tree) = (&*GEAR, Tree::new(&GEAR));
            let point = Vec3::from(p);
            let asked = mesh.corners().map(|corners| triangle::nearest(point, corners).distance(point)).fold(f32::INFINITY, f32::min);
            let found = tree.nearest(point, f32::INFINITY).unwrap();
            prop_assert!((found.distance - asked).abs() < 1e-6);
            prop_assert!(triangle::nearest(point, tree.corners[found.place]).distance(found.point) < 1e-6);
        }
    }

    #[test]
    fn a_line_through_a_closed_mesh_enters_as_often_as_it_leaves() {
        let mesh = models::by_name("torus").unwrap().mesh(24).unwrap();
        let tree = Tree::new(&mesh);
        let mut found = Vec::new();
        tree.crossings(Vec2::new(0.1503, 0.0107), &mut found);
        assert_eq!(found.len(), 4);
        assert_eq!(found.iter().filter(|(_, leaves)| *leaves).count(), 2);
    }
}
