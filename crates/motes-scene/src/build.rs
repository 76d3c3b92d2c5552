//! From a scene to a running world, and what pictures need to know of it.

mod carriers;
mod creatures;
mod handles;
mod sheets;

use glam::Vec3;
use motes_core::heat::AMBIENT;
use motes_core::random::Random;
use motes_core::{
    ColliderId, Engine, Group, GroupId, JointId, Melting, NewBody, NewDistance, NewJoint, ParticleId, Partner, Passive,
    Phase, Switch, Trigger, World, WorldError,
};

use crate::check::examine;
use crate::compile::{
    Plan, PlannedBodies, PlannedCollider, PlannedDistances, PlannedEmitter, PlannedFluid, PlannedFreezing,
    PlannedGrains, PlannedJoint, PlannedPart, PlannedPartner, PlannedTrigger, SizeLimits, among, compile,
};
use crate::looks::{BodyLook, COLLIDER_COLOR, ColliderLook, Looks};
use crate::model::{Channels, DrawWord};
use crate::problem::{Problem, SceneError};
use crate::scene::Scene;
use crate::stage::Stage;
use handles::Handles;

/// A world ready to run, and how its parts look.
pub struct Built {
    /// The world.
    pub world: World,
    /// Colours of its groups and colliders.
    pub looks: Looks,
    /// What a camera has to know of it.
    pub stage: Stage,
}

impl Scene {
    /// Makes the world of the scene on an engine.
    pub fn build(&self, engine: Box<dyn Engine>) -> Result<Built, SceneError> {
        self.build_within(engine, SizeLimits::default())
    }

    /// Makes the world of the scene on an engine, within limits of the caller's choice.
    pub fn build_within(&self, engine: Box<dyn Engine>, limits: SizeLimits) -> Result<Built, SceneError> {
        let mut issues = self.issues();
        let plan = compile(self, limits, &mut issues);
        self.build_planned(plan, issues.into_sorted(), engine)
    }

    /// Makes the world of the scene on an engine, and tells what [`check`](crate::check()) finds doubtful about it: both for one reading of its meshes.
    pub fn build_checked(&self, engine: Box<dyn Engine>) -> Result<(Built, Vec<Problem>), SceneError> {
        let mut issues = self.issues();
        let plan = compile(self, SizeLimits::default(), &mut issues);
        let plan = examine(self, plan, &mut issues);
        let problems = issues.into_sorted();
        let built = self.build_planned(plan, problems.clone(), engine)?;
        Ok((built, problems))
    }

    fn build_planned(&self, plan: Plan, problems: Vec<Problem>, engine: Box<dyn Engine>) -> Result<Built, SceneError> {
        if problems.iter().any(Problem::is_error) {
            return Err(SceneError::new(problems));
        }
        self.assemble(plan, engine).map_err(|(path, error)| {
            let mut issues = self.issues();
            issues.error(&path, error.to_string());
            SceneError::new(issues.into_sorted())
        })
    }

    fn assemble(&self, plan: Plan, engine: Box<dyn Engine>) -> Result<Built, (String, WorldError)> {
        let world = World::with_engine(plan.settings, engine).map_err(|error| ("solver".to_owned(), error))?;
        let mut built = Built {
            world,
            looks: Looks::default(),
            stage: Stage::default(),
        };
        let mut ids = Handles::default();
        for pair in plan.material_pairs {
            let path = format!("material_pair[{}]", pair.index);
            ids.add_pair(&mut built.world, pair).map_err(|error| (path, error))?;
        }
        for grains in plan.grains {
            let path = format!("grains[{}]", grains.index);
            let index = grains.index;
            let added = self
                .add_grains(&mut built, &ids, grains)
                .map_err(|error| (path, error))?;
            ids.grains.insert(index, added);
            ids.grain_groups
                .extend(built.looks.groups.last().map(|look| (index, look.group)));
        }
        for fluid in plan.fluids {
            let (path, index) = (fluid.path(), fluid.index);
            let group = self.add_fluid(&mut built, &ids, fluid).map_err(|error| (path, error))?;
            ids.fluid_groups.insert(index, group);
        }
        for sheet in plan.sheets {
            let (path, table) = (sheet.path(), (sheet.kind, sheet.index));
            let added = self.add_sheet(&mut built, &ids, sheet).map_err(|error| (path, error))?;
            ids.sheets.insert(table, added);
            ids.sheet_groups
                .extend(built.looks.groups.last().map(|look| (table, look.group)));
        }
        built
            .world
            .set_wind(self.wind.wind(self.seed))
            .map_err(|error| ("wind".to_owned(), error))?;
        let foam = self.foam.as_ref();
        let foam = foam.map(|table| table.foam(built.world.settings(), self.seed));
        { built.world.set_foam(foam) }.map_err(|error| ("foam".to_owned(), error))?;
        let smoke = self.smoke.as_ref();
        let smoke = smoke.map(|table| table.smoke(built.world.settings()));
        { built.world.set_smoke(smoke) }.map_err(|error| ("smoke".to_owned(), error))?;
        for markers in &plan.markers {
            let path = format!("markers[{}]", markers.index);
            let table = &self.markers[markers.index];
            let lifetime = table.lifetime.unwrap_or(self.marker_lifetime());
            add_markers(&mut built.world, &markers.places, table.velocity, lifetime).map_err(|error| (path, error))?;
        }
        for bodies in plan.bodies {
            let (path, table) = (bodies.path(), (bodies.kind, bodies.index));
            let first = built.looks.bodies.len();
            self.add_bodies(&mut built, &ids, bodies)
                .map_err(|error| (path, error))?;
            ids.bodies.insert(table, first);
        }
        for planned in plan.creatures {
            let (path, index) = (planned.path(), planned.index);
            let first = built.looks.creatures.len();
            self.add_creatures(&mut built, &ids, planned)
                .map_err(|error| (path, error))?;
            ids.creatures.insert(index, first..built.looks.creatures.len());
        }
        for collider in plan.colliders {
            let path = format!("collider[{}]", collider.index);
            let index = collider.index;
            let id = self
                .add_collider(&mut built, &ids, collider)
                .map_err(|error| (path, error))?;
            ids.colliders.insert(index, id);
        }
        for joint in plan.joints {
            let name = joint.name.clone();
            let id = add_joint(&mut built, &joint, &ids).map_err(|error| (joint.path, error))?;
            ids.joints.extend(name.map(|name| (name, id)));
        }
        for distances in plan.distances {
            add_distances(&mut built, &distances, &ids).map_err(|error| (distances.path, error))?;
        }
        for carrier in plan.carriers {
            carriers::add_carrier(&mut built, &carrier, &ids).map_err(|error| (carrier.path, error))?;
        }
        for emitter in plan.emitters {
            let path = format!("emitter[{}]", emitter.index);
            let (index, place) = (emitter.index, built.world.emitters().len());
            self.add_emitter(&mut built, &ids, emitter)
                .map_err(|error| (path, error))?;
            ids.emitters.insert(index, place);
        }
        for trigger in plan.triggers {
            let path = format!("trigger[{}]", trigger.index);
            self.add_trigger(&mut built, &ids, trigger)
                .map_err(|error| (path, error))?;
        }
        *built.world.fields_mut() = plan.fields;
        let heated = built.world.set_heat_zones(plan.heat);
        heated.map_err(|error| ("heat".to_owned(), error))?;
        *built.world.kill_volumes_mut() = plan.kill_volumes.into_iter().map(|kill| kill.volume).collect();
        let follow = plan.follow.map(|source| ids.groups(&built, source)).transpose();
        let follow = follow.map_err(|error| ("camera.follow".to_owned(), error))?;
        built.stage = Stage::new(&built.world, &built.looks, self.up.vector(), follow);
        Ok(built)
    }

    fn add_grains(
        &self,
        built: &mut Built,
        ids: &Handles,
        planned: PlannedGrains,
    ) -> Result<Vec<ParticleId>, WorldError> {
        let table = &self.grains[planned.index];
        let world = &mut built.world;
        let material = ids.material(world, &table.material, planned.material)?;
        let group = world.add_group(Group {
            flags: collision_flags(table.self_collide) | rest_flags(table.ignore_rest_overlaps),
            channels: table.channels.0,
            radius: table.radius,
            turns: table.turns && !table.ignore_rest_overlaps,
            ..Group::grains(planned.name, material)
        })?;
        let added = world.add_particles(group, &planned.centers, table.velocity)?;
        let pinned: Vec<ParticleId> = match table.pinned {
            true => added.clone(),
            false => table
                .pins
                .iter()
                .filter_map(|&pin| nearest(&planned.centers, pin, &added))
                .collect(),
        };
        let pins: Vec<(ParticleId, f32)> = pinned.into_iter().map(|id| (id, 0.0)).collect();
        world.set_inverse_masses(&pins)?;
        built.looks.add_group(group, table.color);
        Ok(added)
    }

    fn add_fluid(&self, built: &mut Built, ids: &Handles, planned: PlannedFluid) -> Result<GroupId, WorldError> {
        let table = &self.fluid[planned.index];
        let world = &mut built.world;
        let material = ids.material(world, &table.material, planned.material)?;
        let group = match planned.material.is_gas {
            true => Group::gas(planned.name, material).with_temperature(table.temperature.unwrap_or(AMBIENT)),
            false => Group::fluid(planned.name, material),
        };
        let group = world.add_group(Group {
            channels: table.channels.0,
            radius: table.radius,
            ..group
        })?;
        world.add_particles(group, &planned.centers, table.velocity)?;
        if table.markers > 0.0 {
            let seed = self.seed.wrapping_add(planned.index as u64);
            let places = among(&planned.centers, planned.radius, table.markers, seed);
            add_markers(world, &places, table.velocity, self.marker_lifetime())?;
        }
        if let Some(PlannedFreezing { melting, solid }) = planned.freezing {
            let solid = ids.material(world, &solid.0, solid.1)?;
            world.set_freezing(group, solid, Some(melting))?;
        }
        built.looks.add_group(group, table.color.or(planned.color));
        Ok(group)
    }

    /// Seconds that markers last which do not say it themselves.
    fn marker_lifetime(&self) -> f32 {
        self.smoke.as_ref().map_or(f32::INFINITY, |smoke| smoke.lifetime)
    }

    fn add_bodies(&self, built: &mut Built, ids: &Handles, planned: PlannedBodies) -> Result<(), WorldError> {
        let tables = self.bodies();
        let Some((_, _, keys)) = { tables }.find(|(kind, index, _)| (*kind, *index) == (planned.kind, planned.index))
        else {
            return Ok(());
        };
        let material = ids.material(&mut built.world, planned.kind.material(keys), planned.material)?;
        let melt = planned.liquid.as_ref();
        let liquid = melt
            .map(|(name, liquid, _)| ids.material(&mut built.world, name, *liquid))
            .transpose()?;
        let suits = planned.color.or(melt.and_then(|(.., color)| *color));
        let own = suits.unwrap_or(built.looks.next_color());
        let colors = keys.color.as_ref().map_or(vec![own], |colors| colors.0.clone());
        let mut lots = Random::new(self.seed, 3000 + planned.index as u64);
        for (copy, &pose) in planned.poses.iter().enumerate() {
            let body = built.world.add_body(NewBody {
                name: planned.name(copy),
                material,
                pose,
                melting: { planned.body.melting.clone() }.map(|melting| Melting { liquid, ..melting }),
                ..planned.body.clone()
            })?;
            let clamped: Vec<usize> = planned.clamped(copy).collect();
            if !clamped.is_empty() {
                let bodies = built.world.bodies();
                let first = bodies.place(body).map_or(0, |place| bodies.list[place].first as usize);
                let pins: Vec<(ParticleId, f32)> = { clamped.iter() }
                    .map(|number| (bodies.particles[first + number], 0.0))
                    .collect();
                built.world.set_inverse_masses(&pins)?;
            }
            let group = built.world.body_group(body).ok_or(WorldError::Gone("body"))?;
            let color = colors[lots.below(colors.len())];
            built.looks.add_group(group, Some(color));
            built.looks.bodies.push(BodyLook {
                body,
                group,
                form: planned.form.clone(),
                color,
                is_mesh: keys.draw == DrawWord::Mesh,
            });
        }
        Ok(())
    }

    fn add_collider(
        &self,
        built: &mut Built,
        ids: &Handles,
        planned: PlannedCollider,
    ) -> Result<ColliderId, WorldError> {
        let table = &self.collider[planned.index];
        let mut collider = planned.collider;
        collider.material = ids.material(&mut built.world, &table.material, planned.material)?;
        let id = built.world.add_collider(collider)?;
        built.world.switch_collider(id, planned.switches.starts_on())?;
        for (time, on) in planned.switches.times() {
            built.world.switch_at(time, Switch::Collider(id), on)?;
        }
        built.world.switch_surface(id, planned.runs.starts_on())?;
        for (time, on) in planned.runs.times() {
            built.world.switch_at(time, Switch::Surface(id), on)?;
        }
        built.looks.colliders.push(ColliderLook {
            collider: id,
            color: table.color.unwrap_or(COLLIDER_COLOR),
            opacity: table.opacity,
            visible: table.visible,
        });
        Ok(id)
    }

    fn add_trigger(&self, built: &mut Built, ids: &Handles, planned: PlannedTrigger) -> Result<(), WorldError> {
        let table = &self.trigger[planned.index];
        let mut of = Vec::new();
        for source in planned.of {
            of.extend(ids.groups(built, source)?);
        }
        let mut switches = Vec::new();
        for (what, on) in &planned.switches {
            switches.extend(ids.switches(what)?.into_iter().map(|what| (what, *on)));
        }
        built.world.add_trigger(Trigger {
            of,
            count: table.count,
            counting: planned.counting,
            kill: table.kill,
            switches,
            back_below: table.back_below,
            ..Trigger::new(planned.name, planned.region)
        })
    }

    fn add_emitter(&self, built: &mut Built, ids: &Handles, planned: PlannedEmitter) -> Result<(), WorldError> {
        let table = &self.emitter[planned.index];
        let mut emitter = planned.emitter;
        let material = ids.material(&mut built.world, &table.material, planned.material)?;
        let Channels(channels) = table.channels;
        let name = emitter.name.clone();
        let poured = match planned.is_fluid {
            true if planned.material.is_gas => Group::gas(name, material),
            true => Group::fluid(name, material),
            false => Group {
                flags: collision_flags(table.self_collide),
                turns: table.turns,
                ..Group::grains(name, material)
            },
        };
        emitter.group = built.world.add_group(Group {
            channels,
            radius: table.radius,
            ..poured
        })?;
        let group = emitter.group;
        built.world.add_emitter(emitter)?;
        built.looks.add_group(group, table.color.or(planned.color));
        Ok(())
    }
}

fn add_markers(world: &mut World, places: &[Vec3], velocity: Vec3, lifetime: f32) -> Result<(), WorldError> {
    let marker = |position: &Vec3| Passive {
        position: *position,
        velocity,
        lifetime,
    };
    world.add_smoke(&places.iter().map(marker).collect::<Vec<_>>())
}

fn add_joint(built: &mut Built, planned: &PlannedJoint, ids: &Handles) -> Result<JointId, WorldError> {
    let partner = match &planned.partner {
        PlannedPartner::World => Partner::World,
        PlannedPartner::Body(other) => Partner::Body(ids.body(built, other)?),
        PlannedPartner::Collider(index) => {
            Partner::Collider(*ids.colliders.get(index).ok_or(WorldError::Gone("collider"))?)
        }
    };
    let body = ids.body(built, &planned.body)?;
    let world = &mut built.world;
    let joint = world.add_joint(NewJoint {
        breaking_force: planned.breaking_force,
        axis: planned.axis,
        cone: planned.cone,
        ..NewJoint::new(body, partner, planned.joint)
    })?;
    world.switch_joint(joint, planned.switches.starts_on())?;
    for (time, on) in planned.switches.times() {
        world.switch_at(time, Switch::Joint(joint), on)?;
    }
    Ok(joint)
}

fn add_distances(built: &mut Built, planned: &PlannedDistances, ids: &Handles) -> Result<(), WorldError> {
    let members = |part: &PlannedPart| -> Result<Vec<ParticleId>, WorldError> {
        match part {
            PlannedPart::Grains(index) => ids.grains.get(index).cloned().ok_or(WorldError::Gone("grains")),
            PlannedPart::Sheet(kind, index) => {
                let known = ids.sheets.get(&(*kind, *index));
                known.cloned().ok_or(WorldError::Gone("cloth"))
            }
            PlannedPart::Body(body) => {
                let id = ids.body(built, body)?;
                let bodies = built.world.bodies();
                let place = bodies.place(id).ok_or(WorldError::Gone("body"))?;
                Ok(bodies.particles[bodies.list[place].members()].to_vec())
            }
        }
    };
    let [first, second] = [members(&planned.parts[0])?, members(&planned.parts[1])?];
    let rows = planned.pairs.iter().map(|&([a, b], rest_length)| NewDistance {
        softness: planned.softness,
        breaking_force: planned.breaking_force,
        ..NewDistance::new([first[a as usize], second[b as usize]], rest_length)
    });
    built.world.add_distances(&rows.collect::<Vec<_>>())?;
    Ok(())
}

/// The particle whose centre is nearest to a point.
fn nearest(centers: &[Vec3], point: Vec3, ids: &[ParticleId]) -> Option<ParticleId> {
    let distances = centers
        .iter()
        .zip(ids)
        .map(|(center, id)| (center.distance(point), *id));
    distances.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, id)| id)
}

fn rest_flags(ignore_rest_overlaps: bool) -> u32 {
    if ignore_rest_overlaps {
        Phase::IGNORE_REST_OVERLAPS
    } else {
        0
    }
}

fn collision_flags(self_collide: bool) -> u32 {
    if self_collide { Phase::SELF_COLLIDE } else { 0 }
}
