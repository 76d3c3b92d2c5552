//! Surfaces of liquids: from particles to a closed mesh with smooth normals.
//!
//! [`liquid_kernels`] gives each particle a smoothed place and an ellipsoid, flat at the surface, long in a jet, round where it is alone.
//! [`liquid_surface`] sums them up to a field that tells how much of space is filled, near the surface only, and marches cubes over it. Both
//! run on the current rayon thread pool, and give the same on any number of threads.
//!
//! ```
//! use glam::Vec3;
//! use motes_geometry::liquid::{LiquidOptions, liquid_surface};
//!
//! # fn main() -> Result<(), motes_geometry::GeometryError> {
//! let spacing = 0.1;
//! let drop: Vec<Vec3> = (0..1000)
//!     .map(|i| spacing * Vec3::new((i % 10) as f32, (i / 10 % 10) as f32, (i / 100) as f32))
//!     .collect();
//! let surface = liquid_surface(&drop, &LiquidOptions::new(spacing))?;
//! assert!(surface.mesh.positions.len() > 1000 && surface.spray.is_empty());
//! # Ok(())
//! # }
//! ```

mod cells;
mod cubes;
mod eigen;
mod field;
mod kernels;
mod key;
mod march;
mod smooth;
#[cfg(test)]
mod tests;
mod values;
mod vector;

use glam::Vec3;
use rayon::prelude::*;

use crate::error::{GeometryError, positive};
use crate::shaded::ShadedMesh;
use cells::Cells;
pub(crate) use eigen::eigen;
use field::Field;
pub use kernels::LiquidKernel;
pub use values::liquid_values;

/// How the surface of a liquid is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LiquidOptions {
    /// Distance between particles at rest, metres: the diameter of those of a liquid. Each stands for a cube of that edge.
    pub spacing: f32,
    /// Edge of the cubes that are marched, in spacings, from 0.1 to 2.
    pub resolution: f32,
    /// Particles with fewer neighbours than this within two and a half spacings are spray, and left out of the surface.
    pub spray: u32,
}

impl LiquidOptions {
    /// Cubes of half a spacing, which show all there is to see, and no spray: every particle is part of the surface.
    pub fn new(spacing: f32) -> Self {
        Self {
            spacing,
            resolution: 0.5,
            spray: 0,
        }
    }
}

/// The surface of a liquid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiquidSurface {
    /// Closed, and seen from outside.
    pub mesh: ShadedMesh,
    /// Numbers of the particles that are spray, in rising order.
    pub spray: Vec<u32>,
}

/// The kernels of particles a spacing, metres, apart at rest, one for each of them.
pub fn liquid_kernels(positions: &[Vec3], spacing: f32) -> Result<Vec<LiquidKernel>, GeometryError> {
    let cells = sorted(positions, spacing)?;
    let around = kernels::look_around(&cells, spacing);
    let found = kernels::kernels(&cells, &around, &vec![true; cells.len()], spacing);
    let mut all: Vec<(u32, LiquidKernel)> = cells.numbers.iter().copied().zip(found.into_iter().flatten()).collect();
    all.sort_unstable_by_key(|(number, _)| *number);
    Ok(all.into_iter().map(|(_, kernel)| kernel).collect())
}

/// The surface of particles.
pub fn liquid_surface(positions: &[Vec3], options: &LiquidOptions) -> Result<LiquidSurface, GeometryError> {
    let LiquidOptions {
        spacing,
        resolution,
        spray,
    } = *options;
    if !(0.1..=2.0).contains(&resolution) {
        return Err(GeometryError::BadSize {
            name: "resolution",
            value: resolution,
        });
    }
    let cells = sorted(positions, spacing)?;
    let cell = resolution * spacing;
    let around = kernels::look_around(&cells, spacing);
    let is_spray = |slot: usize| around[slot].neighbors < spray;
    let outer = (0..cells.len()).into_par_iter();
    let outer = outer.filter(|&slot| around[slot].is_outer() && !is_spray(slot));
    // The surface is no farther than that from the particles it is made of.
    let margin = Vec3::splat(1.25 * spacing + cell);
    let mut blocks = field::blocks_of(outer.map(|slot| (cells.place(slot), margin)), cell);
    let reach = Vec3::splat(1.4 * kernels::RADIUS * spacing);
    let field = loop {
        let wanted = (0..cells.len()).into_par_iter();
        let wanted = wanted.map(|slot| !is_spray(slot) && field::touches_any(&blocks, cells.place(slot), reach, cell));
        let wanted: Vec<bool> = wanted.collect();
        let found = kernels::kernels(&cells, &around, &wanted, spacing);
        let found: Vec<LiquidKernel> = found.into_iter().flatten().collect();
        let field = Field::new(&found, spacing.powi(3), cell, blocks);
        let lacking = field.lacking();
        if lacking.is_empty() {
            break field;
        }
        blocks = [field.keys, lacking].concat();
        blocks.sort_unstable();
    };
    let mut spray: Vec<u32> = (0..cells.len())
        .filter(|&slot| is_spray(slot))
        .map(|slot| cells.numbers[slot])
        .collect();
    spray.sort_unstable();
    let mut mesh = march::march(&field);
    smooth::smooth_normals(&mut mesh);
    Ok(LiquidSurface { mesh, spray })
}

fn sorted(positions: &[Vec3], spacing: f32) -> Result<Cells, GeometryError> {
    let spacing = positive("spacing", spacing)?;
    if let Some(index) = positions.iter().position(|place| !place.is_finite()) {
        return Err(GeometryError::NotFinite { index });
    }
    Cells::new(positions, kernels::REACH * spacing)
}
