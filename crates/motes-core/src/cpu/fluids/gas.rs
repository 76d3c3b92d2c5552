//! Line 26 for gases: they exchange heat, swirl, and are dragged along by the air about them.

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::density::{At, note};
use super::sums::{LANES, Mutual, eights, fetch, total, total3};
use crate::constraints::density::{self, Lattice};
use crate::constraints::viscosity;
use crate::cpu::pairs::Gather;
use crate::cpu::{CHUNK, State};
use crate::heat::{AMBIENT, ZONE_RATE, relax};
use crate::material::Material;
use crate::particles::phase::Phase;
use crate::smoke::forces::{dragged, openness};
use crate::smoke::swirls;

/// What a particle of a gas has about it.
#[derive(Clone, Copy, Debug, Default)]
struct Rim {
    /// How fast the part of space that is full falls along which way, 1/m.
    outwards: Vec3,
    /// What all about it weigh, in weights of a lattice.
    about: f32,
    /// How fast its vortex strength is stretched, 1/s².
    stretched: Vec3,
}

/// Looks at the surroundings of gas.
struct LookAbout<'a, M> {
    mutual: M,
    phases: &'a [Phase],
    places: &'a [Vec4],
    walls: &'a [Vec4],
    velocities: &'a [Vec4],
    /// Vortex strengths; empty where nothing swirls.
    swirls: &'a [Vec4],
    /// What makes a slope of a lattice exact.
    exact: f32,
}

impl<M: Mutual> Gather for LookAbout<'_, M> {
    type Value = Rim;

    #[inline(always)]
    fn renew(&self, i: usize, others: &[u32], rim: &mut Rim) {
        if !self.phases[i].has(Phase::GAS) {
            return;
        }
        let (swirl, before) = (self.swirls.get(i).copied(), self.velocities[i]);
        let mut sum = [0.0; LANES];
        let mut slope = [[0.0; LANES]; 3];
        let mut stretched = [[0.0; LANES]; 3];
        for eight in eights((i, others), self.places, self.mutual) {
            let [counts, _] = self.mutual.counts(i, &eight.slots);
            let [x, y, z] = eight.offset;
            for k in 0..LANES {
                sum[k] += counts[k] * density::weight(eight.q[k]);
            }
            if let Some(swirl) = swirl {
                let [u, v, w, _] = fetch(self.velocities, &eight.slots);
                for k in 0..LANES {
                    let scale =
                        counts[k] * density::slope(eight.q[k]) * eight.inverse_reach[k] * eight.inverse_reach[k];
                    slope[0][k] += scale * x[k];
                    slope[1][k] += scale * y[k];
                    slope[2][k] += scale * z[k];
                    let along = scale * (swirl.x * x[k] + swirl.y * y[k] + swirl.z * z[k]);
                    stretched[0][k] += along * (before.x - u[k]);
                    stretched[1][k] += along * (before.y - v[k]);
                    stretched[2][k] += along * (before.z - w[k]);
                }
            }
        }
        rim.about = total(sum) + self.walls[i].w;
        rim.outwards = total3(slope) + self.walls[i].xyz();
        rim.stretched = self.exact * total3(stretched);
    }
}

/// Vortex strengths turn those about them (eq. 32).
struct Turn<'a, M> {
    mutual: M,
    phases: &'a [Phase],
    places: &'a [Vec4],
    /// What passes on of the strength of each, 1/s; the last is of nobody.
    passed: &'a [Vec4],
    /// One over what the next layer weighs.
    scale: f32,
    farthest: f32,
}

impl<M: Mutual> Gather for Turn<'_, M> {
    type Value = Vec4;

    #[inline(always)]
    fn renew(&self, i: usize, others: &[u32], velocity: &mut Vec4) {
        if !self.phases[i].has(Phase::GAS) {
            return;
        }
        let own = self.passed[i];
        let mut turned = [[0.0; LANES]; 3];
        for eight in eights((i, others), self.places, self.mutual) {
            let [counts, _] = self.mutual.counts(i, &eight.slots);
            let [x, y, z] = eight.offset;
            let [u, v, w, is_gas] = fetch(self.passed, &eight.slots);
            for k in 0..LANES {
                let share = 0.5 * is_gas[k] * counts[k] * density::weight(eight.q[k]);
                let (u, v, w) = (share * (own.x + u[k]), share * (own.y + v[k]), share * (own.z + w[k]));
                turned[0][k] += v * z[k] - w * y[k];
                turned[1][k] += w * x[k] - u * z[k];
                turned[2][k] += u * y[k] - v * x[k];
            }
        }
        let most = self.farthest * 0.5 / self.mutual.inverse_reach(i);
        *velocity += (self.scale * total3(turned)).clamp_length_max(most).extend(0.0);
    }
}

/// Neighbours in a gas exchange heat.
struct Warm<'a, M> {
    mutual: M,
    /// With thermal diffusivities, m²/s, 0 in what is no gas.
    places: &'a [Vec4],
    /// Temperatures as they were (x); the last is of nobody.
    before: &'a [Vec4],
    /// Seconds, times what makes the Laplacian of a lattice exact.
    scale: f32,
    /// What shares may add up to.
    most: f32,
}

impl<M: Mutual> Gather for Warm<'_, M> {
    type Value = f32;

    #[inline(always)]
    fn renew(&self, i: usize, others: &[u32], temperature: &mut f32) {
        let own = self.places[i].w;
        if own == 0.0 {
            return;
        }
        let before = self.before[i].x;
        let mut sum = [0.0; LANES];
        let mut shares = [0.0; LANES];
        for eight in eights((i, others), self.places, self.mutual) {
            let [counts, _] = self.mutual.counts(i, &eight.slots);
            let [other, ..] = fetch(self.before, &eight.slots);
            for k in 0..LANES {
                let per_reach = eight.inverse_reach[k] * eight.inverse_reach[k];
                let share = viscosity::between(own, eight.w[k]) * counts[k] * density::slope(eight.q[k]) * per_reach;
                sum[k] += share * (other[k] - before);
                shares[k] += share;
            }
        }
        let held_back = (self.most / total(shares).max(f32::MIN_POSITIVE)).min(1.0);
        *temperature = before + self.scale * held_back * total(sum);
    }
}

impl State {
    /// What gases do to their own temperatures, vortex strengths and velocities.
    pub(super) fn drive_gas(&mut self, h: f32) {
        let of_gas = |field: fn(&Material) -> f32| {
            let materials = self.frame.materials.as_slice();
            materials
                .iter()
                .any(|material| material.is_gas && field(material) != 0.0)
        };
        let drags = of_gas(|material| material.air_drag);
        let swirls = of_gas(|material| material.baroclinity) && self.frame.settings.gravity != Vec3::ZERO;
        self.exchange_heat(h);
        if drags || swirls {
            self.roll_up(h, swirls);
        }
    }

    /// A property of the material of a particle of a gas, 0 of others.
    fn of_gas(&self, slot: usize, field: fn(&Material) -> f32) -> f32 {
        if !self.particles.phases[slot].has(Phase::GAS) {
            return 0.0;
        }
        let material = self.frame.materials.get(self.particles.materials[slot]);
        material.map_or(0.0, field)
    }

    /// Neighbours exchange heat, and all of them with their surroundings.
    fn exchange_heat(&mut self, h: f32) {
        let count = self.particles.len();
        if !self.frame.heat.is_empty() {
            self.particles.temperatures.store(count);
        }
        if !self.particles.temperatures.is_stored() {
            return;
        }
        let mut temperatures = std::mem::take(self.spares.of::<f32>());
        temperatures.clear();
        temperatures.extend_from_slice(self.particles.temperatures.values_mut(count));
        let mut work = std::mem::take(&mut self.fluids);
        let lattice = work.lattice(self.frame.settings.smoothing_radius);
        let exchanges = viscosity::exchanges_of_heat(&self.frame, &lattice, h);
        let most = viscosity::most_heat(&self.frame, &lattice);
        if !exchanges.is_empty() {
            self.find_walls(&self.predicted, At::End, lattice.wall, &mut work.walls);
            let walls = &work.walls;
            // What is as warm beyond a wall as before it takes part by having the rest exchange more.
            note(&mut work.places, &self.predicted, |slot| {
                self.of_gas(slot, |material| material.thermal_diffusivity) / (1.0 - walls[slot].w)
            });
        }
        for scale in exchanges {
            work.velocities.resize(count + 1, Vec4::ZERO);
            { work.velocities.par_iter_mut().zip(&temperatures) }
                .with_min_len(CHUNK)
                .for_each(|(before, temperature)| before.x = *temperature);
            let (places, before) = (&work.places, &work.velocities);
            with_mutual!(self, lattice, |mutual| self.neighbors.gather(
                &mut temperatures,
                &Warm {
                    mutual,
                    places,
                    before,
                    scale,
                    most,
                }
            ));
        }
        self.fluids = work;
        { temperatures.par_iter_mut().enumerate() }
            .with_min_len(CHUNK)
            .for_each(|(slot, temperature)| {
                if !self.particles.phases[slot].has(Phase::GAS) {
                    return;
                }
                let cooling = self.of_gas(slot, |material| material.cooling);
                let place = self.predicted[slot].xyz();
                let mut zones = self.frame.heat.iter().rev();
                let zone = zones.find(|(volume, _)| volume.contains(place));
                let (rate, surroundings) = match zone {
                    Some((_, warmth)) => (cooling.max(ZONE_RATE), *warmth),
                    None => (cooling, AMBIENT),
                };
                if rate > 0.0 {
                    *temperature = relax(*temperature, surroundings, 1.0 / rate, h);
                }
            });
        self.particles
            .temperatures
            .values_mut(count)
            .copy_from_slice(&temperatures);
        *self.spares.of::<f32>() = temperatures;
    }

    /// Looks how open it is about gas: there it rolls up, and the air drags at it.
    fn roll_up(&mut self, h: f32, swirls: bool) {
        let count = self.particles.len();
        let mut work = std::mem::take(&mut self.fluids);
        let lattice = work.lattice(self.frame.settings.smoothing_radius);
        note(&mut work.places, &self.predicted, |_| 0.0);
        note(&mut work.velocities, &self.particles.velocities, |_| 0.0);
        self.find_walls(&self.predicted, At::End, lattice.wall, &mut work.walls);
        if swirls {
            self.particles.swirls.store(count);
        }
        let mut rims = vec![Rim::default(); count];
        let strengths = match swirls {
            true => self.particles.swirls.values_mut(count),
            false => &mut [],
        };
        let (places, velocities, walls) = (&work.places, &work.velocities, &work.walls);
        let phases = &self.particles.phases;
        with_mutual!(self, lattice, |mutual| self.neighbors.gather(
            &mut rims,
            &LookAbout {
                mutual,
                phases,
                places,
                walls,
                velocities,
                swirls: strengths,
                exact: 0.5 * lattice.laplacian,
            }
        ));
        if swirls {
            self.swirl(h, &rims, &lattice, &mut work.velocities, &work.places);
        }
        self.drag(h, &rims, 1.0 / lattice.sum);
        self.fluids = work;
    }

    /// Vortex strength grows at rims, is stretched, and passes into motion.
    fn swirl(&mut self, h: f32, rims: &[Rim], lattice: &Lattice, passing: &mut [Vec4], places: &[Vec4]) {
        let (gravity, count) = (self.frame.settings.gravity, self.particles.len());
        let passed = swirls::passed(h);
        let mut strengths = std::mem::take(self.spares.of::<Vec4>());
        strengths.clear();
        strengths.extend_from_slice(self.particles.swirls.values_mut(count));
        (&mut strengths, &mut passing[..count], rims)
            .into_par_iter()
            .enumerate()
            .with_min_len(CHUNK)
            .for_each(|(slot, (strength, passing, rim))| {
                *passing = Vec4::ZERO;
                if !self.particles.phases[slot].has(Phase::GAS) {
                    return;
                }
                let baroclinity = self.of_gas(slot, |material| material.baroclinity);
                let grown = swirls::growth(baroclinity, rim.outwards, gravity);
                let most = swirls::most(baroclinity, 2.0 * self.radius(slot), gravity.length());
                let after = swirls::strength(strength.xyz(), rim.stretched, grown, passed, most, h);
                *strength = after.extend(strength.w);
                *passing = (passed * after).extend(1.0);
            });
        passing[count] = Vec4::ZERO;
        self.particles.swirls.values_mut(count).copy_from_slice(&strengths);
        *self.spares.of::<Vec4>() = strengths;
        let (phases, passed) = (&self.particles.phases, &*passing);
        let next_layer = lattice.wall * density::beyond(0.5 / self.frame.settings.smoothing_radius);
        with_mutual!(self, lattice, |mutual| self.neighbors.gather(
            &mut self.particles.velocities,
            &Turn {
                mutual,
                phases,
                places,
                passed,
                scale: 1.0 / next_layer,
                farthest: swirls::FARTHEST / (self.frame.settings.smoothing_radius * h),
            }
        ));
    }

    /// The air takes gas along where it is open (eq. 29).
    fn drag(&mut self, h: f32, rims: &[Rim], own: f32) {
        let (air, materials) = (&self.frame.air, self.frame.materials.as_slice());
        let particles = &mut self.particles;
        (
            &mut particles.velocities,
            &particles.phases,
            &particles.materials,
            rims,
            &self.predicted,
        )
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(velocity, phase, material, rim, place)| {
                let drag = materials
                    .get(material.0 as usize)
                    .map_or(0.0, |material| material.air_drag);
                if !phase.has(Phase::GAS) || drag == 0.0 || place.w == 0.0 {
                    return;
                }
                let wind = air.velocity_at(place.xyz());
                let part = dragged(drag, openness(rim.about, own), h);
                *velocity += (part * (wind - velocity.xyz())).extend(0.0);
            });
    }
}
