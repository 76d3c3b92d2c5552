//! `motes validate --random`: scenes that nobody tuned, held to what has to be true of every scene.

pub mod claims;
pub mod snapshot;
pub mod trial;

use anyhow::{Context, Result};
use motes_render::write_file;
use motes_scene::{Scene, gallery, random_scene};
use serde_json::{Value, json};

use self::claims::{Claim, Measures};
use crate::args::ValidateOptions;

/// A scene to run: its name, its text if it was drawn, itself.
type Drawn = (String, Option<String>, Scene);

pub(super) fn command(options: &ValidateOptions) -> Result<u8> {
    let count = options.random.unwrap_or(options.scene.len() as u64);
    let mut tally = Tally::default();
    for k in 0..count {
        if crate::interrupt::asked() {
            tally.report(options)?;
            return Ok(crate::INTERRUPTED);
        }
        let (name, text, scene) = draw(options, k)?;
        if !options.quiet {
            eprint!("\r{}/{count} {name}, {} broke a claim   ", k + 1, tally.broken);
        }
        let make = || options.engine.create().expect("an engine");
        let trial = trial::run(&scene, &make).with_context(|| name.clone())?;
        let broken = trial.measures.broken();
        tally.add(&name, &trial.measures);
        if broken.is_empty() {
            continue;
        }
        if !options.json {
            if !options.quiet {
                eprint!("\r");
            }
            for (claim, measure, frame) in &broken {
                say!(
                    "{name}: {} is {}, above {}, in frame {frame}",
                    claim.name(),
                    super::number(*measure),
                    claim.bound()
                );
            }
        }
        if let (Some(folder), Some(text)) = (&options.keep, text) {
            std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
            write_file(&folder.join(format!("{name}.toml")), text.as_bytes())?;
        }
    }
    if !options.quiet {
        eprint!("\r");
    }
    tally.report(options)?;
    Ok(if tally.broken == 0 {
        crate::SUCCESS
    } else {
        crate::FAILURE
    })
}

fn draw(options: &ValidateOptions, k: u64) -> Result<Drawn> {
    if let Some(name) = options.scene.get(k as usize) {
        return Ok((name.clone(), None, gallery::find(name, &[] as &[&str])?));
    }
    let number = options.first.wrapping_add(k);
    let name = format!("random-{}-{number}", options.seed);
    let text = random_scene(options.seed, number);
    let scene = Scene::from_toml(&text, &format!("{name}.toml"))?;
    Ok((name, Some(text), scene))
}

/// What came of all scenes.
#[derive(Default)]
struct Tally {
    scenes: u64,
    broken: u64,
    /// For each claim: scenes it was made of, scenes that broke it, the greatest measure and where it was.
    claims: std::collections::BTreeMap<Claim, (u64, u64, f64, String)>,
    failures: Vec<Value>,
}

impl Tally {
    fn add(&mut self, name: &str, measures: &Measures) {
        self.scenes += 1;
        self.broken += u64::from(!measures.broken().is_empty());
        for claim in Claim::ALL {
            let Some((measure, frame)) = measures.get(claim) else {
                continue;
            };
            let row = self
                .claims
                .entry(claim)
                .or_insert((0, 0, f64::NEG_INFINITY, String::new()));
            row.0 += 1;
            if measure > claim.bound() {
                row.1 += 1;
                self.failures
                    .push(json!({ "scene": name, "claim": claim.name(), "measured": measure, "frame": frame }));
            }
            if measure > row.2 {
                (row.2, row.3) = (measure, name.to_owned());
            }
        }
    }

    fn report(&self, options: &ValidateOptions) -> Result<()> {
        if options.json {
            let claims: Vec<Value> = { self.claims.iter() }
                .map(|(claim, (scenes, broken, worst, name))| {
                    json!({ "claim": claim.name(), "bound": claim.bound(), "scenes": scenes, "broken": broken, "worst": worst, "worst_scene": name })
                })
                .collect();
            let all =
                json!({ "scenes": self.scenes, "broken": self.broken, "claims": claims, "failures": self.failures });
            say!("{}", serde_json::to_string_pretty(&all)?);
            return Ok(());
        }
        say!(
            "{:10} {:>10} {:>7} {:>7}  greatest",
            "claim",
            "bound",
            "scenes",
            "broken"
        );
        for (claim, (scenes, broken, worst, name)) in &self.claims {
            say!(
                "{:10} {:>10} {scenes:>7} {broken:>7}  {} in {name}",
                claim.name(),
                super::number(claim.bound()),
                super::number(*worst)
            );
        }
        say!("{} scenes, {} of them broke a claim", self.scenes, self.broken);
        Ok(())
    }
}
