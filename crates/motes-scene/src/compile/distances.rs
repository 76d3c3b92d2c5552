//! Distances between particles: the parts that their tables name, and which of their particles are held.

use std::collections::HashMap;

use glam::{IVec3, Vec3};
use motes_core::Softness;

use super::{BodyRef, PlannedBodies, PlannedGrains, PlannedSheet, SheetKind, Surroundings};
use crate::issues::Issues;
use crate::model::DistanceTable;
use crate::nearest::nearest;

/// The pairs of one `[[distance]]`, of particles that are not in a world yet.
pub(crate) struct PlannedDistances {
    /// Of its table.
    pub(crate) path: String,
    pub(crate) parts: [PlannedPart; 2],
    /// The particles of each pair, by their places in the two parts, and their distance at rest, metres.
    pub(crate) pairs: Vec<([u32; 2], f32)>,
    pub(crate) softness: Softness,
    /// Newtons.
    pub(crate) breaking_force: f32,
}

/// What has particles that can be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlannedPart {
    /// By its place in the file.
    Grains(usize),
    Sheet(SheetKind, usize),
    Body(BodyRef),
}

/// Every `[[distance]]`.
pub(super) fn all(around: &Surroundings<'_>, parts: &Parts<'_>, issues: &mut Issues<'_>) -> Vec<PlannedDistances> {
    let mut planned: Vec<PlannedDistances> = Vec::new();
    let mut left = around.limits.distances as usize;
    for (index, table) in around.scene.distance.iter().enumerate() {
        if let Some(distances) = parts.distances(table, index, left, issues) {
            left -= distances.pairs.len();
            planned.push(distances);
        }
    }
    planned
}

/// What distances can name.
pub(super) struct Parts<'a> {
    pub(super) grains: &'a [PlannedGrains],
    pub(super) sheets: &'a [PlannedSheet],
    pub(super) bodies: &'a [PlannedBodies],
    /// Whether all grains and bodies of the file are there.
    complete: bool,
}

impl<'a> Parts<'a> {
    pub(super) fn new(
        around: &Surroundings<'_>,
        grains: &'a [PlannedGrains],
        sheets: &'a [PlannedSheet],
        bodies: &'a [PlannedBodies],
    ) -> Self {
        Self {
            grains,
            sheets,
            bodies,
            complete: grains.len() == around.scene.grains.len()
                && sheets.len() == around.scene.cloth.len() + around.scene.rope.len()
                && bodies.len() == around.scene.bodies().count(),
        }
    }

    fn distances(
        &self,
        table: &DistanceTable,
        index: usize,
        most: usize,
        issues: &mut Issues<'_>,
    ) -> Option<PlannedDistances> {
        let path = format!("distance[{index}]");
        let of = self.find(&table.of, &format!("{path}.of"), issues);
        let to = match &table.to {
            Some(name) => self.find(name, &format!("{path}.to"), issues),
            None => of,
        };
        let softness = softness(table, &path, issues);
        if !issues.sound(&path) {
            return None;
        }
        let (parts, softness) = ([of?, to?], softness?);
        let centers = parts.map(|part| self.centers(part));
        let pairs = match (table.at, table.within) {
            (Some(_), Some(_)) => {
                let message = "`at` holds one pair of particles, `within` many: give one of them";
                issues.error(&format!("{path}.within"), message);
                return None;
            }
            (Some(_), None) if parts[0] == parts[1] => {
                issues.error(
                    &format!("{path}.at"),
                    "a pair at a point needs `to`, something else to be held to",
                );
                return None;
            }
            (Some(point), None) => Some(nearest_pair(&centers, point)),
            (None, Some(within)) => pairs_within(&centers, within, parts[0] == parts[1], most),
            (None, None) => {
                issues.error(&path, "missing key `within` or `at`");
                return None;
            }
        };
        let Some(pairs) = pairs else {
            let message = format!("more than {most} pairs are that near");
            issues.error_with_help(&format!("{path}.within"), message, "hold only the nearest");
            return None;
        };
        let rest_length = |[a, b]: [u32; 2]| centers[0][a as usize].distance(centers[1][b as usize]);
        let measured = pairs.into_iter().map(|pair| {
            let rest = table.rest_length.unwrap_or_else(|| rest_length(pair));
            (pair, rest)
        });
        Some(PlannedDistances {
            path,
            parts,
            pairs: measured.collect(),
            softness,
            breaking_force: table.breaking_force,
        })
    }

    /// Where the particles of a part start.
    pub(super) fn centers(&self, part: PlannedPart) -> Vec<Vec3> {
        match part {
            PlannedPart::Grains(index) => {
                let planned = self.grains.iter().find(|planned| planned.index == index);
                planned.map_or(Vec::new(), |planned| planned.centers.clone())
            }
            PlannedPart::Sheet(kind, index) => {
                let is_it = |planned: &&PlannedSheet| (planned.kind, planned.index) == (kind, index);
                let planned = self.sheets.iter().find(is_it);
                planned.map_or(Vec::new(), |planned| planned.centers.clone())
            }
            PlannedPart::Body(body) => {
                let planned = self
                    .bodies
                    .iter()
                    .find(|planned| planned.table() == (body.kind, body.index));
                let placed = planned.map(|planned| (planned.poses[body.copy], &planned.body.positions));
                placed.map_or(Vec::new(), |(pose, positions)| {
                    positions.iter().map(|&place| pose.point(place)).collect()
                })
            }
        }
    }

    /// Radius of its particles, metres.
    pub(super) fn radius(&self, part: PlannedPart) -> f32 {
        let found = match part {
            PlannedPart::Grains(index) => {
                let mut grains = self.grains.iter();
                grains.find(|planned| planned.index == index).map(|it| it.radius)
            }
            PlannedPart::Sheet(kind, index) => {
                let is_it = |planned: &&PlannedSheet| (planned.kind, planned.index) == (kind, index);
                self.sheets.iter().find(is_it).map(|it| it.radius)
            }
            PlannedPart::Body(body) => {
                let mut bodies = self.bodies.iter();
                let it = bodies.find(|planned| planned.table() == (body.kind, body.index));
                it.map(|it| it.radius)
            }
        };
        found.unwrap_or(0.0)
    }

    /// What has particles and that name.
    pub(super) fn find(&self, name: &str, path: &str, issues: &mut Issues<'_>) -> Option<PlannedPart> {
        let loose = self.grains.iter().filter(|planned| planned.name == name);
        let mut found: Vec<(String, PlannedPart)> = loose
            .map(|planned| (format!("grains[{}]", planned.index), PlannedPart::Grains(planned.index)))
            .collect();
        for planned in self.sheets.iter().filter(|planned| planned.name == name) {
            found.push((planned.path(), PlannedPart::Sheet(planned.kind, planned.index)));
        }
        for planned in self.bodies {
            let (kind, index) = planned.table();
            match planned.copy_named(name) {
                None => {}
                Some(Ok(copy)) => found.push((planned.path(), PlannedPart::Body(BodyRef { kind, index, copy }))),
                Some(Err(message)) => {
                    let help = format!("write for instance `{} last`", planned.body.name);
                    issues.error_with_help(path, message, help);
                    return None;
                }
            }
        }
        match found.as_slice() {
            [] => {
                self.unknown(name, path, issues);
                None
            }
            [(_, part)] => Some(*part),
            [(first, _), (second, _), ..] => {
                let name = name.escape_debug();
                issues.error(path, format!("`{name}` is the name of {first} and of {second}"));
                None
            }
        }
    }

    fn unknown(&self, name: &str, path: &str, issues: &mut Issues<'_>) {
        if !self.complete {
            return;
        }
        let loose = self.grains.iter().map(|planned| planned.name.clone());
        let loose = loose.chain(self.sheets.iter().map(|planned| planned.name.clone()));
        let names: Vec<String> = loose.chain(self.bodies.iter().map(|planned| planned.name(0))).collect();
        let message = format!("no grains, cloth, rope or body is named `{}`", name.escape_debug());
        match nearest(name, names.iter().map(String::as_str)) {
            Some(meant) => issues.error_with_help(path, message, format!("did you mean `{meant}`?")),
            None => issues.error(path, message),
        }
    }
}

fn softness(table: &DistanceTable, path: &str, issues: &mut Issues<'_>) -> Option<Softness> {
    match (table.compliance, table.stiffness) {
        (Some(_), Some(_)) => {
            issues.error(
                &format!("{path}.stiffness"),
                "give a `compliance` or a `stiffness`, not both",
            );
            None
        }
        (_, Some(stiffness)) => Some(Softness::Stiffness(stiffness)),
        (compliance, None) => Some(Softness::Compliance(compliance.unwrap_or(0.0))),
    }
}

/// The particle of either that is nearest to a point.
fn nearest_pair(centers: &[Vec<Vec3>; 2], point: Vec3) -> Vec<[u32; 2]> {
    let [first, second] = [0, 1].map(|part| nearest_of(&centers[part], point));
    first.zip(second).map(|(a, b)| [a, b]).into_iter().collect()
}

/// The place nearest to a point.
pub(super) fn nearest_of(places: &[Vec3], point: Vec3) -> Option<u32> {
    let distances = places.iter().map(|place| place.distance_squared(point)).zip(0..);
    distances.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, place)| place)
}

/// All pairs that are no further apart than a distance, in order; nothing if there are more than `most`. Of one and the same
/// part each pair is there once.
fn pairs_within(centers: &[Vec<Vec3>; 2], within: f32, is_one: bool, most: usize) -> Option<Vec<[u32; 2]>> {
    let cell = |center: Vec3| (center / within).floor().as_ivec3();
    let mut cells: HashMap<IVec3, Vec<u32>> = HashMap::new();
    for (place, &center) in (0..).zip(&centers[1]) {
        cells.entry(cell(center)).or_default().push(place);
    }
    let mut pairs = Vec::new();
    let mut near = Vec::new();
    for (a, &center) in (0..).zip(&centers[0]) {
        near.clear();
        let home = cell(center);
        for number in 0..27 {
            let offset = IVec3::new(number % 3, number / 3 % 3, number / 9) - 1;
            let inhabitants = cells.get(&home.saturating_add(offset)).into_iter().flatten();
            near.extend(
                inhabitants.filter(|&&b| (!is_one || b > a) && centers[1][b as usize].distance(center) <= within),
            );
        }
        // Cells at the end of the world may be the same one twice.
        near.sort_unstable();
        near.dedup();
        pairs.extend(near.iter().map(|&b| [a, b]));
        if pairs.len() > most {
            return None;
        }
    }
    Some(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_all_that_are_near_and_each_of_them_once() {
        let mut random = motes_core::random::Random::new(4, 0);
        let mut cloud = || -> Vec<Vec3> {
            (0..200)
                .map(|_| Vec3::new(random.signed(), random.signed(), random.signed()))
                .collect()
        };
        let (first, second) = (cloud(), cloud());
        for (is_one, centers) in [(true, [first.clone(), first.clone()]), (false, [first, second])] {
            let found = pairs_within(&centers, 0.4, is_one, 100_000).expect("few");
            let mut expected = Vec::new();
            for (i, a) in centers[0].iter().enumerate() {
                for (j, b) in centers[1].iter().enumerate() {
                    if (!is_one || j > i) && a.distance(*b) <= 0.4 {
                        expected.push([i as u32, j as u32]);
                    }
                }
            }
            assert!(expected.len() > 100);
            assert_eq!(found, expected);
            assert_eq!(pairs_within(&centers, 0.4, is_one, expected.len() - 1), None);
        }
    }
}
