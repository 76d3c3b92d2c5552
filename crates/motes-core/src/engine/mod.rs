//! What an engine must be able to do, in four parts: the stages of the step ([`Solver`]), edits, queries, and status.

pub mod contacts;
pub mod edit;
pub mod query;
pub mod report;
pub mod timings;

use std::any::Any;

use glam::Vec3;

use crate::air::Air;
use crate::body::bodies::Bodies;
use crate::colliders::collider::{ColliderFrame, ColliderId};
use crate::creature::creatures::Creatures;
use crate::engine::contacts::ContactMemory;
use crate::engine::edit::{Edit, Split};
use crate::engine::query::{Query, Reply, Ticket};
use crate::engine::timings::Timings;
use crate::field::ForceField;
use crate::foam::Foam;
use crate::material::MaterialTable;
use crate::particles::passive::{PassiveParticles, PassiveParts};
use crate::particles::sizes::Sizes;
use crate::particles::{NewParticle, ParticleId, Particles};
use crate::settings::Settings;
use crate::smoke::Smoke;
use crate::space::volume::Volume;
use crate::store::{ConstraintKind, Constraints};
use crate::world::edits::Spring;

/// Everything about a frame that is not particles, given to the engine before its sub-steps.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// Solver settings.
    pub settings: Settings,
    /// Radii, where particles do not all have that of the settings.
    pub sizes: Option<Sizes>,
    /// Whether any group is fluid: neighbours within the smoothing radius are listed then.
    pub fluids: bool,
    /// Whether anything may be there that is not fluid: only that touches.
    pub solids: bool,
    /// Materials, by id.
    pub materials: MaterialTable,
    /// Colliders with their poses at both ends of the frame, in ascending order of their handles.
    pub colliders: Vec<ColliderFrame>,
    /// Force fields.
    pub fields: Vec<ForceField>,
    /// The air that faces feel.
    pub air: Air,
    /// What pushes on bodies throughout the frame.
    pub pushes: Vec<BodyPush>,
    /// Springs that draw particles throughout the frame, one for each of them.
    pub pulls: Vec<(ParticleId, Spring)>,
    /// How liquids foam, where they do.
    pub foam: Option<Foam>,
    /// Whether any group is a gas.
    pub gas: bool,
    /// How smoke looks and how long it stays, if that was said.
    pub smoke: Option<Smoke>,
    /// Regions with a temperature of their own at the end of the frame, °C: the last that contains a place counts.
    pub heat: Vec<(Volume, f32)>,
    /// Which frame of the world it is, from 0 on.
    pub number: u32,
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
    /// Passive particles to add, in order, while there are fewer than `most_markers`.
    pub markers: &'a [PassiveParts],
    /// How many passive particles there may be after that.
    pub most_markers: u32,
    /// Gas that has had no marker about it for longer than this dies, seconds; infinite keeps it.
    pub lonely: f32,
}

impl Population<'_> {
    /// Carries it out: ageing, then deaths, then births.
    pub fn apply(&self, particles: &mut Particles) {
        particles.begin_frame();
        let ages = particles.lifetimes.is_stored();
        for left in particles.lifetimes.values_mut() {
            *left -= self.dt;
        }
        let leaves = self.lonely.is_finite() && particles.swirls.is_stored();
        if ages || leaves || !self.kill_volumes.is_empty() {
            let dead: Vec<bool> = particles
                .positions
                .iter()
                .zip(particles.ids())
                .enumerate()
                .map(|(slot, (position, &id))| {
                    particles.lifetimes.get(id) <= 0.0
                        || self.kills(position.truncate())
                        || particles.swirls.get(slot).w > self.lonely
                })
                .collect();
            if dead.contains(&true) {
                particles.retain(|slot| !dead[slot]);
            }
        }
        for &birth in self.births {
            particles.add(birth);
        }
    }

    pub(crate) fn kills(&self, point: Vec3) -> bool {
        self.kill_volumes.iter().any(|volume| volume.contains(point))
    }
}

/// Constraints that are solved together before their corrections are applied (§4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintGroup {
    /// Rows of the [`store`](crate::store): distances of particles, and what else holds them together.
    Rows,
    /// Densities of liquids.
    Densities,
    /// Contacts between particles, then contacts with colliders, as one: the particles move once for both.
    Contacts,
    /// Shapes of bodies.
    Shapes,
}

impl ConstraintGroup {
    /// The order of one iteration. Colliders come after rows and other particles: whatever those do, no particle on its own
    /// is left inside a wall. Shapes come last: bodies leave every iteration in shape.
    pub const ORDER: [Self; 4] = [Self::Rows, Self::Densities, Self::Contacts, Self::Shapes];
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

/// The stages of Algorithm 1, implemented once on the CPU and once on the GPU. [`step`](crate::step::step) calls them in
/// order; each works on all particles, and none hands anything back to the host.
pub trait Solver {
    /// Moves the colliders to sub-step `index` of `count`.
    fn begin_substep(&mut self, index: u32, count: u32);
    /// Applies forces and predicts positions (lines 1–5).
    fn predict(&mut self, h: f32);
    /// Finds neighbouring particles (lines 6–7).
    fn find_neighbors(&mut self);
    /// Finds contacts with colliders (line 8) and warm-starts those between particles.
    fn find_contacts(&mut self, h: f32);
    /// Moves the starting positions out of contact (lines 10–15).
    fn stabilize(&mut self);
    /// Solves one group of constraints in an iteration of the sub-step, from 0, and applies its corrections (lines 17–21). The next
    /// group finds the particles where this one left them.
    fn solve(&mut self, group: ConstraintGroup, h: f32, iteration: u32);
    /// Derives velocities from positions; rebounds (line 24).
    fn update_velocities(&mut self, h: f32);
    /// Carries passive particles along (line 25); nothing to do while there are none.
    fn advect_diffuse(&mut self, _h: f32) {}
    /// Applies drag and other internal forces (line 26).
    fn apply_internal_forces(&mut self, h: f32);
    /// Accepts the positions, or lets particles sleep (line 27).
    fn finish(&mut self, h: f32);
}

/// An engine as a world uses it: frames, edits between them, queries, status.
///
/// What is read shows every edit made before. An engine on a device does not wait for it unless it must: an edit travels
/// with the next frame, a query is answered when its answer has come back.
pub trait Engine: Any + Send + Sync {
    /// Short name: `cpu` or `gpu`.
    fn name(&self) -> &'static str;
    /// The hardware it runs on, for reports.
    fn device(&self) -> String;

    /// Opens a frame: removes what dies and adds what is born.
    fn populate(&mut self, population: Population<'_>);
    /// Takes over the frame's settings, materials, colliders and fields.
    fn begin_frame(&mut self, frame: Frame);
    /// Runs the sub-steps of a frame of `dt` seconds: [`step`](crate::step::step).
    fn advance(&mut self, settings: &Settings, dt: f32);
    /// Closes the frame: reports and overlaps.
    fn end_frame(&mut self);

    /// Adds passive particles.
    fn add_passive(&mut self, new: &[PassiveParts]);
    /// Replaces all passive particles.
    fn load_passive(&mut self, passive: PassiveParticles);
    /// The passive particles, to change between frames. Waits for a device.
    fn passive_mut(&mut self) -> &mut PassiveParticles;
    /// Adds particles; returns their ids in order.
    fn add(&mut self, particles: &[NewParticle]) -> Vec<ParticleId>;
    /// Has a living particle become two, which share its mass; returns the id of the new one. Where it is and how it moves, a device
    /// is not asked: it has one take the place of the other by itself.
    fn split(&mut self, split: Split) -> ParticleId;
    /// Carries out edits in order and says how many particles they found. Nothing is changed if one other than a removal
    /// names a particle that the engine knows to be dead; that id comes back. Of a death on a device the host hears up to
    /// [`Particles::REST`] frames later: until then an edit of the dead is passed over.
    fn edit(&mut self, edits: &[Edit]) -> Result<usize, ParticleId>;
    /// The bodies, to change who belongs to what, rest shapes and attachments. Waits for a device.
    fn bodies_mut(&mut self) -> &mut Bodies;
    /// The bodies, to look up their places and change where kinematic ones go, and nothing else: of all the rest an
    /// engine on a device may know better, and need not be asked.
    fn body_paths(&mut self) -> &mut Bodies;
    /// The creatures; `None` if the engine does not know any.
    fn creatures(&self) -> Option<&Creatures> {
        None
    }
    /// The creatures, to change between frames, likewise.
    fn creatures_mut(&mut self) -> Option<&mut Creatures> {
        None
    }
    /// Whether it has rigid parts of creatures yield for good, if it knows creatures.
    fn dents_creatures(&self) -> bool {
        true
    }
    /// The constraints between particles, to change between frames. What a device knows better, the impulses, is not asked
    /// for; what broke in frames that have not been heard of is still there.
    fn constraints_mut(&mut self) -> &mut Constraints;
    /// Replaces everything, by a saved state for one. Contacts are those of the last sub-step.
    fn load(&mut self, particles: Particles, bodies: Bodies, constraints: Constraints, contacts: ContactMemory);

    /// All particles, as of the end of the last frame and the edits since. Waits for a device, once a frame.
    fn particles(&self) -> &Particles;
    /// All passive particles, likewise.
    fn passive(&self) -> &PassiveParticles;
    /// Number of passive particles. Waits for a device only where some may have died.
    fn passive_count(&self) -> usize;
    /// All bodies, likewise.
    fn bodies(&self) -> &Bodies;
    /// All constraints between particles, likewise.
    fn constraints(&self) -> &Constraints;
    /// Whether any sheet can tear. Asks no device.
    fn can_tear(&mut self) -> bool {
        self.constraints_mut().batch(ConstraintKind::Distance).can_tear()
    }
    /// Whether a particle is alive, as far as is known without asking a device.
    fn is_alive(&self, id: ParticleId) -> bool;
    /// Number of particles. Waits for a device only where particles may have died.
    fn count(&self) -> usize;
    /// Contacts between particles, to be saved: the next sub-step starts from them.
    fn contact_memory(&self) -> ContactMemory;
    /// Asks about this moment. `reply` is called with the answer: by [`Self::deliver`], at the beginning of a later frame, or at
    /// once; never, if the device fails.
    fn ask(&self, query: Query, reply: Reply) -> Ticket;
    /// Hands over the answers that have come. Those up to `until` are waited for, where waiting is possible.
    fn deliver(&self, until: Option<Ticket>);

    /// Particles that blew up in the last frame. Waits for a device.
    fn blowup(&self) -> Option<Blowup>;
    /// Time per stage of the last frame; of a device, of the last one whose times have come.
    fn timings(&self) -> Timings;
    /// Memory held for particles and solver, bytes.
    fn memory_bytes(&self) -> usize;
    /// What went wrong with the device, if anything did; frames after that are not to be trusted.
    fn fault(&self) -> Option<String> {
        None
    }
    /// What a user should know of the last frames, once: a capacity that was hit, for one.
    fn notice(&mut self) -> Option<String> {
        None
    }
    /// Waits until all work that was begun is done.
    fn wait(&self) {}
    /// Frames that may be under way at once before there is anything to wait for.
    fn frames_in_flight(&self) -> u32 {
        1
    }
    /// Whether to time every stage, where that costs time itself.
    fn measure_stages(&mut self, _measure: bool) {}
}
