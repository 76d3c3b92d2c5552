//! Meshes whose vertices are split along sharp edges, so that every vertex has one normal, as files and graphics cards want it.

use glam::Vec3;

use crate::mesh::Mesh;
use crate::shaded::ShadedMesh;

/// Triangles over the vertices of another mesh, some of which they have several times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Creased {
    /// Of each vertex the one it stands for.
    sources: Vec<u32>,
    triangles: Vec<[u32; 3]>,
}

impl Creased {
    /// Splits the vertices of a mesh along all edges where triangles meet at more than an angle, degrees. Triangles that name
    /// a vertex that does not exist are left out.
    pub fn new(mesh: &Mesh, angle: f32) -> Self {
        let cosine = angle.to_radians().cos();
        let count = mesh.positions.len();
        let sound = |corners: &&[u32; 3]| corners.iter().all(|&corner| (corner as usize) < count);
        let mut triangles: Vec<[u32; 3]> = mesh.triangles.iter().filter(sound).copied().collect();
        let face = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(|corner| mesh.positions[corner as usize]);
            (b - a).cross(c - a).normalize_or_zero()
        };
        let faces: Vec<Vec3> = triangles.iter().map(face).collect();
        let mut around = vec![Vec::new(); count];
        for (number, corners) in triangles.iter().enumerate() {
            for &corner in corners {
                around[corner as usize].push(number);
            }
        }
        let old = triangles.clone();
        let mut sources = Vec::with_capacity(count);
        for (vertex, near) in around.iter().enumerate() {
            let is_joined = |a: usize, b: usize| {
                let shared = old[a].iter().filter(|corner| old[b].contains(corner)).count();
                shared > 1 && faces[a].dot(faces[b]) >= cosine
            };
            for fan in fans(near, is_joined) {
                let number = sources.len() as u32;
                sources.push(vertex as u32);
                for triangle in fan {
                    for (corner, before) in triangles[triangle].iter_mut().zip(old[triangle]) {
                        if before as usize == vertex {
                            *corner = number;
                        }
                    }
                }
            }
        }
        Self { sources, triangles }
    }

    /// Of each vertex the one of the first mesh that it stands for.
    pub fn sources(&self) -> &[u32] {
        &self.sources
    }

    /// The mesh with the vertices of the first one at these places, metres; those that are missing are at the origin.
    pub fn shaded(&self, positions: &[Vec3]) -> ShadedMesh {
        let place = |source: &u32| positions.get(*source as usize).copied().unwrap_or_default();
        let places = self.sources.iter().map(place).collect();
        ShadedMesh::smooth(places, self.triangles.clone(), Vec::new())
    }
}

/// The triangles around a vertex in groups of those that are joined, one by one or through others.
fn fans(near: &[usize], is_joined: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut left = near.to_vec();
    let mut fans = Vec::new();
    while let Some(first) = left.pop() {
        let mut fan = vec![first];
        let mut done = 0;
        while let Some(&next) = fan.get(done) {
            let (joined, others) = left.iter().partition(|&&other| is_joined(next, other));
            left = others;
            fan.extend::<Vec<usize>>(joined);
            done += 1;
        }
        fans.push(fan);
    }
    fans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_has_the_normals_of_its_sides() {
        let brick = Mesh::cuboid(Vec3::ONE);
        let shaded = Creased::new(&brick, 60.0).shaded(&brick.positions);
        assert_eq!((shaded.positions.len(), shaded.triangles.len()), (24, 12));
        for corners in &shaded.triangles {
            let [a, b, c] = corners.map(|corner| shaded.positions[corner as usize]);
            let face = (b - a).cross(c - a).normalize();
            for corner in corners {
                assert!(shaded.normals[*corner as usize].distance(face) < 1e-6);
            }
        }
    }

    #[test]
    fn a_ball_keeps_its_vertices_unless_it_is_faceted() {
        let ball = Mesh::ball(1.0, 24);
        let round = Creased::new(&ball, 60.0).shaded(&ball.positions);
        assert_eq!(round.positions.len(), ball.positions.len());
        let faceted = Creased::new(&ball, 0.5).shaded(&ball.positions);
        assert!(faceted.positions.len() > 3 * ball.positions.len());
        assert_eq!(round.triangles.len(), faceted.triangles.len());
    }

    #[test]
    fn normals_follow_a_mesh_that_is_bent() {
        let ball = Mesh::ball(1.0, 24);
        let creased = Creased::new(&ball, 60.0);
        let long: Vec<Vec3> = ball
            .positions
            .iter()
            .map(|place| *place * Vec3::new(4.0, 1.0, 1.0))
            .collect();
        let bent = creased.shaded(&long);
        for (normal, place) in bent.normals.iter().zip(&bent.positions) {
            let expected = (*place * Vec3::new(1.0 / 16.0, 1.0, 1.0)).normalize();
            assert!(normal.dot(expected) > 0.99, "{normal} at {place}");
        }
    }

    #[test]
    fn odd_meshes_are_split_as_well() {
        let odd = Mesh::new(
            vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            vec![[0, 1, 2], [0, 1, 7], [1, 1, 1], [0, 2, 1]],
        );
        let creased = Creased::new(&odd, 60.0);
        assert_eq!(creased.triangles.len(), 3);
        assert!(creased.shaded(&[]).positions.iter().all(|place| *place == Vec3::ZERO));
        assert_eq!(Creased::new(&Mesh::default(), 60.0), Creased::default());
    }
}
