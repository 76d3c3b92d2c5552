//! Repairs that cannot make a mesh worse: joining equal vertices, dropping what has no area or exists twice, and turning
//! triangles consistently and outward.

use std::collections::HashSet;
use std::fmt;

use glam::{DVec3, Vec3};
use motes_core::Bounds;
use motes_core::colliders::Bvh;
use rayon::prelude::*;

use crate::diagnose::{Diagnosis, diagnose, is_degenerate, place_key, triangle_key};
use crate::edges::Edges;
use crate::mesh::Mesh;
use crate::tree::Tree;

/// What a repair did, and what it could not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repairs {
    /// Vertices joined with an earlier one at the same place.
    pub joined_vertices: usize,
    /// Triangles dropped because a corner was missing or not finite.
    pub dropped_broken: usize,
    /// Triangles dropped because they had no area.
    pub dropped_degenerate: usize,
    /// Triangles dropped because they existed already.
    pub dropped_doubled: usize,
    /// Triangles turned over so that neighbours agree.
    pub turned_triangles: usize,
    /// Parts turned inside out so that they face outward.
    pub turned_parts: usize,
    /// What was found before.
    pub before: Diagnosis,
    /// What remains.
    pub after: Diagnosis,
}

impl Repairs {
    /// Those of a mesh that needs none.
    fn none(diagnosis: Diagnosis) -> Self {
        Self {
            joined_vertices: 0,
            dropped_broken: 0,
            dropped_degenerate: 0,
            dropped_doubled: 0,
            turned_triangles: 0,
            turned_parts: 0,
            before: diagnosis,
            after: diagnosis,
        }
    }

    /// Each repair with its number, as a sentence.
    pub fn done(&self) -> Vec<String> {
        let counted = [
            (self.joined_vertices, "equal vertices joined"),
            (
                self.dropped_broken,
                "triangles with corners that are missing or not finite dropped",
            ),
            (self.dropped_degenerate, "triangles without area dropped"),
            (self.dropped_doubled, "triangles that existed twice dropped"),
            (self.turned_triangles, "triangles turned to agree with their neighbours"),
            (self.turned_parts, "parts turned to face outward"),
        ];
        let done = counted.into_iter().filter(|(count, _)| *count > 0);
        done.map(|(count, what)| format!("{count} {what}")).collect()
    }
}

impl fmt::Display for Repairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.done() {
            done if done.is_empty() => f.write_str("nothing to repair"),
            done => f.write_str(&done.join("; ")),
        }
    }
}

/// The mesh with all safe repairs. Holes stay open; the inside tests of this crate bear them.
pub fn repair(mesh: &Mesh) -> (Mesh, Repairs) {
    let before = diagnose(mesh);
    if before.faults().is_empty() {
        return (mesh.clone(), Repairs::none(before));
    }
    let (mut mesh, joined_vertices) = joined(mesh);
    let count = mesh.triangles.len();
    mesh.retain_triangles(|positions, corners| {
        corners
            .iter()
            .all(|&corner| positions.get(corner as usize).is_some_and(|place| place.is_finite()))
    });
    let dropped_broken = count - mesh.triangles.len();
    let dropped_degenerate = drop_degenerate(&mut mesh);
    let dropped_doubled = drop_doubled(&mut mesh);
    let turned_triangles = turn_consistently(&mut mesh);
    let inverted = inverted_parts(&mesh, &mesh.parts());
    for part in &inverted {
        part.iter().for_each(|&triangle| mesh.turn(triangle as usize));
    }
    let all: Vec<u32> = (0..mesh.triangles.len() as u32).collect();
    let mesh = mesh.only(&all);
    let after = diagnose(&mesh);
    let repairs = Repairs {
        joined_vertices,
        dropped_broken,
        dropped_degenerate,
        dropped_doubled,
        turned_triangles,
        turned_parts: inverted.len(),
        before,
        after,
    };
    (mesh, repairs)
}

fn joined(mesh: &Mesh) -> (Mesh, usize) {
    let mut names: Vec<u32> = (0..mesh.positions.len() as u32).collect();
    let mut count = 0;
    for same in alike(mesh.positions.iter().map(|&position| place_key(position))).chunk_by(|a, b| a.0 == b.0) {
        for (_, index) in &same[1..] {
            names[*index as usize] = same[0].1;
            count += 1;
        }
    }
    let rename = |corner: u32| names.get(corner as usize).copied().unwrap_or(corner);
    let triangles = mesh.triangles.iter().map(|triangle| triangle.map(rename)).collect();
    let joined = Mesh {
        positions: mesh.positions.clone(),
        triangles,
        colors: mesh.colors.clone(),
        uvs: mesh.uvs.clone(),
    };
    (joined, count)
}

/// Drops triangles with two corners in one place. A sliver whose three corners lie on a line stays where dropping it
/// would open a hole.
fn drop_degenerate(mesh: &mut Mesh) -> usize {
    let count = mesh.triangles.len();
    mesh.retain_triangles(|_, [a, b, c]| a != b && b != c && c != a);
    if !mesh.corners().any(|corners| is_degenerate(&corners)) {
        return count - mesh.triangles.len();
    }
    let edges = Edges::of(mesh);
    let shared: HashSet<[u32; 2]> = edges
        .iter()
        .filter(|uses| uses.len() == 2)
        .map(|uses| uses[0].vertices)
        .collect();
    mesh.retain_triangles(|positions, [a, b, c]| {
        let corners = [a, b, c].map(|corner| positions[corner as usize]);
        let holds = |from: u32, to: u32| shared.contains(&[from.min(to), from.max(to)]);
        !is_degenerate(&corners) || holds(a, b) || holds(b, c) || holds(c, a)
    });
    count - mesh.triangles.len()
}

pub(crate) fn drop_doubled(mesh: &mut Mesh) -> usize {
    let mut doubled = vec![false; mesh.triangles.len()];
    for same in alike(mesh.triangles.iter().map(|&corners| triangle_key(corners))).chunk_by(|a, b| a.0 == b.0) {
        same[1..].iter().for_each(|(_, index)| doubled[*index as usize] = true);
    }
    let count = doubled.iter().filter(|is| **is).count();
    let mut doubled = doubled.into_iter();
    mesh.retain_triangles(|_, _| !doubled.next().unwrap_or(false));
    count
}

/// Keys with their numbers, equal keys side by side in the order they came.
fn alike(keys: impl Iterator<Item = [u32; 3]>) -> Vec<([u32; 3], u32)> {
    let mut numbered: Vec<([u32; 3], u32)> = keys.zip(0..).collect();
    numbered.par_sort_unstable();
    numbered
}

/// Turns triangles so that any two at an edge of two agree; in each connected patch the minority is turned.
pub(crate) fn turn_consistently(mesh: &mut Mesh) -> usize {
    // Across each side of each triangle.
    let mut neighbors: Vec<Option<(u32, bool)>> = vec![None; 3 * mesh.triangles.len()];
    for uses in Edges::of(mesh).iter() {
        if let [a, b] = uses {
            let agree = a.forward != b.forward;
            neighbors[a.side as usize] = Some((b.triangle(), agree));
            neighbors[b.side as usize] = Some((a.triangle(), agree));
        }
    }
    let mut sides: Vec<Option<bool>> = vec![None; mesh.triangles.len()];
    let mut turned = 0;
    for first in 0..mesh.triangles.len() {
        if sides[first].is_some() {
            continue;
        }
        sides[first] = Some(false);
        let mut patch = vec![first];
        let mut next = 0;
        while next < patch.len() {
            let here = patch[next];
            next += 1;
            for &(other, agree) in neighbors[3 * here..3 * here + 3].iter().flatten() {
                if sides[other as usize].is_none() {
                    sides[other as usize] = sides[here].map(|side| side == agree);
                    patch.push(other as usize);
                }
            }
        }
        let against = patch.iter().filter(|&&triangle| sides[triangle] == Some(true)).count();
        let minority = against * 2 <= patch.len();
        for triangle in patch {
            if sides[triangle] == Some(minority) {
                mesh.turn(triangle);
                turned += 1;
            }
        }
    }
    turned
}

/// Parts that enclose a negative volume and are not the walls of a hollow in another part.
pub(crate) fn inverted_parts(mesh: &Mesh, parts: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let volumes: Vec<f64> = parts.par_iter().map(|part| volume_of(mesh, part)).collect();
    if volumes.iter().all(|&volume| volume >= 0.0) {
        return Vec::new();
    }
    let corner = |triangle: u32| mesh.positions[mesh.triangles[triangle as usize][0] as usize];
    let bounds: Vec<Bounds> = parts.iter().map(|part| bounds_of(mesh, part)).collect();
    let hierarchy = Bvh::new(&bounds);
    // Made for those that surround the bounds of another only.
    let mut trees: Vec<Option<Tree>> = parts.iter().map(|_| None).collect();
    let mut is_hollow = |index: usize| {
        let point = corner(parts[index][0]);
        let mut surrounds = |other: usize| {
            let is_larger = other != index && volumes[other].abs() > volumes[index].abs();
            is_larger && bounds[other].contains(point) && {
                let tree = trees[other].get_or_insert_with(|| Tree::new(&mesh.only(&parts[other])));
                tree.winding_number(point).abs() > 0.5
            }
        };
        let mut walk = hierarchy.walk();
        while let Some(leaf) = walk.next(|_, node| node.distance_squared(point) == 0.0) {
            if hierarchy.order()[leaf].iter().any(|&other| surrounds(other as usize)) {
                return true;
            }
        }
        false
    };
    let inverted = (0..parts.len()).filter(|&index| volumes[index] < 0.0 && !is_hollow(index));
    inverted.map(|index| parts[index].clone()).collect()
}

fn corners_of<'a>(mesh: &'a Mesh, part: &'a [u32]) -> impl Iterator<Item = [Vec3; 3]> + 'a {
    let corners = |triangle: &u32| mesh.triangles[*triangle as usize].map(|corner| mesh.positions[corner as usize]);
    part.iter().map(corners)
}

fn bounds_of(mesh: &Mesh, part: &[u32]) -> Bounds {
    Bounds::of(corners_of(mesh, part).flatten())
}

/// What a part encloses, m³; zero if it is as good as nothing, or if a part that is open encloses more or less than nothing
/// depending on where in its bounds that is seen from, as a single triangle does.
fn volume_of(mesh: &Mesh, part: &[u32]) -> f64 {
    let bounds = bounds_of(mesh, part);
    let middle = bounds.center().as_dvec3();
    let (mut volume, mut opening) = (0.0, DVec3::ZERO);
    for corners in corners_of(mesh, part) {
        let [a, b, c] = corners.map(|corner| corner.as_dvec3() - middle);
        volume += a.dot(b.cross(c)) / 6.0;
        opening += (b - a).cross(c - a) / 2.0;
    }
    let size = bounds.size().max(Vec3::ZERO).as_dvec3();
    let doubt = opening.abs().dot(size) / 6.0 + 1e-12 * size.max_element().powi(3);
    if volume.abs() <= doubt || !volume.is_finite() {
        0.0
    } else {
        volume
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::cuboid;
    use glam::{Affine3A, Vec3};
    use proptest::prelude::*;

    fn scattered(mesh: &Mesh) -> Mesh {
        let positions: Vec<Vec3> = mesh.corners().flatten().collect();
        let triangles = (0..positions.len() as u32 / 3).map(|index| [0, 1, 2].map(|corner| 3 * index + corner));
        let triangles = triangles.collect();
        Mesh::new(positions, triangles)
    }

    #[test]
    fn a_soup_of_turned_triangles_becomes_a_solid() {
        let mut soup = scattered(&cuboid(Vec3::ONE));
        for triangle in [0, 3, 7] {
            soup.triangles[triangle].swap(0, 2);
        }
        soup.triangles.push([0, 1, 2]);
        soup.triangles.push([4, 4, 5]);
        soup.positions.push(Vec3::NAN);
        let (mesh, repairs) = repair(&soup);
        assert!(repairs.after.is_solid(), "{:?}", repairs.after);
        assert!((mesh.volume() - 8.0).abs() < 1e-5);
        assert_eq!((repairs.joined_vertices, repairs.turned_triangles), (28, 3));
        assert_eq!((repairs.dropped_doubled, repairs.dropped_degenerate), (1, 1));
        assert_eq!(mesh.positions.len(), 8);
    }

    #[test]
    fn loose_triangles_keep_the_side_they_face() {
        let mut loose = scattered(&cuboid(Vec3::new(1.0, 2.0, 3.0)));
        for (index, position) in loose.positions.iter_mut().enumerate() {
            *position += 1e-6 * Vec3::new(index as f32, (7 * index % 5) as f32, (index % 3) as f32);
        }
        let (mesh, repairs) = repair(&loose);
        assert_eq!((repairs.turned_triangles, repairs.turned_parts), (0, 0));
        assert_eq!(mesh, loose);
    }

    #[test]
    fn a_bucket_that_is_inside_out_is_turned_although_it_is_open() {
        let mut bucket = cuboid(Vec3::ONE).flipped();
        bucket.triangles.truncate(10);
        assert_eq!(repair(&bucket).1.turned_parts, 1);
    }

    /// As many parts as this took minutes while each looked at all others.
    #[test]
    fn each_of_fifty_thousand_parts_is_turned_outward() {
        let brick = cuboid(Vec3::splat(0.3)).flipped();
        let mut bricks = Mesh::default();
        for index in 0..50_000 {
            let place = Vec3::new((index % 40) as f32, (index / 40 % 40) as f32, (index / 1600) as f32);
            let first = bricks.positions.len() as u32;
            bricks
                .positions
                .extend(brick.positions.iter().map(|corner| place + corner));
            let triangles = brick.triangles.iter();
            bricks
                .triangles
                .extend(triangles.map(|triangle| triangle.map(|corner| first + corner)));
        }
        let (mesh, repairs) = repair(&bricks);
        assert_eq!((repairs.turned_parts, repairs.after.inverted_parts), (50_000, 0));
        assert!(mesh.volume() > 0.0);
    }

    #[test]
    fn each_part_is_turned_outward_and_hollows_stay_hollow() {
        let mut mesh = cuboid(Vec3::splat(2.0));
        mesh.append(&cuboid(Vec3::ONE).flipped());
        mesh.append(
            &cuboid(Vec3::ONE)
                .flipped()
                .transformed(&Affine3A::from_translation(Vec3::X * 9.0)),
        );
        let (mesh, repairs) = repair(&mesh);
        assert_eq!(repairs.turned_parts, 1);
        assert!((mesh.volume() - (64.0 - 8.0 + 8.0)).abs() < 1e-3);
        assert_eq!(repairs.after.parts, 3);
    }

    #[test]
    fn a_sound_mesh_is_left_as_it_is_and_a_hole_is_reported() {
        let (mesh, repairs) = repair(&cuboid(Vec3::ONE));
        assert_eq!(mesh, cuboid(Vec3::ONE));
        assert_eq!(repairs.to_string(), "nothing to repair");
        let mut open = cuboid(Vec3::ONE);
        open.triangles.pop();
        assert_eq!(repair(&open).1.after.faults(), ["3 open edges, around holes"]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn any_triangles_are_repaired_into_indices_in_range_and_twice_is_once(
            coordinates in prop::collection::vec(prop::array::uniform3(-2i8..3), 1..12),
            triangles in prop::collection::vec(prop::array::uniform3(0u32..13), 0..24),
        ) {
            let positions: Vec<Vec3> = coordinates
                .iter()
                .map(|c| if c[0] == 2 { Vec3::NAN } else { Vec3::from_array(c.map(f32::from)) })
                .collect();
            let (mesh, _) = repair(&Mesh::new(positions, triangles));
            prop_assert!(mesh.triangles.as_flattened().iter().all(|&corner| (corner as usize) < mesh.positions.len()));
            prop_assert!(mesh.positions.iter().all(|position| position.is_finite()));
            let (again, repairs) = repair(&mesh);
            prop_assert_eq!(repairs.joined_vertices + repairs.dropped_broken + repairs.dropped_doubled, 0);
            prop_assert_eq!(again.triangles.len() <= mesh.triangles.len(), true);
        }
    }
}
