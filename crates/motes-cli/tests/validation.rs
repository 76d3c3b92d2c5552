//! The quick validation cases, as tests: each value inside its band, each control outside.

use motes_cli::validate::cases;
use motes_core::{CpuEngine, Engine};

#[test]
fn quick_cases_pass_and_their_controls_fail() {
    let engine = || -> Box<dyn Engine> { Box::new(CpuEngine::new()) };
    let quick: Vec<_> = cases().into_iter().filter(|case| case.quick).collect();
    assert!(quick.len() >= 9);
    for case in quick {
        let outcome = case.run(&engine);
        assert!(
            outcome.pass,
            "{}: {} outside {:?}",
            case.name, outcome.measured, case.band
        );
        assert!(
            outcome.control_fails,
            "{}: control \"{}\" passes with {}",
            case.name, case.control_name, outcome.control
        );
    }
}

#[test]
fn every_band_contains_its_reference() {
    for case in cases() {
        let [low, high] = case.band;
        assert!(low <= case.reference && case.reference <= high, "{}", case.name);
    }
}
