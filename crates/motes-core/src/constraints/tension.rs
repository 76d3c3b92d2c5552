//! Surface tension and wetting of liquids, with cohesion and smallest area after Akinci, Akinci and Teschner 2013.
//!
//! Both parts are slopes of an energy, so that what is taken out of it comes back and no more. Cohesion is a force along pairs. For the area, the
//! paper pushes by the difference of two normals; here the squared slope of the density is an energy (as in Cahn and Hilliard 1958), of which that difference
//! comes out with the second slopes of the kernel. Inside of a liquid slopes are small and their squares are nothing, so that it can flow; cohesion, which it
//! could not flow with alone, is only as large as it takes to hold a surface together.
//!
//! Cut in two, a lattice has the energy of its two new surfaces ([`Surface`]): so a tension in N/m is what it says with particles of any size.
//!
//! Solids count in slopes as the liquid does, which alone would leave it at a right angle; an attraction of walls and solid particles makes up for the cohesion they lack and
//! says the rest (Young and Dupré). It reaches further into the liquid than cohesion does: what draws at the first layer alone, contacts hold.

use std::f32::consts::PI;

use glam::Vec4;

use super::density::{self, Lattice, WallPlane};
use crate::engine::Frame;
use crate::material::Material;
use crate::particles::sizes::Sizes;

/// Distance in smoothing radii beyond which two particles attract each other, and below which they push each other away.
pub const REPELS: f32 = 0.35;

/// Share of the tension that is cohesion. With much more of it drops grow stiff, with much less they lose particles.
pub const COHESION: f32 = 0.3;

/// Attraction by solids that leaves a liquid at a right angle, in tensions: a half of its cohesion with itself would be [`COHESION`] if the first layer lay as in a
/// lattice. Drops on planes were measured to need more.
pub const ON_SOLIDS: f32 = 0.4;

/// Most tension that a sub-step of h seconds carries, in ρ d³/h²: it is explicit, and gains energy beyond half the capillary time step.
pub const CARRIED: f32 = 1.0 / 32.0;

/// Particles wider than so many capillary lengths, √(γ/(ρ g)), are not drawn: their tension is less than a twenty-fifth of their weight, and all that it
/// shapes is smaller than they are.
pub const UNSEEN: f32 = 5.0;

/// Force of two particles on each other at a distance in smoothing radii, in no unit; positive attracts.
#[inline(always)]
pub fn pull(q: f32) -> f32 {
    let left = (1.0 - q).max(0.0);
    (q - REPELS) * left * left
}

/// Work against [`pull`] from a distance on, in smoothing radii.
pub fn pull_work(q: f32) -> f32 {
    let u = (1.0 - q).clamp(0.0, 1.0);
    u * u * u * ((1.0 - REPELS) / 3.0 - u / 4.0)
}

/// Force of a solid particle on a liquid one at a distance in smoothing radii.
#[inline(always)]
pub fn solid_pull(q: f32) -> f32 {
    let near = q.max(density::NEAR);
    if q < 1.0 { 1.0 / (near * near) } else { 0.0 }
}

/// Work against [`solid_pull`] from a distance on, beyond [`density::NEAR`].
fn solid_work(q: f32) -> f32 {
    (1.0 / q - 1.0).max(0.0)
}

/// Force of a wall on a liquid particle at a distance in smoothing radii.
#[inline(always)]
pub fn wall_pull(q: f32) -> f32 {
    2.0 * (1.0 - q).max(0.0)
}

/// Work against [`wall_pull`] from a distance on.
fn wall_work(q: f32) -> f32 {
    let left = (1.0 - q).max(0.0);
    left * left
}

/// Second slopes of [`density::weight`] along an offset and across it.
#[inline(always)]
pub fn curves(q: f32) -> [f32; 2] {
    let left = (1.0 - q).max(0.0);
    let along = 20.0 * left * left * (4.0 * q - 1.0);
    [if q < density::NEAR { 0.0 } else { along }, -density::slope(q)]
}

/// How fast [`density::beyond_slope`] falls with the distance.
#[inline(always)]
pub fn beyond_curve(q: f32) -> f32 {
    let u = (1.0 - q).clamp(0.0, 1.0);
    let fourth = (u * u) * (u * u);
    21.0 * fourth * (1.0 - u) * (5.0 - 4.0 * u)
}

/// How much a neighbour counts in the slope of a density, from what both pull with; what pulls with less than nothing is solid, and counts as the liquid does.
/// Between two liquids that leaves the difference of their tensions (Antonow 1907), to which cohesion adds its part when the weaker of both counts.
#[inline(always)]
pub fn alike(own: f32, other: f32) -> f32 {
    let (apart, sum) = ((own - other).abs(), own + other);
    if (own < 0.0) | (other < 0.0) | (sum <= 0.0) {
        1.0
    } else {
        1.0 - (apart / sum).sqrt()
    }
}

/// What a tension of 1 N/m comes to between particles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Of [`pull`], times the smoothing radius.
    pub pairs: f32,
    /// Of the squared slope of the density per smoothing radius, times its square.
    pub area: f32,
    /// Of [`solid_pull`], times the smoothing radius.
    pub solids: f32,
    /// Of [`wall_pull`], times the smoothing radius.
    pub wall: f32,
    /// What the slope of the density that walls have is multiplied with to be that of the lattice that they stand for.
    pub steeper: f32,
}

impl Surface {
    /// For a smoothing radius in diameters.
    pub fn new(smoothing: f32, lattice: &Lattice) -> Self {
        let reach = smoothing.ceil() as i32;
        let (mut cut, mut solids) = (0.0, 0.0);
        // Of the layers below a surface, how much of their slope they miss.
        let mut missed = vec![0.0_f32; reach as usize];
        for x in -reach..=reach {
            for y in -reach..=reach {
                for z in 1..=reach {
                    let q = ((x * x + y * y + z * z) as f32).sqrt() / smoothing;
                    cut += 0.5 * z as f32 * pull_work(q);
                    solids += z as f32 * solid_work(q);
                    let slope = density::slope(q) * z as f32 / (smoothing * lattice.sum);
                    missed[..z as usize].iter_mut().for_each(|missed| *missed += slope);
                }
            }
        }
        let slopes: f32 = missed.iter().map(|slope| 0.5 * slope * slope).sum();
        let wall: f32 = (0..reach).map(|k| wall_work((k as f32 + 0.5) / smoothing)).sum();
        let over = |part: f32, whole: f32| if whole > 0.0 { part / whole } else { 0.0 };
        let square = smoothing * smoothing;
        Self {
            pairs: over(COHESION, square * cut),
            area: over(1.0 - COHESION, square * slopes),
            solids: over(1.0, square * solids),
            wall: over(1.0, square * wall),
            steeper: over(missed[0], lattice.wall * density::beyond_slope(0.5 / smoothing)),
        }
    }
}

/// Tension of a material that sub-steps of `h` seconds carry, N/m.
pub fn carried(material: &Material, diameter: f32, h: f32) -> f32 {
    let most = CARRIED * material.density * diameter.powi(3) / (h * h);
    material.surface_tension.min(most)
}

/// Whether the tension of a material is to be seen in a liquid of particles of a diameter, metres, under a gravity, m/s².
pub fn is_seen(material: &Material, diameter: f32, gravity: f32) -> bool {
    UNSEEN * UNSEEN * material.surface_tension > material.density * gravity * diameter * diameter
}

/// Diameter of the smallest particles, metres.
fn finest(frame: &Frame) -> f32 {
    2.0 * { frame.sizes.as_ref() }.map_or(frame.settings.particle_radius, Sizes::finest)
}

/// Whether any liquid of a frame has a tension that is to be seen.
pub fn acts(frame: &Frame) -> bool {
    let (diameter, gravity) = (finest(frame), frame.settings.gravity.length());
    let mut materials = frame.materials.as_slice().iter();
    materials.any(|material| is_seen(material, diameter, gravity))
}

/// What the liquid of each material pulls with in a sub-step of `h` seconds, as [`Surface`] has it: pairs, slopes, solids, walls; nothing where no tension
/// [acts].
pub fn strengths(frame: &Frame, surface: &Surface, h: f32) -> Vec<Vec4> {
    if !acts(frame) {
        return Vec::new();
    }
    let (diameter, gravity) = (finest(frame), frame.settings.gravity.length());
    let materials = frame.materials.as_slice();
    let strength = |material: &Material| {
        let wetting = ON_SOLIDS + (material.contact_angle * (PI / 180.0)).cos();
        let parts = Vec4::new(
            surface.pairs,
            surface.area,
            wetting * surface.solids,
            wetting * surface.wall,
        );
        let seen = f32::from(u8::from(is_seen(material, diameter, gravity)));
        seen * carried(material, diameter, h) * parts
    };
    materials.iter().map(strength).collect()
}

/// Of each of some planes: how fast the slope of the density that it has a part in changes, per smoothing radius squared, and the part of it that others do not
/// stand for.
pub fn each_wall(planes: &[WallPlane], wall: f32) -> impl Iterator<Item = [f32; 2]> {
    let open = 1.0 - density::walled(planes.iter().copied(), wall).w;
    planes
        .iter()
        .enumerate()
        .map(move |(number, &WallPlane { q, normal })| {
            let alike = |other: &WallPlane| normal.dot(other.normal);
            let part = 1.0 - planes[..number].iter().map(alike).fold(0.0, f32::max);
            let share = part * wall;
            [
                open * share * beyond_curve(q) / (1.0 - share * density::beyond(q)),
                part,
            ]
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn tension_acts_where_particles_are_not_much_wider_than_a_capillary_length() {
        // 2.73 mm, of water.
        let water = Material::WATER;
        assert!(is_seen(&water, 0.0136, 9.81));
        assert!(!is_seen(&water, 0.0137, 9.81));
        assert!(is_seen(&water, 1.0, 0.0), "weightless");
        let dull = Material {
            surface_tension: 0.0,
            ..water
        };
        assert!(!is_seen(&dull, 1e-3, 9.81) && !is_seen(&dull, 1e-3, 0.0));
    }

    #[test]
    fn work_is_the_sum_of_the_pull() {
        let steps = 4000;
        let sum = |from: f32, f: &dyn Fn(f32) -> f32| -> f32 {
            let width = (1.0 - from) / steps as f32;
            (0..steps).map(|k| f(from + (k as f32 + 0.5) * width) * width).sum()
        };
        for q in [0.1_f32, 0.25, 0.5, 0.75] {
            assert!((sum(q, &pull) - pull_work(q)).abs() < 1e-6, "{q}");
            assert!((sum(q, &wall_pull) - wall_work(q)).abs() < 1e-5, "{q}");
        }
        for q in [0.25_f32, 0.5, 0.75] {
            assert!((sum(q, &solid_pull) - solid_work(q)).abs() < 1e-4, "{q}");
        }
        assert_eq!([pull(1.0), pull(1e15), wall_pull(9.0), solid_pull(1.0)], [0.0; 4]);
    }

    #[test]
    fn curves_are_the_slopes_of_slopes() {
        let step = 1e-3;
        for q in [0.3_f32, 0.5, 0.8] {
            let slope = |q: f32| -q * density::slope(q);
            let [along, across] = curves(q);
            assert!(((slope(q + step) - slope(q - step)) / (2.0 * step) - along).abs() < 1e-2);
            assert!((slope(q) / q - across).abs() < 1e-6);
            let fall = (density::beyond_slope(q - step) - density::beyond_slope(q + step)) / (2.0 * step);
            assert!((fall - beyond_curve(q)).abs() < 1e-2, "{fall}");
        }
    }

    #[test]
    fn cutting_a_lattice_takes_what_two_surfaces_have() {
        // Of a smoothing radius of two spacings, the layer at the surface misses one neighbour at 1/2, four at √2/2 and four at √3/2, all a spacing away from it.
        let lattice = Lattice::new(2.0);
        let surface = Surface::new(2.0, &lattice);
        let counts = [(1.0, 0.5_f32), (4.0, 0.5_f32.sqrt()), (4.0, 0.75_f32.sqrt())];
        let bonds: f32 = counts.iter().map(|(count, q)| count * pull_work(*q)).sum();
        let slope: f32 = counts.iter().map(|(count, q)| count * density::slope(*q) / 2.0).sum();
        let energy = 4.0 * (0.5 * surface.pairs * bonds + 0.5 * surface.area * (slope / lattice.sum).powi(2));
        assert!((energy - 1.0).abs() < 1e-4, "{energy}");
        // To part from a wall, and from a solid, takes the work that was asked for.
        let wall = 4.0 * surface.wall * (wall_work(0.25) + wall_work(0.75));
        let solids: f32 = counts.iter().map(|(count, q)| count * solid_work(*q)).sum();
        assert!((wall - 1.0).abs() < 1e-4, "{wall}");
        assert!((4.0 * surface.solids * solids - 1.0).abs() < 1e-4, "{solids}");
        let walled = surface.steeper * lattice.wall * density::beyond_slope(0.25);
        assert!((walled - slope / lattice.sum).abs() < 1e-4, "{walled} {slope}");
    }

    #[test]
    fn liquids_alike_count_in_full_and_others_as_antonow_says() {
        assert_eq!([alike(0.07, 0.07), alike(0.07, -1.0), alike(0.0, 0.0)], [1.0; 3]);
        assert_eq!(alike(0.07, 0.0), 0.0);
        // Tensions of 3 and 1: both areas keep (1 − alike)² of theirs, which is the difference of 2.
        let kept = (1.0 - alike(3.0, 1.0)).powi(2);
        assert!((kept * (3.0 + 1.0) - 2.0).abs() < 1e-5);
    }

    #[test]
    fn sub_steps_carry_so_much_and_no_more() {
        // Water a tenth of a millimetre across, in sub-steps of a millisecond: 998 · 1e-12 / 1e-6 / 32 N/m.
        let most = carried(&Material::WATER, 1e-4, 1e-3);
        assert!((most / 3.119e-5 - 1.0).abs() < 1e-3, "{most}");
        assert_eq!(carried(&Material::WATER, 0.04, 1e-2), Material::WATER.surface_tension);
    }

    #[test]
    fn a_second_plane_of_one_wall_pulls_nothing() {
        let plane = |normal| WallPlane { q: 0.25, normal };
        let parts: Vec<_> = each_wall(&[plane(Vec3::Y), plane(Vec3::Y)], 1.0).collect();
        assert_eq!(parts[1], [0.0; 2]);
        assert!((parts[0][0] - beyond_curve(0.25)).abs() < 1e-5);
    }
}
