//! Cloth and ropes that are sampled too coarsely for their particles, or that start with one layer in another, and tears that never come.

use std::collections::HashMap;

use glam::{IVec3, Vec3};
use motes_core::Filling;

use super::{Subject, counted};
use crate::compile::{PlannedSheet, SheetKind};
use crate::issues::Issues;

/// Layers may be nearer by this share of their thickness, which the solver undoes.
const TOLERANCE: f32 = 0.1;

pub(super) fn check(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    for planned in &subject.plan.sheets {
        match planned.kind {
            SheetKind::Cloth => {
                holes(planned, issues);
                pumped(planned, subject, issues);
                tears(subject, planned, issues);
            }
            SheetKind::Rope => gaps(planned, issues),
        }
        if planned.self_collide {
            layers(planned, issues);
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

/// A ball of springs bears no more than `Σ k l² / 12 V`, and less where its springs do not come to their forces within a sub-step: an iteration
/// brings them nearer by `1 / (1 + 6 k h² / m)`, as three act in each direction.
fn pumped(planned: &PlannedSheet, subject: &Subject<'_>, issues: &mut Issues<'_>) {
    let Some((Filling::Pressure(pressure), volume)) = planned.inflation.map(|inside| (inside.filling, inside.volume))
    else {
        return;
    };
    let settings = &subject.plan.settings;
    let h = subject.scene.dt() / settings.substeps as f32;
    let count = planned.springs.len() as f32;
    let (mut borne, mut share) = (0.0, 0.0);
    for ([a, _], length, compliance) in &planned.springs {
        borne += length * length / (12.0 * volume * compliance);
        let stiff = 6.0 * h * h * planned.inverse_masses[*a as usize] / compliance;
        share += (1.0 - (1.0 - 1.0 / (1.0 + stiff)).powi(settings.iterations as i32)) / count;
    }
    if pressure > borne * share {
        let message = format!(
            "its skin bears {:.0} Pa at these sub-steps and iterations, less than it is pumped up with",
            borne * share
        );
        let help = "fill it with `gas` or a `volume`, or raise `substeps`";
        issues.warning_with_help(&format!("{}.inflate", planned.path()), message, help);
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

/// Layers that start nearer to each other than they are thick. Particles that are near at rest as well leave each other alone for ever.
fn layers(planned: &PlannedSheet, issues: &mut Issues<'_>) {
    let count = touching_layers(planned);
    if count > 0 {
        let message = format!(
            "starts with layers in each other: {} nearer than the {} m that they are thick",
            match count {
                1 => "1 pair of particles is".to_owned(),
                _ => format!("{} of particles are", counted(count, "pair")),
            },
            2.0 * planned.radius
        );
        let help = "lower `radius`, or let its layers start further apart";
        issues.warning_with_help(&planned.path(), message, help);
    }
}

/// Pairs of particles that overlap, and that the sheet does not join on the way of two contact distances.
fn touching_layers(planned: &PlannedSheet) -> usize {
    let contact = 2.0 * planned.radius;
    let mut joined: Vec<Vec<(u32, f32)>> = vec![Vec::new(); planned.centers.len()];
    for &([a, b], length, _) in &planned.springs {
        joined[a as usize].push((b, length));
        joined[b as usize].push((a, length));
    }
    let cell = |center: Vec3| (center / contact).floor().as_ivec3();
    let mut cells: HashMap<IVec3, Vec<u32>> = HashMap::new();
    for (number, &center) in (0..).zip(&planned.centers) {
        cells.entry(cell(center)).or_default().push(number);
    }
    let mut count = 0;
    for (number, &center) in (0..).zip(&planned.centers) {
        let mut near: Vec<u32> = Vec::new();
        for offset in 0..27 {
            let place = cell(center) + IVec3::new(offset % 3, offset / 3 % 3, offset / 9) - 1;
            let others = cells.get(&place).into_iter().flatten();
            near.extend(others.filter(|&&other| {
                other > number && planned.centers[other as usize].distance(center) < (1.0 - TOLERANCE) * contact
            }));
        }
        if !near.is_empty() {
            let reached = within_reach(&joined, number, 2.0 * contact);
            count += near.iter().filter(|other| !reached.contains_key(other)).count();
        }
    }
    count
}

/// Particles that are joined to one on a way of at most `reach` metres, with the way.
fn within_reach(joined: &[Vec<(u32, f32)>], start: u32, reach: f32) -> HashMap<u32, f32> {
    let mut ways = HashMap::from([(start, 0.0)]);
    let mut left = vec![start];
    while let Some(particle) = left.pop() {
        let way = ways[&particle];
        for &(other, length) in &joined[particle as usize] {
            let further = way + length;
            if further <= reach && ways.get(&other).is_none_or(|known| further < *known) {
                ways.insert(other, further);
                left.push(other);
            }
        }
    }
    ways
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
