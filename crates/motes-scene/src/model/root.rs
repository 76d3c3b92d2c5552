//! The whole file.

use std::collections::BTreeMap;

use glam::Vec3;

use super::{
    BodyKeys, CameraTable, ClothTable, ColliderTable, CreatureTable, DistanceTable, EmitterTable, FabricTable,
    FieldTable, FluidTable, FoamTable, GrainsTable, Gravity, HeatTable, JointTable, MarkersTable, MaterialPairTable,
    MaterialTable, OutputTable, PlasticTable, Region, RenderTable, RigidTable, RopeTable, SmokeTable, SoftTable,
    SolverTable, TriggerTable, WindTable,
};
use crate::decode::limits::{accelerations, between};

crate::words! {
    /// The axis that points up. Coordinates mean what they say either way: with `z`, gravity points along -z and
    /// the camera's up is z, and shapes that have an axis of their own (cylinder, cone, capsule, torus, castle,
    /// vessels, terrain) stand along z.
    enum Up {
        /// y is up.
        "y" => Y,
        /// z is up.
        "z" => Z,
    }
}

impl Up {
    /// The unit vector that points up.
    pub fn vector(self) -> Vec3 {
        match self {
            Self::Y => Vec3::Y,
            Self::Z => Vec3::Z,
        }
    }
}

crate::table! {
    /// A scene of motes. Lengths are metres, times seconds, angles degrees, everything else SI.
    default struct SceneTable {
        /// Name, for files and lists.
        name: String = String::new(),
        /// One sentence about the scene.
        caption: String = String::new(),
        /// The axis that points up: "y" or "z".
        up: Up = Up::Y,
        /// Seed of everything random.
        seed: u64 = 0,
        /// Radius of every particle, metres.
        particle_radius: f32 = 0.05 => between(1e-5, 1e4).of("m"),
        /// Gravity, m/s²: its strength straight down, or [x, y, z].
        gravity: Gravity = Gravity::Down(9.81) => accelerations(),
        /// Frames of a run.
        frames: u32 = 300 => between(0.0, 1e7),
        /// Frames per second of simulated time.
        frame_rate: f32 = 60.0 => between(1.0, 1e5).of("1/s"),
        /// Settings of the solver.
        solver: SolverTable = SolverTable::default(),
        /// Materials by name. Presets need no entry: sand, wet_sand, gravel, glass, steel, rubber, wood, ice,
        /// frictionless; liquids: water, oil, glycerine, honey, mercury, mud, lava, molten_wax, molten_chocolate; gases: air, smoke, steam.
        material: BTreeMap<String, MaterialTable> = BTreeMap::new(),
        /// What two materials do where they touch, where it does not follow from the two.
        material_pair: Vec<MaterialPairTable> = Vec::new(),
        /// Solids filled with grains.
        grains: Vec<GrainsTable> = Vec::new(),
        /// Solids filled with liquids or gases.
        fluid: Vec<FluidTable> = Vec::new(),
        /// Spray, foam and bubbles of liquids; without it there are none.
        foam: Option<FoamTable> = None,
        /// How smoke of gases looks, and how long it stays.
        smoke: Option<SmokeTable> = None,
        /// Solids filled with markers of smoke.
        markers: Vec<MarkersTable> = Vec::new(),
        /// Rigid bodies.
        rigid: Vec<RigidTable> = Vec::new(),
        /// Elastic bodies.
        soft: Vec<SoftTable> = Vec::new(),
        /// Bodies that keep dents.
        plastic: Vec<PlasticTable> = Vec::new(),
        /// Fabrics by name. Presets need no entry: silk, cotton, denim, leather, rubber_sheet, paper.
        fabric: BTreeMap<String, FabricTable> = BTreeMap::new(),
        /// Creatures of oriented particles.
        creature: Vec<CreatureTable> = Vec::new(),
        /// Sheets of cloth.
        cloth: Vec<ClothTable> = Vec::new(),
        /// Ropes.
        rope: Vec<RopeTable> = Vec::new(),
        /// The air that cloth and the rims of gases feel.
        wind: WindTable = WindTable::default(),
        /// What holds bodies together, and to the world.
        joint: Vec<JointTable> = Vec::new(),
        /// Distances that particles keep: ropes and nets.
        distance: Vec<DistanceTable> = Vec::new(),
        /// Obstacles.
        collider: Vec<ColliderTable> = Vec::new(),
        /// Sources of particles.
        emitter: Vec<EmitterTable> = Vec::new(),
        /// Force fields.
        field: Vec<FieldTable> = Vec::new(),
        /// Places that warm and cool gases, and bodies which melt; elsewhere it is 20 °C.
        heat: Vec<HeatTable> = Vec::new(),
        /// Regions in which particles are removed.
        kill: Vec<Region> = Vec::new(),
        /// Regions that notice what is in them, and do something about it.
        trigger: Vec<TriggerTable> = Vec::new(),
        /// The camera; without it, one that sees everything.
        camera: Option<CameraTable> = None,
        /// How pictures look.
        render: RenderTable = RenderTable::default(),
        /// What a run leaves behind.
        output: OutputTable = OutputTable::default(),
    }
}

/// The three kinds of bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BodyKind {
    /// Of `[[rigid]]`.
    Rigid,
    /// Of `[[soft]]`.
    Soft,
    /// Of `[[plastic]]`.
    Plastic,
}

impl BodyKind {
    /// Their lists in a scene, in the order in which bodies are built.
    pub const LISTS: [&'static str; 3] = ["rigid", "soft", "plastic"];

    /// The name of a body's material: by default soft bodies are of rubber, the others of wood.
    pub fn material(self, keys: &BodyKeys) -> &str {
        let usual = if self == Self::Soft { "rubber" } else { "wood" };
        keys.material.as_deref().unwrap_or(usual)
    }

    /// The name of its list.
    pub fn list(self) -> &'static str {
        Self::LISTS[self as usize]
    }
}

impl SceneTable {
    /// The radius of particles that have one of their own or that of the scene, metres.
    pub fn radius_or(&self, own: Option<f32>) -> f32 {
        own.unwrap_or(self.particle_radius)
    }

    /// All tables of bodies: the kind, the place in its list, and what all kinds have.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyKind, usize, &BodyKeys)> {
        let rigid = self.rigid.iter().map(|table| &table.body).enumerate();
        let soft = self.soft.iter().map(|table| &table.body).enumerate();
        let plastic = self.plastic.iter().map(|table| &table.body).enumerate();
        let of = |kind: BodyKind| move |(index, keys)| (kind, index, keys);
        rigid
            .map(of(BodyKind::Rigid))
            .chain(soft.map(of(BodyKind::Soft)))
            .chain(plastic.map(of(BodyKind::Plastic)))
    }
}
