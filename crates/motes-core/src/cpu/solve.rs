//! Lines 10–22: contacts are solved for all particles at once, each gathering its own corrections.

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;
use wide::f32x4;

use super::collide::ColliderContact;
use super::{CHUNK, State};
use crate::constraints::contact::{Coefficients4, friction, hold4, push4, share4};
use crate::constraints::relaxation::Divisors;
use crate::lanes::{Vec3x4, first_lanes, transpose, untranspose};
use crate::material::{MaterialId, MaterialTable};
use crate::settings::{FrictionModel, Settings};

/// What contacts between particles depend on, besides the particles.
struct PairSolver<'a> {
    settings: &'a Settings,
    materials: &'a [MaterialId],
    table: &'a MaterialTable,
    /// Coefficients of all contacts, when there is only one material.
    single: Option<Coefficients4>,
    /// Positions to correct.
    positions: &'a [Vec4],
    divisors: &'a [Divisors],
    contact_distance: f32,
    /// Mass scaling k, per metre, times the unit vector against gravity, if any.
    stack: Option<Vec3x4>,
    /// Impulse of a tensile strength of one pascal.
    grip: f32,
    friction: bool,
}

/// Up to four neighbours of one particle.
struct Pairs4 {
    others: [usize; 4],
    valid: f32x4,
    other: Vec3x4,
    normal: Vec3x4,
    /// Distance between the surfaces, negative when they overlap.
    gap: f32x4,
    /// Sum of both inverse masses.
    mobility: f32x4,
    /// The particle's share of each correction.
    share: f32x4,
    coefficients: Coefficients4,
}

impl<'a> PairSolver<'a> {
    fn new(state: &'a State, positions: &'a [Vec4], h: f32) -> Self {
        let settings = &state.frame.settings;
        let table = &state.frame.materials;
        let distance = settings.contact_distance();
        Self {
            settings,
            materials: &state.particles.materials,
            table,
            single: (table.as_slice().len() == 1)
                .then(|| Coefficients4::new([table.pair(MaterialId(0), MaterialId(0)); 4])),
            positions,
            divisors: &state.divisors,
            contact_distance: distance,
            stack: (settings.mass_scaling > 0.0)
                .then(|| Vec3x4::splat(settings.mass_scaling / distance * settings.up())),
            grip: settings.grip(1.0, h),
            friction: settings.friction == FrictionModel::Position,
        }
    }

    /// Particle `i` and up to four neighbours.
    #[inline(always)]
    fn pairs(&self, i: usize, neighbors: &[u32]) -> Pairs4 {
        let lane = |k: usize| neighbors.get(k).map_or(i, |&j| j as usize);
        let others = [lane(0), lane(1), lane(2), lane(3)];
        let valid = first_lanes(neighbors.len());
        let own = self.positions[i];
        let (other, other_mass) = transpose(others.map(|j| self.positions[j]));
        let coefficients = match &self.single {
            Some(single) => *single,
            None => Coefficients4::new(others.map(|j| self.table.pair(self.materials[i], self.materials[j]))),
        };
        let mass = f32x4::splat(own.w);
        let offset = Vec3x4::splat(own.xyz()) - other;
        let distance_squared = offset.dot(offset);
        let distance = distance_squared.sqrt();
        let mut normal = offset * (f32x4::ONE / distance.fast_max(f32x4::splat(f32::MIN_POSITIVE)));
        let coincident = (distance_squared.simd_eq(f32x4::ZERO) & valid).to_bitmask();
        if coincident != 0 {
            for (k, &j) in others.iter().enumerate().filter(|(k, _)| coincident >> k & 1 == 1) {
                normal.set_lane(k, coincident_normal(i, j));
            }
        }
        let stack = self.stack.map(|stack| -stack.dot(offset));
        Pairs4 {
            others,
            valid,
            other,
            normal,
            gap: distance - f32x4::splat(self.contact_distance),
            mobility: mass + other_mass,
            share: share4(mass, other_mass, stack) & valid,
            coefficients,
        }
    }

    /// Divisors of four contacts: the larger of both sides.
    #[inline(always)]
    fn divisors(&self, i: usize, pairs: &Pairs4) -> (f32x4, f32x4) {
        let own = self.divisors[i];
        let others = pairs.others.map(|j| self.divisors[j]);
        (
            f32x4::new(others.map(|other| other.along)).fast_max(f32x4::splat(own.along)),
            f32x4::new(others.map(|other| other.across)).fast_max(f32x4::splat(own.across)),
        )
    }

    /// Displacement of particle `i` that undoes overlaps, and nothing else.
    fn push_apart(&self, i: usize, neighbors: &[u32]) -> Vec3 {
        let mut sum = Vec3x4::default();
        for four in neighbors.chunks(4) {
            let pairs = self.pairs(i, four);
            let overlap = (-pairs.gap).fast_max(f32x4::ZERO);
            if overlap.simd_gt(f32x4::ZERO).any() {
                let (along, _) = self.divisors(i, &pairs);
                sum += pairs.normal * (overlap * pairs.share / along);
            }
        }
        self.settings.relaxation * sum.sum()
    }

    /// Displacement of particle `i` by one iteration over its contacts, whose impulses are brought up to date, and
    /// whether any of them holds.
    #[inline]
    fn solve(&self, i: usize, starts: &[Vec4], neighbors: &[u32], impulses: &mut [Vec4]) -> (Vec3, bool) {
        let mut sum = Vec3x4::default();
        let mut holds = false;
        let relaxation = f32x4::splat(self.settings.relaxation);
        for (four, impulses) in neighbors.chunks(4).zip(impulses.chunks_mut(4)) {
            let pairs = self.pairs(i, four);
            let (across, along) = load(impulses);
            let grip = f32x4::splat(self.grip) * pairs.coefficients.cohesion;
            let idle = along.simd_eq(f32x4::ZERO) & pairs.gap.simd_ge(grip * pairs.mobility);
            if (idle | !pairs.valid).all() {
                continue;
            }
            let (along_divisor, across_divisor) = self.divisors(i, &pairs);
            let step = relaxation / pairs.mobility.fast_max(f32x4::splat(f32::MIN_POSITIVE));
            let pushed = idle.select(f32x4::ZERO, push4(along, -pairs.gap * step / along_divisor, grip));
            let held = if self.friction {
                let (other_start, _) = transpose(pairs.others.map(|j| starts[j]));
                let slip = Vec3x4::splat((self.positions[i] - starts[i]).xyz()) - (pairs.other - other_start);
                let slip = slip - pairs.normal * slip.dot(pairs.normal);
                let wanted = across - slip * (step / across_divisor);
                hold4(wanted, (pushed + grip).fast_max(f32x4::ZERO), &pairs.coefficients)
            } else {
                Vec3x4::default()
            };
            let change = pairs.normal * (pushed - along) + (held - across);
            sum += change * (pairs.share * pairs.mobility);
            holds |= (pushed.simd_ne(f32x4::ZERO) & pairs.valid).any();
            store(held, pushed, impulses);
        }
        (sum.sum(), holds)
    }

    /// Prepares the contacts of particle `i`: keeps of their old impulses what still fits, counts them, and returns the
    /// displacement by the impulses and what later corrections are divided by.
    fn prepare(&self, i: usize, neighbors: &[u32], impulses: &mut [Vec4]) -> (Vec3, Divisors) {
        let (mut diagonal, mut mixed) = (Vec3x4::default(), Vec3x4::default());
        let mut sum = Vec3x4::default();
        let mut count = 0;
        let near = f32x4::splat(NEAR * self.contact_distance);
        let kept = f32x4::splat(self.settings.contact_memory);
        for (four, impulses) in neighbors.chunks(4).zip(impulses.chunks_mut(4)) {
            let pairs = self.pairs(i, four);
            let (across, along) = load(impulses);
            let across = (across - pairs.normal * across.dot(pairs.normal)) * kept;
            let along = along * kept;
            store(across, along, impulses);
            sum += (pairs.normal * along + across) * (pairs.share * pairs.mobility);
            let touching = pairs.gap.simd_lt(near) & pairs.valid;
            let n = pairs.normal.masked(touching);
            diagonal += Vec3x4 { x: n.x * n.x, y: n.y * n.y, z: n.z * n.z };
            mixed += Vec3x4 { x: n.x * n.y, y: n.y * n.z, z: n.z * n.x };
            count += touching.to_bitmask().count_ones();
        }
        let divisors = Divisors::new(self.settings.averaging, count, diagonal.sum(), mixed.sum());
        (sum.sum(), divisors)
    }
}

/// Contacts closer than this, in particle diameters, may come to act during the sub-step.
const NEAR: f32 = 0.02;

/// Up to four impulses: across and along the normal.
#[inline(always)]
fn load(impulses: &[Vec4]) -> (Vec3x4, f32x4) {
    let row = |k: usize| impulses.get(k).copied().unwrap_or(Vec4::ZERO);
    transpose([row(0), row(1), row(2), row(3)])
}

/// Puts up to four impulses back.
#[inline(always)]
fn store(across: Vec3x4, along: f32x4, impulses: &mut [Vec4]) {
    for (to, from) in impulses.iter_mut().zip(untranspose(across, along)) {
        *to = from;
    }
}

/// A direction for two particles in the very same place: opposite for both, and different for other pairs.
fn coincident_normal(i: usize, j: usize) -> Vec3 {
    let (low, high, sign) = if i < j { (i, j, 1.0) } else { (j, i, -1.0) };
    let mut random = crate::random::Random::new(low as u64, high as u64);
    let direction = Vec3::new(random.signed(), random.signed(), random.signed());
    sign * direction.normalize_or(Vec3::Y)
}

impl State {
    /// Takes over the impulses of contacts that existed in the last sub-step, and starts from where they lead.
    pub(super) fn recall_contacts(&mut self, h: f32) {
        let count = self.particles.len();
        let mut lists = std::mem::take(self.neighbors.chunks_mut());
        let mut next = std::mem::take(&mut self.next);
        let mut divisors = std::mem::take(&mut self.divisors);
        next.resize(count, Vec4::ZERO);
        divisors.resize(count, Divisors { along: 1.0, across: 1.0 });
        let solver = PairSolver::new(self, &self.predicted, h);
        let recalls = self.frame.settings.contact_memory > 0.0;
        (&mut lists, next.par_chunks_mut(CHUNK), divisors.par_chunks_mut(CHUNK))
            .into_par_iter()
            .enumerate()
            .for_each(|(chunk, (lists, next, divisors))| {
                for (offset, (next, divisors)) in next.iter_mut().zip(divisors).enumerate() {
                    let i = chunk * CHUNK + offset;
                    let (neighbors, impulses) = lists.contacts_mut(offset);
                    if recalls {
                        self.memory.recall(i, neighbors, impulses);
                    }
                    let (displacement, own) = solver.prepare(i, neighbors, impulses);
                    *next = self.predicted[i];
                    *next += displacement.extend(0.0);
                    *divisors = own;
                }
            });
        *self.neighbors.chunks_mut() = lists;
        self.next = std::mem::replace(&mut self.predicted, next);
        self.divisors = divisors;
    }

    /// Lines 12–14: moves starting and candidate positions alike out of the overlaps at the start.
    pub(super) fn stabilize(&mut self) {
        let mut next = std::mem::take(&mut self.next);
        next.resize(self.particles.len(), Vec4::ZERO);
        let starts = &self.particles.positions;
        let solver = PairSolver::new(self, starts, 0.0);
        let radius = self.frame.settings.particle_radius;
        next.par_chunks_mut(CHUNK)
            .zip(self.neighbors.chunks())
            .zip(&self.contacts)
            .enumerate()
            .for_each(|(chunk, ((next, lists), contacts))| {
                for (offset, next) in next.iter_mut().enumerate() {
                    let i = chunk * CHUNK + offset;
                    *next = starts[i];
                    *next += solver.push_apart(i, lists.of(offset)).extend(0.0);
                }
                for contact in &contacts.contacts {
                    let start = &mut next[contact.offset as usize];
                    let surface = contact.point - contact.travel;
                    let gap = (start.xyz() - surface).dot(contact.normal) - radius;
                    if gap < 0.0 {
                        *start -= (gap * contact.normal).extend(0.0);
                    }
                }
            });
        self.predicted
            .par_iter_mut()
            .zip(&next)
            .zip(&self.particles.positions)
            .with_min_len(CHUNK)
            .for_each(|((predicted, new), old)| *predicted += *new - *old);
        self.next = std::mem::replace(&mut self.particles.positions, next);
    }

    /// Lines 18–20 for contacts between particles.
    pub(super) fn solve_particle_contacts(&mut self, h: f32) {
        let mut next = std::mem::take(&mut self.next);
        let mut touched = std::mem::take(&mut self.touched);
        let mut lists = std::mem::take(self.neighbors.chunks_mut());
        next.resize(self.particles.len(), Vec4::ZERO);
        let solver = PairSolver::new(self, &self.predicted, h);
        let starts = &self.particles.positions;
        (&mut lists, next.par_chunks_mut(CHUNK), touched.par_chunks_mut(CHUNK))
            .into_par_iter()
            .enumerate()
            .for_each(|(chunk, (lists, next, touched))| {
                for (offset, (next, touched)) in next.iter_mut().zip(touched).enumerate() {
                    let i = chunk * CHUNK + offset;
                    let (neighbors, impulses) = lists.contacts_mut(offset);
                    let (displacement, holds) = solver.solve(i, starts, neighbors, impulses);
                    *next = self.predicted[i];
                    *next += displacement.extend(0.0);
                    *touched |= holds;
                }
            });
        *self.neighbors.chunks_mut() = lists;
        self.next = std::mem::replace(&mut self.predicted, next);
        self.touched = touched;
    }

    /// Lines 18–20 for contacts with colliders. Each concerns one particle only, so they are solved one after the
    /// other, without averaging.
    pub(super) fn solve_collider_contacts(&mut self) {
        let radius = self.frame.settings.particle_radius;
        let position_friction = self.frame.settings.friction == FrictionModel::Position;
        let (frame, particles) = (&self.frame, &self.particles);
        self.predicted
            .par_chunks_mut(CHUNK)
            .zip(self.touched.par_chunks_mut(CHUNK))
            .zip(&mut self.contacts)
            .enumerate()
            .for_each(|(chunk, ((predicted, touched), contacts))| {
                for contact in &mut contacts.contacts {
                    let offset = contact.offset as usize;
                    let i = chunk * CHUNK + offset;
                    let gap = (predicted[offset].xyz() - contact.point).dot(contact.normal) - radius;
                    let pull = contact.pull + contact.normal_sum.min(0.0);
                    if gap >= pull {
                        continue;
                    }
                    let along = (-gap).max(-pull);
                    let load = (pull - gap).max(0.0);
                    touched[offset] = true;
                    let collider = &frame.colliders[contact.collider as usize].collider;
                    let surface = frame
                        .materials
                        .surface(particles.materials[i], collider.material);
                    let slip = (predicted[offset] - particles.positions[i]).xyz() - contact.travel;
                    let across = if position_friction {
                        friction(contact.normal, slip, load, surface)
                    } else {
                        Vec3::ZERO
                    };
                    contact.apply(along, across, &mut predicted[offset]);
                }
            });
    }
}

impl ColliderContact {
    #[inline]
    fn apply(&mut self, along: f32, across: Vec3, position: &mut Vec4) {
        self.normal_sum += along;
        self.friction_sum += across;
        *position += (along * self.normal + across).extend(0.0);
    }
}

