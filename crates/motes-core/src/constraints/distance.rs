//! Two particles held at a distance, more or less firmly: XPBD (Macklin, Müller & Chentanez 2016, eq. 18); or no further apart
//! than one, as tethers do (Kim et al. 2012).

use super::chebyshev::Pace;
use super::softness::Response;

/// What an iteration does to a distance: `length` is what it is and `rest` what it shall be, metres, `impulse` what the row
/// has done so far in the sub-step, kg·m. Returns the change of that impulse, along the line between the particles. A rest value
/// below zero is that of a tether: it only pulls, where the length is greater. Between particles at the same place there is
/// no line, and nothing is done.
#[inline(always)]
pub fn project(length: f32, rest: f32, impulse: f32, response: Response) -> f32 {
    let more = response.change(length - rest.abs(), impulse);
    let more = if rest < 0.0 {
        (impulse + more).min(0.0) - impulse
    } else {
        more
    };
    if length > SAME_PLACE { more } else { 0.0 }
}

/// What one of several iterations at a pace does to a distance whose row shares its particles with others and changed its impulse by
/// `last` the iteration before; otherwise as [`project`]. Soft rows are hastened less, whose errors are short ones, and those that are about to turn
/// around, down to nothing once they do. No row moves its ends by more than its own length at once: what turns about meanwhile, the pace
/// knows nothing of.
#[inline(always)]
pub fn hasten(length: f32, rest: f32, [impulse, last]: [f32; 2], response: Response, pace: Pace) -> f32 {
    let Response { compliance, step } = response;
    let plain = -(length - rest.abs() + compliance.max(0.0) * impulse) * step;
    let haste = if compliance < 0.0 { 0.0 } else { 1.0 - compliance * step };
    // By the last change over the plain one: all of it about 0, none far from it on either side.
    let (size, onward) = (plain.abs(), last * plain.signum());
    let (part, whole) = if onward < 0.0 {
        (size + onward, size)
    } else {
        (4.0 * size, onward)
    };
    let haste = haste * (part / whole.max(SAME_PLACE)).clamp(0.0, 1.0);
    let most = length.max(rest.abs()) * step;
    let more = plain + haste * (pace.keep * last + (pace.take - 1.0) * plain);
    let more = more.max(-most).min(most);
    let more = if rest < 0.0 {
        (impulse + more).min(0.0) - impulse
    } else {
        more
    };
    if length > SAME_PLACE { more } else { 0.0 }
}

/// In place of the compliance of a row that undoes a stated part of its error, and is not to be hastened.
pub const STATED: f32 = -1.0;

/// Particles no further apart, metres, are at the same place.
pub const SAME_PLACE: f32 = 1e-30;

/// Whether a row of a rest value acts in a sub-step that begins with so much of the length, squared: tethers that are slack then
/// do nothing, take no part in sharing out the masses of their particles, and cost next to nothing.
#[inline(always)]
pub fn may_act(rest: f32, length_squared: f32) -> bool {
    (rest >= 0.0) | (length_squared > (SLACK * rest) * (SLACK * rest))
}

/// What a row of a rest value asks for in a sub-step of `h` seconds that starts with so much of the length, metres. A tether that
/// is too long then must not get longer, and shortens at its own pace: whatever moved its particles apart without giving them
/// speed, as the stabilisation does, comes back as speed, and the more so the shorter the sub-step that undoes it.
#[inline(always)]
pub fn target(rest: f32, length_at_start: f32, h: f32) -> f32 {
    if rest < 0.0 {
        rest - (length_at_start + rest).max(0.0) * (1.0 - CLOSING * h).max(0.0)
    } else {
        rest
    }
}

/// By how much a row was made too long, metres, that was `before` long and is `now`: what lengthened it was the stabilisation,
/// which gives no speed and is taken back without any. Left to the solve, it would be given back as speed.
#[inline(always)]
pub fn overlong(rest: f32, before: f32, now: f32) -> f32 {
    (now - before.max(rest.abs())).max(0.0)
}

/// Times that rows take back what the stabilisation did to them.
pub const HOLDS: u32 = 4;

/// Rows that are too long by this part of what the worst of their particle is count as much as that one in how it divides its way among
/// them; others less, so that rounding does not decide who counts.
pub const COUNTED: f32 = 0.1;

/// How much of what is too long tethers take back in a second at most: all of it in half a sixtieth. Twice as much, and bodies that
/// flow are torn about in eight sub-steps.
pub const CLOSING: f32 = 120.0;

/// The effective inverse mass of a particle of which no row acts in the sub-step.
pub const RESTS: f32 = -1.0;

/// Tethers are slack up to this share of their length: what closes the rest of it within one sub-step is as fast as a grain that
/// flies through another.
pub const SLACK: f32 = 0.7;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tether_pulls_back_what_is_too_far_and_lets_go_of_all_else() {
        let response = Response::new(0.0, 2.0, 0.01, 1.0);
        assert_eq!(project(1.5, -1.0, 0.0, response), -0.25);
        assert_eq!(project(0.5, -1.0, 0.0, response), 0.0);
        // What it did too much it takes back, and no more.
        assert_eq!(project(0.9, -1.0, -0.02, response), 0.02);
        assert!(may_act(1.0, 0.0) && may_act(-1.0, 0.8) && !may_act(-1.0, 0.4));
    }

    #[test]
    fn a_pace_hastens_what_is_stiff_and_no_further_than_its_length() {
        let pace = Pace { keep: 0.5, take: 2.0 };
        let stiff = Response::new(0.0, 2.0, 0.01, 1.0);
        assert_eq!(hasten(1.5, 1.0, [0.0, -0.125], stiff, pace), -0.0625 - 0.5);
        assert_eq!(
            hasten(1.5, 1.0, [0.0, 0.0], stiff, Pace::PLAIN),
            project(1.5, 1.0, 0.0, stiff)
        );
        assert_eq!(hasten(4.0, 1.0, [0.0, -8.0], stiff, pace), -2.0);
        assert_eq!(hasten(1.5, -1.0, [0.0, 0.4], stiff, pace), -0.25, "it turns around");
        assert_eq!(hasten(1.5, -1.0, [0.0, -0.1], stiff, pace), -0.55);
        assert_eq!(
            hasten(1.5, 1.0, [0.0, 0.125], stiff, pace),
            -0.25 - 0.5 * (0.25 - 0.0625)
        );
        // A compliance of as much as the mass gives it half of its haste.
        let soft = Response::new(2e-4, 2.0, 0.01, 1.0);
        assert_eq!(
            hasten(1.5, 1.0, [0.0, 0.0], soft, pace),
            1.5 * project(1.5, 1.0, 0.0, soft)
        );
        let stated = Response {
            compliance: STATED,
            ..stiff
        };
        assert_eq!(hasten(1.5, 1.0, [0.0, -0.125], stated, pace), -0.25);
    }

    #[test]
    fn what_made_a_row_longer_than_it_may_be_is_too_much() {
        assert_eq!(overlong(-1.0, 0.5, 1.5), 0.5);
        assert_eq!(overlong(-1.0, 1.25, 1.5), 0.25);
        assert_eq!(overlong(-1.0, 1.5, 1.25), 0.0);
        assert_eq!(overlong(-1.0, 0.5, 0.75), 0.0);
        assert_eq!(overlong(1.0, 0.5, 1.5), 0.5);
    }

    #[test]
    fn a_tether_that_is_too_long_shortens_as_fast_at_any_step() {
        for h in [1.0 / 960.0, 1.0 / 480.0, 1.0 / 300.0] {
            assert_eq!(target(-1.0, 0.9, h), -1.0);
            assert_eq!(target(1.0, 1.5, h), 1.0);
            let speed = (1.5 + target(-1.0, 1.5, h)) / h;
            assert!((speed - 0.5 * CLOSING).abs() < 0.1, "{speed}");
        }
        assert_eq!(target(-1.0, 1.5, 1.0 / 60.0), -1.0);
    }

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
