//! Particles as they are written to a state file, and the checks when they come back.

use serde::{Deserialize, Serialize};

use super::{Entry, GONE, Particles, SavedProperties};

#[derive(Serialize, Deserialize)]
pub(super) struct Stored {
    properties: SavedProperties,
    generations: Vec<u32>,
    free: Vec<u32>,
    resting: Vec<Vec<u32>>,
}

impl From<Particles> for Stored {
    fn from(mut particles: Particles) -> Self {
        Self {
            generations: particles.entries.iter().map(|e| e.generation).collect(),
            free: std::mem::take(&mut particles.free),
            resting: std::mem::take(&mut particles.resting).into(),
            properties: particles.save_properties(),
        }
    }
}

impl TryFrom<Stored> for Particles {
    type Error = String;

    fn try_from(stored: Stored) -> Result<Self, String> {
        let ids = stored.properties.ids.clone();
        let unused = || stored.resting.iter().flatten().chain(&stored.free);
        if stored.generations.len() != ids.len() + unused().count() || stored.resting.len() > Self::REST {
            return Err("particle ids do not add up".into());
        }
        let mut entries: Vec<Entry> = stored
            .generations
            .iter()
            .map(|&generation| Entry { slot: GONE, generation })
            .collect();
        for (slot, id) in ids.iter().enumerate() {
            match entries.get_mut(id.index as usize) {
                Some(entry) if entry.slot == GONE && entry.generation == id.generation => {
                    entry.slot = slot as u32;
                }
                _ => return Err(format!("particle id {} is used twice or unknown", id.index)),
            }
        }
        let mut seen = vec![false; entries.len()];
        for &index in unused() {
            let free = entries.get(index as usize).is_some_and(|entry| entry.slot == GONE);
            if !free || std::mem::replace(&mut seen[index as usize], true) {
                return Err(format!("particle id {index} is both free and used"));
            }
        }
        Ok(Self {
            entries,
            free: stored.free,
            resting: stored.resting.into(),
            ..Self::load_properties(stored.properties, &ids)?
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::particles::NewParticle;
    use crate::particles::phase::Phase;
    use crate::{MaterialId, ParticleId};
    use glam::Vec3;

    fn two() -> (Particles, [ParticleId; 2]) {
        let mut particles = Particles::default();
        let ids = [0.0, 1.0].map(|x| {
            particles.add(NewParticle {
                position: Vec3::new(x, 0.0, 0.0),
                velocity: Vec3::ZERO,
                inverse_mass: 1.0,
                phase: Phase::grains(0),
                material: MaterialId(0),
                lifetime: f32::INFINITY,
                rest_position: None,
                spin: None,
                orientation: crate::particles::orientation::Orientation::NONE,
                temperature: crate::heat::AMBIENT,
            })
        });
        (particles, ids)
    }

    #[test]
    fn stored_arrays_that_disagree_are_refused() {
        let (particles, _) = two();
        let mut stored = Stored::from(particles.clone());
        stored.properties.velocities.pop();
        assert!(Particles::try_from(stored).is_err());
        let mut stored = Stored::from(particles);
        stored.properties.ids[1] = stored.properties.ids[0];
        assert!(Particles::try_from(stored).is_err());
    }

    #[test]
    fn properties_by_id_are_saved_where_somebody_has_them() {
        let (mut particles, ids) = two();
        assert!(Stored::from(particles.clone()).properties.tags.is_empty());
        particles.tags.set(ids[1], 9);
        particles.retain(|slot| slot == 1);
        let back = Particles::try_from(Stored::from(particles)).expect("sound");
        assert_eq!((back.tags.get(ids[0]), back.tags.get(ids[1])), (0, 9));
    }
}
