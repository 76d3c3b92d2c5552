//! A lattice that fits a box: its outermost points lie one radius inside the faces.

use glam::{IVec3, UVec3, Vec3};
use motes_core::Bounds;

use crate::error::GeometryError;

/// A lattice with layers of cells around it, in which nothing is placed but whose share of the solid counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lattice {
    /// The point of cell (0, 0, 0).
    pub(super) origin: Vec3,
    /// Distance of points along each axis, metres.
    pub(super) pitch: Vec3,
    /// Cells along each axis.
    pub(super) dims: UVec3,
    /// Layers of cells around, on each side along each axis.
    rim: UVec3,
}

/// Most cells of a lattice.
const MAX_CELLS: f64 = 6e7;

/// Balls that end this share of a radius below a face count as level with it.
const LEVEL: f32 = 0.15;

impl Lattice {
    /// The lattice over a box, with points about `pitch` apart.
    pub(super) fn over(bounds: &Bounds, radius: f32, pitch: f32) -> Result<Self, GeometryError> {
        let mut lattice = Self {
            origin: Vec3::ZERO,
            pitch: Vec3::ZERO,
            dims: UVec3::ONE,
            rim: UVec3::ZERO,
        };
        let mut cells = 1.0;
        for axis in 0..3 {
            let room = bounds.size()[axis] - 2.0 * radius;
            // As near to the pitch as whole rows allow, without a gap between neighbours. One row is enough where it is
            // level with both faces.
            let touching = (room / pitch.max(2.0 * radius) - 1e-3).ceil();
            let intervals = if room < 2.0 * LEVEL * radius {
                0.0
            } else {
                (room / pitch).round().max(touching).max(1.0)
            };
            let fitted = if intervals > 0.0 { room / intervals } else { pitch };
            // As many layers around as reach the surface, one radius out.
            let rim = (radius / fitted - 0.5).ceil().max(1.0);
            cells *= f64::from(intervals + 1.0 + 2.0 * rim);
            if cells > MAX_CELLS || !cells.is_finite() {
                return Err(GeometryError::TooManyPoints {
                    wanted: cells,
                    limit: MAX_CELLS,
                });
            }
            lattice.pitch[axis] = fitted;
            lattice.rim[axis] = rim as u32;
            lattice.dims[axis] = intervals as u32 + 1 + 2 * rim as u32;
            lattice.origin[axis] = bounds.center()[axis] - fitted * (0.5 * intervals + rim);
        }
        Ok(lattice)
    }

    pub(super) fn len(&self) -> usize {
        self.dims.to_array().iter().map(|&count| count as usize).product()
    }

    pub(super) fn place(&self, index: usize) -> UVec3 {
        let (width, height) = (self.dims.x as usize, self.dims.y as usize);
        UVec3::new(
            (index % width) as u32,
            (index / width % height) as u32,
            (index / (width * height)) as u32,
        )
    }

    /// Whether a cell is of the layers around.
    pub(super) fn is_rim(&self, index: usize) -> bool {
        let place = self.place(index);
        place.cmplt(self.rim).any() || place.cmpge(self.dims - self.rim).any()
    }

    pub(super) fn point(&self, index: usize) -> Vec3 {
        self.origin + self.pitch * self.place(index).as_vec3()
    }

    /// The cell that a point lies in, or the nearest one.
    pub(super) fn cell(&self, point: Vec3) -> usize {
        let place = ((point - self.origin) / self.pitch)
            .round()
            .max(Vec3::ZERO)
            .as_uvec3()
            .min(self.dims - 1);
        place.x as usize + self.dims.x as usize * (place.y as usize + self.dims.y as usize * place.z as usize)
    }

    #[cfg(test)]
    pub(super) fn cell_volume(&self) -> f32 {
        self.pitch.element_product()
    }

    /// The steps along each axis that go about as far as a distance, metres.
    pub(super) fn steps(&self, distance: f32) -> IVec3 {
        (distance / self.pitch).round().as_ivec3()
    }

    /// The cells within `reach` steps along each axis, without the cell itself.
    pub(super) fn around(&self, index: usize, reach: IVec3) -> impl Iterator<Item = usize> + use<> {
        let place = self.place(index).as_ivec3();
        let dims = self.dims.as_ivec3();
        let range =
            move |axis: usize| (place[axis] - reach[axis]).max(0)..=(place[axis] + reach[axis]).min(dims[axis] - 1);
        range(2)
            .flat_map(move |z| {
                range(1).flat_map(move |y| range(0).map(move |x| (x + dims.x * (y + dims.y * z)) as usize))
            })
            .filter(move |&other| other != index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outermost_points_lie_one_radius_inside_the_box() {
        let bounds = Bounds {
            min: Vec3::new(-1.0, 0.0, 2.0),
            max: Vec3::new(1.0, 0.1, 3.0),
        };
        let lattice = Lattice::over(&bounds, 0.1, 0.18).unwrap();
        let first = lattice.origin + lattice.pitch;
        let last = lattice.origin + lattice.pitch * (lattice.dims - 2).as_vec3();
        assert!((first.x + 0.9).abs() < 1e-6 && (last.x - 0.9).abs() < 1e-6);
        assert!((first.z - 2.1).abs() < 1e-6 && (last.z - 2.9).abs() < 1e-6);
        assert_eq!(lattice.dims.y, 3);
        assert!((first.y - 0.05).abs() < 1e-6);
        assert!(lattice.pitch.x <= 0.2 && lattice.pitch.x > 0.15);
        assert!(Lattice::over(&bounds, 1e-5, 1.8e-5).is_err());
        let thick = Bounds {
            max: Vec3::new(1.0, 0.26, 3.0),
            ..bounds
        };
        let lattice = Lattice::over(&thick, 0.1, 0.18).unwrap();
        let layers = lattice.dims.y - 2 * lattice.rim.y;
        assert_eq!(layers, 2);
        let reach = (lattice.rim.y as f32 + 0.5) * lattice.pitch.y;
        assert!(reach >= 0.1 && lattice.pitch.y < 0.07, "{lattice:?}");
    }
}
