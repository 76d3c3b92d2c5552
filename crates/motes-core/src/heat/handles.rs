//! What a world does about temperatures: bodies exchange heat with their surroundings, melt and freeze.

use crate::body::BodyId;
use crate::constraints::shape_match::as_share;
use crate::constraints::surface::BALL;
use crate::engine::query::{Answer, Query};
use crate::error::WorldError;
use crate::heat::melting::{Change, Melt, Melting};
use crate::heat::{HeatZone, is_temperature};
use crate::space::volume::Volume;
use crate::world::World;
use crate::world::group::GroupId;

/// Frames between two looks at where bodies are. What a look found counts from the next one on: by then an engine on a
/// device has told it without being waited for.
const LOOK_EVERY: u64 = 8;

impl World {
    /// Has a body melt and freeze by its temperature from the next frame on, with the stiffness it has at this moment while
    /// solid; or never again, so that it stays as it is. Kinematic ones do not melt.
    pub fn set_melting(&mut self, id: BodyId, melting: Option<Melting>) -> Result<(), WorldError> {
        let refuse = |field: &str, found: String, expected: &str| WorldError::Value {
            what: "melting of a body".into(),
            field: field.into(),
            found,
            expected: expected.into(),
        };
        if let Some((field, found, expected)) = melting.as_ref().and_then(Melting::problem) {
            return Err(refuse(field, found, expected));
        }
        let place = self.body_motion(id).ok_or(WorldError::Gone("body"))?.center;
        let bodies = self.engine.body_paths();
        let body = &bodies.list[bodies.place(id).ok_or(WorldError::Gone("body"))?];
        if melting.is_some() && body.path.is_some() {
            return Err(refuse("motion", "kinematic".into(), "dynamic"));
        }
        let (group, plasticity) = (body.group, body.plasticity);
        let stiffness = [body.stiffness, body.cluster_stiffness];
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
                group,
                body: Some(id),
                temperature: melting.temperature,
                melting,
                stiffness,
                plasticity,
                soft: false,
                cooling: false,
                place,
                found: None,
            }),
            (None, None) => {}
        }
        Ok(())
    }

    /// All bodies that can melt, those included that are grains at present.
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
    /// frames ago; where zones overlap, of the last one.
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
        melts.retain_mut(|melt| {
            let change = melt.warm(&self.model.heat, end, dt);
            // What has gone, or has no particles left, neither melts nor freezes.
            change.is_none_or(|change| self.change(melt, change).is_ok())
        });
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

    fn change(&mut self, melt: &mut Melt, change: Change) -> Result<(), WorldError> {
        let bodies = self.engine.body_paths();
        let place = melt.body.and_then(|id| bodies.place(id));
        if place.is_some_and(|place| bodies.list[place].path.is_some()) {
            return Ok(());
        }
        match (change, melt.body) {
            (Change::Freeze, _) => {
                // A modulus was that of clusters, which are gone.
                melt.stiffness[1] = as_share(melt.stiffness[1]);
                let body = self.solidify(melt.group, melt.stiffness[1], melt.plasticity)?;
                melt.stiffness[0] = melt.stiffness[1];
                melt.body = Some(body);
                melt.soft = false;
            }
            (Change::Dissolve, Some(body)) => {
                self.release_body(body)?;
                self.set_self_collision(melt.group, true)?;
                melt.body = None;
            }
            (Change::Soften, Some(body)) => {
                self.loosen(body)?;
                self.set_self_collision(melt.group, true)?;
                melt.soft = true;
                self.stiffen(melt, melt.melting.firmness(melt.temperature))?;
            }
            (Change::Bend { firmness, settle }, Some(body)) => {
                if settle {
                    self.adopt_shape(body)?;
                }
                self.stiffen(melt, firmness)?;
            }
            (Change::Harden, Some(body)) => {
                self.adopt_shape(body)?;
                self.set_self_collision(melt.group, false)?;
                melt.soft = false;
                self.stiffen(melt, 1.0)?;
            }
            (_, None) => {}
        }
        Ok(())
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
