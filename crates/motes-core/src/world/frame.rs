//! The frame around the step: who dies and is born, where colliders and kinematic bodies go, and the engine in between.

use crate::colliders::collider::{ColliderFrame, ColliderId};
use crate::emitter::Stream;
use crate::engine::{Frame, Population};
use crate::particles::NewParticle;
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
        self.inflate_until(self.model.time + f64::from(dt));
        self.cut_due();
        self.tear_strained();
        let births = self.births(dt);
        self.engine.populate(Population {
            dt,
            kill_volumes: &self.model.kill_volumes,
            births: &births,
        });
        let pushes = self.take_pushes();
        let sizes = self.sizes();
        let (fluids, solids) = (self.has_fluids(), self.has_solids());
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

    /// What the emitters give off during the next `dt` seconds.
    fn births(&mut self, dt: f32) -> Vec<NewParticle> {
        let from = self.model.time as f32;
        let to = (self.model.time + f64::from(dt)) as f32;
        let mut all = Vec::new();
        let mut births = Vec::new();
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
            births.clear();
            emitter.emit(from, to, stream, &mut births);
            let (group, lifetime) = (emitter.group, emitter.lifetime);
            let Some(template) = self.template(group) else {
                continue;
            };
            let scale = self
                .model
                .materials
                .get(template.material)
                .map_or(1.0, |m| m.gravity_scale);
            let gravity = scale * self.model.settings.gravity;
            all.extend(births.iter().map(|birth| {
                // The step ahead has it fly and fall for the whole of the frame. It begins on the way that leads through the opening at the
                // time of its birth, or all that is born in a frame would fall as one layer.
                let wait = dt - birth.flown;
                NewParticle {
                    position: birth.position - dt * birth.velocity + 0.5 * wait * wait * gravity,
                    velocity: birth.velocity - wait * gravity,
                    lifetime,
                    ..template
                }
            }));
        }
        all
    }
}
