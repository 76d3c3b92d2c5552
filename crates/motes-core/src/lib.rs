//! The particle solver of motes: particles, materials, colliders, the step, and the engine that runs it on CPUs.
//!
//! A [`World`] holds everything; [`step()`](step::step) is the whole method on one page; [`cpu::CpuEngine`] does
//! the work. There is no I/O here, no GPU and no window.

pub mod attachment;
pub mod bodies;
pub mod body;
mod body_handles;
pub mod bounds;
pub mod collider;
pub mod colliders;
pub mod constraints;
pub mod contacts;
pub mod cpu;
pub mod emitter;
pub mod engine;
pub mod error;
pub mod field;
pub mod group;
pub mod heat;
pub mod links;
pub mod material;
pub mod melting;
mod melting_handles;
pub mod motion;
pub mod particles;
pub mod phase;
pub mod pose;
pub mod random;
pub mod report;
pub mod settings;
mod state;
pub mod step;
mod subset;
pub mod timings;
pub mod volume;
pub mod world;

pub use glam;

pub use attachment::{Anchor, Attachment, AttachmentId, Joint, Partner};
pub use bodies::Bodies;
pub use body::{BodyId, BodyMotion, Clusters, NewBody, Plasticity};
pub use bounds::Bounds;
pub use collider::{Collider, ColliderId};
pub use colliders::Shape;
pub use constraints::relaxation::Averaging;
pub use cpu::CpuEngine;
pub use emitter::{Emitter, EmitterShape};
pub use engine::Engine;
pub use error::{Exploded, StateError, WorldError};
pub use field::{FieldKind, ForceField};
pub use group::{Group, GroupId};
pub use heat::{HeatZone, Temperature};
pub use links::Links;
pub use material::{Material, MaterialId};
pub use melting::{Melt, Melting};
pub use motion::{Keyframe, Motion};
pub use particles::{ParticleId, Particles};
pub use phase::Phase;
pub use pose::Pose;
pub use report::{ColliderForce, Contact, Touched, TriggerOverlap};
pub use settings::{FrictionModel, Settings};
pub use volume::Volume;
pub use world::World;
