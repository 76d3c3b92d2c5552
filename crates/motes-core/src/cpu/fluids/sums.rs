//! Sums over neighbours, eight at a time.

use glam::{Mat4, Vec3, Vec4};

use crate::constraints::density::APART;
use crate::random::Random;

/// Neighbours that are worked on together.
pub(super) const LANES: usize = 8;

/// A number for each of them.
pub(super) type Lanes = [f32; LANES];

/// A place out of everybody's reach, which lanes without a neighbour look at.
pub(super) const NOWHERE: Vec4 = Vec4::new(1e15, 1e15, 1e15, 0.0);

/// How two particles count for each other.
pub(super) trait Mutual: Copy + Sync {
    /// One over the distances at which particle `i` and others stop to, 1/m.
    fn inverse_reaches(self, i: usize, others: &[u32; LANES]) -> Lanes;
    /// How much others count for particle `i`, and it for them, in weights of a lattice.
    fn counts(self, i: usize, others: &[u32; LANES]) -> [Lanes; 2];
    /// How much a particle counts for itself.
    fn own(self) -> f32;
    /// One over the distance at which two like particle `i` stop to count for each other, 1/m.
    fn inverse_reach(self, i: usize) -> f32;
}

/// Particles of one size.
#[derive(Clone, Copy)]
pub(super) struct Alike {
    pub(super) inverse_reach: f32,
    pub(super) counts: f32,
}

impl Mutual for Alike {
    #[inline(always)]
    fn inverse_reaches(self, _: usize, _: &[u32; LANES]) -> Lanes {
        [self.inverse_reach; LANES]
    }

    #[inline(always)]
    fn counts(self, _: usize, _: &[u32; LANES]) -> [Lanes; 2] {
        [[self.counts; LANES]; 2]
    }

    #[inline(always)]
    fn own(self) -> f32 {
        self.counts
    }

    #[inline(always)]
    fn inverse_reach(self, _: usize) -> f32 {
        self.inverse_reach
    }
}

/// Particles of several sizes: each counts by its volume.
#[derive(Clone, Copy)]
pub(super) struct Unlike<'a> {
    pub(super) radii: &'a [f32],
    /// Smoothing radius in distances at which they would touch.
    pub(super) reach: f32,
    pub(super) counts: f32,
}

impl Unlike<'_> {
    #[inline(always)]
    fn radius(self, i: usize, other: u32) -> f32 {
        self.radii.get(other as usize).copied().unwrap_or(self.radii[i])
    }
}

impl Mutual for Unlike<'_> {
    #[inline(always)]
    fn inverse_reaches(self, i: usize, others: &[u32; LANES]) -> Lanes {
        others.map(|other| 1.0 / (self.reach * (self.radii[i] + self.radius(i, other))))
    }

    #[inline(always)]
    fn counts(self, i: usize, others: &[u32; LANES]) -> [Lanes; 2] {
        let cube = |share: f32| self.counts * share * share * share;
        let share = others.map(|other| 2.0 * self.radius(i, other) / (self.radii[i] + self.radius(i, other)));
        [share.map(cube), share.map(|share| cube(2.0 - share))]
    }

    #[inline(always)]
    fn own(self) -> f32 {
        self.counts
    }

    #[inline(always)]
    fn inverse_reach(self, i: usize) -> f32 {
        0.5 / (self.reach * self.radii[i])
    }
}

/// Up to eight neighbours of a particle; those that are not there are out of reach.
pub(super) struct Eight {
    pub(super) slots: [u32; LANES],
    /// From the neighbours to the particle, metres.
    pub(super) offset: [Lanes; 3],
    /// What else is known of each neighbour.
    pub(super) w: Lanes,
    pub(super) inverse_reach: Lanes,
    /// Distances in smoothing radii.
    pub(super) q: Lanes,
}

/// The neighbours of a particle, eight at a time; those in its very place are taken to be a little aside. The last of the places is [`NOWHERE`].
#[inline(always)]
pub(super) fn eights<'a, M: Mutual>((i, others): (usize, &'a [u32]), places: &'a [Vec4], mutual: M) -> Eights<'a, M> {
    Eights {
        i,
        others,
        places,
        mutual,
    }
}

/// See [`eights`].
pub(super) struct Eights<'a, M> {
    i: usize,
    others: &'a [u32],
    places: &'a [Vec4],
    mutual: M,
}

impl<M: Mutual> Iterator for Eights<'_, M> {
    type Item = Eight;

    #[inline(always)]
    fn next(&mut self) -> Option<Eight> {
        let slots = if let Some((eight, rest)) = self.others.split_first_chunk() {
            self.others = rest;
            *eight
        } else if self.others.is_empty() {
            return None;
        } else {
            let nobody = self.places.len() as u32 - 1;
            let last = std::mem::take(&mut self.others);
            std::array::from_fn(|lane| last.get(lane).copied().unwrap_or(nobody))
        };
        Some(look(self.i, &slots, self.places, self.mutual))
    }
}

/// Vectors of eight neighbours, one array per part.
#[inline(always)]
pub(super) fn fetch(places: &[Vec4], slots: &[u32; LANES]) -> [Lanes; 4] {
    let get = |lane: usize| places[slots[lane] as usize];
    let half = |first: usize| {
        let columns = Mat4::from_cols(get(first), get(first + 1), get(first + 2), get(first + 3));
        columns.transpose().to_cols_array_2d()
    };
    let halves = [half(0), half(4)];
    std::array::from_fn(|part| std::array::from_fn(|lane| halves[lane / 4][part][lane % 4]))
}

#[inline(always)]
fn look(i: usize, slots: &[u32; LANES], places: &[Vec4], mutual: impl Mutual) -> Eight {
    let [mut x, mut y, mut z, w] = fetch(places, slots);
    let center = places[i];
    let inverse_reach = mutual.inverse_reaches(i, slots);
    let mut q = [0.0; LANES];
    for k in 0..LANES {
        (x[k], y[k], z[k]) = (center.x - x[k], center.y - y[k], center.z - z[k]);
        q[k] = (x[k] * x[k] + y[k] * y[k] + z[k] * z[k]).sqrt() * inverse_reach[k];
    }
    if q.iter().fold(false, |any, &q| any | (q == 0.0)) {
        for k in 0..LANES {
            if q[k] == 0.0 {
                q[k] = APART;
                (x[k], y[k], z[k]) = (apart(i, slots[k]) * (APART / inverse_reach[k])).into();
            }
        }
    }
    Eight {
        slots: *slots,
        offset: [x, y, z],
        w,
        inverse_reach,
        q,
    }
}

/// Direction from one to the other of two particles in the very same place, which is the opposite for the other.
#[cold]
fn apart(i: usize, other: u32) -> Vec3 {
    let other = other as usize;
    let mut random = Random::new(i.min(other) as u64, i.max(other) as u64);
    let direction = Vec3::new(random.signed(), random.signed(), random.signed()).normalize_or(Vec3::Y);
    if i < other { direction } else { -direction }
}

/// What the lanes add up to, in a fixed order.
#[inline(always)]
pub(super) fn total(lanes: Lanes) -> f32 {
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// The same of vectors.
#[inline(always)]
pub(super) fn total3([x, y, z]: [Lanes; 3]) -> Vec3 {
    Vec3::new(total(x), total(y), total(z))
}
