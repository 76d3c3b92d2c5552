//! Reading and writing properties of chosen particles by id.

use glam::{Vec3, Vec4Swizzles};

use crate::error::WorldError;
use crate::particles::{ParticleId, Particles};
use crate::world::World;

impl World {
    /// Positions of some particles, metres; `None` for those that are gone.
    pub fn positions(&mut self, ids: &[ParticleId]) -> Vec<Option<Vec3>> {
        self.read(ids, |particles, slot| particles.positions[slot].xyz())
    }

    /// Velocities of some particles, m/s; `None` for those that are gone.
    pub fn velocities(&mut self, ids: &[ParticleId]) -> Vec<Option<Vec3>> {
        self.read(ids, |particles, slot| particles.velocities[slot].xyz())
    }

    /// Inverse masses of some particles, 1/kg; `None` for those that are gone.
    pub fn inverse_masses(&mut self, ids: &[ParticleId]) -> Vec<Option<f32>> {
        self.read(ids, |particles, slot| particles.positions[slot].w)
    }

    /// Moves particles to new positions, metres, leaving their velocities; nothing changes if one is refused.
    pub fn set_positions(&mut self, values: &[(ParticleId, Vec3)]) -> Result<(), WorldError> {
        self.write(
            "position",
            values,
            |value| value.is_finite(),
            |particles, slot, value| {
                let inverse_mass = particles.positions[slot].w;
                particles.positions[slot] = value.extend(inverse_mass);
            },
        )
    }

    /// Gives particles new velocities, m/s; nothing changes if one is refused.
    pub fn set_velocities(&mut self, values: &[(ParticleId, Vec3)]) -> Result<(), WorldError> {
        self.write(
            "velocity",
            values,
            |value| value.is_finite(),
            |particles, slot, value| {
                particles.set_velocity(slot, value);
            },
        )
    }

    /// Gives particles new inverse masses, 1/kg; 0 pins. Nothing changes if one is refused.
    pub fn set_inverse_masses(&mut self, values: &[(ParticleId, f32)]) -> Result<(), WorldError> {
        let fine = |value: &f32| *value >= 0.0 && value.is_finite();
        self.write("inverse mass", values, fine, |particles, slot, value| {
            particles.positions[slot].w = value;
        })
    }

    fn read<T>(&mut self, ids: &[ParticleId], get: impl Fn(&Particles, usize) -> T) -> Vec<Option<T>> {
        let particles = self.particles();
        ids.iter()
            .map(|&id| particles.slot(id).map(|slot| get(particles, slot)))
            .collect()
    }

    fn write<T: Copy + std::fmt::Debug>(
        &mut self,
        field: &str,
        values: &[(ParticleId, T)],
        fine: impl Fn(&T) -> bool,
        set: impl Fn(&mut Particles, usize, T),
    ) -> Result<(), WorldError> {
        let particles = self.particles_mut();
        for (id, value) in values {
            if particles.slot(*id).is_none() {
                return Err(WorldError::Gone("particle"));
            }
            if !fine(value) {
                return Err(WorldError::Value {
                    what: format!("particle {}", id.index),
                    field: field.into(),
                    found: format!("{value:?}"),
                    expected: "a finite number, not negative for masses".into(),
                });
            }
        }
        for &(id, value) in values {
            if let Some(slot) = particles.slot(id) {
                set(particles, slot, value);
            }
        }
        Ok(())
    }
}
