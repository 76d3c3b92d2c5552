//! Settings, materials and force fields in the form that kernels read.

use bytemuck::{Pod, Zeroable};
use motes_core::constraints::chebyshev::Pace;
use motes_core::constraints::contact::Terms;
use motes_core::constraints::density::Lattice;
use motes_core::constraints::tension::{self, Surface};
use motes_core::engine::Frame;
use motes_core::glam::Vec4;
use motes_core::particles::sizes::Sizes;
use motes_core::{Averaging, FieldKind, ForceField, FrictionModel, Liquids, MaterialId, Settings};

use super::arrays::{Room, outline_section, radius_section, turned_section, warmth_section};
use super::bodies::BodyCounts;
use super::features::Features;
use super::volume::Volume;

/// Values of `Params::averaging`.
pub(crate) const IN_FULL: u32 = 0;
pub(crate) const BY_COUNT: u32 = 1;
pub(crate) const BY_DIRECTION: u32 = 2;

/// Values of `Field::kind`.
pub(crate) const UNIFORM: u32 = 0;
pub(crate) const RADIAL: u32 = 1;
pub(crate) const VORTEX: u32 = 2;
pub(crate) const DRAG: u32 = 3;

/// What all stages of a frame depend on: `Params` in `lib/params.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Params {
    pub(crate) gravity: [f32; 3],
    pub(crate) h: f32,
    pub(crate) stack: [f32; 3],
    pub(crate) count: u32,
    pub(crate) cell_bits: [u32; 3],
    pub(crate) entries: u32,
    pub(crate) origin: [i32; 3],
    pub(crate) entry_room: u32,
    pub(crate) materials: u32,
    pub(crate) fields: u32,
    pub(crate) pair_capacity: u32,
    pub(crate) inverse_cell: f32,
    pub(crate) radius: f32,
    pub(crate) touch: f32,
    pub(crate) reach: f32,
    pub(crate) relaxation: f32,
    pub(crate) calm: f32,
    pub(crate) across: f32,
    pub(crate) memory: f32,
    pub(crate) fading: f32,
    pub(crate) grip: f32,
    pub(crate) max_speed: f32,
    pub(crate) max_change: f32,
    pub(crate) rest: f32,
    pub(crate) restitution_threshold: f32,
    pub(crate) averaging: u32,
    pub(crate) velocity_friction: u32,
    pub(crate) indices: u32,
    pub(crate) stride: u32,
    pub(crate) stabilizes: u32,
    pub(crate) rebounds: u32,
    pub(crate) bodies: u32,
    pub(crate) body_up: [f32; 3],
    pub(crate) body_scaling: f32,
    pub(crate) iteration_part: f32,
    pub(crate) members: u32,
    pub(crate) levels: u32,
    pub(crate) largest: f32,
    pub(crate) radius_rows: u32,
    pub(crate) radius_section: u32,
    pub(crate) longer: f32,
    pub(crate) turned_section: u32,
    pub(crate) rolling_rows: u32,
    pub(crate) near: f32,
    pub(crate) flow_section: u32,
    pub(crate) warmth_section: u32,
    pub(crate) gas_rows: u32,
    pub(crate) smallest: f32,
    pub(crate) outline_section: u32,
    pub(crate) unused: u32,
}

/// How an iteration carries on: `Iteration` in `lib/iteration.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Iteration {
    pub(crate) momentum: f32,
    pub(crate) carried: u32,
    pub(crate) carries: u32,
    pub(crate) empties: u32,
    pub(crate) keep: f32,
    pub(crate) take: f32,
    pub(crate) press_keep: f32,
    pub(crate) press_take: f32,
}

impl Iteration {
    /// The first of a sub-step empties the table of cells, unless passive particles have yet to ask it.
    pub(crate) fn new(settings: &Settings, iteration: u32, passive: bool) -> Self {
        let momentum = |iteration| settings.momentum(iteration);
        let pace = settings.pace(iteration);
        let press = match settings.liquids {
            Liquids::Pcisph => Pace::PLAIN,
            _ => Pace::throughout(iteration, settings.iterations),
        };
        let carried = iteration > 0 && momentum(iteration - 1) > 0.0;
        let carries = iteration + 1 < settings.iterations && momentum(iteration + 1) > 0.0;
        Self {
            momentum: momentum(iteration),
            carried: u32::from(carried),
            carries: u32::from(carries),
            empties: u32::from(iteration == 0 && !passive),
            keep: pace.keep,
            take: pace.take,
            press_keep: press.keep,
            press_take: press.take,
        }
    }
}

/// One over the width of a cell, per metre: a hair wider than the reach of neighbours, because distances are rounded.
fn inverse_cell(frame: &Frame, solids: bool) -> f32 {
    let settings = &frame.settings;
    let touch = match &frame.sizes {
        None => settings.contact_distance(),
        Some(sizes) => 2.0 * sizes.finest(),
    };
    let distance = touch * settings.cell_width(frame.fluids, solids);
    (1.0 / (f64::from(distance) * (1.0 + 1e-6))) as f32
}

impl Params {
    /// Without what the census of a frame tells.
    pub(crate) fn new(frame: &Frame, room: &Room, stride: usize, bodies: &BodyCounts, mean_size: f32) -> Self {
        let settings = &frame.settings;
        let h = frame.dt / settings.substeps.max(1) as f32;
        let terms = Terms::new(settings, h, h);
        let distance = settings.contact_distance();
        let solids = room.features.has(Features::INSCRIBED);
        Self {
            gravity: settings.gravity.to_array(),
            h,
            stack: (settings.mass_scaling / distance * settings.up()).to_array(),
            count: 0,
            cell_bits: [0; 3],
            entries: 0,
            origin: [0; 3],
            entry_room: room.entries as u32,
            materials: frame.materials.as_slice().len() as u32,
            fields: frame.fields.len() as u32,
            pair_capacity: room.pairs as u32,
            inverse_cell: inverse_cell(frame, solids),
            radius: settings.particle_radius,
            touch: distance,
            reach: match &frame.sizes {
                None => distance * settings.pair_reach(solids),
                Some(_) => settings.pair_reach(solids),
            },
            relaxation: settings.relaxation,
            calm: terms.calm,
            across: terms.across,
            memory: terms.memory,
            fading: terms.fading,
            grip: match &frame.sizes {
                None => Settings::grip(1.0, settings.particle_radius, h),
                Some(_) => Settings::grip(1.0, 1.0, h),
            },
            max_speed: finite(settings.max_speed),
            max_change: finite(settings.max_acceleration * h),
            rest: settings.sleep_speed * h,
            restitution_threshold: settings.restitution_threshold,
            averaging: match settings.averaging {
                Averaging::None => IN_FULL,
                Averaging::Count => BY_COUNT,
                Averaging::Directional => BY_DIRECTION,
            },
            velocity_friction: u32::from(settings.friction == FrictionModel::Velocity),
            indices: bodies.indices as u32,
            stride: stride as u32,
            stabilizes: u32::from(settings.stabilization_iterations > 0),
            rebounds: u32::from(room.features.has(Features::REBOUNDS)),
            bodies: bodies.bodies as u32,
            body_up: (settings.up() / mean_size).to_array(),
            body_scaling: settings.body_mass_scaling,
            iteration_part: 60.0 * h / settings.iterations.max(1) as f32,
            members: bodies.members as u32,
            levels: frame.sizes.as_ref().map_or(1, Sizes::levels) as u32,
            largest: frame.sizes.as_ref().map_or(settings.particle_radius, Sizes::largest),
            radius_rows: radius_rows(frame) as u32,
            radius_section: (radius_section(room.features) * stride) as u32,
            longer: 1.0,
            turned_section: (turned_section(room.features) * stride) as u32,
            rolling_rows: rolling_rows(frame) as u32,
            near: settings.pair_reach(false),
            flow_section: 0,
            warmth_section: (warmth_section(room.features) * stride) as u32,
            gas_rows: gas_rows(frame) as u32,
            smallest: frame.sizes.as_ref().map_or(settings.particle_radius, Sizes::smallest),
            outline_section: (outline_section(room.features) * stride) as u32,
            unused: 0,
        }
    }
}

/// Kernels may be compiled as if there were no infinity; the largest number does as well.
fn finite(value: f32) -> f32 {
    value.min(f32::MAX)
}

/// The table of materials and fields as `lib/table.wgsl` describes it.
pub(crate) fn table(frame: &Frame) -> Vec<Vec4> {
    let materials = frame.materials.as_slice();
    let mut rows: Vec<Vec4> = materials
        .iter()
        .map(|material| {
            Vec4::new(
                material.gravity_scale,
                material.damping,
                material.viscosity,
                material.vorticity,
            )
        })
        .collect();
    for a in 0..materials.len() as u32 {
        for b in 0..materials.len() as u32 {
            let pair = frame.materials.pair(MaterialId(a), MaterialId(b));
            rows.push(Vec4::new(
                pair.static_friction,
                pair.kinetic_friction,
                pair.restitution,
                pair.cohesion,
            ));
        }
    }
    let fields: Vec<Field> = frame.fields.iter().map(Field::from).collect();
    rows.extend(bytemuck::pod_collect_to_vec::<Field, Vec4>(&fields));
    for four in frame.sizes.iter().flat_map(|sizes| sizes.of_group().chunks(4)) {
        let radius = |place: usize| four.get(place).copied().unwrap_or(0.0);
        rows.push(Vec4::new(radius(0), radius(1), radius(2), radius(3)));
    }
    debug_assert_eq!(rows.len(), rolling_rows(frame));
    for a in 0..materials.len() as u32 {
        for b in 0..materials.len() as u32 {
            let [between, first] = frame.materials.rolling(MaterialId(a), MaterialId(b));
            let [_, second] = frame.materials.rolling(MaterialId(b), MaterialId(a));
            rows.push(Vec4::new(between, first, second, 0.0));
        }
    }
    debug_assert_eq!(rows.len(), gas_rows(frame));
    if frame.gas {
        for gas in materials {
            let drives = Vec4::new(gas.expansion, gas.air_drag, gas.baroclinity, gas.thermal_diffusivity);
            rows.extend([drives, Vec4::new(gas.cooling, 0.0, 0.0, 0.0)]);
        }
    }
    debug_assert_eq!(rows.len(), tension_rows(frame));
    if frame.fluids {
        let settings = &frame.settings;
        let surface = Surface::new(settings.smoothing_radius, &Lattice::new(settings.smoothing_radius));
        let h = frame.dt / settings.substeps.max(1) as f32;
        rows.extend(tension::strengths(frame, &surface, h));
    }
    rows
}

/// Where what materials pull with by their surface tension begins in the table.
pub(super) fn tension_rows(frame: &Frame) -> usize {
    let of_gas = if frame.gas { 2 } else { 0 };
    gas_rows(frame) + of_gas * frame.materials.as_slice().len()
}

/// Where what gases are driven by begins in the table, two rows for each material.
fn gas_rows(frame: &Frame) -> usize {
    let materials = frame.materials.as_slice().len();
    rolling_rows(frame) + materials * materials
}

/// Where the rolling resistances of pairs of materials begin in the table.
fn rolling_rows(frame: &Frame) -> usize {
    let groups = frame.sizes.as_ref().map_or(0, |sizes| sizes.of_group().len());
    radius_rows(frame) + groups.div_ceil(4)
}

/// Where the radii of groups begin in the table.
fn radius_rows(frame: &Frame) -> usize {
    let materials = frame.materials.as_slice().len();
    materials + materials * materials + frame.fields.len() * (size_of::<Field>() / size_of::<Vec4>())
}

/// A force field: `Field` in `lib/field.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Field {
    pub(crate) kind: u32,
    pub(crate) strength: f32,
    pub(crate) range: f32,
    pub(crate) pull: f32,
    pub(crate) place: [f32; 3],
    pub(crate) lift: f32,
    pub(crate) axis: [f32; 3],
    pub(crate) unused: u32,
    pub(crate) volume: Volume,
}

impl From<&ForceField> for Field {
    fn from(field: &ForceField) -> Self {
        let mut packed = Self {
            volume: Volume::from(&field.volume),
            ..Self::default()
        };
        let reach = |range: f32| if range.is_finite() { range } else { -1.0 };
        match field.kind {
            FieldKind::Uniform { acceleration } => {
                packed.kind = UNIFORM;
                packed.place = acceleration.to_array();
            }
            FieldKind::Radial {
                center,
                strength,
                range,
            } => {
                packed.kind = RADIAL;
                packed.place = center.to_array();
                packed.strength = strength;
                packed.range = reach(range);
            }
            FieldKind::Vortex {
                center,
                axis,
                swirl,
                pull,
                lift,
                range,
            } => {
                packed.kind = VORTEX;
                packed.place = center.to_array();
                packed.axis = axis.normalize_or_zero().to_array();
                (packed.strength, packed.pull, packed.lift) = (swirl, pull, lift);
                packed.range = reach(range);
            }
            FieldKind::Drag { velocity, rate } => {
                packed.kind = DRAG;
                packed.place = velocity.to_array();
                packed.strength = rate;
            }
        }
        packed
    }
}
