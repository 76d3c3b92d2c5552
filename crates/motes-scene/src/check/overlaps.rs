//! Grains that overlap each other at the start, within one object or between two.

use std::collections::BTreeMap;

use glam::{IVec3, Vec3};

use super::Subject;
use crate::issues::Issues;

/// Overlaps up to this share of a diameter are left to the solver.
const TOLERANCE: f32 = 0.05;

/// Scenes with more grains than this are not searched for overlaps; it would take longer than they are worth.
const MOST_GRAINS: usize = 5_000_000;

/// Overlapping pairs of two objects.
#[derive(Default)]
struct Overlap {
    pairs: usize,
    deepest: f32,
}

pub(super) fn check(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    let diameter = 2.0 * subject.scene.particle_radius;
    let total: usize = subject.plan.grains.iter().map(|planned| planned.centers.len()).sum();
    if total > MOST_GRAINS {
        return;
    }
    let grains = subject.plan.grains.iter().enumerate();
    let grains = grains.flat_map(|(object, planned)| planned.centers.iter().map(move |center| (object, *center)));
    for ((first, second), overlap) in find(grains, diameter) {
        let [a, b] = [first, second].map(|object| &subject.plan.grains[object]);
        let path = format!("grains[{}]", b.index);
        let deepest = format!("{:.0} % of their diameter", 100.0 * overlap.deepest / diameter);
        if first != second {
            let message = format!(
                "{} pairs of grains overlap with `{}`, by up to {deepest}",
                overlap.pairs, a.name
            );
            issues.warning_with_help(&format!("{path}.shape"), message, "move the shapes apart");
        } else if subject.scene.grains[b.index].self_collide {
            let message = format!("{} pairs of its own grains overlap, by up to {deepest}", overlap.pairs);
            issues.warning_with_help(&path, message, "raise `spacing` or lower `jitter`");
        }
    }
}

/// Overlaps by pair of objects, the lower first. Grains are sorted by cell, and each looks at its half of the cells around.
fn find(grains: impl Iterator<Item = (usize, Vec3)>, diameter: f32) -> BTreeMap<(usize, usize), Overlap> {
    let cell = |position: Vec3| (position / diameter).floor().as_ivec3();
    let mut sorted: Vec<([i32; 3], usize, Vec3)> = grains
        .map(|(object, position)| (cell(position).to_array(), object, position))
        .collect();
    sorted.sort_by_key(|(cell, ..)| *cell);
    let touching = diameter * (1.0 - TOLERANCE);
    let mut overlaps: BTreeMap<(usize, usize), Overlap> = BTreeMap::new();
    for (index, (home, object, position)) in sorted.iter().enumerate() {
        for row in half_of_the_rows() {
            // Cells of a row along z lie together in the sorted list.
            let [x, y, z] = IVec3::from_array(*home).saturating_add(row).to_array();
            let from = if row == IVec3::ZERO {
                index + 1
            } else {
                sorted.partition_point(|(cell, ..)| *cell < [x, y, z.saturating_sub(1)])
            };
            let near = sorted[from..]
                .iter()
                .take_while(|(cell, ..)| *cell <= [x, y, z.saturating_add(1)]);
            for (_, other, place) in near {
                let distance = position.distance(*place);
                if distance < touching {
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
        let grains: Vec<(usize, Vec3)> = (0..400)
            .map(|index| {
                (
                    index % 3,
                    3.0 * Vec3::new(random.signed(), random.signed(), random.signed()),
                )
            })
            .collect();
        let mut expected = 0;
        for (index, (_, a)) in grains.iter().enumerate() {
            expected += grains[index + 1..]
                .iter()
                .filter(|(_, b)| a.distance(*b) < 0.5 * (1.0 - TOLERANCE))
                .count();
        }
        let found: usize = find(grains.into_iter(), 0.5)
            .values()
            .map(|overlap| overlap.pairs)
            .sum();
        assert!(expected > 20);
        assert_eq!(found, expected);
    }
}
