//! Bodies that melt into grains or a liquid and freeze again, by a temperature that each has as a whole.
//!
//! Below the solidus a body is as stiff as it was made. From there on its particles collide with each other, as balls,
//! while its stiffness falls; at the liquidus they are let go and are grains or a liquid, until they are as cold as the solidus
//! again and freeze in the shape they have by then. Heat that melting takes counts as a larger heat capacity in between (the
//! apparent heat capacity of Hashemi and Sliepcevich 1967).

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::body::{BodyId, Plasticity};
use crate::heat::{HeatZone, Temperature, is_temperature, relax, surroundings};
use crate::material::MaterialId;
use crate::world::group::GroupId;

/// When and how fast a body melts. Temperatures are in °C.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Melting {
    /// Up to here it is solid, °C.
    pub solidus: f32,
    /// From here on it is grains or a liquid, °C.
    pub liquidus: f32,
    /// The liquid that it melts into; nothing, and it melts into grains, by default. Its particles keep their masses, and each takes
    /// up a cube as wide as itself: where they were a diameter apart, the volume stays too.
    pub liquid: Option<MaterialId>,
    /// Heat that it takes to melt it, J/kg; 0 by default.
    pub latent_heat: f32,
    /// Heat that warms it by a degree, J/(kg·K), with which its latent heat is compared; 1000 by default.
    pub heat_capacity: f32,
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
            liquid: None,
            latent_heat: 0.0,
            heat_capacity: 1000.0,
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

    /// Temperature, °C, after `dt` seconds in surroundings of another, exactly: what melts or freezes on the way does so more slowly by
    /// what its latent heat is to the heat that warms it from the solidus to the liquidus.
    pub fn relax(&self, temperature: f32, surroundings: f32, dt: f32) -> f32 {
        if self.latent_heat == 0.0 || temperature == surroundings {
            return relax(temperature, surroundings, self.time_constant, dt);
        }
        let span = self.liquidus - self.solidus;
        let slow = self.time_constant * (1.0 + self.latent_heat / (self.heat_capacity * span));
        let rises = surroundings > temperature;
        // The stretches of temperature on its way, each with where it ends.
        let ends = match rises {
            true => [(self.solidus, self.time_constant), (self.liquidus, slow)],
            false => [(self.liquidus, self.time_constant), (self.solidus, slow)],
        };
        let (mut temperature, mut left) = (temperature, dt);
        for (end, time_constant) in ends {
            if (end > temperature) != rises || end == temperature {
                continue;
            }
            let next = relax(temperature, surroundings, time_constant, left);
            if (next < end) == rises {
                return next;
            }
            left -= time_constant * ((temperature - surroundings) / (end - surroundings)).ln();
            temperature = end;
        }
        relax(temperature, surroundings, self.time_constant, left.max(0.0))
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
        } else if !(self.latent_heat >= 0.0 && self.latent_heat.is_finite()) {
            Some(("latent_heat", self.latent_heat.to_string(), "0 or more, J/kg"))
        } else if !(self.heat_capacity > 0.0 && self.heat_capacity.is_finite()) {
            Some((
                "heat_capacity",
                self.heat_capacity.to_string(),
                "a positive number, J/(kg·K)",
            ))
        } else {
            let (found, expected) = self.script.as_ref()?.problem()?;
            Some(("script", found, expected))
        }
    }
}

/// A body that can melt, in whatever state it is. Its group stays the same throughout; a body that freezes has a new handle. A liquid
/// freezes into as many bodies as it is in pieces: the largest keeps the group, and the others get one each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Melt {
    pub(crate) group: GroupId,
    /// The group that it was a part of at first.
    pub(crate) origin: GroupId,
    /// What it is made of while solid.
    pub(crate) solid: MaterialId,
    /// It has been liquid.
    pub(crate) cast: bool,
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
pub(crate) enum Turn {
    /// It gets soft.
    Soften,
    /// It has this share of its stiffness; if it must, it first takes the shape it has for its own.
    Bend { firmness: f32, settle: bool },
    /// It is solid again, in the shape it has.
    Harden,
    /// It turns into grains or a liquid.
    Dissolve,
    /// What it was turns into a body.
    Freeze,
}

impl Melt {
    /// What a group is, of loose particles that are solid when cold, last seen at a place, metres.
    pub(crate) fn new(group: GroupId, solid: MaterialId, place: Vec3, melting: Melting) -> Self {
        Self {
            group,
            origin: group,
            solid,
            cast: false,
            body: None,
            temperature: melting.temperature,
            melting,
            stiffness: [1.0; 2],
            plasticity: None,
            soft: false,
            cooling: false,
            place,
            found: None,
        }
    }

    /// The group of its particles.
    pub fn group(&self) -> GroupId {
        self.group
    }

    /// The group of which its particles were before they froze apart from the others; otherwise its own.
    pub fn origin(&self) -> GroupId {
        self.origin
    }

    /// Whether it was a liquid at some time: if it is a body, then in the shape of a puddle.
    pub fn is_cast(&self) -> bool {
        self.cast
    }

    /// The body it is at present; nothing while it is grains or a liquid.
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
    pub(crate) fn warm(&mut self, zones: &[HeatZone], time: f64, dt: f32) -> Option<Turn> {
        let before = self.temperature;
        self.temperature = match &self.melting.script {
            Some(script) => script.at(time),
            None => {
                let around = surroundings(zones, self.place, time);
                self.melting.relax(before, around, dt)
            }
        };
        let turned = self.temperature < before && !self.cooling;
        if self.temperature != before {
            self.cooling = self.temperature < before;
        }
        let Melting { solidus, liquidus, .. } = self.melting;
        let (cold, hot) = (self.temperature <= solidus, self.temperature >= liquidus);
        match (self.body, self.soft) {
            (None, _) => cold.then_some(Turn::Freeze),
            (Some(_), _) if hot => Some(Turn::Dissolve),
            (Some(_), true) if cold => Some(Turn::Harden),
            (Some(_), true) => Some(Turn::Bend {
                firmness: self.melting.firmness(self.temperature),
                settle: turned,
            }),
            (Some(_), false) => (!cold).then_some(Turn::Soften),
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

    /// Seconds until ice of −20 °C in a room of 20 °C is as warm as `until`, looked at every `dt` seconds.
    fn seconds_to(until: f32, dt: f32) -> f32 {
        let ice = Melting {
            latent_heat: 334e3,
            heat_capacity: 2090.0,
            ..Melting::between(-1.0, 0.0)
        };
        let (mut temperature, mut steps) = (-20.0, 0);
        while temperature < until {
            temperature = ice.relax(temperature, 20.0, dt);
            steps += 1;
        }
        steps as f32 * dt
    }

    #[test]
    fn melting_takes_as_long_as_its_latent_heat_needs() {
        // 39 degrees to the solidus, then the heat of 1 + 334/2.09 degrees at a difference of 20 to 21.
        let (to_solidus, to_liquidus) = (10.0 * (40.0f32 / 21.0).ln(), 1608.1 * (21.0f32 / 20.0).ln());
        for dt in [1.0 / 60.0, 0.3] {
            assert!((seconds_to(-1.0, dt) - to_solidus).abs() < 1.1 * dt);
            let found = seconds_to(0.0, dt);
            assert!((found - to_solidus - to_liquidus).abs() < 0.05 + dt, "{found} s");
        }
        let warm = 20.0 * (1.0 - (-0.5f32).exp());
        assert!(
            (seconds_to(warm, 0.01) - seconds_to(0.0, 0.01) - 5.0).abs() < 0.1,
            "then as before"
        );
    }

    proptest! {
        #[test]
        fn latent_heat_delays_and_never_overshoots(start in -100.0f32..200.0, around in -100.0f32..200.0, latent in 0.0f32..1e6, dt in 1e-3f32..100.0) {
            let plain = Melting::between(20.0, 60.0);
            let wax = Melting { latent_heat: latent, ..plain.clone() };
            let [slow, fast] = [&wax, &plain].map(|melting| melting.relax(start, around, dt));
            let far = (around - start).abs();
            prop_assert!((slow - around).abs() >= (fast - around).abs() - 1e-4 * far);
            prop_assert!((slow - start).abs() <= far * (1.0 + 1e-5));
            let halves = wax.relax(wax.relax(start, around, 0.5 * dt), around, 0.5 * dt);
            prop_assert!((halves - slow).abs() < 1e-3 * far + 1e-3);
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
        assert_eq!(field(&|m| m.latent_heat = -1.0), "latent_heat");
        assert_eq!(field(&|m| m.heat_capacity = 0.0), "heat_capacity");
        assert_eq!(field(&|m| m.script = Some(Temperature { keys: Vec::new() })), "script");
    }
}
