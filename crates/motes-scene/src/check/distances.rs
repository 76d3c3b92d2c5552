//! Distances that hold nothing, or against what holds particles apart.

use super::{Subject, counted};
use crate::compile::{PlannedDistances, PlannedPart, PlannedSheet, SheetKind};
use crate::issues::Issues;

/// Pairs held nearer than they can come by this share of a contact distance are left to the solver.
const TOLERANCE: f32 = 0.05;

/// Attachments that start further away than this many contact distances are not where somebody meant them to be.
const FAR: f32 = 3.0;

pub(super) fn check(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    for planned in &subject.plan.distances {
        let path = planned.path.clone();
        if planned.pairs.is_empty() {
            issues.warning(
                &format!("{path}.within"),
                "holds nothing: no two particles are that near",
            );
        } else if planned.parts.iter().all(|part| subject.is_fixed(part)) {
            issues.warning(&path, "holds together what nothing can move");
        }
        too_near(subject, planned, &path, issues);
        far_apart(subject, planned, issues);
    }
}

/// Pairs that contacts push apart as far as the distance lets them.
fn too_near(subject: &Subject<'_>, planned: &PlannedDistances, path: &str, issues: &mut Issues<'_>) {
    let [first, second] = &planned.parts;
    let one = first == second;
    if one && subject.leaves_itself_alone(first) {
        return;
    }
    let contact = subject.radius_of(first) + subject.radius_of(second);
    let pressed = planned
        .pairs
        .iter()
        .filter(|(_, rest)| *rest < (1.0 - TOLERANCE) * contact);
    let pressed = pressed.count();
    if pressed > 0 {
        let message = format!(
            "{} held nearer than the {contact} m at which their particles collide",
            match pressed {
                1 => "1 pair is".to_owned(),
                _ => format!("{} are", counted(pressed, "pair")),
            }
        );
        let help = match one {
            true => {
                "say `ignore_rest_overlaps = true` or `self_collide = false` of the grains, or hold them further apart"
            }
            false => "hold them further apart",
        };
        issues.warning_with_help(path, message, help);
    }
}

/// Attachments over a distance hang on threads that nobody sees.
fn far_apart(subject: &Subject<'_>, planned: &PlannedDistances, issues: &mut Issues<'_>) {
    let [first, second] = &planned.parts;
    let contact = subject.radius_of(first) + subject.radius_of(second);
    let longest = planned
        .pairs
        .iter()
        .fold(0.0f32, |longest, (_, rest)| longest.max(*rest));
    if planned.path.contains(".attach[") && longest > FAR * contact {
        let message = format!("starts {longest} m away from what it is attached to, and stays that far away");
        issues.warning_with_help(&planned.path, message, "let them start where they touch");
    }
}

impl Subject<'_> {
    fn is_fixed(&self, part: &PlannedPart) -> bool {
        match part {
            PlannedPart::Grains(index) => self.scene.grains[*index].pinned,
            PlannedPart::Sheet(..) => false,
            PlannedPart::Body(body) => self.body(body).is_some_and(|planned| planned.body.kinematic),
        }
    }

    /// Whether its particles do not push each other apart.
    fn leaves_itself_alone(&self, part: &PlannedPart) -> bool {
        match part {
            PlannedPart::Grains(index) => {
                let table = &self.scene.grains[*index];
                !table.self_collide || table.ignore_rest_overlaps
            }
            PlannedPart::Sheet(..) | PlannedPart::Body(_) => true,
        }
    }

    fn radius_of(&self, part: &PlannedPart) -> f32 {
        match part {
            PlannedPart::Grains(index) => self.scene.radius_or(self.scene.grains[*index].radius),
            PlannedPart::Sheet(kind, index) => self.sheet(*kind, *index).map_or(0.0, |planned| planned.radius),
            PlannedPart::Body(body) => self.body(body).map_or(0.0, |planned| planned.radius),
        }
    }

    fn sheet(&self, kind: SheetKind, index: usize) -> Option<&PlannedSheet> {
        let mut sheets = self.plan.sheets.iter();
        sheets.find(|planned| (planned.kind, planned.index) == (kind, index))
    }

    /// Whether grains hang by something that does not fall, as far as anybody can tell: they are tied, or pinned in places.
    pub(super) fn hangs(&self, index: usize) -> bool {
        !self.scene.grains[index].pins.is_empty() || self.is_tied(|part| *part == PlannedPart::Grains(index))
    }

    /// Whether distances hold some part to another.
    pub(super) fn is_tied(&self, is_it: impl Fn(&PlannedPart) -> bool) -> bool {
        let mut ties = self.plan.distances.iter();
        ties.any(|planned| planned.parts[0] != planned.parts[1] && planned.parts.iter().any(&is_it))
    }
}
