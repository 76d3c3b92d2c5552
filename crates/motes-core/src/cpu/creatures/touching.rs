//! Contacts where some particles are ellipsoids: how they touch, and the batches of those that turn about levers.

use glam::{Vec3, Vec4};

use crate::constraints::contact::Terms;
use crate::constraints::ellipsoid::{Ellipsoid, touch};
use crate::constraints::levers::{Lever, Levers};
use crate::constraints::relaxation::accelerate;
use crate::cpu::batch::{Batch, EMPTY, LANES, Lanes, Quad, Rule, RunBlock, Source, get, put, set, store};
use crate::cpu::pairs::Slots;
use crate::cpu::touching::{ManySizes, OneSize, Sizing, Touching};
use crate::cpu::turning::resistances;

/// The shapes of all particles by slot where some are ellipsoids; else empty.
#[derive(Clone, Copy)]
pub(in crate::cpu) struct Outlines<'a> {
    /// Diagonals of `Q` (xyz, m²), and [`BALL`], [`FREE`] or [`IN_PART`] (w).
    pub(in crate::cpu) diagonals: &'a [Vec4],
    /// Its other elements.
    pub(in crate::cpu) mixed: &'a [Vec4],
    /// How they answer to torques, likewise.
    pub(in crate::cpu) yields: &'a [[Vec4; 2]],
}

/// No outlines.
pub(in crate::cpu) const NO_OUTLINES: Outlines<'static> = Outlines {
    diagonals: &[],
    mixed: &[],
    yields: &[],
};

/// What is no ellipsoid.
pub(in crate::cpu) const BALL: f32 = 0.0;
/// An ellipsoid that turns by itself.
pub(in crate::cpu) const FREE: f32 = 1.0;
/// An ellipsoid that turns with the rigid part that it is in.
pub(in crate::cpu) const IN_PART: f32 = 2.0;

/// As ellipsoids where one of both is one; else as others do.
pub(in crate::cpu) struct Ellipsoids<T> {
    others: T,
    diagonals: [Quad; 2],
    mixed: [Quad; 2],
    /// Normals (xyz) and gaps (w).
    normals: Quad,
    /// From the centres to where they touch, metres.
    arms: [Quad; 2],
}

impl<T: Default> Default for Ellipsoids<T> {
    fn default() -> Self {
        Self {
            others: T::default(),
            diagonals: [EMPTY; 2],
            mixed: [EMPTY; 2],
            normals: EMPTY,
            arms: [EMPTY; 2],
        }
    }
}

impl<T: Touching> Touching for Ellipsoids<T> {
    #[inline(always)]
    fn fill(&mut self, slots: Slots, source: &Source, offset: &Quad, sizing: &impl Sizing) {
        self.others.fill(slots, source, offset, sizing);
        read(slots, source.outlines.diagonals, &mut self.diagonals);
        read(slots, source.outlines.mixed, &mut self.mixed);
        for lane in 0..LANES {
            let away = get(offset, lane);
            let shapes = [0, 1].map(|side: usize| Ellipsoid {
                diagonal: get(&self.diagonals[side], lane),
                mixed: get(&self.mixed[side], lane),
            });
            let is_ellipsoid = self.diagonals[0][3][lane] + self.diagonals[1][3][lane] > 0.0;
            let (normal, gap) = touch(away, &shapes[0], &shapes[1]);
            let (plain, plain_gap) = self.others.touch(lane, away, sizing.contact(lane));
            let normal = if is_ellipsoid { normal } else { plain };
            set(&mut self.normals, lane, normal);
            self.normals[3][lane] = if is_ellipsoid { gap } else { plain_gap };
            set(&mut self.arms[0], lane, -shapes[0].point(normal));
            set(&mut self.arms[1], lane, shapes[1].point(normal));
        }
    }

    #[inline(always)]
    fn touch(&self, lane: usize, _: Vec3, _: f32) -> (Vec3, f32) {
        (get(&self.normals, lane), self.normals[3][lane])
    }

    /// Creatures give up overlaps at rest as bodies do: they may be caught in each other.
    #[inline(always)]
    fn has_body(&self, lane: usize) -> bool {
        let is_ellipsoid = self.diagonals[0][3][lane] + self.diagonals[1][3][lane] > 0.0;
        is_ellipsoid | self.others.has_body(lane)
    }

    #[inline(always)]
    fn is_solid(&self, lane: usize) -> bool {
        self.others.is_solid(lane)
    }
}

/// Fetches a value of both particles of every lane.
#[inline(always)]
fn read(slots: Slots, values: &[Vec4], into: &mut [Quad; 2]) {
    let values = slots.read(values);
    for lane in (0..LANES).step_by(4) {
        let rows = [0, 1, 2, 3].map(|k| values(lane + k));
        put(&mut into[0], lane, rows.map(|row| row.0));
        put(&mut into[1], lane, rows.map(|row| row.1));
    }
}

/// Of one size or of several, as there are.
pub(in crate::cpu) struct AnySize {
    one: OneSize,
    many: ManySizes,
    sized: bool,
}

impl Sizing for AnySize {
    #[inline(always)]
    fn new(terms: &Terms) -> Self {
        Self {
            one: OneSize::new(terms),
            many: ManySizes::new(terms),
            sized: false,
        }
    }

    #[inline(always)]
    fn fill(&mut self, slots: Slots, source: &Source) {
        self.sized = !source.radii.is_empty();
        if self.sized {
            self.many.fill(slots, source);
        }
    }

    #[inline(always)]
    fn contact(&self, lane: usize) -> f32 {
        if self.sized {
            self.many.contact(lane)
        } else {
            self.one.contact(lane)
        }
    }

    #[inline(always)]
    fn area(&self, lane: usize) -> f32 {
        if self.sized {
            self.many.area(lane)
        } else {
            self.one.area(lane)
        }
    }

    #[inline(always)]
    fn parts(&self, lane: usize) -> [f32; 2] {
        if self.sized {
            self.many.parts(lane)
        } else {
            self.one.parts(lane)
        }
    }

    #[inline(always)]
    fn radii(&self, lane: usize) -> [f32; 2] {
        if self.sized {
            self.many.radii(lane)
        } else {
            self.one.radii(lane)
        }
    }
}

/// Contacts of a batch, and how they turn what is in them.
struct LeverBatch<T> {
    batch: Batch<Ellipsoids<T>, AnySize>,
    /// Ways of the rims of both particles (xyz), and their effective inverse masses (w), 0 of what does not turn.
    turned: [Quad; 2],
    /// How they answer to torques: diagonals, then the other elements.
    yields: [[Quad; 2]; 2],
    resistance: Lanes,
    twists: [Quad; 2],
}

impl<T: Touching> LeverBatch<T> {
    #[inline(always)]
    fn fill(&mut self, slots: Slots, source: &Source) {
        read(slots, source.turned, &mut self.turned);
        for lane in 0..LANES {
            for (side, slot) in slots.lane(lane).into_iter().enumerate() {
                let [diagonal, mixed] = source.outlines.yields[slot as usize];
                set(&mut self.yields[0][side], lane, diagonal.truncate());
                set(&mut self.yields[1][side], lane, mixed.truncate());
            }
        }
        resistances(slots, source, &self.turned, &mut self.resistance);
    }

    #[inline(always)]
    fn levers(&self, lane: usize) -> Levers {
        let touching = self.batch.touching();
        let radii = self.batch.sizing.radii(lane);
        let sides = [0, 1].map(|side: usize| {
            let alone = touching.diagonals[side][3][lane] < IN_PART;
            Lever {
                arm: get(&touching.arms[side], lane) * (1.0 / radii[side]),
                yields: Ellipsoid {
                    diagonal: get(&self.yields[0][side], lane),
                    mixed: get(&self.yields[1][side], lane),
                },
                turned: get(&self.turned[side], lane),
                mobility: if alone { self.turned[side][3][lane] } else { 0.0 },
            }
        });
        Levers {
            sides,
            parts: self.batch.sizing.parts(lane),
            resistance: self.resistance[lane],
        }
    }

    /// Notes what a change of impulse and couple does to the pair in a lane.
    #[inline(always)]
    fn note(&mut self, lane: usize, impulse: Vec3, couple: Vec3) {
        let [first, second] = self.levers(lane).twists(impulse, couple);
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
            self.note(lane, kept, couple);
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
            let (mut pressed, mut rolled) = self.levers(lane).solve(&pair, impulse, couple, terms);
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
            self.note(lane, pressed - impulse, rolled - couple);
        }
    }
}

impl RunBlock<'_> {
    /// Any rule where some particles are ellipsoids.
    #[inline(always)]
    pub(in crate::cpu) fn run_oriented<T: Touching>(self) {
        match self.rule {
            Rule::Recall | Rule::Solve { .. } => self.run_levers::<T>(),
            _ => self.run_for::<Ellipsoids<T>, AnySize>(),
        }
    }

    #[inline(always)]
    fn run_levers<T: Touching>(self) {
        let Self {
            block,
            source,
            rule,
            terms,
        } = self;
        for sums in &mut block.sums {
            sums.clear(block.list.slots());
        }
        let mut levers = LeverBatch::<T> {
            batch: Batch::new(source, terms),
            turned: [EMPTY; 2],
            yields: [[EMPTY; 2]; 2],
            resistance: [0.0; LANES],
            twists: [EMPTY; 2],
        };
        let mut done = [Vec4::ZERO; LANES];
        let mut twists = [[Vec4::ZERO; LANES]; 2];
        for (number, slots) in block.list.batches().enumerate() {
            levers.batch.fill(slots, source);
            levers.batch.fill_starts(slots, source, terms);
            levers.fill(slots, source);
            let (impulses, couples) = (&mut block.impulses[number], &mut block.couples[number]);
            if let Rule::Solve { momentum, carried } = rule {
                let (onward, rolls_on) = (&mut block.carried[number], &mut block.carried_couples[number]);
                if !carried {
                    *onward = EMPTY;
                    *rolls_on = EMPTY;
                }
                levers.solve([impulses, couples], [onward, rolls_on], momentum, terms);
            } else {
                levers.recall(impulses, couples, terms);
            }
            store(&levers.batch.result, &mut done);
            store(&levers.twists[0], &mut twists[0]);
            store(&levers.twists[1], &mut twists[1]);
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
