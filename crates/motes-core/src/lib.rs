//! The particle solver of motes: particles, materials, colliders, the step, and the engine that runs it on CPUs.
//!
//! A [`World`] holds everything; [`step()`](step::step) is the whole method on one page; [`cpu::CpuEngine`] does
//! the work. There is no I/O here, no GPU and no window.
//!
//! | room | what is in it |
//! |---|---|
//! | [`world`] | the world: groups, colliders, edits, questions, the frame around the step, saved states |
//! | [`step`](mod@step), [`engine`] | the step on one page; what an engine must be able to do; edits, queries, reports, timings |
//! | [`cpu`] | the engine for CPUs |
//! | [`constraints`] | the formulas, one published method a file |
//! | [`particles`], [`material`], [`fabric`] | particles by slot and by id, their phases, what they are made of; cloth |
//! | [`store`] | constraints between particles of any groups: rows by kind, their handles |
//! | [`tear`] | sheets that tear: by stress, by cuts |
//! | [`creature`] | creatures: particles with an orientation, joined by edges |
//! | [`body`] | bodies: shapes, joints, links |
//! | [`heat`] | temperatures, melting and freezing |
//! | [`colliders`] | shapes that particles cannot enter |
//! | [`emitter`], [`field`] | where particles come from, what accelerates them |
//! | [`foam`] | spray, foam and bubbles of liquids |
//! | [`smoke`] | gas, plumes and markers of smoke |
//! | [`space`] | poses, motions, bounds, regions |
//! | [`settings`], [`error`], [`random`] | what can be set, what can go wrong, seeds |

pub mod air;
pub mod body;
pub mod colliders;
pub mod constraints;
pub mod cpu;
pub mod creature;
pub mod emitter;
pub mod engine;
pub mod error;
pub mod fabric;
pub mod field;
pub mod foam;
pub mod heat;
pub mod material;
pub mod particles;
pub mod random;
pub mod settings;
pub mod smoke;
pub mod space;
pub mod step;
pub mod store;
pub mod tear;
pub mod world;

pub use glam;

pub use air::{Air, Wind};
pub use body::attachment::{Anchor, Attachment, AttachmentId, Joint, Partner};
pub use body::bodies::Bodies;
pub use body::drive::Drive;
pub use body::elasticity::Elasticity;
pub use body::joint::{JointAxis, JointId, JointMotor, JointState, Jointed, NewJoint};
pub use body::links::{Links, Tethers};
pub use body::{BodyId, BodyMotion, Clusters, NewBody, Plasticity};
pub use colliders::Shape;
pub use colliders::collider::{Collider, ColliderId, SurfaceMotion, SurfaceRun};
pub use constraints::position_based::{Denominator, PositionBased};
pub use constraints::relaxation::Averaging;
pub use constraints::sph::Sph;
pub use cpu::CpuEngine;
pub use creature::creatures::Creatures;
pub use creature::{CreatureId, CreatureParticle, CreatureState, Denting, Edge, Muscle, NewCreature, OrientedParticle};
pub use emitter::{Emitter, EmitterShape, Stream};
pub use engine::Engine;
pub use engine::edit::{BodyChange, Change, Edit};
pub use engine::query::ParticleState;
pub use engine::report::{ColliderForce, Contact, Touched, TriggerOverlap};
pub use error::{Exploded, StateError, WorldError};
pub use fabric::Fabric;
pub use field::{FieldKind, ForceField};
pub use foam::Foam;
pub use heat::melting::{Melt, Melting};
pub use heat::{HeatZone, Temperature};
pub use material::{Material, MaterialId, MaterialPair};
pub use particles::passive::{Passive, PassiveKind, PassiveParticles, PassiveParts};
pub use particles::phase::Phase;
pub use particles::{ParticleId, Particles};
pub use settings::{ConstraintSolver, FrictionModel, Liquids, Settings};
pub use smoke::{Fade, Plume, Smoke, Strays};
pub use space::bounds::Bounds;
pub use space::motion::{Keyframe, Motion};
pub use space::pose::Pose;
pub use space::volume::Volume;
pub use store::{
    BalloonState, ConstraintId, ConstraintKind, ConstraintState, Constraints, Filling, Inflation, NewBalloon,
    NewBending, NewDistance, NewFace, Softness,
};
pub use tear::Tear;
pub use world::World;
pub use world::casting::{Hit, RayCast, RayHit};
pub use world::edits::Spring;
pub use world::group::{Group, GroupId};
pub use world::questions::{
    Centers, Chosen, ColliderContacts, ColliderForces, Everything, Motions, NearestParticle, OfGroup, ParticleContacts,
    ParticlesIn, Pending, Question, TriggerOverlaps,
};
pub use world::switches::Switch;
pub use world::triggers::{Counting, Trigger, Triggered};
