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

/// A test for each of the quick cases that a GPU in software is through with in half a minute, and one that finds those missing.
macro_rules! on_the_gpu {
    ($($test:ident: $case:literal,)*) => {
        $(
            #[test]
            fn $test() {
                check_on_the_gpu($case);
            }
        )*

        #[test]
        fn every_quick_case_is_tested_on_the_gpu_or_known_to_be_long() {
            let names = quick().into_iter().map(|case| case.name);
            let (on_cpus, names): (Vec<_>, Vec<_>) = names.partition(|name| name.starts_with(ON_CPUS));
            let names: Vec<_> = names.into_iter().filter(|name| !LONG.contains(name)).collect();
            assert_eq!(names, [$($case),*]);
            assert_eq!(names.len() + LONG.len() + on_cpus.len(), quick().len());
        }
    };
}

/// Cases of what only the CPU engine simulates.
const ON_CPUS: &str = "creatures/";

/// Minutes each on a GPU in software: `motes validate --engine gpu` runs them, and both engines are compared in shorter scenes.
const LONG: [&str; 14] = [
    "conservation/energy",
    "bodies/spin is kept",
    "bodies/mass scaling stiffens a stack",
    "impact/bodies on a plane",
    "marbles/rolling down a slope",
    "round/sphere of 8 across rolls",
    "joints/amplitude is kept",
    "joints/a motor holds its speed",
    "joints/friction stops a rod",
    "belts/box falls behind the belt",
    "belts/box moves with the belt",
    "belts/turntable carries round",
    "cloth/sheet sinks through air",
    "rest/box below its friction angle",
];

on_the_gpu! {
    momentum_on_the_gpu: "conservation/momentum",
    projectile_on_the_gpu: "conservation/projectile",
    identical_constraints_on_the_gpu: "solver/two identical constraints",
    no_pop_on_the_gpu: "solver/no pop from the ground",
    stack_height_on_the_gpu: "bodies/stack keeps its height",
    stack_rest_on_the_gpu: "bodies/stack comes to rest",
    interlocked_bodies_on_the_gpu: "bodies/interlocked bodies separate",
    sticking_on_the_gpu: "friction/angle of sticking",
    pair_on_the_gpu: "friction/angle of a pair",
    creep_on_the_gpu: "friction/creep below it",
    sliding_on_the_gpu: "friction/sliding distance",
    rebound_on_the_gpu: "friction/rebound height",
    grains_behind_a_belt_on_the_gpu: "belts/grains fall behind the belt",
    marble_on_a_belt_on_the_gpu: "belts/marble rolls on the belt",
}

#[test]
fn every_band_contains_its_reference() {
    for case in cases() {
        let [low, high] = case.band;
        assert!(low <= case.reference && case.reference <= high, "{}", case.name);
    }
}
