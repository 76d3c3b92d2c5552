//! What a world does about temperatures: bodies and liquids exchange heat with their surroundings, melt and freeze.

use std::cmp::Reverse;

use glam::Vec3;

use crate::body::BodyId;
use crate::constraints::shape_match::as_share;
use crate::constraints::surface::BALL;
use crate::engine::edit::{Change, Edit};
use crate::engine::query::{Answer, Query};
use crate::error::WorldError;
use crate::heat::melting::{Melt, Melting, Turn};
use crate::heat::pieces::pieces;
use crate::heat::{HeatZone, is_temperature};
use crate::material::MaterialId;
use crate::particles::phase::Phase;
use crate::space::volume::Volume;
use crate::world::World;
use crate::world::group::GroupId;
use crate::world::questions::Centers;

/// Frames between two looks at where bodies are. What a look found counts from the next one on: by then an engine on a
/// device has told it without being waited for.
const LOOK_EVERY: u64 = 8;

/// Particles of a liquid freeze together if they are no further apart than this, in diameters: neighbours in a film, and no drops that
/// are about to fall.
const HOLDS: f32 = 1.5;

impl World {
    /// Has a body melt and freeze by its temperature from the next frame on, with the stiffness it has at this moment while
    /// solid; or never again, so that it stays as it is. Kinematic ones do not melt.
    pub fn set_melting(&mut self, id: BodyId, melting: Option<Melting>) -> Result<(), WorldError> {
        if let Some(melting) = &melting {
            self.check_melting(melting)?;
        }
        let place = self.body_motion(id).ok_or(WorldError::Gone("body"))?.center;
        let bodies = self.engine.body_paths();
        let body = &bodies.list[bodies.place(id).ok_or(WorldError::Gone("body"))?];
        if melting.is_some() && body.path.is_some() {
            return Err(refused("motion", "kinematic".into(), "dynamic"));
        }
        let (group, plasticity) = (body.group, body.plasticity);
        let stiffness = [body.stiffness, body.cluster_stiffness];
        let solid = self.group(group).ok_or(WorldError::Gone("group"))?.material;
        // What is on its way may be about somebody else who had the same group.
        self.finish_look();
        let known = self.model.melts.iter().position(|melt| melt.group == group);
        match (known, melting) {
            (Some(known), Some(melting)) => {
                let melt = &mut self.model.melts[known];
                melt.temperature = melting.temperature;
                melt.melting = melting;
            }
            (Some(known), None) => {
                self.model.melts.remove(known);
            }
            (None, Some(melting)) => self.model.melts.push(Melt {
                body: Some(id),
                stiffness,
                plasticity,
                ..Melt::new(group, solid, place, melting)
            }),
            (None, None) => {}
        }
        Ok(())
    }

    /// Has a liquid freeze by its temperature from the next frame on, into rigid bodies of another material, one for each of its
    /// pieces, which melt into it again; or never again. It has to be a group of loose particles that no emitter feeds.
    pub fn set_freezing(
        &mut self,
        group: GroupId,
        solid: MaterialId,
        melting: Option<Melting>,
    ) -> Result<(), WorldError> {
        let found = self.group(group).ok_or(WorldError::Gone("group"))?;
        let is_liquid = Phase(found.flags).is_liquid();
        let liquid = found.material;
        self.model.materials.get(solid).ok_or(WorldError::Gone("material"))?;
        if !is_liquid {
            return Err(refused("group", "no liquid".into(), "a liquid"));
        }
        if self.model.emitters.iter().any(|emitter| emitter.group == group) {
            return Err(refused(
                "group",
                "fed by an emitter".into(),
                "particles that are all there",
            ));
        }
        self.finish_look();
        self.model.melts.retain(|melt| melt.group != group);
        let Some(melting) = melting else { return Ok(()) };
        let melting = Melting {
            liquid: Some(liquid),
            ..melting
        };
        self.check_melting(&melting)?;
        let middle = self.query(Centers(vec![group])).first().map(|(_, middle)| *middle);
        self.model.melts.push(Melt {
            cast: true,
            ..Melt::new(group, solid, middle.unwrap_or_default(), melting)
        });
        Ok(())
    }

    fn check_melting(&self, melting: &Melting) -> Result<(), WorldError> {
        if let Some((field, found, expected)) = melting.problem() {
            return Err(refused(field, found, expected));
        }
        if melting
            .liquid
            .is_some_and(|liquid| self.model.materials.get(liquid).is_none())
        {
            return Err(WorldError::Gone("material"));
        }
        Ok(())
    }

    /// All bodies that can melt, those included that are grains or liquid at present.
    pub fn melts(&self) -> &[Melt] {
        &self.model.melts
    }

    /// The temperature of what a group was or is, °C, if it can melt.
    pub fn temperature(&self, group: GroupId) -> Option<f32> {
        let melt = self.model.melts.iter().find(|melt| melt.group == group)?;
        Some(melt.temperature)
    }

    /// Gives what a group was or is a temperature, °C, from which it goes on, unless a script has it otherwise.
    pub fn set_temperature(&mut self, group: GroupId, temperature: f32) -> Result<(), WorldError> {
        let melt = self.model.melts.iter_mut().find(|melt| melt.group == group);
        let melt = melt.ok_or(WorldError::Gone("group that melts"))?;
        if !is_temperature(temperature) {
            return Err(WorldError::Value {
                what: "body".into(),
                field: "temperature".into(),
                found: temperature.to_string(),
                expected: "a temperature, °C, not below absolute zero".into(),
            });
        }
        melt.temperature = temperature;
        Ok(())
    }

    /// Zones that warm and cool what is inside; elsewhere it is 20 °C.
    pub fn heat_zones(&self) -> &[HeatZone] {
        &self.model.heat
    }

    /// Replaces all zones. A body takes on the temperature of the zone that the middle of its particles is in, as of 8 to 16
    /// frames ago; where zones overlap, of the last one. Each particle of a gas takes on that of the zone it is in itself.
    pub fn set_heat_zones(&mut self, zones: Vec<HeatZone>) -> Result<(), WorldError> {
        if let Some((found, expected)) = zones.iter().find_map(|zone| zone.temperature.problem()) {
            return Err(WorldError::Value {
                what: "heat zone".into(),
                field: "temperature".into(),
                found,
                expected: expected.into(),
            });
        }
        self.model.heat = zones;
        Ok(())
    }

    /// Bodies warm or cool for `dt` seconds, and melt or freeze.
    pub(crate) fn exchange_heat(&mut self, dt: f32) {
        if self.model.melts.is_empty() {
            return;
        }
        if self.model.frame.is_multiple_of(LOOK_EVERY) {
            self.look();
        }
        let end = self.model.time + f64::from(dt);
        let mut melts = std::mem::take(&mut self.model.melts);
        let mut pieces = Vec::new();
        melts.retain_mut(|melt| {
            let change = melt.warm(&self.model.heat, end, dt);
            // What has gone, or has no particles left, neither melts nor freezes.
            change.is_none_or(|change| self.change(melt, change, &mut pieces).is_ok())
        });
        melts.append(&mut pieces);
        self.model.melts = melts;
    }

    /// Takes in where the bodies were at the last look, and looks again.
    fn look(&mut self) {
        self.finish_look();
        for melt in &mut self.model.melts {
            melt.place = melt.found.take().unwrap_or(melt.place);
        }
        let depends = |zone: &HeatZone| zone.volume != Volume::Everywhere;
        if self.model.heat.iter().any(depends) {
            let free = self.model.melts.iter().filter(|melt| melt.melting.script.is_none());
            let groups: Vec<u32> = free.map(|melt| melt.group.index).collect();
            if !groups.is_empty() {
                self.look = Some(self.ask_query(Query::Centers(groups), |answer| match answer {
                    Answer::Centers(centers) => centers,
                    _ => Vec::new(),
                }));
            }
        }
    }

    /// Takes note of what the last look found.
    pub(crate) fn finish_look(&mut self) {
        self.model.melts = self.melts_found();
        self.look = None;
    }

    /// The melts with what the last look found, which is waited for.
    pub(crate) fn melts_found(&self) -> Vec<Melt> {
        let mut melts = self.model.melts.clone();
        let found = self.look.as_ref().and_then(|look| {
            self.wait_until(look);
            look.look_at()
        });
        for (group, middle) in found.into_iter().flatten() {
            if let Some(melt) = melts.iter_mut().find(|melt| melt.group.index == group) {
                melt.found = Some(middle);
            }
        }
        melts
    }

    /// Changes a body; `pieces` are given what froze apart from it.
    fn change(&mut self, melt: &mut Melt, change: Turn, pieces: &mut Vec<Melt>) -> Result<(), WorldError> {
        let bodies = self.engine.body_paths();
        let place = melt.body.and_then(|id| bodies.place(id));
        if place.is_some_and(|place| bodies.list[place].path.is_some()) {
            return Ok(());
        }
        match (change, melt.body) {
            (Turn::Freeze, _) => {
                // A modulus was that of clusters, which are gone.
                melt.stiffness = [as_share(melt.stiffness[1]); 2];
                melt.soft = false;
                if melt.melting.liquid.is_some() {
                    pieces.extend(self.break_up(melt)?);
                    self.set_fluid(melt.group, None, melt.solid)?;
                }
                melt.body = Some(self.solidify(melt.group, melt.stiffness[1], melt.plasticity)?);
            }
            (Turn::Dissolve, Some(body)) => {
                self.release_body(body)?;
                melt.body = None;
                match melt.melting.liquid {
                    Some(liquid) => {
                        melt.solid = self.group(melt.group).map_or(melt.solid, |group| group.material);
                        melt.cast = true;
                        self.set_fluid(melt.group, Some(liquid), melt.solid)?;
                    }
                    None => self.set_self_collision(melt.group, true)?,
                }
            }
            (Turn::Soften, Some(body)) => {
                self.loosen(body)?;
                self.set_self_collision(melt.group, true)?;
                melt.soft = true;
                self.stiffen(melt, melt.melting.firmness(melt.temperature))?;
            }
            (Turn::Bend { firmness, settle }, Some(body)) => {
                if settle {
                    self.adopt_shape(body)?;
                }
                self.stiffen(melt, firmness)?;
            }
            (Turn::Harden, Some(body)) => {
                self.adopt_shape(body)?;
                self.set_self_collision(melt.group, false)?;
                melt.soft = false;
                self.stiffen(melt, 1.0)?;
            }
            (_, None) => {}
        }
        Ok(())
    }

    /// Freezes all pieces of a liquid but the largest, each in a group and to a body of its own.
    fn break_up(&mut self, melt: &Melt) -> Result<Vec<Melt>, WorldError> {
        let group = self.group(melt.group).ok_or(WorldError::Gone("group"))?.clone();
        let reach = HOLDS * 2.0 * self.particle_radius(melt.group).unwrap_or_default();
        let ids = self.group_particles(melt.group);
        let places: Vec<Vec3> = self.positions(&ids).into_iter().flatten().collect();
        let mut pieces = pieces(&places, reach);
        // The largest, of several the first.
        let largest = { 0..pieces.len() }.max_by_key(|&number| (pieces[number].len(), Reverse(number)));
        largest.map(|largest| pieces.swap_remove(largest));
        let mut melts = Vec::new();
        for piece in pieces {
            let own = self.add_group(group.clone())?;
            let phase = Change::Phase(Phase::new(own.index, group.flags, group.channels));
            let edits: Vec<Edit> = piece
                .iter()
                .map(|&number| Edit::Particle(ids[number as usize], phase))
                .collect();
            self.carry_out(&edits)?;
            self.set_fluid(own, None, melt.solid)?;
            let middle = piece.iter().map(|&number| places[number as usize]).sum::<Vec3>() / piece.len() as f32;
            melts.push(Melt {
                group: own,
                body: Some(self.solidify(own, melt.stiffness[1], melt.plasticity)?),
                place: middle,
                found: None,
                ..melt.clone()
            });
        }
        Ok(melts)
    }

    /// Gives a body a share of the stiffness it has when solid.
    fn stiffen(&mut self, melt: &Melt, firmness: f32) -> Result<(), WorldError> {
        let body = melt.body.ok_or(WorldError::Gone("body"))?;
        let place = self.engine.body_paths().place(body).ok_or(WorldError::Gone("body"))?;
        self.set_stiffness(place, melt.stiffness.map(|stiffness| stiffness * firmness));
        self.review_links(body);
        Ok(())
    }

    /// Has the particles of a body collide as balls, because its surface will no longer be where they think, and lets go of
    /// its links, which would hold it in shape at any temperature.
    fn loosen(&mut self, id: BodyId) -> Result<(), WorldError> {
        let bodies = self.engine.bodies_mut();
        let place = bodies.place(id).ok_or(WorldError::Gone("body"))?;
        let members = bodies.list[place].members();
        bodies
            .corners
            .retain(|corner| !members.contains(&(corner.member as usize)));
        bodies.fields[members].fill(BALL);
        bodies.forget_inscribed(id);
        bodies.changes += 1;
        self.remove_links(id);
        Ok(())
    }
}

fn refused(field: &str, found: String, expected: &str) -> WorldError {
    WorldError::Value {
        what: "melting".into(),
        field: field.into(),
        found,
        expected: expected.into(),
    }
}
