//! Where a function is sampled: the corners of cubic cells over a box.

use glam::{UVec3, Vec3};
use motes_core::Bounds;

use crate::error::{GeometryError, positive};

/// A grid of samples.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SampleGrid {
    /// Place of the first sample, metres.
    pub(crate) origin: Vec3,
    /// Distance of neighbouring samples, metres.
    pub(crate) cell_size: f32,
    /// Samples along each axis.
    pub(crate) dims: UVec3,
}

impl SampleGrid {
    /// The smallest grid over a box; it has the same middle. More samples than `limit` are refused.
    pub(crate) fn over(bounds: &Bounds, cell_size: f32, limit: f64) -> Result<Self, GeometryError> {
        let cell_size = positive("cell size", cell_size)?;
        if !bounds.size().is_finite() || bounds.min.cmpgt(bounds.max).any() {
            return Err(GeometryError::Unbounded);
        }
        let samples = (bounds.size() / cell_size).ceil() + 1.0;
        let wanted = samples.as_dvec3().element_product();
        if wanted > limit {
            return Err(GeometryError::TooManyPoints { wanted, limit });
        }
        Ok(Self {
            origin: bounds.center() - 0.5 * cell_size * (samples - 1.0),
            cell_size,
            dims: samples.as_uvec3(),
        })
    }
}
