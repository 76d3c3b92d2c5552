//! Grains that turn: their contacts, and how their spins follow.
//!
//! The ways of rims in the sub-step are to spins what candidate positions are to velocities; worlds in which nothing turns have none,
//! and come here for nothing.

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::batch::{Batch, EMPTY, LANES, Lanes, Quad, Rule, RunBlock, Source, get, put, set, store};
use super::creatures::answer;
use super::pairs::{Slots, resize};
use super::passing::Ways;
use super::sums::Totals;
use super::touching::{Sizing, Touching};
use super::vector::{self, Kernel};
use super::{CHUNK, State};
use crate::constraints::contact::{Terms, hold};
use crate::constraints::relaxation::accelerate;
use crate::constraints::rolling::{TURNING, Turning};
use crate::material::MaterialId;
use crate::particles::spin::Spin;

/// Contacts of a batch, and what turns in them.
struct TurningBatch<T, S, W> {
    batch: Batch<T, S, W>,
    /// Ways of the rims of both particles (xyz), and their effective inverse masses (w), 0 of what does not turn.
    turned: [Quad; 2],
    resistance: [f32; LANES],
    /// What the first and the second particles are turned by, kg·m.
    twists: [Quad; 2],
}

impl<T: Touching, S: Sizing, W: Ways> TurningBatch<T, S, W> {
    #[inline(always)]
    fn fill(&mut self, slots: Slots, source: &Source) {
        let turned = slots.read(source.turned);
        for lane in (0..LANES).step_by(4) {
            let rows = [0, 1, 2, 3].map(|k| turned(lane + k));
            put(&mut self.turned[0], lane, rows.map(|row| row.0));
            put(&mut self.turned[1], lane, rows.map(|row| row.1));
        }
        // Of one material all is known beforehand.
        if source.table.as_slice().len() != 1 {
            resistances(slots, source, &self.turned, &mut self.resistance);
        }
    }

    #[inline(always)]
    fn turning(&self, lane: usize) -> Turning {
        Turning {
            turned: [get(&self.turned[0], lane), get(&self.turned[1], lane)],
            mobilities: [self.turned[0][3][lane], self.turned[1][3][lane]],
            parts: self.batch.sizing.parts(lane),
            resistance: self.resistance[lane],
        }
    }

    /// Notes what a change of impulse and couple does to the pair in a lane.
    #[inline(always)]
    fn note(&mut self, lane: usize, normal: Vec3, impulse: Vec3, couple: Vec3) {
        let [first, second] = self.turning(lane).twists(normal, impulse, couple);
        set(&mut self.batch.result, lane, impulse);
        set(&mut self.twists[0], lane, first);
        set(&mut self.twists[1], lane, second);
    }

    #[inline(always)]
    fn recall(&mut self, impulses: &mut Quad, couples: &mut Quad, terms: &Terms) {
        for lane in 0..LANES {
            let pair = self.batch.pair(lane);
            let (kept, freshness) = pair.recall(get(impulses, lane), impulses[3][lane], terms);
            let acts = if kept.dot(kept) > 0.0 { terms.memory } else { 0.0 };
            let couple = get(couples, lane) * acts;
            set(impulses, lane, kept);
            impulses[3][lane] = freshness;
            set(couples, lane, couple);
            self.note(lane, pair.normal, kept, couple);
        }
    }

    /// One iteration; what it carries on goes on from what the one before did.
    #[inline(always)]
    fn solve(&mut self, impulses: [&mut Quad; 2], carried: [&mut Quad; 2], momentum: f32, terms: &Terms) {
        let [impulses, couples] = impulses;
        let [carried, carried_couples] = carried;
        for lane in 0..LANES {
            let pair = self.batch.pair(lane);
            let (impulse, couple) = (get(impulses, lane), get(couples, lane));
            let (mut pressed, mut rolled) = self.turning(lane).solve(&pair, impulse, couple, terms);
            if momentum > 0.0 {
                let onward = accelerate(impulse, get(carried, lane), pressed, momentum);
                let rolls_on = accelerate(couple, get(carried_couples, lane), rolled, momentum);
                set(carried, lane, onward);
                set(carried_couples, lane, rolls_on);
                pressed += onward;
                rolled += rolls_on;
            }
            set(impulses, lane, pressed);
            set(couples, lane, rolled);
            self.note(lane, pair.normal, pressed - impulse, rolled - couple);
        }
    }
}

/// How pairs resist rolling, by which of their particles turn.
#[inline(always)]
pub(super) fn resistances(slots: Slots, source: &Source, turned: &[Quad; 2], resistance: &mut Lanes) {
    for lane in 0..LANES {
        let [a, b] = slots.lane(lane).map(|slot| source.materials[slot as usize]);
        let [first, second] = [0, 1].map(|side: usize| turned[side][3][lane] > 0.0);
        resistance[lane] = match (first, second) {
            (true, true) => source.table.rolling(a, b)[0],
            (_, false) => source.table.rolling(a, b)[1],
            (false, true) => source.table.rolling(b, a)[1],
        };
    }
}

impl RunBlock<'_> {
    /// Warm starting or an iteration where grains turn.
    #[inline(always)]
    pub(super) fn run_turning<T: Touching, S: Sizing, W: Ways>(self) {
        let Self {
            block,
            source,
            rule,
            terms,
        } = self;
        for sums in &mut block.sums {
            sums.clear(block.list.slots());
        }
        let mut turning = TurningBatch::<T, S, W> {
            batch: Batch::new(source, terms),
            turned: [EMPTY; 2],
            resistance: [source.table.rolling(MaterialId(0), MaterialId(0))[0]; LANES],
            twists: [EMPTY; 2],
        };
        let mut done = [Vec4::ZERO; LANES];
        let mut twists = [[Vec4::ZERO; LANES]; 2];
        for (number, slots) in block.list.batches().enumerate() {
            turning.batch.fill(slots, source);
            turning.batch.fill_starts(slots, source, terms);
            turning.fill(slots, source);
            let (impulses, couples) = (&mut block.impulses[number], &mut block.couples[number]);
            if let Rule::Solve { momentum, carried } = rule {
                let (onward, rolls_on) = (&mut block.carried[number], &mut block.carried_couples[number]);
                if !carried {
                    *onward = EMPTY;
                    *rolls_on = EMPTY;
                }
                turning.solve([impulses, couples], [onward, rolls_on], momentum, terms);
            } else {
                turning.recall(impulses, couples, terms);
            }
            store(&turning.batch.result, &mut done);
            store(&turning.twists[0], &mut twists[0]);
            store(&turning.twists[1], &mut twists[1]);
            let shares = block.shares.get(number * LANES..);
            let [sums, more_sums] = &mut block.sums;
            match shares.filter(|shares| !shares.is_empty()) {
                None => sums.give_and_take(slots, &done),
                Some(shares) => sums.give_and_take_shares(slots, &done, shares),
            }
            more_sums.give_each(slots, &twists, shares.unwrap_or_default());
        }
    }
}

/// Turns some particles by what their contacts have done since they were turned last.
struct TurnParticles<'a> {
    done: Totals<'a>,
    predicted: &'a [Vec4],
    turned: &'a mut [Vec4],
    /// How they answer to torques, where some are ellipsoids; else empty.
    yields: &'a [[Vec4; 2]],
}

impl Kernel for TurnParticles<'_> {
    #[inline(always)]
    fn run(self) {
        self.done.for_each(|place, done| {
            let turned = &mut self.turned[place];
            let yields = if turned.w > 0.0 {
                TURNING * self.predicted[place].w
            } else {
                0.0
            };
            let twist = match self.yields.get(place) {
                Some(&yields) => (answer(yields).times(done.xyz()) / TURNING).extend(0.0),
                None => done,
            };
            *turned += (twist * yields).with_w(0.0);
        });
    }
}

impl State {
    /// Whether anything turns.
    pub(super) fn turns(&self) -> bool {
        !self.turned.is_empty()
    }

    /// Begins with the ways that rims would go if nothing touched them, and makes room for couples.
    pub(super) fn begin_turning(&mut self, h: f32) {
        let count = if self.particles.spins.is_stored() {
            self.particles.len()
        } else {
            0
        };
        let mut turned = std::mem::take(&mut self.turned);
        turned.resize(count, Vec4::ZERO);
        turned
            .par_iter_mut()
            .enumerate()
            .with_min_len(CHUNK)
            .for_each(|(slot, turned)| {
                let spin = self.particles.spins.get(slot);
                let turns = spin.turns() && self.predicted[slot].w > 0.0 && self.shapes.body_in(slot).is_none();
                *turned = match turns {
                    true => (h * self.radius(slot) * spin.velocity.xyz()).extend(self.anchors[slot].w),
                    false => Vec4::ZERO,
                };
            });
        self.turned = turned;
        self.couples.clear();
        self.couples.resize(count, Vec3::ZERO);
    }

    /// Begins with the couples by which colliders resisted rolling in the last sub-step, as far as they can now.
    pub(super) fn recall_couples(&mut self) {
        let memory = self.terms().memory;
        self.resist(|spin, inverse_mass, _, _| spin.couple.xyz() * (memory * inverse_mass));
    }

    /// Has colliders resist the rolling of grains on them: one couple for each grain, whatever it touches.
    pub(super) fn resist_rolling(&mut self) {
        self.resist(|_, _, [couple, rolled], yields| couple - rolled / yields);
    }

    /// Changes the couple of each grain on colliders to what is wanted of it, as far as they bear, given its couple so far and how far its
    /// rim has gone on them, and how it yields to torques.
    fn resist(&mut self, wanted: impl Fn(&Spin, f32, [Vec3; 2], f32) -> Vec3 + Sync) {
        if !self.turns() {
            return;
        }
        let (frame, particles, predicted) = (&self.frame, &self.particles, &self.predicted);
        let yields = &self.creature_work.yields;
        let chunks = self
            .turned
            .par_chunks_mut(CHUNK)
            .zip(self.couples.par_chunks_mut(CHUNK));
        chunks
            .zip(&self.contacts)
            .enumerate()
            .for_each(|(chunk, ((turned, couples), contacts))| {
                for run in contacts.contacts.chunk_by(|a, b| a.offset == b.offset) {
                    let offset = run[0].offset as usize;
                    let slot = chunk * CHUNK + offset;
                    if turned[offset].w <= 0.0 {
                        continue;
                    }
                    let (mut bound, mut turning) = (0.0, Vec3::ZERO);
                    for contact in run {
                        let other = frame.colliders[contact.collider as usize].collider.material;
                        let resistance = frame.materials.rolling(particles.materials[slot], other)[1];
                        let bears = resistance * (contact.normal_sum + contact.pull).max(0.0);
                        // A contact out of reach has a pull, and bears nothing.
                        let bears = if contact.normal_sum == 0.0 { 0.0 } else { bears };
                        bound += bears;
                        turning += bears * contact.turn;
                    }
                    let way = run[0].radius * turning / bound.max(f32::MIN_POSITIVE);
                    let so_far = [couples[offset], turned[offset].xyz() - way];
                    let yields = yields
                        .get(slot)
                        .map_or(TURNING, |yields| yields[0].xyz().element_sum() / 3.0);
                    let wanted = wanted(&particles.spins.get(slot), predicted[slot].w, so_far, yields);
                    let couple = hold(wanted, bound, 1.0, 1.0);
                    turned[offset] += (yields * (couple - couples[offset])).extend(0.0);
                    couples[offset] = couple;
                }
            });
    }

    /// Turns each particle by what its contacts with others have done since it was turned last.
    pub(super) fn turn_particles(&mut self) {
        let (pairs, length) = (&self.pairs, self.pairs.length.max(1));
        let yields = &self.creature_work.yields;
        self.turned
            .par_chunks_mut(length)
            .zip(self.predicted.par_chunks(length))
            .enumerate()
            .for_each(|(block, (turned, predicted))| {
                let first = block * length;
                vector::run(TurnParticles {
                    done: pairs.totals(1, first..first + predicted.len()),
                    predicted,
                    turned,
                    yields: yields.get(first..).unwrap_or_default(),
                });
            });
    }

    /// What is known of those that turn by the chunk; nothing for each chunk where nothing does.
    pub(super) fn turned_chunks<T>(turned: &mut [T], count: usize) -> Vec<&mut [T]> {
        let mut chunks: Vec<_> = turned.chunks_mut(CHUNK).collect();
        chunks.resize_with(count.div_ceil(CHUNK), Default::default);
        chunks
    }

    /// Spins from the ways of rims.
    pub(super) fn update_spins(&mut self, h: f32) {
        let most = self.frame.settings.max_speed;
        let (usual, radii) = (self.frame.settings.particle_radius, &self.radii);
        let (couples, predicted) = (&self.couples, &self.predicted);
        let values = self.particles.spins.values_mut(self.turned.len());
        let both = values.par_iter_mut().zip(&self.turned).enumerate().with_min_len(CHUNK);
        both.for_each(|(slot, (spin, turned))| {
            if turned.w > 0.0 {
                // What nothing touches keeps its spin to the last bit.
                let way = h * radii.get(slot).copied().unwrap_or(usual);
                let before = spin.velocity.xyz();
                let turning = (before + (turned.xyz() - way * before) / way).clamp_length_max(most * h / way);
                let inverse_mass = predicted[slot].w;
                spin.couple = (couples[slot] / inverse_mass).extend(0.0);
                spin.velocity = if turning.is_finite() { turning } else { Vec3::ZERO }.extend(1.0);
            }
        });
    }

    /// Makes room for the couples of a block's contacts.
    pub(super) fn size_couples(block: &mut super::pairs::Block) {
        resize(&mut block.couples, block.list.len(), EMPTY);
        resize(&mut block.carried_couples, block.list.len(), EMPTY);
    }
}
