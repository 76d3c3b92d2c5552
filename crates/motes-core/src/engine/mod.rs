//! What an engine must be able to do: the stages of the step, and access to the particles.

pub mod contacts;
pub mod report;
pub mod timings;

use std::any::Any;

use glam::Vec3;

use crate::body::bodies::Bodies;
use crate::colliders::collider::{ColliderFrame, ColliderId};
use crate::engine::contacts::ContactMemory;
use crate::engine::report::{ColliderForce, Contact, TriggerOverlap};
use crate::engine::timings::Timings;
use crate::field::ForceField;
use crate::material::MaterialTable;
use crate::particles::passive::PassiveParticles;
use crate::particles::sizes::Sizes;
use crate::particles::{NewParticle, ParticleId, Particles};
use crate::settings::Settings;
use crate::space::volume::Volume;
use crate::step::step;

/// Everything about a frame that is not particles, given to the engine before its sub-steps.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// Solver settings.
    pub settings: Settings,
    /// Radii, where particles do not all have that of the settings.
    pub sizes: Option<Sizes>,
    /// Whether any group is fluid: neighbours within the smoothing radius are listed then.
    pub fluids: bool,
    /// Materials, by id.
    pub materials: MaterialTable,
    /// Colliders with their poses at both ends of the frame, in ascending order of their handles.
    pub colliders: Vec<ColliderFrame>,
    /// Force fields.
    pub fields: Vec<ForceField>,
    /// What pushes on bodies throughout the frame.
    pub pushes: Vec<BodyPush>,
    /// Length of the frame, seconds.
    pub dt: f32,
}

impl Frame {
    /// The collider of that handle, if it is there.
    pub fn collider(&self, id: ColliderId) -> Option<&ColliderFrame> {
        let place = self.colliders.binary_search_by_key(&id, |frame| frame.id).ok()?;
        Some(&self.colliders[place])
    }
}

/// A force and a torque on one body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyPush {
    /// Place of the body in the list.
    pub body: usize,
    /// Force, newtons.
    pub force: Vec3,
    /// Torque about the centre of mass, newton metres.
    pub torque: Vec3,
}

/// Who dies and who is born before a frame.
#[derive(Clone, Copy, Debug)]
pub struct Population<'a> {
    /// Length of the frame, seconds: what lifetimes are shortened by.
    pub dt: f32,
    /// Regions in which particles are removed.
    pub kill_volumes: &'a [Volume],
    /// Particles to add, in order.
    pub births: &'a [NewParticle],
}

impl Population<'_> {
    /// Carries it out: ageing, then deaths, then births.
    pub fn apply(&self, particles: &mut Particles) {
        particles.begin_frame();
        let ages = particles.lifetimes.is_stored();
        for left in particles.lifetimes.values_mut() {
            *left -= self.dt;
        }
        if ages || !self.kill_volumes.is_empty() {
            let dead: Vec<bool> = particles
                .positions
                .iter()
                .zip(particles.ids())
                .map(|(position, &id)| particles.lifetimes.get(id) <= 0.0 || self.kills(position.truncate()))
                .collect();
            if dead.contains(&true) {
                particles.retain(|slot| !dead[slot]);
            }
        }
        for &birth in self.births {
            particles.add(birth);
        }
    }

    fn kills(&self, point: Vec3) -> bool {
        self.kill_volumes.iter().any(|volume| volume.contains(point))
    }
}

/// Constraints that are solved together before their corrections are applied (§4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintGroup {
    /// Contacts between particles.
    ParticleContacts,
    /// Contacts with colliders.
    ColliderContacts,
    /// Distances of linked particles.
    Links,
    /// Shapes of bodies.
    Shapes,
}

impl ConstraintGroup {
    /// The order of one iteration. Colliders come after other particles: whatever those do, no grain is left inside a wall.
    /// Shapes come last: bodies leave every iteration in shape.
    pub const ORDER: [Self; 4] = [
        Self::ParticleContacts,
        Self::ColliderContacts,
        Self::Links,
        Self::Shapes,
    ];
}

/// A particle whose position or velocity stopped being a number; it was put back and stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blowup {
    /// The first such particle.
    pub particle: ParticleId,
    /// Its group.
    pub group: u32,
    /// Number of such particles.
    pub count: usize,
}

/// The stages of Algorithm 1, implemented once on the CPU and once on the GPU. [`step`] calls them in
/// order; each works on all particles, and none hands anything back to the host.
pub trait Engine: Any + Send {
    /// Short name: `cpu` or `gpu`.
    fn name(&self) -> &'static str;
    /// The hardware it runs on, for reports.
    fn device(&self) -> String;

    /// Removes what dies and adds what is born, before each frame.
    fn populate(&mut self, population: Population<'_>) {
        population.apply(self.particles_mut());
    }
    /// Runs the sub-steps of a frame of `dt` seconds.
    fn advance(&mut self, settings: &Settings, dt: f32) {
        step(self, settings, dt);
    }
    /// Takes over the frame's settings, materials, colliders and fields.
    fn begin_frame(&mut self, frame: Frame);
    /// Moves the colliders to sub-step `index` of `count`.
    fn begin_substep(&mut self, index: u32, count: u32);
    /// Applies forces and predicts positions (lines 1–5).
    fn predict(&mut self, h: f32);
    /// Finds neighbouring particles (lines 6–7).
    fn find_neighbors(&mut self);
    /// Finds contacts with colliders (line 8) and recalls those between particles.
    fn find_contacts(&mut self, h: f32);
    /// Moves the starting positions out of contact (lines 10–15).
    fn stabilize(&mut self);
    /// Solves one group of constraints and applies the averaged correction (lines 17–21), carried on by a fraction of its
    /// change.
    fn solve(&mut self, group: ConstraintGroup, h: f32, momentum: f32);
    /// Derives velocities from positions; rebounds (line 24).
    fn update_velocities(&mut self, h: f32);
    /// Carries passive particles along (line 25); nothing to do while there are none.
    fn advect_diffuse(&mut self, _h: f32) {}
    /// Applies drag and other internal forces (line 26).
    fn apply_internal_forces(&mut self, h: f32);
    /// Accepts the positions, or lets particles sleep (line 27).
    fn finish(&mut self, h: f32);
    /// Closes the frame: reports and overlaps.
    fn end_frame(&mut self);

    /// The particles, as of the end of the last frame.
    fn particles(&mut self) -> &Particles;
    /// The particles, to change between frames.
    fn particles_mut(&mut self) -> &mut Particles;

    /// The passive particles, as of the end of the last frame and to change between frames, if the engine has any.
    fn passive_mut(&mut self) -> Option<&mut PassiveParticles> {
        None
    }

    /// The bodies, as of the end of the last frame.
    fn bodies(&mut self) -> &Bodies;
    /// The bodies, to change between frames.
    fn bodies_mut(&mut self) -> &mut Bodies;
    /// The bodies, to look up their places and change the paths of kinematic ones, and nothing else: of all the rest an
    /// engine on a device may know better, and need not be asked.
    fn body_paths(&mut self) -> &mut Bodies {
        self.bodies_mut()
    }
    /// Changes how stiff the body at a place in the list is as a whole, and how stiff its clusters are, without asking for
    /// anything.
    fn set_stiffness(&mut self, place: usize, whole: f32, clusters: f32);
    /// Notes where groups are at this moment, by their indices, for [`Self::seen`] to tell later.
    fn look(&mut self, groups: Vec<u32>);
    /// The groups that were looked for last and have particles, and the middle of each, metres. Does not wait for frames
    /// begun since. Tells it once; nothing where nobody looked, or in a browser, where it may not have come yet.
    fn seen(&mut self) -> Vec<(u32, Vec3)>;
    /// Bodies and particles.
    fn bodies_and_particles(&mut self) -> (&Bodies, &Particles);
    /// Whether any body is kinematic.
    fn has_paths(&self) -> bool;

    /// Contacts of particles with colliders in the last sub-step.
    fn collider_contacts(&mut self) -> Vec<Contact>;
    /// Contacts between particles in the last sub-step, once for either side.
    fn particle_contacts(&mut self) -> Vec<Contact>;
    /// Contacts between particles, to be saved: the next sub-step starts from them.
    fn contact_memory(&mut self) -> ContactMemory;
    /// Takes over saved contacts.
    fn set_contact_memory(&mut self, contacts: ContactMemory);
    /// Forces on colliders over the last frame, by handle.
    fn collider_forces(&mut self) -> Vec<ColliderForce>;
    /// Particles inside triggers at the end of the last frame, sorted.
    fn trigger_overlaps(&mut self) -> Vec<TriggerOverlap>;
    /// Particles that blew up in the last frame.
    fn blowup(&mut self) -> Option<Blowup>;
    /// Number of particles.
    fn count(&mut self) -> usize;
    /// Waits until all work that was begun is done.
    fn wait(&mut self) {}
    /// Frames that may be under way at once before there is anything to wait for.
    fn frames_in_flight(&self) -> u32 {
        1
    }
    /// Whether to time every stage, where that costs time itself.
    fn measure_stages(&mut self, _measure: bool) {}
    /// What a user should know of the last frames, once: a capacity that was hit, for one.
    fn notice(&mut self) -> Option<String> {
        None
    }
    /// What went wrong with the device, if anything did; frames after that are not to be trusted.
    fn fault(&self) -> Option<String> {
        None
    }
    /// Time per stage of the last frame.
    fn timings(&mut self) -> &mut Timings;
    /// Memory held for particles and solver, bytes.
    fn memory_bytes(&self) -> usize;
}
