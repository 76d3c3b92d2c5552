//! Joints: the bodies and colliders that their tables name, and where they are joined.

use glam::Vec3;
use motes_core::{Joint, JointAxis};

use super::joint_axis::{Switches, acting, axis};
use super::{PlannedBodies, PlannedCollider, Surroundings};
use crate::issues::Issues;
use crate::model::{BodyKind, JoinedTable, JointKind, JointTable};
use crate::nearest::nearest;

/// One joint, between parts that are not in a world yet.
pub(crate) struct PlannedJoint {
    /// Path of the table that asks for it.
    pub(crate) path: String,
    /// Its own, if it has one.
    pub(crate) name: Option<String>,
    pub(crate) body: BodyRef,
    pub(crate) partner: PlannedPartner,
    pub(crate) joint: Joint,
    /// Newtons.
    pub(crate) breaking_force: f32,
    pub(crate) axis: JointAxis,
    /// The middle of the cone of a ball joint, if it is given.
    pub(crate) cone: Option<Vec3>,
    pub(crate) switches: Switches,
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
    for (index, table) in around.scene.joint.iter().enumerate() {
        let path = format!("joint[{index}]");
        for table in parts.each(table, &path, issues) {
            joints.extend(parts.joint(&table, &path, issues));
        }
    }
    joints
}

/// The joints between neighbouring copies.
fn joined(planned: &PlannedBodies, around: &Surroundings<'_>, issues: &mut Issues<'_>) -> Option<Vec<PlannedJoint>> {
    let (_, _, keys) = { around.scene.bodies() }.find(|(kind, index, _)| (*kind, *index) == planned.table())?;
    let copies = keys.copies.as_ref()?;
    let table: &JoinedTable = copies.joined.as_ref()?;
    let path = format!("{}.copies.joined", planned.path());
    if table.kind == JointKind::Distance {
        issues.error(
            &format!("{path}.kind"),
            "copies cannot be joined by a distance, which has two points",
        );
        return None;
    }
    let given = table.axis;
    let axis = axis(table.kind, table.axis, table.acting.cone.is_some(), &path, issues)?;
    let acting = acting(table.kind, &table.acting, None, &path, issues)?;
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
                name: None,
                body: body(second),
                partner: PlannedPartner::Body(body(first)),
                joint: joint(
                    table.kind,
                    0.5 * (planned.middle(first) + planned.middle(second)),
                    planned.poses[first].rotation * axis,
                ),
                breaking_force: table.breaking_force,
                axis: acting,
                cone: given.map(|_| planned.poses[first].rotation * axis),
                switches: Switches::default(),
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
        JointKind::Slider => Joint::Slider(place, axis),
        JointKind::Distance => Joint::Distance(place, place),
    }
}

/// What joints can name.
struct Parts<'a> {
    bodies: &'a [PlannedBodies],
    colliders: &'a [PlannedCollider],
    /// Whether all bodies and colliders of the file are there.
    complete: bool,
}

impl Parts<'_> {
    /// A table for each copy of a body, and of its partner, where that is what its names say.
    fn each(&self, table: &JointTable, path: &str, issues: &mut Issues<'_>) -> Vec<JointTable> {
        let copies = |name: &str| {
            let name = name.strip_suffix(EACH)?.trim_end();
            let planned = self.bodies.iter().find(|planned| planned.body.name == name)?;
            Some((name.to_owned(), planned.poses.len()))
        };
        let Some((body, count)) = copies(&table.body) else {
            return vec![table.clone()];
        };
        let place = if table.at.is_some() { "at" } else { "to_at" };
        if table.at.is_some() || table.to_at.is_some() {
            let message = "each copy is joined at a place of its own, halfway to what it is joined to";
            issues.error(&format!("{path}.{place}"), message);
            return Vec::new();
        }
        let other = copies(&table.to);
        if let Some((other, others)) = other.as_ref().filter(|(_, others)| *others != count) {
            let message = format!(
                "there are {others} of `{}` for {count} of `{}`",
                other.escape_debug(),
                body.escape_debug()
            );
            issues.error(&format!("{path}.to"), message);
            return Vec::new();
        }
        let numbered = |name: &str, copy: usize| {
            if count == 1 {
                name.to_owned()
            } else {
                format!("{name} {copy}")
            }
        };
        let one = |copy: usize| JointTable {
            body: numbered(&body, copy),
            to: other
                .as_ref()
                .map_or(table.to.clone(), |(name, _)| numbered(name, copy)),
            ..table.clone()
        };
        (0..count).map(one).collect()
    }

    fn joint(&self, table: &JointTable, path: &str, issues: &mut Issues<'_>) -> Option<PlannedJoint> {
        let body = self.find(&table.body, &format!("{path}.body"), false, issues);
        let partner = match table.to.as_str() {
            WORLD => Some(PlannedPartner::World),
            name => self.find(name, &format!("{path}.to"), true, issues),
        };
        let axis = axis(table.kind, table.axis, table.acting.cone.is_some(), path, issues);
        let acting = acting(table.kind, &table.acting, table.motor.as_ref(), path, issues);
        let switches = Switches::new([table.on_at, table.off_at], &format!("{path}.off_at"), issues);
        if table.to_at.is_some() && table.kind != JointKind::Distance {
            issues.error(&format!("{path}.to_at"), "only a distance has a second point");
            return None;
        }
        if table.kind == JointKind::Fixed && table.at.is_some() {
            issues.error(&format!("{path}.at"), "a fixed joint holds the whole body, not a place");
            return None;
        }
        let (PlannedPartner::Body(body), partner, axis, acting) = (body?, partner?, axis?, acting?) else {
            return None;
        };
        let is_driven = acting.acts() || table.kind == JointKind::Slider;
        if is_driven && table.kind != JointKind::Distance {
            self.check_rigid(&body, &table.body, &format!("{path}.body"), issues)?;
            if let PlannedPartner::Body(other) = &partner {
                self.check_rigid(other, &table.to, &format!("{path}.to"), issues)?;
            }
        }
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
        let joint = match table.kind {
            JointKind::Distance => {
                let other = match (table.to_at, &partner) {
                    (Some(point), _) => point,
                    (None, PlannedPartner::Body(other)) => self.middle(other)?,
                    (None, _) => {
                        issues.error(path, "missing key `to_at`: the other point of the distance");
                        return None;
                    }
                };
                Joint::Distance(table.at.unwrap_or(middle), other)
            }
            kind => joint(kind, place, axis),
        };
        Some(PlannedJoint {
            path: path.into(),
            name: (!table.name.is_empty()).then(|| table.name.clone()),
            body,
            partner,
            joint,
            breaking_force: table.breaking_force,
            axis: acting,
            cone: table.axis,
            switches,
        })
    }

    /// What acts on an axis needs bodies that keep their shape.
    fn check_rigid(&self, body: &BodyRef, name: &str, path: &str, issues: &mut Issues<'_>) -> Option<()> {
        if body.kind == BodyKind::Rigid {
            return Some(());
        }
        let message = format!("`{}` bends", name.escape_debug());
        let help = "sliders, and joints with limits, springs, motors or friction, are for rigid bodies; a `distance` is for all";
        issues.error_with_help(path, message, help);
        None
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

/// In place of a number, all copies, each by a joint of its own.
const EACH: &str = " each";

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
