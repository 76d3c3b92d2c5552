//! Evenly spaced points on a surface: many random ones, of which the most crowded are taken away until the wanted number is
//! left (Yuksel 2015, "Sample elimination for generating Poisson disk sample sets").

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

use glam::{IVec3, Vec3};
use motes_core::random::unit_at;

use crate::error::{GeometryError, positive};
use crate::grid::cell_of;
use crate::mesh::Mesh;

/// A point of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// Its place, metres.
    pub position: Vec3,
    /// Unit normal of its triangle.
    pub normal: Vec3,
}

/// Random points per point that is left.
const CANDIDATES: usize = 5;

/// Most points that are left.
const MAX_POINTS: f64 = 5e6;

/// Points on the surface of a mesh, about `spacing` metres from their neighbours. The same seed gives the same points.
pub fn surface_points(mesh: &Mesh, spacing: f32, seed: u64) -> Result<Vec<SurfacePoint>, GeometryError> {
    let wanted = count(mesh, spacing)?;
    let candidates = scatter(mesh, CANDIDATES * wanted, seed);
    Ok(thin_out(&candidates, wanted, 2.0 * spacing))
}

/// Points on the surface as dense as those of [`surface_points`], but not kept apart.
pub(super) fn scattered(mesh: &Mesh, spacing: f32, seed: u64) -> Result<Vec<SurfacePoint>, GeometryError> {
    Ok(scatter(mesh, count(mesh, spacing)?, seed))
}

fn count(mesh: &Mesh, spacing: f32) -> Result<usize, GeometryError> {
    positive("spacing", spacing)?;
    let area = f64::from(mesh.area());
    // As many as a triangular lattice of that spacing would have.
    let wanted = area / (0.75f64.sqrt() * f64::from(spacing).powi(2));
    if wanted.is_nan() || wanted > MAX_POINTS {
        return Err(GeometryError::TooManyPoints {
            wanted,
            limit: MAX_POINTS,
        });
    }
    Ok((wanted.round() as usize).max(1))
}

/// Points spread over the triangles by area.
fn scatter(mesh: &Mesh, count: usize, seed: u64) -> Vec<SurfacePoint> {
    let areas: Vec<f64> = mesh
        .corners()
        .map(|[a, b, c]| f64::from((b - a).cross(c - a).length()))
        .collect();
    let step = areas.iter().sum::<f64>() / count as f64;
    let mut points = Vec::with_capacity(count);
    let mut passed = 0.0;
    for ([a, b, c], area) in mesh.corners().zip(areas) {
        passed += area;
        while step > 0.0 && points.len() < count && (points.len() as f64 + 0.5) * step <= passed {
            let index = 2 * points.len() as u64;
            let root = unit_at(seed, index).sqrt();
            let along = unit_at(seed, index + 1);
            points.push(SurfacePoint {
                position: a * (1.0 - root) + b * (root * (1.0 - along)) + c * (root * along),
                normal: (b - a).cross(c - a).normalize_or_zero(),
            });
        }
    }
    points
}

/// A candidate and how crowded it was when it was put on the heap.
struct Crowded(f32, u32);

impl PartialEq for Crowded {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Crowded {}

impl PartialOrd for Crowded {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Crowded {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0).then(other.1.cmp(&self.1))
    }
}

/// Takes away the most crowded points until `wanted` are left. Points that face away from each other do not crowd: they
/// lie on the two sides of a sheet.
fn thin_out(points: &[SurfacePoint], wanted: usize, reach: f32) -> Vec<SurfacePoint> {
    let cell = |position: Vec3| cell_of(position, reach);
    let mut cells: HashMap<IVec3, Vec<u32>> = HashMap::new();
    for (index, point) in points.iter().enumerate() {
        cells.entry(cell(point.position)).or_default().push(index as u32);
    }
    let pressure = |a: &SurfacePoint, b: &SurfacePoint| {
        let gap = a.position.distance(b.position);
        if gap >= reach || a.normal.dot(b.normal) < -0.3 {
            0.0
        } else {
            (1.0 - gap / reach).powi(8)
        }
    };
    let near = |index: usize| -> Vec<u32> {
        let middle = cell(points[index].position);
        let steps = (0..27).map(|step| IVec3::new(step % 3, step / 3 % 3, step / 9) - 1);
        let others = steps.filter_map(|step| cells.get(&(middle + step))).flatten().copied();
        others.filter(|&other| other as usize != index).collect()
    };
    let mut crowding: Vec<f32> = (0..points.len())
        .map(|index| {
            near(index)
                .iter()
                .map(|&other| pressure(&points[index], &points[other as usize]))
                .sum()
        })
        .collect();
    let mut heap: BinaryHeap<Crowded> = crowding
        .iter()
        .enumerate()
        .map(|(index, &w)| Crowded(w, index as u32))
        .collect();
    let mut kept = vec![true; points.len()];
    let mut count = points.len();
    while count > wanted {
        let Some(Crowded(weight, index)) = heap.pop() else {
            break;
        };
        let index = index as usize;
        if !kept[index] || weight != crowding[index] {
            continue;
        }
        kept[index] = false;
        count -= 1;
        for other in near(index) {
            let relief = pressure(&points[index], &points[other as usize]);
            if kept[other as usize] && relief > 0.0 {
                let weight = &mut crowding[other as usize];
                *weight -= relief;
                heap.push(Crowded(*weight, other));
            }
        }
    }
    points
        .iter()
        .zip(kept)
        .filter(|(_, kept)| *kept)
        .map(|(point, _)| *point)
        .collect()
}
