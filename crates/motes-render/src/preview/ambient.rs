//! The light from all around at a point of the scene, and ways to find it for fewer points than there are pixels.

use glam::{Vec2, Vec3A, Vec4};

/// Ambient light on a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ambient {
    /// Light from the sky; 1 is a level surface without obstacles.
    pub(crate) sky: f32,
    /// The part of the sky before the surface that is not hidden, 0 to 1.
    pub(crate) visibility: f32,
}

impl Ambient {
    fn lerp(self, other: Self, share: f32) -> Self {
        Self {
            sky: self.sky + (other.sky - self.sky) * share,
            visibility: self.visibility + (other.visibility - self.visibility) * share,
        }
    }
}

/// The sky as a small sphere sees it: the first two bands of its spherical harmonics.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    /// Means of visibility times direction, and of visibility, over the directions of the sky.
    pub(crate) means: Vec4,
}

impl Probe {
    /// The light on a surface of the sphere: in these bands a clamped cosine is 1/4 + cos/2 (Ramamoorthi and Hanrahan
    /// 2001).
    pub(crate) fn ambient(&self, normal: Vec3A) -> Ambient {
        Ambient {
            sky: self.means.dot(normal.extend(0.5)).max(0.0),
            visibility: self.means.w,
        }
    }
}

/// Ambient light on the ground of one tile, found at the corners of a grid.
#[derive(Debug, Default)]
pub(crate) struct GroundGrid {
    /// Place of the first corner, samples.
    origin: Vec2,
    /// Distance between corners, samples.
    spacing: f32,
    columns: usize,
    corners: Vec<Ambient>,
}

impl GroundGrid {
    pub(crate) fn clear(&mut self) {
        self.corners.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.corners.is_empty()
    }

    /// Lays a grid over the samples from `min` to `max`; `ambient` gives the light at a place.
    pub(crate) fn fill(&mut self, min: Vec2, max: Vec2, spacing: f32, ambient: impl Fn(Vec2) -> Ambient) {
        let cells = ((max - min) / spacing).ceil();
        self.origin = min;
        self.spacing = spacing;
        self.columns = cells.x as usize + 1;
        self.corners.clear();
        for row in 0..=cells.y as usize {
            for column in 0..self.columns {
                self.corners.push(ambient(min + Vec2::new(column as f32, row as f32) * spacing));
            }
        }
    }

    /// The light at a place within the grid, blended from the corners around it.
    pub(crate) fn at(&self, place: Vec2) -> Ambient {
        let place = ((place - self.origin) / self.spacing).max(Vec2::ZERO);
        let (column, row) = (place.x as usize, place.y as usize);
        let start = row * self.columns + column;
        let corner = |step: usize| self.corners[(start + step).min(self.corners.len() - 1)];
        let (right, down) = (place.x - column as f32, place.y - row as f32);
        let upper = corner(0).lerp(corner(1), right);
        let lower = corner(self.columns).lerp(corner(self.columns + 1), right);
        upper.lerp(lower, down)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_under_an_open_sky_matches_the_exact_light() {
        let probe = Probe {
            means: Vec4::new(0.0, 0.5, 0.0, 1.0),
        };
        assert_eq!(probe.ambient(Vec3A::Y).sky, 1.0);
        assert_eq!(probe.ambient(Vec3A::X).sky, 0.5);
        assert_eq!(probe.ambient(Vec3A::NEG_Y).sky, 0.0);
    }

    #[test]
    fn the_ground_grid_gives_back_a_linear_light() {
        let light = |place: Vec2| Ambient {
            sky: place.x * 0.1 - place.y * 0.02,
            visibility: 1.0,
        };
        let mut grid = GroundGrid::default();
        grid.fill(Vec2::new(64.0, 32.0), Vec2::new(101.0, 64.0), 8.0, light);
        for place in [Vec2::new(64.0, 32.0), Vec2::new(77.3, 51.2), Vec2::new(100.0, 63.9)] {
            assert!((grid.at(place).sky - light(place).sky).abs() < 1e-4);
        }
    }
}
