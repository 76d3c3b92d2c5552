//! Bodies that melt into grains and freeze again, by a temperature that each has as a whole.
//!
//! Below the solidus a body is as stiff as it was made. From there on its particles collide with each other, as balls,
//! while its stiffness falls; at the liquidus they are let go and are grains, until they are as cold as the solidus again
//! and freeze in the shape they have by then.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::body::{BodyId, Plasticity};
use crate::heat::{HeatZone, Temperature, is_temperature, relax, surroundings};
use crate::world::group::GroupId;

/// When and how fast a body melts. Temperatures are in °C.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Melting {
    /// Up to here it is solid, °C.
    pub solidus: f32,
    /// From here on it is grains, °C.
    pub liquidus: f32,
    /// How warm it is at the start, °C.
    pub temperature: f32,
    /// Time in which it comes 63 % of the way to the temperature of its surroundings, seconds; 10 by default.
    pub time_constant: f32,
    /// How warm it is at which time, whatever the surroundings; nothing by default.
    pub script: Option<Temperature>,
}

impl Melting {
    /// Melts between two temperatures, °C, and starts at room temperature.
    pub fn between(solidus: f32, liquidus: f32) -> Self {
        Self {
            solidus,
            liquidus,
            temperature: crate::heat::AMBIENT,
            time_constant: 10.0,
            script: None,
        }
    }

    /// The share of its stiffness that a body has left at a temperature, °C: 1 up to the solidus, 0 from the liquidus on.
    /// It falls with the fourth power of the distance to the liquidus. How far a body sags goes with the inverse of its
    /// stiffness, so that a linear law would have nothing happen until the very end.
    pub fn firmness(&self, temperature: f32) -> f32 {
        let left = (self.liquidus - temperature) / (self.liquidus - self.solidus);
        left.clamp(0.0, 1.0).powi(4)
    }

    /// What is wrong with it, if anything: the field, what was found, and what was expected.
    pub fn problem(&self) -> Option<(&'static str, String, &'static str)> {
        let not_cold = "a temperature, °C, not below absolute zero";
        if !is_temperature(self.solidus) {
            Some(("solidus", self.solidus.to_string(), not_cold))
        } else if !(is_temperature(self.liquidus) && self.liquidus > self.solidus) {
            Some((
                "liquidus",
                self.liquidus.to_string(),
                "a temperature above the solidus, °C",
            ))
        } else if !is_temperature(self.temperature) {
            Some(("temperature", self.temperature.to_string(), not_cold))
        } else if !(self.time_constant > 0.0 && self.time_constant.is_finite()) {
            Some((
                "time_constant",
                self.time_constant.to_string(),
                "a positive time, seconds",
            ))
        } else {
            let (found, expected) = self.script.as_ref()?.problem()?;
            Some(("script", found, expected))
        }
    }
}

/// A body that can melt, in whatever state it is. Its group stays the same throughout; a body that freezes has a new handle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Melt {
    pub(crate) group: GroupId,
    pub(crate) body: Option<BodyId>,
    pub(crate) melting: Melting,
    pub(crate) temperature: f32,
    /// What it has while it is solid: stiffness as a whole and of each cluster, and how it yields.
    pub(crate) stiffness: [f32; 2],
    pub(crate) plasticity: Option<Plasticity>,
    /// Its particles collide with each other.
    pub(crate) soft: bool,
    pub(crate) cooling: bool,
    /// Where it was last seen, and where it was found to be since.
    pub(crate) place: Vec3,
    pub(crate) found: Option<Vec3>,
}

/// What happens to a body because of its temperature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Change {
    /// It gets soft.
    Soften,
    /// It has this share of its stiffness; if it must, it first takes the shape it has for its own.
    Bend { firmness: f32, settle: bool },
    /// It is solid again, in the shape it has.
    Harden,
    /// It turns into grains.
    Dissolve,
    /// Its grains turn into a body.
    Freeze,
}

impl Melt {
    /// The group of its particles.
    pub fn group(&self) -> GroupId {
        self.group
    }

    /// The body it is at present; nothing while it is grains.
    pub fn body(&self) -> Option<BodyId> {
        self.body
    }

    /// Its temperature, °C.
    pub fn temperature(&self) -> f32 {
        self.temperature
    }

    /// When it melts.
    pub fn melting(&self) -> &Melting {
        &self.melting
    }

    /// Takes on the temperature it has at a time, seconds, `dt` seconds after the last; says what that does to it.
    pub(crate) fn warm(&mut self, zones: &[HeatZone], time: f64, dt: f32) -> Option<Change> {
        let before = self.temperature;
        self.temperature = match &self.melting.script {
            Some(script) => script.at(time),
            None => {
                let around = surroundings(zones, self.place, time);
                relax(before, around, self.melting.time_constant, dt)
            }
        };
        let turned = self.temperature < before && !self.cooling;
        if self.temperature != before {
            self.cooling = self.temperature < before;
        }
        let Melting { solidus, liquidus, .. } = self.melting;
        let (cold, hot) = (self.temperature <= solidus, self.temperature >= liquidus);
        match (self.body, self.soft) {
            (None, _) => cold.then_some(Change::Freeze),
            (Some(_), _) if hot => Some(Change::Dissolve),
            (Some(_), true) if cold => Some(Change::Harden),
            (Some(_), true) => Some(Change::Bend {
                firmness: self.melting.firmness(self.temperature),
                settle: turned,
            }),
            (Some(_), false) => (!cold).then_some(Change::Soften),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_body_gets_softer_as_it_gets_warmer(solidus in -100.0f32..500.0, span in 0.1f32..500.0, a in -200.0f32..1200.0, b in -200.0f32..1200.0) {
            let wax = Melting::between(solidus, solidus + span);
            let (cold, warm) = (a.min(b), a.max(b));
            prop_assert!(wax.firmness(cold) >= wax.firmness(warm));
            prop_assert!((0.0..=1.0).contains(&wax.firmness(a)));
        }
    }

    #[test]
    fn firmness_is_whole_at_the_solidus_and_nothing_at_the_liquidus() {
        let wax = Melting::between(50.0, 60.0);
        assert_eq!([50.0, 55.0, 60.0].map(|t| wax.firmness(t)), [1.0, 0.0625, 0.0]);
        assert_eq!([-50.0, 500.0].map(|t| wax.firmness(t)), [1.0, 0.0]);
    }

    #[test]
    fn melting_is_checked() {
        let fine = Melting::between(50.0, 60.0);
        assert_eq!(fine.problem(), None);
        let field = |change: &dyn Fn(&mut Melting)| {
            let mut melting = fine.clone();
            change(&mut melting);
            melting.problem().expect("a problem").0
        };
        assert_eq!(field(&|m| m.solidus = f32::NAN), "solidus");
        assert_eq!(field(&|m| m.liquidus = 50.0), "liquidus");
        assert_eq!(field(&|m| m.temperature = -300.0), "temperature");
        assert_eq!(field(&|m| m.time_constant = 0.0), "time_constant");
        assert_eq!(field(&|m| m.script = Some(Temperature { keys: Vec::new() })), "script");
    }
}
