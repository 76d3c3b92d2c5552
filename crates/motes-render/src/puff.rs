//! Smoke as it is drawn: soft round clouds, one for each marker.

use glam::Vec3;

/// A soft round cloud of smoke.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Puff {
    /// Middle, metres. One that is not finite is not drawn.
    pub position: Vec3,
    /// Distance from the middle, where it is thickest, to where it ends, metres.
    pub radius: f32,
    /// The part of light that is stopped on the way through its middle, 0 to 1.
    pub opacity: f32,
    /// Temperature, °C. From [`Puff::GLOWS_FROM`] on it gives off light of its own.
    pub temperature: f32,
    /// sRGB colour: the part of light that it scatters and does not take up. Steam is white, soot nearly black.
    pub color: [u8; 3],
}

impl Puff {
    /// Temperature from which on smoke glows, °C: a dull red, as of other bodies (the Draper point is at 525 °C).
    pub const GLOWS_FROM: f32 = 500.0;

    /// Whether there is anything to be seen of it.
    pub(crate) fn is_drawn(&self) -> bool {
        self.position.is_finite() && self.radius > 0.0 && self.radius.is_finite() && self.opacity > 0.0
    }
}
