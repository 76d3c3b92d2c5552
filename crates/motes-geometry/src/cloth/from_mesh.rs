//! Sheets and balloons from any triangles.

use std::fmt;

use glam::DVec3;

use super::{ClothShape, alternate, surface, unfold};
use crate::diagnose::is_degenerate;
use crate::error::{GeometryError, positive};
use crate::links::links;
use crate::mesh::Mesh;
use crate::repair::{drop_doubled, turn_consistently};

/// How a mesh becomes cloth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SheetOptions {
    /// Longest edge, metres: longer ones are halved until particles are near enough to each other. As the mesh is by default.
    pub longest_edge: Option<f32>,
    /// Vertices that are as near as this are one, metres; a hundred thousandth of the mesh's size by default.
    pub weld: Option<f32>,
}

/// What was done to a mesh before it was cloth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SheetRepairs {
    /// Vertices joined with another at the same place.
    pub joined_vertices: usize,
    /// Triangles dropped because two corners were joined or because they existed twice.
    pub dropped_triangles: usize,
    /// Triangles turned over so that neighbours agree.
    pub turned_triangles: usize,
    /// Diagonals of square cells turned so that they take turns.
    pub turned_diagonals: usize,
    /// Vertices added where edges were too long.
    pub added_vertices: usize,
}

impl fmt::Display for SheetRepairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted = [
            (self.joined_vertices, "equal vertices joined"),
            (
                self.dropped_triangles,
                "triangles dropped that had no area or existed twice",
            ),
            (self.turned_triangles, "triangles turned to agree with their neighbours"),
            (self.turned_diagonals, "diagonals turned to alternate"),
            (self.added_vertices, "vertices added on long edges"),
        ];
        let done = counted.into_iter().filter(|(count, _)| *count > 0);
        let done: Vec<String> = done.map(|(count, what)| format!("{count} {what}")).collect();
        f.write_str(if done.is_empty() { "nothing to repair" } else { "" })?;
        f.write_str(&done.join("; "))
    }
}

impl ClothShape {
    /// A sheet of the triangles of a mesh, of any number of parts. Equal vertices are joined and neighbours turned to
    /// agree; an edge of three triangles, a triangle whose corners lie on a line, and a sheet with one side only are refused.
    ///
    /// Texture coordinates of the mesh say where the warp runs, if it has any: u along it.
    pub fn from_mesh(mesh: &Mesh, options: &SheetOptions) -> Result<(Self, SheetRepairs), GeometryError> {
        mesh.check()?;
        let (mut mesh, mut repairs) = welded(mesh, options)?;
        let count = mesh.triangles.len();
        drop_doubled(&mut mesh);
        repairs.dropped_triangles += count - mesh.triangles.len();
        if mesh.triangles.is_empty() {
            return Err(GeometryError::TooFew {
                what: "a sheet, in triangles with an area,",
                least: 1,
                found: 0,
            });
        }
        if let Some(triangle) = mesh.corners().position(|corners| is_degenerate(&corners)) {
            let place = mesh.positions[mesh.triangles[triangle][0] as usize];
            return Err(GeometryError::Sliver { triangle, place });
        }
        repairs.turned_triangles = turn_consistently(&mut mesh);
        let used: Vec<u32> = (0..mesh.triangles.len() as u32).collect();
        mesh = mesh.only(&used);
        mesh.colors.clear();
        surface::sheet_edges(&mesh)?;
        if let Some(longest) = options.longest_edge {
            let count = mesh.positions.len();
            mesh = mesh.refined(longest)?;
            repairs.added_vertices = mesh.positions.len() - count;
        }
        let edges = surface::sheet_edges(&mesh)?;
        repairs.turned_diagonals = alternate::alternate(&mut mesh, &edges);
        let is_whole = mesh.uvs.as_flattened().iter().all(|uv| uv.is_finite());
        let uvs = if mesh.uvs.is_empty() || !is_whole {
            unfold::unfold(&mesh, &surface::sheet_edges(&mesh)?)
        } else {
            unfold::to_metres(&mesh)
        };
        Ok((Self::new(mesh, uvs, None)?, repairs))
    }

    /// The same of a closed mesh, as balloons need: no edge may be open, and every part is turned to face out.
    pub fn from_closed_mesh(mesh: &Mesh, options: &SheetOptions) -> Result<(Self, SheetRepairs), GeometryError> {
        let (mut shape, mut repairs) = Self::from_mesh(mesh, options)?;
        if let Some(edge) = shape.edges.iter().find(|edge| edge.right.is_none()) {
            return Err(GeometryError::OpenEdge {
                ends: edge.ends,
                places: edge.ends.map(|end| shape.positions[end as usize]),
            });
        }
        let mut whole = Mesh::new(shape.positions.clone(), shape.triangles.clone());
        whole.uvs = shape.uvs.clone();
        let mut turned = 0;
        for part in whole.parts() {
            if volume(&whole, &part) < 0.0 {
                part.iter().for_each(|&triangle| whole.turn(triangle as usize));
                turned += part.len();
            }
        }
        if turned > 0 {
            repairs.turned_triangles += turned;
            let uvs = std::mem::take(&mut whole.uvs);
            shape = Self::new(whole, uvs, None)?;
        }
        if shape.volume() <= 0.0 {
            return Err(GeometryError::NoVolume);
        }
        Ok((shape, repairs))
    }
}

/// What a closed part encloses, m³.
fn volume(mesh: &Mesh, part: &[u32]) -> f64 {
    let corners =
        |&triangle: &u32| mesh.triangles[triangle as usize].map(|corner| mesh.positions[corner as usize].as_dvec3());
    let origin = part.first().map_or(DVec3::ZERO, |first| corners(first)[0]);
    let pieces = part.iter().map(|triangle| {
        let [a, b, c] = corners(triangle).map(|corner| corner - origin);
        a.dot(b.cross(c)) / 6.0
    });
    pieces.sum()
}

/// Joins vertices, and drops triangles that lose a corner by it.
fn welded(mesh: &Mesh, options: &SheetOptions) -> Result<(Mesh, SheetRepairs), GeometryError> {
    let size = mesh.bounds().size().max_element().max(f32::MIN_POSITIVE);
    let reach = match options.weld {
        Some(weld) => positive("weld", weld)?,
        None => 1e-5 * size,
    };
    let mut names: Vec<u32> = (0..mesh.positions.len() as u32).collect();
    let mut joined_vertices = 0;
    for [a, b] in links(&mesh.positions, reach, None)? {
        let low = names[a as usize];
        joined_vertices += usize::from(names[b as usize] == b && low != b);
        names[b as usize] = names[b as usize].min(low);
    }
    let mut mesh = mesh.clone();
    for triangle in &mut mesh.triangles {
        *triangle = triangle.map(|corner| names[corner as usize]);
    }
    let count = mesh.triangles.len();
    mesh.retain_triangles(|_, [a, b, c]| a != b && b != c && c != a);
    let repairs = SheetRepairs {
        joined_vertices,
        dropped_triangles: count - mesh.triangles.len(),
        ..SheetRepairs::default()
    };
    Ok((mesh, repairs))
}

#[cfg(test)]
mod tests {
    use glam::{Affine3A, Vec2, Vec3};
    use proptest::prelude::*;

    use super::super::tests::{irregular, square};
    use super::super::*;
    use super::*;

    fn scattered(mesh: &Mesh) -> Mesh {
        let positions: Vec<Vec3> = mesh.corners().flatten().collect();
        let triangles = (0..positions.len() as u32 / 3).map(|index| [0, 1, 2].map(|corner| 3 * index + corner));
        Mesh::new(positions, triangles.collect())
    }

    fn sheet(mesh: &Mesh) -> (ClothShape, SheetRepairs) {
        ClothShape::from_mesh(mesh, &SheetOptions::default()).unwrap()
    }

    #[test]
    fn a_soup_of_triangles_is_joined_and_turned_into_a_sheet() {
        let flat = square(6, 1.0);
        let mut soup = scattered(&Mesh::new(flat.positions, flat.triangles));
        for (index, place) in soup.positions.iter_mut().enumerate() {
            place.z += 3e-7 * (index % 5) as f32;
        }
        for triangle in [3, 8, 40] {
            soup.triangles[triangle].swap(0, 1);
        }
        soup.triangles.push([0, 1, 2]);
        soup.triangles.push([5, 5, 6]);
        let (shape, repairs) = sheet(&soup);
        assert_eq!(
            (shape.positions.len(), shape.triangles.len(), shape.rims.len()),
            (49, 72, 1)
        );
        assert_eq!(
            (
                repairs.joined_vertices,
                repairs.turned_triangles,
                repairs.dropped_triangles
            ),
            (216 - 49, 3, 2)
        );
        assert_eq!(repairs.turned_diagonals, 0);
        assert!((shape.area() - 1.0).abs() < 1e-5);
    }

    #[test]
    fn diagonals_that_all_rise_are_made_to_alternate() {
        let one_way = irregular(12, 1.0, 0.0, None);
        let mut mesh = Mesh::new(one_way.positions, one_way.triangles);
        mesh.uvs = one_way.uvs;
        let (shape, repairs) = sheet(&mesh);
        assert_eq!(repairs.turned_diagonals, 72);
        let grid = square(12, 1.0);
        let ends = |shape: &ClothShape| {
            let mut ends: Vec<[u32; 2]> = shape.edges().map(|[a, b]| [a.min(b), a.max(b)]).collect();
            ends.sort_unstable();
            ends
        };
        assert_eq!(ends(&shape), ends(&grid));
        for (corners, uvs) in shape.triangles.iter().zip(&shape.uvs) {
            assert!(
                corners
                    .iter()
                    .zip(uvs)
                    .all(|(&corner, uv)| shape.positions[corner as usize].truncate().distance(*uv) < 1e-5)
            );
        }
        assert!(
            shape
                .triangles
                .iter()
                .all(|corners| surface::doubled_normal(&shape.positions, corners).z > 0.0)
        );
    }

    #[test]
    fn long_edges_are_halved_and_the_warp_lies_level() {
        let quad = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        let wall = Mesh::new(
            quad.map(|(x, y)| Vec3::new(x, y, 2.0)).to_vec(),
            vec![[0, 1, 2], [0, 2, 3]],
        );
        let options = SheetOptions {
            longest_edge: Some(0.2),
            ..SheetOptions::default()
        };
        let (shape, repairs) = ClothShape::from_mesh(&wall, &options).unwrap();
        assert_eq!((shape.positions.len(), repairs.added_vertices), (81, 77));
        assert!(shape.triangles.iter().zip(&shape.uvs).all(|(corners, uvs)| {
            let moves = [1, 2].map(|corner| {
                let space = shape.positions[corners[corner] as usize] - shape.positions[corners[0] as usize];
                space.truncate().distance(uvs[corner] - uvs[0])
            });
            moves.iter().all(|error| *error < 1e-6)
        }));
        // Halving kept all diagonals parallel; now they alternate, and bend as a grid does.
        assert_eq!(repairs.turned_diagonals, 32);
    }

    #[test]
    fn a_tube_is_laid_flat_without_changing_lengths() {
        let mut tube = Mesh::default();
        let (around, rings) = (16, 5);
        for index in 0..around * rings {
            let angle = std::f32::consts::TAU * (index % around) as f32 / around as f32;
            tube.positions
                .push(Vec3::new(angle.cos(), 0.3 * (index / around) as f32, angle.sin()));
        }
        for index in 0..around * (rings - 1) {
            let next = index / around * around + (index + 1) % around;
            tube.triangles
                .extend([[index, index + around, next], [next, index + around, next + around]]);
        }
        let (shape, _) = sheet(&tube);
        assert_eq!(shape.rims.len(), 2);
        for (corners, uvs) in shape.triangles.iter().zip(&shape.uvs) {
            for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                let space = shape.positions[corners[a] as usize].distance(shape.positions[corners[b] as usize]);
                assert!((space - uvs[a].distance(uvs[b])).abs() < 1e-5);
            }
        }
        // One seam from rim to rim, if not a straight one: the vertices there are drawn twice.
        let drawn = shape.drawn();
        assert_eq!(drawn.triangles.len(), shape.triangles.len());
        let seam = drawn.vertices.len() - shape.positions.len();
        assert!((5..=9).contains(&seam), "{seam}");
        for (drawn_corners, corners) in drawn.triangles.iter().zip(&shape.triangles) {
            assert_eq!(drawn_corners.map(|corner| drawn.vertices[corner as usize]), *corners);
        }
        let most = drawn.uvs.iter().fold(Vec2::NEG_INFINITY, |most, uv| most.max(*uv));
        let least = drawn.uvs.iter().fold(Vec2::INFINITY, |least, uv| least.min(*uv));
        let side = 2.0 * (std::f32::consts::PI / 16.0).sin();
        let [width, height] = (most - least).to_array();
        assert!(
            (16.0 * side - 1e-4..17.0 * side + 1e-4).contains(&width) && (height - 1.2).abs() < 1e-4,
            "{width}"
        );
    }

    #[test]
    fn textures_in_any_unit_become_metres_of_cloth() {
        let flat = square(4, 2.0);
        let mut mesh = Mesh::new(flat.positions.clone(), flat.triangles.clone());
        mesh.uvs = flat.uvs.iter().map(|uvs| uvs.map(|uv| uv.perp() / 500.0)).collect();
        let (shape, _) = sheet(&mesh);
        let total: f32 = shape
            .uvs
            .iter()
            .map(|[a, b, c]| 0.5 * (*b - *a).perp_dot(*c - *a))
            .sum();
        assert!((total - 4.0).abs() < 1e-4);
        let [_, warp] = surface::frames(&shape.positions, &shape.triangles, &shape.uvs)[7];
        assert!((warp.y.abs() - 1.0).abs() < 1e-6, "u runs along y in this texture");
    }

    #[test]
    fn balloons_hold_their_volume_facing_out() {
        let ball = Mesh::ball(0.5, 48);
        let (shape, _) = ClothShape::from_closed_mesh(&ball.clone().flipped(), &SheetOptions::default()).unwrap();
        assert!(shape.is_closed() && (shape.volume() - ball.volume()).abs() < 1e-5);
        assert!(
            shape.hinges.iter().all(|hinge| hinge.rest >= 0.0),
            "a ball bends outward everywhere"
        );
        // Folds of a ball of radius R: |v| = l θ, about l h/R for triangles as high as h/2 each.
        let mut open = ball.clone();
        open.triangles.pop();
        let error = ClothShape::from_closed_mesh(&open, &SheetOptions::default()).unwrap_err();
        assert!(matches!(error, GeometryError::OpenEdge { .. }), "{error}");
        let mut two = ball.clone();
        two.append(
            &ball
                .clone()
                .flipped()
                .transformed(&Affine3A::from_translation(Vec3::X * 3.0)),
        );
        let (both, _) = ClothShape::from_closed_mesh(&two, &SheetOptions::default()).unwrap();
        assert!((both.volume() / ball.volume() - 2.0).abs() < 1e-4);
    }

    #[test]
    fn what_is_no_sheet_is_refused_with_a_reason() {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, -Vec3::Y, Vec3::Z, 2.0 * Vec3::X];
        let refused = |triangles: Vec<[u32; 3]>| {
            let mesh = Mesh::new(positions.clone(), triangles);
            ClothShape::from_mesh(&mesh, &SheetOptions::default()).unwrap_err()
        };
        assert!(matches!(
            refused(vec![[0, 1, 2], [1, 0, 3], [0, 1, 4]]),
            GeometryError::CrowdedEdge { triangles: 3, .. }
        ));
        assert!(matches!(
            refused(vec![[0, 1, 2], [0, 1, 5]]),
            GeometryError::Sliver { triangle: 1, .. }
        ));
        assert!(matches!(refused(vec![[0, 0, 2]]), GeometryError::TooFew { .. }));
        assert!(matches!(refused(vec![[0, 1, 9]]), GeometryError::MissingVertex { .. }));
        let mut strip = Mesh::default();
        for index in 0..12 {
            let angle = std::f32::consts::TAU * (index / 2) as f32 / 6.0;
            let side = if index % 2 == 0 { 0.3 } else { -0.3 };
            let out = 1.0 + side * (0.5 * angle).cos();
            strip.positions.push(Vec3::new(
                out * angle.cos(),
                out * angle.sin(),
                side * (0.5 * angle).sin(),
            ));
        }
        for index in 0..6 {
            let [a, b] = [2 * index, 2 * index + 1];
            let [c, d] = if index == 5 { [1, 0] } else { [a + 2, b + 2] };
            strip.triangles.extend([[a, b, c], [b, d, c]]);
        }
        let error = ClothShape::from_mesh(&strip, &SheetOptions::default()).unwrap_err();
        assert!(matches!(error, GeometryError::OneSided { .. }), "{error}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn any_triangles_become_a_sheet_of_finite_numbers_or_an_error(
            coordinates in prop::collection::vec(prop::array::uniform3(-2i8..3), 3..10),
            triangles in prop::collection::vec(prop::array::uniform3(0u32..10), 1..8),
            uvs in prop::collection::vec(prop::array::uniform2(-1i8..3), 3),
            longest_edge in prop::option::of(0.5f32..3.0),
        ) {
            let positions: Vec<Vec3> = coordinates.iter().map(|c| Vec3::from_array(c.map(f32::from))).collect();
            let mut mesh = Mesh::new(positions, triangles);
            if uvs[0][0] >= 0 {
                let uv = |corner: usize| Vec2::from_array(uvs[corner].map(|number| if number == 2 { f32::NAN } else { f32::from(number) }));
                mesh.uvs = vec![[0, 1, 2].map(uv); mesh.triangles.len()];
            }
            let options = SheetOptions { longest_edge, weld: None };
            if let Ok((shape, _)) = ClothShape::from_mesh(&mesh, &options) {
                prop_assert!(shape.areas.iter().all(|&area| area > 0.0 && area.is_finite()));
                prop_assert!(shape.uvs.as_flattened().iter().all(|uv| uv.is_finite()));
                for crossed in [false, true] {
                    for spring in shape.springs(&Membrane::uniform(100.0), crossed) {
                        prop_assert!(spring.stiffness > 0.0 && spring.stiffness.is_finite(), "{spring:?}");
                        prop_assert!(spring.kind == SpringKind::Crossing || spring.length > 0.0);
                    }
                }
                for hinge in &shape.hinges {
                    prop_assert!(hinge.compliance_times_rigidity > 0.0 && hinge.compliance_times_rigidity.is_finite());
                    prop_assert!(hinge.rest.is_finite() && hinge.weights.iter().all(|weight| weight.is_finite()));
                }
                prop_assert_eq!(shape.drawn().triangles.len(), shape.triangles.len());
                let rim: usize = shape.rims.iter().map(Vec::len).sum();
                prop_assert_eq!(rim, shape.sides().iter().filter(|edge| edge.right.is_none()).count());
                shape.tethers(&[0], 2, Measure::Geodesic).unwrap();
            }
            let _ = ClothShape::from_closed_mesh(&mesh, &options);
        }
    }
}
