//! `motes validate`: physical claims with an outside reference, a band, and a control that must fall outside it.

mod balloons;
mod belts;
mod bodies;
mod castle;
mod cloth;
mod collapse;
mod column;
mod conservation;
mod creatures;
mod crossings;
mod flight;
mod friction;
mod heap;
mod hopper;
mod impact;
mod joints;
mod lab;
mod layers;
mod liquids;
mod machines;
mod marbles;
pub mod random;
mod rest;
mod round;
mod round_bodies;
mod silo;
mod sizes;
mod smoke;
mod soft;
mod solver;
mod wheels;

use std::time::Instant;

use anyhow::Result;
use motes_core::Engine;
use serde_json::{Value, json};

use crate::args::{Misuse, ValidateOptions};

/// Makes a fresh engine for one experiment.
pub type EngineMaker<'a> = &'a dyn Fn() -> Box<dyn Engine>;

/// One physical claim.
pub struct Case {
    /// Name, `topic/claim`.
    pub name: &'static str,
    /// Where the reference comes from.
    pub source: &'static str,
    /// The value to be found, in `unit`.
    pub reference: f64,
    /// Lowest and highest value that pass.
    pub band: [f64; 2],
    /// Unit of the values; empty for ratios.
    pub unit: &'static str,
    /// Whether it takes only seconds.
    pub quick: bool,
    /// The experiment.
    pub measure: fn(EngineMaker) -> f64,
    /// What is wrong on purpose in the control.
    pub control_name: &'static str,
    /// The same experiment with that mistake; it must fall outside the band.
    pub control: fn(EngineMaker) -> f64,
}

/// What came of a case.
pub struct Outcome {
    /// The case's value.
    pub measured: f64,
    /// The control's value.
    pub control: f64,
    /// The value is inside the band.
    pub pass: bool,
    /// The control is a number outside the band, as it must be: one that is no number shows nothing.
    pub control_fails: bool,
}

impl Case {
    /// Runs the experiment and its control.
    pub fn run(&self, engine: EngineMaker) -> Outcome {
        let inside = |value: f64| value >= self.band[0] && value <= self.band[1];
        let measured = (self.measure)(engine);
        let control = (self.control)(engine);
        Outcome {
            measured,
            control,
            pass: inside(measured),
            control_fails: !inside(control) && !control.is_nan(),
        }
    }
}

/// Every case, quick ones first.
pub fn cases() -> Vec<Case> {
    [
        conservation::cases(),
        solver::cases(),
        bodies::cases(),
        flight::cases(),
        impact::cases(),
        marbles::cases(),
        round::cases(),
        round_bodies::cases(),
        wheels::cases(),
        joints::cases(),
        machines::cases(),
        soft::cases(),
        creatures::cases(),
        friction::cases(),
        belts::cases(),
        cloth::cases(),
        balloons::cases(),
        layers::cases(),
        heap::cases(),
        column::cases(),
        collapse::cases(),
        hopper::cases(),
        silo::cases(),
        castle::cases(),
        rest::cases(),
        sizes::cases(),
        liquids::cases(),
        smoke::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Whether a name has a part, in capitals or not.
fn is_called(name: &str, part: &str) -> bool {
    name.to_lowercase().contains(&part.to_lowercase())
}

fn unknown_case(part: &str) -> String {
    let names: Vec<&str> = cases().iter().map(|case| case.name).collect();
    let words = names
        .iter()
        .flat_map(|name| name.split(['/', ' ', ',']))
        .chain(names.iter().copied());
    match motes_scene::nearest(&part.to_lowercase(), words.filter(|word| word.len() > 3)) {
        Some(name) => format!("no case is called like `{part}`; did you mean `{name}`?"),
        None => format!("no case is called like `{part}`; there are {}", names.join(", ")),
    }
}

pub(crate) fn command(options: &ValidateOptions) -> Result<u8> {
    crate::interrupt::listen();
    crate::interrupt::end_well();
    if options.random.is_some() || !options.scene.is_empty() {
        return random::command(options);
    }
    let wanted = |case: &Case| {
        (!options.quick || case.quick)
            && (options.cases.is_empty() || options.cases.iter().any(|part| is_called(case.name, part)))
    };
    for part in &options.cases {
        if part.trim().is_empty() {
            return Err(Misuse("the name of a case is empty; without a name, all cases are run".into()).into());
        }
        if !cases().iter().any(|case| is_called(case.name, part)) {
            return Err(Misuse(unknown_case(part)).into());
        }
    }
    let cases: Vec<Case> = cases().into_iter().filter(wanted).collect();
    if cases.is_empty() {
        return Err(Misuse(format!("no quick case is called like {}", options.cases.join(", "))).into());
    }
    let first = options.engine.create()?;
    let engine = first.name();
    let (cases, unknown) = if first.creatures().is_some() {
        (cases, Vec::new())
    } else {
        cases
            .into_iter()
            .partition(|case: &Case| !case.name.starts_with("creatures/"))
    };
    drop(first);
    if !unknown.is_empty() {
        let left_out = format!(
            "the {engine} engine does not simulate creatures: {} cases about them",
            unknown.len()
        );
        if cases.is_empty() {
            return Err(Misuse(format!("{left_out} were asked for, and nothing else")).into());
        }
        tell!("{left_out} are left out");
    }
    // Once there was one, there is another.
    let make = || options.engine.create().expect("an engine");
    if !options.json {
        print_header();
    }
    let mut rows = Vec::new();
    let mut all_well = true;
    for case in &cases {
        if crate::interrupt::asked() {
            return Ok(crate::INTERRUPTED);
        }
        if !options.quiet {
            tell_part!("\r{} ...\r", case.name);
        }
        let started = Instant::now();
        let outcome = case.run(&make);
        all_well &= outcome.pass && outcome.control_fails;
        if options.json {
            rows.push(to_json(case, &outcome, engine));
        } else {
            print_row(case, &outcome, started.elapsed().as_secs_f64());
        }
    }
    if options.json {
        say!("{}", serde_json::to_string_pretty(&rows)?);
    }
    Ok(if all_well { crate::SUCCESS } else { crate::FAILURE })
}

fn to_json(case: &Case, outcome: &Outcome, engine: &str) -> Value {
    json!({
        "case": case.name,
        "engine": engine,
        "measured": outcome.measured,
        "reference": case.reference,
        "band": case.band,
        "unit": case.unit,
        "source": case.source,
        "pass": outcome.pass,
        "control": {
            "name": case.control_name,
            "measured": outcome.control,
            "fails": outcome.control_fails,
        },
    })
}

fn print_header() {
    say!(
        "{:34} {:>10} {:>10} {:>22}  {:4}  control",
        "case",
        "measured",
        "reference",
        "band",
        "pass"
    );
}

fn print_row(case: &Case, outcome: &Outcome, seconds: f64) {
    say!(
        "{:34} {:>10} {:>10} {:>22}  {:4}  {} {}: {} ({seconds:.1} s)",
        case.name,
        number(outcome.measured),
        number(case.reference),
        format!("[{}, {}] {}", number(case.band[0]), number(case.band[1]), case.unit),
        if outcome.pass { "yes" } else { "NO" },
        number(outcome.control),
        case.control_name,
        if outcome.control_fails {
            "fails, as it must"
        } else if outcome.control.is_nan() {
            "IS NO NUMBER"
        } else {
            "PASSES, and must not"
        },
    );
}

/// A number with about four digits.
fn number(value: f64) -> String {
    if value == 0.0 || (0.001..100_000.0).contains(&value.abs()) {
        let digits = (3 - value.abs().max(1e-3).log10().floor() as i32).clamp(0, 5) as usize;
        format!("{value:.digits$}")
    } else {
        format!("{value:.1e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(measure: fn(EngineMaker) -> f64, control: fn(EngineMaker) -> f64) -> (bool, bool) {
        let case = Case {
            name: "",
            source: "",
            reference: 0.0,
            band: [0.0, 1.0],
            unit: "",
            quick: true,
            measure,
            control_name: "",
            control,
        };
        let outcome = case.run(&|| Box::new(motes_core::CpuEngine::new()));
        (outcome.pass, outcome.control_fails)
    }

    #[test]
    fn what_is_no_number_neither_passes_nor_fails_as_it_must() {
        assert_eq!(outcome(|_| 0.5, |_| 2.0), (true, true));
        assert_eq!(outcome(|_| 0.5, |_| f64::INFINITY), (true, true));
        assert_eq!(outcome(|_| f64::NAN, |_| f64::NAN), (false, false));
    }
}
