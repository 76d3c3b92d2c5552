//! Worlds whose dead sections are filled with NaN in every sub-step come out byte for byte as they do otherwise.

use motes_core::{BodyId, Engine, Settings, World};
use motes_gpu::{Gpu, GpuEngine};

const DT: f32 = 1.0 / 60.0;

type Drive = fn(usize, &mut World, &[BodyId]);

fn engine(gpu: &Gpu, fills: bool) -> Box<dyn Engine> {
    let mut engine = GpuEngine::new(gpu).expect("engine");
    if fills {
        engine.fill_dead().expect("a kernel that fills");
    }
    Box::new(engine)
}

/// Runs both ways, saving now and then, which reads back most of what there is.
fn compare(gpu: &Gpu, name: &str, build: impl Fn(Box<dyn Engine>) -> (World, Vec<BodyId>), drive: Drive) {
    let [normal, filled] = [false, true].map(|fills| {
        let (mut world, bodies) = build(engine(gpu, fills));
        let mut course = Vec::new();
        for frame in 1..=24 {
            drive(frame, &mut world, &bodies);
            world.step(DT);
            if frame % 8 == 0 {
                course.push((world.save(), format!("{:?}", world.particle_contacts())));
            }
        }
        world.health().expect("finite");
        assert_eq!(world.fault(), None);
        course
    });
    assert!(normal == filled, "{name}");
}

fn nothing(_: usize, _: &mut World, _: &[BodyId]) {}

#[test]
fn filling_what_is_dead_changes_no_byte_of_grains() {
    let Some(gpu) = crate::gpu() else { return };
    let grains = |settings: Settings| move |engine| (crate::engine::build(engine, settings.clone(), 4).0, Vec::new());
    compare(&gpu, "heap", grains(Settings::default()), nothing);
    compare(&gpu, "every setting turned", grains(crate::engine::turned()), nothing);
    let spinning = |engine| {
        (
            crate::spins::turning(crate::engine::build(engine, Settings::default(), 4).0),
            Vec::new(),
        )
    };
    compare(&gpu, "turning", spinning, nothing);
    let without = |iterations, stabilization_iterations| Settings {
        iterations,
        stabilization_iterations,
        ..Settings::default()
    };
    compare(&gpu, "no iterations", grains(without(0, 1)), nothing);
    compare(&gpu, "no stabilization", grains(without(4, 0)), nothing);
    compare(
        &gpu,
        "births and deaths",
        |engine| (crate::population::build(engine), Vec::new()),
        nothing,
    );
    for settings in [Settings::default(), crate::engine::turned()] {
        let passive = |engine| {
            let mut world = crate::engine::build(engine, settings.clone(), 4).0;
            let markers = crate::passive::markers(2, 500, 1.0);
            world.add_passive(&markers).expect("markers");
            (world, Vec::new())
        };
        compare(&gpu, "passive particles", passive, nothing);
    }
}

#[test]
fn filling_what_is_dead_changes_no_byte_of_creatures() {
    let Some(gpu) = crate::gpu() else { return };
    compare(&gpu, "crowd", crate::creatures::crowd, nothing);
}

#[test]
fn filling_what_is_dead_changes_no_byte_of_bodies() {
    use crate::bodies::{linked, on_grains, plastic, push, pusher, scaled_stacks, soft};
    let Some(gpu) = crate::gpu() else { return };
    compare(&gpu, "on grains", on_grains, nothing);
    compare(&gpu, "scaled", scaled_stacks, nothing);
    compare(&gpu, "soft", soft, nothing);
    compare(&gpu, "linked", linked, nothing);
    compare(&gpu, "plastic", plastic, nothing);
    compare(&gpu, "pusher", pusher, push);
    compare(&gpu, "joints", crate::attachments::pulled, crate::attachments::pull);
    compare(
        &gpu,
        "melting",
        |engine| (crate::melting::plate(engine).0, Vec::new()),
        nothing,
    );
}
