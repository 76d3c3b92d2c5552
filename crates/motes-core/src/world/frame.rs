//! The frame around the step: who dies and is born, where colliders and kinematic bodies go, and the engine in between.

use crate::colliders::collider::{ColliderFrame, ColliderId};
use crate::emitter::{Birth, Births, Stream};
use crate::engine::{Frame, Population};
use crate::particles::NewParticle;
use crate::particles::passive::{Passive, PassiveKind, PassiveParts};
use crate::particles::phase::Phase;

use super::World;

impl World {
    /// Advances the world by `dt` seconds. Nothing happens, and no time passes, unless that is a positive number.
    pub fn step(&mut self, dt: f32) {
        if !(dt > 0.0 && dt.is_finite()) {
            return;
        }
        self.switch_due();
        self.pull_triggers();
        self.exchange_heat(dt);
        let end = self.model.time + f64::from(dt);
        for placed in self.model.colliders.values_mut() {
            if !placed.collider.motion.is_fixed() {
                placed.target = placed.collider.motion.pose(&placed.collider.initial_pose, end);
            }
        }
        self.carry(dt);
        let pulls = self.pull(dt);
        self.flex_muscles(self.model.time + f64::from(dt));
        self.inflate_until(self.model.time + f64::from(dt));
        self.cut_due();
        self.tear_strained();
        let (births, markers) = self.births(dt);
        let smoke = self.model.smoke;
        self.engine.populate(Population {
            dt,
            kill_volumes: &self.model.kill_volumes,
            births: &births,
            markers: &markers,
            most_markers: smoke.map_or(0, |smoke| smoke.most),
            lonely: smoke.map_or(f32::INFINITY, |smoke| smoke.lonely),
        });
        let pushes = self.take_pushes();
        let sizes = self.sizes();
        let (fluids, solids, gas) = (self.has_fluids(), self.has_solids(), self.has_gas());
        let mut settings = self.model.settings.clone();
        if sizes.is_none() {
            settings.particle_radius = self.common_radius();
        }
        let has_paths = self.engine.body_paths().list.iter().any(|body| body.path.is_some());
        if has_paths {
            self.drive_bodies(end);
        }
        let model = &mut self.model;
        self.engine.begin_frame(Frame {
            settings,
            sizes,
            fluids,
            solids,
            materials: model.materials.clone(),
            colliders: model
                .colliders
                .iter()
                .map(|((index, generation), placed)| ColliderFrame {
                    id: ColliderId { index, generation },
                    collider: placed.at_work(),
                    from: placed.pose,
                    to: placed.target,
                })
                .collect(),
            fields: model.fields.clone(),
            air: model.wind.at(model.time),
            pushes,
            pulls,
            foam: model.foam.filter(|_| fluids),
            gas,
            smoke,
            heat: { model.heat.iter() }
                .filter(|_| gas)
                .map(|zone| (zone.volume.clone(), zone.temperature.at(end)))
                .collect(),
            number: model.frame as u32,
            dt,
        });
        self.engine.advance(&model.settings, dt);
        self.engine.end_frame();
        self.ask_strains();
        if has_paths {
            self.end_paths();
        }
        let model = &mut self.model;
        for placed in model.colliders.values_mut() {
            placed.pose = placed.target;
        }
        model.time = end;
        model.frame += 1;
    }

    /// What the emitters give off during the next `dt` seconds: particles, and markers of smoke.
    fn births(&mut self, dt: f32) -> (Vec<NewParticle>, Vec<PassiveParts>) {
        let from = self.model.time as f32;
        let to = (self.model.time + f64::from(dt)) as f32;
        let (mut all, mut markers) = (Vec::new(), Vec::new());
        let mut births = Births::default();
        for index in 0..self.model.emitters.len() {
            let Some(radius) = self.particle_radius(self.model.emitters[index].group) else {
                continue;
            };
            let group = self.group(self.model.emitters[index].group);
            let stream = Stream {
                radius,
                is_liquid: group.is_some_and(|group| group.flags & Phase::FLUID != 0),
            };
            let emitter = &mut self.model.emitters[index];
            if !emitter.is_on {
                continue;
            }
            births.particles.clear();
            births.markers.clear();
            emitter.emit(from, to, stream, &mut births);
            let (group, lifetime, plume) = (emitter.group, emitter.lifetime, emitter.plume);
            let Some(template) = self.template(group) else {
                continue;
            };
            let temperature = plume.map_or(template.temperature, |plume| plume.temperature);
            let material = self.model.materials.get(template.material);
            let scale = material.map_or(1.0, |material| material.gravity_share(temperature));
            let gravity = scale * self.model.settings.gravity;
            let start = |birth: &Birth| {
                // The step ahead has it fly and fall for the whole of the frame. It begins on the way that leads through the opening at the
                // time of its birth, or all that is born in a frame would fall as one layer.
                let wait = dt - birth.flown;
                let position = birth.position - dt * birth.velocity + 0.5 * wait * wait * gravity;
                (position, birth.velocity - wait * gravity)
            };
            all.extend(
                births
                    .particles
                    .iter()
                    .map(start)
                    .map(|(position, velocity)| NewParticle {
                        position,
                        velocity,
                        lifetime,
                        temperature,
                        ..template
                    }),
            );
            if let Some(smoke) = &self.model.smoke {
                let lifetime = smoke.lifetime;
                markers.extend(births.markers.iter().map(start).map(|(position, velocity)| {
                    PassiveParts {
                        temperature,
                        ..Passive {
                            position,
                            velocity,
                            lifetime,
                        }
                        .of_kind(PassiveKind::Smoke)
                    }
                }));
            }
        }
        (all, markers)
    }
}
