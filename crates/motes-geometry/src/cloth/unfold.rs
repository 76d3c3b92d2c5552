//! Coordinates on the cloth for meshes that bring none, and those of files in metres.

use std::collections::VecDeque;

use glam::{DVec2, DVec3, Vec2};

use super::globe::globe;
use super::surface::{self, SheetEdge};
use crate::mesh::Mesh;

/// How far vertices may lie off a plane, as a share of the size of their part, for it to be flat.
const FLAT: f64 = 1e-4;

/// Texture coordinates of a file scaled so that each part has the area on the cloth that it has in space, m².
pub(super) fn to_metres(mesh: &Mesh) -> Vec<[Vec2; 3]> {
    let mut uvs = mesh.uvs.clone();
    let areas = surface::triangle_areas(&mesh.positions, &mesh.triangles);
    for part in mesh.parts() {
        let flat: f64 = part
            .iter()
            .map(|&triangle| {
                let [a, b, c] = uvs[triangle as usize].map(|uv| uv.as_dvec2());
                0.5 * (b - a).perp_dot(c - a).abs()
            })
            .sum();
        let space: f64 = part.iter().map(|&triangle| areas[triangle as usize]).sum();
        if flat > 0.0 && flat.is_finite() {
            let scale = (space / flat).sqrt() as f32;
            part.iter()
                .for_each(|&triangle| uvs[triangle as usize] = uvs[triangle as usize].map(|uv| uv * scale));
        }
    }
    uvs
}

/// Share of a closed part's edges that may be seams before longitude and latitude serve better.
const SEAMS: f64 = 0.1;

/// Triangles laid flat: a part in a plane as it is, v upward or, where it lies level, u along x; any other triangle by triangle from
/// its first on, each beside one that lies already. What cannot be laid flat gets seams; triangles keep their shape. Where a closed
/// part would be nearly all seams, it gets longitude and latitude.
pub(super) fn unfold(mesh: &Mesh, edges: &[SheetEdge]) -> Vec<[Vec2; 3]> {
    let mut laid: Vec<Option<[DVec2; 3]>> = vec![None; mesh.triangles.len()];
    let beside = neighbors(mesh, edges);
    for part in mesh.parts() {
        let axes = axes_of(mesh, &part);
        let at = |corner: u32| mesh.positions[corner as usize].as_dvec3();
        let origin = at(mesh.triangles[part[0] as usize][0]);
        let project = |triangle: u32, [u, v]: [DVec3; 2]| {
            mesh.triangles[triangle as usize].map(|corner| {
                let place = at(corner) - origin;
                DVec2::new(place.dot(u), place.dot(v))
            })
        };
        match axes {
            Some(axes) => part
                .iter()
                .for_each(|&triangle| laid[triangle as usize] = Some(project(triangle, axes))),
            None => {
                for &first in &part {
                    if laid[first as usize].is_some() {
                        continue;
                    }
                    let corners = &mesh.triangles[first as usize];
                    let normal = surface::doubled_normal(&mesh.positions, corners).normalize_or(DVec3::Z);
                    laid[first as usize] = Some(project(first, axes_for(normal)));
                    spread(mesh, &beside, &mut laid, first);
                }
                if seams(mesh, &beside, &laid, &part).is_some_and(|share| share > SEAMS) {
                    for (&triangle, corners) in part.iter().zip(globe(mesh, &part)) {
                        laid[triangle as usize] = Some(corners);
                    }
                }
            }
        }
    }
    let corners = |laid: Option<[DVec2; 3]>| laid.unwrap_or_default().map(|uv| uv.as_vec2());
    laid.into_iter().map(corners).collect()
}

/// Lays what hangs together with a triangle, the nearest first.
fn spread(mesh: &Mesh, beside: &[[Option<u32>; 3]], laid: &mut [Option<[DVec2; 3]>], first: u32) {
    let mut open = VecDeque::from([first]);
    while let Some(here) = open.pop_front() {
        let Some(uvs) = laid[here as usize] else { continue };
        let corners = mesh.triangles[here as usize];
        for (side, next) in beside[here as usize].iter().enumerate() {
            let Some(next) = *next else { continue };
            if laid[next as usize].is_some() {
                continue;
            }
            let ends = [side, (side + 1) % 3];
            let known = ends.map(|end| (corners[end], uvs[end]));
            laid[next as usize] = Some(beyond(mesh, next, known));
            open.push_back(next);
        }
    }
}

/// Share of sides at which triangles of a closed part do not agree where they lie.
fn seams(mesh: &Mesh, beside: &[[Option<u32>; 3]], laid: &[Option<[DVec2; 3]>], part: &[u32]) -> Option<f64> {
    let mut seams = 0;
    for &here in part {
        let (corners, uvs) = (mesh.triangles[here as usize], laid[here as usize]?);
        for side in 0..3 {
            let there = beside[here as usize][side]?;
            let (others, known) = (mesh.triangles[there as usize], laid[there as usize]?);
            let apart = [side, (side + 1) % 3].map(|end| {
                let same = others.iter().position(|&corner| corner == corners[end]);
                same.map_or(0.0, |same| known[same].distance(uvs[end]))
            });
            let length = uvs[side].distance(uvs[(side + 1) % 3]);
            seams += usize::from(apart[0].max(apart[1]) > 1e-3 * length);
        }
    }
    Some(f64::from(seams as u32) / (3 * part.len()) as f64)
}

/// Corners of a triangle of which two, the ends of an edge with the triangle to its right, lie already.
fn beyond(mesh: &Mesh, triangle: u32, [(a, from), (b, to)]: [(u32, DVec2); 2]) -> [DVec2; 3] {
    let at = |corner: u32| mesh.positions[corner as usize].as_dvec3();
    let along = (at(b) - at(a)).normalize_or_zero();
    let flat = (to - from).normalize_or_zero();
    mesh.triangles[triangle as usize].map(|corner| match corner {
        _ if corner == a => from,
        _ if corner == b => to,
        _ => {
            let away = at(corner) - at(a);
            let x = away.dot(along);
            from + x * flat - (away - x * along).length() * flat.perp()
        }
    })
}

/// The triangle across each side of each triangle.
fn neighbors(mesh: &Mesh, edges: &[SheetEdge]) -> Vec<[Option<u32>; 3]> {
    let mut beside = vec![[None; 3]; mesh.triangles.len()];
    for edge in edges {
        if let Some(right) = edge.right {
            for ((here, opposite), (there, _)) in [(edge.left, right), (right, edge.left)] {
                let corners = mesh.triangles[here as usize];
                let corner = corners.iter().position(|&corner| corner == opposite).unwrap_or(0);
                beside[here as usize][(corner + 1) % 3] = Some(there);
            }
        }
    }
    beside
}

/// Directions of u and v in the plane of a part, if it has one.
fn axes_of(mesh: &Mesh, part: &[u32]) -> Option<[DVec3; 2]> {
    let normals = part
        .iter()
        .map(|&triangle| surface::doubled_normal(&mesh.positions, &mesh.triangles[triangle as usize]));
    let sum: DVec3 = normals.clone().sum();
    let normal = sum.try_normalize()?;
    let corners = part.iter().flat_map(|&triangle| mesh.triangles[triangle as usize]);
    let places = corners.map(|corner| mesh.positions[corner as usize].as_dvec3());
    let heights = places.clone().map(|place| place.dot(normal));
    let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), height| {
        (low.min(height), high.max(height))
    });
    let (least, most) = places.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(least, most), place| {
        (least.min(place), most.max(place))
    });
    let faces_alike = normals.clone().all(|doubled| doubled.dot(normal) >= 0.0);
    (high - low <= FLAT * (most - least).length() && faces_alike).then(|| axes_for(normal))
}

fn axes_for(normal: DVec3) -> [DVec3; 2] {
    let up = DVec3::Y - normal * normal.y;
    if up.length() > 0.1 {
        let up = up.normalize();
        return [up.cross(normal), up];
    }
    let along = (DVec3::X - normal * normal.x).normalize();
    [along, normal.cross(along)]
}
