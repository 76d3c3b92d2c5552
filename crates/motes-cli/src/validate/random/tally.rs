//! What came of many scenes, as a table or as JSON.

use std::collections::BTreeMap;

use anyhow::Result;
use serde_json::{Map, Value, json};

use super::claims::{Claim, Measures};
use crate::validate::number;

/// What came of the scenes so far.
#[derive(Default)]
pub(super) struct Tally {
    scenes: Vec<Value>,
    pub(super) broken: u64,
    claims: BTreeMap<Claim, Row>,
}

/// One claim over all scenes.
#[derive(Default)]
struct Row {
    scenes: u64,
    broken: u64,
    /// The greatest measure, and the scene of it.
    worst: Option<(f64, String)>,
}

impl Tally {
    pub(super) fn add(&mut self, name: &str, measures: &Measures) {
        let mut seen = Map::new();
        for claim in Claim::ALL {
            let Some((measure, frame)) = measures.get(claim) else {
                continue;
            };
            let keeps = measure <= claim.bound();
            seen.insert(
                claim.name().to_owned(),
                json!({ "measured": measure, "frame": frame, "keeps": keeps }),
            );
            let row = self.claims.entry(claim).or_default();
            row.scenes += 1;
            row.broken += u64::from(!keeps);
            if row.worst.as_ref().is_none_or(|(worst, _)| measure > *worst) {
                row.worst = Some((measure, name.to_owned()));
            }
        }
        self.broken += u64::from(!measures.broken().is_empty());
        self.scenes.push(json!({ "scene": name, "claims": seen }));
    }

    pub(super) fn report(&self, as_json: bool) -> Result<()> {
        if as_json {
            say!("{}", serde_json::to_string_pretty(&self.scenes)?);
            return Ok(());
        }
        say!(
            "{:10} {:>8} {:>7} {:>7}  greatest",
            "claim",
            "bound",
            "scenes",
            "broken"
        );
        for (claim, row) in &self.claims {
            let (worst, scene) = row.worst.clone().unwrap_or_default();
            say!(
                "{:10} {:>8} {:>7} {:>7}  {} in {scene}",
                claim.name(),
                number(claim.bound()),
                row.scenes,
                row.broken,
                number(worst)
            );
        }
        say!("{} scenes, {} of them broke a claim", self.scenes.len(), self.broken);
        Ok(())
    }
}
