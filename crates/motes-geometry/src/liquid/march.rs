//! From a field to a mesh: a vertex on every crossed edge, which its lower end owns, and the triangles of every cube.

use glam::{IVec3, Vec3};
use rayon::prelude::*;

use super::cubes::CASES;
use super::field::{Field, LEVEL, SIDE, Values};
use crate::isosurface::cell::corners;
use crate::shaded::ShadedMesh;

/// Samples along the edge of a block with one more before it and two behind.
const WIDE: usize = SIDE + 3;

/// An edge that is not crossed.
const NONE: u16 = u16::MAX;

/// The vertices of a block.
struct Vertices {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    /// By sample and axis of the edge.
    numbers: Vec<u16>,
}

/// The surface of a field.
pub(super) fn march(field: &Field) -> ShadedMesh {
    let blocks: Vec<Vertices> = (0..field.keys.len())
        .into_par_iter()
        .map(|block| vertices(field, block))
        .collect();
    let mut starts = Vec::with_capacity(blocks.len());
    let mut count = 0;
    for block in &blocks {
        starts.push(count);
        count += block.positions.len() as u32;
    }
    let triangles: Vec<Vec<[u32; 3]>> = (0..blocks.len())
        .into_par_iter()
        .map(|block| triangles(field, block, &blocks, &starts))
        .collect();
    ShadedMesh {
        positions: blocks.iter().flat_map(|block| &block.positions).copied().collect(),
        normals: blocks.iter().flat_map(|block| &block.normals).copied().collect(),
        uvs: Vec::new(),
        triangles: triangles.concat(),
    }
}

/// A block's samples and those around it; where there is no block, those next to it stand for them.
struct Padded(Vec<f32>);

impl Padded {
    fn new(field: &Field, block: usize) -> Self {
        let beside: Vec<Option<&Values>> = (0..27)
            .map(|number| {
                let offset = IVec3::new(number % 3, number / 3 % 3, number / 9) - 1;
                field.beside(block, offset).map(|block| &field.values[block])
            })
            .collect();
        let mut values = Vec::with_capacity(WIDE * WIDE * WIDE);
        // Of a padded coordinate the block it lies in, the coordinate there, and the nearest within the middle block.
        let split = |padded: usize| match padded {
            0 => (0, SIDE - 1, 0),
            padded if padded <= SIDE => (1, padded - 1, padded - 1),
            padded => (2, padded - 1 - SIDE, SIDE - 1),
        };
        for z in 0..WIDE {
            for y in 0..WIDE {
                for x in 0..WIDE {
                    let [x, y, z] = [x, y, z].map(split);
                    values.push(match beside[x.0 + 3 * (y.0 + 3 * z.0)] {
                        Some(there) => there[(z.1 * SIDE + y.1) * SIDE + x.1],
                        None => field.values[block][(z.2 * SIDE + y.2) * SIDE + x.2],
                    });
                }
            }
        }
        Self(values)
    }

    /// The place of a sample among the padded ones, from -1 on.
    fn index(place: [usize; 3]) -> usize {
        ((place[2] + 1) * WIDE + place[1] + 1) * WIDE + place[0] + 1
    }

    fn gradient(&self, index: usize) -> Vec3 {
        let along = |step: usize| self.0[index + step] - self.0[index - step];
        Vec3::new(along(1), along(WIDE), along(WIDE * WIDE))
    }
}

/// Whether all values are on one side of the surface.
fn is_uniform(values: &[f32]) -> bool {
    let inside = values.iter().filter(|value| **value > LEVEL).count();
    inside == 0 || inside == values.len()
}

fn vertices(field: &Field, block: usize) -> Vertices {
    let mut found = Vertices {
        positions: Vec::new(),
        normals: Vec::new(),
        numbers: Vec::new(),
    };
    let padded = Padded::new(field, block);
    if is_uniform(&padded.0) {
        return found;
    }
    found.numbers = vec![NONE; 3 * SIDE * SIDE * SIDE];
    let origin = field.origin(block);
    for z in 0..SIDE {
        for y in 0..SIDE {
            for x in 0..SIDE {
                let here = Padded::index([x, y, z]);
                let value = padded.0[here];
                for (axis, step) in [1, WIDE, WIDE * WIDE].into_iter().enumerate() {
                    let next = padded.0[here + step];
                    if (value > LEVEL) == (next > LEVEL) {
                        continue;
                    }
                    let share = (LEVEL - value) / (next - value);
                    let place = Vec3::new(x as f32, y as f32, z as f32) + share * Vec3::AXES[axis];
                    let gradient = padded.gradient(here).lerp(padded.gradient(here + step), share);
                    let along = Vec3::AXES[axis] * (value - next).signum();
                    let number = ((z * SIDE + y) * SIDE + x) * 3 + axis;
                    found.numbers[number] = found.positions.len() as u16;
                    found.positions.push(origin + field.cell * place);
                    found.normals.push((-gradient).try_normalize().unwrap_or(along));
                }
            }
        }
    }
    found
}

/// The triangles of the cubes whose lowest sample a block has.
fn triangles(field: &Field, block: usize, blocks: &[Vertices], starts: &[u32]) -> Vec<[u32; 3]> {
    let mut found = Vec::new();
    if blocks[block].numbers.is_empty() {
        return found;
    }
    let beside: [Option<usize>; 8] = std::array::from_fn(|corner| {
        let offset = IVec3::new((corner & 1) as i32, (corner >> 1 & 1) as i32, (corner >> 2) as i32);
        field.beside(block, offset)
    });
    // The block that has a sample, of those in it and past its ends, and the number of the sample there.
    let owner = |place: [usize; 3]| {
        let corner = place
            .iter()
            .enumerate()
            .fold(0, |corner, (axis, &at)| corner | (at / SIDE) << axis);
        let [x, y, z] = place.map(|at| at % SIDE);
        beside[corner].map(|block| (block, (z * SIDE + y) * SIDE + x))
    };
    let value = |place: [usize; 3]| owner(place).map(|(block, sample)| field.values[block][sample]);
    for z in 0..SIDE {
        for y in 0..SIDE {
            for x in 0..SIDE {
                let corner = |number: usize| [x + (number & 1), y + (number >> 1 & 1), z + (number >> 2)];
                let mut inside = 0;
                let mut is_whole = true;
                for number in 0..8 {
                    match value(corner(number)) {
                        Some(value) => inside |= usize::from(value > LEVEL) << number,
                        None => is_whole = false,
                    }
                }
                // Where a block is missing, all samples around it are on the same side.
                if !is_whole || inside == 0 || inside == 255 {
                    continue;
                }
                let vertex = |edge: u8| {
                    let (block, sample) = owner(corner(corners(edge as usize)[0]))?;
                    let number = *blocks[block].numbers.get(3 * sample + edge as usize / 4)?;
                    (number != NONE).then(|| starts[block] + u32::from(number))
                };
                for triangle in &CASES[inside] {
                    if let [Some(a), Some(b), Some(c)] = triangle.map(vertex) {
                        found.push([a, b, c]);
                    }
                }
            }
        }
    }
    found
}
