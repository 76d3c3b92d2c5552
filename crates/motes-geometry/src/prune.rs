//! Cuts a solid down to the parts that matter in a region, so that filling a castle row by row does not ask every
//! tower about every grain.

use glam::Vec3;
use motes_core::{Bounds, Pose};

use crate::solid::Solid;

impl Solid {
    /// The solid without the parts that do not reach into the region, or nothing if none does.
    ///
    /// Inside a box, the result of `near(box.expanded(radius))` holds a ball of that radius exactly where the whole
    /// solid does.
    pub(crate) fn near(&self, region: &Bounds) -> Option<Self> {
        match self {
            Self::Union(parts) => {
                let kept: Vec<Self> = parts.iter().filter_map(|part| part.near(region)).collect();
                (!kept.is_empty()).then_some(Self::Union(kept))
            }
            Self::Intersection(parts) => {
                let kept: Option<Vec<Self>> = parts.iter().map(|part| part.near(region)).collect();
                kept.map(Self::Intersection)
            }
            Self::Difference(kept, removed) => {
                let kept = kept.near(region)?;
                Some(match removed.near(region) {
                    Some(removed) => kept.minus(removed),
                    None => kept,
                })
            }
            Self::Translated(inner, offset) => {
                let shifted = Bounds {
                    min: region.min - offset,
                    max: region.max - offset,
                };
                inner.near(&shifted).map(|inner| inner.translated(*offset))
            }
            Self::Rotated(inner, rotation) => {
                let back = Pose {
                    position: Vec3::ZERO,
                    rotation: rotation.conjugate(),
                };
                inner
                    .near(&region.transformed(&back))
                    .map(|inner| inner.rotated(*rotation))
            }
            primitive => primitive.bounds().overlaps(region).then(|| primitive.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_out_of_reach_are_dropped() {
        let ball = Solid::Sphere { radius: 1.0 };
        let far = ball.clone().translated(Vec3::X * 10.0);
        let pair = Solid::Union(vec![ball.clone(), far.clone()]);
        let region = Bounds {
            min: Vec3::splat(-2.0),
            max: Vec3::splat(2.0),
        };
        assert_eq!(pair.near(&region), Some(Solid::Union(vec![ball.clone()])));
        assert_eq!(ball.clone().minus(far.clone()).near(&region), Some(ball.clone()));
        assert_eq!(ball.within(far.clone()).near(&region), None);
        assert_eq!(far.near(&region), None);
    }
}
