//! Foam that nothing makes, or more than is thought of.

use super::Subject;
use crate::issues::Issues;

/// Foam particles for each of the liquid beyond which they are no foam any more.
const CROWDED: usize = 50;

pub(super) fn check(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    let Some(foam) = &subject.scene.foam else { return };
    for (key, pair) in [
        ("foam.meeting", foam.meeting),
        ("foam.sharpness", Some(foam.sharpness)),
        ("foam.speed", foam.speed),
    ] {
        if let Some([low, high]) = pair.filter(|[low, high]| low >= high) {
            issues.error(
                key,
                format!("expected the first below the second, found {low} and {high}"),
            );
        }
    }
    if !subject.all_sources {
        return;
    }
    let plan = &subject.plan;
    let filled = plan
        .fluids
        .iter()
        .map(|planned| &planned.material)
        .filter(|material| !material.is_gas);
    let poured = plan.emitters.iter().filter(|planned| planned.is_liquid());
    let liquids: Vec<_> = filled.chain(poured.map(|planned| &planned.material)).collect();
    let melts = !subject.scene.plastic.is_empty() || !subject.scene.heat.is_empty();
    if liquids.is_empty() && !melts {
        issues.warning_with_help(
            "foam",
            "nothing here is liquid, so nothing foams",
            "pour some with `[[fluid]]`",
        );
    } else if !liquids.is_empty() && liquids.iter().all(|material| material.viscosity > foam.most_viscosity) {
        let thinnest = liquids
            .iter()
            .map(|material| material.viscosity)
            .fold(f32::MAX, f32::min);
        let message = format!(
            "the thinnest liquid has {thinnest} Pa·s and nothing above {} foams",
            foam.most_viscosity
        );
        issues.warning_with_help("foam.most_viscosity", message, "raise it to foam all the same");
    }
    let watery = plan.fluids.iter().filter(|planned| !planned.material.is_gas);
    let count: usize = watery.map(|planned| planned.centers.len()).sum();
    if plan.emitters.is_empty() && count > 0 && foam.most as usize > CROWDED * count.max(2000) {
        let message = format!(
            "room for {} particles of foam, {} for each of the liquid",
            foam.most,
            foam.most as usize / count
        );
        issues.warning_with_help("foam.most", message, "memory is taken for all of them on a GPU");
    }
}
