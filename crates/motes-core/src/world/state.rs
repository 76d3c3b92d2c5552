//! Saving a whole world to bytes and bringing it back: eight letters, version, length, checksum, contents.

use std::hash::Hasher;

use serde::{Deserialize, Serialize};

use crate::body::bodies::Bodies;
use crate::creature::creatures::Creatures;
use crate::emitter::Emitter;
use crate::engine::Engine;
use crate::engine::contacts::ContactMemory;
use crate::error::StateError;
use crate::particles::Particles;
use crate::particles::passive::PassiveParticles;
use crate::store::{ConstraintKind, Constraints};
use crate::tear::Index;
use crate::world::group::Group;
use crate::world::groups::check_sizes;
use crate::world::questions::Pending;
use crate::world::{Model, World};

const MAGIC: &[u8; 8] = b"MOTESTAT";
const VERSION: u32 = 25;
const HEADER: usize = 8 + 4 + 8 + 8;

#[derive(Serialize, Deserialize)]
struct Saved {
    model: Model,
    particles: Particles,
    bodies: Bodies,
    constraints: Constraints,
    contacts: ContactMemory,
    passive: PassiveParticles,
    creatures: Creatures,
}

impl World {
    /// The whole state, structure included. A world restored from it goes on byte for byte as this one does.
    pub fn save(&self) -> Vec<u8> {
        let saved = Saved {
            model: Model {
                melts: self.melts_found(),
                seen: self.seen(),
                strained: self.strains_found(),
                ..self.model.clone()
            },
            particles: self.engine.particles().clone(),
            bodies: self.engine.bodies().clone(),
            constraints: self.engine.constraints().clone(),
            contacts: self.engine.contact_memory(),
            passive: self.engine.passive().clone(),
            creatures: self.engine.creatures().cloned().unwrap_or_default(),
        };
        let mut bytes = vec![0; HEADER];
        // Writing to memory fails only for types without a known length, and there are none among these.
        bytes = postcard::to_extend(&saved, bytes).unwrap_or_default();
        if bytes.len() >= HEADER {
            let length = (bytes.len() - HEADER) as u64;
            let checksum = digest(&bytes[HEADER..]);
            bytes[..8].copy_from_slice(MAGIC);
            bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
            bytes[12..20].copy_from_slice(&length.to_le_bytes());
            bytes[20..28].copy_from_slice(&checksum.to_le_bytes());
        }
        bytes
    }

    /// A world as it was saved, on an engine of the caller's choice.
    pub fn restore(bytes: &[u8], mut engine: Box<dyn Engine>) -> Result<Self, StateError> {
        if !bytes.starts_with(MAGIC) {
            return Err(StateError::Foreign);
        }
        let Some((header, body)) = bytes.split_at_checked(HEADER) else {
            return Err(StateError::Truncated {
                found: bytes.len() as u64,
                expected: HEADER as u64,
            });
        };
        let number = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&header[at..at + 8]);
            u64::from_le_bytes(word)
        };
        let version = number(4) >> 32;
        if version != u64::from(VERSION) {
            return Err(StateError::Version {
                found: version as u32,
                expected: VERSION,
            });
        }
        if (body.len() as u64) < number(12) {
            return Err(StateError::Truncated {
                found: bytes.len() as u64,
                expected: number(12).saturating_add(HEADER as u64),
            });
        }
        if body.len() as u64 != number(12) || digest(body) != number(20) {
            return Err(StateError::Damaged);
        }
        let saved: Saved = postcard::from_bytes(body).map_err(|error| StateError::Inconsistent(error.to_string()))?;
        check(&saved)?;
        if saved.creatures.dent() && !engine.dents_creatures() {
            return Err(StateError::Unsupported {
                what: "creatures that dent",
                engine: engine.name(),
            });
        }
        engine.load(saved.particles, saved.bodies, saved.constraints, saved.contacts);
        engine.load_passive(saved.passive);
        match engine.creatures_mut() {
            Some(creatures) => *creatures = saved.creatures,
            None if saved.creatures.is_empty() => {}
            None => {
                return Err(StateError::Unsupported {
                    what: "creatures",
                    engine: engine.name(),
                });
            }
        }
        let mut model = saved.model;
        Ok(Self {
            strains: model.strained.drain(..).map(Pending::answered).collect(),
            model,
            engine,
            look: None,
            watch: None,
            sheet_index: Index::default(),
        })
    }

    /// A fingerprint of all positions, velocities and ids, and of constraints between particles and passive particles if there
    /// are any, equal only for equal bytes.
    pub fn digest(&self) -> u64 {
        let particles = self.engine.particles();
        let mut hasher = Fnv::default();
        particles.digest_properties(&mut hasher);
        let constraints = self.engine.constraints();
        for kind in ConstraintKind::ALL {
            let batch = constraints.batch(kind);
            if !batch.is_empty() {
                hasher.write(batch.states());
                hasher.write(bytemuck::cast_slice(batch.particles()));
                hasher.write(bytemuck::cast_slice(batch.weights()));
                hasher.write(bytemuck::cast_slice(batch.rest()));
                hasher.write(bytemuck::cast_slice(batch.softness()));
                hasher.write(bytemuck::cast_slice(batch.impulses()));
            }
        }
        for inside in constraints.insides() {
            let amounts = [inside.filling.amount(), inside.lost];
            hasher.write(bytemuck::cast_slice(&amounts));
        }
        let passive = self.engine.passive();
        if !passive.is_empty() {
            hasher.write(bytemuck::cast_slice(passive.positions()));
            hasher.write(bytemuck::cast_slice(passive.velocities()));
            let kinds: Vec<u8> = passive.kinds().iter().map(|&kind| kind as u8).collect();
            hasher.write(&kinds);
            hasher.write(bytemuck::cast_slice(passive.temperatures()));
        }
        hasher.finish()
    }
}

/// References between the parts of a state lead somewhere.
fn check(saved: &Saved) -> Result<(), StateError> {
    let wrong = |what: &str| Err(StateError::Inconsistent(what.into()));
    let model = &saved.model;
    if let Some((field, found, expected)) = model.settings.problem() {
        return wrong(&format!("settings: {field} is {found}, expected {expected}"));
    }
    if let Some((field, found, expected)) = model.wind.problem() {
        return wrong(&format!("wind: {field} is {found}, expected {expected}"));
    }
    if let Some((field, found, expected)) = model.foam.and_then(|foam| foam.problem()) {
        return wrong(&format!("foam: {field} is {found}, expected {expected}"));
    }
    if let Some((field, found, expected)) = model.smoke.and_then(|smoke| smoke.problem()) {
        return wrong(&format!("smoke: {field} is {found}, expected {expected}"));
    }
    let materials = model.materials.as_slice();
    if let Some((field, found, expected)) = materials.iter().find_map(|material| material.problem()) {
        return wrong(&format!("a material's {field} is {found}, expected {expected}"));
    }
    let known = |id: crate::MaterialId| (id.0 as usize) < materials.len();
    for (ids, pair) in model.materials.given_pairs() {
        if let Some((field, found, expected)) = pair.problem() {
            return wrong(&format!(
                "{field} of a pair of materials is {found}, expected {expected}"
            ));
        }
        if !ids.into_iter().all(known) {
            return wrong("a pair names a material that does not exist");
        }
    }
    let melts_of = |melt: &crate::Melt| known(melt.solid) && melt.melting.liquid.is_none_or(known);
    if !model.groups.iter().all(|(_, group)| known(group.material))
        || !model.melts.iter().all(melts_of)
        || !model
            .colliders
            .iter()
            .all(|(_, placed)| known(placed.collider.material))
        || !saved.particles.materials.iter().all(|&id| known(id))
    {
        return wrong("a material that does not exist is used");
    }
    if !model
        .colliders
        .iter()
        .all(|(_, placed)| placed.collider.surface.is_finite())
    {
        return wrong("the surface of a collider runs at no finite speed");
    }
    if !saved.passive.is_sound() {
        return wrong("passive particles have more positions than velocities, or fewer");
    }
    if !saved.bodies.is_sound() {
        return wrong("a body has members that do not exist");
    }
    if !saved.creatures.is_sound() {
        return wrong("a creature has particles that it does not have");
    }
    if !saved.constraints.is_sound() {
        return wrong("a constraint is of another kind");
    }
    let exists = |id: crate::GroupId| model.groups.get(id.index, id.generation).is_some();
    let melts =
        |melt: &crate::Melt| exists(melt.group) && melt.body.is_none_or(|body| saved.bodies.place(body).is_some());
    if !model.melts.iter().all(melts) {
        return wrong("a body that does not exist melts");
    }
    if let Some((field, found, expected)) = model.melts.iter().find_map(|melt| melt.melting.problem()) {
        return wrong(&format!(
            "the {field} of a body that melts is {found}, expected {expected}"
        ));
    }
    if let Some((found, expected)) = model.heat.iter().find_map(|zone| zone.temperature.problem()) {
        return wrong(&format!("the temperature of a zone is {found}, expected {expected}"));
    }
    let usual = model.settings.particle_radius;
    let radius = |group: Option<&Group>| group.and_then(|group| group.radius).unwrap_or(usual);
    let radii = model.groups.values().map(|group| radius(Some(group)));
    if radii.clone().any(|radius| !(radius > 0.0 && radius.is_finite())) {
        return wrong("the radius of a group is no length");
    }
    check_sizes(radii).map_err(|error| StateError::Inconsistent(error.to_string()))?;
    let group = |id: crate::GroupId| model.groups.get(id.index, id.generation);
    let problem = |emitter: &Emitter| emitter.problem(radius(group(emitter.group)));
    if let Some((field, found, expected)) = model.emitters.iter().find_map(problem) {
        return wrong(&format!("an emitter's {field} is {found}, expected {expected}"));
    }
    Ok(())
}

fn digest(bytes: &[u8]) -> u64 {
    let mut hasher = Fnv::default();
    hasher.write(bytes);
    hasher.finish()
}

/// FNV-1a over 64-bit words: the same on every machine and in every version.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            let mixed = (self.0 ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01b3);
            self.0 = mixed ^ (mixed >> 29);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
