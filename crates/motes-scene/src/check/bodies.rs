//! Meshes with holes, and bodies that are too small for their particles.

use super::Subject;
use crate::issues::Issues;

/// Bodies are as thick as a particle if they lack less than this share of it.
const TOLERANCE: f32 = 0.02;

pub(super) fn check(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    for planned in &subject.plan.bodies {
        let diameter = 2.0 * planned.radius;
        let path = format!("{}.{}", planned.path(), planned.source);
        if !planned.faults.is_empty() {
            let message = format!("the mesh is not closed and sound: {}", planned.faults.join("; "));
            issues.warning_with_help(&path, message, "`motes mesh FILE` shows what becomes of it");
        }
        if planned.clamp.is_some() && (0..planned.poses.len()).all(|copy| planned.clamped(copy).next().is_none()) {
            let path = format!("{}.clamp", planned.path());
            issues.warning_with_help(&path, "none of its particles starts there", "nothing holds it");
        }
        let thickness = planned.form.mesh.bounds().size().min_element();
        const HELP: &str = "make it larger, or its `radius` smaller";
        if planned.body.positions.len() == 1 {
            let message = format!("is a single particle of {diameter} m, which cannot be seen to turn");
            issues.warning_with_help(&path, message, HELP);
        } else if thickness < (1.0 - TOLERANCE) * diameter {
            let message = format!("is {thickness:.4} m thick and collides as if it were a particle's {diameter} m");
            issues.warning_with_help(&path, message, HELP);
        }
    }
}
