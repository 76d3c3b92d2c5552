//! Cloth in the terms of those who measure it, in SI units, with named presets.
//!
//! The presets are round figures, chosen to be typical of their kind; they are nobody's measurement of one cloth, and a real one may
//! differ by a factor of two. Units and conversions are those of the KES-F system (Kawabata 1980, "The standardization and analysis
//! of hand evaluation"), which gives
//! - the elongation at 500 gf/cm, 490 N/m: the stretch here is that force over that strain;
//! - the shear stiffness G in gf/(cm·degree), of which one is 56.2 N/m;
//! - the bending rigidity B in gf·cm²/cm, of which one is 98 µN·m.
//!
//! To compare with: Clyde, Teran and Tamstorf 2017, "Modeling and data-driven parameter estimation for woven fabrics"; for light denim
//! elongations of 4.7 to 5.7 %, G of 1.5 to 3.4 and B of 0.14 to 0.23 (Journal of Textiles 2016, 4614168), of which the preset, a
//! heavier one, has about twice the bending; Cusick 1968, "The measurement of fabric drape". Leather and paper are Young's modulus times thickness, the shear of paper
//! 0.387 √(E₁ E₂) (Baum, Brennan and Habeger 1981); rubber is latex of 1.5 MPa.

use serde::{Deserialize, Serialize};

/// Properties of a cloth or another thin sheet.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fabric {
    /// Mass per area, kg/m².
    pub areal_density: f32,
    /// Force per width over strain along the warp, N/m: Young's modulus times thickness.
    pub stretch_warp: f32,
    /// The same along the weft, N/m.
    pub stretch_weft: f32,
    /// Shear force per length over the change of the angle between warp and weft, N/m: shear modulus times thickness.
    pub shear: f32,
    /// Flexural rigidity, N·m: bending moment per width over curvature, mean of warp and weft.
    pub bending: f32,
    /// Thickness, metres.
    pub thickness: f32,
    /// Coefficient of static friction of the cloth on itself, μs.
    pub static_friction: f32,
    /// Coefficient of kinetic friction of the cloth on itself, μk.
    pub kinetic_friction: f32,
    /// Strain at which it tears.
    pub breaking_strain: f32,
}

impl Default for Fabric {
    fn default() -> Self {
        Self::COTTON
    }
}

impl Fabric {
    /// Silk, plain, of 16 momme: light and slippery.
    pub const SILK: Self = Self {
        areal_density: 0.07,
        stretch_warp: 10_000.0,
        stretch_weft: 6000.0,
        shear: 20.0,
        bending: 2.5e-6,
        thickness: 0.15e-3,
        static_friction: 0.28,
        kinetic_friction: 0.22,
        breaking_strain: 0.2,
    };
    /// Cotton shirting.
    pub const COTTON: Self = Self {
        areal_density: 0.13,
        stretch_warp: 8000.0,
        stretch_weft: 5000.0,
        shear: 60.0,
        bending: 7e-6,
        thickness: 0.3e-3,
        static_friction: 0.5,
        kinetic_friction: 0.4,
        breaking_strain: 0.15,
    };
    /// Denim of 12 ounces.
    pub const DENIM: Self = Self {
        areal_density: 0.4,
        stretch_warp: 15_000.0,
        stretch_weft: 9000.0,
        shear: 170.0,
        bending: 4e-5,
        thickness: 0.8e-3,
        static_friction: 0.6,
        kinetic_friction: 0.5,
        breaking_strain: 0.25,
    };
    /// Leather for garments, a millimetre thick.
    pub const LEATHER: Self = Self {
        areal_density: 0.65,
        stretch_warp: 20_000.0,
        stretch_weft: 16_000.0,
        shear: 5000.0,
        bending: 2.5e-4,
        thickness: 1.0e-3,
        static_friction: 0.6,
        kinetic_friction: 0.5,
        breaking_strain: 0.4,
    };
    /// Latex rubber, half a millimetre thick. Its shear is what springs give to a sheet that is equal in all directions; true
    /// rubber has 250.
    pub const RUBBER_SHEET: Self = Self {
        areal_density: 0.475,
        stretch_warp: 750.0,
        stretch_weft: 750.0,
        shear: 281.25,
        bending: 2.1e-5,
        thickness: 0.5e-3,
        static_friction: 1.0,
        kinetic_friction: 0.9,
        breaking_strain: 6.0,
    };
    /// Copying paper of 80 g/m², the warp along its grain.
    pub const PAPER: Self = Self {
        areal_density: 0.08,
        stretch_warp: 500_000.0,
        stretch_weft: 250_000.0,
        shear: 137_000.0,
        bending: 3e-4,
        thickness: 0.1e-3,
        static_friction: 0.45,
        kinetic_friction: 0.35,
        breaking_strain: 0.03,
    };

    /// Every preset under the name that scene files use.
    pub const PRESETS: [(&'static str, Self); 6] = [
        ("silk", Self::SILK),
        ("cotton", Self::COTTON),
        ("denim", Self::DENIM),
        ("leather", Self::LEATHER),
        ("rubber_sheet", Self::RUBBER_SHEET),
        ("paper", Self::PAPER),
    ];

    /// The preset of that name.
    pub fn named(name: &str) -> Option<Self> {
        let found = Self::PRESETS.iter().find(|(preset, _)| *preset == name);
        found.map(|(_, fabric)| *fabric)
    }

    /// First field whose value makes no physical sense, with what was expected of it.
    pub fn problem(&self) -> Option<(&'static str, f32, &'static str)> {
        let positive = [
            ("areal_density", self.areal_density, "a positive number, kg/m²"),
            ("stretch_warp", self.stretch_warp, "a positive number, N/m"),
            ("stretch_weft", self.stretch_weft, "a positive number, N/m"),
            ("shear", self.shear, "a positive number, N/m"),
            ("thickness", self.thickness, "a positive number, metres"),
        ];
        let more = [
            ("bending", self.bending, "0 or more, N·m"),
            ("static_friction", self.static_friction, "0 or more"),
            ("kinetic_friction", self.kinetic_friction, "0 or more"),
        ];
        let is_bad = |&(_, value, _): &(&str, f32, &str)| !(value > 0.0 && value.is_finite());
        let is_negative = |&(_, value, _): &(&str, f32, &str)| !(value >= 0.0 && value.is_finite());
        let bad = positive.into_iter().find(is_bad).or(more.into_iter().find(is_negative));
        // Infinite for what never tears.
        let tears = ("breaking_strain", self.breaking_strain, "a positive number");
        bad.or((self.breaking_strain.is_nan() || self.breaking_strain <= 0.0).then_some(tears))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_make_sense_and_are_found_by_name() {
        for (name, fabric) in Fabric::PRESETS {
            assert_eq!(Fabric::named(name), Some(fabric));
            assert_eq!(fabric.problem(), None, "{name}");
            assert!(fabric.static_friction >= fabric.kinetic_friction);
            // What a fabric is made of is lighter than stone and heavier than cork.
            assert!(
                (300.0..1500.0).contains(&(fabric.areal_density / fabric.thickness)),
                "{name}"
            );
            // A sheet of threads bends more easily than a solid one of that modulus and thickness.
            let solid = fabric.stretch_warp * fabric.thickness.powi(2) / 9.0;
            assert!(fabric.bending <= 1.01 * solid, "{name}");
        }
        assert_eq!(Fabric::named("wool"), None);
    }

    #[test]
    fn shirting_hangs_over_an_edge_as_far_as_in_the_laboratory() {
        // Peirce's bending length, (B/w)^(1/3): 1.5 to 2.5 cm for shirting, more for denim, less for silk.
        let length = |fabric: Fabric| (fabric.bending / (fabric.areal_density * 9.81)).cbrt();
        assert!(
            (0.015..0.025).contains(&length(Fabric::COTTON)),
            "{}",
            length(Fabric::COTTON)
        );
        assert!(length(Fabric::SILK) < length(Fabric::COTTON) && length(Fabric::COTTON) < length(Fabric::DENIM));
        assert!(length(Fabric::DENIM) < length(Fabric::LEATHER) && length(Fabric::LEATHER) < length(Fabric::PAPER));
    }

    #[test]
    fn the_first_field_without_sense_is_named() {
        let bad = Fabric {
            shear: 0.0,
            bending: -1.0,
            ..Fabric::SILK
        };
        assert_eq!(
            bad.problem().map(|(field, value, _)| (field, value)),
            Some(("shear", 0.0))
        );
        let never = Fabric {
            breaking_strain: f32::INFINITY,
            ..Fabric::SILK
        };
        assert_eq!(never.problem(), None);
    }
}
