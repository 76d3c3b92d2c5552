//! Many contacts side by side, one array per quantity, so that the compiler turns the scalar formulas of
//! [`contact`](crate::constraints::contact) into vector code: eight lanes where the processor has AVX2, else four. Both
//! give the same bits.

use glam::{Mat4, Vec3, Vec4};

use super::pairs::Owned;
use super::vector::{self, Kernel};
use crate::constraints::contact::{Pair, Terms};
use crate::constraints::relaxation::accelerate;
use crate::material::{MaterialId, MaterialTable, PairCoefficients};
use crate::random::Random;

/// Contacts in a batch.
const LANES: usize = 64;

type Lanes = [f32; LANES];

/// What the contacts of a batch are filled from.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    /// Positions to look at, and inverse masses (w).
    pub(super) positions: &'a [Vec4],
    /// Positions at the start of the sub-step, and what corrections are divided by (w).
    pub(super) anchors: &'a [Vec4],
    pub(super) materials: &'a [MaterialId],
    pub(super) table: &'a MaterialTable,
    /// Impulse of a tensile strength of one pascal, kg·m.
    pub(super) grip: f32,
}

/// A number of contacts, and the impulses on their first particles.
#[derive(Clone)]
#[repr(align(32))]
pub(super) struct Batch {
    offset: [Lanes; 3],
    moved: [Lanes; 3],
    mobility: Lanes,
    divisor: Lanes,
    static_friction: Lanes,
    kinetic_friction: Lanes,
    grip: Lanes,
    /// Impulse (xyz), and how much of it along the normal comes from the last sub-step (w).
    impulse: [Lanes; 4],
    /// Impulses after the last iteration, before they were carried on.
    previous: [Lanes; 4],
}

/// What is worked out for each contact of a batch.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    Recall,
    PushApart,
    /// One iteration, after which the impulses are carried on by this fraction of their change.
    Solve {
        momentum: f32,
    },
}

impl Batch {
    pub(super) fn new(source: &Source) -> Self {
        let mut batch = Self {
            offset: [[0.0; LANES]; 3],
            moved: [[0.0; LANES]; 3],
            mobility: [0.0; LANES],
            divisor: [0.0; LANES],
            static_friction: [0.0; LANES],
            kinetic_friction: [0.0; LANES],
            grip: [0.0; LANES],
            impulse: [[0.0; LANES]; 4],
            previous: [[0.0; LANES]; 4],
        };
        if source.table.as_slice().len() == 1 {
            let pair = source.table.pair(MaterialId(0), MaterialId(0));
            for lane in 0..LANES {
                batch.set_coefficients(lane, pair, source.grip);
            }
        }
        batch
    }

    /// Applies a rule to all pairs of a chunk and brings their impulses up to date; `previous` is for [`Rule::Solve`].
    pub(super) fn run(
        &mut self,
        owned: &Owned,
        source: &Source,
        impulses: &mut [Vec4],
        previous: &mut [Vec4],
        rule: Rule,
        terms: &Terms,
    ) {
        vector::run(RunChunk {
            batch: self,
            owned,
            source,
            impulses,
            previous,
            rule,
            terms,
        });
    }

    #[inline(always)]
    fn step(
        &mut self,
        slots: Slots,
        source: &Source,
        impulses: &mut [Vec4; LANES],
        previous: Option<&mut [Vec4; LANES]>,
        rule: Rule,
        terms: &Terms,
    ) {
        self.fill(slots, source);
        load(&mut self.impulse, impulses);
        if let Some(previous) = &previous {
            load(&mut self.previous, previous);
        }
        self.apply(rule, terms);
        store(&self.impulse, impulses);
        if let Some(previous) = previous {
            store(&self.previous, previous);
        }
    }

    /// Fetches what is known of the particles, four pairs at a time.
    #[inline(always)]
    fn fill(&mut self, (firsts, seconds): Slots, source: &Source) {
        for lane in (0..LANES).step_by(4) {
            let mut offsets = [Vec4::ZERO; 4];
            let mut moves = [Vec4::ZERO; 4];
            for k in 0..4 {
                let (i, j) = (firsts[lane + k] as usize, seconds[lane + k] as usize);
                let (a, b) = (source.positions[i], source.positions[j]);
                let (start_a, start_b) = (source.anchors[i], source.anchors[j]);
                offsets[k] = a - b;
                moves[k] = offsets[k] - (start_a - start_b);
                self.mobility[lane + k] = a.w + b.w;
                self.divisor[lane + k] = if start_a.w > start_b.w { start_a.w } else { start_b.w };
            }
            put(&mut self.offset, lane, offsets);
            put(&mut self.moved, lane, moves);
        }
        if (0..LANES).fold(false, |any, lane| any | self.coincides(lane)) {
            self.separate(firsts, seconds);
        }
        if source.table.as_slice().len() != 1 {
            for lane in 0..LANES {
                let [a, b] = [firsts[lane], seconds[lane]].map(|slot| source.materials[slot as usize]);
                self.set_coefficients(lane, source.table.pair(a, b), source.grip);
            }
        }
    }

    #[inline(always)]
    fn coincides(&self, lane: usize) -> bool {
        let [x, y, z] = [0, 1, 2].map(|axis| self.offset[axis][lane]);
        x * x + y * y + z * z < f32::MIN_POSITIVE
    }

    /// Gives particles in the very same place a minute distance, each pair in a direction of its own.
    #[cold]
    fn separate(&mut self, firsts: &[u32; LANES], seconds: &[u32; LANES]) {
        for lane in 0..LANES {
            if self.coincides(lane) {
                let mut random = Random::new(u64::from(firsts[lane]), u64::from(seconds[lane]));
                let direction = Vec3::new(random.signed(), random.signed(), random.signed());
                let apart = 1e-15 * direction.normalize_or(Vec3::Y);
                for (lanes, value) in self.offset.iter_mut().zip(apart.to_array()) {
                    lanes[lane] = value;
                }
            }
        }
    }

    fn set_coefficients(&mut self, lane: usize, pair: &PairCoefficients, grip: f32) {
        self.static_friction[lane] = pair.static_friction;
        self.kinetic_friction[lane] = pair.kinetic_friction;
        self.grip[lane] = grip * pair.cohesion;
    }

    #[inline(always)]
    fn pair(&self, lane: usize) -> Pair {
        let vector = |lanes: &[Lanes; 3]| Vec3::new(lanes[0][lane], lanes[1][lane], lanes[2][lane]);
        Pair {
            offset: vector(&self.offset),
            moved: vector(&self.moved),
            mobility: self.mobility[lane],
            divisor: self.divisor[lane],
            static_friction: self.static_friction[lane],
            kinetic_friction: self.kinetic_friction[lane],
            grip: self.grip[lane],
        }
    }

    #[inline(always)]
    fn apply(&mut self, rule: Rule, terms: &Terms) {
        match rule {
            Rule::Solve { momentum } => {
                for lane in 0..LANES {
                    let before = get(&self.impulse, lane);
                    let solved = self.pair(lane).solve(before, terms);
                    let onward = accelerate(before, get(&self.previous, lane), solved, momentum);
                    set(&mut self.previous, lane, solved);
                    set(&mut self.impulse, lane, onward);
                }
            }
            Rule::PushApart => {
                for lane in 0..LANES {
                    let pushed = self.pair(lane).push_apart(terms);
                    set(&mut self.impulse, lane, pushed);
                }
            }
            Rule::Recall => {
                for lane in 0..LANES {
                    let carried = self.impulse[3][lane];
                    let (kept, carried) = self.pair(lane).recall(get(&self.impulse, lane), carried, terms);
                    set(&mut self.impulse, lane, kept);
                    self.impulse[3][lane] = carried;
                }
            }
        }
    }
}

/// Slots of the first and the second particles of a batch.
type Slots<'a> = (&'a [u32; LANES], &'a [u32; LANES]);

/// One rule for all pairs of a chunk.
struct RunChunk<'a> {
    batch: &'a mut Batch,
    owned: &'a Owned,
    source: &'a Source<'a>,
    impulses: &'a mut [Vec4],
    previous: &'a mut [Vec4],
    rule: Rule,
    terms: &'a Terms,
}

impl Kernel for RunChunk<'_> {
    #[inline(always)]
    fn run(self) {
        let Self {
            batch,
            owned,
            source,
            impulses,
            previous,
            rule,
            terms,
        } = self;
        let (firsts, last_firsts) = owned.firsts().as_chunks::<LANES>();
        let (seconds, last_seconds) = owned.seconds().as_chunks::<LANES>();
        let (impulses, last_impulses) = impulses.as_chunks_mut::<LANES>();
        let (previous, last_previous) = previous.as_chunks_mut::<LANES>();
        let mut previous = previous.iter_mut();
        for (slots, impulses) in firsts.iter().zip(seconds).zip(impulses) {
            batch.step(slots, source, impulses, previous.next(), rule, terms);
        }
        let count = last_firsts.len();
        if count > 0 {
            // The lanes without a pair repeat the first one; nothing comes of them.
            let mut slots = ([last_firsts[0]; LANES], [last_seconds[0]; LANES]);
            slots.0[..count].copy_from_slice(last_firsts);
            slots.1[..count].copy_from_slice(last_seconds);
            let mut padded = [Vec4::ZERO; LANES];
            padded[..count].copy_from_slice(last_impulses);
            let mut padded_previous = [Vec4::ZERO; LANES];
            padded_previous[..last_previous.len()].copy_from_slice(last_previous);
            let slots = (&slots.0, &slots.1);
            batch.step(slots, source, &mut padded, Some(&mut padded_previous), rule, terms);
            last_impulses.copy_from_slice(&padded[..count]);
            last_previous.copy_from_slice(&padded_previous[..last_previous.len()]);
        }
    }
}

#[inline(always)]
fn get(lanes: &[Lanes; 4], lane: usize) -> Vec3 {
    Vec3::new(lanes[0][lane], lanes[1][lane], lanes[2][lane])
}

#[inline(always)]
fn set(lanes: &mut [Lanes; 4], lane: usize, value: Vec3) {
    lanes[0][lane] = value.x;
    lanes[1][lane] = value.y;
    lanes[2][lane] = value.z;
}

#[inline(always)]
fn load(lanes: &mut [Lanes; 4], values: &[Vec4; LANES]) {
    for (four, rows) in values.as_chunks::<4>().0.iter().enumerate() {
        put(lanes, 4 * four, *rows);
    }
}

#[inline(always)]
fn store(lanes: &[Lanes; 4], values: &mut [Vec4; LANES]) {
    for (four, rows) in values.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let lanes = |axis: usize| Vec4::from_slice(&lanes[axis][4 * four..]);
        let columns = Mat4::from_cols(lanes(0), lanes(1), lanes(2), lanes(3)).transpose();
        *rows = [columns.x_axis, columns.y_axis, columns.z_axis, columns.w_axis];
    }
}

/// Writes four rows into the columns of four neighbouring lanes.
#[inline(always)]
fn put<const AXES: usize>(lanes: &mut [Lanes; AXES], lane: usize, rows: [Vec4; 4]) {
    let columns = Mat4::from_cols(rows[0], rows[1], rows[2], rows[3]).transpose();
    let columns = [columns.x_axis, columns.y_axis, columns.z_axis, columns.w_axis];
    for (lanes, column) in lanes.iter_mut().zip(columns) {
        column.write_to_slice(&mut lanes[lane..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::Material;
    use crate::settings::Settings;

    #[test]
    fn wide_and_plain_registers_give_the_same_bits() {
        let mut random = Random::new(5, 0);
        let mut vectors = |scale: f32, w: f32| -> Vec<Vec4> {
            let coordinate = |random: &mut Random| scale * random.signed();
            (0..200)
                .map(|_| Vec3::from_array([(); 3].map(|()| coordinate(&mut random))).extend(w))
                .collect()
        };
        let (positions, anchors) = (vectors(0.1, 2.0), vectors(0.1, 1.5));
        let mut table = MaterialTable::default();
        table.add(Material::WET_SAND);
        let source = Source {
            positions: &positions,
            anchors: &anchors,
            materials: &[MaterialId(0); 200],
            table: &table,
            grip: 1e-4,
        };
        let mut owned = Owned::default();
        for slot in 0..199 {
            owned.push(slot, &[slot + 1]);
        }
        let terms = Terms::new(&Settings::default(), 0.01);
        for rule in [Rule::Recall, Rule::PushApart, Rule::Solve { momentum: 0.5 }] {
            let mut plain = vectors(0.01, 0.001)[..199].to_vec();
            let mut wide = plain.clone();
            let mut batch = Batch::new(&source);
            let mut previous = [vectors(0.01, 0.0)[..199].to_vec(), Vec::new()];
            previous[1] = previous[0].clone();
            batch.run(&owned, &source, &mut wide, &mut previous[0], rule, &terms);
            RunChunk {
                batch: &mut batch,
                owned: &owned,
                source: &source,
                impulses: &mut plain,
                previous: &mut previous[1],
                rule,
                terms: &terms,
            }
            .run();
            assert_eq!(
                bytemuck::cast_slice::<_, u8>(&plain),
                bytemuck::cast_slice::<_, u8>(&wide)
            );
            assert!(plain.iter().any(|impulse| *impulse != Vec4::ZERO));
        }
    }
}
