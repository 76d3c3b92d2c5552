//! Whether sheets go through each other or themselves: edges of their triangles that pass through other triangles.

use std::collections::HashMap;

use glam::{IVec3, Vec3};

/// A sheet: where its particles are, and its triangles.
pub(super) struct Sheet<'a> {
    pub(super) places: Vec<Vec3>,
    pub(super) triangles: &'a [[u32; 3]],
}

/// How many pairs of an edge and a triangle cross, of all sheets together. Those with a corner in common do not count.
pub(super) fn crossings(sheets: &[Sheet<'_>]) -> usize {
    let mut places: Vec<Vec3> = Vec::new();
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for sheet in sheets {
        let first = places.len() as u32;
        places.extend(&sheet.places);
        triangles.extend(
            sheet
                .triangles
                .iter()
                .map(|corners| corners.map(|corner| first + corner)),
        );
    }
    let mut edges: Vec<[u32; 2]> = triangles
        .iter()
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)]))
        .collect();
    edges.sort_unstable();
    edges.dedup();
    let longest = { edges.iter() }
        .map(|&[a, b]| places[a as usize].distance(places[b as usize]))
        .fold(1e-6, f32::max);
    let cell = |place: Vec3| (place / longest).floor().as_ivec3();
    let mut cells: HashMap<IVec3, Vec<usize>> = HashMap::new();
    for (number, corners) in triangles.iter().enumerate() {
        let corners = corners.map(|corner| places[corner as usize]);
        let low = cell(corners[0].min(corners[1]).min(corners[2]));
        let high = cell(corners[0].max(corners[1]).max(corners[2]));
        each_cell(low, high, |place| cells.entry(place).or_default().push(number));
    }
    let mut count = 0;
    let mut near: Vec<usize> = Vec::new();
    for &[a, b] in &edges {
        let [from, to] = [a, b].map(|end| places[end as usize]);
        near.clear();
        each_cell(cell(from.min(to)), cell(from.max(to)), |place| {
            near.extend(cells.get(&place).into_iter().flatten());
        });
        near.sort_unstable();
        near.dedup();
        let passed = near.iter().filter(|&&number| {
            let corners = triangles[number];
            !corners.contains(&a)
                && !corners.contains(&b)
                && passes(from, to, corners.map(|corner| places[corner as usize]))
        });
        count += passed.count();
    }
    count
}

fn each_cell(low: IVec3, high: IVec3, mut visit: impl FnMut(IVec3)) {
    for x in low.x..=high.x {
        for y in low.y..=high.y {
            for z in low.z..=high.z {
                visit(IVec3::new(x, y, z));
            }
        }
    }
}

/// Whether a segment passes through a triangle (Möller and Trumbore 1997).
fn passes(from: Vec3, to: Vec3, [a, b, c]: [Vec3; 3]) -> bool {
    let (way, ab, ac) = (to - from, b - a, c - a);
    let across = way.cross(ac);
    let scale = ab.dot(across);
    if scale.abs() < 1e-12 {
        return false;
    }
    let off = from - a;
    let u = off.dot(across) / scale;
    let over = off.cross(ab);
    let v = way.dot(over) / scale;
    let t = ac.dot(over) / scale;
    u > 0.0 && v > 0.0 && u + v < 1.0 && t > 0.0 && t < 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_triangle_through_another_crosses_it_and_one_beside_it_does_not() {
        let triangles = [[0, 1, 2]];
        let flat = [Vec3::ZERO, Vec3::X, Vec3::Z];
        let upright = |x: f32| [[x, -0.3, 0.2], [x, 0.5, 0.2], [x, 0.5, 0.3]].map(Vec3::from);
        let count = |x: f32| {
            let sheets = [flat, upright(x)].map(|places| Sheet {
                places: places.to_vec(),
                triangles: &triangles,
            });
            crossings(&sheets)
        };
        assert_eq!(count(0.3), 2);
        assert_eq!(count(0.9), 0);
    }

    #[test]
    fn neighbours_in_a_sheet_do_not_cross() {
        let places = vec![Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::new(1.0, 0.1, 1.0)];
        let triangles = [[0, 1, 2], [1, 3, 2]];
        let sheet = Sheet {
            places,
            triangles: &triangles,
        };
        assert_eq!(crossings(&[sheet]), 0);
    }
}
