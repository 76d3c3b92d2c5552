//! Where copies of a body stand and how they are turned.

use glam::{Quat, Vec3};
use motes_core::random::Random;
use motes_core::{Phase, Pose};

use super::Surroundings;
use crate::issues::Issues;
use crate::model::{CopiesTable, TurnWord, Up};

/// The pose of every body of a table, of which the first stands at `first`; `middle` is the middle of the body in its own frame.
pub(in crate::compile) fn poses(
    first: Pose,
    copies: Option<&CopiesTable>,
    middle: Vec3,
    index: usize,
    path: &str,
    around: &Surroundings<'_>,
    issues: &mut Issues<'_>,
) -> Option<Vec<Pose>> {
    let Some(copies) = copies else {
        return Some(vec![first]);
    };
    let path = format!("{path}.copies");
    let stands = match (&copies.count, &copies.along) {
        (Some(_), Some(_)) => {
            issues.error(&format!("{path}.along"), "expected only one of `count` and `along`");
            return None;
        }
        (None, None) => {
            issues.error(&path, "expected `count` and `spacing`, or `along` and `distance`");
            return None;
        }
        (Some(count), None) => rows(*count, copies, &path, issues)?,
        (None, Some(points)) => line(points, copies, around.scene.up, &path, issues)?,
    };
    let seed = copies
        .seed
        .unwrap_or(around.scene.seed.wrapping_add(2000 + index as u64));
    let mut random = Random::new(seed, 0);
    let place = |(offset, heading): (Vec3, Quat)| {
        let upright = Pose {
            position: first.position + offset,
            rotation: (heading * first.rotation).normalize(),
        };
        let rotation = match copies.turn {
            TurnWord::None | TurnWord::Along => upright.rotation,
            TurnWord::Random => (any_turn(&mut random) * upright.rotation).normalize(),
        };
        let mut nudge = || copies.jitter * random.signed();
        let nudge = Vec3::new(nudge(), nudge(), nudge());
        Pose {
            // Turned about the middle, so that rows stay even.
            position: upright.point(middle) - rotation * middle + nudge,
            rotation,
        }
    };
    Some(stands.into_iter().map(place).collect())
}

/// Offsets of copies in rows.
fn rows(count: [u32; 3], copies: &CopiesTable, path: &str, issues: &mut Issues<'_>) -> Option<Vec<(Vec3, Quat)>> {
    if copies.distance.is_some() {
        issues.error(
            &format!("{path}.distance"),
            "is for copies `along` a line; rows have a `spacing`",
        );
        return None;
    }
    if copies.turn == TurnWord::Along {
        issues.error(
            &format!("{path}.turn"),
            "\"along\" is for copies along a line, not in rows",
        );
        return None;
    }
    let all: f64 = count.iter().map(|count| f64::from(*count)).product();
    if too_many(all, &format!("{path}.count"), issues) {
        return None;
    }
    let Some(spacing) = copies.spacing.or((all == 1.0).then_some(Vec3::ZERO)) else {
        issues.error(path, "missing key `spacing`");
        return None;
    };
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        if count[axis] > 1 && spacing[axis] == 0.0 {
            let message = format!("{} copies along {name} stand in one place", count[axis]);
            issues.error_with_help(
                &format!("{path}.spacing"),
                message,
                "make it at least as wide as the body",
            );
            return None;
        }
    }
    let [x, y, z] = count;
    let places = (0..y).flat_map(|j| (0..z).flat_map(move |k| (0..x).map(move |i| [i, j, k])));
    let longest = if x >= y.max(z) {
        0
    } else if y >= z {
        1
    } else {
        2
    };
    let stand = |place: [u32; 3]| {
        let steps = Vec3::from_array(place.map(|step| step as f32));
        let twist = copies.twist.to_radians() * steps[longest];
        (spacing * steps, Quat::from_axis_angle(Vec3::AXES[longest], twist))
    };
    Some(places.map(stand).collect())
}

/// Steps between two points of a line.
const STEPS: usize = 32;

/// Offsets and headings of copies along a Catmull–Rom spline.
fn line(
    points: &[Vec3],
    copies: &CopiesTable,
    up: Up,
    path: &str,
    issues: &mut Issues<'_>,
) -> Option<Vec<(Vec3, Quat)>> {
    if copies.spacing.is_some() {
        issues.error(
            &format!("{path}.spacing"),
            "is for copies in rows; those along a line have a `distance`",
        );
        return None;
    }
    let Some(distance) = copies.distance else {
        issues.error(path, "missing key `distance`");
        return None;
    };
    if points.len() < 2 {
        let message = format!("expected at least 2 points, found {}", points.len());
        issues.error(&format!("{path}.along"), message);
        return None;
    }
    let dense = spline(points);
    let length: f64 = dense.windows(2).map(|pair| f64::from(pair[0].distance(pair[1]))).sum();
    if length == 0.0 {
        issues.error(&format!("{path}.along"), "leads nowhere: all its points are the same");
        return None;
    }
    if too_many(length / f64::from(distance) + 1.0, &format!("{path}.distance"), issues) {
        return None;
    }
    let mut stands = Vec::new();
    let mut ahead = 0.0;
    for pair in dense.windows(2) {
        let step = pair[1] - pair[0];
        let length = step.length();
        while length > 0.0 && ahead <= length {
            let twist = Quat::from_rotation_x(copies.twist.to_radians() * stands.len() as f32);
            let turn = match copies.turn {
                TurnWord::Along => heading(step, up) * slope(step, up),
                TurnWord::None | TurnWord::Random => heading(step, up),
            };
            stands.push((pair[0] + step * (ahead / length), turn * twist));
            ahead += distance;
        }
        ahead -= length;
    }
    Some(stands)
}

/// Points of a smooth curve through others.
fn spline(points: &[Vec3]) -> Vec<Vec3> {
    let last = points.len() - 1;
    let mut dense = Vec::with_capacity(last * STEPS + 1);
    for index in 0..last {
        let [b, c] = [points[index], points[index + 1]];
        // The ends go straight on.
        let a = if index == 0 { 2.0 * b - c } else { points[index - 1] };
        let d = points.get(index + 2).copied().unwrap_or(2.0 * c - b);
        dense.extend((0..STEPS).map(|step| {
            let t = step as f32 / STEPS as f32;
            let (t2, t3) = (t * t, t * t * t);
            0.5 * (2.0 * b + (c - a) * t + (2.0 * a - 5.0 * b + 4.0 * c - d) * t2 + (3.0 * b - a - 3.0 * c + d) * t3)
        }));
    }
    dense.push(points[last]);
    dense
}

/// The turn about the upright axis that brings x into a direction.
fn heading(direction: Vec3, up: Up) -> Quat {
    match up {
        Up::Y => Quat::from_rotation_y((-direction.z).atan2(direction.x)),
        Up::Z => Quat::from_rotation_z(direction.y.atan2(direction.x)),
    }
}

/// The turn that then lifts x to the slope of a direction.
fn slope(direction: Vec3, up: Up) -> Quat {
    let rise = direction.dot(up.vector());
    let run = (direction - rise * up.vector()).length();
    match up {
        Up::Y => Quat::from_rotation_z(rise.atan2(run)),
        Up::Z => Quat::from_rotation_y(-rise.atan2(run)),
    }
}

/// Any rotation, all equally likely (Shoemake 1992).
fn any_turn(random: &mut Random) -> Quat {
    let share = random.unit();
    let [a, b] = [random.unit(), random.unit()].map(|turn| turn * std::f32::consts::TAU);
    let (low, high) = ((1.0 - share).sqrt(), share.sqrt());
    Quat::from_xyzw(low * a.sin(), low * a.cos(), high * b.sin(), high * b.cos())
}

fn too_many(count: f64, path: &str, issues: &mut Issues<'_>) -> bool {
    let limit = Phase::MAX_GROUPS;
    let many = count > f64::from(limit);
    if many {
        issues.error(
            path,
            format!("{count:.1e} bodies are too many: a scene holds at most {limit}"),
        );
    }
    many
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spline_goes_through_its_points() {
        let points = [Vec3::ZERO, Vec3::X, Vec3::new(2.0, 0.0, 1.0), Vec3::new(2.0, 0.0, 3.0)];
        let dense = spline(&points);
        for (index, point) in points.iter().enumerate() {
            assert!(dense[index * STEPS].distance(*point) < 1e-6);
        }
        let straight = spline(&[Vec3::ZERO, Vec3::X * 2.0]);
        assert!((straight[STEPS / 2] - Vec3::X).length() < 1e-6);
    }

    #[test]
    fn heading_and_slope_bring_x_into_any_direction() {
        for direction in [
            Vec3::new(0.48, -0.6, 0.64),
            Vec3::new(-0.6, 0.8, 0.0),
            Vec3::NEG_Y,
            Vec3::Z,
        ] {
            for up in [Up::Y, Up::Z] {
                let turned = heading(direction, up) * slope(direction, up) * Vec3::X;
                assert!((turned - direction).length() < 1e-6, "{turned}");
            }
        }
    }

    #[test]
    fn a_heading_brings_x_into_the_direction() {
        let forward = Vec3::new(0.6, 0.0, -0.8);
        assert!((heading(forward, Up::Y) * Vec3::X - forward).length() < 1e-6);
        let forward = Vec3::new(0.6, -0.8, 0.0);
        assert!((heading(forward, Up::Z) * Vec3::X - forward).length() < 1e-6);
    }
}
