//! Joints: the bodies and colliders that their tables name, and where they are joined.

use glam::Vec3;
use motes_core::Joint;

use super::{PlannedBodies, PlannedCollider, Surroundings};
use crate::issues::Issues;
use crate::model::{BodyKind, JoinedTable, JointKind, JointTable};
use crate::nearest::nearest;

/// One joint, between parts that are not in a world yet.
pub(crate) struct PlannedJoint {
    /// Path of the table that asks for it.
    pub(crate) path: String,
    pub(crate) body: BodyRef,
    pub(crate) partner: PlannedPartner,
    pub(crate) joint: Joint,
    /// Newtons.
    pub(crate) breaking_force: f32,
}

/// A body: its table, and which of the copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BodyRef {
    pub(crate) kind: BodyKind,
    pub(crate) index: usize,
    pub(crate) copy: usize,
}

/// What a body is joined to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlannedPartner {
    World,
    /// By its place in the file.
    Collider(usize),
    Body(BodyRef),
}

/// The word for the world among the names of bodies and colliders.
const WORLD: &str = "world";

/// Every `[[joint]]`, and the joints of copies.
pub(super) fn all(
    around: &Surroundings<'_>,
    bodies: &[PlannedBodies],
    colliders: &[PlannedCollider],
    issues: &mut Issues<'_>,
) -> Vec<PlannedJoint> {
    let mut joints = Vec::new();
    for planned in bodies {
        joints.extend(joined(planned, around, issues).unwrap_or_default());
    }
    let parts = Parts {
        bodies,
        colliders,
        complete: bodies.len() == around.scene.bodies().count() && colliders.len() == around.scene.collider.len(),
    };
    let tables = around.scene.joint.iter().enumerate();
    joints.extend(tables.filter_map(|(index, table)| parts.joint(table, &format!("joint[{index}]"), issues)));
    joints
}

/// The joints between neighbouring copies.
fn joined(planned: &PlannedBodies, around: &Surroundings<'_>, issues: &mut Issues<'_>) -> Option<Vec<PlannedJoint>> {
    let (_, _, keys) = { around.scene.bodies() }.find(|(kind, index, _)| (*kind, *index) == planned.table())?;
    let copies = keys.copies.as_ref()?;
    let table: &JoinedTable = copies.joined.as_ref()?;
    let path = format!("{}.copies.joined", planned.path());
    let axis = axis(table.kind, table.axis, &path, issues)?;
    let count = copies
        .count
        .unwrap_or([planned.poses.len() as u32, 1, 1])
        .map(|count| count as usize);
    if table.closed && count.iter().all(|&count| count < 3) {
        issues.error(&format!("{path}.closed"), "a closed chain needs at least 3 copies");
        return None;
    }
    let body = |copy: usize| BodyRef {
        kind: planned.kind,
        index: planned.index,
        copy,
    };
    let pairs = neighbours(count, table.closed).into_iter();
    Some(
        pairs
            .map(|[first, second]| PlannedJoint {
                path: path.clone(),
                body: body(second),
                partner: PlannedPartner::Body(body(first)),
                joint: joint(
                    table.kind,
                    0.5 * (planned.middle(first) + planned.middle(second)),
                    planned.poses[first].rotation * axis,
                ),
                breaking_force: table.breaking_force,
            })
            .collect(),
    )
}

/// Copies side by side in rows, the earlier first; closed rows of three or more end where they begin.
fn neighbours([x, y, z]: [usize; 3], closed: bool) -> Vec<[usize; 2]> {
    let number = |[i, j, k]: [usize; 3]| (j * z + k) * x + i;
    let places = (0..y).flat_map(|j| (0..z).flat_map(move |k| (0..x).map(move |i| [i, j, k])));
    let mut pairs = Vec::new();
    for place in places {
        for (axis, count) in [x, y, z].into_iter().enumerate() {
            let mut next = place;
            next[axis] += 1;
            if next[axis] == count && closed && count > 2 {
                next[axis] = 0;
            }
            if next[axis] < count {
                pairs.push([number(place), number(next)]);
            }
        }
    }
    pairs
}

fn joint(kind: JointKind, place: Vec3, axis: Vec3) -> Joint {
    match kind {
        JointKind::Ball => Joint::Ball(place),
        JointKind::Hinge => Joint::Hinge(place, axis),
        JointKind::Fixed => Joint::Fixed,
    }
}

/// The axis of a hinge; nothing if it is missing, or given where it means nothing.
fn axis(kind: JointKind, axis: Option<Vec3>, path: &str, issues: &mut Issues<'_>) -> Option<Vec3> {
    let place = format!("{path}.axis");
    match (kind, axis) {
        (JointKind::Hinge, None) => issues.error(path, "missing key `axis`: a hinge turns about one"),
        (JointKind::Hinge, Some(axis)) if axis.try_normalize().is_none() => {
            issues.error(&place, "the axis of a hinge must have a length");
        }
        (JointKind::Hinge, Some(axis)) => return Some(axis.normalize()),
        (_, None) => return Some(Vec3::Y),
        (_, Some(_)) => issues.error(
            &place,
            format!("only a hinge has an axis, not a `{}` joint", kind.word()),
        ),
    }
    None
}

/// What joints can name.
struct Parts<'a> {
    bodies: &'a [PlannedBodies],
    colliders: &'a [PlannedCollider],
    /// Whether all bodies and colliders of the file are there.
    complete: bool,
}

impl Parts<'_> {
    fn joint(&self, table: &JointTable, path: &str, issues: &mut Issues<'_>) -> Option<PlannedJoint> {
        let body = self.find(&table.body, &format!("{path}.body"), false, issues);
        let partner = match table.to.as_str() {
            WORLD => Some(PlannedPartner::World),
            name => self.find(name, &format!("{path}.to"), true, issues),
        };
        let axis = axis(table.kind, table.axis, path, issues);
        if table.kind == JointKind::Fixed && table.at.is_some() {
            issues.error(&format!("{path}.at"), "a fixed joint holds the whole body, not a place");
            return None;
        }
        let (PlannedPartner::Body(body), partner, axis) = (body?, partner?, axis?) else {
            return None;
        };
        if partner == PlannedPartner::Body(body) {
            issues.error(
                &format!("{path}.to"),
                format!("`{}` cannot be joined to itself", table.to.escape_debug()),
            );
            return None;
        }
        let middle = self.middle(&body)?;
        let place = table.at.unwrap_or(match &partner {
            PlannedPartner::Body(other) => 0.5 * (middle + self.middle(other)?),
            PlannedPartner::World | PlannedPartner::Collider(_) => middle,
        });
        Some(PlannedJoint {
            path: path.into(),
            body,
            partner,
            joint: joint(table.kind, place, axis),
            breaking_force: table.breaking_force,
        })
    }

    fn middle(&self, body: &BodyRef) -> Option<Vec3> {
        let planned = self
            .bodies
            .iter()
            .find(|planned| planned.table() == (body.kind, body.index));
        planned.map(|planned| planned.middle(body.copy))
    }

    /// The part of that name, which may be a collider.
    fn find(&self, name: &str, path: &str, collider: bool, issues: &mut Issues<'_>) -> Option<PlannedPartner> {
        let mut found: Vec<(String, PlannedPartner)> = Vec::new();
        for planned in self.bodies {
            match planned.copy_named(name) {
                None => {}
                Some(Ok(copy)) => {
                    let (kind, index) = planned.table();
                    found.push((planned.path(), PlannedPartner::Body(BodyRef { kind, index, copy })));
                }
                Some(Err(message)) => {
                    let help = format!("write for instance `{} last`", planned.body.name);
                    issues.error_with_help(path, message, help);
                    return None;
                }
            }
        }
        let named = self.colliders.iter().filter(|planned| planned.collider.name == name);
        found.extend(named.map(|planned| {
            let partner = PlannedPartner::Collider(planned.index);
            (format!("collider[{}]", planned.index), partner)
        }));
        match found.as_slice() {
            [] => {
                self.unknown(name, path, collider, issues);
                None
            }
            [(place, PlannedPartner::Collider(_))] if !collider => {
                let message = format!("`{}` is {place}, not a body", name.escape_debug());
                issues.error_with_help(path, message, "put the body first, and the collider behind `to`");
                None
            }
            [(_, partner)] => Some(*partner),
            [(first, _), (second, _), ..] => {
                let name = name.escape_debug();
                issues.error(path, format!("`{name}` is the name of {first} and of {second}"));
                None
            }
        }
    }

    fn unknown(&self, name: &str, path: &str, collider: bool, issues: &mut Issues<'_>) {
        if !self.complete {
            return;
        }
        let number = match name.rsplit_once(' ') {
            Some((_, number)) if number == LAST || number.parse::<usize>().is_ok() => number,
            _ => LAST,
        };
        let bodies = self.bodies.iter().map(|planned| match planned.poses.len() {
            1 => planned.body.name.clone(),
            _ => format!("{} {number}", planned.body.name),
        });
        let colliders = self.colliders.iter().map(|planned| planned.collider.name.clone());
        let others = colliders.chain([WORLD.to_owned()]).filter(|_| collider);
        let valid: Vec<String> = bodies.chain(others).collect();
        let message = format!("nothing is named `{}`", name.escape_debug());
        match nearest(name, valid.iter().map(String::as_str)) {
            Some(meant) => issues.error_with_help(path, message, format!("did you mean `{meant}`?")),
            None if valid.is_empty() => issues.error(path, format!("{message}: there are no bodies")),
            None => {
                let names: Vec<String> = valid.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
                issues.error_with_help(path, message, format!("valid are {}", names.join(", ")));
            }
        }
    }
}

/// In place of a number, the last copy.
const LAST: &str = "last";

/// Names that a message lists.
const MOST_NAMES: usize = 12;

impl PlannedBodies {
    /// The table they come from.
    pub(crate) fn table(&self) -> (BodyKind, usize) {
        (self.kind, self.index)
    }

    /// The middle of one of them, metres.
    pub(crate) fn middle(&self, copy: usize) -> Vec3 {
        self.poses[copy].point(self.form.mesh.bounds().center())
    }

    /// Which of them a name means; what is wrong with it, if it means them but none in particular.
    pub(super) fn copy_named(&self, name: &str) -> Option<Result<usize, String>> {
        let (own, count) = (&self.body.name, self.poses.len());
        let number = match name.strip_prefix(own.as_str())? {
            "" if count == 1 => return Some(Ok(0)),
            "" => {
                let message = format!(
                    "there are {count} copies of `{}`: say which, 0 to {}",
                    own.escape_debug(),
                    count - 1
                );
                return Some(Err(message));
            }
            rest => rest.strip_prefix(' ')?,
        };
        let copy = match number {
            LAST => count - 1,
            number => number.parse().ok()?,
        };
        if copy < count {
            return Some(Ok(copy));
        }
        let message = match count {
            1 => format!("`{}` has no copies", own.escape_debug()),
            _ => format!(
                "there is no `{}`: copies are numbered 0 to {}",
                name.escape_debug(),
                count - 1
            ),
        };
        Some(Err(message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_in_rows_have_their_neighbours() {
        assert_eq!(neighbours([3, 1, 1], false), [[0, 1], [1, 2]]);
        assert_eq!(neighbours([3, 1, 1], true), [[0, 1], [1, 2], [2, 0]]);
        assert_eq!(neighbours([2, 1, 2], true), [[0, 1], [0, 2], [1, 3], [2, 3]]);
        // 3 × 2 × 4 places: each direction has one joint fewer than places in a row.
        assert_eq!(neighbours([3, 2, 4], false).len(), 2 * 8 + 12 + 3 * 6);
    }
}
