//! Smoke on a grid: how much there is in every voxel, how warm and how fast.

use glam::{IVec3, UVec3, Vec3};
use rayon::prelude::*;

use crate::smoke::SmokeMarker;

/// Most voxels; finer grids are made coarser.
const MOST_VOXELS: f64 = (1_u32 << 25) as f64;

/// Most voxels between a marker and the origin, so that places in voxels keep their digits.
const MOST_PLACES: f32 = (1_u32 << 20) as f32;

/// Half the width of a marker in the grid, in its radii: so a tent varies as much as a puff does.
const SPREAD: f32 = 0.866;

/// Side of a voxel where none is asked for, in radii of the usual marker.
const FINENESS: f32 = 0.6;

/// Smoke on a grid of cubes.
///
/// Density is optical depth per metre, as pictures show it: over all voxels it sums up to the [extinction](motes_render::Puff::extinction)
/// of all markers. Temperature and velocity are those of the markers in a voxel, weighted by what they stop of the light.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SmokeGrid {
    /// Side of a voxel, metres.
    pub voxel: f32,
    /// Number of the first voxel; the middle of a voxel is its number times its side.
    pub first: IVec3,
    /// Voxels along each axis.
    pub size: UVec3,
    /// 1/m; x first, then y, then z.
    pub density: Vec<f32>,
    /// °C; where there is no smoke, that of a room.
    pub temperature: Vec<f32>,
    /// m/s.
    pub velocity: Vec<Vec3>,
}

impl SmokeGrid {
    /// Temperature where there is no smoke, °C.
    pub const EMPTY: f32 = 20.0;

    /// A grid of markers with voxels of a side, metres, or as fine as suits them. Where that would be more than 33 million voxels, or a million
    /// from the origin to a marker, they are larger.
    ///
    /// Markers that are not finite, or of which nothing is seen, are left out. Without any there are no voxels.
    pub fn new(markers: &[SmokeMarker], voxel: Option<f32>) -> Self {
        let is_seen = |marker: &&SmokeMarker| {
            let numbers = [marker.radius, marker.opacity, marker.temperature];
            let is_finite = marker.position.is_finite() && marker.velocity.is_finite();
            is_finite && numbers.iter().all(|number| number.is_finite()) && marker.radius > 0.0 && marker.opacity > 0.0
        };
        let seen: Vec<&SmokeMarker> = markers.iter().filter(is_seen).collect();
        let mut radii: Vec<f32> = seen.iter().map(|marker| marker.radius).collect();
        if radii.is_empty() {
            return Self::default();
        }
        let middle = radii.len() / 2;
        let usual = *radii.select_nth_unstable_by(middle, f32::total_cmp).1;
        let voxel = voxel.filter(|side| *side > 0.0 && side.is_finite());
        let farthest = seen.iter().map(|marker| marker.position.abs().max_element());
        let exact = farthest.fold(0.0, f32::max) / MOST_PLACES;
        let mut voxel = voxel.unwrap_or(FINENESS * usual).max(exact);
        let (first, size) = loop {
            let (first, size) = extent(&seen, voxel);
            let [x, y, z] = size.to_array().map(f64::from);
            let too_many = x * y * z / MOST_VOXELS;
            if too_many <= 1.0 {
                break (first.as_ivec3(), size.as_uvec3());
            }
            voxel *= too_many.cbrt().max(1.05) as f32;
        };
        let layer = (size.x * size.y) as usize;
        let mut grid = Self {
            voxel,
            first,
            size,
            density: vec![0.0; layer * size.z as usize],
            temperature: vec![0.0; layer * size.z as usize],
            velocity: vec![Vec3::ZERO; layer * size.z as usize],
        };
        // A layer takes up the markers in their order, whichever thread does it.
        let members = by_layer(&seen, &grid);
        let layers = grid.density.par_chunks_mut(layer);
        let layers = layers.zip(grid.temperature.par_chunks_mut(layer));
        let layers = layers.zip(grid.velocity.par_chunks_mut(layer)).zip(members).enumerate();
        layers.for_each(|(z, (((density, temperature), velocity), members))| {
            for number in members {
                let marker = seen[number as usize];
                let [across, along, up] = tents(marker, voxel, first);
                let share = marker.puff([0; 3]).extinction() / voxel.powi(3) * up.shares[z - up.first];
                for (y, along) in (along.first..).zip(&along.shares) {
                    let row = y * size.x as usize + across.first;
                    for (place, across) in (row..).zip(&across.shares) {
                        let added = share * along * across;
                        density[place] += added;
                        temperature[place] += added * marker.temperature;
                        velocity[place] += added * marker.velocity;
                    }
                }
            }
            for place in 0..density.len() {
                if density[place] > 0.0 {
                    temperature[place] /= density[place];
                    velocity[place] /= density[place];
                } else {
                    temperature[place] = Self::EMPTY;
                    velocity[place] = Vec3::ZERO;
                }
            }
        });
        grid
    }

    /// Number of voxels.
    pub fn len(&self) -> usize {
        self.density.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.density.is_empty()
    }
}

/// First voxel and number of voxels that markers are in.
fn extent(seen: &[&SmokeMarker], voxel: f32) -> (Vec3, Vec3) {
    let mut range = [Vec3::INFINITY, Vec3::NEG_INFINITY];
    for marker in seen {
        let (place, half) = (marker.position / voxel, half_width(marker, voxel));
        range = [range[0].min(place - half), range[1].max(place + half)];
    }
    let first = range[0].floor();
    (first, range[1].ceil() - first + 1.0)
}

/// Half the width of a marker, voxels.
fn half_width(marker: &SmokeMarker, voxel: f32) -> f32 {
    (SPREAD * marker.radius / voxel).max(1.0)
}

/// The numbers of the markers in every layer.
fn by_layer(seen: &[&SmokeMarker], grid: &SmokeGrid) -> Vec<Vec<u32>> {
    let mut layers = vec![Vec::new(); grid.size.z as usize];
    for (number, marker) in (0..).zip(seen) {
        let tent = Tent::new(
            marker.position.z / grid.voxel - grid.first.z as f32,
            half_width(marker, grid.voxel),
        );
        for layer in &mut layers[tent.first..tent.first + tent.shares.len()] {
            layer.push(number);
        }
    }
    layers
}

/// The shares of a marker along the axes.
fn tents(marker: &SmokeMarker, voxel: f32, first: IVec3) -> [Tent; 3] {
    let place = marker.position / voxel - first.as_vec3();
    place
        .to_array()
        .map(|place| Tent::new(place, half_width(marker, voxel)))
}

/// What voxels along an axis have of a marker, which together is all of it.
struct Tent {
    first: usize,
    shares: Vec<f32>,
}

impl Tent {
    fn new(place: f32, half: f32) -> Self {
        let first = (place - half).ceil().max(0.0) as usize;
        let last = (place + half).floor().max(0.0) as usize;
        let weights = (first..=last).map(|voxel| (1.0 - (voxel as f32 - place).abs() / half).max(0.0));
        let mut shares: Vec<f32> = weights.collect();
        let sum: f32 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= sum);
        Self { first, shares }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn marker(position: Vec3, radius: f32, opacity: f32) -> SmokeMarker {
        SmokeMarker {
            position,
            velocity: Vec3::new(0.0, 1.0, 0.0),
            age: 0.0,
            lifetime: 1.0,
            radius,
            opacity,
            temperature: 100.0,
        }
    }

    fn markers() -> Vec<SmokeMarker> {
        let place = |i: u32| {
            Vec3::new(
                (i % 7) as f32 * 0.113,
                (i % 11) as f32 * 0.087 - 3.0,
                (i % 13) as f32 * 0.071,
            )
        };
        (0..400)
            .map(|i| marker(place(i), 0.02 + 0.0003 * i as f32, 0.05 + 0.002 * i as f32))
            .collect()
    }

    #[test]
    fn the_grid_has_all_of_the_smoke_however_fine_it_is() {
        let markers = markers();
        let whole: f64 = markers
            .iter()
            .map(|marker| f64::from(marker.puff([0; 3]).extinction()))
            .sum();
        for voxel in [None, Some(0.013), Some(0.05), Some(0.7)] {
            let grid = SmokeGrid::new(&markers, voxel);
            assert!(voxel.is_none_or(|voxel| voxel == grid.voxel));
            let sum: f64 = grid.density.iter().map(|&density| f64::from(density)).sum();
            let sum = sum * f64::from(grid.voxel).powi(3);
            assert!((sum / whole - 1.0).abs() < 1e-5, "{voxel:?}: {sum} {whole}");
        }
        assert!((SmokeGrid::new(&markers, None).voxel - 0.6 * 0.08).abs() < 0.002);
    }

    #[test]
    fn a_marker_is_where_it_is_and_as_warm_and_fast() {
        let center = Vec3::new(0.31, -2.0, 0.74);
        let grid = SmokeGrid::new(&[marker(center, 0.1, 0.5)], Some(0.03));
        let (mut middle, mut all) = (Vec3::ZERO, 0.0);
        for (number, &density) in grid.density.iter().enumerate() {
            let number = number as u32;
            let place = UVec3::new(
                number % grid.size.x,
                number / grid.size.x % grid.size.y,
                number / (grid.size.x * grid.size.y),
            );
            middle += (place.as_ivec3() + grid.first).as_vec3() * grid.voxel * density;
            all += density;
            let (temperature, velocity) = (grid.temperature[number as usize], grid.velocity[number as usize]);
            if density > 0.0 {
                assert!((temperature - 100.0).abs() < 1e-3 && velocity.distance(Vec3::Y) < 1e-5);
            } else {
                assert_eq!((temperature, velocity), (SmokeGrid::EMPTY, Vec3::ZERO));
            }
        }
        assert!((middle / all).distance(center) < 0.002, "{}", middle / all);
    }

    #[test]
    fn no_smoke_is_no_grid_and_smoke_far_apart_is_a_coarse_one() {
        assert!(SmokeGrid::new(&[], None).is_empty());
        assert!(SmokeGrid::new(&[marker(Vec3::NAN, 0.1, 0.5), marker(Vec3::ZERO, 0.0, 0.5)], None).is_empty());
        for place in [1e18, -3e30] {
            let grid = SmokeGrid::new(&[marker(Vec3::splat(place), 0.1, 0.5)], None);
            assert!(!grid.is_empty() && grid.density.iter().all(|density| density.is_finite()));
        }
        let far = [marker(Vec3::ZERO, 0.01, 0.5), marker(Vec3::splat(1000.0), 0.01, 0.5)];
        let grid = SmokeGrid::new(&far, Some(0.01));
        assert!(grid.len() as f64 <= MOST_VOXELS && grid.voxel < 5.0, "{}", grid.voxel);
    }

    #[test]
    fn the_grid_is_the_same_on_any_number_of_threads() {
        let markers = markers();
        let grid = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .expect("threads");
            pool.install(|| SmokeGrid::new(&markers, None))
        };
        assert_eq!(grid(1), grid(3));
    }
}
