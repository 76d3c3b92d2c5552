//! How far a constraint yields: compliance after XPBD (Macklin, Müller & Chentanez 2016, eq. 17–18), or the stiffness of
//! position based dynamics (Müller et al. 2007, §3.3), as the two numbers that an iteration needs of either.

/// Sixtieths of a second in one of so many iterations of a sub-step of `h` seconds: the part of its error that a stiffness
/// undoes is stated for 1/60 s.
pub fn iteration_part(h: f32, iterations: u32) -> f32 {
    60.0 * h / iterations.max(1) as f32
}

/// How a row answers to its error, within a sub-step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Response {
    /// Compliance divided by the square of the sub-step, 1/kg.
    pub compliance: f32,
    /// Impulse against an error of a metre, kg.
    pub step: f32,
}

impl Response {
    /// Of a softness as one number, a compliance in m/N or a stiffness below zero, for a row that counts on an effective
    /// inverse mass of all its particles together, 1/kg. An infinite compliance answers nothing.
    #[inline(always)]
    pub fn new(softness: f32, inverse_mass: f32, h: f32, part: f32) -> Self {
        let compliance = softness.max(0.0) / (h * h);
        let share = if softness < 0.0 {
            1.0 - (1.0 + softness).max(0.0).powf(part)
        } else {
            1.0
        };
        let yields = inverse_mass + compliance;
        if yields > 0.0 && yields.is_finite() {
            let step = share / yields;
            Self { compliance, step }
        } else {
            Self::default()
        }
    }

    /// The same of a compliance alone, m/N, worked out without asking, so that several are side by side.
    #[inline(always)]
    pub fn of_compliance(compliance: f32, inverse_mass: f32, h: f32) -> Self {
        let compliance = compliance / (h * h);
        let yields = inverse_mass + compliance;
        let acts = (yields > 0.0) & (yields < f32::INFINITY);
        let step = 1.0 / yields;
        Self {
            compliance: if acts { compliance } else { 0.0 },
            step: if acts { step } else { 0.0 },
        }
    }

    /// What the impulse of a row, kg·m, changes by when its error is `error` metres. Positive impulses push apart.
    #[inline(always)]
    pub fn change(self, error: f32, impulse: f32) -> f32 {
        -(error + self.compliance * impulse) * self.step
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stiff_row_is_closed_at_once() {
        assert_eq!(Response::new(0.0, 2.0, 0.01, 1.0).change(0.3, 0.0), -0.15);
    }

    #[test]
    fn what_cannot_move_is_left_alone() {
        assert_eq!(Response::new(0.0, 0.0, 0.01, 1.0).change(0.3, 0.0), 0.0);
        assert_eq!(Response::new(f32::INFINITY, 1.0, 0.01, 1.0).change(0.3, 0.0), 0.0);
    }

    #[test]
    fn a_compliance_alone_is_answered_as_any_softness() {
        for (compliance, inverse_mass) in [(0.0, 2.0), (0.01, 3.0), (0.0, 0.0), (f32::INFINITY, 1.0), (1e-4, -1.0)] {
            let expected = Response::new(compliance, inverse_mass, 0.01, 1.0);
            assert_eq!(Response::of_compliance(compliance, inverse_mass, 0.01), expected);
        }
    }

    #[test]
    fn a_stiffness_leaves_the_same_error_after_a_sixtieth_of_a_second_whatever_the_iterations() {
        for (substeps, iterations) in [(1, 1), (1, 8), (4, 3)] {
            let h = 1.0 / (60 * substeps) as f32;
            let response = Response::new(-0.3, 2.0, h, iteration_part(h, iterations));
            let mut error = 1.0;
            for _ in 0..substeps * iterations {
                error += 2.0 * response.change(error, 0.0);
            }
            assert!((error - 0.7).abs() < 1e-4, "{error} at {substeps} × {iterations}");
        }
    }
}
