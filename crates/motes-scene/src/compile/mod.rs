//! From the tables of a scene to the parts of a world: grains placed, shapes made, materials looked up.
//!
//! Both building and checking start from here, so that what is checked is what is built.

mod attachments;
mod bodies;
mod camera;
mod carve;
mod clamps;
mod collider;
mod creatures;
mod distances;
mod emitter;
mod field;
mod fluid;
mod grains;
mod heat;
mod inflation;
mod joint_axis;
mod joints;
mod markers;
mod material_pairs;
mod materials;
mod motion;
mod places;
mod sheet_shapes;
mod sheets;
mod solid;
mod sources;
mod triggers;
mod upright;

use std::path::Path;

use glam::Vec3;
use motes_core::particles::sizes::Sizes;
use motes_core::{Bounds, Collider, Emitter, ForceField, HeatZone, Material, MaterialId, Settings, Stream, Volume};

use crate::issues::Issues;
use crate::mesh_files::{MeshFiles, Rigs};
use crate::model::{Color, Gravity, SceneTable};
use crate::scene::Scene;
use crate::steps::Steps;
pub(crate) use attachments::{Carried, PlannedBase, PlannedCarrier};
pub use bodies::BodyForm;
pub(crate) use bodies::PlannedBodies;
use carve::Standing;
pub use creatures::CreatureForm;
pub(crate) use creatures::PlannedCreatures;
use distances::Parts;
pub(crate) use distances::{PlannedDistances, PlannedPart};
pub(crate) use fluid::PlannedFluid;
pub(crate) use heat::PlannedFreezing;
pub(crate) use joint_axis::Switches;
pub(crate) use joints::{BodyRef, PlannedJoint, PlannedPartner};
pub(crate) use markers::{PlannedMarkers, among};
pub(crate) use material_pairs::PlannedPair;
pub(crate) use materials::Materials;
pub use sheets::SheetForm;
pub(crate) use sheets::{PlannedSheet, SheetKind};
pub(crate) use sources::PlannedSource;
use sources::Sources;
use triggers::Switchable;
pub(crate) use triggers::{PlannedSwitch, PlannedTrigger};
pub(crate) use upright::Upright;

/// How large a scene may become. A scene past a limit is refused before the memory is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SizeLimits {
    /// Particles, those of emitters included.
    pub particles: u64,
    /// Places of a lattice that are looked at while a solid is filled.
    pub places: u64,
    /// Samples of one signed-distance grid or terrain.
    pub samples: u64,
    /// Pairs of particles that keep their distance.
    pub distances: u64,
}

impl Default for SizeLimits {
    /// 50 million particles, 200 million places, 64 million samples, 20 million distances.
    fn default() -> Self {
        Self {
            particles: 50_000_000,
            places: 200_000_000,
            samples: 64_000_000,
            distances: 20_000_000,
        }
    }
}

/// The parts of a world, in the order of the file.
pub(crate) struct Plan {
    pub(crate) settings: Settings,
    pub(crate) material_pairs: Vec<PlannedPair>,
    pub(crate) grains: Vec<PlannedGrains>,
    pub(crate) fluids: Vec<PlannedFluid>,
    pub(crate) markers: Vec<PlannedMarkers>,
    pub(crate) sheets: Vec<PlannedSheet>,
    pub(crate) bodies: Vec<PlannedBodies>,
    pub(crate) creatures: Vec<PlannedCreatures>,
    pub(crate) colliders: Vec<PlannedCollider>,
    pub(crate) joints: Vec<PlannedJoint>,
    /// Those of attachments too.
    pub(crate) distances: Vec<PlannedDistances>,
    pub(crate) carriers: Vec<PlannedCarrier>,
    pub(crate) emitters: Vec<PlannedEmitter>,
    pub(crate) fields: Vec<ForceField>,
    pub(crate) kill_volumes: Vec<PlannedKill>,
    pub(crate) heat: Vec<HeatZone>,
    pub(crate) triggers: Vec<PlannedTrigger>,
    /// What the camera goes along with.
    pub(crate) follow: Option<PlannedSource>,
}

/// The particles of one `[[grains]]`.
pub(crate) struct PlannedGrains {
    pub(crate) index: usize,
    pub(crate) name: String,
    pub(crate) material: Material,
    /// Radius of its grains, metres.
    pub(crate) radius: f32,
    pub(crate) centers: Vec<Vec3>,
}

/// A collider whose material is not in a world yet.
pub(crate) struct PlannedCollider {
    pub(crate) index: usize,
    pub(crate) material: Material,
    pub(crate) collider: Collider,
    pub(crate) switches: Switches,
    /// When its surface runs.
    pub(crate) runs: Switches,
}

/// An emitter whose group is not in a world yet.
pub(crate) struct PlannedEmitter {
    pub(crate) index: usize,
    pub(crate) material: Material,
    pub(crate) emitter: Emitter,
    /// Radius of its particles, metres.
    pub(crate) radius: f32,
    /// Whether they are a liquid or a gas.
    pub(crate) is_fluid: bool,
    /// The colour of such a fluid.
    pub(crate) color: Option<Color>,
    /// Most of its particles alive at once.
    pub(crate) most_alive: f64,
}

impl PlannedEmitter {
    /// What it gives off.
    pub(crate) fn stream(&self) -> Stream {
        Stream {
            radius: self.radius,
            is_liquid: self.is_fluid,
        }
    }

    /// Whether they are a liquid.
    pub(crate) fn is_liquid(&self) -> bool {
        self.is_fluid && !self.material.is_gas
    }
}

/// The region of one `[[kill]]`.
pub(crate) struct PlannedKill {
    pub(crate) index: usize,
    pub(crate) volume: Volume,
}

/// Takes the place of a material until the world has given it an id.
pub(crate) const NO_MATERIAL: MaterialId = MaterialId(0);

/// What every part of a scene is made with.
pub(crate) struct Surroundings<'a> {
    pub(crate) scene: &'a SceneTable,
    /// Where paths of the file begin.
    pub(crate) folder: &'a Path,
    pub(crate) mesh_files: &'a MeshFiles,
    pub(crate) rigs: &'a Rigs,
    pub(crate) steps: &'a Steps,
    pub(crate) upright: Upright,
    pub(crate) materials: Materials,
    pub(crate) limits: SizeLimits,
}

/// The parts of a scene's world; parts that cannot be made are noted and left out.
pub(crate) fn compile(scene: &Scene, limits: SizeLimits, issues: &mut Issues<'_>) -> Plan {
    let around = Surroundings {
        scene,
        folder: scene.folder(),
        mesh_files: scene.mesh_files(),
        rigs: scene.rigs(),
        steps: scene.steps(),
        upright: Upright(scene.up),
        materials: Materials::resolve(&scene.material, issues),
        limits,
    };
    let mut settings = scene.solver.settings();
    settings.particle_radius = scene.particle_radius;
    settings.gravity = match scene.gravity {
        Gravity::Down(strength) => -strength * scene.up.vector(),
        Gravity::Vector(vector) => vector,
    };
    let mut grains = grains::all(&around, issues);
    let loose: u64 = grains.iter().map(|planned| planned.centers.len() as u64).sum();
    let mut fluids = fluid::all(&around, loose, issues);
    let loose = loose + fluids.iter().map(|planned| planned.centers.len() as u64).sum::<u64>();
    let sheets = sheets::all(&around, loose, issues);
    let loose = loose + sheets.iter().map(|planned| planned.centers.len() as u64).sum::<u64>();
    let bodies = bodies::all(&around, loose, issues);
    let held = bodies.iter().map(|planned| planned.particle_count() as u64);
    let creatures = creatures::all(&around, loose + held.sum::<u64>(), issues);
    let colliders = collider::all(&around, issues);
    let standing = Standing {
        sheets: &sheets,
        bodies: &bodies,
        colliders: &colliders,
    };
    carve::carve(&around, &mut grains, &mut fluids, &standing);
    let emitters = emitter::all(&around, issues);
    check_sizes(
        &around,
        particle_sizes(&grains, &fluids, &sheets, &bodies, &creatures, &emitters),
        issues,
    );
    let joints = joints::all(&around, &bodies, &colliders, issues);
    let sources = Sources::new(&around, &grains, &fluids, &sheets, &bodies, &creatures, &emitters);
    let switchable = Switchable {
        colliders: &colliders,
        joints: &joints,
        emitters: &emitters,
    };
    let parts = Parts::new(&around, &grains, &sheets, &bodies);
    let mut distances = distances::all(&around, &parts, issues);
    let (mut carriers, ties) = attachments::all(&around, &parts, &colliders, issues);
    carriers.extend(clamps::all(&around, &bodies, &colliders, issues));
    carriers.extend(creatures::carriers(&around, &creatures, &colliders, issues));
    distances.extend(ties);
    Plan {
        triggers: triggers::all(&around, &sources, &switchable, issues),
        follow: camera::follow(scene, &sources, issues),
        joints,
        distances,
        carriers,
        grains,
        fluids,
        sheets,
        bodies,
        creatures,
        colliders,
        emitters,
        fields: field::fields(&around, issues),
        markers: markers::all(&around, issues),
        kill_volumes: field::kill_volumes(&around, issues),
        heat: heat::zones(&around, issues),
        material_pairs: material_pairs::all(&around, issues),
        settings,
    }
}

/// Radius of the particles of every table, metres, and its path.
fn particle_sizes(
    grains: &[PlannedGrains],
    fluids: &[PlannedFluid],
    sheets: &[PlannedSheet],
    bodies: &[PlannedBodies],
    creatures: &[PlannedCreatures],
    emitters: &[PlannedEmitter],
) -> Vec<(f32, String)> {
    let loose = grains
        .iter()
        .map(|planned| (planned.radius, format!("grains[{}]", planned.index)));
    let held = bodies.iter().map(|planned| (planned.radius, planned.path()));
    let born = emitters
        .iter()
        .map(|planned| (planned.radius, format!("emitter[{}]", planned.index)));
    let flat = sheets.iter().map(|planned| (planned.radius, planned.path()));
    let poured = fluids.iter().map(|planned| (planned.radius, planned.path()));
    let alive = creatures.iter().map(|planned| (planned.radius, planned.path()));
    loose
        .chain(poured)
        .chain(flat)
        .chain(held)
        .chain(alive)
        .chain(born)
        .collect()
}

/// Refuses particles that are too different in size for one world.
fn check_sizes(around: &Surroundings<'_>, mut all: Vec<(f32, String)>, issues: &mut Issues<'_>) {
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (Some((smallest, first)), Some((largest, last))) = (all.first(), all.last()) else {
        return;
    };
    if *largest > Sizes::MOST * 1.0001 * smallest {
        let own = if *largest == around.scene.particle_radius {
            first
        } else {
            last
        };
        let message = format!(
            "particles of {smallest} and of {largest} m: in one scene the largest may be {} times the smallest",
            Sizes::MOST
        );
        // Those of creatures follow from their model.
        let key = if own.starts_with("creature") {
            String::new()
        } else {
            ".radius".to_owned()
        };
        issues.error(&format!("{own}{key}"), message);
    }
}

/// A box around everything finite in the scene, made without placing a single grain.
pub(crate) fn extent(scene: &Scene, issues: &mut Issues<'_>) -> Bounds {
    let around = Surroundings {
        scene,
        folder: scene.folder(),
        mesh_files: scene.mesh_files(),
        rigs: scene.rigs(),
        steps: scene.steps(),
        upright: Upright(scene.up),
        materials: Materials::default(),
        limits: SizeLimits::default(),
    };
    grains::extent(&around, issues)
        .union(fluid::extent(&around, issues))
        .union(sheets::extent(&around, issues))
        .union(bodies::extent(&around, issues))
        .union(creatures::extent(&around, issues))
        .union(emitter::extent(scene))
}

/// The object's own name, or one from its place in the file.
pub(crate) fn named(name: &str, kind: &str, index: usize) -> String {
    if name.is_empty() {
        format!("{kind} {index}")
    } else {
        name.into()
    }
}
