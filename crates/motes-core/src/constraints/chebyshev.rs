//! Iterations that know how many they are: Chebyshev's semi-iterative method (Golub & Varga 1961), on the impulses of rows.
//!
//! Averaged Jacobi iteration multiplies an error whose share x of itself an iteration undoes by 1 − x: what is short and stiff
//! is gone at once, and what spans a whole rope stays for hundreds of iterations. A number of iterations that is known beforehand
//! can do better: with the right weights it multiplies by a polynomial that leaves no more than [`LEFT`] wherever x is above
//! some bound, and below it undoes about N²/2 as much as one plain iteration instead of N. The last iteration is
//! a plain one, so that what plain iteration settles at once is settled here too.
//!
//! More than [`LEFT`] of the wrong sign would ring: an error that comes out of a sub-step as P times what its velocity brought it to
//! follows z² = P (2 z − 1) from one to the next, which grows where P is below −1/3. And a polynomial knows rows alone: where contacts act between
//! the same particles in between, long ones throw grains of a net about. So iterations come in cycles of [`CYCLE`].

/// The iterations after which weights begin anew, at most. With eight, nets whose grains stick together gain energy at 4 × 8.
pub const CYCLE: u32 = 4;

/// The share of an error that the iterations but the last leave of it at most.
pub const LEFT: f32 = 0.2;

/// What an iteration does: so much of its last change once more, and so much of what plain iteration would do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Of the last change.
    pub keep: f32,
    /// Of the plain one.
    pub take: f32,
}

impl Pace {
    /// Plain iteration.
    pub const PLAIN: Self = Self { keep: 0.0, take: 1.0 };

    /// Of one of so many iterations, from 0.
    pub fn new(iteration: u32, iterations: u32) -> Self {
        let cycles = iterations.max(1).div_ceil(CYCLE);
        let length = iterations.max(1).div_ceil(cycles);
        let begun = iteration / length * length;
        let (iteration, iterations) = (iteration - begun, length.min(iterations - begun));
        if iteration + 1 >= iterations {
            return Self::PLAIN;
        }
        Self::throughout(iteration, iterations - 1)
    }

    /// Of one of so many iterations that are all weighted, without cycles, from 0.
    pub fn throughout(iteration: u32, iterations: u32) -> Self {
        // Shares x of 1 down to (σ − 1) / (σ + 1), of which σ is the middle over half the width.
        let sigma = ((1.0 / LEFT).acosh() / iterations.max(1) as f32).cosh();
        let half = 1.0 / (sigma + 1.0);
        let mut before = 0.0;
        let mut ratio = 1.0 / sigma;
        for _ in 0..iteration {
            before = ratio;
            ratio = 1.0 / (2.0 * sigma - ratio);
        }
        match iteration {
            0 => Self {
                keep: 0.0,
                take: 1.0 / (sigma * half),
            },
            _ => Self {
                keep: ratio * before,
                take: 2.0 * ratio / half,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left of an error of which a plain iteration undoes a share.
    fn left(share: f32, iterations: u32) -> f32 {
        let (mut error, mut change) = (1.0, 0.0);
        for iteration in 0..iterations {
            let pace = Pace::new(iteration, iterations);
            change = pace.keep * change + pace.take * share * error;
            error -= change;
        }
        error
    }

    #[test]
    fn little_is_left_of_short_errors_and_nothing_of_the_shortest() {
        for iterations in 2..=CYCLE {
            let sigma = ((1.0 / LEFT).acosh() / (iterations - 1) as f32).cosh();
            let low = (sigma - 1.0) / (sigma + 1.0);
            for step in 0..=100 {
                let share = low + (1.0 - low) * step as f32 / 100.0;
                let left = left(share, iterations);
                assert!(
                    left.abs() <= LEFT * (1.0 - share) + 1e-4,
                    "{left} of {share} at {iterations}"
                );
            }
        }
    }

    #[test]
    fn long_errors_lose_twice_as_much_as_in_plain_iterations() {
        for iterations in [4, 8, 10, 16, 31] {
            let undone = (1.0 - left(1e-4, iterations)) / 1e-4;
            assert!(undone > 1.8 * iterations as f32, "{undone} at {iterations}");
        }
    }

    #[test]
    fn cycles_are_about_as_long_as_each_other() {
        for iterations in 1..=40 {
            let plain = (0..iterations).filter(|&iteration| Pace::new(iteration, iterations) == Pace::PLAIN);
            assert_eq!(plain.count() as u32, iterations.div_ceil(CYCLE), "{iterations}");
            assert_eq!(Pace::new(iterations - 1, iterations), Pace::PLAIN);
        }
    }

    #[test]
    fn one_iteration_is_a_plain_one() {
        assert_eq!(Pace::new(0, 1), Pace::PLAIN);
        assert_eq!(Pace::new(3, 4), Pace::PLAIN);
    }
}
