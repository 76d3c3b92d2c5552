//! Smoothed places and stretched kernels of the particles of a liquid (Yu and Turk 2013, "Reconstructing surfaces of
//! particle-based fluids using anisotropic kernels", eq. 6–15).
//!
//! Two things are other than in the paper. Smoothing draws particles inwards there; here neighbours count the more the nearer they are
//! to the surface themselves, so that a flat layer stays where it is and liquids lie flush with walls. And axes are as long as the
//! standard deviations of the neighbours are, not their variances.

use glam::{Mat3, Vec3};

use super::cells::{Cells, LANES, PerParticle, Run};
use super::eigen::eigen;

/// How far a particle looks around, in spacings.
pub(super) const REACH: f32 = 2.5;

/// Neighbours within that reach in the midst of a liquid, about.
const FULL: f32 = 64.0;

/// Radius of a kernel in the midst of a liquid, in spacings.
pub(super) const RADIUS: f32 = 2.0;

/// The shortest axis of a kernel, and all of those of lonely particles, relative to the longest.
const SHORTEST: f32 = 0.5;

/// Neighbours up to which a particle is lonely: they do not tell the axes of a kernel.
const LONELY: u32 = 6;

/// How far places at the surface go to the mean of their neighbours (λ of eq. 6).
const SMOOTHING: f32 = 0.9;

/// The one-sidedness from which they go that far; those within stay where they are.
const WHOLLY: f32 = 0.15;

/// What neighbours in the midst of a liquid count in that mean, relative to those at its surface.
const INNER_SHARE: f32 = 0.02;

/// The one-sidedness from which a particle counts as one of the surface. In the outermost layer it is about 0.2, in the second 0.08.
const ONE_SIDED: f32 = 0.04;

/// A particle as part of a smooth field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LiquidKernel {
    /// Its place, smoothed, metres.
    pub center: Vec3,
    /// Half axes of the ellipsoid beyond which it counts nothing, as columns, metres.
    pub axes: Mat3,
    /// Particles within two and a half spacings of it.
    pub neighbors: u32,
}

/// What a particle sees around itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    pub(super) neighbors: u32,
    /// How far the middle of its neighbours is from it, relative to its reach.
    one_sided: f32,
}

impl Around {
    /// Whether it may be near the surface.
    pub(super) fn is_outer(&self) -> bool {
        self.one_sided > ONE_SIDED || (self.neighbors as f32) < 0.7 * FULL
    }
}

/// Sums of some values over the neighbours of a place: `add` is given offsets to eight of them, in units of the reach, their
/// weights, and the slot of the first.
#[inline(always)]
fn sum<const N: usize>(
    runs: &[Run<'_>],
    place: Vec3,
    reach: f32,
    mut add: impl FnMut(&mut [[f32; LANES]; N], &[[f32; LANES]; 3], &[f32; LANES], usize),
) -> [f32; N] {
    let inverse = 1.0 / reach;
    let mut sums = [[0.0; LANES]; N];
    for run in runs {
        for first in (0..run.count).step_by(LANES) {
            let filled = (run.count - first) as f32;
            let mut offsets = [[0.0; LANES]; 3];
            for axis in 0..3 {
                let there = &run.places[axis][first..first + LANES];
                for lane in 0..LANES {
                    offsets[axis][lane] = (there[lane] - place[axis]) * inverse;
                }
            }
            let mut weights = [0.0; LANES];
            for lane in 0..LANES {
                let [x, y, z] = [offsets[0][lane], offsets[1][lane], offsets[2][lane]];
                let left = 1.0 - (x * x + y * y + z * z);
                let left = if (lane as f32) < filled { left } else { 0.0 };
                let left = if left > 0.0 { left } else { 0.0 };
                weights[lane] = left * left;
            }
            // Most are out of reach, and these come together.
            if weights.iter().sum::<f32>() > 0.0 {
                add(&mut sums, &offsets, &weights, run.start + first);
            }
        }
    }
    sums.map(|lanes| lanes.iter().sum())
}

/// What every particle, in sorted order, sees around itself.
pub(super) fn look_around(cells: &Cells, spacing: f32) -> Vec<Around> {
    cells.map(&LookAround {
        cells,
        reach: REACH * spacing,
    })
}

struct LookAround<'a> {
    cells: &'a Cells,
    reach: f32,
}

impl PerParticle for LookAround<'_> {
    type Output = Around;

    #[inline(always)]
    fn of(&self, slot: usize, runs: &[Run<'_>]) -> Around {
        let [total, x, y, z, count] = sum(runs, self.cells.place(slot), self.reach, |sums, offsets, weights, _| {
            for lane in 0..LANES {
                let weight = weights[lane];
                sums[0][lane] += weight;
                sums[1][lane] += weight * offsets[0][lane];
                sums[2][lane] += weight * offsets[1][lane];
                sums[3][lane] += weight * offsets[2][lane];
                sums[4][lane] += if weight > 0.0 { 1.0 } else { 0.0 };
            }
        });
        Around {
            neighbors: (count as u32).saturating_sub(1),
            one_sided: Vec3::new(x, y, z).length() / total,
        }
    }
}

/// Kernels of those particles, in sorted order, that are `wanted`.
pub(super) fn kernels(cells: &Cells, around: &[Around], wanted: &[bool], spacing: f32) -> Vec<Option<LiquidKernel>> {
    // Room for the lanes past the last.
    let mut sides: Vec<f32> = around.iter().map(|around| around.one_sided.min(1.0)).collect();
    sides.resize(around.len() + LANES, 0.0);
    cells.map(&FindKernel {
        cells,
        around,
        wanted,
        sides,
        spacing,
    })
}

struct FindKernel<'a> {
    cells: &'a Cells,
    around: &'a [Around],
    wanted: &'a [bool],
    sides: Vec<f32>,
    spacing: f32,
}

impl PerParticle for FindKernel<'_> {
    type Output = Option<LiquidKernel>;

    #[inline(always)]
    fn of(&self, slot: usize, runs: &[Run<'_>]) -> Option<LiquidKernel> {
        if !self.wanted[slot] {
            return None;
        }
        let reach = REACH * self.spacing;
        let (here, own, neighbors) = (self.cells.place(slot), self.sides[slot], self.around[slot].neighbors);
        let [total, x, y, z, mass, mx, my, mz, xx, yy, zz, xy, xz, yz] =
            sum(runs, here, reach, |sums, offsets, weights, first| {
                let sides = &self.sides[first..first + LANES];
                for lane in 0..LANES {
                    let [x, y, z] = [offsets[0][lane], offsets[1][lane], offsets[2][lane]];
                    let weight = weights[lane];
                    let side = if sides[lane] < own { sides[lane] } else { own };
                    let shared = weight * (INNER_SHARE + side);
                    let [wx, wy, wz] = [weight * x, weight * y, weight * z];
                    sums[0][lane] += shared;
                    sums[1][lane] += shared * x;
                    sums[2][lane] += shared * y;
                    sums[3][lane] += shared * z;
                    sums[4][lane] += weight;
                    sums[5][lane] += wx;
                    sums[6][lane] += wy;
                    sums[7][lane] += wz;
                    sums[8][lane] += wx * x;
                    sums[9][lane] += wy * y;
                    sums[10][lane] += wz * z;
                    sums[11][lane] += wx * y;
                    sums[12][lane] += wx * z;
                    sums[13][lane] += wy * z;
                }
            });
        let smoothing = SMOOTHING * (own / WHOLLY).min(1.0);
        let center = here + Vec3::new(x, y, z) * (smoothing * reach / total);
        let axes = if neighbors <= LONELY {
            Mat3::from_diagonal(Vec3::splat(SHORTEST * RADIUS * self.spacing))
        } else {
            let mean = Vec3::new(mx, my, mz) / mass;
            let moments = Mat3::from_cols(Vec3::new(xx, xy, xz), Vec3::new(xy, yy, yz), Vec3::new(xz, yz, zz));
            let spread = Mat3::from_cols(mean * mean.x, mean * mean.y, mean * mean.z);
            stretched(moments * (1.0 / mass) - spread) * (RADIUS * self.spacing)
        };
        Some(LiquidKernel {
            center,
            axes,
            neighbors,
        })
    }
}

/// Half axes of a kernel, relative to one in the midst of a liquid, from the covariance of the places around it.
fn stretched(covariance: Mat3) -> Mat3 {
    // Variance along each axis of places all around, weighted by (1 - q²)², in units of the reach.
    const ROUND: f32 = 1.0 / 9.0;
    let (values, axes) = eigen(covariance);
    let lengths = values.to_array().map(|value| (value / ROUND).max(0.0).sqrt());
    let longest = lengths
        .iter()
        .fold(0.0, |most: f32, length| most.max(*length))
        .clamp(SHORTEST, 1.0);
    let [a, b, c] = lengths.map(|length| length.clamp(SHORTEST * longest, longest));
    Mat3::from_cols(axes.x_axis * a, axes.y_axis * b, axes.z_axis * c)
}
