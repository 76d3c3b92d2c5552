//! Chunks of bodies: what one workgroup has of a large body in shape matching.

use bytemuck::{Pod, Zeroable};
use motes_core::Bodies;

use super::body_stages::SMALL_BODY;

/// Threads of a chunk that find out where its body is, a subgroup of most devices; the others have a member each meanwhile.
pub(crate) const LEADERS: u32 = 32;
/// Members of a chunk: a multiple of it where bodies would have more chunks than [`MOST`].
pub(super) const MEMBERS: usize = 64;
/// Most chunks of a body: every workgroup adds all of them up.
const MOST: usize = 256;

/// A chunk: `Chunk` in `lib/chunk.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Chunk {
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) body: u32,
    pub(crate) sibling: u32,
    pub(crate) near: [f32; 3],
    pub(crate) siblings: u32,
    pub(crate) guess: [f32; 4],
    pub(crate) moments: [[f32; 4]; 4],
    pub(crate) end_position: [f32; 3],
    pub(crate) unused: u32,
    pub(crate) end_rotation: [f32; 4],
}

impl Chunk {
    /// Without members, and nobody's sibling.
    pub(crate) const EMPTY: Self = Self {
        first: 0,
        count: 0,
        body: 0,
        sibling: u32::MAX,
        near: [0.0; 3],
        siblings: 0,
        guess: [0.0; 4],
        moments: [[0.0; 4]; 4],
        end_position: [0.0; 3],
        unused: 0,
        end_rotation: [0.0; 4],
    };
}

/// The chunks of all bodies in order, at least one each; none where all bodies are small.
pub(crate) fn of(bodies: &Bodies) -> Vec<Chunk> {
    let counts: Vec<u32> = bodies.list.iter().map(|body| body.count).collect();
    let largest = counts.iter().copied().max().unwrap_or(0) as usize;
    if largest <= SMALL_BODY {
        return Vec::new();
    }
    let size = (MEMBERS * largest.div_ceil(MEMBERS * MOST)) as u32;
    let mut chunks = Vec::new();
    for (place, body) in (0..).zip(&bodies.list) {
        let sibling = chunks.len() as u32;
        let siblings = body.count.div_ceil(size).max(1);
        chunks.extend((0..siblings).map(|number| Chunk {
            first: body.first + number * size,
            count: (body.count - number * size).min(size),
            body: place,
            sibling,
            siblings,
            ..Chunk::EMPTY
        }));
    }
    chunks
}
