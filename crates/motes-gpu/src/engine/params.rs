//! Settings, materials and force fields in the form that kernels read.

use bytemuck::{Pod, Zeroable};
use motes_core::constraints::contact::Terms;
use motes_core::engine::Frame;
use motes_core::glam::{Vec3, Vec4};
use motes_core::{Averaging, FieldKind, ForceField, FrictionModel, MaterialId, Settings, Volume};

/// What all stages of a frame depend on: `Params` in `lib/params.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Params {
    pub(crate) gravity: [f32; 3],
    pub(crate) h: f32,
    pub(crate) stack: [f32; 3],
    pub(crate) count: u32,
    pub(crate) cell_bits: [u32; 3],
    pub(crate) inverse_cell: f32,
    pub(crate) origin: [i32; 3],
    pub(crate) materials: u32,
    pub(crate) fields: u32,
    pub(crate) pair_capacity: u32,
    pub(crate) entries: u32,
    pub(crate) radius: f32,
    pub(crate) touch: f32,
    pub(crate) reach: f32,
    pub(crate) relaxation: f32,
    pub(crate) separation: f32,
    pub(crate) across: f32,
    pub(crate) memory: f32,
    pub(crate) weight: f32,
    pub(crate) grip: f32,
    pub(crate) max_speed: f32,
    pub(crate) max_change: f32,
    pub(crate) rest: f32,
    pub(crate) restitution_threshold: f32,
    pub(crate) averaging: u32,
    pub(crate) velocity_friction: u32,
    pub(crate) scaled: u32,
    pub(crate) unused: u32,
}

/// How an iteration carries on: `Iteration` in `solve_pairs.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Iteration {
    pub(crate) momentum: f32,
    pub(crate) carried: u32,
    pub(crate) carries: u32,
}

impl Iteration {
    pub(crate) fn new(settings: &Settings, iteration: u32) -> Self {
        let momentum = |iteration| settings.momentum(iteration);
        let carried = iteration > 0 && momentum(iteration - 1) > 0.0;
        let carries = iteration + 1 < settings.iterations && momentum(iteration + 1) > 0.0;
        Self {
            momentum: momentum(iteration),
            carried: u32::from(carried),
            carries: u32::from(carries),
        }
    }
}

/// Cells are this much wider than the reach of neighbours, so that rounding never puts two of them two cells apart.
const CELL_MARGIN: f32 = 1.001;

/// One over the width of a cell, per metre.
pub(crate) fn inverse_cell(settings: &Settings) -> f32 {
    1.0 / (settings.neighbor_distance() * CELL_MARGIN)
}

/// The table of cells: its sides as powers of two, and the cell with which it begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellTable {
    pub(crate) bits: [u32; 3],
    pub(crate) origin: [i32; 3],
}

impl CellTable {
    /// One that suits where the bulk of the particles is.
    pub(crate) fn new(positions: &[Vec4], inverse_cell: f32) -> Self {
        const SAMPLES: usize = 1024;
        let stride = positions.len().div_ceil(SAMPLES).max(1);
        let lowest = |axis: usize| {
            let sampled = positions.iter().step_by(stride).map(|position| position[axis]);
            let mut values: Vec<f32> = sampled.collect();
            values.sort_unstable_by(f32::total_cmp);
            let low = values.get(values.len() / 100).copied().unwrap_or(0.0);
            // A cell more, for what lies just below.
            ((low * inverse_cell).clamp(-1e9, 1e9).floor() as i32).saturating_sub(1)
        };
        Self {
            bits: motes_core::cpu::table_bits(positions, f64::from(inverse_cell)),
            origin: [0, 1, 2].map(lowest),
        }
    }

    pub(crate) fn entries(&self) -> usize {
        1 << self.bits.iter().sum::<u32>()
    }
}

impl Params {
    pub(crate) fn new(frame: &Frame, count: usize, table: CellTable, pair_capacity: usize) -> Self {
        let settings = &frame.settings;
        let h = frame.dt / settings.substeps.max(1) as f32;
        let terms = Terms::new(settings, h);
        let distance = settings.contact_distance();
        Self {
            gravity: settings.gravity.to_array(),
            h,
            stack: (settings.mass_scaling / distance * settings.up()).to_array(),
            count: count as u32,
            cell_bits: table.bits,
            inverse_cell: inverse_cell(settings),
            origin: table.origin,
            materials: frame.materials.as_slice().len() as u32,
            fields: frame.fields.len() as u32,
            pair_capacity: pair_capacity as u32,
            entries: table.entries() as u32,
            radius: settings.particle_radius,
            touch: distance,
            reach: settings.neighbor_distance(),
            relaxation: settings.relaxation,
            separation: finite(terms.separation),
            across: terms.across,
            memory: terms.memory,
            weight: terms.weight,
            grip: settings.grip(1.0, h),
            max_speed: finite(settings.max_speed),
            max_change: finite(settings.max_acceleration * h),
            rest: settings.sleep_speed * h,
            restitution_threshold: settings.restitution_threshold,
            averaging: match settings.averaging {
                Averaging::None => 0,
                Averaging::Count => 1,
                Averaging::Directional => 2,
            },
            velocity_friction: u32::from(settings.friction == FrictionModel::Velocity),
            scaled: u32::from(settings.mass_scaling > 0.0),
            unused: 0,
        }
    }
}

/// Kernels may be compiled as if there were no infinity; the largest number does as well.
fn finite(value: f32) -> f32 {
    value.min(f32::MAX)
}

/// The material table as `lib/table.wgsl` describes it.
pub(crate) fn table(frame: &Frame) -> Vec<Vec4> {
    let materials = frame.materials.as_slice();
    let mut rows: Vec<Vec4> = materials
        .iter()
        .map(|material| Vec4::new(material.gravity_scale, material.damping, 0.0, 0.0))
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
    rows
}

/// A force field: `Field` in `lib/field.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Field {
    pub(crate) kind: u32,
    pub(crate) volume: u32,
    pub(crate) strength: f32,
    pub(crate) range: f32,
    pub(crate) place: [f32; 3],
    pub(crate) pull: f32,
    pub(crate) axis: [f32; 3],
    pub(crate) lift: f32,
    pub(crate) volume_a: [f32; 3],
    pub(crate) volume_radius: f32,
    pub(crate) volume_b: [f32; 3],
    pub(crate) unused: u32,
}

const OUTSIDE: u32 = 8;

impl From<&ForceField> for Field {
    fn from(field: &ForceField) -> Self {
        let mut packed = Self::default();
        packed.set_volume(&field.volume);
        let reach = |range: f32| if range.is_finite() { range } else { -1.0 };
        match field.kind {
            FieldKind::Uniform { acceleration } => {
                packed.place = acceleration.to_array();
            }
            FieldKind::Radial {
                center,
                strength,
                range,
            } => {
                packed.kind = 1;
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
                packed.kind = 2;
                packed.place = center.to_array();
                packed.axis = axis.normalize_or_zero().to_array();
                (packed.strength, packed.pull, packed.lift) = (swirl, pull, lift);
                packed.range = reach(range);
            }
            FieldKind::Drag { velocity, rate } => {
                packed.kind = 3;
                packed.place = velocity.to_array();
                packed.strength = rate;
            }
        }
        packed
    }
}

impl Field {
    fn set_volume(&mut self, volume: &Volume) {
        let mut set = |kind: u32, a: Vec3, b: Vec3, radius: f32| {
            self.volume |= kind;
            (self.volume_a, self.volume_b, self.volume_radius) = (a.to_array(), b.to_array(), radius);
        };
        match volume {
            Volume::Everywhere => {}
            Volume::Box { min, max } => set(1, *min, *max, 0.0),
            Volume::Sphere { center, radius } => set(2, *center, Vec3::ZERO, *radius),
            Volume::Below { point, normal } => set(3, *point, *normal, 0.0),
            Volume::Outside(inner) => {
                self.set_volume(inner);
                self.volume ^= OUTSIDE;
            }
        }
    }
}
