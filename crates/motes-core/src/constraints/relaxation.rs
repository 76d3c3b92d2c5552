//! How the corrections of many constraints on one particle become one (Unified §4.2–4.3, eq. 12–13).

/// The factor `ω/n` that the sum of a particle's `count` corrections is applied with, or `ω` without averaging.
#[inline]
pub fn weight(count: u32, relaxation: f32, averaging: bool) -> f32 {
    if averaging && count > 1 {
        relaxation / count as f32
    } else {
        relaxation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The particle of fig. 2, held at the origin by two identical constraints.
    fn iterate(averaging: bool, iterations: usize) -> f32 {
        let mut x = 1.0;
        for _ in 0..iterations {
            x += weight(2, 1.0, averaging) * (-x - x);
        }
        x
    }

    #[test]
    fn two_identical_constraints_converge_with_averaging() {
        assert_eq!(iterate(true, 1), 0.0);
    }

    #[test]
    fn plain_jacobi_oscillates_for_ever() {
        assert_eq!(iterate(false, 30).abs(), 1.0);
    }

    #[test]
    fn over_relaxation_goes_further() {
        assert_eq!(weight(2, 1.5, true), 0.75);
        assert_eq!(weight(0, 1.0, true), 1.0);
    }
}
