//! What a search for contacts is given, and what it finds.

use bytemuck::{Pod, Zeroable};
use motes_core::glam::Vec4;

use crate::sections::Part;

/// A plane that one particle has to stay above, and what that took. Lengths in metres.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct ColliderContact {
    /// Surface point at the end of the sub-step.
    pub point: [f32; 3],
    /// Distance that adhesion can close in the sub-step.
    pub pull: f32,
    /// Unit normal on the particle's side.
    pub normal: [f32; 3],
    /// Correction along the normal.
    pub normal_sum: f32,
    /// Displacement of the surface during the sub-step.
    pub travel: [f32; 3],
    /// Place of the collider among the frame's colliders.
    pub collider: u32,
    /// Correction across the normal.
    pub friction_sum: [f32; 3],
    /// Inverse mass of the particle, 1/kg.
    pub inverse_mass: f32,
    /// Static and kinetic friction, restitution and adhesion of the two materials.
    pub coefficients: [f32; 4],
    /// How far the collider turns in the sub-step, axis times angle.
    pub turn: [f32; 3],
    /// Rolling resistance of the two materials.
    pub rolling: f32,
}

/// The particles that are to collide.
#[derive(Clone, Copy, Debug)]
pub struct ParticleBuffers<'a> {
    /// How many.
    pub count: u32,
    /// Positions at the start of the sub-step.
    pub positions: Part<'a, Vec4>,
    /// Predicted positions, and inverse masses.
    pub predicted: Part<'a, Vec4>,
    /// Phase and material of each, and two words of the engine's own.
    pub kinds: Part<'a, [u32; 4]>,
}
