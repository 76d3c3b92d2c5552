//! Regions of space in the form that kernels read.

use bytemuck::{Pod, Zeroable};
use motes_core::glam::Vec3;

/// A region: `Volume` in `lib/volume.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Volume {
    pub(crate) place: [f32; 3],
    pub(crate) radius: f32,
    pub(crate) other: [f32; 3],
    pub(crate) kind: u32,
}

/// Values of `Volume::kind`; the last is a bit for what the others leave out.
pub(crate) const EVERYWHERE: u32 = 0;
pub(crate) const BOX: u32 = 1;
pub(crate) const BALL: u32 = 2;
pub(crate) const BELOW: u32 = 3;
pub(crate) const OUTSIDE: u32 = 8;

impl From<&motes_core::Volume> for Volume {
    fn from(volume: &motes_core::Volume) -> Self {
        use motes_core::Volume::*;
        // Kernels know no infinity.
        let finite = |v: Vec3| v.clamp(Vec3::MIN, Vec3::MAX).to_array();
        let packed = |kind: u32, place: Vec3, other: Vec3, radius: f32| Self {
            place: finite(place),
            radius: radius.min(1e19),
            other: finite(other),
            kind,
        };
        match volume {
            Everywhere => Self {
                kind: EVERYWHERE,
                ..Self::default()
            },
            Box { min, max } => packed(BOX, *min, *max, 0.0),
            // Empty, as no sphere is.
            Sphere { radius, .. } if *radius < 0.0 => packed(BOX, Vec3::MAX, Vec3::MIN, 0.0),
            Sphere { center, radius } => packed(BALL, *center, Vec3::ZERO, *radius),
            Below { point, normal } => packed(BELOW, *point, *normal, 0.0),
            Outside(inner) => {
                let inner = Self::from(inner.as_ref());
                Self {
                    kind: inner.kind ^ OUTSIDE,
                    ..inner
                }
            }
        }
    }
}
