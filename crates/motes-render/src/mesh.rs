//! Triangle meshes with the normals needed to shade them.

mod levels;

use crate::{Fabric, Liquid};
use glam::{Vec2, Vec3};
use levels::Level;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Cosine of the angle between two faces beyond which the edge between them stays sharp: 60 degrees.
const CREASE: f32 = 0.5;

/// Cosine of the angle between a triangle and the normals of its corners beyond which these are bent towards it.
const LEAN: f32 = 0.25;

/// A triangle mesh in its own coordinates, metres.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// The same only for meshes that are alike.
    id: u64,
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// One per corner of every triangle; empty for a faceted mesh.
    normals: Vec<[Vec3; 3]>,
    /// Lowest and highest coordinates of the triangles' corners; the wrong way round if there are none.
    bounds: [Vec3; 2],
    /// 1 if closed with triangles that turn left seen from outside, -1 if they turn right, 0 if open.
    outward: f32,
    /// From fine to coarse; empty unless asked for.
    levels: Vec<Level>,
    /// One per triangle, sRGB, or none.
    colors: Vec<[u8; 3]>,
    cloth: Option<Box<Cloth>>,
    liquid: Option<Liquid>,
}

/// What a mesh is if it is cloth.
#[derive(Clone, Debug)]
struct Cloth {
    fabric: Fabric,
    /// One per vertex.
    uvs: Vec<Vec2>,
}

impl Mesh {
    /// A mesh of `triangles`, shaded with facets or, if `smooth`, with normals that are interpolated over all edges of
    /// less than 60 degrees. Triangles that name a vertex that does not exist or is not finite are left out; the order
    /// of their corners does not matter.
    pub fn new(positions: Vec<Vec3>, mut triangles: Vec<[u32; 3]>, smooth: bool) -> Self {
        retain_sound(&positions, &mut triangles);
        let around = Around::new(positions.len(), &triangles);
        let normals = if smooth {
            corner_normals(&positions, &triangles, &around)
        } else {
            Vec::new()
        };
        Self::with_corner_normals(positions, triangles, normals, &around)
    }

    /// A mesh of `triangles` with a unit normal for every vertex, on the side from which the triangles turn left. They are
    /// interpolated over all edges; where one leans far from a triangle, as in a sharp fold, it is bent towards it there.
    /// Triangles are left out as by [`Mesh::new`], and all of them if there are fewer normals than vertices.
    pub fn with_normals(positions: Vec<Vec3>, mut triangles: Vec<[u32; 3]>, normals: &[Vec3]) -> Self {
        if normals.len() < positions.len() {
            triangles.clear();
        }
        retain_sound(&positions, &mut triangles);
        let around = Around::new(positions.len(), &triangles);
        let corners = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(|corner| positions[corner as usize]);
            let face = (b - a).cross(c - a).normalize_or_zero();
            corners.map(|corner| {
                let normal = normals[corner as usize];
                let lacking = LEAN - normal.dot(face);
                if lacking > 0.0 {
                    (normal + lacking * face).normalize_or(face)
                } else {
                    normal
                }
            })
        };
        let normals = triangles.iter().map(corners).collect();
        Self::with_corner_normals(positions, triangles, normals, &around)
    }

    fn with_corner_normals(
        positions: Vec<Vec3>,
        triangles: Vec<[u32; 3]>,
        normals: Vec<[Vec3; 3]>,
        around: &Around,
    ) -> Self {
        let bounds = bounds(&positions, &triangles);
        let outward = if is_closed(&triangles, around) {
            orientation(&positions, &triangles, bounds[0])
        } else {
            0.0
        };
        Self {
            id: new_id(),
            positions,
            triangles,
            normals,
            bounds,
            outward,
            levels: Vec::new(),
            colors: Vec::new(),
            cloth: None,
            liquid: None,
        }
    }

    /// The same mesh with coarser versions of it, which take its place in shadow maps too coarse to tell the difference.
    /// They pay for a mesh that is drawn many times.
    pub fn with_levels(self) -> Self {
        let levels = levels::levels(&self.positions, &self.triangles);
        Self {
            id: new_id(),
            levels,
            ..self
        }
    }

    /// The same mesh in colours of its own, sRGB, which stand for those of its instances: one for each of
    /// [`Mesh::triangles`]. Any other number of colours is none.
    pub fn with_colors(self, colors: Vec<[u8; 3]>) -> Self {
        let fits = colors.len() == self.triangles.len();
        Self {
            id: new_id(),
            colors: if fits { colors } else { Vec::new() },
            ..self
        }
    }

    /// The same mesh as cloth, with a pattern by texture coordinates, one pair for each of [`Mesh::positions`]; those that are
    /// missing are 0.
    pub fn with_fabric(self, fabric: Fabric, mut uvs: Vec<Vec2>) -> Self {
        uvs.resize(self.positions.len(), Vec2::ZERO);
        Self {
            id: new_id(),
            cloth: Some(Box::new(Cloth { fabric, uvs })),
            ..self
        }
    }

    /// The surface of a liquid: closed, of triangles that turn left seen from outside, with a unit normal for every vertex.
    /// Triangles are left out as by [`Mesh::with_normals`].
    pub fn of_liquid(positions: Vec<Vec3>, mut triangles: Vec<[u32; 3]>, normals: &[Vec3], liquid: Liquid) -> Self {
        if normals.len() < positions.len() {
            triangles.clear();
        }
        retain_sound(&positions, &mut triangles);
        let corner_normals = triangles.par_iter();
        let corner_normals = corner_normals.map(|corners| corners.map(|corner| normals[corner as usize]));
        let normals = corner_normals.collect();
        Self {
            id: new_id(),
            bounds: bounds(&positions, &triangles),
            positions,
            triangles,
            normals,
            outward: 1.0,
            liquid: Some(liquid),
            ..Self::default()
        }
    }

    /// What the mesh is, if it is the surface of a liquid.
    pub(crate) fn liquid(&self) -> Option<&Liquid> {
        self.liquid.as_ref()
    }

    /// What the mesh is made of, if it is cloth.
    pub(crate) fn fabric(&self) -> Option<&Fabric> {
        self.cloth.as_ref().map(|cloth| &cloth.fabric)
    }

    /// Texture coordinates of the corners of a triangle of cloth.
    pub(crate) fn corner_uvs(&self, triangle: usize) -> [Vec2; 3] {
        let uv = |corner: u32| {
            self.cloth
                .as_ref()
                .map_or(Vec2::ZERO, |cloth| cloth.uvs[corner as usize])
        };
        self.triangles[triangle].map(uv)
    }

    /// A number that this mesh shares with its copies and no other.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// The colour of a triangle, where the mesh has colours of its own.
    pub(crate) fn color(&self, triangle: usize) -> Option<[u8; 3]> {
        self.colors.get(triangle).copied()
    }

    /// Corners of the triangles, metres.
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// Three indices into [`Mesh::positions`] per triangle, all of them in range.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The corners of the box around the mesh; not finite if the mesh has no triangles.
    pub(crate) fn box_corners(&self) -> [Vec3; 8] {
        let [min, max] = self.bounds;
        std::array::from_fn(|corner| {
            let pick = |bit: usize| corner >> bit & 1 == 1;
            Vec3::select(glam::BVec3::new(pick(0), pick(1), pick(2)), max, min)
        })
    }

    /// Positions and triangles of the coarsest version whose details are not larger than `detail`, metres.
    pub(crate) fn version(&self, detail: f32) -> (&[Vec3], &[[u32; 3]]) {
        match self.levels.iter().rev().find(|level| level.cell <= detail) {
            Some(level) => (&level.positions, &level.triangles),
            None => (&self.positions, &self.triangles),
        }
    }

    /// The middle of the box around the mesh; not a number if the mesh has no triangles.
    pub(crate) fn middle(&self) -> Vec3 {
        self.bounds[0].midpoint(self.bounds[1])
    }

    /// 1 if the mesh is closed and its triangles turn left seen from outside, -1 if they turn right, 0 if it is open.
    pub(crate) fn outward(&self) -> f32 {
        self.outward
    }

    /// The normal of a triangle at the given barycentric weights of its corners, where the mesh is smooth.
    pub(crate) fn smooth_normal(&self, triangle: usize, weights: Vec3) -> Option<Vec3> {
        let [a, b, c] = *self.normals.get(triangle)?;
        (a * weights.x + b * weights.y + c * weights.z).try_normalize()
    }
}

/// Lowest and highest coordinates of the corners of triangles; the wrong way round if there are none.
fn bounds(positions: &[Vec3], triangles: &[[u32; 3]]) -> [Vec3; 2] {
    let corners = triangles.iter().flatten().map(|&corner| positions[corner as usize]);
    corners.fold([Vec3::INFINITY, Vec3::NEG_INFINITY], |[min, max], corner| {
        [min.min(corner), max.max(corner)]
    })
}

/// Leaves out triangles with corners that do not exist or are not finite.
fn retain_sound(positions: &[Vec3], triangles: &mut Vec<[u32; 3]>) {
    triangles.retain(|corners| {
        corners
            .iter()
            .all(|&corner| positions.get(corner as usize).is_some_and(|p| p.is_finite()))
    });
}

fn new_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Normals of the corners of every triangle, averaged by area over the triangles around the same vertex that face about
/// the same way.
fn corner_normals(positions: &[Vec3], triangles: &[[u32; 3]], around: &Around) -> Vec<[Vec3; 3]> {
    let areas: Vec<Vec3> = triangles
        .par_iter()
        .map(|corners| {
            let [a, b, c] = corners.map(|corner| positions[corner as usize]);
            (b - a).cross(c - a)
        })
        .collect();
    let units: Vec<Vec3> = areas.par_iter().map(|area| area.normalize_or_zero()).collect();
    let normal = |triangle: usize, corner: u32| -> Vec3 {
        let others = around.vertex(corner).iter().map(|&other| other as usize);
        let alike = others.filter(|&other| units[other].dot(units[triangle]) > CREASE);
        alike.map(|other| areas[other]).sum::<Vec3>().normalize_or_zero()
    };
    let triangles = triangles.par_iter().enumerate();
    triangles
        .map(|(triangle, corners)| corners.map(|corner| normal(triangle, corner)))
        .collect()
}

/// Whether every edge belongs to two triangles that run along it in opposite directions.
fn is_closed(triangles: &[[u32; 3]], around: &Around) -> bool {
    let edges = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]];
    triangles.par_iter().flat_map_iter(edges).all(|[start, end]| {
        let others = around.vertex(start).iter();
        let nearby = others.flat_map(|&other| edges(&triangles[other as usize]));
        let [along, against] = nearby.fold([0, 0], |[along, against], edge| {
            [
                along + u32::from(edge == [start, end]),
                against + u32::from(edge == [end, start]),
            ]
        });
        along == 1 && against == 1
    })
}

/// 1 if closed triangles turn left seen from outside, -1 if they turn right, 0 if there is nothing inside.
fn orientation(positions: &[Vec3], triangles: &[[u32; 3]], origin: Vec3) -> f32 {
    let volumes = triangles.iter().map(|corners| {
        let [a, b, c] = corners.map(|corner| (positions[corner as usize] - origin).as_dvec3());
        a.dot(b.cross(c))
    });
    match volumes.sum::<f64>() {
        volume if volume > 0.0 => 1.0,
        volume if volume < 0.0 => -1.0,
        _ => 0.0,
    }
}

/// The triangles around every vertex.
struct Around {
    starts: Vec<u32>,
    triangles: Vec<u32>,
}

impl Around {
    /// A counting sort of the corners by vertex.
    fn new(vertices: usize, triangles: &[[u32; 3]]) -> Self {
        let mut starts = vec![0; vertices + 2];
        for &corner in triangles.as_flattened() {
            starts[corner as usize + 2] += 1;
        }
        for vertex in 2..starts.len() {
            starts[vertex] += starts[vertex - 1];
        }
        let mut sorted = vec![0; 3 * triangles.len()];
        for (triangle, corners) in triangles.iter().enumerate() {
            for &corner in corners {
                let slot = &mut starts[corner as usize + 1];
                sorted[*slot as usize] = triangle as u32;
                *slot += 1;
            }
        }
        Self {
            starts,
            triangles: sorted,
        }
    }

    fn vertex(&self, vertex: u32) -> &[u32] {
        let [start, end] = [0, 1].map(|step| self.starts[vertex as usize + step] as usize);
        &self.triangles[start..end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    #[test]
    fn triangles_with_missing_or_infinite_corners_are_left_out() {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::splat(f32::NAN)];
        let mesh = Mesh::new(positions, vec![[0, 1, 2], [0, 1, 9], [0, 1, 3]], true);
        assert_eq!(mesh.triangles(), [[0, 1, 2]]);
    }

    /// Two triangles that share the edge along y, bent by an angle in degrees.
    fn bent(angle: f32) -> Mesh {
        let other = Quat::from_rotation_y(angle.to_radians()) * Vec3::NEG_X;
        Mesh::new(
            vec![Vec3::ZERO, Vec3::Y, Vec3::X, other],
            vec![[0, 2, 1], [0, 1, 3]],
            true,
        )
    }

    #[test]
    fn normals_blend_over_a_blunt_edge() {
        let middle = bent(40.0)
            .smooth_normal(0, Vec3::new(0.5, 0.0, 0.5))
            .unwrap_or_default();
        assert!(middle.angle_between(Vec3::Z).to_degrees() > 19.0, "{middle}");
        let far = bent(40.0).smooth_normal(0, Vec3::new(0.0, 1.0, 0.0));
        assert!(far.is_some_and(|normal| normal.distance(Vec3::Z) < 1e-6));
    }

    #[test]
    fn a_sharp_edge_stays_sharp() {
        let edge = bent(90.0).smooth_normal(0, Vec3::new(0.5, 0.0, 0.5));
        assert!(edge.is_some_and(|normal| normal.distance(Vec3::Z) < 1e-6), "{edge:?}");
    }
}
