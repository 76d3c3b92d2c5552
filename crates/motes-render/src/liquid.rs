//! What liquids are to the eye: how they colour, cloud and bend light.

/// How a liquid looks. Its colour, that of its instance, is what white light has become after `depth`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Liquid {
    /// How far light goes through it until it has the colour, metres (Beer and Lambert's law).
    pub depth: f32,
    /// How much of what is lost comes back as light of its own, 0 to 1: little in clear water, much in milk.
    pub cloudiness: f32,
    /// Refractive index: how strongly it bends what lies behind, and mirrors what lies before. 1 does neither.
    pub refractive_index: f32,
    /// Whether it is a metal, which mirrors everything, in its colour.
    pub metallic: bool,
    /// Thickness below which a layer fades, metres: where it lies on something else there is no surface to see.
    pub film: f32,
}

impl Default for Liquid {
    /// Water of a metre's depth.
    fn default() -> Self {
        Self {
            depth: 1.0,
            cloudiness: 0.2,
            refractive_index: 1.33,
            metallic: false,
            film: 0.01,
        }
    }
}
