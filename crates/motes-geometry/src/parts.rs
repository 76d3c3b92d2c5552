//! The separate parts of a mesh.

use crate::mesh::Mesh;

/// Parts with this many times fewer triangles than the mesh has vertices do not look at all of these.
const SMALL: usize = 64;

impl Mesh {
    /// Triangles of each part, parts in order of their first triangle. Triangles that share a vertex are in one part.
    pub fn parts(&self) -> Vec<Vec<u32>> {
        let mut parents: Vec<u32> = (0..self.positions.len() as u32).collect();
        for &[a, b, c] in &self.triangles {
            for other in [b, c] {
                let (low, high) = {
                    let (a, b) = (root(&mut parents, a), root(&mut parents, other));
                    (a.min(b), a.max(b))
                };
                parents[high as usize] = low;
            }
        }
        let mut names = vec![u32::MAX; self.positions.len()];
        let mut parts: Vec<Vec<u32>> = Vec::new();
        for (index, triangle) in self.triangles.iter().enumerate() {
            let name = &mut names[root(&mut parents, triangle[0]) as usize];
            if *name == u32::MAX {
                *name = parts.len() as u32;
                parts.push(Vec::new());
            }
            parts[*name as usize].push(index as u32);
        }
        parts
    }

    /// The given triangles as a mesh of their own, without the vertices that they do not use.
    pub fn only(&self, triangles: &[u32]) -> Self {
        let corners = |triangle: &u32| self.triangles[*triangle as usize];
        let mut mesh = Self::default();
        if SMALL * triangles.len() < self.positions.len() {
            let mut used: Vec<u32> = triangles.iter().flat_map(corners).collect();
            used.sort_unstable();
            used.dedup();
            let name = |corner: u32| used.partition_point(|&other| other < corner) as u32;
            let renamed = triangles.iter().map(|triangle| corners(triangle).map(name));
            mesh.triangles.extend(renamed);
            let positions = used.iter().map(|&corner| self.positions[corner as usize]);
            mesh.positions.extend(positions);
        } else {
            let mut names = vec![u32::MAX; self.positions.len()];
            triangles
                .iter()
                .flat_map(corners)
                .for_each(|corner| names[corner as usize] = 0);
            for (name, position) in names.iter_mut().zip(&self.positions).filter(|(name, _)| **name == 0) {
                *name = mesh.positions.len() as u32;
                mesh.positions.push(*position);
            }
            let renamed = triangles
                .iter()
                .map(|triangle| corners(triangle).map(|corner| names[corner as usize]));
            mesh.triangles.extend(renamed);
        }
        if !self.colors.is_empty() {
            let colors = triangles
                .iter()
                .map(|&triangle| self.color(triangle as usize).unwrap_or_default());
            mesh.colors.extend(colors);
        }
        if !self.uvs.is_empty() {
            let uvs = triangles.iter().filter_map(|&triangle| self.uvs.get(triangle as usize));
            mesh.uvs.extend(uvs);
        }
        mesh
    }

    /// The part with the most triangles.
    pub(crate) fn largest_part(self) -> Self {
        let parts = self.parts();
        match parts.iter().max_by_key(|part| part.len()) {
            Some(largest) if parts.len() > 1 => self.only(largest),
            _ => self,
        }
    }
}

fn root(parents: &mut [u32], mut index: u32) -> u32 {
    while parents[index as usize] != index {
        let above = parents[parents[index as usize] as usize];
        parents[index as usize] = above;
        index = above;
    }
    index
}

#[cfg(test)]
mod tests {
    use crate::mesh::cuboid;
    use glam::{Affine3A, Vec3};

    #[test]
    fn two_boxes_are_two_parts_and_either_can_be_taken_alone() {
        let brick = cuboid(Vec3::ONE);
        let mut both = brick.clone();
        both.append(&brick.clone().transformed(&Affine3A::from_translation(Vec3::X * 5.0)));
        let parts = both.parts();
        assert_eq!(parts.len(), 2);
        assert_eq!(both.only(&parts[0]).bounds(), brick.bounds());
        assert!(both.only(&parts[1]).is_watertight());
    }

    #[test]
    fn a_small_part_is_the_same_whether_or_not_it_looks_at_all_vertices() {
        let mut mesh = cuboid(Vec3::ONE);
        let small = mesh.only(&[7, 2, 4]);
        mesh.positions.extend((0..500).map(|index| Vec3::X * index as f32));
        assert_eq!(mesh.only(&[7, 2, 4]), small);
    }
}
