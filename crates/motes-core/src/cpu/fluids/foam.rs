//! Liquids give off spray, foam and bubbles, once a frame: how many each particle does, then all of them in the order of the particles.

use glam::{Vec3, Vec4, Vec4Swizzles};

use super::density::note;
use super::sums::{LANES, Mutual, eights, fetch, total, total3};
use crate::constraints::density;
use crate::cpu::State;
use crate::cpu::pairs::Gather;
use crate::foam::Foam;
use crate::foam::potentials::{Draws, OUTWARDS, Path, SURFACE, crest, per_full, trapped_air};
use crate::particles::phase::Phase;

/// Normals of surfaces (w is 1), or nothing inside liquids (w is 0).
struct Normals<'a, M> {
    mutual: M,
    /// With 0 for gas, of which liquids know nothing, and 1 for all else.
    places: &'a [Vec4],
    walls: &'a [Vec4],
}

impl<M: Mutual> Gather for Normals<'_, M> {
    type Value = Vec4;

    #[inline(always)]
    fn renew(&self, i: usize, others: &[u32], normal: &mut Vec4) {
        let mut slope = [[0.0; LANES]; 3];
        for eight in eights((i, others), self.places, self.mutual) {
            let [counts, _] = self.mutual.counts(i, &eight.slots);
            let [x, y, z] = eight.offset;
            for k in 0..LANES {
                let share = eight.w[k] * counts[k];
                let scale = share * density::slope(eight.q[k]) * eight.inverse_reach[k] * eight.inverse_reach[k];
                slope[0][k] += scale * x[k];
                slope[1][k] += scale * y[k];
                slope[2][k] += scale * z[k];
            }
        }
        let slope = total3(slope) + self.walls[i].xyz();
        let length = slope.length();
        *normal = match length > SURFACE * self.mutual.inverse_reach(i) {
            true => (slope / length).extend(1.0),
            false => Vec4::ZERO,
        };
    }
}

/// How many each particle gives off.
struct GivenOff<'a, M> {
    state: &'a State,
    foam: &'a Foam,
    mutual: M,
    places: &'a [Vec4],
    velocities: &'a [Vec4],
    normals: &'a [Vec4],
    /// What sums are divided by.
    per_full: f32,
}

impl<M: Mutual> Gather for GivenOff<'_, M> {
    type Value = u32;

    #[inline(always)]
    fn renew(&self, i: usize, others: &[u32], number: &mut u32) {
        let (state, foam) = (self.state, self.foam);
        let (velocity, normal) = (self.velocities[i].xyz(), self.normals[i]);
        if velocity.length_squared() <= foam.speed[0] * foam.speed[0] || !state.foams(i, foam) {
            *number = 0;
            return;
        }
        let outwards = normal.w > 0.0 && velocity.dot(normal.xyz()) >= OUTWARDS * velocity.length();
        let (mut meeting, mut sharpness) = ([0.0; LANES], [0.0; LANES]);
        for eight in eights((i, others), self.places, self.mutual) {
            let [counts, _] = self.mutual.counts(i, &eight.slots);
            let [u, v, w, _] = fetch(self.velocities, &eight.slots);
            let [x, y, z] = eight.offset;
            for k in 0..LANES {
                let offset = Vec3::new(x[k], y[k], z[k]);
                let share = eight.w[k] * counts[k] / self.mutual.own();
                meeting[k] += share * trapped_air(velocity - Vec3::new(u[k], v[k], w[k]), offset, eight.q[k]);
            }
            if outwards {
                let [u, v, w, is_surface] = fetch(self.normals, &eight.slots);
                for k in 0..LANES {
                    let offset = Vec3::new(x[k], y[k], z[k]);
                    let other = Vec3::new(u[k], v[k], w[k]);
                    let share = is_surface[k] * counts[k] / self.mutual.own();
                    sharpness[k] += share * crest(normal.xyz(), other, offset, eight.q[k]);
                }
            }
        }
        let [meeting, sharpness] = [meeting, sharpness].map(|sum| self.per_full * total(sum));
        let expected = foam.given_off(meeting, sharpness, velocity, state.frame.dt);
        *number = state.draws(i, foam).round(expected);
    }
}

impl State {
    /// Has liquids foam at the end of a frame, once passive particles have moved.
    pub(crate) fn give_off_foam(&mut self) {
        let Some(foam) = self.frame.foam else { return };
        let count = self.particles.len();
        if self.part[1] < 1.0 || self.neighbors.particles() != count {
            return;
        }
        let mut work = std::mem::take(&mut self.fluids);
        let smoothing = self.frame.settings.smoothing_radius;
        let lattice = work.lattice(smoothing);
        work.walls.resize(count, Vec4::ZERO);
        let phases = &self.particles.phases;
        note(&mut work.places, &self.predicted, |slot| {
            f32::from(u8::from(!phases[slot].has(Phase::GAS)))
        });
        note(&mut work.velocities, &self.particles.velocities, |_| 0.0);
        // One more, for lanes without a neighbour.
        let mut normals = vec![Vec4::ZERO; count + 1];
        let mut numbers = vec![0; count];
        let (places, velocities, walls) = (&work.places, &work.velocities, &work.walls);
        with_mutual!(self, lattice, |mutual| self
            .neighbors
            .gather(&mut normals[..count], &Normals { mutual, places, walls }));
        with_mutual!(self, lattice, |mutual| self.neighbors.gather(
            &mut numbers,
            &GivenOff {
                state: self,
                foam: &foam,
                mutual,
                places,
                velocities,
                normals: &normals,
                per_full: per_full(smoothing),
            }
        ));
        self.fluids = work;
        let all: usize = numbers.iter().map(|&number| number as usize).sum();
        let room = (foam.most as usize).saturating_sub(self.passive.len()).min(all);
        self.refused += (all - room) as u64;
        let mut passive = std::mem::take(&mut self.passive);
        let end = passive.len() + room;
        for (slot, &number) in numbers.iter().enumerate().filter(|(_, number)| **number > 0) {
            let path = Path {
                ends: [&self.particles.positions, &self.predicted].map(|places| places[slot].xyz()),
                velocity: self.particles.velocities[slot].xyz(),
                radius: self.radius(slot),
            };
            let mut draws = self.draws(slot, &foam);
            draws.unit();
            for _ in 0..number.min((end - passive.len()) as u32) {
                passive.push(path.give_off(foam.lifetime, &mut draws));
            }
        }
        self.passive = passive;
    }

    /// Whether the particle in a slot is of a liquid that foams.
    #[inline]
    fn foams(&self, slot: usize, foam: &Foam) -> bool {
        let material = self.frame.materials.get(self.particles.materials[slot]);
        let thin = material.is_some_and(|material| material.viscosity <= foam.most_viscosity);
        thin && self.particles.phases[slot].is_liquid()
    }

    #[inline]
    fn draws(&self, slot: usize, foam: &Foam) -> Draws {
        Draws::new(foam.seed, self.frame.number, self.particles.ids()[slot].index)
    }
}
