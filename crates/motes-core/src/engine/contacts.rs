//! Contacts between particles as they are saved with a world.

use glam::{Vec3, Vec4};
use serde::{Deserialize, Serialize};

use crate::particles::ParticleId;

/// The contacts of the last sub-step: part of a world's state, because the next one starts from them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct ContactMemory {
    /// Who was in which slot.
    pub ids: Vec<ParticleId>,
    /// For each slot, the end of its contacts with higher slots in the two arrays below.
    pub ends: Vec<u32>,
    /// Slot of the other particle of each contact.
    pub others: Vec<u32>,
    /// Impulse of each contact on the particle in the lower slot, kg·m; w is how far its overlap is still undone, between 0
    /// and 1.
    pub impulses: Vec<Vec4>,
    /// Impulse that the particle in each slot received from colliders, kg·m.
    pub supports: Vec<Vec3>,
    /// Where grains turn, the couple of each contact on the particle in the lower slot over its effective radius, kg·m; else empty.
    pub couples: Vec<Vec3>,
}

#[derive(Deserialize)]
struct Unchecked {
    ids: Vec<ParticleId>,
    ends: Vec<u32>,
    others: Vec<u32>,
    impulses: Vec<Vec4>,
    supports: Vec<Vec3>,
    couples: Vec<Vec3>,
}

impl TryFrom<Unchecked> for ContactMemory {
    type Error = String;

    fn try_from(data: Unchecked) -> Result<Self, String> {
        let contacts = data.others.len();
        let in_order = data.ends.is_sorted() && data.ends.last().map_or(0, |&end| end as usize) == contacts;
        let slots = data.ids.len();
        if data.ends.len() != slots || !in_order || data.impulses.len() != contacts || data.supports.len() != slots {
            return Err("contact arrays do not fit together".into());
        }
        if !data.couples.is_empty() && data.couples.len() != contacts {
            return Err("couples of contacts do not fit together".into());
        }
        if data.others.iter().any(|&other| other as usize >= slots) {
            return Err("a contact with a particle that does not exist".into());
        }
        if data.ids.iter().any(|id| id.index as usize >= (1 << 30)) {
            return Err("a contact of a particle with an impossible id".into());
        }
        Ok(Self {
            ids: data.ids,
            ends: data.ends,
            others: data.others,
            impulses: data.impulses,
            supports: data.supports,
            couples: data.couples,
        })
    }
}
