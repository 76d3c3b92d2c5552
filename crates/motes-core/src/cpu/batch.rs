//! Many contacts side by side, one array per quantity, so that the compiler turns the scalar formulas of
//! [`contact`](crate::constraints::contact) into vector code: eight lanes where the processor has AVX2, else four. Both
//! give the same bits.

use glam::{Mat4, Vec3, Vec4};

use super::creatures::touching::Outlines;
use super::pairs::{Block, Slots};
use super::passing::{AtEnd, Ways, WhereMet};
use super::touching::{Balls, ManySizes, OneSize, Sizing, Solids, Surfaces, Touching};
use super::vector::Kernel;
use crate::constraints::contact::{Pair, Terms};
use crate::constraints::inscribed::InscribedBall;
use crate::constraints::relaxation::accelerate;
use crate::constraints::surface::SurfaceField;
use crate::material::{MaterialId, MaterialTable, PairCoefficients};
use crate::random::Random;

/// Contacts in a batch.
pub(super) const LANES: usize = 64;

/// A number for each contact of a batch.
pub(super) type Lanes = [f32; LANES];
/// A vector and one more number for each contact of a batch.
pub(super) type Quad = [Lanes; 4];

/// Nothing, for each contact of a batch.
pub(super) const EMPTY: Quad = [[0.0; LANES]; 4];

/// What the contacts of a batch are filled from.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    /// Positions to look at, and inverse masses (w).
    pub(super) positions: &'a [Vec4],
    /// Positions at the start of the sub-step, and effective inverse masses (w, 1/kg).
    pub(super) anchors: &'a [Vec4],
    /// What each particle knows of the surface of its body; empty without bodies.
    pub(super) fields: &'a [SurfaceField],
    /// With what each particle touches other bodies; empty where no body has inscribed balls.
    pub(super) balls: &'a [InscribedBall],
    pub(super) materials: &'a [MaterialId],
    pub(super) table: &'a MaterialTable,
    /// Impulse of a tensile strength of one pascal, kg·m; where particles are of several sizes, of those with a radius of
    /// one metre.
    pub(super) grip: f32,
    /// Radius of each particle, where they are of several sizes; else empty.
    pub(super) radii: &'a [f32],
    /// 1 for particles of sheets, nets and ropes; empty where there are none.
    pub(super) threaded: &'a [f32],
    /// Ways of the rims of those that turn, and their effective inverse masses (w); empty where nothing turns.
    pub(super) turned: &'a [Vec4],
    /// Their shapes where some are ellipsoids; else empty.
    pub(super) outlines: Outlines<'a>,
}

/// What is worked out for each contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rule {
    /// How many contacts act on a particle in which direction.
    Count,
    /// Warm starting: from the impulses of the sub-step before.
    Recall,
    /// Overlaps are undone, and nothing is remembered.
    PushApart,
    /// One iteration, after which the impulses are carried on by this fraction of their change.
    Solve {
        momentum: f32,
        /// Whether the iteration before carried them on.
        carried: bool,
    },
}

/// One rule for all pairs of a block.
pub(super) struct RunBlock<'a> {
    pub(super) block: &'a mut Block,
    pub(super) source: &'a Source<'a>,
    pub(super) rule: Rule,
    pub(super) terms: &'a Terms,
}

impl Kernel for RunBlock<'_> {
    #[inline(always)]
    fn run(self) {
        if !self.source.outlines.diagonals.is_empty() {
            return match (self.source.balls.is_empty(), self.source.fields.is_empty()) {
                (false, _) => self.run_oriented::<Solids>(),
                (true, false) => self.run_oriented::<Surfaces>(),
                (true, true) => self.run_oriented::<Balls>(),
            };
        }
        if self.source.threaded.is_empty() {
            self.run_by::<AtEnd>();
        } else {
            self.run_by::<WhereMet>();
        }
    }
}

impl RunBlock<'_> {
    #[inline(always)]
    fn run_by<W: Ways>(self) {
        let acts = matches!(self.rule, Rule::Recall | Rule::Solve { .. });
        let turns = acts && !self.source.turned.is_empty();
        let one_size = self.source.radii.is_empty();
        if !self.source.balls.is_empty() {
            return match (one_size, turns) {
                (true, false) => self.run_for::<Solids, OneSize, W>(),
                (false, false) => self.run_for::<Solids, ManySizes, W>(),
                (true, true) => self.run_turning::<Solids, OneSize, W>(),
                (false, true) => self.run_turning::<Solids, ManySizes, W>(),
            };
        }
        match (self.source.fields.is_empty(), one_size, turns) {
            (true, true, false) => self.run_for::<Balls, OneSize, W>(),
            (false, true, false) => self.run_for::<Surfaces, OneSize, W>(),
            (true, false, false) => self.run_for::<Balls, ManySizes, W>(),
            (false, false, false) => self.run_for::<Surfaces, ManySizes, W>(),
            (true, true, true) => self.run_turning::<Balls, OneSize, W>(),
            (false, true, true) => self.run_turning::<Surfaces, OneSize, W>(),
            (true, false, true) => self.run_turning::<Balls, ManySizes, W>(),
            (false, false, true) => self.run_turning::<Surfaces, ManySizes, W>(),
        }
    }

    #[inline(always)]
    pub(super) fn run_for<T: Touching, S: Sizing, W: Ways>(self) {
        let Self {
            block,
            source,
            rule,
            terms,
        } = self;
        let slots = block.list.slots();
        let [sums, more_sums] = &mut block.sums;
        sums.clear(slots.clone());
        if rule == Rule::Count {
            more_sums.clear(slots.clone());
        }
        let points = rule == Rule::Count && !source.balls.is_empty();
        if points {
            block.pointing.clear(slots);
        }
        let mut batch = Batch::<T, S, W>::new(source, terms);
        let mut done = [Vec4::ZERO; LANES];
        for (number, slots) in block.list.batches().enumerate() {
            batch.fill(slots, source);
            match rule {
                Rule::Count => {
                    batch.count();
                    store(&batch.result, &mut done);
                    sums.give(slots, &done);
                    store(&batch.mixed, &mut done);
                    more_sums.give(slots, &done);
                    if points {
                        batch.point();
                        store(&batch.result, &mut done);
                        block.pointing.give_and_take(slots, &done);
                    }
                    continue;
                }
                Rule::Recall => {
                    batch.fill_starts(slots, source, terms);
                    batch.recall(&mut block.impulses[number], terms);
                }
                Rule::PushApart => {
                    batch.fill_starts(slots, source, terms);
                    batch.push_apart(&block.impulses[number]);
                }
                Rule::Solve { momentum, carried } => {
                    batch.fill_starts(slots, source, terms);
                    let impulses = &mut block.impulses[number];
                    if momentum > 0.0 {
                        let onward = &mut block.carried[number];
                        if !carried {
                            *onward = EMPTY;
                        }
                        batch.solve_onward(impulses, onward, momentum, terms);
                    } else {
                        batch.solve(impulses, terms);
                    }
                }
            }
            store(&batch.result, &mut done);
            if block.shares.is_empty() {
                sums.give_and_take(slots, &done);
            } else {
                let shares = &block.shares[number * LANES..];
                sums.give_and_take_shares(slots, &done, shares);
            }
        }
    }
}

/// A number of contacts, and what comes of them.
#[repr(align(32))]
pub(super) struct Batch<T, S, W> {
    touching: T,
    pub(super) sizing: S,
    ways: W,
    /// From the second particle to the first (xyz), and the sum of both inverse masses (w).
    offset: Quad,
    /// The same at the start of the sub-step (xyz), and the sum of their effective inverse masses (w, 1/kg).
    starts: Quad,
    /// How far a correction goes.
    step: Lanes,
    static_friction: Lanes,
    kinetic_friction: Lanes,
    grip: Lanes,
    pub(super) result: Quad,
    mixed: Quad,
}

impl<T: Touching, S: Sizing, W: Ways> Batch<T, S, W> {
    #[inline(always)]
    pub(super) fn new(source: &Source, terms: &Terms) -> Self {
        let mut batch = Self {
            touching: T::default(),
            sizing: S::new(terms),
            ways: W::default(),
            offset: EMPTY,
            starts: EMPTY,
            step: [0.0; LANES],
            static_friction: [0.0; LANES],
            kinetic_friction: [0.0; LANES],
            grip: [0.0; LANES],
            result: EMPTY,
            mixed: EMPTY,
        };
        if source.table.as_slice().len() == 1 {
            let pair = source.table.pair(MaterialId(0), MaterialId(0));
            for lane in 0..LANES {
                batch.set_coefficients(lane, pair, source.grip);
            }
        }
        batch
    }

    /// How they touch.
    #[inline(always)]
    pub(super) fn touching(&self) -> &T {
        &self.touching
    }

    /// Fetches where the particles are, four pairs at a time.
    #[inline(always)]
    pub(super) fn fill(&mut self, slots: Slots, source: &Source) {
        const REVERSED: Vec4 = Vec4::new(-1.0, -1.0, -1.0, 1.0);
        let positions = slots.read(source.positions);
        for lane in (0..LANES).step_by(4) {
            let row = |k: usize| {
                let (a, b) = positions(lane + k);
                a + b * REVERSED
            };
            put(&mut self.offset, lane, [row(0), row(1), row(2), row(3)]);
        }
        if (0..LANES).fold(false, |any, lane| any | self.coincides(lane)) {
            self.separate(slots);
        }
        self.sizing.fill(slots, source);
        self.ways.fill(slots, source, &self.offset, &self.sizing);
        let seen = self.ways.seen(&self.offset);
        self.touching.fill(slots, source, seen, &self.sizing);
        let table = source.table.as_slice();
        // Of one material all is known beforehand, but for how well contacts of several sizes stick.
        if table.len() != 1 || (!source.radii.is_empty() && table[0].cohesion != 0.0) {
            for lane in 0..LANES {
                let [a, b] = slots.lane(lane).map(|slot| source.materials[slot as usize]);
                let grip = source.grip * self.sizing.area(lane);
                self.set_coefficients(lane, source.table.pair(a, b), grip);
            }
        }
    }

    /// Fetches where the particles were at the start, and how far their corrections go.
    #[inline(always)]
    pub(super) fn fill_starts(&mut self, slots: Slots, source: &Source, terms: &Terms) {
        const REVERSED: Vec4 = Vec4::new(-1.0, -1.0, -1.0, 1.0);
        let anchors = slots.read(source.anchors);
        for lane in (0..LANES).step_by(4) {
            let row = |k: usize| {
                let (a, b) = anchors(lane + k);
                a + b * REVERSED
            };
            put(&mut self.starts, lane, [row(0), row(1), row(2), row(3)]);
        }
        for lane in 0..LANES {
            self.step[lane] = terms.relaxation / self.starts[3][lane];
        }
    }

    #[inline(always)]
    fn coincides(&self, lane: usize) -> bool {
        let [x, y, z] = [0, 1, 2].map(|axis| self.offset[axis][lane]);
        x * x + y * y + z * z < f32::MIN_POSITIVE
    }

    /// Gives particles in the very same place a minute distance, each pair in a direction of its own.
    #[cold]
    fn separate(&mut self, slots: Slots) {
        for lane in 0..LANES {
            if self.coincides(lane) {
                let [i, j] = slots.lane(lane).map(u64::from);
                let mut random = Random::new(i, j);
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
    pub(super) fn pair(&self, lane: usize) -> Pair {
        let offset = get(&self.offset, lane);
        let contact = self.sizing.contact(lane);
        let seen = get(self.ways.seen(&self.offset), lane);
        let (normal, gap) = self.touching.touch(lane, seen, contact);
        let gap = W::gap(gap, normal, offset, seen);
        Pair {
            normal,
            gap,
            contact,
            has_body: self.touching.has_body(lane),
            moved: offset - get(&self.starts, lane),
            mobility: self.offset[3][lane],
            step: self.step[lane],
            static_friction: self.static_friction[lane],
            kinetic_friction: self.kinetic_friction[lane],
            grip: self.grip[lane],
        }
    }

    /// The terms of `n nᵀ`: those on its diagonal and a one to count, and the others.
    #[inline(always)]
    fn count(&mut self) {
        for lane in 0..LANES {
            let n = self.pair(lane).normal;
            set(&mut self.result, lane, n * n);
            self.result[3][lane] = 1.0;
            set(&mut self.mixed, lane, Vec3::new(n.x * n.y, n.y * n.z, n.z * n.x));
        }
    }

    /// Normals of contacts with inscribed balls.
    #[inline(always)]
    fn point(&mut self) {
        for lane in 0..LANES {
            let acts = if self.touching.is_solid(lane) { 1.0 } else { 0.0 };
            let normal = self.pair(lane).normal;
            set(&mut self.result, lane, normal * acts);
            self.result[3][lane] = 0.0;
        }
    }

    #[inline(always)]
    fn recall(&mut self, impulses: &mut Quad, terms: &Terms) {
        for lane in 0..LANES {
            let (kept, freshness) = self.pair(lane).recall(get(impulses, lane), impulses[3][lane], terms);
            set(&mut self.result, lane, kept);
            self.result[3][lane] = freshness;
        }
        *impulses = self.result;
    }

    #[inline(always)]
    fn push_apart(&mut self, impulses: &Quad) {
        for (lane, &freshness) in impulses[3].iter().enumerate() {
            let pushed = self.pair(lane).push_apart(freshness);
            set(&mut self.result, lane, pushed);
        }
    }

    #[inline(always)]
    fn solve(&mut self, impulses: &mut Quad, terms: &Terms) {
        for lane in 0..LANES {
            let before = get(impulses, lane);
            let solved = self.pair(lane).solve(before, terms);
            set(impulses, lane, solved);
            set(&mut self.result, lane, solved - before);
        }
    }

    #[inline(always)]
    fn solve_onward(&mut self, impulses: &mut Quad, carried: &mut Quad, momentum: f32, terms: &Terms) {
        for lane in 0..LANES {
            let before = get(impulses, lane);
            let solved = self.pair(lane).solve(before, terms);
            let onward = accelerate(before, get(carried, lane), solved, momentum);
            set(carried, lane, onward);
            set(impulses, lane, solved + onward);
            set(&mut self.result, lane, solved + onward - before);
        }
    }
}

#[inline(always)]
pub(super) fn get<const N: usize>(lanes: &[Lanes; N], lane: usize) -> Vec3 {
    Vec3::new(lanes[0][lane], lanes[1][lane], lanes[2][lane])
}

#[inline(always)]
pub(super) fn set<const N: usize>(lanes: &mut [Lanes; N], lane: usize, value: Vec3) {
    lanes[0][lane] = value.x;
    lanes[1][lane] = value.y;
    lanes[2][lane] = value.z;
}

#[inline(always)]
pub(super) fn store(lanes: &Quad, values: &mut [Vec4; LANES]) {
    for (four, rows) in values.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let lanes = |axis: usize| Vec4::from_slice(&lanes[axis][4 * four..]);
        let columns = Mat4::from_cols(lanes(0), lanes(1), lanes(2), lanes(3)).transpose();
        *rows = [columns.x_axis, columns.y_axis, columns.z_axis, columns.w_axis];
    }
}

/// Writes four rows into the columns of four neighbouring lanes.
#[inline(always)]
pub(super) fn put(lanes: &mut Quad, lane: usize, rows: [Vec4; 4]) {
    let columns = Mat4::from_cols(rows[0], rows[1], rows[2], rows[3]).transpose();
    let columns = [columns.x_axis, columns.y_axis, columns.z_axis, columns.w_axis];
    for (lanes, column) in lanes.iter_mut().zip(columns) {
        column.write_to_slice(&mut lanes[lane..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::creatures::touching::NO_OUTLINES;
    use crate::cpu::pairs::resize;
    use crate::cpu::vector;
    use crate::material::Material;
    use crate::settings::Settings;

    /// Everything that a rule leaves behind.
    fn bytes(block: &Block) -> Vec<u8> {
        let sums = block.sums.iter().flat_map(|sums| bytemuck::cast_slice(sums.values()));
        let impulses = bytemuck::cast_slice(block.impulses.as_flattened().as_flattened()).iter();
        let carried = bytemuck::cast_slice(block.carried.as_flattened().as_flattened()).iter();
        sums.chain(impulses).chain(carried).copied().collect()
    }

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
            fields: &[],
            balls: &[],
            materials: &[MaterialId(0); 200],
            table: &table,
            grip: 1e-4,
            radii: &[],
            threaded: &[],
            turned: &[],
            outlines: NO_OUTLINES,
        };
        let terms = Terms::new(&Settings::default(), 0.01, 0.01);
        let first = Rule::Solve {
            momentum: 0.0,
            carried: false,
        };
        let onward = Rule::Solve {
            momentum: 0.5,
            carried: true,
        };
        let mut impulses = Random::new(6, 0);
        for rule in [Rule::Count, Rule::Recall, Rule::PushApart, first, onward] {
            let mut blocks = [Block::default(), Block::default()];
            let filled: Vec<f32> = (0..4 * LANES * 4).map(|_| 0.01 * impulses.signed()).collect();
            for block in &mut blocks {
                block.list.refill(0, |filling| {
                    for slot in 0..199 {
                        filling.push(slot, &[slot + 1]);
                    }
                });
                resize(&mut block.impulses, 199, EMPTY);
                resize(&mut block.carried, 199, EMPTY);
                let lanes = block.impulses.as_flattened_mut().as_flattened_mut();
                lanes.copy_from_slice(&filled);
            }
            let before = bytes(&blocks[0]);
            let mut results = Vec::new();
            for (block, wide) in blocks.iter_mut().zip([true, false]) {
                let run = RunBlock {
                    block,
                    source: &source,
                    rule,
                    terms: &terms,
                };
                if wide {
                    vector::run(run);
                } else {
                    run.run();
                }
                results.push(bytes(block));
            }
            assert!(results[0] == results[1], "{rule:?}");
            assert!(results[0] != before, "{rule:?} does something");
        }
    }
}
