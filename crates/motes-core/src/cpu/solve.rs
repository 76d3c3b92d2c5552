//! Lines 10–22: contacts are solved for all particles at once, each gathering its own corrections.

use glam::{Mat3, Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;
use wide::f32x4;

use super::collide::{ChunkContacts, ColliderContact};
use super::neighbors::ChunkLists;
use super::{CHUNK, State};
use crate::constraints::contact::{Coefficients4, friction, friction4, separate, share4};
use crate::constraints::relaxation::{self, Averaging};
use crate::lanes::{Vec3x4, first_lanes, transpose};
use crate::material::{MaterialId, MaterialTable};
use crate::settings::{FrictionModel, Settings};

/// What contacts between particles depend on, besides the particles.
struct PairSolver<'a> {
    settings: &'a Settings,
    materials: &'a [MaterialId],
    table: &'a MaterialTable,
    /// Coefficients of all contacts, when there is only one material.
    single: Option<Coefficients4>,
    /// Positions at the start of the sub-step; `None` leaves friction out.
    starts: Option<&'a [Vec4]>,
    /// Positions to correct.
    positions: &'a [Vec4],
    contact_distance: f32,
    /// Mass scaling k, per metre, times the unit vector against gravity, if any.
    stack: Option<Vec3x4>,
    /// Distance that one pascal closes in an iteration, times mass.
    pull: f32,
}

/// Up to four contacts of one particle.
struct Contacts4 {
    others: [usize; 4],
    touching: f32x4,
    normal: Vec3x4,
    /// Distance to move apart, metres.
    along: f32x4,
    /// Load that bounds friction, metres.
    load: f32x4,
    /// The particle's share of the correction; zero where nothing touches.
    share: f32x4,
    pairs: Coefficients4,
}

impl<'a> PairSolver<'a> {
    fn new(
        state: &'a State,
        starts: Option<&'a [Vec4]>,
        positions: &'a [Vec4],
        h: f32,
    ) -> Self {
        let settings = &state.frame.settings;
        let table = &state.frame.materials;
        Self {
            settings,
            materials: &state.particles.materials,
            table,
            single: (table.as_slice().len() == 1)
                .then(|| Coefficients4::new([table.pair(MaterialId(0), MaterialId(0)); 4])),
            starts: starts.filter(|_| settings.friction == FrictionModel::Position),
            positions,
            contact_distance: settings.contact_distance(),
            stack: (settings.mass_scaling > 0.0)
                .then(|| Vec3x4::splat(settings.mass_scaling / settings.contact_distance() * settings.up())),
            pull: settings.pull(1.0, h),
        }
    }

    /// Contacts of particle `i` with up to four neighbours, if any touches.
    #[inline(always)]
    fn contacts4(&self, i: usize, neighbors: &[u32]) -> Option<Contacts4> {
        let lane = |k: usize| neighbors.get(k).map_or(i, |&j| j as usize);
        let others = [lane(0), lane(1), lane(2), lane(3)];
        let valid = first_lanes(neighbors.len());
        let own = self.positions[i];
        let (other, other_mass) = transpose(others.map(|j| self.positions[j]));
        let pairs = match &self.single {
            Some(single) => *single,
            None => Coefficients4::new(
                others.map(|j| self.table.pair(self.materials[i], self.materials[j])),
            ),
        };
        let mass = f32x4::splat(own.w);
        let pull = f32x4::splat(self.pull) * pairs.cohesion * (mass + other_mass);
        let reach = f32x4::splat(self.contact_distance) + pull;
        let offset = Vec3x4::splat(own.xyz()) - other;
        let distance_squared = offset.dot(offset);
        let touching = distance_squared.simd_lt(reach * reach) & valid;
        if !touching.any() {
            return None;
        }
        let distance = distance_squared.sqrt();
        let mut normal = offset * (f32x4::ONE / distance.fast_max(f32x4::splat(f32::MIN_POSITIVE)));
        let coincident = (distance_squared.simd_eq(f32x4::ZERO) & valid).to_bitmask();
        if coincident != 0 {
            for (k, &j) in others.iter().enumerate().filter(|(k, _)| coincident >> k & 1 == 1) {
                normal.set_lane(k, coincident_normal(i, j));
            }
        }
        let gap = distance - f32x4::splat(self.contact_distance);
        let stack = self.stack.map(|stack| -stack.dot(offset));
        Some(Contacts4 {
            others,
            touching,
            normal,
            along: (-gap).fast_max(-pull),
            load: (pull - gap).fast_max(f32x4::ZERO),
            share: share4(mass, other_mass, stack) & touching,
            pairs,
        })
    }

    /// Friction of four contacts of particle `i`, its share.
    #[inline(always)]
    fn friction4(&self, i: usize, starts: &[Vec4], contacts: &Contacts4, weight: f32x4) -> Vec3x4 {
        let (other, _) = transpose(contacts.others.map(|j| self.positions[j]));
        let (other_start, _) = transpose(contacts.others.map(|j| starts[j]));
        let slip = Vec3x4::splat((self.positions[i] - starts[i]).xyz()) - (other - other_start);
        friction4(contacts.normal, slip, contacts.load * weight, &contacts.pairs) * contacts.share
    }

    /// Displacement of particle `i` by all its contacts (eq. 13), and their number. If `pairs` is not empty, what each
    /// contact did is added there: along the normal (w) and across it (xyz).
    #[inline]
    fn solve(&self, i: usize, neighbors: &[u32], found: &mut Vec<Contacts4>, pairs: &mut [Vec4]) -> (Vec3, u32) {
        found.clear();
        let mut along = Vec3x4::default();
        let (mut diagonal, mut mixed) = (Vec3x4::default(), Vec3x4::default());
        let mut count = 0;
        let report = !pairs.is_empty();
        for four in neighbors.chunks(4) {
            if let Some(contacts) = self.contacts4(i, four) {
                along += contacts.normal * (contacts.along * contacts.share);
                let n = contacts.normal.masked(contacts.touching);
                diagonal += Vec3x4 { x: n.x * n.x, y: n.y * n.y, z: n.z * n.z };
                mixed += Vec3x4 { x: n.x * n.y, y: n.y * n.z, z: n.z * n.x };
                count += contacts.touching.to_bitmask().count_ones();
                found.push(contacts);
            }
        }
        if count == 0 {
            return (Vec3::ZERO, 0);
        }
        let divisor = relaxation::divisor(count, self.settings.averaging);
        let directions = if self.settings.averaging == Averaging::Directional && count > 1 {
            relaxation::inverse_directions(diagonal.sum(), mixed.sum())
        } else {
            Mat3::from_diagonal(Vec3::splat(1.0 / divisor))
        };
        let mut across = Vec3x4::default();
        if let Some(starts) = self.starts {
            for contacts in found.iter() {
                // What this contact moves along its normal, over what the plain average would: Coulomb's ratio is to
                // that.
                let weight = contacts.normal.dot(contacts.normal.transformed(&directions)) * f32x4::splat(divisor);
                across += self.friction4(i, starts, contacts, weight);
            }
        }
        if report {
            self.report(i, neighbors, &directions, divisor, pairs);
        }
        let relaxation = self.settings.relaxation;
        (relaxation * (directions * along.sum() + across.sum() / divisor), count)
    }

    /// Adds what each contact did to the sums of the neighbour list.
    fn report(&self, i: usize, neighbors: &[u32], directions: &Mat3, divisor: f32, pairs: &mut [Vec4]) {
        for (four, pairs) in neighbors.chunks(4).zip(pairs.chunks_mut(4)) {
            let Some(contacts) = self.contacts4(i, four) else {
                continue;
            };
            let weight = contacts.normal.dot(contacts.normal.transformed(directions));
            let along = (contacts.along * contacts.share * weight).to_array();
            let across = self.starts.map(|starts| {
                self.friction4(i, starts, &contacts, weight * f32x4::splat(divisor))
            });
            for (k, pair) in pairs.iter_mut().enumerate() {
                let across = across.map_or(Vec3::ZERO, |across| across.lane(k) / divisor);
                *pair += self.settings.relaxation * across.extend(along[k]);
            }
        }
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
    /// Lines 12–14: moves starting and candidate positions alike out of the overlaps at the start.
    pub(super) fn stabilize(&mut self) {
        let mut next = std::mem::take(&mut self.next);
        next.resize(self.particles.len(), Vec4::ZERO);
        let starts = &self.particles.positions;
        let solver = PairSolver::new(self, None, starts, 0.0);
        let radius = self.frame.settings.particle_radius;
        next.par_chunks_mut(CHUNK)
            .zip(self.neighbors.chunks())
            .zip(&self.contacts)
            .enumerate()
            .for_each(|(chunk, ((next, lists), contacts))| {
                let first = chunk * CHUNK;
                let mut found = Vec::new();
                for (offset, next) in next.iter_mut().enumerate() {
                    let i = first + offset;
                    *next = starts[i];
                    if next.w > 0.0 {
                        let (displacement, _) = solver.solve(i, lists.of(offset), &mut found, &mut []);
                        *next += displacement.extend(0.0);
                    }
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
        let mut contacts = std::mem::take(&mut self.contacts);
        next.resize(self.particles.len(), Vec4::ZERO);
        let solver = PairSolver::new(self, Some(&self.particles.positions), &self.predicted, h);
        next.par_chunks_mut(CHUNK)
            .zip(touched.par_chunks_mut(CHUNK))
            .zip(self.neighbors.chunks())
            .zip(&mut contacts)
            .enumerate()
            .for_each(|(chunk, (((next, touched), lists), contacts))| {
                solver.solve_chunk(chunk * CHUNK, next, touched, lists, contacts);
            });
        self.next = std::mem::replace(&mut self.predicted, next);
        self.touched = touched;
        self.contacts = contacts;
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
                    let Some((along, load)) = separate(gap, contact.pull) else {
                        continue;
                    };
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

impl PairSolver<'_> {
    fn solve_chunk(
        &self,
        first: usize,
        next: &mut [Vec4],
        touched: &mut [bool],
        lists: &ChunkLists,
        contacts: &mut ChunkContacts,
    ) {
        let mut found = Vec::new();
        for (offset, (next, touched)) in next.iter_mut().zip(touched).enumerate() {
            let i = first + offset;
            *next = self.positions[i];
            if next.w > 0.0 {
                let pairs = contacts.pairs.get_mut(lists.range(offset)).unwrap_or_default();
                let (displacement, count) = self.solve(i, lists.of(offset), &mut found, pairs);
                *next += displacement.extend(0.0);
                *touched |= count > 0;
            }
        }
    }
}
