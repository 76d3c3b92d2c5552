//! Corners with the same coordinates become one vertex, numbered in the order in which they first come.
//!
//! Corners are dealt out by a hash of their coordinates, so that each share of them fits into a cache, and can be looked through
//! beside the others.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::atomic::{AtomicU32, Ordering};

use glam::Vec3;
use rayon::prelude::*;

use crate::mesh::Mesh;

const SHARES: usize = 128;

/// Corners that are dealt out at a time.
const CHUNK: usize = 1 << 16;

/// The mesh of triangles given by the places of their corners, three each.
pub(super) fn join(corners: &[Vec3]) -> Mesh {
    let firsts = firsts(corners);
    let mut positions = Vec::new();
    let mut names: Vec<u32> = Vec::with_capacity(corners.len());
    for (index, (first, &corner)) in firsts.into_iter().zip(corners).enumerate() {
        let first = first.into_inner() as usize;
        names.push(if first == index {
            positions.push(corner);
            positions.len() as u32 - 1
        } else {
            names[first]
        });
    }
    let (triangles, _) = names.as_chunks::<3>();
    Mesh::new(positions, triangles.to_vec())
}

/// Of each corner the first one at its place.
fn firsts(corners: &[Vec3]) -> Vec<AtomicU32> {
    let seed = Seeded::default();
    let chunks = corners.par_chunks(CHUNK).enumerate();
    let dealt: Vec<Dealt> = chunks
        .map(|(number, chunk)| Dealt::new(chunk, number * CHUNK, &seed))
        .collect();
    let mut firsts = Vec::new();
    firsts.resize_with(corners.len(), AtomicU32::default);
    (0..SHARES).into_par_iter().for_each(|share| {
        let mut known: HashMap<u128, u32, Seeded> = HashMap::with_hasher(seed);
        for &(key, corner) in dealt.iter().flat_map(|chunk| chunk.share(share)) {
            let first = *known.entry(key).or_insert(corner);
            firsts[corner as usize].store(first, Ordering::Relaxed);
        }
    });
    firsts
}

/// Corners of a chunk with their numbers, share after share.
struct Dealt {
    corners: Vec<(u128, u32)>,
    ends: [u32; SHARES],
}

impl Dealt {
    fn new(chunk: &[Vec3], first: usize, seed: &Seeded) -> Self {
        let share = |key: u128| (seed.hash_one(key) >> 32) as usize % SHARES;
        let keys: Vec<u128> = chunk.iter().map(|&corner| key(corner)).collect();
        let mut ends = [0; SHARES];
        keys.iter().for_each(|&key| ends[share(key)] += 1);
        let mut sum = 0;
        for end in &mut ends {
            sum += std::mem::replace(end, sum);
        }
        let mut corners = vec![(0, 0); chunk.len()];
        for (key, number) in keys.into_iter().zip(first as u32..) {
            let end = &mut ends[share(key)];
            corners[*end as usize] = (key, number);
            *end += 1;
        }
        Self { corners, ends }
    }

    fn share(&self, share: usize) -> &[(u128, u32)] {
        let start = share.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.corners[start as usize..self.ends[share] as usize]
    }
}

/// What corners at one place have in common: both zeros are one.
fn key(corner: Vec3) -> u128 {
    let [x, y, z] = (corner + 0.0).to_array().map(|value| u128::from(value.to_bits()));
    x << 64 | y << 32 | z
}

/// Begins hashes with a number that no file can foresee. The usual ones take longer than all the rest of a large file.
#[derive(Clone, Copy)]
struct Seeded(u64);

impl Default for Seeded {
    fn default() -> Self {
        Self(RandomState::new().hash_one(0))
    }
}

impl BuildHasher for Seeded {
    type Hasher = Folded;

    fn build_hasher(&self) -> Folded {
        Folded(self.0)
    }
}

/// A hash of products whose halves are folded together.
struct Folded(u64);

impl Hasher for Folded {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, value: u64) {
        let product = u128::from(self.0 ^ value) * 0x9e37_79b9_7f4a_7c15;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    fn write_u128(&mut self, value: u128) {
        self.write_u64(value as u64);
        self.write_u64((value >> 64) as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_are_in_the_order_of_their_first_corners_however_many_chunks_there_are() {
        let place = |index: usize| Vec3::new((index * 7919 % 50_021) as f32, 0.0, 1.0);
        let corners: Vec<Vec3> = (0..3 * CHUNK).map(place).collect();
        let mesh = join(&corners);
        let mut known = HashMap::new();
        for (corner, &name) in corners.iter().zip(mesh.triangles.as_flattened()) {
            let next = known.len() as u32;
            assert_eq!(*known.entry(key(*corner)).or_insert(next), name);
            assert_eq!(mesh.positions[name as usize], *corner);
        }
        assert_eq!((mesh.positions.len(), mesh.triangles.len()), (50_021, CHUNK));
    }

    #[test]
    fn both_zeros_are_one_place() {
        let mesh = join(&[Vec3::ZERO, Vec3::X, -Vec3::ZERO]);
        assert_eq!(mesh.triangles, [[0, 1, 0]]);
    }
}
