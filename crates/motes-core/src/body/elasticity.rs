//! Young's modulus of a soft body, and what it comes to for clusters that are drawn to their shape.
//!
//! A cluster stretched by a strain ε has its particles ε times their distance d from its centre away from their goals. At a
//! rate κ, 1/s², they hold ½ κ ρ ⟨d²⟩ ε² of energy in a volume, along each axis, so that Young's modulus is κ ρ ⟨d²⟩, with a
//! Poisson's ratio of 0. Clusters that overlap share the mass of their particles and the energy is the same. In bending, what
//! clusters miss because strains differ within them is what they have too much because they bend with the body: for balls
//! the two are equal.

use glam::{Mat3, Vec3};
use serde::{Deserialize, Serialize};

use crate::body::{Clusters, NewBody};

/// How stiff a substance is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Elasticity {
    /// Young's modulus, pascals: 1e4 is jelly, 1e6 soft rubber. Poisson's ratio is 0.
    pub youngs_modulus: f32,
    /// Density of the substance, kg/m³, by which the volume follows from the masses.
    pub density: f32,
}

impl Elasticity {
    pub(crate) fn problem(&self) -> Option<&'static str> {
        let positive = |value: f32| value > 0.0 && value.is_finite();
        if !positive(self.youngs_modulus) {
            Some("a positive modulus, pascals")
        } else if !positive(self.density) {
            Some("a positive density, kg/m³")
        } else {
            None
        }
    }

    /// Rate, 1/s², at which the particles of a body are to be drawn to its clusters, or to its shape if it has none.
    pub(crate) fn rate(&self, new: &NewBody) -> f32 {
        self.youngs_modulus / (self.density * spread(&new.positions, &new.masses, &new.clusters).max(f32::MIN_POSITIVE))
    }
}

/// Mean square of the distance of particles from the centres of their clusters along an axis, m²; clusters that are thin count
/// by the axes along which they are long.
pub fn spread(positions: &[Vec3], masses: &[f32], clusters: &Clusters) -> f32 {
    let all: Vec<u32> = (0..positions.len() as u32).collect();
    let whole = [0, all.len() as u32];
    let (starts, members) = match clusters.is_empty() {
        true => (&whole[..], &all),
        false => (&clusters.starts[..], &clusters.members),
    };
    let mut counts = vec![0u32; positions.len()];
    members.iter().for_each(|&member| counts[member as usize] += 1);
    let (mut sum, mut mass) = (0.0, 0.0);
    for bounds in starts.windows(2) {
        let list = members[bounds[0] as usize..bounds[1] as usize].iter();
        let shares = || {
            list.clone().map(|&member| {
                let member = member as usize;
                (masses[member] / counts[member] as f32, positions[member])
            })
        };
        let weight: f32 = shares().map(|(share, _)| share).sum();
        let center = shares().map(|(share, place)| share * place).sum::<Vec3>() / weight;
        let mut products = Mat3::ZERO;
        for (share, place) in shares() {
            let arm = place - center;
            products += Mat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z) * share;
        }
        let trace = products.x_axis.x + products.y_axis.y + products.z_axis.z;
        let squares: f32 = products.to_cols_array().iter().map(|value| value * value).sum();
        if trace > 0.0 {
            sum += squares / trace;
        }
        mass += weight;
    }
    if mass > 0.0 { sum / mass } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rod_counts_by_its_length_and_a_cube_by_its_side() {
        let rod: Vec<Vec3> = (0..100).map(|k| Vec3::X * (k as f32 + 0.5) / 100.0).collect();
        let found = spread(&rod, &[1.0; 100], &Clusters::default());
        assert!((found * 12.0 - 1.0).abs() < 1e-3, "{found}");
        let place = |k: usize| Vec3::new((k % 10) as f32, (k / 10 % 10) as f32, (k / 100) as f32) / 10.0;
        let cube: Vec<Vec3> = (0..1000).map(place).collect();
        let found = spread(&cube, &[1.0; 1000], &Clusters::default());
        assert!((found * 12.0 - 0.99).abs() < 1e-3, "{found}");
    }

    #[test]
    fn overlapping_clusters_share_what_they_have() {
        let row: Vec<Vec3> = (0..4).map(|k| Vec3::X * k as f32).collect();
        let twice = Clusters {
            starts: vec![0, 4, 8],
            members: vec![0, 1, 2, 3, 0, 1, 2, 3],
            whole_stiffness: 0.0,
        };
        let once = spread(&row, &[2.0; 4], &Clusters::default());
        assert_eq!(spread(&row, &[2.0; 4], &twice), once);
        assert_eq!(once, 1.25);
    }
}
