//! Triggers that can never do what they say.

use motes_core::Counting;

use super::Subject;
use crate::compile::{PlannedSheet, PlannedSource, PlannedTrigger};
use crate::issues::Issues;

pub(super) fn check(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    for planned in &subject.plan.triggers {
        let table = &subject.scene.trigger[planned.index];
        let path = format!("trigger[{}]", planned.index);
        let switches = !planned.switches.is_empty();
        if table.back_below.is_some() && !switches {
            issues.warning(&format!("{path}.back_below"), "there is nothing to switch back");
        } else if table.back_below.is_some() && planned.counting == Counting::Entered {
            let message = "what has entered never becomes less, so that nothing is switched back";
            issues.warning_with_help(&format!("{path}.back_below"), message, "count those `inside`");
        }
        if table.count > 1 && !switches {
            issues.warning(
                &format!("{path}.count"),
                "there is nothing to switch when so many have come",
            );
        }
        too_few(subject, planned, table.count, &path, issues);
    }
}

/// Fewer things than a trigger waits for.
fn too_few(subject: &Subject<'_>, planned: &PlannedTrigger, count: u64, path: &str, issues: &mut Issues<'_>) {
    if planned.of.is_empty() || planned.counting == Counting::Entered {
        return;
    }
    let mut most = 0;
    for source in &planned.of {
        most += match source {
            // How many there will be is not known.
            PlannedSource::Emitter(_) => return,
            PlannedSource::Bodies { copies, .. } => copies.len(),
            PlannedSource::Sheet(kind, index) => {
                let is_it = |planned: &&PlannedSheet| (planned.kind, planned.index) == (*kind, *index);
                let Some(sheet) = subject.plan.sheets.iter().find(is_it) else {
                    return;
                };
                sheet.centers.len()
            }
            PlannedSource::Fluid(index) => {
                let fluid = subject.plan.fluids.iter().find(|planned| planned.index == *index);
                let Some(fluid) = fluid else { return };
                fluid.centers.len()
            }
            PlannedSource::Creatures(index) => {
                let creatures = subject.plan.creatures.iter().find(|planned| planned.index == *index);
                let Some(creatures) = creatures else { return };
                creatures.particle_count()
            }
            PlannedSource::Grains(index) => {
                let grains = subject.plan.grains.iter().find(|planned| planned.index == *index);
                let Some(grains) = grains else { return };
                grains.centers.len()
            }
        };
    }
    if (most as u64) < count {
        issues.warning(
            &format!("{path}.count"),
            format!("waits for {count}, but there are only {most}"),
        );
    }
}
