//! Triangle meshes with normals and texture coordinates, for drawings and exports.

use glam::{Vec2, Vec3};

/// Triangles over shared vertices that have normals and texture coordinates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShadedMesh {
    /// Vertices, metres.
    pub positions: Vec<Vec3>,
    /// Unit normals, one per vertex.
    pub normals: Vec<Vec3>,
    /// Texture coordinates, one per vertex; empty if there are none.
    pub uvs: Vec<Vec2>,
    /// Vertex indices of each triangle, counter-clockwise seen from the side of the normals.
    pub triangles: Vec<[u32; 3]>,
}

impl ShadedMesh {
    /// A surface that is smooth everywhere, with the normals that follow from its triangles.
    pub fn smooth(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>, uvs: Vec<Vec2>) -> Self {
        let normals = smooth_normals(&positions, &triangles);
        Self {
            positions,
            normals,
            uvs,
            triangles,
        }
    }
}

/// Unit normals of vertices: those of the triangles around, weighted by their angles there (Thürmer and Wüthrich 1998), so
/// that they do not depend on how a surface is cut into triangles.
///
/// Triangles without area, with corners that do not exist or that are not finite add nothing; a vertex without any other, or
/// whose triangles cancel each other, points along the last of them, and along y if there is none.
pub fn smooth_normals(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; positions.len()];
    let mut lasts = vec![Vec3::Y; positions.len()];
    for corners in triangles {
        let Some(places) = corner_places(positions, corners) else {
            continue;
        };
        let [a, b, c] = places;
        let Some(face) = (b - a).cross(c - a).try_normalize() else {
            continue;
        };
        for turn in 0..3 {
            let [here, next, other] = [0, 1, 2].map(|step| places[(turn + step) % 3]);
            let angle = (next - here).angle_between(other - here);
            let vertex = corners[turn] as usize;
            sums[vertex] += angle * face;
            lasts[vertex] = face;
        }
    }
    let normal = |(sum, last): (Vec3, Vec3)| {
        // Faces of a fold that is quite flat leave nothing but rounding.
        if sum.length_squared() > 1e-10 {
            sum.normalize()
        } else {
            last
        }
    };
    sums.into_iter().zip(lasts).map(normal).collect()
}

fn corner_places(positions: &[Vec3], corners: &[u32; 3]) -> Option<[Vec3; 3]> {
    let place = |corner: u32| positions.get(corner as usize).filter(|place| place.is_finite());
    let [a, b, c] = corners.map(place);
    Some([*a?, *b?, *c?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Mesh;

    #[test]
    fn normals_of_a_ball_point_out_of_it() {
        let ball = Mesh::ball(2.0, 24);
        let normals = smooth_normals(&ball.positions, &ball.triangles);
        for (normal, place) in normals.iter().zip(&ball.positions) {
            assert!(normal.dot(place.normalize()) > 0.998, "{normal} at {place}");
        }
    }

    #[test]
    fn a_corner_of_a_box_does_not_care_how_its_sides_are_cut() {
        let brick = Mesh::cuboid(Vec3::ONE);
        let normals = smooth_normals(&brick.positions, &brick.triangles);
        for (normal, place) in normals.iter().zip(&brick.positions) {
            assert!(normal.distance(place.normalize()) < 1e-6, "{normal} at {place}");
        }
    }

    #[test]
    fn odd_triangles_still_give_unit_normals() {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::splat(f32::NAN), Vec3::ONE];
        // A fold that lies flat on itself, a line, a missing corner, one that is not finite, and a vertex on its own.
        let triangles = [[0, 1, 2], [0, 2, 1], [0, 1, 1], [0, 1, 9], [0, 1, 3]];
        let normals = smooth_normals(&positions, &triangles);
        assert!(
            normals.iter().all(|normal| (normal.length() - 1.0).abs() < 1e-6),
            "{normals:?}"
        );
        assert_eq!(normals[4], Vec3::Y);
        assert_eq!(normals[0].abs(), Vec3::Y);
    }
}
