//! What a world does with bodies: adding, reading, pushing, moving and removing them.

use glam::{Quat, Vec3, Vec4Swizzles};

use crate::body::bodies::Bodies;
use crate::body::{BodyId, BodyMotion, NewBody, Plasticity};
use crate::engine::BodyPush;
use crate::engine::edit::{BodyChange, Edit};
use crate::error::WorldError;
use crate::particles::NewParticle;
use crate::space::pose::Pose;
use crate::world::World;
use crate::world::group::{Group, GroupId};
use crate::world::questions::Motions;

impl World {
    /// Adds a body, with a group of its own for its particles.
    pub fn add_body(&mut self, new: NewBody) -> Result<BodyId, WorldError> {
        new.check()?;
        let group = self.add_group(Group {
            name: new.name.clone(),
            material: new.material,
            flags: 0,
            channels: new.channels,
            radius: new.radius,
            turns: false,
            temperature: crate::heat::AMBIENT,
        })?;
        let template = self.template(group).ok_or(WorldError::Gone("group"))?;
        let mass: f32 = new.masses.iter().sum();
        let weighted = new.positions.iter().zip(&new.masses);
        let center = new
            .pose
            .point(weighted.map(|(&position, &mass)| position * mass).sum::<Vec3>() / mass);
        let members = new.positions.iter().zip(&new.masses).map(|(&position, &mass)| {
            let position = new.pose.point(position);
            NewParticle {
                position,
                velocity: new.velocity + new.angular_velocity.cross(position - center),
                inverse_mass: if new.kinematic { 0.0 } else { 1.0 / mass },
                ..template
            }
        });
        let ids = self.engine.add(&members.collect::<Vec<_>>());
        let id = self.engine.bodies_mut().add(group, &new, &ids);
        self.fill_out(id, group);
        self.add_links(id, &new, &ids);
        if new.melting.is_some() {
            self.set_melting(id, new.melting)?;
        }
        if !new.motion.is_fixed() {
            self.set_body_motion(id, new.motion)?;
        }
        Ok(id)
    }

    /// Removes a body and its particles.
    pub fn remove_body(&mut self, id: BodyId) -> Result<(), WorldError> {
        let group = self.release_body(id)?;
        // Whoever removed the group before has left nothing to remove.
        if self.model.groups.get(group.index, group.generation).is_some() {
            self.remove_group(group)?;
        }
        Ok(())
    }

    /// Lets the particles of a body go: they stay in its group, and become grains that collide with each other too. From
    /// there on no temperature does anything to them.
    pub fn dissolve_body(&mut self, id: BodyId) -> Result<GroupId, WorldError> {
        let group = self.release_body(id)?;
        self.model.melts.retain(|melt| melt.group != group);
        self.set_self_collision(group, true)?;
        self.set_turning(group, true)?;
        Ok(group)
    }

    /// Makes a rigid body of all particles of a group, in the shape they have at this moment: what was dissolved freezes,
    /// and does not melt.
    pub fn solidify_group(&mut self, group: GroupId) -> Result<BodyId, WorldError> {
        let body = self.solidify(group, 1.0, None)?;
        self.model.melts.retain(|melt| melt.group != group);
        Ok(body)
    }

    /// The same with a stiffness, and a way to yield.
    pub(crate) fn solidify(
        &mut self,
        group: GroupId,
        stiffness: f32,
        plasticity: Option<Plasticity>,
    ) -> Result<BodyId, WorldError> {
        let (name, material, channels) = match self.group(group) {
            Some(found) => (found.name.clone(), found.material, found.channels),
            None => return Err(WorldError::Gone("group")),
        };
        let taken = self.engine.bodies().list.iter().any(|body| body.group == group);
        let ids = self.group_particles(group);
        let (positions, inverse_masses) = (self.positions(&ids), self.inverse_masses(&ids));
        let positions: Vec<Vec3> = positions.into_iter().flatten().collect();
        let masses: Vec<f32> = inverse_masses
            .into_iter()
            .flatten()
            .map(|inverse| 1.0 / inverse)
            .collect();
        let new = NewBody {
            channels,
            stiffness,
            plasticity,
            ..NewBody::new(name, material, positions, masses)
        };
        if taken {
            return Err(WorldError::Value {
                what: format!("group \"{}\"", new.name),
                field: "particles".into(),
                found: "a body".into(),
                expected: "loose particles".into(),
            });
        }
        new.check()?;
        self.set_fluid(group, None, material)?;
        self.set_self_collision(group, false)?;
        self.set_turning(group, false)?;
        let id = self.engine.bodies_mut().add(group, &new, &ids);
        self.fill_out(id, group);
        Ok(id)
    }

    /// Has a body resist turning as its particles do.
    fn fill_out(&mut self, id: BodyId, group: GroupId) {
        let radius = self.particle_radius(group).unwrap_or(self.settings().particle_radius);
        let bodies = self.engine.bodies_mut();
        if let Some(place) = bodies.place(id) {
            bodies.list[place].fill_out(radius);
        }
    }

    pub(crate) fn release_body(&mut self, id: BodyId) -> Result<GroupId, WorldError> {
        let bodies = self.engine.bodies_mut();
        let place = bodies.place(id).ok_or(WorldError::Gone("body"))?;
        let group = bodies.list[place].group;
        bodies.remove(place);
        self.remove_links(id);
        Ok(group)
    }

    /// All bodies, as the engine keeps them.
    pub fn bodies(&self) -> &Bodies {
        self.engine.bodies()
    }

    /// The group of a body's particles.
    pub fn body_group(&self, id: BodyId) -> Option<GroupId> {
        let bodies = self.engine.bodies();
        Some(bodies.list[bodies.place(id)?].group)
    }

    /// Where a body is and how it moves; `None` if it is gone, or all of its particles are.
    /// Reads all particles back from a device; [`Motions`] asks for some bodies only.
    pub fn body_motion(&self, id: BodyId) -> Option<BodyMotion> {
        self.engine.bodies().motion(id, self.engine.particles())
    }

    /// Positions of a body's particles, metres, in the order they were given; `None` for those that are gone.
    pub fn body_positions(&self, id: BodyId) -> Option<Vec<Option<Vec3>>> {
        let (bodies, particles) = (self.engine.bodies(), self.engine.particles());
        let body = &bodies.list[bodies.place(id)?];
        let ids = bodies.particles[body.members()].iter();
        Some(
            ids.map(|&id| particles.slot(id).map(|slot| particles.positions[slot].xyz()))
                .collect(),
        )
    }

    /// Pushes on a body for the whole of the next frame: a force, newtons, at a point of the world, metres.
    pub fn push_body(&mut self, id: BodyId, force: Vec3, point: Vec3) -> Result<(), WorldError> {
        let motion = self.motion_now(id)?;
        finite("force", force)?;
        finite("point", point)?;
        self.model
            .pushes
            .push((id, force, (point - motion.center).cross(force)));
        Ok(())
    }

    /// Turns a body for the whole of the next frame by a torque, newton metres.
    pub fn twist_body(&mut self, id: BodyId, torque: Vec3) -> Result<(), WorldError> {
        self.engine.body_paths().place(id).ok_or(WorldError::Gone("body"))?;
        finite("torque", torque)?;
        self.model.pushes.push((id, Vec3::ZERO, torque));
        Ok(())
    }

    /// Gives a body an impulse, N·s, at a point of the world, metres. Like the other edits of bodies below it reads nothing
    /// back from a device, and passes over a body without any living particle.
    pub fn kick_body(&mut self, id: BodyId, impulse: Vec3, point: Vec3) -> Result<(), WorldError> {
        finite("impulse", impulse)?;
        finite("point", point)?;
        self.change_body(id, BodyChange::Kick { impulse, point })
    }

    /// Gives a body a velocity of its centre of mass, m/s, and an angular velocity, rad/s.
    pub fn set_body_velocity(&mut self, id: BodyId, velocity: Vec3, angular_velocity: Vec3) -> Result<(), WorldError> {
        finite("velocity", velocity)?;
        finite("angular velocity", angular_velocity)?;
        self.change_body(
            id,
            BodyChange::Velocity {
                velocity,
                angular_velocity,
            },
        )
    }

    /// Puts a body somewhere else at once, in its rest shape; a kinematic one goes on from there. Ends its own motion.
    pub fn teleport_body(&mut self, id: BodyId, pose: Pose) -> Result<(), WorldError> {
        finite("position", pose.position)?;
        unit(pose.rotation)?;
        self.change_body(id, BodyChange::Pose(pose))
    }

    /// Moves a kinematic body to a pose during the next frame, pushing aside what is in the way; ends its own motion.
    pub fn move_body(&mut self, id: BodyId, pose: Pose) -> Result<(), WorldError> {
        finite("position", pose.position)?;
        unit(pose.rotation)?;
        let bodies = self.engine.body_paths();
        let place = bodies.place(id).ok_or(WorldError::Gone("body"))?;
        let body = &mut bodies.list[place];
        let Some(path) = &mut body.path else {
            return Err(WorldError::Value {
                what: "body".into(),
                field: "motion".into(),
                found: "dynamic".into(),
                expected: "kinematic, to be moved".into(),
            });
        };
        path[1] = pose;
        body.drive = None;
        Ok(())
    }

    /// Makes a body kinematic, so that it goes where it is told, or lets it go again; ends its own motion. Where it is at
    /// this moment a device is asked, and waited for.
    pub fn set_kinematic(&mut self, id: BodyId, kinematic: bool) -> Result<(), WorldError> {
        let pose = match kinematic {
            true => Some(self.motion_now(id)?.pose),
            false => None,
        };
        self.change_body(id, BodyChange::Kinematic(pose))?;
        self.review_links(id);
        Ok(())
    }

    /// Makes the shape that a body has at this moment the one it returns to.
    pub fn adopt_shape(&mut self, id: BodyId) -> Result<(), WorldError> {
        let center = self.body_motion(id).ok_or(WorldError::Gone("body"))?.center;
        let positions = self.body_positions(id).ok_or(WorldError::Gone("body"))?;
        let bodies = self.engine.bodies_mut();
        let place = bodies.place(id).ok_or(WorldError::Gone("body"))?;
        let body = &mut bodies.list[place];
        let back = body.rotation.conjugate();
        for (rest, position) in bodies.rest[body.members()].iter_mut().zip(positions) {
            if let Some(position) = position {
                *rest = (back * (position - center)).extend(rest.w);
            }
        }
        body.measure(&bodies.rest);
        body.measure_size();
        let group = body.group;
        for cluster in &mut bodies.clusters[body.clusters()] {
            cluster.rotation = body.rotation;
        }
        self.fill_out(id, group);
        self.measure_links(id);
        Ok(())
    }

    /// Changes how stiff a body is, between 0 and 1; of a soft one, its clusters. Its shape and its motion stay as they
    /// are: what was bent while soft goes back into shape from there. One that melts is as stiff as its temperature has it.
    pub fn set_body_stiffness(&mut self, id: BodyId, stiffness: f32) -> Result<(), WorldError> {
        if !(0.0..=1.0).contains(&stiffness) {
            return Err(WorldError::Value {
                what: "body".into(),
                field: "stiffness".into(),
                found: stiffness.to_string(),
                expected: "between 0 and 1".into(),
            });
        }
        let bodies = self.engine.body_paths();
        let place = bodies.place(id).ok_or(WorldError::Gone("body"))?;
        let body = &bodies.list[place];
        let divided = body.cluster_count > 0;
        let whole = if divided { body.stiffness } else { stiffness };
        let melt = self.model.melts.iter_mut().find(|melt| melt.body == Some(id));
        let soft = melt.is_some_and(|melt| {
            melt.stiffness[1] = stiffness;
            if !divided {
                melt.stiffness[0] = stiffness;
            }
            melt.soft
        });
        // What is soft gets its share of it in the next frame.
        if !soft {
            self.set_stiffness(place, [whole, stiffness]);
            self.review_links(id);
        }
        Ok(())
    }

    /// The only place where an engine is told how stiff a body is: as a whole, and its clusters.
    pub(crate) fn set_stiffness(&mut self, place: usize, [whole, clusters]: [f32; 2]) {
        // Names no particle that could be gone.
        let _ = self.engine.edit(&[Edit::Stiffness { place, whole, clusters }]);
    }

    fn change_body(&mut self, id: BodyId, change: BodyChange) -> Result<(), WorldError> {
        let place = self.engine.body_paths().place(id).ok_or(WorldError::Gone("body"))?;
        self.carry_out(&[Edit::Body { place, change }])?;
        Ok(())
    }

    /// How a body moves at this moment, from its own particles alone.
    fn motion_now(&self, id: BodyId) -> Result<BodyMotion, WorldError> {
        let motion = self.query(Motions(vec![id])).into_iter().flatten().next();
        motion.ok_or(WorldError::Gone("body"))
    }

    /// What pushes on bodies in the next frame, each body once.
    pub(crate) fn take_pushes(&mut self) -> Vec<BodyPush> {
        if self.model.pushes.is_empty() {
            return Vec::new();
        }
        let bodies = self.engine.body_paths();
        let mut pushes: Vec<BodyPush> = Vec::new();
        for (id, force, torque) in self.model.pushes.drain(..) {
            let Some(body) = bodies.place(id) else { continue };
            match pushes.iter_mut().find(|push| push.body == body) {
                Some(push) => {
                    push.force += force;
                    push.torque += torque;
                }
                None => pushes.push(BodyPush { body, force, torque }),
            }
        }
        pushes
    }

    /// Kinematic bodies have arrived.
    pub(crate) fn end_paths(&mut self) {
        let bodies = self.engine.body_paths().list.iter_mut();
        for path in bodies.filter_map(|body| body.path.as_mut()) {
            path[0] = path[1];
        }
    }
}

fn unit(rotation: Quat) -> Result<(), WorldError> {
    if rotation.is_normalized() {
        return Ok(());
    }
    Err(WorldError::Value {
        what: "body".into(),
        field: "rotation".into(),
        found: rotation.to_string(),
        expected: "a unit quaternion".into(),
    })
}

fn finite(field: &str, value: Vec3) -> Result<(), WorldError> {
    if value.is_finite() {
        return Ok(());
    }
    Err(WorldError::Value {
        what: "body".into(),
        field: field.into(),
        found: value.to_string(),
        expected: "finite numbers".into(),
    })
}
