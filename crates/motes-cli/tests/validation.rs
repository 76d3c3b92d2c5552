//! The quick validation cases, as tests on both engines: each value inside its band, each control outside.

use std::sync::OnceLock;

use motes_cli::validate::{Case, EngineMaker, cases};
use motes_core::{CpuEngine, Engine};
use motes_gpu::{Choice, Gpu, GpuEngine, GpuError};

fn quick() -> Vec<Case> {
    cases().into_iter().filter(|case| case.quick).collect()
}

fn check(case: &Case, engine: EngineMaker) {
    let outcome = case.run(engine);
    println!("{}: {}, control {}", case.name, outcome.measured, outcome.control);
    assert!(
        outcome.pass,
        "{}: {} outside {:?}",
        case.name, outcome.measured, case.band
    );
    assert!(
        outcome.control_fails,
        "{}: control \"{}\" comes to {}",
        case.name, case.control_name, outcome.control
    );
}

#[test]
fn quick_cases_pass_and_their_controls_fail() {
    let engine = || -> Box<dyn Engine> { Box::new(CpuEngine::new()) };
    let quick = quick();
    assert!(quick.len() >= 9);
    quick.iter().for_each(|case| check(case, &engine));
}

/// The GPU or software driver of this machine. Without any, the tests say so and pass; with `MOTES_REQUIRE_GPU=1` they fail.
fn gpu() -> Option<&'static Gpu> {
    static GPU: OnceLock<Option<Gpu>> = OnceLock::new();
    let gpu = GPU.get_or_init(|| match Gpu::pick(&Choice::default()) {
        Ok(gpu) => Some(gpu),
        Err(GpuError::NoAdapter { .. }) if std::env::var("MOTES_REQUIRE_GPU").as_deref() != Ok("1") => None,
        Err(error) => panic!("{error}"),
    });
    if gpu.is_none() {
        println!("not tested: no GPU here");
    }
    gpu.as_ref()
}

fn check_on_the_gpu(name: &str) {
    let Some(gpu) = gpu() else { return };
    let engine = || -> Box<dyn Engine> { Box::new(GpuEngine::new(gpu).expect("an engine")) };
    let case = quick().into_iter().find(|case| case.name == name);
    check(&case.expect("a quick case"), &engine);
}

/// A test for each of the quick cases, and one that finds those that are missing.
macro_rules! on_the_gpu {
    ($($test:ident: $case:literal,)*) => {
        $(
            #[test]
            fn $test() {
                check_on_the_gpu($case);
            }
        )*

        #[test]
        fn every_quick_case_is_tested_on_the_gpu() {
            let names: Vec<_> = quick().iter().map(|case| case.name).collect();
            assert_eq!(names, [$($case),*]);
        }
    };
}

on_the_gpu! {
    momentum_on_the_gpu: "conservation/momentum",
    energy_on_the_gpu: "conservation/energy",
    projectile_on_the_gpu: "conservation/projectile",
    identical_constraints_on_the_gpu: "solver/two identical constraints",
    no_pop_on_the_gpu: "solver/no pop from the ground",
    spin_on_the_gpu: "bodies/spin is kept",
    stack_height_on_the_gpu: "bodies/stack keeps its height",
    stack_rest_on_the_gpu: "bodies/stack comes to rest",
    mass_scaling_on_the_gpu: "bodies/mass scaling stiffens a stack",
    interlocked_bodies_on_the_gpu: "bodies/interlocked bodies separate",
    impact_on_the_gpu: "impact/bodies on a plane",
    marbles_on_the_gpu: "marbles/rolling down a slope",
    rolling_on_the_gpu: "round/sphere of 8 across rolls",
    amplitude_on_the_gpu: "joints/amplitude is kept",
    motor_on_the_gpu: "joints/a motor holds its speed",
    friction_of_a_joint_on_the_gpu: "joints/friction stops a rod",
    sticking_on_the_gpu: "friction/angle of sticking",
    pair_on_the_gpu: "friction/angle of a pair",
    creep_on_the_gpu: "friction/creep below it",
    sliding_on_the_gpu: "friction/sliding distance",
    rebound_on_the_gpu: "friction/rebound height",
    box_behind_a_belt_on_the_gpu: "belts/box falls behind the belt",
    grains_behind_a_belt_on_the_gpu: "belts/grains fall behind the belt",
    box_with_a_belt_on_the_gpu: "belts/box moves with the belt",
    marble_on_a_belt_on_the_gpu: "belts/marble rolls on the belt",
    turntable_on_the_gpu: "belts/turntable carries round",
    sheet_in_air_on_the_gpu: "cloth/sheet sinks through air",
    box_on_the_gpu: "rest/box below its friction angle",
}

#[test]
fn every_band_contains_its_reference() {
    for case in cases() {
        let [low, high] = case.band;
        assert!(low <= case.reference && case.reference <= high, "{}", case.name);
    }
}
