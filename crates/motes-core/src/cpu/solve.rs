//! Lines 10–22: contacts are solved for all particles at once, each gathering its own corrections.

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;
use wide::{f32x4, u32x4};

use super::collide::ColliderContact;
use super::neighbors::Impulses4;
use super::{CHUNK, State};
use crate::constraints::contact::{Coefficients4, friction, hold4, push4, share4};
use crate::constraints::relaxation;
use crate::lanes::{Vec3x4, transpose};
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
    /// Positions at the start of the sub-step, and what corrections are divided by (w).
    anchors: &'a [Vec4],
    contact_distance: f32,
    /// Mass scaling k, per metre, times the unit vector against gravity, if any.
    stack: Option<Vec3x4>,
    /// Impulse of a tensile strength of one pascal.
    grip: f32,
    /// Displacement by gravity in a sub-step, metres: times mass, the impulse that carries it.
    weight: f32,
    /// Furthest that an overlap from before the sub-step is undone in it, metres.
    separation: f32,
    friction: bool,
}

/// Four neighbours of one particle.
struct Pairs4 {
    others: [usize; 4],
    /// Set where there is a neighbour.
    valid: f32x4,
    other: Vec3x4,
    normal: Vec3x4,
    /// Distance between the surfaces, negative when they overlap.
    gap: f32x4,
    /// Sum of both inverse masses.
    mobility: f32x4,
    /// The particle's part of it: how far an impulse moves it, per kg·m; zero where there is no neighbour.
    own: f32x4,
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
            anchors: &state.anchors,
            contact_distance: distance,
            stack: (settings.mass_scaling > 0.0)
                .then(|| Vec3x4::splat(settings.mass_scaling / distance * settings.up())),
            grip: settings.grip(1.0, h),
            weight: settings.gravity.length() * h * h,
            separation: settings.separation_speed * h,
            friction: settings.friction == FrictionModel::Position,
        }
    }

    /// Particle `i` and four neighbours.
    #[inline(always)]
    fn pairs(&self, i: usize, neighbors: &[u32; 4]) -> Pairs4 {
        let others = neighbors.map(|j| j as usize);
        let valid = lanes_other_than(i as u32, neighbors);
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
        // Two pinned particles are never neighbours, so this is never zero.
        let mobility = valid.select(mass + other_mass, f32x4::ONE);
        let own = match self.stack {
            None => mass,
            Some(stack) => mobility * share4(mass, other_mass, -stack.dot(offset)),
        };
        Pairs4 {
            others,
            valid,
            other,
            normal,
            gap: distance - f32x4::splat(self.contact_distance),
            mobility,
            own: own & valid,
            coefficients,
        }
    }

    /// Displacement of particle `i` that undoes overlaps, and nothing else.
    fn push_apart(&self, i: usize, neighbors: &[[u32; 4]]) -> Vec3 {
        let mut sum = Vec3x4::default();
        for four in neighbors {
            let pairs = self.pairs(i, four);
            let overlap = (-pairs.gap).fast_max(f32x4::ZERO);
            if (overlap.simd_gt(f32x4::ZERO) & pairs.valid).any() {
                let divisor = f32x4::new(pairs.others.map(|j| self.anchors[j].w.max(self.anchors[i].w)));
                sum += pairs.normal * (overlap * pairs.own / (pairs.mobility * divisor));
            }
        }
        self.settings.relaxation * sum.sum()
    }

    /// Displacement of particle `i` by one iteration over its contacts, whose impulses are brought up to date, and
    /// whether any of them holds.
    #[inline(always)]
    fn solve(&self, i: usize, neighbors: &[[u32; 4]], impulses: &mut [Impulses4]) -> (Vec3, bool) {
        let mut sum = Vec3x4::default();
        let mut holding = f32x4::ZERO;
        let relaxation = f32x4::splat(self.settings.relaxation);
        let anchor = self.anchors[i];
        let moved = Vec3x4::splat((self.positions[i] - anchor).xyz());
        for (four, impulses) in neighbors.iter().zip(impulses) {
            let pairs = self.pairs(i, four);
            let grip = f32x4::splat(self.grip) * pairs.coefficients.cohesion;
            let idle = impulses.along.simd_eq(f32x4::ZERO) & pairs.gap.simd_ge(grip * pairs.mobility);
            if (idle | !pairs.valid).all() {
                continue;
            }
            let (other_start, divisor) = transpose(pairs.others.map(|j| self.anchors[j]));
            let divisor = divisor.fast_max(f32x4::splat(anchor.w));
            let step = relaxation / (divisor * pairs.mobility);
            let moved = moved - (pairs.other - other_start);
            let opened = moved.dot(pairs.normal);
            let error = pairs.gap.fast_max(opened - f32x4::splat(self.separation));
            let pushed = idle.select(f32x4::ZERO, push4(impulses.along, -error * step, grip));
            let mut held = Vec3x4::default();
            if self.friction {
                let slip = moved - pairs.normal * opened;
                let wanted = impulses.across - slip * (step * f32x4::splat(ACROSS));
                held = hold4(wanted, (pushed + grip).fast_max(f32x4::ZERO), &pairs.coefficients);
            }
            let change = pairs.normal * (pushed - impulses.along) + (held - impulses.across);
            sum += change * pairs.own;
            holding |= pushed.simd_ne(f32x4::ZERO) & pairs.valid;
            impulses.across = held.masked(pairs.valid);
            impulses.along = pushed & pairs.valid;
        }
        (sum.sum(), holding.any())
    }

    /// Prepares the contacts of particle `i`: keeps of their old impulses what still fits, counts them, and returns the
    /// displacement by the impulses and what later corrections are divided by.
    fn prepare(&self, i: usize, neighbors: &[[u32; 4]], impulses: &mut [Impulses4]) -> (Vec3, f32) {
        let (mut diagonal, mut mixed) = (Vec3x4::default(), Vec3x4::default());
        let mut sum = Vec3x4::default();
        let mut count = 0;
        let near = f32x4::splat(NEAR * self.contact_distance);
        let kept = f32x4::splat(self.settings.contact_memory);
        for (four, impulses) in neighbors.iter().zip(impulses) {
            let pairs = self.pairs(i, four);
            // What lasts may be taken over, growing from the weight of a grain to at most twice as much each time; the
            // impulse of an impact may not, or it would act again as a rebound.
            let most = impulses.carried + impulses.carried + f32x4::splat(self.weight) / pairs.mobility;
            let along = impulses.along;
            impulses.carried = (along * kept).fast_max(f32x4::ZERO).fast_min(most) & pairs.valid;
            let fraction = along.simd_gt(f32x4::ZERO).select(impulses.carried / along, f32x4::ZERO);
            let across = impulses.across;
            impulses.along = impulses.carried;
            impulses.across = (across - pairs.normal * across.dot(pairs.normal)) * fraction;
            sum += (pairs.normal * impulses.along + impulses.across) * pairs.own;
            let touching = pairs.gap.simd_lt(near) & pairs.valid;
            let n = pairs.normal.masked(touching);
            diagonal += Vec3x4 {
                x: n.x * n.x,
                y: n.y * n.y,
                z: n.z * n.z,
            };
            mixed += Vec3x4 {
                x: n.x * n.y,
                y: n.y * n.z,
                z: n.z * n.x,
            };
            count += touching.to_bitmask().count_ones();
        }
        let divisor = relaxation::divisor(self.settings.averaging, count, diagonal.sum(), mixed.sum());
        (sum.sum(), divisor)
    }
}

/// Contacts closer than this, in particle diameters, may come to act during the sub-step.
const NEAR: f32 = 0.02;

/// Friction acts in two directions for every contact, normals in one: it goes half as far at a time.
const ACROSS: f32 = 0.5;

/// A mask of the neighbours that are not the particle itself.
#[inline(always)]
fn lanes_other_than(i: u32, neighbors: &[u32; 4]) -> f32x4 {
    let same = u32x4::new(*neighbors).simd_eq(u32x4::splat(i));
    bytemuck::cast(!same)
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
        let mut anchors = std::mem::take(&mut self.anchors);
        next.resize(count, Vec4::ZERO);
        anchors.resize(count, Vec4::ZERO);
        let solver = PairSolver::new(self, &self.predicted, h);
        let recalls = self.frame.settings.contact_memory > 0.0;
        (&mut lists, next.par_chunks_mut(CHUNK), anchors.par_chunks_mut(CHUNK))
            .into_par_iter()
            .enumerate()
            .for_each(|(chunk, (lists, next, anchors))| {
                for (offset, (next, anchor)) in next.iter_mut().zip(anchors).enumerate() {
                    let i = chunk * CHUNK + offset;
                    let (neighbors, impulses) = lists.contacts_mut(offset);
                    if recalls {
                        self.memory.recall(i, neighbors, impulses);
                    }
                    let (displacement, divisor) = solver.prepare(i, neighbors, impulses);
                    *next = self.predicted[i] + displacement.extend(0.0);
                    *anchor = self.particles.positions[i].xyz().extend(divisor);
                }
            });
        *self.neighbors.chunks_mut() = lists;
        self.next = std::mem::replace(&mut self.predicted, next);
        self.anchors = anchors;
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
                    *next = starts[i] + solver.push_apart(i, lists.blocks(offset)).extend(0.0);
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
        (&mut self.predicted, &mut self.anchors, &next, &self.particles.positions)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(predicted, anchor, new, old)| {
                *predicted += *new - *old;
                *anchor = new.xyz().extend(anchor.w);
            });
        self.next = std::mem::replace(&mut self.particles.positions, next);
    }

    /// Lines 18–20 for contacts between particles.
    pub(super) fn solve_particle_contacts(&mut self, h: f32) {
        let mut next = std::mem::take(&mut self.next);
        let mut touched = std::mem::take(&mut self.touched);
        let mut lists = std::mem::take(self.neighbors.chunks_mut());
        next.resize(self.particles.len(), Vec4::ZERO);
        let solver = PairSolver::new(self, &self.predicted, h);
        (&mut lists, next.par_chunks_mut(CHUNK), touched.par_chunks_mut(CHUNK))
            .into_par_iter()
            .enumerate()
            .for_each(|(chunk, (lists, next, touched))| {
                for (offset, (next, touched)) in next.iter_mut().zip(touched).enumerate() {
                    let i = chunk * CHUNK + offset;
                    let (neighbors, impulses) = lists.contacts_mut(offset);
                    let (displacement, holds) = solver.solve(i, neighbors, impulses);
                    *next = self.predicted[i] + displacement.extend(0.0);
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
                    let surface = frame.materials.surface(particles.materials[i], collider.material);
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
