//! Liquids keep their density: `C = n/n₀ − 1 ≤ 0` for every particle (Unified §7, eq. 26 and 27).
//!
//! n is the number of particles about a place, each weighed by its distance, and n₀ that in a cubic lattice of particles a diameter
//! apart: a block of them is at rest as it is. Numbers instead of masses let liquids of different densities lie on each
//! other (Solenthaler and Pajarola 2008); masses say who gives way. Solid particles count like liquid ones and are pushed like them, and
//! what lies within walls counts as if the lattice went on there, and pushes.
//!
//! The kernel is Wendland's C² (1995) for both density and slope. Particles do not clump in it (Dehnen and Aly 2012), and
//! its slope takes no division but for those nearer than half a diameter, which it would let go.
//!
//! Multipliers are divided by a bound for how far all densities of the neighbourhood together can move it (see [`busiest`]), which lets
//! [Chebyshev's iteration](super::chebyshev) go as far as it can and no further.

use std::f32::consts::PI;

use glam::{Vec3, Vec4};

/// Distance in smoothing radii from which on slopes are not those of [`weight`], which vanish, but stay as they are there.
pub const NEAR: f32 = 0.25;

/// Least divisor of a multiplier, compared to that in a lattice: those at the rim have little to push.
pub const LEAST_DIVISOR: f32 = 0.1;

/// Excess at the start of a sub-step that its iterations take back as a whole, in distances of `g h²` over the diameter: what carries a liquid
/// some thirty particles deep at rest, with as few iterations as there are.
pub const LEEWAY: f32 = 8.0;

/// How fast iterations take back what was there beyond the leeway, 1/s: slowly, since all they take back turns into speed, and blocks
/// that were made overlapping would burst.
pub const RATE: f32 = 30.0;

/// Part of the rest that is taken back at the end of the sub-step, without speed.
pub const UNDONE: f32 = 0.5;

/// Weight of a neighbour at a distance in smoothing radii, compared to that at distance 0.
#[inline(always)]
pub fn weight(q: f32) -> f32 {
    let left = (1.0 - q).max(0.0);
    let square = left * left;
    square * square * (1.0 + 4.0 * q)
}

/// Distance in smoothing radii below which particles are in the same place.
pub const SAME_PLACE: f32 = 1e-5;

/// Distance in smoothing radii that particles in the very same place take themselves to have.
pub const APART: f32 = 1e-3;

/// Slope of [`weight`] over `-q`, so that the slope at an offset is the offset times a number.
#[inline(always)]
pub fn slope(q: f32) -> f32 {
    let near = q.max(NEAR);
    let left = (1.0 - near).max(0.0);
    20.0 * left * left * left * (near / q.max(SAME_PLACE))
}

/// A kernel beyond a plane.
pub trait Beyond {
    /// Share of it beyond a plane at a distance in smoothing radii.
    fn share(q: f32) -> f32;
    /// How fast that falls with the distance.
    fn slope(q: f32) -> f32;
}

/// That of [`weight`] beyond a plane.
#[derive(Clone, Copy, Debug)]
pub struct Wendland;

impl Beyond for Wendland {
    #[inline(always)]
    fn share(q: f32) -> f32 {
        beyond(q)
    }

    #[inline(always)]
    fn slope(q: f32) -> f32 {
        beyond_slope(q)
    }
}

/// What makes [`weight`] 1 over all space, for a smoothing radius of 1.
pub const UNIT: f32 = 21.0 / (2.0 * PI);

/// Share of the kernel beyond a plane at a distance in smoothing radii.
#[inline(always)]
pub fn beyond(q: f32) -> f32 {
    let u = (1.0 - q).clamp(0.0, 1.0);
    let sixth = (u * u * u) * (u * u * u);
    21.0 * sixth * (1.0 / 6.0 + u * (u / 14.0 - 3.0 / 14.0))
}

/// What a lattice of particles a diameter apart says, for a smoothing radius in diameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// Sum of the [`weight`]s of a particle and all its neighbours.
    pub sum: f32,
    /// What [`beyond`] is to be multiplied with, so that a wall counts as the lattice would that went on beyond it.
    pub wall: f32,
    /// What multipliers are divided by, for an inverse mass and a smoothing radius of 1.
    pub divisor: f32,
    /// Sum of all [`slope`]s over `sum`.
    pub steepness: f32,
    /// What makes the Laplacian of a velocity, as the sum of the slopes over `sum` times its differences, exact.
    pub laplacian: f32,
}

impl Lattice {
    /// Sums over it.
    pub fn new(smoothing: f32) -> Self {
        let reach = smoothing.ceil() as i32;
        let (mut sum, mut below, mut steep, mut slopes, mut curved) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
        for x in -reach..=reach {
            for y in -reach..=reach {
                for z in -reach..=reach {
                    let distance = ((x * x + y * y + z * z) as f64).sqrt();
                    let q = (distance / f64::from(smoothing)) as f32;
                    let weight = f64::from(weight(q));
                    sum += weight;
                    if q > 0.0 {
                        slopes += f64::from(slope(q));
                        steep += f64::from(q * slope(q));
                        curved += f64::from(q * q * slope(q));
                    }
                    below += if y < 0 { weight } else { 0.0 };
                }
            }
        }
        Self {
            sum: sum as f32,
            wall: (below / sum / f64::from(beyond(0.5 / smoothing))) as f32,
            divisor: (steep * steep / (3.0 * sum * sum)) as f32,
            steepness: (slopes / sum) as f32,
            laplacian: (6.0 * sum / curved) as f32,
        }
    }
}

/// How fast [`beyond`] falls with the distance.
#[inline(always)]
pub fn beyond_slope(q: f32) -> f32 {
    let u = (1.0 - q).clamp(0.0, 1.0);
    21.0 * u * u * u * u * u * (1.0 + u * (4.0 / 7.0 * u - 1.5))
}

/// A plane of a wall near a particle.
#[derive(Clone, Copy, Debug)]
pub struct WallPlane {
    /// Distance of the particle's centre, in smoothing radii.
    pub q: f32,
    /// Unit vector out of the wall.
    pub normal: Vec3,
}

/// Part of a particle's surroundings that lies within walls (w), and how fast it falls along which way, per smoothing radius (xyz): as if all
/// walls were at right angles, but those that face the same way count once.
#[inline]
pub fn walled(planes: impl Iterator<Item = WallPlane> + Clone, wall: f32) -> Vec4 {
    walled_by::<Wendland>(planes, wall)
}

/// The same of any kernel.
#[inline]
pub fn walled_by<K: Beyond>(planes: impl Iterator<Item = WallPlane> + Clone, wall: f32) -> Vec4 {
    let (mut open, mut away) = (1.0, Vec3::ZERO);
    for (number, WallPlane { q, normal }) in planes.clone().enumerate() {
        let alike = |other: WallPlane| normal.dot(other.normal);
        let same = planes.clone().take(number).map(alike).fold(0.0, f32::max);
        let share = (1.0 - same) * wall;
        let here = 1.0 - share * K::share(q);
        away = away * here + normal * (open * share * K::slope(q));
        open *= here;
    }
    away.extend(1.0 - open)
}

/// How fast the part of a particle's surroundings within each of some planes falls along its normal, per smoothing radius: what [`walled`] adds up.
pub fn each_walled(planes: impl Iterator<Item = WallPlane> + Clone, wall: f32) -> impl Iterator<Item = f32> {
    each_walled_by::<Wendland>(planes, wall)
}

/// The same of any kernel.
pub fn each_walled_by<K: Beyond>(
    planes: impl Iterator<Item = WallPlane> + Clone,
    wall: f32,
) -> impl Iterator<Item = f32> {
    let open = 1.0 - walled_by::<K>(planes.clone(), wall).w;
    let all = planes.clone();
    planes.enumerate().map(move |(number, WallPlane { q, normal })| {
        let alike = |other: WallPlane| normal.dot(other.normal);
        let same = all.clone().take(number).map(alike).fold(0.0, f32::max);
        let share = (1.0 - same) * wall;
        open * share * K::slope(q) / (1.0 - share * K::share(q))
    })
}

/// How many densities move a particle in its busiest direction: an upper bound of the largest eigenvalue of `Σ |s| n nᵀ`, over the slopes
/// `s n` of all densities that it has a part in, from its diagonal and its elements xy, yz, zx. Exact where the other directions are alike.
///
/// Of a density, the sum of `w |s|` times this over all particles is at least what its multiplier has to be divided by, so that no
/// combination of densities overshoots, however particles lie.
#[inline(always)]
pub fn busiest(diagonal: Vec3, mixed: Vec3) -> f32 {
    let mean = diagonal.element_sum() / 3.0;
    let aside = diagonal - mean;
    let uneven = aside.dot(aside) + 2.0 * mixed.dot(mixed);
    mean + (2.0 / 3.0 * uneven).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_add_up_to_one_over_space_and_slopes_are_theirs() {
        let shells = 2000;
        let thickness = 1.0 / shells as f32;
        let at = |k: i32| (k as f32 + 0.5) * thickness;
        let sum: f32 = (0..shells)
            .map(|k| 4.0 * PI * at(k) * at(k) * thickness * UNIT * weight(at(k)))
            .sum();
        assert!((sum - 1.0).abs() < 1e-4, "{sum}");
        for q in [0.3_f32, 0.5, 0.8] {
            let slope_by_steps = (weight(q + 1e-3) - weight(q - 1e-3)) / 2e-3;
            assert!((slope_by_steps + q * slope(q)).abs() < 1e-3);
        }
        assert!(
            (0.1 * slope(0.1) - NEAR * slope(NEAR)).abs() < 1e-5,
            "no weaker further in"
        );
        assert_eq!([weight(1.0), weight(2.0), slope(1.5)], [0.0; 3]);
    }

    #[test]
    fn half_of_the_kernel_is_beyond_a_plane_through_its_middle() {
        assert!((beyond(0.0) - 0.5).abs() < 1e-6);
        assert_eq!([beyond(1.0), beyond(3.0)], [0.0; 2]);
        // The share between two planes, by discs.
        let discs = |from: f32, to: f32| {
            let steps = 400;
            let z = |k: i32| from + (to - from) * (k as f32 + 0.5) / steps as f32;
            let disc = |z: f32| {
                let ring = |k: i32| {
                    let rho = (k as f32 + 0.5) / steps as f32;
                    2.0 * PI * rho * UNIT * weight(rho.hypot(z)) / steps as f32
                };
                (0..steps).map(ring).sum::<f32>()
            };
            (0..steps).map(|k| disc(z(k)) * (to - from) / steps as f32).sum::<f32>()
        };
        assert!((discs(0.2, 0.6) - (beyond(0.2) - beyond(0.6))).abs() < 1e-4);
    }

    #[test]
    fn a_lattice_of_two_spacings_by_hand() {
        // Itself, six at 1/2, twelve at √2/2, eight at √3/2.
        let lattice = Lattice::new(2.0);
        assert!((lattice.sum - 2.474_5).abs() < 1e-3, "{}", lattice.sum);
        // One, four and four of these are below.
        assert!((lattice.wall * beyond(0.25) - 0.123_7).abs() < 1e-3);
    }

    #[test]
    fn planes_of_one_wall_count_once_and_corners_are_not_counted_twice() {
        let plane = |normal| WallPlane { q: 0.25, normal };
        let count = |planes: &[WallPlane]| walled(planes.iter().copied(), 1.0);
        let one = count(&[plane(Vec3::Y)]);
        assert_eq!(count(&[plane(Vec3::Y), plane(Vec3::Y)]), one);
        let corner = count(&[plane(Vec3::Y), plane(Vec3::X)]);
        assert!((corner.w - (1.0 - (1.0 - one.w).powi(2))).abs() < 1e-6);
        assert!((corner.x - corner.y).abs() < 1e-6 && corner.x > 0.0);
        let lower = WallPlane {
            q: 0.251,
            normal: Vec3::Y,
        };
        let fall = (one.w - count(&[lower]).w) / 0.001;
        assert!((fall / one.y - 1.0).abs() < 0.01, "{fall} {}", one.y);
    }

    #[test]
    fn what_each_plane_does_adds_up() {
        let planes = [(0.2, Vec3::Y), (0.4, Vec3::X), (0.3, Vec3::new(0.6, 0.8, 0.0))];
        let planes = planes.map(|(q, normal)| WallPlane { q, normal });
        let parts = each_walled(planes.iter().copied(), 0.9);
        let sum: Vec3 = parts.zip(planes).map(|(part, plane)| part * plane.normal).sum();
        let whole = walled(planes.iter().copied(), 0.9).truncate();
        assert!((sum - whole).length() < 1e-6, "{sum} {whole}");
    }

    #[test]
    fn the_busiest_direction_of_a_lattice_and_of_a_line() {
        assert!((busiest(Vec3::ONE, Vec3::ZERO) - 1.0).abs() < 1e-6);
        let along = Vec3::new(2.0, 1.0, -2.0) / 3.0;
        let mixed = Vec3::new(along.x * along.y, along.y * along.z, along.z * along.x);
        assert!((busiest(along * along, mixed) - 1.0).abs() < 1e-6);
    }
}
