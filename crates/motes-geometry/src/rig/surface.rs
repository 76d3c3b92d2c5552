//! The surface that a rig is made on: equal vertices joined, long edges divided, and who is next to whom.

use std::collections::HashMap;

use glam::Vec3;

use crate::error::GeometryError;
use crate::links::Neighbors;
use crate::mesh::Mesh;

/// Vertices of a surface with their neighbours.
pub(super) struct Surface {
    pub(super) positions: Vec<Vec3>,
    /// A third of the area of the triangles around each vertex, square metres.
    pub(super) areas: Vec<f32>,
    /// Unit normals; zero where there are no triangles.
    pub(super) normals: Vec<Vec3>,
    /// The part that each vertex belongs to; parts share no edge.
    pub(super) parts: Vec<u32>,
    /// How many parts with area there are.
    pub(super) part_count: usize,
    /// The vertex of this surface at each vertex of the mesh it was made of.
    pub(super) of_mesh: Vec<u32>,
    neighbors: Neighbors,
}

impl Surface {
    /// The surface of a mesh, with no edge longer than `longest_edge`, metres.
    pub(super) fn new(mesh: &Mesh, longest_edge: f32) -> Result<Self, GeometryError> {
        mesh.check()?;
        let (joined, of_mesh) = welded(mesh);
        let fine = joined.refined(longest_edge)?;
        let count = fine.positions.len();
        let mut edges: Vec<[u32; 2]> = Vec::with_capacity(3 * fine.triangles.len());
        let mut areas = vec![0.0; count];
        let mut normals = vec![Vec3::ZERO; count];
        for corners in &fine.triangles {
            let [a, b, c] = corners.map(|corner| fine.positions[corner as usize]);
            let area = 0.5 * (b - a).cross(c - a);
            for corner in corners {
                areas[*corner as usize] += area.length() / 3.0;
                normals[*corner as usize] += area;
            }
            let [a, b, c] = *corners;
            edges.extend([[a, b], [b, c], [c, a]].map(|[from, to]| [from.min(to), from.max(to)]));
        }
        edges.retain(|[from, to]| from != to);
        edges.sort_unstable();
        edges.dedup();
        let neighbors = Neighbors::new(count, &edges)?;
        let (parts, part_count) = label_parts(&neighbors, &areas);
        Ok(Self {
            positions: fine.positions,
            areas,
            normals: normals.into_iter().map(Vec3::normalize_or_zero).collect(),
            parts,
            part_count,
            of_mesh,
            neighbors,
        })
    }

    /// The same surface with vertices that hang together within a distance, metres, drawn together into one; and which one of this surface
    /// stands for each.
    pub(super) fn drawn_together(&self, reach: f32) -> Result<(Self, Vec<u32>), GeometryError> {
        let count = self.positions.len();
        let mut names = vec![u32::MAX; count];
        let mut firsts: Vec<u32> = Vec::new();
        let mut open = Vec::new();
        for start in 0..count as u32 {
            if names[start as usize] != u32::MAX {
                continue;
            }
            let name = firsts.len() as u32;
            firsts.push(start);
            names[start as usize] = name;
            open.push(start);
            let place = self.positions[start as usize];
            while let Some(vertex) = open.pop() {
                for &other in self.around(vertex) {
                    let is_near = self.positions[other as usize].distance_squared(place) <= reach * reach;
                    if is_near && names[other as usize] == u32::MAX {
                        names[other as usize] = name;
                        open.push(other);
                    }
                }
            }
        }
        let mut areas = vec![0.0; firsts.len()];
        let mut edges = Vec::new();
        for vertex in 0..count as u32 {
            let name = names[vertex as usize];
            areas[name as usize] += self.areas[vertex as usize];
            let others = self.around(vertex).iter().map(|&other| names[other as usize]);
            edges.extend(others.filter(|&other| other > name).map(|other| [name, other]));
        }
        edges.sort_unstable();
        edges.dedup();
        let of = |first: &u32| *first as usize;
        let surface = Self {
            positions: firsts.iter().map(|first| self.positions[of(first)]).collect(),
            normals: firsts.iter().map(|first| self.normals[of(first)]).collect(),
            parts: firsts.iter().map(|first| self.parts[of(first)]).collect(),
            part_count: self.part_count,
            of_mesh: Vec::new(),
            neighbors: Neighbors::new(firsts.len(), &edges)?,
            areas,
        };
        Ok((surface, firsts))
    }

    /// Vertices that share an edge with one.
    pub(super) fn around(&self, vertex: u32) -> &[u32] {
        self.neighbors.of(vertex)
    }

    /// Mean of some vertices by the area around each, metres; nothing if they have no area.
    pub(super) fn middle(&self, vertices: &[u32]) -> Option<Vec3> {
        let origin = self.positions[*vertices.first()? as usize];
        let (mut sum, mut total) = (Vec3::ZERO, 0.0);
        for &vertex in vertices {
            let area = self.areas[vertex as usize];
            sum += area * (self.positions[vertex as usize] - origin);
            total += area;
        }
        (total > 0.0).then(|| origin + sum / total)
    }

    /// The one of some vertices that is nearest to a place.
    pub(super) fn nearest_of(&self, vertices: &[u32], place: Vec3) -> Option<u32> {
        let gap = |vertex: &u32| self.positions[*vertex as usize].distance_squared(place);
        vertices
            .iter()
            .copied()
            .min_by(|a, b| gap(a).total_cmp(&gap(b)).then(a.cmp(b)))
    }
}

/// The mesh with vertices at one place joined, and what became of each vertex.
fn welded(mesh: &Mesh) -> (Mesh, Vec<u32>) {
    let mut known: HashMap<[u32; 3], u32> = HashMap::with_capacity(mesh.positions.len());
    let mut positions = Vec::with_capacity(mesh.positions.len());
    let names: Vec<u32> = mesh
        .positions
        .iter()
        .map(|&position| {
            // Adding zero makes one of both zeros.
            let key = (position + 0.0).to_array().map(f32::to_bits);
            *known.entry(key).or_insert_with(|| {
                positions.push(position);
                positions.len() as u32 - 1
            })
        })
        .collect();
    let triangles = mesh
        .triangles
        .iter()
        .map(|corners| corners.map(|corner| names[corner as usize]))
        .filter(|[a, b, c]| a != b && b != c && c != a)
        .collect();
    (Mesh::new(positions, triangles), names)
}

/// The part of each vertex, and how many parts have area; those come first.
fn label_parts(neighbors: &Neighbors, areas: &[f32]) -> (Vec<u32>, usize) {
    let mut labels = vec![u32::MAX; areas.len()];
    let mut count = 0;
    let mut open = Vec::new();
    for with_area in [true, false] {
        for start in 0..areas.len() {
            if labels[start] != u32::MAX || (areas[start] > 0.0) != with_area {
                continue;
            }
            labels[start] = count;
            open.push(start as u32);
            while let Some(vertex) = open.pop() {
                for &other in neighbors.of(vertex) {
                    if labels[other as usize] == u32::MAX {
                        labels[other as usize] = count;
                        open.push(other);
                    }
                }
            }
            count += 1;
        }
    }
    let with_area = labels.iter().zip(areas).filter(|(_, area)| **area > 0.0);
    let last = with_area.map(|(label, _)| label + 1).max().unwrap_or(0);
    (labels, last as usize)
}

/// Finds vertices near a place that hang together, without asking for memory each time.
pub(super) struct Flood {
    stamps: Vec<u32>,
    stamp: u32,
}

impl Flood {
    pub(super) fn new(surface: &Surface) -> Self {
        Self {
            stamps: vec![0; surface.positions.len()],
            stamp: 0,
        }
    }

    /// The vertices within a radius of a place that can be walked to from `home` without leaving that ball, and `home`. What
    /// is near through the air only is not among them.
    pub(super) fn fill(&mut self, surface: &Surface, home: u32, place: Vec3, radius: f32, found: &mut Vec<u32>) {
        found.clear();
        found.push(home);
        if self.stamp == u32::MAX {
            self.stamps.fill(0);
            self.stamp = 0;
        }
        self.stamp += 1;
        self.stamps[home as usize] = self.stamp;
        let mut next = 0;
        while let Some(&vertex) = found.get(next) {
            next += 1;
            for &other in surface.around(vertex) {
                let is_near = surface.positions[other as usize].distance_squared(place) <= radius * radius;
                if is_near && self.stamps[other as usize] != self.stamp {
                    self.stamps[other as usize] = self.stamp;
                    found.push(other);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::cuboid;
    use glam::Affine3A;

    #[test]
    fn vertices_at_seams_are_one_and_keep_their_way_back() {
        let brick = cuboid(Vec3::ONE);
        let corners: Vec<Vec3> = brick.corners().flatten().collect();
        let triangles = (0..12)
            .map(|triangle| [0, 1, 2].map(|corner| 3 * triangle + corner))
            .collect();
        let split = Mesh::new(corners, triangles);
        let surface = Surface::new(&split, 0.7).unwrap();
        assert_eq!((surface.of_mesh.len(), surface.part_count), (36, 1));
        for (vertex, position) in split.positions.iter().enumerate() {
            assert_eq!(surface.positions[surface.of_mesh[vertex] as usize], *position);
        }
        assert!((surface.areas.iter().sum::<f32>() - 24.0).abs() < 1e-4);
    }

    #[test]
    fn drawn_together_a_surface_keeps_its_area_and_its_parts() {
        let plate = cuboid(Vec3::new(1.0, 0.05, 1.0));
        let mut both = plate.clone();
        both.append(&plate.transformed(&Affine3A::from_translation(Vec3::Y * 0.11)));
        let fine = Surface::new(&both, 0.04).unwrap();
        let (coarse, firsts) = fine.drawn_together(0.1).unwrap();
        assert!(4 * coarse.positions.len() < fine.positions.len());
        let [before, after]: [f32; 2] = [&fine, &coarse].map(|surface| surface.areas.iter().sum());
        assert!((before - after).abs() < 1e-3 * before);
        for (vertex, &first) in (0..).zip(&firsts) {
            assert_eq!(coarse.positions[vertex as usize], fine.positions[first as usize]);
            let part = coarse.parts[vertex as usize];
            assert!(
                coarse
                    .around(vertex)
                    .iter()
                    .all(|&other| coarse.parts[other as usize] == part)
            );
        }
    }

    #[test]
    fn what_is_near_through_the_air_is_not_found() {
        let plate = cuboid(Vec3::new(1.0, 0.05, 1.0));
        let mut both = plate.clone();
        both.append(&plate.transformed(&Affine3A::from_translation(Vec3::Y * 0.2)));
        let surface = Surface::new(&both, 0.1).unwrap();
        assert_eq!(surface.part_count, 2);
        let top = surface.nearest_of(&(0..surface.positions.len() as u32).collect::<Vec<_>>(), Vec3::Y * 0.05);
        let mut found = Vec::new();
        Flood::new(&surface).fill(&surface, top.unwrap(), Vec3::Y * 0.05, 0.4, &mut found);
        assert!(found.len() > 20);
        assert!(found.iter().all(|&vertex| surface.parts[vertex as usize] == 0));
    }
}
