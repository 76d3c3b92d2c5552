//! Fills a solid with equal balls on a lattice: the grains of a heap, a wall or a castle.

use glam::Vec3;
use motes_core::Bounds;
use motes_core::random::unit_at;

use crate::error::{GeometryError, positive};
use crate::lattice::{Lattice, Packing};
use crate::solid::Solid;

/// How a solid is filled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Filling {
    /// Radius of the grains, metres.
    pub radius: f32,
    /// Lattice of the centres.
    pub packing: Packing,
    /// Distance of neighbouring centres in grain diameters; 1 makes the grains touch.
    pub spacing: f32,
    /// Largest random displacement along each axis, in grain radii; 0 keeps the lattice.
    pub jitter: f32,
    /// Seed of the displacements.
    pub seed: u64,
}

impl Filling {
    /// Touching grains on a cubic lattice, without jitter.
    pub fn cubic(radius: f32) -> Self {
        Self {
            radius,
            packing: Packing::Cubic,
            spacing: 1.0,
            jitter: 0.0,
            seed: 0,
        }
    }

    /// Touching grains in the densest packing, without jitter.
    pub fn hexagonal(radius: f32) -> Self {
        Self {
            packing: Packing::Hexagonal,
            ..Self::cubic(radius)
        }
    }

    /// The same filling with random displacements of up to `jitter` radii along each axis.
    pub fn with_jitter(self, jitter: f32, seed: u64) -> Self {
        Self { jitter, seed, ..self }
    }
}

/// A solid filled with a wanted number of grains.
#[derive(Clone, Debug, PartialEq)]
pub struct Grains {
    /// Radius of every grain, metres.
    pub radius: f32,
    /// Centres, metres.
    pub centers: Vec<Vec3>,
}

/// Grains may reach out of the solid by this fraction of their radius, so that a row which fits exactly is kept.
const TOLERANCE: f32 = 1e-3;

/// Centres of the grains that fit into the solid as whole balls.
///
/// The lattice is centred in x and z and stands on the bottom of the solid's bounds (y is up). A solid that takes few
/// grains so may take more where the lattice has a place, or the middle between places, in the middle of the bounds: of
/// these the first that takes most is chosen. The order is fixed: layer by layer upward, then row by row in z, then in x.
/// A jittered grain that would poke out of the solid keeps its lattice place.
pub fn fill(solid: &Solid, filling: &Filling) -> Result<Vec<Vec3>, GeometryError> {
    let bounds = solid.bounds();
    let over = || Lattice::over(&bounds, filling.radius, filling.spacing, filling.packing);
    let mut centers = fill_lattice(solid, filling, &over()?);
    if centers.len() < FEW && bounds.size().min_element() >= 2.0 * filling.radius * (1.0 - TOLERANCE) {
        for between in 0..8 {
            let lattice = over()?.centered(&bounds, [0, 1, 2].map(|axis| between >> axis & 1 == 1));
            let other = fill_lattice(solid, filling, &lattice);
            if other.len() > centers.len() {
                centers = other;
            }
        }
    }
    if filling.jitter != 0.0 {
        jitter(solid, filling, &mut centers);
    }
    Ok(centers)
}

/// Fewer grains than this are tried in other places.
const FEW: usize = 64;

/// Centres on a lattice whose balls lie in the solid.
fn fill_lattice(solid: &Solid, filling: &Filling, lattice: &Lattice) -> Vec<Vec3> {
    let mut centers = Vec::new();
    for (start, count) in lattice.rows() {
        let end = start + Vec3::X * (count as f32 * lattice.pitch());
        let row = Bounds { min: start, max: end }.expanded(filling.radius);
        if let Some(nearby) = solid.near(&row) {
            fill_row(&nearby, filling.radius, lattice.pitch(), start, count, &mut centers);
        }
    }
    centers
}

/// Walks one row along x. A distance function cannot change faster than the point moves, so whole runs of the row
/// are taken or skipped on one evaluation.
fn fill_row(solid: &Solid, radius: f32, pitch: f32, start: Vec3, count: usize, centers: &mut Vec<Vec3>) {
    let place = |index: usize| start + Vec3::X * (index as f32 * pitch);
    let mut index = 0;
    while index < count {
        let room = -radius * (1.0 - TOLERANCE) - solid.distance(place(index));
        let run = (room.abs() / pitch).min(count as f32) as usize;
        let end = (index + run.max(1)).min(count);
        if room >= 0.0 {
            centers.extend((index..end).map(place));
        }
        index = end;
    }
}

fn jitter(solid: &Solid, filling: &Filling, centers: &mut [Vec3]) {
    let reach = filling.jitter * filling.radius;
    for (index, center) in centers.iter_mut().enumerate() {
        let random = |axis: u64| 2.0 * unit_at(filling.seed, 3 * index as u64 + axis) - 1.0;
        let moved = *center + reach * Vec3::new(random(0), random(1), random(2));
        if solid.distance(moved) <= -filling.radius * (1.0 - TOLERANCE) {
            *center = moved;
        }
    }
}

/// Fills the solid with close to `count` grains, by bisecting their radius; `filling.radius` is ignored.
///
/// For shapes with curved or many walls the result is within 1 % of `count` from a thousand grains up. A plain box on
/// a cubic lattice can only change by whole layers, so there the error is up to half a layer on each axis.
pub fn fill_count(solid: &Solid, count: usize, filling: &Filling) -> Result<Grains, GeometryError> {
    let size = solid.bounds().size();
    if !size.is_finite() {
        return Err(GeometryError::Unbounded);
    }
    let volume = positive("volume of the bounds", size.max(Vec3::ZERO).element_product())?;
    let mut closest = Grains {
        radius: 0.0,
        centers: Vec::new(),
    };
    let mut count_at = |radius: f32| -> Result<usize, GeometryError> {
        let centers = fill(solid, &Filling { radius, ..*filling })?;
        let found = centers.len();
        if found.abs_diff(count) < closest.centers.len().abs_diff(count) {
            closest = Grains { radius, centers };
        }
        Ok(found)
    };

    let mut coarse = (volume / count.max(1) as f32).cbrt();
    let mut fine = coarse;
    for _ in 0..MAX_REFINEMENTS {
        if count_at(fine)? >= count {
            break;
        }
        coarse = fine;
        fine *= 0.8;
    }
    for _ in 0..MAX_BISECTIONS {
        let middle = 0.5 * (coarse + fine);
        let found = count_at(middle)?;
        if found.abs_diff(count) * CLOSE_ENOUGH <= count {
            break;
        }
        if found < count {
            coarse = middle;
        } else {
            fine = middle;
        }
    }
    if closest.centers.is_empty() {
        return Err(GeometryError::CountOutOfReach { wanted: count });
    }
    Ok(closest)
}

const MAX_REFINEMENTS: usize = 40;
const MAX_BISECTIONS: usize = 18;

/// The search ends when the count is off by less than one part in this many.
const CLOSE_ENOUGH: usize = 500;

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    fn unit_box() -> Solid {
        Solid::Cuboid {
            half_extents: Vec3::splat(0.5),
        }
    }

    fn ring_on_a_drum() -> Solid {
        Solid::Union(vec![
            Solid::Torus {
                ring_radius: 0.5,
                tube_radius: 0.2,
            },
            Solid::Cylinder {
                radius: 0.4,
                half_height: 0.3,
            }
            .translated(Vec3::new(0.1, -0.2, 0.0)),
        ])
        .minus(
            Solid::Cuboid {
                half_extents: Vec3::new(0.1, 1.0, 0.06),
            }
            .rotated(Quat::from_rotation_y(0.4)),
        )
    }

    fn smallest_gap(centers: &[Vec3]) -> f32 {
        let mut gap = f32::INFINITY;
        for (index, a) in centers.iter().enumerate() {
            gap = centers[index + 1..].iter().map(|b| a.distance(*b)).fold(gap, f32::min);
        }
        gap
    }

    #[test]
    fn a_larger_ball_takes_no_fewer_grains() {
        for filling in [Filling::cubic(0.05), Filling::hexagonal(0.05)] {
            let mut before = 0;
            for step in 45..=200 {
                let radius = step as f32 * 0.001;
                let ball = Solid::Sphere { radius };
                let found = fill(&ball, &filling).unwrap().len();
                assert!(found >= before, "{found} at {radius} m, {before} before");
                assert_eq!(found > 0, step >= 50, "{found} at {radius} m");
                before = found;
            }
            assert!(before >= 19, "{before}");
        }
    }

    #[test]
    fn unit_box_holds_five_grains_of_a_tenth_radius_along_each_edge() {
        let centers = fill(&unit_box(), &Filling::cubic(0.1)).unwrap();
        assert_eq!(centers.len(), 125);
        assert!(centers[0].distance(Vec3::splat(-0.4)) < 1e-5);
        assert!(centers[124].distance(Vec3::splat(0.4)) < 1e-5);
    }

    #[test]
    fn wider_spacing_leaves_fewer_grains() {
        let loose = Filling {
            spacing: 1.3,
            ..Filling::cubic(0.1)
        };
        // Room for centres: 0.8; pitch 0.26; so 4 a side.
        assert_eq!(fill(&unit_box(), &loose).unwrap().len(), 64);
    }

    #[test]
    fn every_grain_lies_inside_with_and_without_jitter() {
        let solid = ring_on_a_drum();
        for base in [Filling::cubic(0.03), Filling::hexagonal(0.03)] {
            for filling in [base, base.with_jitter(0.5, 3)] {
                let centers = fill(&solid, &filling).unwrap();
                assert!(centers.len() > 500);
                assert!(centers.iter().all(|&center| solid.distance(center) <= -0.03 * 0.998));
            }
        }
    }

    #[test]
    fn skipping_along_rows_finds_the_same_grains_as_testing_every_place() {
        let (solid, radius) = (ring_on_a_drum(), 0.03);
        let lattice = Lattice::over(&solid.bounds(), radius, 1.0, Packing::Cubic).unwrap();
        let tested = lattice
            .rows()
            .flat_map(|(start, count)| (0..count).map(move |index| start + Vec3::X * (index as f32 * 2.0 * radius)))
            .filter(|&center| solid.distance(center) <= -radius * (1.0 - TOLERANCE));
        assert_eq!(
            fill(&solid, &Filling::cubic(radius)).unwrap(),
            tested.collect::<Vec<_>>()
        );
    }

    #[test]
    fn grains_without_jitter_never_overlap() {
        for filling in [Filling::cubic(0.04), Filling::hexagonal(0.04)] {
            let gap = smallest_gap(&fill(&ring_on_a_drum(), &filling).unwrap());
            assert!((0.0799..0.0801).contains(&gap), "{filling:?}: {gap}");
        }
    }

    #[test]
    fn hexagonal_packing_is_denser_than_cubic_by_the_square_root_of_two() {
        let solid = Solid::Cuboid {
            half_extents: Vec3::splat(1.0),
        };
        let cubic = fill(&solid, &Filling::cubic(0.0125)).unwrap().len() as f32;
        let hexagonal = fill(&solid, &Filling::hexagonal(0.0125)).unwrap().len() as f32;
        assert!((1.36..1.44).contains(&(hexagonal / cubic)), "{}", hexagonal / cubic);
    }

    #[test]
    fn same_seed_gives_the_same_grains_and_another_seed_others() {
        let jittered = |seed| fill(&unit_box(), &Filling::cubic(0.05).with_jitter(0.2, seed)).unwrap();
        assert_eq!(jittered(1), jittered(1));
        assert_ne!(jittered(1), jittered(2));
    }

    #[test]
    fn wanted_count_is_met_within_one_percent() {
        for count in [1_000, 5_000, 20_000] {
            let grains = fill_count(&ring_on_a_drum(), count, &Filling::hexagonal(0.0)).unwrap();
            assert!(
                grains.centers.len().abs_diff(count) * 100 <= count,
                "{} for {count}",
                grains.centers.len()
            );
        }
    }

    #[test]
    fn endless_solids_and_bad_sizes_are_refused() {
        let floor = Solid::HalfSpace {
            normal: Vec3::Y,
            offset: 0.0,
        };
        assert_eq!(fill(&floor, &Filling::cubic(0.1)), Err(GeometryError::Unbounded));
        for radius in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert!(matches!(
                fill(&unit_box(), &Filling::cubic(radius)),
                Err(GeometryError::BadSize { .. })
            ));
        }
        assert!(matches!(
            fill(&unit_box(), &Filling::cubic(1e-5)),
            Err(GeometryError::TooManyPoints { .. })
        ));
        assert!(fill(&unit_box(), &Filling::cubic(2.0)).unwrap().is_empty());
        assert_eq!(
            fill_count(&unit_box(), 0, &Filling::cubic(0.1)),
            Err(GeometryError::CountOutOfReach { wanted: 0 })
        );
    }
}
