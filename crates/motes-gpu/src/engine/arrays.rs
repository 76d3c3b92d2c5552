//! Everything the GPU engine keeps on the device for its particles.

use bytemuck::Pod;
use motes_core::glam::{Vec2, Vec4};

use crate::buffers::Buffer;
use crate::device::Gpu;
use crate::engine::features::Features;
use crate::error::GpuError;
use crate::sections::{SECTION_ALIGN, Sections, sections};

/// A particle that was in no slot in the last sub-step.
pub(crate) const NEW: u32 = u32::MAX;

/// Phase, material, index of the id, slot in the last sub-step.
pub(crate) type Kind = [u32; 4];

/// Numbers of a census: `count`, `cell_bits`, `entries` and `origin` of `Params`.
pub(crate) const CENSUS: usize = 8;

/// Words behind the table of cells: the sum of all, then how many particles blew up in the frame and the lowest index
/// among their ids.
pub(crate) const BEHIND_CELLS: usize = 4;

/// Counters that reports tell of, at the beginning of `Arrays::owners`.
pub(crate) const REPORTED_COUNTERS: usize = 4;

/// Bounds of how far particles move in a sub-step, behind these: of all, then of those of sheets, nets and ropes, along each axis and against it.
pub(crate) const WAY_BOUNDS: usize = 12;

/// Words before the first particle of each pair in `Arrays::owners`.
pub(crate) const PAIR_COUNTERS: usize = REPORTED_COUNTERS + WAY_BOUNDS;

/// Room for a table of cells.
fn cell_words(entries: usize, particles: usize) -> usize {
    entries + BEHIND_CELLS + particles
}

/// Where the two numbers about blow-ups are in a table of cells with that many entries.
pub(crate) fn blowup_words(entries: usize) -> std::ops::Range<usize> {
    entries + 1..entries + 3
}

sections! {
    /// Sections of `Arrays::vectors`, each with a vector per particle, and what kernels call it in the course of a sub-step:
    /// some change their meaning when what they held has had its use. `liveness.rs` says when that is.
    VECTORS {
        /// Between sub-steps, and for renderers.
        POSITIONS {
            position_at: "Between sub-steps: its position and inverse mass (w).",
            busy_at: "Before the solve, where there are bodies: the diagonal of `Σ n nᵀ` over its contacts and how many there are (w).",
            pushed_at: "In the solve: what contacts have done to it so far, and whether anything touches it (w).",
            blown_at: "After the solve, where there are faces: what the air gives it, m/s, and still whether anything touches it (w).",
        }
        /// Between sub-steps.
        VELOCITIES {
            velocity_at: "Between sub-steps: its velocity and the fraction of the next kick (w).",
            busy_mixed_at: "With `busy_at`: the elements xy, yz, zx.",
            start_at: "In the solve: where it starts, out of the overlaps there were, and its effective inverse mass (w).",
        }
        /// From one sub-step to the next.
        SUPPORTS {
            start_twist_at: "While overlaps are undone, of particles with an inscribed ball: what colliders do to their bodies at the start besides pushing them, kg·m².",
            carrier_at: "After the solve, where there are passive particles: the velocity with which it carries those around it; the fraction of the next kick (w) and, where MIXED, twice what it is: 0 if solid, 1 if liquid, 2 if gas.",
            support_at: "From the end of a sub-step to the next: what colliders did to the particle that was in this slot, kg·m.",
        }
        /// Positions at the start of the sub-step.
        SORTED {
            sorted_at: "Once sorted: where it starts, and its effective inverse mass (w).",
            settled_at: "While sheets are solved in patches: where the iteration before has left it, and its inverse mass (w).",
            rebound_at: "After the solve, where particles rebound from each other: its velocity and the fraction of the next kick (w).",
        }
        /// Candidate positions.
        PREDICTED {
            predicted_at: "Once sorted: where it is to go, and its inverse mass (w).",
        }
        /// Velocities before the solve.
        BEFORE {
            before_at: "Once sorted: its velocity before the solve, and its inverse mass (w). Where there are bodies, in the solve: how far a correction by a collider goes, whole for a particle on its own (w).",
        }
        /// Where there are bodies.
        FIELDS {
            field_at: "Where there are bodies, once sorted: what it knows of the surface of its own, turned as the body is.",
        }
        /// Where bodies have inscribed balls.
        INSCRIBED {
            inscribed_at: "Once sorted: the ball with which it touches colliders, turned as its body is.",
        }
        TWISTS {
            twist_at: "Of particles with an inscribed ball: how far friction with colliders goes (w), 0 for the others. Once sorted, how its body is about to turn; then where its contacts act on average, from the particle; in the solve, what colliders just did to its body besides pushing it there, kg·m², and when the body has moved, how much further it turns than it was about to; in rebounds that per second.",
        }
        FEET {
            axis_at: "Once sorted, until contacts are counted: the axis of its body, if that is one of revolution; else zero.",
            foot_at: "Where bodies have inscribed balls, once contacts are counted: the way from it to where its contacts with other bodies act; and, of a body of revolution, the sine of the angle by which its ball was taken along its circle (w).",
        }
        SLIPS {
            axis_arm_at: "With `axis_at`: the way to it from a point of the axis.",
            slip_at: "With `foot_at`: how much further that point goes in the sub-step than the particle was about to.",
        }
    }
}

/// Where particles are of several sizes, the section with the radius of each.
pub(crate) fn radius_section(features: Features) -> usize {
    if features.has(Features::INSCRIBED) {
        SLIPS + 1
    } else if features.has(Features::BODIES) {
        FIELDS + 1
    } else {
        FIELDS
    }
}

/// Where grains turn, the first of the sections about that.
pub(crate) fn turned_section(features: Features) -> usize {
    radius_section(features) + usize::from(features.has(Features::SIZES))
}

/// Sections about turning: see `lib/turning.wgsl`.
const TURNING_SECTIONS: usize = 3;

/// Where there is gas, the section about its warmth: see `lib/warmth.wgsl`.
pub(crate) fn warmth_section(features: Features) -> usize {
    let turning = if features.has(Features::TURNS) {
        TURNING_SECTIONS
    } else {
        0
    };
    turned_section(features) + turning
}

/// Where there are creatures, the first of the sections about the shapes of particles.
pub(crate) fn outline_section(features: Features) -> usize {
    warmth_section(features) + usize::from(features.has(Features::GAS))
}

/// Sections about shapes: see `lib/outlines.wgsl`.
const OUTLINE_SECTIONS: usize = 7;

/// Sections of `Arrays::vectors` that a world needs.
fn vector_sections(features: Features) -> usize {
    let outlines = if features.has(Features::ORIENTED) {
        OUTLINE_SECTIONS
    } else {
        0
    };
    outline_section(features) + outlines
}

/// Vectors in `PairArrays::impulses` for each pair: the same as `PAIR` in `lib/turning.wgsl`.
pub(crate) fn vectors_of_pair([turns, oriented]: [bool; 2]) -> usize {
    match (turns, oriented) {
        (false, _) => 1,
        (true, false) => 3,
        (true, true) => 4,
    }
}

/// Which of them is what it has turned its owner by, which its couple and, where there are creatures, which is what it has turned the other by.
pub(crate) const TWIST: usize = 1;
pub(crate) const COUPLE: usize = 2;
pub(crate) const OTHER_TWIST: usize = 3;

/// Most particles whose vectors fit in one buffer of a device; everything else that is kept of them is smaller.
pub(crate) fn most_particles(gpu: &Gpu, features: Features) -> usize {
    let bytes = size_of::<Vec4>() * vector_sections(features);
    let fit = (gpu.capabilities().max_buffer_bytes / bytes as u64) as usize;
    fit - fit % SECTION_ALIGN
}

sections! {
    /// Sections of `Arrays::kinds`.
    KIND_SECTIONS {
        /// Between sub-steps: at `i` itself.
        KINDS {}
        /// In the order of the present sub-step.
        SORTED_KINDS {
            sorted_kind_at: "Its kind once sorted; between sub-steps it is at `i`.",
        }
    }
}

/// Buffers with one element per particle, per cell and per pair.
pub(crate) struct Arrays {
    pub(crate) vectors: Sections<Vec4>,
    pub(crate) kinds: Sections<Kind>,
    /// How many particles there are; the sides of the table of cells as powers of two, its entries, its first cell.
    pub(crate) census: Buffer<u32>,
    /// Where each cell ends, blow-ups, the cell of each particle: see `lib/cells.wgsl`.
    pub(crate) cells: Buffer<u32>,
    /// Numbers of the pairs that other particles own; before they are found, the particles cell by cell.
    pub(crate) foreign: Buffer<u32>,
    /// With mass scaling (eq. 21), factors on the inverse masses of both particles of a pair.
    pub(crate) shares: Buffer<Vec2>,
    /// Pairs owned and pairs foreign in a sub-step; pairs without room and the most of either in the frame so far; bounds of ways; then
    /// the first particle of each pair.
    pub(crate) owners: Buffer<u32>,
    /// Pairs of this sub-step and of the last, in turn.
    pub(crate) pairs: [PairArrays; 2],
}

/// How much there shall be room for.
pub(crate) struct Room {
    pub(crate) particles: usize,
    /// Entries of the table of cells.
    pub(crate) entries: usize,
    pub(crate) pairs: usize,
    /// What the world has.
    pub(crate) features: Features,
}

/// What outlives a replacement of memory.
pub(crate) struct Keep {
    pub(crate) particles: bool,
    /// The set of pairs of the last sub-step.
    pub(crate) pairs: Option<usize>,
}

/// The pairs of a sub-step.
pub(crate) struct PairArrays {
    /// First and number of the pairs that a particle owns, then of those that others own.
    pub(crate) ranges: Buffer<[u32; 4]>,
    /// The second particle of each pair.
    pub(crate) members: Buffer<u32>,
    /// Impulse on the first particle of each pair, and how fresh the contact is (w); one more, always zero, at the end. Where grains turn,
    /// followed by what else is known of the pair: see [`vectors_of_pair`].
    pub(crate) impulses: Buffer<Vec4>,
}

impl Arrays {
    pub(crate) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        let pairs = || -> Result<PairArrays, GpuError> {
            Ok(PairArrays {
                ranges: Buffer::new(gpu, "pair ranges", 1)?,
                members: Buffer::new(gpu, "pairs", 1)?,
                impulses: Buffer::new(gpu, "impulses", 1)?,
            })
        };
        Ok(Self {
            vectors: Sections::new(gpu, "vectors", BEFORE + 1)?,
            kinds: Sections::new(gpu, "kinds", SORTED_KINDS + 1)?,
            census: Buffer::new(gpu, "census", CENSUS)?,
            cells: Buffer::new(gpu, "cells", 1)?,
            foreign: Buffer::new(gpu, "foreign pairs", 1)?,
            shares: Buffer::new(gpu, "shares", 1)?,
            owners: Buffer::new(gpu, "owners of pairs", PAIR_COUNTERS)?,
            pairs: [pairs()?, pairs()?],
        })
    }

    /// Makes room; says whether any memory was replaced. What is to be kept is copied by `encoder`, the rest is lost.
    pub(crate) fn ensure(
        &mut self,
        room: &Room,
        keep: &Keep,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<bool, GpuError> {
        let &Room {
            particles,
            entries,
            pairs,
            features,
        } = room;
        let kept = if keep.particles {
            [SUPPORTS + 1, KINDS + 1]
        } else {
            [0; 2]
        };
        let sections = vector_sections(features);
        let mut replaced = self.vectors.ensure(particles, sections, kept[0], encoder)?;
        replaced |= self.kinds.ensure(particles, SORTED_KINDS + 1, kept[1], encoder)?;
        replaced |= self.cells.ensure_exactly(cell_words(entries, particles))?;
        replaced |= self.foreign.ensure_exactly(pairs)?;
        replaced |= self.owners.ensure_exactly(pairs + PAIR_COUNTERS)?;
        let shares = if features.has(Features::SCALED) { pairs + 1 } else { 1 };
        replaced |= self.shares.ensure_exactly(shares)?;
        let of_pair = vectors_of_pair([Features::TURNS, Features::ORIENTED].map(|feature| features.has(feature)));
        for (place, set) in self.pairs.iter_mut().enumerate() {
            let keep = keep.pairs == Some(place);
            replaced |= grow(&mut set.ranges, particles, keep, encoder)?;
            replaced |= grow(&mut set.members, pairs, keep, encoder)?;
            replaced |= grow(&mut set.impulses, of_pair * (pairs + 1), keep, encoder)?;
        }
        Ok(replaced)
    }

    /// Memory on the device, bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let pairs = self
            .pairs
            .iter()
            .map(|set| set.ranges.bytes() + set.members.bytes() + set.impulses.bytes());
        pairs.sum::<u64>()
            + self.vectors.bytes()
            + self.kinds.bytes()
            + self.cells.bytes()
            + self.foreign.bytes()
            + self.owners.bytes()
            + self.shares.bytes()
    }
}

fn grow<T: Pod>(
    buffer: &mut Buffer<T>,
    len: usize,
    keep: bool,
    encoder: &mut wgpu::CommandEncoder,
) -> Result<bool, GpuError> {
    if keep {
        buffer.ensure_keeping_exactly(len, encoder)
    } else {
        buffer.ensure_exactly(len)
    }
}
