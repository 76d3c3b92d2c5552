//! Cloth and ropes that are sampled too coarsely for their particles, and tears that never come.

use glam::Vec3;

use super::{Subject, counted};
use crate::compile::{PlannedSheet, SheetKind};
use crate::issues::Issues;

pub(super) fn check(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    for planned in &subject.plan.sheets {
        match planned.kind {
            SheetKind::Cloth => {
                holes(planned, issues);
                tears(subject, planned, issues);
            }
            SheetKind::Rope => gaps(planned, issues),
        }
    }
}

/// A particle of the cloth itself goes through a triangle if it fits into its widest hole without touching the corners.
fn holes(planned: &PlannedSheet, issues: &mut Issues<'_>) {
    let places = planned.rests.as_ref().unwrap_or(&planned.centers);
    let wide = |corners: &&[u32; 3]| widest(corners.map(|corner| places[corner as usize])) > 2.0 * planned.radius;
    let count = planned.faces.iter().filter(wide).count();
    if count > 0 {
        let message = format!(
            "{} so large that particles of the cloth fit through: it passes through itself",
            match count {
                1 => "1 of its triangles is".to_owned(),
                _ => format!("{} are", counted(count, "triangle")),
            }
        );
        let help = "give it a finer `resolution`, or a larger `radius`";
        issues.warning_with_help(&planned.path(), message, help);
    }
}

fn tears(subject: &Subject<'_>, planned: &PlannedSheet, issues: &mut Issues<'_>) {
    let scene = subject.scene;
    let table = &scene.cloth[planned.index];
    if table.tears && scene.solver.tears_per_frame == 0 {
        let path = format!("{}.tears", planned.path());
        let message = "it never tears: no particle may be split before a frame";
        issues.warning_with_help(&path, message, "raise `tears_per_frame` of `[solver]`");
    }
    let duration = scene.frames as f32 * scene.dt();
    for (number, cut) in table.cuts.iter().enumerate() {
        if subject.timing_known && cut.at >= duration {
            let path = format!("{}.cuts[{number}].at", planned.path());
            issues.warning(&path, format!("it is never cut: the scene ends after {duration} s"));
        }
    }
}

/// How far the point of a triangle that is furthest from its corners is from these.
fn widest([a, b, c]: [Vec3; 3]) -> f32 {
    let sides = [a.distance(b), b.distance(c), c.distance(a)];
    let longest = sides.iter().fold(0.0, |longest: f32, side| longest.max(*side));
    let squares: f32 = sides.iter().map(|side| side * side).sum();
    if squares - longest * longest <= longest * longest {
        return 0.5 * longest;
    }
    let area = 0.5 * (b - a).cross(c - a).length();
    sides.iter().product::<f32>() / (4.0 * area)
}

fn gaps(planned: &PlannedSheet, issues: &mut Issues<'_>) {
    let longest = planned
        .springs
        .iter()
        .fold(0.0, |longest: f32, spring| longest.max(spring.1));
    if longest > 2.0 * 2.0 * planned.radius {
        let message = format!("its particles are {longest} m apart: thin things fit between them");
        issues.warning_with_help(&planned.path(), message, "lower `spacing`, or raise `radius`");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_hole_is_in_the_middle_or_at_the_longest_side() {
        let right = [Vec3::ZERO, Vec3::X, Vec3::Y];
        assert!((widest(right) - 0.5f32.sqrt()).abs() < 1e-6);
        let even = [Vec3::ZERO, Vec3::X, Vec3::new(0.5, 0.75f32.sqrt(), 0.0)];
        assert!((widest(even) - 1.0 / 3f32.sqrt()).abs() < 1e-6);
        let flat = [Vec3::ZERO, Vec3::X, Vec3::new(0.5, 0.01, 0.0)];
        assert!((widest(flat) - 0.5).abs() < 1e-6);
    }
}
