//! Two particles that pass each other within a sub-step, as spheres that move along straight lines (Ericson, *Real-Time Collision
//! Detection*, 2005, §5.5.5).
//!
//! A contact goes by where its particles are at the end of the sub-step. Once they have passed each other that is the wrong side, and
//! it lets them go. Grains on their own may; sheets, nets and ropes, which are one particle thick, are then caught in each other for good.
//! So pairs of which one is of such a thing, and that have passed, are seen where they met.

use glam::Vec3;

/// How far apart such pairs may end and still be found, in diameters of the smaller one.
pub const FURTHEST: f32 = 4.0;

/// How far two have to move relative to each other to be looked for, in distances at which they touch: those that move less and still end apart only
/// grazed each other, at more than seven tenths of that distance from middle to middle.
pub const LEAST: f32 = 1.5;

/// The part of the sub-step after which two particles met that have passed each other since; 1 if they have not. They touch at a distance
/// of `contact`, `end` leads from the second to the first at the end of the sub-step, and `moved` is how far the first has moved relative to the
/// second. Those that overlap at the start meet there.
#[inline(always)]
pub fn met(end: Vec3, moved: Vec3, contact: f32) -> f32 {
    let start = end - moved;
    let (apart, way) = (start.dot(start), moved.dot(moved));
    let closing = -start.dot(moved);
    // Twice the root of t² way − 2 t closing + (apart − contact²), in which t is the part.
    let root = closing * closing - way * (apart - contact * contact);
    let passed = (closing > 0.0) & (end.dot(moved) > 0.0) & (root > 0.0) & (apart >= f32::MIN_POSITIVE);
    let first = (closing - if root > 0.0 { root } else { 0.0 }.sqrt()) / if way > 0.0 { way } else { 1.0 };
    let first = if first > 0.0 { first } else { 0.0 };
    if passed { first } else { 1.0 }
}

/// Where a contact sees the first of two particles from the second: as they are at the end of the sub-step or, if they have passed each other by
/// then, where they met.
#[inline(always)]
pub fn seen(end: Vec3, moved: Vec3, contact: f32) -> Vec3 {
    end - moved * (1.0 - met(end, moved, contact))
}

/// Whether two particles of these radii that are no neighbours at the end have passed each other, with a margin, in distances at which they touch.
#[inline(always)]
pub fn have_passed(end: Vec3, moved: Vec3, radii: [f32; 2], margin: f32) -> bool {
    let [a, b] = radii;
    let furthest = 2.0 * FURTHEST * if a < b { a } else { b };
    let (distance, way, contact) = (end.dot(end), moved.dot(moved), margin * (a + b));
    let least = LEAST * contact;
    // Those that touched when they set out, and no more, end further apart than they moved.
    distance < way && way > least * least && distance < furthest * furthest && met(end, moved, contact) < 1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn two_that_passed_are_seen_where_they_met() {
        // From three metres above to two below, at a distance of one.
        let (end, moved) = (Vec3::new(0.6, -2.0, 0.0), Vec3::new(0.0, -5.0, 0.0));
        assert!((met(end, moved, 1.0) - 2.2 / 5.0).abs() < 1e-6);
        assert!((seen(end, moved, 1.0) - Vec3::new(0.6, 0.8, 0.0)).length() < 1e-6);
    }

    #[test]
    fn those_that_still_come_closer_and_those_that_miss_are_seen_where_they_are() {
        let near = Vec3::new(0.1, 0.2, 0.0);
        assert_eq!(seen(near, Vec3::new(0.0, -3.0, 0.0), 1.0), near);
        let missed = Vec3::new(1.01, -2.0, 0.0);
        assert_eq!(seen(missed, Vec3::new(0.0, -5.0, 0.0), 1.0), missed);
        let parting = Vec3::new(0.0, 2.0, 0.0);
        assert_eq!(seen(parting, Vec3::new(0.0, 1.5, 0.0), 1.0), parting);
        assert_eq!(seen(near, Vec3::ZERO, 1.0), near);
    }

    #[test]
    fn those_that_overlapped_met_at_the_start() {
        let (end, moved) = (Vec3::new(0.0, -0.3, 0.0), Vec3::new(0.0, -0.8, 0.0));
        assert_eq!(met(end, moved, 1.0), 0.0);
        assert_eq!(
            met(Vec3::new(0.0, -1.0, 0.0), Vec3::new(0.0, -1.0, 0.0), 1.0),
            1.0,
            "from the same place"
        );
    }

    #[test]
    fn only_what_ends_within_reach_is_looked_for() {
        let through = |depth: f32| {
            let end = Vec3::new(0.2, -depth, 0.0);
            have_passed(end, Vec3::new(0.0, -depth - 1.2, 0.0), [0.5, 0.5], 1.05)
        };
        assert!(through(1.1) && through(3.9));
        assert!(!through(4.1));
        assert!(!through(0.3), "listed as a neighbour");
    }

    proptest! {
        #[test]
        fn both_sides_see_the_same(
            end in prop::array::uniform3(-2.0f32..2.0), moved in prop::array::uniform3(-4.0f32..4.0)
        ) {
            let (end, moved) = (Vec3::from(end), Vec3::from(moved));
            prop_assert_eq!(met(end, moved, 1.0), met(-end, -moved, 1.0));
            let seen = seen(end, moved, 1.0);
            if met(end, moved, 1.0) < 1.0 {
                prop_assert!(seen.length() < 1.0 + 1e-3, "they touch: {seen}");
                prop_assert!(seen.dot(moved) <= 1e-3, "on the side that they came from");
            }
        }
    }
}
