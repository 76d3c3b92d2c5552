//! `[material.NAME]`: a substance; `[[material_pair]]`: what two of them do where they touch.

use motes_core::{Material, MaterialPair};

use crate::decode::limits::{between, within};

crate::table! {
    /// A substance: a preset and what differs from it.
    default struct MaterialTable {
        /// Material to start from: a preset, or another material of the file.
        base: String = "sand".to_owned(),
        /// Density of a grain's own substance, kg/m³.
        density: Option<f32> = None => between(1e-6, 1e6).of("kg/m³"),
        /// Both coefficients of friction.
        friction: Option<f32> = None => between(0.0, 1000.0),
        /// Coefficient of static friction; overrides `friction`.
        static_friction: Option<f32> = None => between(0.0, 1000.0),
        /// Coefficient of kinetic friction; overrides `friction`.
        kinetic_friction: Option<f32> = None => between(0.0, 1000.0),
        /// Rebound speed over impact speed.
        restitution: Option<f32> = None => between(0.0, 1.0),
        /// Tensile stress a contact with a collider bears, pascals.
        adhesion: Option<f32> = None => between(0.0, 1e9).of("Pa"),
        /// Tensile stress a contact between particles bears, pascals.
        cohesion: Option<f32> = None => between(0.0, 1e9).of("Pa"),
        /// Rate at which velocity decays, 1/s.
        damping: Option<f32> = None => between(0.0, 1e6).of("1/s"),
        /// Multiplies gravity.
        gravity_scale: Option<f32> = None => within(1000.0),
        /// Grains of it turn, and resist rolling: the tangent of the slope on which a ball begins to roll.
        rolling_resistance: Option<f32> = None => between(0.0, 10.0),
        /// Dynamic viscosity of a liquid, Pa·s.
        viscosity: Option<f32> = None => between(0.0, 1e6).of("Pa·s"),
        /// How strongly eddies of a liquid are kept up.
        vorticity: Option<f32> = None => between(0.0, 1000.0),
        /// Surface tension of a liquid against air, N/m.
        surface_tension: Option<f32> = None => between(0.0, 1e6).of("N/m"),
        /// Angle at which the surface of a liquid with tension meets solids, degrees: below 90 it wets them, above it beads on them.
        contact_angle: Option<f32> = None => between(0.0, 180.0).of("°"),
    }
}

impl MaterialTable {
    /// The material, given the one it starts from.
    pub fn material(&self, base: Material) -> Material {
        Material {
            density: self.density.unwrap_or(base.density),
            static_friction: self.static_friction.or(self.friction).unwrap_or(base.static_friction),
            kinetic_friction: self.kinetic_friction.or(self.friction).unwrap_or(base.kinetic_friction),
            restitution: self.restitution.unwrap_or(base.restitution),
            adhesion: self.adhesion.unwrap_or(base.adhesion),
            cohesion: self.cohesion.unwrap_or(base.cohesion),
            damping: self.damping.unwrap_or(base.damping),
            gravity_scale: self.gravity_scale.unwrap_or(base.gravity_scale),
            rolling_resistance: self.rolling_resistance.or(base.rolling_resistance),
            viscosity: self.viscosity.unwrap_or(base.viscosity),
            vorticity: self.vorticity.unwrap_or(base.vorticity),
            surface_tension: self.surface_tension.unwrap_or(base.surface_tension),
            contact_angle: self.contact_angle.unwrap_or(base.contact_angle),
            ..base
        }
    }
}

crate::table! {
    /// Friction and restitution of two materials where they touch, in place of what they combine to.
    struct MaterialPairTable {
        /// The two materials: presets or materials of the file. Those that build on them are others.
        between: [String; 2],
        /// Both coefficients of friction.
        friction: Option<f32> = None => between(0.0, 1000.0),
        /// Coefficient of static friction; overrides `friction`.
        static_friction: Option<f32> = None => between(0.0, 1000.0),
        /// Coefficient of kinetic friction; overrides `friction`.
        kinetic_friction: Option<f32> = None => between(0.0, 1000.0),
        /// Rebound speed over impact speed.
        restitution: Option<f32> = None => between(0.0, 1.0),
        /// Rolling resistance, of grains that turn.
        rolling_resistance: Option<f32> = None => between(0.0, 10.0),
    }
}

impl MaterialPairTable {
    /// What it sets.
    pub fn pair(&self) -> MaterialPair {
        MaterialPair {
            static_friction: self.static_friction.or(self.friction),
            kinetic_friction: self.kinetic_friction.or(self.friction),
            restitution: self.restitution,
            rolling_resistance: self.rolling_resistance,
        }
    }
}
