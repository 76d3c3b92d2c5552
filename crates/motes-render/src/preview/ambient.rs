//! The light from all around at a point of the scene, or around a small sphere.

use glam::{Vec3A, Vec4};

/// Ambient light on a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ambient {
    /// Light from the sky; 1 is a level surface without obstacles.
    pub(crate) sky: f32,
    /// The part of the sky before the surface that is not hidden, 0 to 1.
    pub(crate) visibility: f32,
}

impl Ambient {
    /// A level surface without obstacles.
    pub(crate) const OPEN: Self = Self {
        sky: 1.0,
        visibility: 1.0,
    };

    pub(crate) fn lerp(self, other: Self, share: f32) -> Self {
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
    pub(crate) fn ambient(&self, normal: Vec3A, up: Vec3A) -> Ambient {
        let sky = self.means.dot(normal.extend(0.5)).max(0.0);
        let unhidden = 0.5 + 0.5 * normal.dot(up);
        Ambient {
            sky,
            visibility: (sky / unhidden.max(0.2)).min(1.0),
        }
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
        assert_eq!(probe.ambient(Vec3A::Y, Vec3A::Y).sky, 1.0);
        assert_eq!(probe.ambient(Vec3A::X, Vec3A::Y).sky, 0.5);
        assert_eq!(probe.ambient(Vec3A::NEG_Y, Vec3A::Y).sky, 0.0);
    }
}
