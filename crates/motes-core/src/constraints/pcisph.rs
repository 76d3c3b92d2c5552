//! Predictive-corrective incompressible SPH (Solenthaler and Pajarola 2009): pressures are raised by the density error of predicted places, times a number
//! that follows from a full neighbourhood, and begin anew in every sub-step.
//!
//! A pressure is kept as its multiplier, `λ = h² V p`, kg m², which moves places by the slopes of the densities at the start of the sub-step. So an iteration is
//! that of [`density`](super::density), but for what multipliers are divided by, which is here the same for all particles, and for weights of
//! iterations, which it has not. The kernel is that of the default solve too, so that nothing but the solve differs.

use super::density::{Lattice, slope};

/// One over δ of the paper (eq. 8) as a multiplier: sum of the squared slopes of a full neighbourhood, twice, for an inverse mass and a
/// smoothing radius of 1. The paper has all neighbours press as hard as the particle itself, hence twice.
pub fn divisor(smoothing: f32, lattice: &Lattice) -> f32 {
    let reach = smoothing.ceil() as i32;
    let mut squares = 0.0;
    for x in -reach..=reach {
        for y in -reach..=reach {
            for z in -reach..=reach {
                let q = ((x * x + y * y + z * z) as f32).sqrt() / smoothing;
                let steep = q * slope(q) / lattice.sum;
                squares += steep * steep;
            }
        }
    }
    2.0 * squares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lattice_of_two_spacings_by_hand() {
        let lattice = Lattice::new(2.0);
        // Six at 1/2, twelve at √2/2, eight at √3/2, of 20 q (1 − q)³ each.
        let steep = |q: f32| 20.0 * q * (1.0 - q).powi(3);
        let [near, aside, corner] = [0.5_f32, 0.5_f32.sqrt(), 0.75_f32.sqrt()].map(steep);
        let expected = 2.0 * (6.0 * near * near + 12.0 * aside * aside + 8.0 * corner * corner) / lattice.sum.powi(2);
        assert!((divisor(2.0, &lattice) / expected - 1.0).abs() < 1e-5);
        assert!((expected - 3.56).abs() < 0.02, "{expected}");
    }

    /// Where neighbours are as they are in a lattice, and all of them press alike, the plain sum of what each density moves is less
    /// than twice the divisor, or iterations would swing further and further.
    #[test]
    fn iterations_do_not_grow_on_a_lattice() {
        let (smoothing, lattice) = (2.0_f32, Lattice::new(2.0));
        let mut most = 0.0_f32;
        for number in 0..1000 {
            let k = [number % 10, number / 10 % 10, number / 100].map(|part| std::f32::consts::PI * part as f32 / 9.0);
            let mut along = [0.0_f32; 3];
            for place in 0..125 {
                let place = [place % 5 - 2, place / 5 % 5 - 2, place / 25 - 2].map(|part| part as f32);
                let distance = place.iter().map(|part| part * part).sum::<f32>().sqrt();
                let phase: f32 = k.iter().zip(place).map(|(k, part)| k * part).sum();
                let steep = slope(distance / smoothing) / smoothing / lattice.sum;
                (0..3).for_each(|axis| along[axis] += steep * place[axis] * phase.sin());
            }
            most = most.max(along.iter().map(|part| part * part).sum());
        }
        let part = most / divisor(smoothing, &lattice);
        assert!(part < 2.0 && part > 1.0, "{part}");
    }
}
