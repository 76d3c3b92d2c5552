//! The triangles of a mesh in a bounding volume hierarchy: nearest points, crossings of lines, and the generalised winding
//! number with far triangles lumped together (Barill et al. 2018, "Fast winding numbers for soups and clouds").

use std::f32::consts::PI;
use std::ops::Range;

use glam::{Vec2, Vec3, Vec4};
use motes_core::Bounds;
use motes_core::colliders::{Bvh, Triangle};
use rayon::prelude::*;

use crate::mesh::Mesh;
use crate::triangle;

/// How many radii away a node is taken for one dipole.
const FAR: f32 = 2.3;

/// Share of a line at either end of which crossings belong to the place there.
const NEAR_END: f32 = 1e-3;

/// Share of its length by which a line reaches beyond itself, so that it does not slip past a flat box by rounding.
const SLACK: f32 = 1e-6;

/// What the triangles below a node look like from far away.
#[derive(Clone, Copy, Default)]
struct Dipole {
    /// Area-weighted centre of the triangles.
    center: Vec3,
    /// Radius around the centre that holds them all.
    radius: f32,
    /// Sum of their areas along their normals.
    normal: Vec3,
    /// Index of the node after all that are below this one.
    after: u32,
}

/// The triangles of a mesh, sorted for queries.
pub(crate) struct Tree {
    bvh: Bvh,
    /// In the order of the leaves.
    triangles: Vec<Triangle>,
    /// Around each triangle, with its radius, metres.
    spheres: Vec<Vec4>,
    /// One per node.
    dipoles: Vec<Dipole>,
}

/// The point of the surface nearest to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest {
    pub(crate) point: Vec3,
    pub(crate) distance: f32,
    /// Place of its triangle in the tree's order.
    pub(crate) place: usize,
}

/// Places of the last few triangles that were the nearest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recent {
    places: [usize; 8],
    count: usize,
    next: usize,
}

impl Recent {
    fn places(&self) -> &[usize] {
        &self.places[..self.count]
    }

    /// Puts a place where the oldest is, unless it is there already.
    fn note(&mut self, place: usize) {
        if !self.places().contains(&place) {
            self.places[self.next] = place;
            self.next = (self.next + 1) % self.places.len();
            self.count = (self.count + 1).min(self.places.len());
        }
    }
}

/// The nearest point so far.
struct Search {
    point: Vec3,
    /// Square of its distance, or of how far is looked.
    reach: f32,
    best: Option<(Vec3, usize)>,
}

impl Search {
    fn new(point: Vec3, limit: f32) -> Self {
        Self {
            point,
            reach: limit * limit,
            best: None,
        }
    }

    #[inline]
    fn look_at(&mut self, tree: &Tree, places: Range<usize>) {
        let distance = self.reach.sqrt();
        for place in places {
            if is_beyond(tree.spheres[place], self.point, distance) {
                continue;
            }
            let (found, _) = tree.triangles[place].closest(self.point);
            let squared = found.distance_squared(self.point);
            if squared < self.reach {
                self.reach = squared;
                self.best = Some((found, place));
            }
        }
    }

    fn nearest(&self) -> Option<Nearest> {
        self.best.map(|(point, place)| Nearest {
            point,
            distance: self.reach.sqrt(),
            place,
        })
    }
}

impl Tree {
    pub(crate) fn new(mesh: &Mesh) -> Self {
        let corners = |corners: &[u32; 3]| corners.map(|corner| mesh.positions[corner as usize]);
        let all = mesh.triangles.par_iter().map(corners);
        let all: Vec<Triangle> = all.map(|corners| Triangle { corners }).collect();
        let boxes: Vec<Bounds> = all.par_iter().map(|triangle| Bounds::of(triangle.corners)).collect();
        let bvh = Bvh::new(&boxes);
        let triangles: Vec<Triangle> = bvh.order().par_iter().map(|&index| all[index as usize]).collect();
        let spheres = triangles.par_iter().map(sphere_around).collect();
        let dipoles = dipoles(&bvh, &triangles);
        Self {
            bvh,
            triangles,
            spheres,
            dipoles,
        }
    }

    /// Outward normal of a triangle, by its place in the tree; zero if it has no area.
    pub(crate) fn normal(&self, place: usize) -> Vec3 {
        area(&self.triangles[place]).normalize_or_zero()
    }

    /// The nearest point of the surface closer than `limit`.
    pub(crate) fn nearest(&self, point: Vec3, limit: f32) -> Option<Nearest> {
        let mut search = Search::new(point, limit);
        let mut walk = self.bvh.nearest_first(point);
        while let Some(leaf) = walk.next(search.reach) {
            search.look_at(self, leaf);
        }
        search.nearest()
    }

    /// The nearest point of the surface closer than `limit`, or any that is closer than `enough`. Triangles that were found for points
    /// nearby are looked at first.
    pub(crate) fn nearest_or_enough(
        &self,
        point: Vec3,
        limit: f32,
        enough: f32,
        recent: &mut Recent,
    ) -> Option<Nearest> {
        let mut search = Search::new(point, limit);
        let enough = enough * enough;
        for &place in recent.places() {
            search.look_at(self, place..place + 1);
            if search.reach < enough {
                return search.nearest();
            }
        }
        let mut walk = self.bvh.nearest_first(point);
        while let Some(leaf) = walk.next(search.reach) {
            search.look_at(self, leaf);
            if search.reach < enough {
                break;
            }
        }
        let nearest = search.nearest();
        if let Some(nearest) = nearest {
            recent.note(nearest.place);
        }
        nearest
    }

    /// Visits the nearest point of every triangle within a distance.
    pub(crate) fn each_within(&self, point: Vec3, distance: f32, mut visit: impl FnMut(Vec3, usize)) {
        let reach = distance * distance;
        let mut walk = self.bvh.walk();
        while let Some(leaf) = walk.next(|_, node| node.distance_squared(point) <= reach) {
            for place in leaf {
                if is_beyond(self.spheres[place], point, distance) {
                    continue;
                }
                let (found, _) = self.triangles[place].closest(point);
                if found.distance_squared(point) <= reach {
                    visit(found, place);
                }
            }
        }
    }

    /// Whether nothing of the surface lies between two places; surface at the places themselves does not count.
    pub(crate) fn is_clear(&self, from: Vec3, to: Vec3) -> bool {
        let along = to - from;
        let slack = SLACK * along.length();
        let around = Bounds::of([from, to]).expanded(slack);
        let is_between = |triangle: &Triangle| {
            let share = triangle::piercing(from, along, triangle.corners);
            share.is_some_and(|share| (NEAR_END..1.0 - NEAR_END).contains(&share))
        };
        let mut walk = self.bvh.walk();
        while let Some(leaf) = walk.next(|_, node| node.overlaps(&around) && node.meets_segment(from, to, slack)) {
            if self.triangles[leaf].iter().any(is_between) {
                return false;
            }
        }
        true
    }

    /// How often the surface goes around a point: 1 inside, 0 outside, in between near holes.
    pub(crate) fn winding_number(&self, point: Vec3) -> f32 {
        let mut sum = 0.0;
        let mut lumped = 0.0;
        let mut index = 0;
        // The walk of the hierarchy, without its boxes.
        while let Some(dipole) = self.dipoles.get(index) {
            let from = dipole.center - point;
            let squared = from.length_squared();
            let far = FAR * dipole.radius;
            if squared > far * far {
                lumped += f64::from(dipole.normal.dot(from) / (squared * squared.sqrt()));
                index = dipole.after as usize;
                continue;
            }
            index += 1;
            if dipole.after as usize == index {
                let leaf = &self.bvh.nodes()[index - 1];
                let places = leaf.link as usize..(leaf.link + leaf.count) as usize;
                for triangle in &self.triangles[places] {
                    sum += f64::from(triangle::solid_angle(point, triangle.corners));
                }
            }
        }
        ((sum + lumped) / f64::from(4.0 * PI)) as f32
    }

    /// Where the line along +x through `(y, z)` crosses the surface, and whether it leaves the solid there; in no order.
    pub(crate) fn crossings(&self, line: Vec2, found: &mut Vec<(f32, bool)>) {
        let mut walk = self.bvh.walk();
        while let Some(leaf) = walk.next(|_, node| {
            let (low, high) = (node.min, node.max);
            line.x >= low.y && line.x <= high.y && line.y >= low.z && line.y <= high.z
        }) {
            for triangle in &self.triangles[leaf] {
                found.extend(triangle::crossing(line, triangle.corners));
            }
        }
    }
}

/// A sphere that holds a triangle, with room for rounding.
fn sphere_around(triangle: &Triangle) -> Vec4 {
    let [a, b, c] = triangle.corners;
    let center = (a + b + c) / 3.0;
    let squared = [a, b, c].map(|corner| corner.distance_squared(center));
    let rounding = 1e-6 * (center.abs() + a.abs()).max_element();
    center.extend(squared.into_iter().fold(0.0, f32::max).sqrt() * 1.000_01 + rounding)
}

/// Whether a sphere is farther from a point than a distance, beyond doubt.
#[inline]
fn is_beyond(sphere: Vec4, point: Vec3, distance: f32) -> bool {
    let reach = distance * 1.000_01 + sphere.w;
    sphere.truncate().distance_squared(point) > reach * reach
}

/// Area of a triangle along its normal.
fn area(triangle: &Triangle) -> Vec3 {
    let [a, b, c] = triangle.corners;
    0.5 * (b - a).cross(c - a)
}

/// The dipole of every node.
fn dipoles(bvh: &Bvh, triangles: &[Triangle]) -> Vec<Dipole> {
    let nodes = bvh.nodes();
    let leaves = nodes.par_iter().map(|node| match node.count {
        0 => Below::default(),
        count => Below::of(triangles, node.link as usize..(node.link + count) as usize),
    });
    let mut below: Vec<Below> = leaves.collect();
    let after = |index: usize| match nodes[index].count {
        0 => nodes[index].link as usize,
        _ => index + 1,
    };
    // Children come after their parents.
    for index in (0..nodes.len()).rev().filter(|&index| nodes[index].count == 0) {
        below[index] = below[index + 1].and(&below[after(index + 1)]);
    }
    let numbered = below.into_par_iter().enumerate();
    numbered
        .map(|(index, below)| below.dipole(triangles, after(index) as u32))
        .collect()
}

/// Sums over the triangles below a node.
#[derive(Default)]
struct Below {
    places: Range<usize>,
    /// Area-weighted sum of the middles.
    middles: Vec3,
    normal: Vec3,
    area: f32,
}

impl Below {
    fn of(triangles: &[Triangle], places: Range<usize>) -> Self {
        let mut sums = Self::default();
        for triangle in &triangles[places.clone()] {
            let along = area(triangle);
            let [a, b, c] = triangle.corners;
            sums.normal += along;
            sums.middles += along.length() * (a + b + c) / 3.0;
            sums.area += along.length();
        }
        Self { places, ..sums }
    }

    fn and(&self, next: &Self) -> Self {
        Self {
            places: self.places.start..next.places.end,
            middles: self.middles + next.middles,
            normal: self.normal + next.normal,
            area: self.area + next.area,
        }
    }

    fn dipole(self, triangles: &[Triangle], after: u32) -> Dipole {
        let corners = triangles[self.places].iter().flat_map(|triangle| triangle.corners);
        let center = if self.area > 0.0 {
            self.middles / self.area
        } else {
            Bounds::of(corners.clone()).center()
        };
        let radius = corners
            .map(|corner| corner.distance_squared(center))
            .fold(0.0, f32::max);
        Dipole {
            center,
            radius: radius.sqrt(),
            normal: self.normal,
            after,
        }
    }
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
            let random = |axis: u64| motes_core::random::unit_at(3, 3 * index + axis);
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
            let asked = mesh.corners().map(|corners| Triangle { corners }.closest(point).0.distance(point)).fold(f32::INFINITY, f32::min);
            let found = tree.nearest(point, f32::INFINITY).unwrap();
            prop_assert!((found.distance - asked).abs() < 1e-6);
            prop_assert!(tree.triangles[found.place].closest(point).0.distance(found.point) < 1e-6);
            let enough = 1.5 * found.distance;
            let mut recent = Recent::default();
            prop_assert!(tree.nearest_or_enough(point, f32::INFINITY, enough, &mut recent).unwrap().distance <= enough);
            for other in 0..12 {
                tree.nearest_or_enough(Vec3::splat(0.1 * other as f32), f32::INFINITY, 0.0, &mut recent);
                let exact = tree.nearest_or_enough(point, f32::INFINITY, 0.9 * found.distance, &mut recent).unwrap();
                prop_assert_eq!(exact.distance, found.distance);
            }
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
