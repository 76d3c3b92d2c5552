//! Vertices of a sheet by where they are, pieces cut out of it, and how closely it is sampled.

use glam::Vec3;
use motes_core::Bounds;

use super::ClothShape;
use crate::error::GeometryError;
use crate::mesh::Mesh;
use crate::tree::Tree;

impl ClothShape {
    /// The vertex nearest to a point, in the rest shape.
    pub fn nearest_vertex(&self, point: Vec3) -> Option<u32> {
        let distances = self
            .positions
            .iter()
            .map(|place| place.distance_squared(point))
            .zip(0..);
        distances.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, vertex)| vertex)
    }

    /// The vertices in a box, its faces included, in the rest shape.
    pub fn vertices_in(&self, bounds: &Bounds) -> Vec<u32> {
        let inside = |&vertex: &u32| bounds.contains(self.positions[vertex as usize]);
        (0..self.positions.len() as u32).filter(inside).collect()
    }

    /// The vertices that lie on the triangles of a mesh, in the rest shape: those of a part that has a name, for one.
    pub fn vertices_on(&self, part: &Mesh) -> Vec<u32> {
        let tree = Tree::new(part);
        let near = 1e-4 * Bounds::of(self.positions.iter().copied()).size().max_element();
        let lies_on = |&vertex: &u32| tree.nearest(self.positions[vertex as usize], near).is_some();
        (0..self.positions.len() as u32).filter(lies_on).collect()
    }

    /// The rim that passes nearest to a point, in the rest shape.
    pub fn nearest_rim(&self, point: Vec3) -> Option<&[u32]> {
        let distance = |rim: &[u32]| {
            let distances = rim
                .iter()
                .map(|&vertex| self.positions[vertex as usize].distance_squared(point));
            distances.fold(f32::INFINITY, f32::min)
        };
        let rims = self.rims.iter().map(|rim| rim.as_slice());
        rims.min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    /// The triangles whose middle passes, as a sheet of their own: a disc cut from a grid, the upper half of a ball. Where the warp
    /// runs stays; rows and columns have no names any more.
    pub fn cut(&self, keep: impl Fn(Vec3) -> bool) -> Result<Self, GeometryError> {
        let middle = |corners: [u32; 3]| {
            corners
                .iter()
                .map(|&corner| self.positions[corner as usize])
                .sum::<Vec3>()
                / 3.0
        };
        let kept: Vec<u32> = (0..self.triangles.len() as u32)
            .filter(|&triangle| keep(middle(self.triangles[triangle as usize])))
            .collect();
        if kept.is_empty() {
            return Err(GeometryError::TooFew {
                what: "a sheet, in triangles,",
                least: 1,
                found: 0,
            });
        }
        let mut mesh = Mesh::new(self.positions.clone(), self.triangles.clone());
        mesh.uvs = self.uvs.clone();
        let mut piece = mesh.only(&kept);
        let uvs = std::mem::take(&mut piece.uvs);
        Self::new(piece, uvs, None)
    }

    /// How far a point of the sheet can be from its nearest vertex, metres. Particles of another sheet slip through where this is more
    /// than their radius and that of the vertices together: so that nothing does, it should not be much more than one
    /// radius.
    pub fn widest_gap(&self) -> f32 {
        let gap = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(|corner| self.positions[corner as usize]);
            // By the longest side: a and b are its ends.
            let [ab, bc, ca] = [a.distance(b), b.distance(c), c.distance(a)];
            let [longest, second, third] = match ab.max(bc).max(ca) {
                most if most == ab => [ab, bc, ca],
                most if most == bc => [bc, ca, ab],
                _ => [ca, ab, bc],
            };
            let area = (b - a).cross(c - a).length();
            if second * second + third * third > longest * longest {
                // The middle of the circle through the corners lies inside.
                0.5 * longest * second * third / area
            } else {
                // On the longest side, as far from one of its ends as from the corner opposite.
                let along = |near: f32, far: f32| {
                    let cosine = (near * near + longest * longest - far * far) / (2.0 * near * longest);
                    0.5 * near / cosine
                };
                along(second, third).max(along(third, second))
            }
        };
        self.triangles.iter().map(gap).fold(0.0, f32::max)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::square;
    use super::*;

    #[test]
    fn vertices_are_found_by_place() {
        let shape = square(4, 1.0);
        assert_eq!(shape.nearest_vertex(Vec3::new(-3.0, 0.1, 9.0)), Some(10));
        let bounds = Bounds {
            min: Vec3::new(-0.5, 0.25, -0.1),
            max: Vec3::new(-0.2, 0.5, 0.1),
        };
        assert_eq!(shape.vertices_in(&bounds), [15, 16, 20, 21]);
        assert_eq!(shape.nearest_rim(Vec3::ONE).map(<[u32]>::len), Some(16));
    }

    #[test]
    fn a_disc_cut_from_a_grid_keeps_its_warp_and_its_stiffness() {
        let shape = square(40, 1.0);
        let disc = shape.cut(|place| place.length() < 0.4).unwrap();
        assert!(
            (disc.area() / (std::f32::consts::PI * 0.16) - 1.0).abs() < 0.01,
            "{}",
            disc.area()
        );
        assert_eq!((disc.rims.len(), disc.grid), (1, None));
        assert!(disc.areas.iter().all(|&area| area > 0.0), "no vertex is left over");
        let middle = disc.nearest_vertex(Vec3::ZERO).unwrap();
        let at = { disc.hinges.iter() }.filter(|hinge| hinge.vertices[..2].contains(&middle));
        let mut stiffness: Vec<f32> = at.map(|hinge| 1.0 / hinge.compliance_times_rigidity).collect();
        stiffness.sort_by(f32::total_cmp);
        // One over the area of a cell along the threads, half of that along diagonals.
        let wanted = [[800.0; 4], [1600.0; 4]].concat();
        assert_eq!(stiffness.len(), 8);
        for (found, wanted) in stiffness.iter().zip(wanted) {
            assert!((found / wanted - 1.0).abs() < 0.1, "{found} for {wanted}");
        }
        assert!(shape.cut(|_| false).is_err());
    }

    #[test]
    fn the_widest_gap_is_in_the_middle_of_a_cell() {
        assert!((square(10, 1.0).widest_gap() - 0.1 * 0.5f32.sqrt()).abs() < 1e-6);
        let triangle = |c: Vec3| {
            let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, c], vec![[0, 1, 2]]);
            ClothShape::new(mesh, vec![[glam::Vec2::ZERO; 3]], None)
                .unwrap()
                .widest_gap()
        };
        assert!((triangle(Vec3::new(0.5, 0.75f32.sqrt(), 0.0)) - 1.0 / 3.0f32.sqrt()).abs() < 1e-6);
        // Flat and pointed at 120°: a third of the base, from either end and from the top.
        assert!((triangle(Vec3::new(0.5, 0.5 / 3.0f32.sqrt(), 0.0)) - 1.0 / 3.0).abs() < 1e-5);
    }
}
