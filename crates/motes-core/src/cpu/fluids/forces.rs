//! Line 26 for liquids: viscosity and vorticity. Surface tension comes before them, in `tension.rs`.

use glam::{Vec3, Vec4};
use rayon::prelude::*;

use super::density::{At, note};
use super::flow::{Confine, Curl, Share};
use crate::constraints::{tension, viscosity};
use crate::cpu::{CHUNK, State};
use crate::material::Material;
use crate::particles::phase::Phase;

impl State {
    /// What liquids do to their own velocities.
    pub(crate) fn stir(&mut self, h: f32) {
        if !self.frame.fluids || self.neighbors.particles() != self.particles.len() {
            return;
        }
        let any = |field: fn(&Material) -> f32| {
            let materials = self.frame.materials.as_slice();
            materials.iter().any(|material| field(material) > 0.0)
        };
        let [sticky, swirling] = [any(|material| material.viscosity), any(|material| material.vorticity)];
        if tension::acts(&self.frame) {
            self.contract(h);
        }
        if swirling {
            self.confine_vorticity(h);
        }
        if sticky {
            self.share_velocities(h);
        }
        if self.frame.gas {
            self.drive_gas(h);
        }
    }

    /// A property of the material of a liquid particle; `otherwise` of what is not liquid.
    pub(super) fn property(&self, slot: usize, field: fn(&Material) -> f32, otherwise: f32) -> f32 {
        if !self.particles.phases[slot].has(Phase::FLUID) {
            return otherwise;
        }
        let material = self.frame.materials.get(self.particles.materials[slot]);
        material.map_or(otherwise, field)
    }

    fn share_velocities(&mut self, h: f32) {
        let mut work = std::mem::take(&mut self.fluids);
        let settings = &self.frame.settings;
        let lattice = work.lattice(settings.smoothing_radius);
        let exchanges = viscosity::exchanges(&self.frame, &lattice, h);
        if exchanges.is_empty() {
            self.fluids = work;
            return;
        }
        note(&mut work.places, &self.predicted, |slot| {
            self.property(slot, |material| material.viscosity, -1.0)
        });
        self.find_walls(&self.predicted, At::End, lattice.wall, &mut work.walls);
        self.turn_walls_to_speeds(h, &mut work.walls);
        for scale in exchanges {
            note(&mut work.velocities, &self.particles.velocities, |_| 0.0);
            let (places, velocities, walls) = (&work.places, &work.velocities, &work.walls);
            with_mutual!(self, lattice, |mutual| self.neighbors.gather(
                &mut self.particles.velocities,
                &Share {
                    mutual,
                    places,
                    velocities,
                    walls,
                    inverse_masses: &self.predicted,
                    scale,
                    steepness: lattice.steepness,
                    volume: settings.smoothing_radius.powi(-3),
                }
            ));
        }
        self.fluids = work;
    }

    /// From how much of its surroundings walls are to how they drag a particle along.
    fn turn_walls_to_speeds(&self, h: f32, walls: &mut [Vec4]) {
        { walls.par_chunks_mut(CHUNK).zip(&self.contacts) }.for_each(|(walls, contacts)| {
            for planes in contacts.contacts.chunk_by(|a, b| a.offset == b.offset) {
                let travel: Vec3 = planes.iter().map(|plane| plane.travel).sum();
                let wall = &mut walls[planes[0].offset as usize];
                *wall = (travel / (h * planes.len() as f32)).extend(viscosity::STICKS * wall.w);
            }
        });
    }

    fn confine_vorticity(&mut self, h: f32) {
        let mut work = std::mem::take(&mut self.fluids);
        let lattice = work.lattice(self.frame.settings.smoothing_radius);
        note(&mut work.places, &self.predicted, |_| 0.0);
        note(&mut work.velocities, &self.particles.velocities, |_| 0.0);
        let mut curls = vec![Vec4::ZERO; self.predicted.len()];
        let (places, velocities) = (&work.places, &work.velocities);
        with_mutual!(self, lattice, |mutual| self.neighbors.gather(
            &mut curls,
            &Curl {
                mutual,
                places,
                velocities,
            }
        ));
        note(&mut work.places, &self.predicted, |slot| curls[slot].w);
        let strengths: Vec<f32> = (0..curls.len())
            .into_par_iter()
            .map(|slot| 2.0 * self.radius(slot) * h * self.property(slot, |material| material.vorticity, 0.0))
            .collect();
        let places = &work.places;
        with_mutual!(self, lattice, |mutual| self.neighbors.gather(
            &mut self.particles.velocities,
            &Confine {
                mutual,
                places,
                curls: &curls,
                strengths: &strengths,
            }
        ));
        self.fluids = work;
    }
}
