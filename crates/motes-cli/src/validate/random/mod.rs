//! `motes validate --random`: scenes that nobody tuned, held to what has to be true of every scene.

pub mod balloons;
pub mod claims;
pub mod expected;
pub mod sheets;
pub mod snapshot;
mod tally;
pub mod trial;
pub mod watch;
mod web;

use anyhow::{Context, Result};
use motes_core::{CpuEngine, Engine};
use motes_render::write_file;
use motes_scene::random::{Ingredient, Menu};
use motes_scene::{Scene, gallery, nearest, random_scene};

use self::claims::Claim;
use self::tally::Tally;
use self::trial::Trial;
use crate::args::{Misuse, ValidateOptions};

/// A scene to run.
struct Drawn {
    name: String,
    scene: Scene,
    /// Its text, if it was drawn.
    text: Option<String>,
}

pub(super) fn command(options: &ValidateOptions) -> Result<u8> {
    let menu = menu(&options.without)?;
    let count = options.random.unwrap_or(options.scene.len() as u64);
    let mut tally = Tally::default();
    for k in 0..count {
        if crate::interrupt::asked() {
            break;
        }
        let drawn = draw(options, menu, k)?;
        if !options.quiet {
            tell_part!(
                "\r{} of {count}: {}, {} broke a claim \r",
                k + 1,
                drawn.name,
                tally.broken
            );
        }
        let trial = run(options, &drawn.scene).with_context(|| drawn.name.clone())?;
        tally.add(&drawn.name, &trial.measures);
        tell(options, &drawn, &trial)?;
    }
    if !options.quiet {
        tell_part!("{:78}\r", "");
    }
    tally.report(options.json)?;
    Ok(match tally.broken {
        _ if crate::interrupt::asked() => crate::INTERRUPTED,
        0 => crate::SUCCESS,
        _ => crate::FAILURE,
    })
}

/// What the scenes may have.
fn menu(without: &[String]) -> Result<Menu, Misuse> {
    let find = |name: &String| {
        Ingredient::by_name(name).ok_or_else(|| {
            let names = || Ingredient::ALL.iter().map(|(name, _)| *name);
            Misuse(match nearest(name, names()) {
                Some(meant) => format!("random scenes have no `{name}`; did you mean `{meant}`?"),
                None => format!(
                    "random scenes have no `{name}`; they have {}",
                    names().collect::<Vec<_>>().join(", ")
                ),
            })
        })
    };
    let left_out: Vec<Ingredient> = without.iter().map(find).collect::<Result<_, _>>()?;
    Ok(Menu::FULL.without(&left_out))
}

fn draw(options: &ValidateOptions, menu: Menu, k: u64) -> Result<Drawn> {
    if let Some(name) = options.scene.get(k as usize) {
        return Ok(Drawn {
            name: name.clone(),
            scene: gallery::find(name, &[] as &[&str])?,
            text: None,
        });
    }
    let number = options.first.wrapping_add(k);
    let name = format!("random-{}-{number}", options.seed);
    let text = random_scene(options.seed, number, menu);
    Ok(Drawn {
        scene: Scene::from_toml(&text, &format!("{name}.toml"))?,
        text: Some(text),
        name,
    })
}

/// Runs a scene, on the CPU as well if both engines are to be compared.
fn run(options: &ValidateOptions, scene: &Scene) -> Result<Trial> {
    options.engine.create()?;
    // Once there was one, there is another.
    let make = || options.engine.create().expect("an engine");
    let mut trial = trial::run(scene, &make)?;
    if options.both {
        let cpu = || -> Box<dyn Engine> { Box::new(CpuEngine::new()) };
        let measure = trial::disagreement(&trial, &trial::run(scene, &cpu)?);
        trial.measures.note(Claim::Engines, measure, trial.end.frame);
    }
    Ok(trial)
}

/// Says which claims a scene broke, and keeps it.
fn tell(options: &ValidateOptions, drawn: &Drawn, trial: &Trial) -> Result<()> {
    let broken = trial.measures.broken();
    if !options.json {
        for (claim, measure, frame) in &broken {
            say!(
                "{}: {} is {}, above {}, in frame {frame}",
                drawn.name,
                claim.name(),
                super::number(*measure),
                super::number(claim.bound())
            );
        }
    }
    if let (Some(folder), Some(text), false) = (&options.keep, &drawn.text, broken.is_empty()) {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        write_file(&folder.join(format!("{}.toml", drawn.name)), text.as_bytes())?;
    }
    Ok(())
}
