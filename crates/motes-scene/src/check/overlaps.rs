//! Grains, bodies, cloth and ropes that overlap each other at the start, within one table or between two.

use std::collections::BTreeMap;

use glam::{IVec3, Vec3};

use super::Subject;
use crate::compile::PlannedPart;
use crate::issues::Issues;

/// Overlaps up to this share of a diameter are left to the solver.
const TOLERANCE: f32 = 0.05;

/// The same between bodies, whose particles may stand out of their surface a little.
const BODY_TOLERANCE: f32 = 0.2;

/// Scenes with more particles than this are not searched for overlaps; it would take longer than they are worth.
const MOST_PARTICLES: usize = 5_000_000;

/// A particle: the number of its table, the number of its body, and where it is.
type Placed = (usize, Option<u32>, Vec3);

/// Overlapping pairs of two tables.
#[derive(Default)]
struct Overlap {
    pairs: usize,
    deepest: f32,
}

/// A table with particles.
struct Object<'a> {
    path: String,
    name: &'a str,
    /// Whether overlaps with itself, and with others, are as meant.
    alone: bool,
    radius: f32,
    careless: bool,
    is_grains: bool,
    /// What ties hold, if it is a cloth or a rope.
    sheet: Option<PlannedPart>,
}

pub(super) fn check(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    let largest = 2.0 * subject.largest();
    let (grains, fluids) = (&subject.plan.grains, &subject.plan.fluids);
    let (bodies, sheets) = (&subject.plan.bodies, &subject.plan.sheets);
    let loose = grains.iter().map(|planned| planned.centers.len());
    let flat = sheets.iter().map(|planned| planned.centers.len());
    let held = bodies.iter().map(|planned| planned.particle_count());
    let poured = fluids.iter().map(|planned| planned.centers.len());
    let total: usize = loose.chain(poured).chain(held).chain(flat).sum();
    if total > MOST_PARTICLES {
        return;
    }
    let mut objects: Vec<Object<'_>> = Vec::new();
    objects.extend(grains.iter().map(|planned| Object {
        path: format!("grains[{}]", planned.index),
        name: &planned.name,
        alone: {
            let table = &subject.scene.grains[planned.index];
            !table.self_collide || table.ignore_rest_overlaps
        },
        radius: planned.radius,
        careless: false,
        is_grains: true,
        sheet: None,
    }));
    objects.extend(fluids.iter().map(|planned| Object {
        path: planned.path(),
        name: &planned.name,
        alone: true,
        radius: planned.radius,
        careless: false,
        is_grains: true,
        sheet: None,
    }));
    objects.extend(bodies.iter().map(|planned| Object {
        path: planned.path(),
        name: &planned.body.name,
        alone: false,
        radius: planned.radius,
        careless: planned.may_overlap,
        is_grains: false,
        sheet: None,
    }));
    objects.extend(sheets.iter().map(|planned| Object {
        path: planned.path(),
        name: &planned.name,
        alone: true,
        radius: planned.radius,
        careless: false,
        is_grains: false,
        sheet: Some(PlannedPart::Sheet(planned.kind, planned.index)),
    }));
    let loose = grains.iter().enumerate();
    let loose = loose.flat_map(|(object, planned)| planned.centers.iter().map(move |center| (object, None, *center)));
    let poured = fluids.iter().zip(grains.len()..);
    let poured = poured.flat_map(|(planned, object)| planned.centers.iter().map(move |center| (object, None, *center)));
    let held = bodies.iter().zip(grains.len() + fluids.len()..);
    let held = held.flat_map(|(planned, object)| {
        let centers = planned.centers();
        centers.map(move |(copy, center)| (object, Some(copy as u32), center))
    });
    let flat = sheets.iter().zip(grains.len() + fluids.len() + bodies.len()..);
    let flat = flat.flat_map(|(planned, object)| planned.centers.iter().map(move |center| (object, None, *center)));
    for ((first, second), overlap) in find(loose.chain(poured).chain(held).chain(flat), largest, |object| {
        objects[object].radius
    }) {
        let (a, b) = (&objects[first], &objects[second]);
        // What is tied to something may start with its knot in it.
        let is_tied = [a, b]
            .iter()
            .any(|object| object.sheet.is_some_and(|part| subject.is_tied(|it| *it == part)));
        let is_meant = a.careless || b.careless || is_tied || (first == second && a.alone);
        let diameter = a.radius + b.radius;
        let tolerance = if b.is_grains { TOLERANCE } else { BODY_TOLERANCE };
        if is_meant || overlap.deepest < tolerance * diameter {
            continue;
        }
        let deepest = format!("{:.0} % of their diameter", 100.0 * overlap.deepest / diameter);
        let pairs = overlap.pairs;
        let (path, message, help) = match (first == second, b.is_grains) {
            (false, true) => (
                format!("{}.shape", b.path),
                format!(
                    "{pairs} pairs of particles overlap with `{}`, by up to {deepest}",
                    a.name
                ),
                match subject.plan.fluids.iter().any(|planned| planned.path() == b.path) {
                    true => "say `carve = true`, or move the shapes apart",
                    false => "move the shapes apart",
                },
            ),
            (true, true) => (
                b.path.clone(),
                format!("{pairs} pairs of its own grains overlap, by up to {deepest}"),
                "raise `spacing` or lower `jitter`, or say `ignore_rest_overlaps = true` if they are held together",
            ),
            (false, false) if b.sheet.is_some() => (
                b.path.clone(),
                format!(
                    "{pairs} pairs of particles overlap with `{}`, by up to {deepest}",
                    a.name
                ),
                "let them start further apart: what overlaps may end up on the wrong side",
            ),
            (false, false) => (
                format!("{}.position", b.path),
                format!(
                    "{pairs} pairs of particles overlap with `{}`, by up to {deepest}",
                    a.name
                ),
                if a.is_grains {
                    "move them apart, give the grains or the liquid `carve = true`, or say `may_overlap = true`"
                } else {
                    "move them apart, or say `may_overlap = true`"
                },
            ),
            (true, false) => (
                format!("{}.copies", b.path),
                format!("{pairs} pairs of particles of different copies overlap, by up to {deepest}"),
                "move them apart, or say `may_overlap = true`",
            ),
        };
        issues.warning_with_help(&path, message, help);
    }
}

/// Overlaps by pair of tables, the lower first; the diameter of the largest particles is how far to look. Particles are sorted by cell, and each looks at its half of the cells
/// around; those of one body may overlap.
fn find(
    particles: impl Iterator<Item = Placed>,
    largest: f32,
    radius: impl Fn(usize) -> f32,
) -> BTreeMap<(usize, usize), Overlap> {
    let cell = |position: Vec3| (position / largest).floor().as_ivec3();
    let mut sorted: Vec<([i32; 3], Placed)> = particles.map(|placed| (cell(placed.2).to_array(), placed)).collect();
    sorted.sort_by_key(|(cell, _)| *cell);
    let mut overlaps: BTreeMap<(usize, usize), Overlap> = BTreeMap::new();
    for (index, (home, (object, body, position))) in sorted.iter().enumerate() {
        for row in half_of_the_rows() {
            // Cells of a row along z lie together in the sorted list.
            let [x, y, z] = IVec3::from_array(*home).saturating_add(row).to_array();
            let from = if row == IVec3::ZERO {
                index + 1
            } else {
                sorted.partition_point(|(cell, _)| *cell < [x, y, z.saturating_sub(1)])
            };
            let near = sorted[from..]
                .iter()
                .take_while(|(cell, _)| *cell <= [x, y, z.saturating_add(1)]);
            for (_, (other, other_body, place)) in near {
                let distance = position.distance(*place);
                let is_one_body = body.is_some() && (object, body) == (other, other_body);
                let diameter = radius(*object) + radius(*other);
                if distance < diameter * (1.0 - TOLERANCE) && !is_one_body {
                    let overlap = overlaps.entry((*object.min(other), *object.max(other))).or_default();
                    overlap.pairs += 1;
                    overlap.deepest = overlap.deepest.max(diameter - distance);
                }
            }
        }
    }
    overlaps
}

/// The own row of cells (what follows in it) and the four rows after it.
fn half_of_the_rows() -> [IVec3; 5] {
    [(0, 0), (0, 1), (1, -1), (1, 0), (1, 1)].map(|(x, y)| IVec3::new(x, y, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_overlapping_pair_is_found_once() {
        let mut random = motes_core::random::Random::new(5, 0);
        let grains: Vec<Placed> = (0..400)
            .map(|index| {
                (
                    index % 3,
                    None,
                    3.0 * Vec3::new(random.signed(), random.signed(), random.signed()),
                )
            })
            .collect();
        let mut expected = 0;
        for (index, (_, _, a)) in grains.iter().enumerate() {
            expected += grains[index + 1..]
                .iter()
                .filter(|(_, _, b)| a.distance(*b) < 0.5 * (1.0 - TOLERANCE))
                .count();
        }
        let found: usize = find(grains.into_iter(), 0.5, |_| 0.25)
            .values()
            .map(|overlap| overlap.pairs)
            .sum();
        assert!(expected > 20);
        assert_eq!(found, expected);
    }
}
