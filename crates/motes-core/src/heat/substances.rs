//! At which temperatures known substances melt, and what heat it takes.

use crate::heat::melting::Melting;

/// What is known of a liquid, by the name of its preset: solidus and liquidus, °C, latent heat, J/kg, and heat capacity, J/(kg·K). What
/// melts at one temperature has a degree to do it in.
const SUBSTANCES: [(&str, [f32; 4]); 5] = [
    ("water", [-1.0, 0.0, 334e3, 2090.0]),
    // Paraffin, a mixture of chains of 20 to 40 carbons.
    ("molten_wax", [48.0, 60.0, 200e3, 2100.0]),
    // A third of it is cocoa butter, which alone melts, at 157 kJ/kg.
    ("molten_chocolate", [28.0, 34.0, 50e3, 1600.0]),
    // Basalt.
    ("lava", [1000.0, 1150.0, 400e3, 1100.0]),
    ("mercury", [-39.8, -38.8, 11.4e3, 140.0]),
];

impl Melting {
    /// When a solid melts into the liquid of that preset, as far as it is known; the material is left to the caller.
    pub fn of_liquid(preset: &str) -> Option<Self> {
        let (_, [solidus, liquidus, latent_heat, heat_capacity]) =
            *SUBSTANCES.iter().find(|(name, _)| *name == preset)?;
        Some(Self {
            latent_heat,
            heat_capacity,
            ..Self::between(solidus, liquidus)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::Material;

    #[test]
    fn substances_are_liquids_and_melt_as_they_should() {
        for (name, _) in SUBSTANCES {
            let melting = Melting::of_liquid(name).expect("known");
            assert!(
                Material::preset(name).is_some_and(|material| material.is_liquid()),
                "{name}"
            );
            assert_eq!(melting.problem(), None, "{name}");
        }
        assert_eq!(Melting::of_liquid("sand"), None);
    }
}
