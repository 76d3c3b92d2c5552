//! Two particles held at a distance, more or less firmly: XPBD (Macklin, Müller & Chentanez 2016, eq. 18).

use super::softness::Response;

/// What an iteration does to a distance: `length` is what it is and `rest` what it shall be, metres, `impulse` what the row
/// has done so far in the sub-step, kg·m. Returns the change of that impulse, along the line between the particles.
#[inline(always)]
pub fn project(length: f32, rest: f32, impulse: f32, response: Response) -> f32 {
    response.change(length - rest, impulse)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A weight on a distance to the ceiling comes to rest where its force carries it, however small the sub-step.
    #[test]
    fn a_weight_stretches_a_distance_by_its_force_times_the_compliance() {
        let (inverse_mass, compliance, gravity, rest) = (0.5, 1e-3, 10.0, 2.0);
        for substeps in [60, 240] {
            let h = 1.0 / substeps as f32;
            let response = Response::new(compliance, inverse_mass, h, 1.0);
            let (mut length, mut velocity) = (rest, 0.0f32);
            for _ in 0..40 * substeps {
                let mut candidate = length + h * (velocity + h * gravity);
                let mut impulse = 0.0;
                for _ in 0..4 {
                    let more = project(candidate, rest, impulse, response);
                    impulse += more;
                    candidate += inverse_mass * more;
                }
                velocity = 0.98 * (candidate - length) / h;
                length = candidate;
            }
            let (stretch, expected) = (length - rest, gravity / inverse_mass * compliance);
            assert!((stretch / expected - 1.0).abs() < 0.01, "{stretch} at {substeps}");
        }
    }
}
