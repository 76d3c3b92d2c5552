//! What cloth is filled with, from `inflate` to a filling and how it changes over time.

use motes_core::{Filling, Inflation, Softness};
use motes_geometry::cloth::ClothShape;

use crate::issues::Issues;
use crate::model::{ClothTable, InflateTable};

/// What a closed cloth is filled with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlannedInflation {
    pub(crate) filling: Filling,
    pub(crate) inflation: Option<Inflation>,
    /// Volume inside as it is made, m³.
    pub(crate) volume: f32,
}

/// What a cloth is to be filled with, given its shape; none if nothing is asked for or something is wrong with it.
pub(super) fn plan(
    table: &ClothTable,
    shape: &ClothShape,
    path: &str,
    issues: &mut Issues<'_>,
) -> Option<PlannedInflation> {
    let inflate = table.inflate.as_ref()?;
    let path = format!("{path}.inflate");
    let softness = softness(inflate, &path, issues)?;
    let volume = shape.volume();
    let given = [
        ("gas", inflate.gas, Filling::Gas(volume)),
        ("volume", inflate.volume, Filling::Volume { volume, softness }),
        ("pressure", inflate.pressure, Filling::Pressure(0.0)),
    ];
    let mut given = given
        .into_iter()
        .filter_map(|(key, value, slack)| Some((key, value?, slack)));
    let Some((key, value, slack)) = given.next() else {
        issues.error(&path, "expected one of `gas`, `volume` and `pressure`");
        return None;
    };
    if let Some((second, ..)) = given.next() {
        let message = format!("expected only one of `{key}` and `{second}`");
        issues.error(&format!("{path}.{second}"), message);
        return None;
    }
    let unit = if key == "pressure" { 1.0 } else { volume };
    let filling = slack.with_amount(value * unit);
    let is_timed = inflate.over > 0.0 || inflate.start > 0.0 || inflate.from.is_some();
    Some(PlannedInflation {
        volume,
        filling,
        inflation: is_timed.then(|| Inflation {
            from: inflate.from.map_or(slack.amount(), |from| from * unit),
            to: filling.amount(),
            start: f64::from(inflate.start),
            over: f64::from(inflate.over),
        }),
    })
}

fn softness(inflate: &InflateTable, path: &str, issues: &mut Issues<'_>) -> Option<Softness> {
    let (key, softness) = match (inflate.compliance, inflate.stiffness) {
        (None, None) => return Some(Softness::STIFF),
        (Some(compliance), None) => ("compliance", Softness::Compliance(compliance)),
        (None, Some(stiffness)) => ("stiffness", Softness::Stiffness(stiffness)),
        (Some(_), Some(_)) => {
            let message = "give a `compliance` or a `stiffness`, not both";
            issues.error(&format!("{path}.stiffness"), message);
            return None;
        }
    };
    if inflate.volume.is_none() {
        issues.error(&format!("{path}.{key}"), "is for `volume`: air yields by itself");
        return None;
    }
    Some(softness)
}
