//! What differs between substances, in SI units, with named presets.

use std::collections::{BTreeMap, BTreeSet};

use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};

use crate::smoke::forces::lift;

/// Index of a material in a world's [`MaterialTable`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Pod, Zeroable, Serialize, Deserialize)]
#[repr(transparent)]
pub struct MaterialId(pub u32);

/// Properties of a substance.
///
/// Where two materials touch, friction is the geometric mean of both (ice stays slippery whatever lies on it),
/// restitution the larger, cohesion the smaller; against a collider the adhesion of the particle alone counts. A
/// [`MaterialPair`] says otherwise for two of them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Material {
    /// Density of one grain's own substance, kg/m³. A particle's mass is this times its ball's volume; of a liquid, times that of a cube about it.
    pub density: f32,
    /// Coefficient of static friction, μs (eq. 24).
    pub static_friction: f32,
    /// Coefficient of kinetic friction, μk (eq. 24); at most `static_friction` to be physical.
    pub kinetic_friction: f32,
    /// Rebound speed over impact speed, 0–1.
    pub restitution: f32,
    /// Tensile stress a contact with a collider bears before it lets go, pascals over the ball's cross-section.
    pub adhesion: f32,
    /// Tensile stress a contact between particles bears before it lets go, pascals over the ball's cross-section.
    pub cohesion: f32,
    /// Rate at which velocity decays, 1/s.
    pub damping: f32,
    /// Multiplies gravity; 1 falls as usual, 0 floats, and less than that rises.
    pub gravity_scale: f32,
    /// Grains of it turn, and resist rolling by a torque of at most this times the load and the effective radius of a contact:
    /// a ball rolls down a plane that is steeper than the angle with this tangent. Without a value they do not turn.
    pub rolling_resistance: Option<f32>,
    /// Dynamic viscosity of a liquid, Pa·s. Sub-steps of h seconds carry up to about 5 ρ d²/h of it, for particles of a diameter d.
    pub viscosity: f32,
    /// How strongly eddies of a liquid are kept up against what coarse particles and few iterations take from them; 0 leaves them alone, and it
    /// adds energy.
    pub vorticity: f32,
    /// Surface tension of a liquid against air, N/m. Against another liquid it is the difference of both, and those of the same tension mix. Sub-steps of
    /// h seconds carry up to about ρ d³/(32 h²) of it, for particles of a diameter d.
    pub surface_tension: f32,
    /// Angle at which the surface of a liquid with tension meets solids, degrees, measured within the liquid: below 90 it wets them, above it beads on them.
    pub contact_angle: f32,
    /// Whether it is a gas, which fills what it is in and carries smoke: see [`smoke`](crate::smoke). What follows concerns gases alone.
    pub is_gas: bool,
    /// How strongly heat makes a gas rise: it is accelerated by `−g expansion (1 − T₀/T)`, in kelvin, with T₀ of 20 °C: 1 is what an ideal gas does in air. Gas that is colder falls,
    /// by no more than `g expansion`.
    pub expansion: f32,
    /// Rate at which the rim of a gas takes on the velocity of the [`Wind`](crate::Wind), 1/s: `k (1 − ρ/ρ₀)` of Unified, eq. 29. Walls and solids count as full.
    pub air_drag: f32,
    /// How strongly the rim of a gas rolls up under gravity (β of Unified, eq. 31): 1 is what a gas would whose density falls to nothing at its rim. 0 adds no eddies.
    pub baroclinity: f32,
    /// Thermal diffusivity between neighbours of a gas, m²/s.
    pub thermal_diffusivity: f32,
    /// Rate at which a gas takes on the temperature of its surroundings, 1/s: 20 °C, but in a [`HeatZone`](crate::HeatZone) that of the zone, at least at
    /// [`ZONE_RATE`](crate::heat::ZONE_RATE).
    pub cooling: f32,
}

impl Default for Material {
    fn default() -> Self {
        Self::SAND
    }
}

impl Material {
    /// Dry quartz sand: rests at about 30°, and runs out as sand does.
    ///
    /// Its grains turn. The rolling resistance stands for their edges.
    pub const SAND: Self = Self {
        static_friction: 0.35,
        kinetic_friction: 0.35,
        rolling_resistance: Some(0.2),
        ..Self::FAST_SAND
    };
    /// Dry sand whose grains do not turn: heaps rest at about 30°, in half the time, but what collapses stays too steep.
    ///
    /// Friction has to stand for what rolling would give away, and is half of what quartz has on quartz.
    pub const FAST_SAND: Self = Self {
        density: 2650.0,
        static_friction: 0.25,
        kinetic_friction: 0.25,
        restitution: 0.0,
        adhesion: 0.0,
        cohesion: 0.0,
        damping: 0.0,
        gravity_scale: 1.0,
        rolling_resistance: None,
        viscosity: 0.0,
        vorticity: 0.0,
        surface_tension: 0.0,
        contact_angle: 90.0,
        is_gas: false,
        expansion: 0.0,
        air_drag: 0.0,
        baroclinity: 0.0,
        thermal_diffusivity: 0.0,
        cooling: 0.0,
    };
    /// Moist sand, packed by hand: its grains stick together, do not turn, and stand steep.
    pub const WET_SAND: Self = Self {
        static_friction: 0.8,
        kinetic_friction: 0.7,
        adhesion: 10_000.0,
        cohesion: 10_000.0,
        ..Self::FAST_SAND
    };
    /// River gravel.
    pub const GRAVEL: Self = Self {
        static_friction: 0.5,
        kinetic_friction: 0.45,
        restitution: 0.1,
        rolling_resistance: Some(0.3),
        ..Self::FAST_SAND
    };
    /// Glass marbles: smooth and lively.
    pub const GLASS: Self = Self {
        density: 2500.0,
        static_friction: 0.15,
        kinetic_friction: 0.12,
        restitution: 0.7,
        rolling_resistance: Some(0.005),
        ..Self::FAST_SAND
    };
    /// Steel.
    pub const STEEL: Self = Self {
        density: 7850.0,
        static_friction: 0.4,
        kinetic_friction: 0.3,
        restitution: 0.5,
        rolling_resistance: Some(0.002),
        ..Self::FAST_SAND
    };
    /// Soft rubber.
    pub const RUBBER: Self = Self {
        density: 1100.0,
        static_friction: 1.0,
        kinetic_friction: 0.9,
        restitution: 0.75,
        rolling_resistance: Some(0.02),
        ..Self::FAST_SAND
    };
    /// Dry planed wood.
    pub const WOOD: Self = Self {
        density: 650.0,
        static_friction: 0.5,
        kinetic_friction: 0.4,
        restitution: 0.3,
        rolling_resistance: Some(0.01),
        ..Self::FAST_SAND
    };
    /// Ice near its melting point.
    pub const ICE: Self = Self {
        density: 917.0,
        static_friction: 0.05,
        kinetic_friction: 0.03,
        restitution: 0.1,
        rolling_resistance: Some(0.005),
        ..Self::FAST_SAND
    };
    /// No friction at all.
    pub const FRICTIONLESS: Self = Self {
        static_friction: 0.0,
        kinetic_friction: 0.0,
        ..Self::FAST_SAND
    };

    /// Water at 20 °C.
    pub const WATER: Self = Self {
        density: 998.0,
        viscosity: 1.0e-3,
        surface_tension: 0.0728,
        ..Self::FRICTIONLESS
    };
    /// Olive oil.
    pub const OIL: Self = Self {
        density: 911.0,
        viscosity: 0.084,
        surface_tension: 0.032,
        ..Self::FRICTIONLESS
    };
    /// Glycerine at 20 °C.
    pub const GLYCERINE: Self = Self {
        density: 1261.0,
        viscosity: 1.41,
        surface_tension: 0.063,
        ..Self::FRICTIONLESS
    };
    /// Honey at 20 °C.
    pub const HONEY: Self = Self {
        density: 1420.0,
        viscosity: 10.0,
        surface_tension: 0.06,
        ..Self::FRICTIONLESS
    };
    /// Mercury, which beads on glass.
    pub const MERCURY: Self = Self {
        density: 13_534.0,
        viscosity: 1.53e-3,
        surface_tension: 0.485,
        contact_angle: 140.0,
        ..Self::FRICTIONLESS
    };
    /// Wet mud, as thick as it is when it flows.
    pub const MUD: Self = Self {
        density: 1700.0,
        viscosity: 20.0,
        ..Self::FRICTIONLESS
    };
    /// Basaltic lava at 1150 °C.
    pub const LAVA: Self = Self {
        density: 2600.0,
        viscosity: 300.0,
        surface_tension: 0.35,
        ..Self::FRICTIONLESS
    };

    /// Paraffin wax at 80 °C.
    pub const MOLTEN_WAX: Self = Self {
        density: 770.0,
        viscosity: 5.0e-3,
        surface_tension: 0.027,
        ..Self::FRICTIONLESS
    };
    /// Chocolate at 40 °C, as thick as it is when it flows.
    pub const MOLTEN_CHOCOLATE: Self = Self {
        density: 1300.0,
        viscosity: 3.0,
        ..Self::FRICTIONLESS
    };

    /// Air at 20 °C, weightless as air is in air, that warms and cools: for rooms full of it.
    pub const AIR: Self = Self {
        density: 1.204,
        viscosity: 1.82e-5,
        gravity_scale: 0.0,
        is_gas: true,
        expansion: 1.0,
        thermal_diffusivity: 2.1e-5,
        ..Self::FRICTIONLESS
    };
    /// Air full of smoke, which rises while it is hot and rolls up at its rim: for plumes in the open.
    pub const SMOKE: Self = Self {
        air_drag: 10.0,
        baroclinity: 0.3,
        cooling: 0.3,
        ..Self::AIR
    };
    /// Steam at 100 °C: lighter than air by itself, and soon cold.
    pub const STEAM: Self = Self {
        density: 0.6,
        viscosity: 1.23e-5,
        gravity_scale: -0.3,
        air_drag: 4.0,
        baroclinity: 0.3,
        cooling: 1.0,
        ..Self::AIR
    };

    /// Every preset under the name that scene files use.
    pub const PRESETS: [(&'static str, Self); 22] = [
        ("sand", Self::SAND),
        ("fast_sand", Self::FAST_SAND),
        ("wet_sand", Self::WET_SAND),
        ("gravel", Self::GRAVEL),
        ("glass", Self::GLASS),
        ("steel", Self::STEEL),
        ("rubber", Self::RUBBER),
        ("wood", Self::WOOD),
        ("ice", Self::ICE),
        ("frictionless", Self::FRICTIONLESS),
        ("water", Self::WATER),
        ("oil", Self::OIL),
        ("glycerine", Self::GLYCERINE),
        ("honey", Self::HONEY),
        ("mercury", Self::MERCURY),
        ("mud", Self::MUD),
        ("lava", Self::LAVA),
        ("molten_wax", Self::MOLTEN_WAX),
        ("molten_chocolate", Self::MOLTEN_CHOCOLATE),
        ("air", Self::AIR),
        ("smoke", Self::SMOKE),
        ("steam", Self::STEAM),
    ];

    /// The preset of that name.
    pub fn preset(name: &str) -> Option<Self> {
        Self::PRESETS
            .iter()
            .find(|(preset, _)| *preset == name)
            .map(|(_, material)| *material)
    }

    /// The material with both friction coefficients set to `friction`.
    pub fn with_friction(self, friction: f32) -> Self {
        Self {
            static_friction: friction,
            kinetic_friction: friction,
            ..self
        }
    }

    /// The material with another restitution.
    pub fn with_restitution(self, restitution: f32) -> Self {
        Self { restitution, ..self }
    }

    /// The material of which grains turn, against that resistance.
    pub fn with_rolling_resistance(self, resistance: f32) -> Self {
        Self {
            rolling_resistance: Some(resistance),
            ..self
        }
    }

    /// Whether it is a liquid: it has a viscosity and is no gas.
    pub fn is_liquid(&self) -> bool {
        self.viscosity > 0.0 && !self.is_gas
    }

    /// Whether it is a liquid or a gas.
    pub fn is_fluid(&self) -> bool {
        self.is_gas || self.is_liquid()
    }

    /// The share of gravity that accelerates it at a temperature, °C: a gas rises by its warmth.
    pub fn gravity_share(&self, temperature: f32) -> f32 {
        self.gravity_scale - self.expansion * lift(temperature)
    }

    /// Mass of a ball of this material, kg.
    pub fn ball_mass(&self, radius: f32) -> f32 {
        self.density * (4.0 / 3.0) * std::f32::consts::PI * radius.powi(3)
    }

    /// First field whose value makes no physical sense, with what was expected of it.
    pub fn problem(&self) -> Option<(&'static str, f32, &'static str)> {
        let non_negative = |value: f32| value >= 0.0 && value.is_finite();
        [
            (
                "density",
                self.density,
                self.density > 0.0 && self.density.is_finite(),
                "a positive number, kg/m³",
            ),
            (
                "static_friction",
                self.static_friction,
                non_negative(self.static_friction),
                "0 or more",
            ),
            (
                "kinetic_friction",
                self.kinetic_friction,
                non_negative(self.kinetic_friction),
                "0 or more",
            ),
            (
                "restitution",
                self.restitution,
                (0.0..=1.0).contains(&self.restitution),
                "between 0 and 1",
            ),
            (
                "adhesion",
                self.adhesion,
                non_negative(self.adhesion),
                "0 or more, pascals",
            ),
            (
                "cohesion",
                self.cohesion,
                non_negative(self.cohesion),
                "0 or more, pascals",
            ),
            ("damping", self.damping, non_negative(self.damping), "0 or more, 1/s"),
            (
                "gravity_scale",
                self.gravity_scale,
                self.gravity_scale.is_finite(),
                "a finite number",
            ),
            (
                "rolling_resistance",
                self.rolling_resistance.unwrap_or(0.0),
                non_negative(self.rolling_resistance.unwrap_or(0.0)),
                "0 or more",
            ),
            (
                "viscosity",
                self.viscosity,
                non_negative(self.viscosity),
                "0 or more, Pa·s",
            ),
            ("vorticity", self.vorticity, non_negative(self.vorticity), "0 or more"),
            (
                "surface_tension",
                self.surface_tension,
                non_negative(self.surface_tension),
                "0 or more, N/m",
            ),
            (
                "contact_angle",
                self.contact_angle,
                (0.0..=180.0).contains(&self.contact_angle),
                "between 0 and 180 degrees",
            ),
            ("expansion", self.expansion, non_negative(self.expansion), "0 or more"),
            ("air_drag", self.air_drag, non_negative(self.air_drag), "0 or more, 1/s"),
            (
                "baroclinity",
                self.baroclinity,
                non_negative(self.baroclinity),
                "0 or more",
            ),
            (
                "thermal_diffusivity",
                self.thermal_diffusivity,
                non_negative(self.thermal_diffusivity),
                "0 or more, m²/s",
            ),
            ("cooling", self.cooling, non_negative(self.cooling), "0 or more, 1/s"),
        ]
        .into_iter()
        .find(|(_, _, fine, _)| !fine)
        .map(|(field, value, _, expected)| (field, value, expected))
    }
}

/// What a pair of materials does where it touches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct PairCoefficients {
    /// μs of the pair.
    pub static_friction: f32,
    /// μk of the pair.
    pub kinetic_friction: f32,
    /// Restitution of the pair.
    pub restitution: f32,
    /// Tensile stress of the pair, pascals: cohesion between particles, adhesion against a collider.
    pub cohesion: f32,
}

/// What two materials do where they touch, as measured on the two of them. `None` is as they combine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MaterialPair {
    /// μs of the pair.
    pub static_friction: Option<f32>,
    /// μk of the pair.
    pub kinetic_friction: Option<f32>,
    /// Restitution of the pair, 0–1.
    pub restitution: Option<f32>,
    /// Rolling resistance of the pair, of grains that turn.
    pub rolling_resistance: Option<f32>,
}

impl MaterialPair {
    /// The pair with both friction coefficients set to `friction`.
    pub fn with_friction(self, friction: f32) -> Self {
        Self {
            static_friction: Some(friction),
            kinetic_friction: Some(friction),
            ..self
        }
    }

    /// The pair with that restitution.
    pub fn with_restitution(self, restitution: f32) -> Self {
        Self {
            restitution: Some(restitution),
            ..self
        }
    }

    /// The pair with that rolling resistance.
    pub fn with_rolling_resistance(self, resistance: f32) -> Self {
        Self {
            rolling_resistance: Some(resistance),
            ..self
        }
    }

    /// First field whose value makes no physical sense, with what was expected of it.
    pub fn problem(&self) -> Option<(&'static str, f32, &'static str)> {
        let alike = Material {
            static_friction: self.static_friction.unwrap_or(0.0),
            kinetic_friction: self.kinetic_friction.unwrap_or(0.0),
            restitution: self.restitution.unwrap_or(0.0),
            rolling_resistance: self.rolling_resistance,
            ..Material::FRICTIONLESS
        };
        alike.problem()
    }
}

/// The materials of a world and, for every pair of them, their coefficients.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "GivenMaterials", into = "GivenMaterials")]
pub struct MaterialTable {
    given: GivenMaterials,
    pairs: Vec<PairCoefficients>,
    surfaces: Vec<PairCoefficients>,
    /// Rolling resistance between particles of two materials, and of particles on a collider.
    rolling: Vec<[f32; 2]>,
}

/// What a table was told, from which the rest follows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct GivenMaterials {
    materials: Vec<Material>,
    /// Materials that share their id with no other, although it may be equal.
    apart: BTreeSet<u32>,
    /// By the lower and the higher id.
    pairs: BTreeMap<[u32; 2], MaterialPair>,
}

impl From<GivenMaterials> for MaterialTable {
    fn from(given: GivenMaterials) -> Self {
        let mut table = Self {
            given,
            ..Self::default()
        };
        table.combine();
        table
    }
}

impl From<MaterialTable> for GivenMaterials {
    fn from(table: MaterialTable) -> Self {
        table.given
    }
}

impl MaterialTable {
    /// Adds a material; equal materials share one id.
    pub fn add(&mut self, material: Material) -> MaterialId {
        let shares = |&(index, known): &(u32, &Material)| *known == material && !self.given.apart.contains(&index);
        if let Some((index, _)) = (0u32..).zip(&self.given.materials).find(shares) {
            return MaterialId(index);
        }
        self.push(material)
    }

    /// Adds a material that has an id of its own, whatever others are like: so that pairs with it concern no other.
    pub fn add_apart(&mut self, material: Material) -> MaterialId {
        let id = self.push(material);
        self.given.apart.insert(id.0);
        id
    }

    fn push(&mut self, material: Material) -> MaterialId {
        self.given.materials.push(material);
        self.combine();
        MaterialId(self.given.materials.len() as u32 - 1)
    }

    /// Sets what two materials, or two things of one material, do where they touch; in either order. The last word counts.
    pub fn set_pair(&mut self, a: MaterialId, b: MaterialId, pair: MaterialPair) {
        if pair == MaterialPair::default() {
            self.given.pairs.remove(&ordered(a, b));
        } else {
            self.given.pairs.insert(ordered(a, b), pair);
        }
        self.combine();
    }

    /// What was set for two materials, in either order.
    pub fn given_pair(&self, a: MaterialId, b: MaterialId) -> MaterialPair {
        self.given.pairs.get(&ordered(a, b)).copied().unwrap_or_default()
    }

    /// All pairs that were set, by the ids of their materials.
    pub fn given_pairs(&self) -> impl Iterator<Item = ([MaterialId; 2], &MaterialPair)> {
        { self.given.pairs.iter() }.map(|(ids, pair)| (ids.map(MaterialId), pair))
    }

    /// Changes a material for everything made of it.
    pub fn set(&mut self, id: MaterialId, material: Material) {
        if let Some(slot) = self.given.materials.get_mut(id.0 as usize) {
            *slot = material;
            self.combine();
        }
    }

    /// The material of that id.
    pub fn get(&self, id: MaterialId) -> Option<&Material> {
        self.given.materials.get(id.0 as usize)
    }

    /// All materials, by id.
    pub fn as_slice(&self) -> &[Material] {
        &self.given.materials
    }

    /// Coefficients between particles of two materials.
    #[inline]
    pub fn pair(&self, a: MaterialId, b: MaterialId) -> &PairCoefficients {
        &self.pairs[a.0 as usize * self.given.materials.len() + b.0 as usize]
    }

    /// Coefficients between a particle of material `a` and a collider of material `b`.
    #[inline]
    pub fn surface(&self, a: MaterialId, b: MaterialId) -> &PairCoefficients {
        &self.surfaces[a.0 as usize * self.given.materials.len() + b.0 as usize]
    }

    /// Rolling resistance between grains of material `a` and `b` that both turn, and of grains of material `a` on what does not turn and is
    /// of material `b`.
    #[inline]
    pub fn rolling(&self, a: MaterialId, b: MaterialId) -> [f32; 2] {
        self.rolling[a.0 as usize * self.given.materials.len() + b.0 as usize]
    }

    /// Whether any two particles rebound from each other.
    pub fn pairs_rebound(&self) -> bool {
        self.pairs.iter().any(|pair| pair.restitution > 0.0)
    }

    fn combine(&mut self) {
        self.pairs.clear();
        self.surfaces.clear();
        self.rolling.clear();
        for (i, a) in (0..).zip(&self.given.materials) {
            for (j, b) in (0..).zip(&self.given.materials) {
                let given = self.given_pair(MaterialId(i), MaterialId(j));
                let mean = |a: f32, b: f32| (a * b).sqrt();
                let pair = PairCoefficients {
                    static_friction: { given.static_friction }
                        .unwrap_or_else(|| mean(a.static_friction, b.static_friction)),
                    kinetic_friction: { given.kinetic_friction }
                        .unwrap_or_else(|| mean(a.kinetic_friction, b.kinetic_friction)),
                    restitution: given.restitution.unwrap_or(a.restitution.max(b.restitution)),
                    cohesion: a.cohesion.min(b.cohesion),
                };
                self.pairs.push(pair);
                let own = a.rolling_resistance.unwrap_or(0.0);
                let between = own.max(b.rolling_resistance.unwrap_or(0.0));
                self.rolling
                    .push([between, own].map(|combined| given.rolling_resistance.unwrap_or(combined)));
                // A wall is sticky for what sticks: only the particle's adhesion counts.
                self.surfaces.push(PairCoefficients {
                    cohesion: a.adhesion,
                    ..pair
                });
            }
        }
    }
}

fn ordered(a: MaterialId, b: MaterialId) -> [u32; 2] {
    [a.0.min(b.0), a.0.max(b.0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_make_sense() {
        for (name, material) in Material::PRESETS {
            assert_eq!(material.problem(), None, "{name}");
            assert!(material.kinetic_friction <= material.static_friction, "{name}");
        }
    }

    #[test]
    fn friction_is_the_geometric_mean_and_restitution_the_larger() {
        let mut table = MaterialTable::default();
        let a = table.add(Material::SAND.with_friction(0.9).with_restitution(0.1));
        let b = table.add(Material::SAND.with_friction(0.4).with_restitution(0.6));
        let pair = table.pair(a, b);
        assert!((pair.static_friction - 0.6).abs() < 1e-6);
        assert_eq!(pair.restitution, 0.6);
        assert_eq!(pair, table.pair(b, a));
    }

    #[test]
    fn equal_materials_share_an_id() {
        let mut table = MaterialTable::default();
        assert_eq!(table.add(Material::SAND), table.add(Material::SAND));
        assert_ne!(table.add(Material::SAND), table.add(Material::ICE));
    }

    #[test]
    fn a_pair_overrides_what_materials_combine_to_and_leaves_the_rest() {
        let mut table = MaterialTable::default();
        let steel = table.add(Material::STEEL);
        let ice = table.add(Material::ICE);
        let combined = *table.pair(steel, ice);
        table.set_pair(ice, steel, MaterialPair::default().with_friction(0.01));
        let expected = PairCoefficients {
            static_friction: 0.01,
            kinetic_friction: 0.01,
            ..combined
        };
        assert_eq!(*table.pair(steel, ice), expected);
        assert_eq!(*table.pair(ice, steel), expected);
        assert_eq!(table.surface(ice, steel).static_friction, 0.01);
        assert_eq!(
            table.pair(steel, steel).static_friction,
            Material::STEEL.static_friction
        );
        // A third material moves the others' places in the table, and changes nothing.
        table.add(Material::RUBBER);
        assert_eq!(*table.pair(steel, ice), expected);
        table.set_pair(steel, ice, MaterialPair::default());
        assert_eq!(*table.pair(steel, ice), combined);
    }

    #[test]
    fn a_material_apart_shares_no_id_and_no_pairs() {
        let mut table = MaterialTable::default();
        let rail = table.add_apart(Material::STEEL);
        let steel = table.add(Material::STEEL);
        assert_ne!(rail, steel);
        assert_eq!(steel, table.add(Material::STEEL));
        table.set_pair(rail, steel, MaterialPair::default().with_friction(0.1));
        assert_eq!(
            table.pair(steel, steel).static_friction,
            Material::STEEL.static_friction
        );
    }

    #[test]
    fn coefficients_of_a_pair_must_make_sense() {
        let pair = MaterialPair::default();
        assert_eq!(pair.problem(), None);
        assert_eq!(
            pair.with_friction(-1.0).problem().map(|(field, ..)| field),
            Some("static_friction")
        );
        assert_eq!(
            pair.with_restitution(1.5).problem().map(|(field, ..)| field),
            Some("restitution")
        );
    }
}
