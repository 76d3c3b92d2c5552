//! The part of the world that casts shadows.

use crate::{Camera, Drawing};
use glam::{Vec3, Vec4};

/// Positions looked at to find where most spheres are.
const PROBES: usize = 4096;

/// An axis-aligned box in the world, metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) min: Vec3,
    pub(crate) max: Vec3,
}

impl Bounds {
    fn around(points: impl IntoIterator<Item = Vec3>) -> Option<Self> {
        let mut points = points.into_iter().filter(|point| point.is_finite());
        let first = points.next()?;
        let single = Self { min: first, max: first };
        Some(points.fold(single, |bounds, point| Self {
            min: bounds.min.min(point),
            max: bounds.max.max(point),
        }))
    }

    fn union(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    fn clipped_to(self, other: Self) -> Self {
        Self {
            min: self.min.clamp(other.min, other.max),
            max: self.max.clamp(other.min, other.max),
        }
    }

    pub(crate) fn grown(self, margin: f32) -> Self {
        Self {
            min: self.min - margin,
            max: self.max + margin,
        }
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.min.is_finite() && self.max.is_finite()
    }

    fn size(&self) -> f32 {
        (self.max - self.min).length()
    }

    pub(crate) fn middle(&self) -> Vec3 {
        self.min.midpoint(self.max)
    }

    /// The eight corners.
    pub(crate) fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|corner| {
            let pick = |axis: usize| if corner >> axis & 1 == 1 { self.max } else { self.min }[axis];
            Vec3::new(pick(0), pick(1), pick(2))
        })
    }

    /// The box moved outwards to a coarse grid.
    pub(crate) fn snapped(self) -> Self {
        let step = self.size().max(1e-6).log2().floor().exp2() / 8.0;
        Self {
            min: (self.min / step).floor() * step,
            max: (self.max / step).ceil() * step,
        }
    }
}

/// The box that the shadow maps cover: all spheres and meshes but for what strays far from most of the spheres and from
/// what the camera looks at.
///
/// It moves in steps, as shadow maps that shift a little with every frame would shimmer.
pub(crate) fn of_shadows(drawing: &Drawing) -> Option<Bounds> {
    let spheres = drawing
        .spheres
        .iter()
        .filter(|group| group.radius > 0.0 && group.radius.is_finite())
        .filter_map(|group| Some(of_most(group.positions)?.grown(group.radius)))
        .reduce(Bounds::union);
    let meshes = drawing
        .meshes
        .iter()
        .filter(|instance| instance.casts_shadow)
        .filter_map(|instance| {
            let corners = instance.mesh.box_corners();
            Bounds::around(corners.map(|corner| instance.pose.transform_point3(corner)))
        })
        .reduce(Bounds::union);
    let bounds = match (spheres, meshes) {
        (Some(spheres), Some(meshes)) => {
            let around = spheres.grown(2.0 * spheres.size());
            let around = of_view(&drawing.camera).map_or(around, |seen| around.union(seen));
            spheres.union(meshes).clipped_to(around)
        }
        (spheres, meshes) => spheres.or(meshes)?,
    };
    let snapped = bounds.snapped();
    snapped.is_finite().then_some(snapped)
}

/// The box around a camera's target that reaches as far as the camera is away.
fn of_view(camera: &Camera) -> Option<Bounds> {
    let target = Bounds::around([camera.target])?;
    let reach = camera.position.distance(camera.target);
    reach.is_finite().then(|| target.grown(reach))
}

/// The box around all positions that are not much farther out than 98 % of them.
fn of_most(positions: &[Vec4]) -> Option<Bounds> {
    around_most(positions.iter().map(|position| position.truncate()))
}

/// The same of any points.
pub(crate) fn around_most(points: impl ExactSizeIterator<Item = Vec3> + Clone) -> Option<Bounds> {
    let finite = || points.clone().filter(|p| p.is_finite());
    let stride = points.len().div_ceil(PROBES).max(1);
    let probes: Vec<Vec3> = finite().step_by(stride).collect();
    if probes.is_empty() {
        return None;
    }
    let quantile = |axis: usize, fraction: f32| {
        let mut values: Vec<f32> = probes.iter().map(|probe| probe[axis]).collect();
        let rank = ((values.len() - 1) as f32 * fraction).round() as usize;
        *values.select_nth_unstable_by(rank, f32::total_cmp).1
    };
    let at = |fraction| Vec3::new(quantile(0, fraction), quantile(1, fraction), quantile(2, fraction));
    let usual = Bounds {
        min: at(0.01),
        max: at(0.99),
    };
    Some(Bounds::around(finite())?.clipped_to(usual.grown(usual.size())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Lighting, Mesh, MeshInstance, Spheres};
    use glam::Affine3A;

    fn cube(count: u32) -> Vec<Vec4> {
        (0..count.pow(3))
            .map(|i| {
                Vec4::new(
                    (i % count) as f32,
                    (i / count % count) as f32,
                    (i / count / count) as f32,
                    0.0,
                )
            })
            .collect()
    }

    #[test]
    fn a_stray_particle_does_not_blow_up_the_bounds() {
        let mut positions = cube(10);
        positions.push(Vec4::splat(1e30));
        positions.push(Vec4::splat(f32::NAN));
        let bounds = of_most(&positions).expect("finite positions");
        assert_eq!(bounds.min, Vec3::ZERO);
        assert!(bounds.max.max_element() < 40.0);
    }

    #[test]
    fn a_small_move_leaves_the_snapped_bounds_in_place() {
        let bounds = Bounds {
            min: Vec3::splat(0.51),
            max: Vec3::splat(3.3),
        };
        let moved = bounds.grown(0.01).snapped();
        assert_eq!(moved, bounds.snapped());
        assert!(moved.min.cmple(bounds.min).all() && moved.max.cmpge(bounds.max).all());
    }

    #[test]
    fn a_single_sphere_leaves_the_shadows_of_what_is_in_view_whole() {
        let corners = vec![
            Vec3::new(-2.0, 0.0, 0.0),
            Vec3::new(2.0, 0.0, 0.0),
            Vec3::new(0.0, 2.0, 0.0),
        ];
        let mesh = Mesh::new(corners, vec![[0, 1, 2]], false);
        let drawing = Drawing {
            camera: Camera {
                position: Vec3::new(0.0, 1.0, 6.0),
                target: Vec3::ZERO,
                up: Vec3::Y,
                field_of_view: 40.0,
            },
            spheres: vec![Spheres {
                positions: &[Vec4::ZERO],
                radius: 0.05,
                colors: &[],
                scatters: false,
            }],
            meshes: vec![MeshInstance {
                mesh: &mesh,
                pose: Affine3A::IDENTITY,
                color: [200; 3],
                opacity: 1.0,
                casts_shadow: true,
            }],
            puffs: &[],
            ground: None,
            lighting: Lighting::default(),
        };
        let bounds = of_shadows(&drawing).expect("something to draw");
        assert!(
            bounds.min.x <= -2.0 && bounds.max.x >= 2.0 && bounds.max.y >= 2.0,
            "{bounds:?}"
        );
    }
}
