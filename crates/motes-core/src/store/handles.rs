//! What a world does with constraints: adding, changing, switching, removing and asking what broke.

use std::collections::HashSet;
use std::fmt::Display;

use super::batch::{Batch, FOLLOWS, IDLE, NewRow, OFF, TEARS};
use super::{ConstraintId, ConstraintKind, ConstraintState, Constraints, NewBending, NewDistance, NewFace, Softness};
use crate::body::bodies::Bodies;
use crate::body::{BodyId, NewBody};
use crate::error::WorldError;
use crate::particles::ParticleId;
use crate::world::World;

impl World {
    /// Has pairs of particles keep their distances from the next frame on; returns handles in order. Nothing is added if one
    /// is refused.
    pub fn add_distances(&mut self, new: &[NewDistance]) -> Result<Vec<ConstraintId>, WorldError> {
        for (number, distance) in new.iter().enumerate() {
            self.check_particles(number, &distance.particles)?;
            check(number, "rest length", distance.rest_length, is_length, LENGTH)?;
            check_softness(number, distance.softness)?;
            check(number, "breaking force", distance.breaking_force, is_limit, LIMIT)?;
        }
        let batch = self.engine.constraints_mut().batch_mut(ConstraintKind::Distance);
        let add = |distance: &NewDistance| {
            batch.add(NewRow {
                particles: &distance.particles,
                weights: [0.0; 4],
                rest: distance.rest_length,
                softness: distance.softness,
                breaking_force: distance.breaking_force,
                state: if distance.tears { TEARS } else { 0 },
                body: None,
            })
        };
        Ok(new.iter().map(add).collect())
    }

    /// Has pairs of particles come no further apart than their distances from the next frame on: rows that pull and never push.
    /// Otherwise as [`World::add_distances`]; their rest values read as less than zero.
    pub fn add_tethers(&mut self, new: &[NewDistance]) -> Result<Vec<ConstraintId>, WorldError> {
        for (number, tether) in new.iter().enumerate() {
            self.check_particles(number, &tether.particles)?;
            check(
                number,
                "rest length",
                tether.rest_length,
                is_reach,
                "a positive length, metres",
            )?;
            check_softness(number, tether.softness)?;
            check(number, "breaking force", tether.breaking_force, is_limit, LIMIT)?;
        }
        let batch = self.engine.constraints_mut().batch_mut(ConstraintKind::Distance);
        let add = |tether: &NewDistance| {
            batch.add(NewRow {
                particles: &tether.particles,
                weights: [0.0; 4],
                rest: -tether.rest_length,
                softness: tether.softness,
                breaking_force: tether.breaking_force,
                state: 0,
                body: None,
            })
        };
        Ok(new.iter().map(add).collect())
    }

    /// Has chains and surfaces of particles keep their curvatures from the next frame on; returns handles in order. Nothing is
    /// added if one is refused. Particles of bodies are: these have a shape of their own.
    pub fn add_bendings(&mut self, new: &[NewBending]) -> Result<Vec<ConstraintId>, WorldError> {
        let members: HashSet<ParticleId> = self.engine.body_paths().particles.iter().copied().collect();
        for (number, bending) in new.iter().enumerate() {
            let is_chain = bending.particles[2] == bending.particles[3];
            let different = if is_chain { 3 } else { 4 };
            self.check_particles(number, &bending.particles[..different])?;
            if let Some(id) = bending.particles.iter().find(|id| members.contains(id)) {
                return Err(refused(
                    number,
                    "particles",
                    id.index,
                    "particles that belong to no body",
                ));
            }
            let [a, b, c, d] = bending.weights;
            let size = bending
                .weights
                .iter()
                .fold(0.0, |size: f32, weight| size.max(weight.abs()));
            let adds_up = (a + b + c + d).abs() <= 1e-4 * size && size.is_finite();
            if !adds_up || size == 0.0 || is_chain && d != 0.0 {
                let found = format!("{:?}", bending.weights);
                return Err(refused(number, "weights", found, WEIGHTS));
            }
            check(number, "rest value", bending.rest, f32::is_finite, "a number, metres")?;
            check_softness(number, bending.softness)?;
        }
        let batch = self.engine.constraints_mut().batch_mut(ConstraintKind::Bending);
        let add = |bending: &NewBending| {
            batch.add(NewRow {
                particles: &bending.particles,
                weights: bending.weights,
                rest: bending.rest,
                softness: bending.softness,
                breaking_force: f32::INFINITY,
                state: 0,
                body: None,
            })
        };
        Ok(new.iter().map(add).collect())
    }

    /// Has the air act on triangles of particles from the next frame on; returns handles in order. Nothing is added if one is
    /// refused.
    pub fn add_faces(&mut self, new: &[NewFace]) -> Result<Vec<ConstraintId>, WorldError> {
        for (number, face) in new.iter().enumerate() {
            self.check_particles(number, &face.particles)?;
            check(number, "drag", face.drag, is_length, "0 or more")?;
            check(number, "lift", face.lift, is_length, "0 or more")?;
        }
        let batch = self.engine.constraints_mut().batch_mut(ConstraintKind::Face);
        let add = |face: &NewFace| {
            batch.add(NewRow {
                particles: &face.particles,
                weights: [face.drag, face.lift, 0.0, 0.0],
                rest: 0.0,
                softness: Softness::STIFF,
                breaking_force: f32::INFINITY,
                state: 0,
                body: None,
            })
        };
        Ok(new.iter().map(add).collect())
    }

    /// Gives a constraint another length at rest, metres; that of a bending may have a sign.
    pub fn set_rest_length(&mut self, id: ConstraintId, rest_length: f32) -> Result<(), WorldError> {
        match id.kind {
            ConstraintKind::Distance => check(id.index as usize, "rest length", rest_length, is_length, LENGTH)?,
            ConstraintKind::Face | ConstraintKind::Balloon => {
                return Err(refused(id.index as usize, "kind", id.kind.name(), "one with a length"));
            }
            ConstraintKind::Bending => {
                check(
                    id.index as usize,
                    "rest length",
                    rest_length,
                    f32::is_finite,
                    "a number, metres",
                )?;
            }
        }
        self.change_row(id, |batch, row| batch.set_rest(row, rest_length))
    }

    /// Changes how far a constraint yields.
    pub fn set_softness(&mut self, id: ConstraintId, softness: Softness) -> Result<(), WorldError> {
        if id.kind == ConstraintKind::Balloon {
            return Err(refused(
                id.index as usize,
                "kind",
                id.kind.name(),
                "one that is no balloon",
            ));
        }
        check_softness(id.index as usize, softness)?;
        self.change_row(id, |batch, row| batch.set_softness(row, softness))
    }

    /// Changes the tension at which a distance breaks, newtons; infinite for never.
    pub fn set_breaking_force(&mut self, id: ConstraintId, force: f32) -> Result<(), WorldError> {
        if id.kind != ConstraintKind::Distance {
            return Err(refused(id.index as usize, "kind", id.kind.name(), "a distance"));
        }
        check(id.index as usize, "breaking force", force, is_limit, LIMIT)?;
        self.change_row(id, |batch, row| batch.set_breaking_force(row, force))
    }

    /// Switches a constraint off, so that it does nothing, or on again.
    pub fn switch_constraint(&mut self, id: ConstraintId, on: bool) -> Result<(), WorldError> {
        self.change_row(id, |batch, row| batch.set_state(row, OFF, !on))
    }

    /// Removes constraints; handles of those that are gone are passed over. Returns how many were removed.
    pub fn remove_constraints(&mut self, ids: &[ConstraintId]) -> usize {
        let constraints = self.engine.constraints_mut();
        let before = constraints.len();
        for &id in ids {
            let batch = constraints.batch_mut(id.kind);
            if batch.place(id).is_some() {
                batch.retire(id.index, 0);
            }
        }
        before - constraints.len()
    }

    /// One constraint as it was at the end of the last frame; `None` if it is gone.
    pub fn constraint(&self, id: ConstraintId) -> Option<ConstraintState> {
        self.engine.constraints().get(id)
    }

    /// The corners of faces in their order, which change where a sheet tears; `None` for those that are gone.
    pub fn face_particles(&self, ids: &[ConstraintId]) -> Vec<Option<[ParticleId; 3]>> {
        let batch = self.engine.constraints().batch(ConstraintKind::Face);
        let corners = |&id: &ConstraintId| {
            let row = (id.kind == ConstraintKind::Face).then(|| batch.place(id)).flatten()?;
            batch.particles_of(row).try_into().ok()
        };
        ids.iter().map(corners).collect()
    }

    /// All constraints between particles, links of bodies included, as of the end of the last frame.
    pub fn constraints(&self) -> &Constraints {
        self.engine.constraints()
    }

    /// What broke since this was asked last, in the order in which it did. On a device the last frames may not have been
    /// heard of yet; what they broke is told later.
    pub fn take_broken_constraints(&mut self) -> Vec<ConstraintId> {
        self.engine.constraints_mut().take_broken()
    }

    pub(super) fn change_row(
        &mut self,
        id: ConstraintId,
        change: impl FnOnce(&mut Batch, usize),
    ) -> Result<(), WorldError> {
        let batch = self.engine.constraints_mut().batch_mut(id.kind);
        let row = batch.place(id).ok_or(WorldError::Gone("constraint"))?;
        change(batch, row);
        Ok(())
    }

    fn check_particles(&self, number: usize, particles: &[ParticleId]) -> Result<(), WorldError> {
        if !particles.iter().all(|&id| self.engine.is_alive(id)) {
            return Err(WorldError::Gone("particle of a constraint"));
        }
        let twice = |(place, id): (usize, &ParticleId)| particles[..place].contains(id);
        if let Some((_, id)) = particles.iter().enumerate().find(|&found| twice(found)) {
            return Err(refused(number, "particles", id.index, "different particles"));
        }
        Ok(())
    }

    /// Adds the links and tethers of a body that has been added.
    pub(crate) fn add_links(&mut self, body: BodyId, new: &NewBody, particles: &[ParticleId]) {
        if new.links.pairs.is_empty() && new.tethers.pairs.is_empty() {
            return;
        }
        let bodies = self.engine.body_paths();
        let state = bodies.place(body).map_or(0, |place| link_state(bodies, place));
        let batch = self.engine.constraints_mut().batch_mut(ConstraintKind::Distance);
        let mut add = |&[a, b]: &[u32; 2], stretch: f32, compliance: f32, state: u8| {
            let ends = [a as usize, b as usize];
            let [from, to] = ends.map(|member| new.positions[member]);
            batch.add(NewRow {
                particles: &ends.map(|member| particles[member]),
                weights: [0.0; 4],
                rest: stretch * from.distance(to),
                softness: Softness::Compliance(compliance),
                breaking_force: f32::INFINITY,
                state,
                body: Some(body),
            });
        };
        for pair in &new.links.pairs {
            add(pair, 1.0, new.links.compliance, state);
        }
        for pair in &new.tethers.pairs {
            add(pair, -new.tethers.stretch, 0.0, state & !FOLLOWS);
        }
    }

    /// Removes the links of a body.
    pub(crate) fn remove_links(&mut self, body: BodyId) {
        let constraints = self.engine.constraints_mut();
        if !constraints.is_empty() {
            let links: Vec<ConstraintId> = constraints.of_body(body).collect();
            self.remove_constraints(&links);
        }
    }

    /// Has the links of a body act or not, as its stiffness and motion have it.
    pub(crate) fn review_links(&mut self, body: BodyId) {
        if self.engine.constraints_mut().is_empty() {
            return;
        }
        let bodies = self.engine.body_paths();
        let Some(place) = bodies.place(body) else { return };
        let idle = link_state(bodies, place) & IDLE != 0;
        let constraints = self.engine.constraints_mut();
        let links: Vec<ConstraintId> = constraints.of_body(body).collect();
        for link in links {
            constraints
                .batch_mut(link.kind)
                .set_state(link.index as usize, IDLE, idle);
        }
    }

    /// Gives the links of a body the lengths that they have in its rest shape, and tethers at least that.
    pub(crate) fn measure_links(&mut self, body: BodyId) {
        if self.engine.constraints_mut().is_empty() {
            return;
        }
        let bodies = self.engine.bodies();
        let Some(place) = bodies.place(body) else { return };
        let members = bodies.list[place].members();
        let mut rests: Vec<(ParticleId, glam::Vec3)> = members
            .map(|member| (bodies.particles[member], bodies.rest[member].truncate()))
            .collect();
        rests.sort_unstable_by_key(|&(id, _)| id);
        let rest_of = |id: ParticleId| {
            let place = rests.binary_search_by_key(&id, |&(id, _)| id).ok()?;
            Some(rests[place].1)
        };
        let constraints = self.engine.constraints_mut();
        let links: Vec<ConstraintId> = constraints.of_body(body).collect();
        for link in links {
            let batch = constraints.batch_mut(link.kind);
            let row = link.index as usize;
            if let [Some(a), Some(b)] = [0, 1].map(|end| rest_of(batch.particles_of(row)[end])) {
                let (before, distance) = (batch.rest()[row], a.distance(b));
                batch.set_rest(row, if before < 0.0 { before.min(-distance) } else { distance });
            }
        }
    }
}

/// Bits of the state of a body's links.
fn link_state(bodies: &Bodies, place: usize) -> u8 {
    let body = &bodies.list[place];
    let flag = |is: bool, bit: u8| if is { bit } else { 0 };
    flag(body.is_rigid() || body.path.is_some(), IDLE) | flag(body.plasticity.is_some(), FOLLOWS)
}

const WEIGHTS: &str = "numbers that add up to 0, the last of a chain 0";
const LENGTH: &str = "a length of 0 or more, metres";
const LIMIT: &str = "a positive force, newtons";

fn is_length(value: f32) -> bool {
    value >= 0.0 && value.is_finite()
}

fn is_reach(value: f32) -> bool {
    value > 0.0 && value.is_finite()
}

fn is_limit(value: f32) -> bool {
    value > 0.0
}

fn check(number: usize, field: &str, value: f32, fine: fn(f32) -> bool, expected: &str) -> Result<(), WorldError> {
    if fine(value) {
        return Ok(());
    }
    Err(refused(number, field, value, expected))
}

fn check_softness(number: usize, softness: Softness) -> Result<(), WorldError> {
    let Some(expected) = softness.problem() else {
        return Ok(());
    };
    Err(refused(number, "softness", softness.value(), expected))
}

pub(super) fn refused(number: usize, field: &str, found: impl Display, expected: &str) -> WorldError {
    WorldError::Value {
        what: format!("constraint {number}"),
        field: field.into(),
        found: found.to_string(),
        expected: expected.into(),
    }
}
