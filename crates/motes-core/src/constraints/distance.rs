//! Two particles held at a distance, more or less firmly: XPBD (Macklin, Müller & Chentanez 2016, eq. 18).

/// What the impulse of a link, kg·m, changes by: it is stretched by `stretch`, metres, has done `impulse` so far in the
/// sub-step, and counts on a `mobility`, 1/kg, of both ends together. The compliance is in metres per newton, divided by
/// the square of the sub-step. Positive impulses push the ends apart.
#[inline(always)]
pub fn change(stretch: f32, impulse: f32, mobility: f32, compliance: f32) -> f32 {
    let yields = mobility + compliance;
    if yields > 0.0 {
        -(stretch + compliance * impulse) / yields
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stiff_link_is_closed_at_once() {
        assert_eq!(change(0.3, 0.0, 2.0, 0.0), -0.15);
    }

    #[test]
    fn what_cannot_move_is_left_alone() {
        assert_eq!(change(0.3, 0.0, 0.0, 0.0), 0.0);
    }

    /// A weight on a link to the ceiling comes to rest where the link's force carries it, however small the sub-step.
    #[test]
    fn a_weight_stretches_a_link_by_its_force_times_the_compliance() {
        let (inverse_mass, compliance, gravity) = (0.5, 1e-3, 10.0);
        for substeps in [60, 240] {
            let h = 1.0 / substeps as f32;
            let (mut stretch, mut velocity) = (0.0f32, 0.0f32);
            for _ in 0..40 * substeps {
                let mut candidate = stretch + h * (velocity + h * gravity);
                let mut impulse = 0.0;
                for _ in 0..4 {
                    let more = change(candidate, impulse, inverse_mass, compliance / (h * h));
                    impulse += more;
                    candidate += inverse_mass * more;
                }
                velocity = 0.98 * (candidate - stretch) / h;
                stretch = candidate;
            }
            let expected = gravity / inverse_mass * compliance;
            assert!((stretch / expected - 1.0).abs() < 0.01, "{stretch} at {substeps}");
        }
    }
}
