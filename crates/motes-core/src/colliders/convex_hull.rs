//! A convex polyhedron. The hull of a point cloud is computed in `motes-geometry`; here it is checked and queried.

use glam::{Vec3, Vec4};
use serde::{Deserialize, Serialize};

use super::{
    ShapeError, SurfacePlane, Sweep,
    error::valid_triangles,
    sweep::convex_contacts,
    triangle::{Feature, Triangle},
};
use crate::space::bounds::Bounds;

/// A closed convex surface of triangles and the solid within.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Data", into = "Data")]
pub struct ConvexHull {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// Outward normal and distance from the origin of each triangle.
    planes: Vec<Vec4>,
    bounds: Bounds,
}

/// What is stored; the rest is rebuilt.
#[derive(Serialize, Deserialize)]
struct Data {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl From<ConvexHull> for Data {
    fn from(hull: ConvexHull) -> Self {
        Self {
            vertices: hull.vertices,
            triangles: hull.triangles,
        }
    }
}

impl TryFrom<Data> for ConvexHull {
    type Error = ShapeError;

    fn try_from(data: Data) -> Result<Self, ShapeError> {
        Self::new(data.vertices, data.triangles)
    }
}

impl ConvexHull {
    /// A hull of these vertices (metres) and triangles, which must close it. Winding is made to face outwards.
    pub fn new(vertices: Vec<Vec3>, mut triangles: Vec<[u32; 3]>) -> Result<Self, ShapeError> {
        for (field, found) in [("vertices", vertices.len()), ("triangles", triangles.len())] {
            if found < 4 {
                return Err(ShapeError::TooFew {
                    shape: "convex hull",
                    field,
                    found,
                    at_least: 4,
                });
            }
        }
        valid_triangles("convex hull", &vertices, &triangles)?;
        check_closed(&triangles)?;

        let used = triangles.iter().flatten().map(|&index| vertices[index as usize]);
        let bounds = Bounds::of(used.clone());
        let middle = used.sum::<Vec3>() / (3 * triangles.len()) as f32;
        let tolerance = 1e-4 * bounds.size().max_element();
        let mut planes = Vec::with_capacity(triangles.len());
        let mut depth = f32::INFINITY;
        for triangle in &mut triangles {
            let corners = triangle.map(|index| vertices[index as usize]);
            // A sliver bounds nothing that its neighbours do not; its plane lies behind the whole hull.
            let Some(mut normal) = (Triangle { corners }).normal() else {
                planes.push(Vec4::new(0.0, 0.0, 0.0, f32::MAX));
                continue;
            };
            let height = (corners[0] - middle).dot(normal);
            if height < 0.0 {
                triangle.swap(1, 2);
                normal = -normal;
            }
            depth = depth.min(height.abs());
            planes.push(normal.extend(normal.dot(corners[0])));
        }
        if !(depth.is_finite() && depth > 1e-2 * tolerance) {
            return Err(ShapeError::Flat { found: depth });
        }
        for (triangle, plane) in planes.iter().enumerate() {
            for (vertex, &position) in vertices.iter().enumerate() {
                let found = plane.truncate().dot(position) - plane.w;
                if found > tolerance {
                    return Err(ShapeError::NotConvex {
                        vertex,
                        triangle,
                        found,
                        expected: tolerance,
                    });
                }
            }
        }
        Ok(Self {
            vertices,
            triangles,
            planes,
            bounds,
        })
    }

    /// Positions of the vertices, metres.
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Vertices of each triangle, counter-clockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Outward unit normal (xyz) and distance from the origin along it (w) of each triangle. A triangle without area
    /// has a zero normal and no say.
    pub fn planes(&self) -> &[Vec4] {
        &self.planes
    }

    /// The box around the hull.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Distance to the surface: to the nearest face plane inside, to the nearest point of the hull outside.
    pub fn signed_distance(&self, point: Vec3) -> (f32, Vec3) {
        let (face, height) = self.highest_plane(point);
        let normal = self.planes[face].truncate();
        if height <= 0.0 {
            return (height, normal);
        }
        let mut best = (f32::INFINITY, normal);
        for (triangle, plane) in self.triangles.iter().zip(&self.planes) {
            // The nearest point lies on a face that the point sees, and no nearer than that face's plane.
            let height = plane.truncate().dot(point) - plane.w;
            if height <= 0.0 || height >= best.0 {
                continue;
            }
            let corners = triangle.map(|index| self.vertices[index as usize]);
            let (nearest, feature) = (Triangle { corners }).closest(point);
            if feature == Feature::Face {
                best = (height, plane.truncate());
                continue;
            }
            let away = point - nearest;
            let distance = away.length();
            if distance < best.0 {
                best = (distance, away.try_normalize().unwrap_or(plane.truncate()));
            }
        }
        // This near the surface the direction to it is rounding; the plane's normal is not.
        let rounding = 4.0 * f32::EPSILON * point.abs().max_element();
        if best.0 <= rounding { (height, normal) } else { best }
    }

    pub(super) fn contacts(&self, sweep: &Sweep, out: &mut Vec<SurfacePlane>) {
        // The height above the highest plane is never more than the distance and far cheaper.
        let length = sweep.start.distance(sweep.end);
        let (_, at_start) = self.highest_plane(sweep.start);
        let (_, at_end) = self.highest_plane(sweep.end);
        if at_start + at_end - length < 2.0 * sweep.reach() {
            convex_contacts(|point| self.signed_distance(point), sweep, out);
        }
    }

    /// The face plane the point is highest above, and how high.
    #[inline]
    fn highest_plane(&self, point: Vec3) -> (usize, f32) {
        let mut best = (0, f32::NEG_INFINITY);
        for (index, plane) in self.planes.iter().enumerate() {
            let height = plane.truncate().dot(point) - plane.w;
            if height > best.1 {
                best = (index, height);
            }
        }
        best
    }
}

/// Every edge must join exactly two triangles.
fn check_closed(triangles: &[[u32; 3]]) -> Result<(), ShapeError> {
    let mut edges: Vec<(u32, u32)> = triangles
        .iter()
        .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)])
        .map(|(from, to)| (from.min(to), from.max(to)))
        .collect();
    edges.sort_unstable();
    match edges.chunk_by(|a, b| a == b).find(|edge| edge.len() != 2) {
        Some(edge) => Err(ShapeError::NotClosed {
            from: edge[0].0,
            to: edge[0].1,
            found: edge.len(),
        }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::tests::box_triangles, *};

    fn unit_box() -> ConvexHull {
        let (vertices, triangles) = box_triangles(Vec3::ONE);
        ConvexHull::new(vertices, triangles).expect("valid")
    }

    #[test]
    fn corner_distance_is_euclidean_not_that_of_the_planes() {
        let (distance, normal) = unit_box().signed_distance(Vec3::splat(2.0));
        assert!((distance - 3.0_f32.sqrt()).abs() < 1e-6);
        assert!(normal.distance(Vec3::ONE.normalize()) < 1e-6);
    }

    #[test]
    fn points_on_edges_and_corners_have_unit_normals() {
        for point in [
            Vec3::ONE,
            Vec3::new(1.0, 1.0, 0.3),
            Vec3::X,
            Vec3::X * (1.0 + 1e-7),
            Vec3::ZERO,
        ] {
            let (distance, normal) = unit_box().signed_distance(point);
            assert!(distance.is_finite() && normal.is_normalized());
        }
    }

    #[test]
    fn inverted_triangles_are_turned_outwards() {
        let (vertices, mut triangles) = box_triangles(Vec3::ONE);
        triangles.iter_mut().step_by(2).for_each(|triangle| triangle.swap(0, 1));
        let hull = ConvexHull::new(vertices, triangles).expect("valid");
        assert_eq!(hull.signed_distance(Vec3::X * 0.5), (-0.5, Vec3::X));
    }

    #[test]
    fn what_is_not_a_hull_is_refused_and_named() {
        let (vertices, triangles) = box_triangles(Vec3::ONE);
        let build = |vertices: &[Vec3], triangles: &[[u32; 3]]| {
            ConvexHull::new(vertices.to_vec(), triangles.to_vec()).expect_err("not a hull")
        };
        assert!(matches!(
            build(&vertices[..3], &triangles),
            ShapeError::TooFew { found: 3, .. }
        ));
        assert!(matches!(
            build(&vertices, &triangles[1..]),
            ShapeError::NotClosed { found: 1, .. }
        ));
        assert!(matches!(
            build(&vertices[..7], &triangles),
            ShapeError::NoSuchVertex { found: 7, .. }
        ));
        let mut dented = vertices.clone();
        dented[7] = Vec3::splat(-0.5);
        assert!(matches!(build(&dented, &triangles), ShapeError::NotConvex { .. }));
        let mut broken = vertices.clone();
        broken[2].y = f32::NAN;
        assert!(matches!(
            build(&broken, &triangles),
            ShapeError::NotFiniteAt { index: 2, .. }
        ));
        let flat: Vec<_> = vertices.iter().map(|v| v.with_y(0.0)).collect();
        assert!(matches!(build(&flat, &triangles), ShapeError::Flat { .. }));
    }
}
