//! Regular lattices of ball centres over a box.

use glam::Vec3;
use motes_core::Bounds;

use crate::error::{GeometryError, positive};

/// Lattice on which grains are placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Packing {
    /// A grain on every corner of a grid of cubes; touching grains fill 52 % of space.
    #[default]
    Cubic,
    /// Face-centred close packing, triangular layers stacked ABC upward; touching grains fill 74 % of space.
    Hexagonal,
}

/// Largest number of lattice places that is visited.
const MAX_PLACES: f64 = 2e8;

/// Rows of equally spaced places along x, covering a box.
pub(crate) struct Lattice {
    origin: Vec3,
    step: Vec3,
    counts: [usize; 3],
    packing: Packing,
}

impl Lattice {
    /// The lattice of grains of a radius inside the bounds; neighbours are `2 * radius * spacing` apart.
    pub(crate) fn over(bounds: &Bounds, radius: f32, spacing: f32, packing: Packing) -> Result<Self, GeometryError> {
        let radius = positive("grain radius", radius)?;
        let pitch = 2.0 * radius * positive("spacing", spacing)?;
        if bounds.min.cmpgt(bounds.max).any() {
            return Ok(Self {
                origin: Vec3::ZERO,
                step: Vec3::splat(pitch),
                counts: [0; 3],
                packing,
            });
        }
        if !bounds.size().is_finite() {
            return Err(GeometryError::Unbounded);
        }
        let step = match packing {
            Packing::Cubic => Vec3::splat(pitch),
            Packing::Hexagonal => pitch * Vec3::new(1.0, (2.0f32 / 3.0).sqrt(), 0.75f32.sqrt()),
        };
        let room = bounds.size() - 2.0 * radius;
        let places = (room / step + 1e-3).floor() + 1.0;
        let wanted = places.max(Vec3::ZERO).as_dvec3().element_product();
        if wanted > MAX_PLACES {
            return Err(GeometryError::TooManyPoints {
                wanted,
                limit: MAX_PLACES,
            });
        }
        let counts = places.max(Vec3::ZERO).to_array().map(|count| count as usize);
        let mut origin = bounds.center() - 0.5 * step * (places - 1.0);
        origin.y = bounds.min.y + radius;
        Ok(Self {
            origin,
            step,
            counts,
            packing,
        })
    }

    /// The same lattice moved along each axis so that it has a place in the middle of the bounds, or, where `between` is
    /// given, the middle between two.
    pub(crate) fn centered(mut self, bounds: &Bounds, between: [bool; 3]) -> Self {
        let middle = bounds.center();
        for axis in 0..3 {
            let half = (0.5 * bounds.size()[axis] / self.step[axis]) as usize + 1;
            // After six layers, and after six rows, the close packing is the same again.
            let half = half.next_multiple_of(6);
            self.counts[axis] = 2 * half + 1 + usize::from(between[axis]);
            let first = half as f32 + if between[axis] { 0.5 } else { 0.0 };
            self.origin[axis] = middle[axis] - first * self.step[axis];
        }
        self
    }

    /// Distance between neighbouring centres.
    pub(crate) fn pitch(&self) -> f32 {
        self.step.x
    }

    /// First place and number of places of every row, upward layer by layer.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (Vec3, usize)> + '_ {
        let [columns, layers, rows] = self.counts;
        let extra = usize::from(self.packing == Packing::Hexagonal);
        (0..layers).flat_map(move |layer| {
            (0..rows + extra).map(move |row| {
                let start = self.origin + self.step * Vec3::new(0.0, layer as f32, row as f32);
                (start + self.offset(layer, row), columns + extra)
            })
        })
    }

    /// Offset of a row in the layers A, B and C of the close packing. It points down in x and z, so that one extra
    /// place per row and one extra row per layer cover the box.
    fn offset(&self, layer: usize, row: usize) -> Vec3 {
        match self.packing {
            Packing::Cubic => Vec3::ZERO,
            Packing::Hexagonal => {
                let shift = layer % 3;
                let halves = (row + shift) % 2;
                Vec3::new(
                    -0.5 * self.step.x * halves as f32,
                    0.0,
                    -self.step.z * shift as f32 / 3.0,
                )
            }
        }
    }
}
