//! Recording frames and timing their stages.

use motes_gpu::{Buffer, FRAME, Gpu, Measure, Recorder, Scan, ScanKernels, StageTimes, Timestamps, Variant};

use crate::{gpu, own_device};

/// Records a frame that goes through its stages twice, with a copy in between.
fn record(recorder: &mut Recorder, scan: &Scan, data: &Buffer<u32>) {
    for _ in 0..2 {
        scan.encode(recorder.stage("first"));
        scan.encode(recorder.stage("second"));
        scan.encode(recorder.stage("second"));
        recorder.encoder().clear_buffer(data.raw(), 0, Some(4));
    }
    recorder.submit();
}

fn check(gpu: &Gpu) {
    let data = Buffer::from_slice(gpu, "data", &vec![1_u32; 100_001]).expect("a buffer");
    let mut scan = Scan::new(&ScanKernels::new(gpu, Variant::best(gpu)).expect("kernels")).expect("a scan");
    scan.prepare(&data, 100_000).expect("ready");
    let mut recorder = Recorder::new(gpu).expect("a recorder");
    record(&mut recorder, &scan, &data);
    gpu.wait().expect("the device works");
    let stages = recorder.times().map(|times| times.stages.clone()).unwrap_or_default();
    assert!(stages.iter().all(|(name, _)| *name == FRAME), "{stages:?}");
    recorder.measure(Measure::Stages);
    // A machine that has other things to do may halt within either stage.
    let mut times = None;
    for _ in 0..10 {
        for _ in 0..8 {
            record(&mut recorder, &scan, &data);
        }
        gpu.wait().expect("the device works");
        times = recorder.times().cloned();
        let in_proportion = |times: &StageTimes| times.get("second") > times.get("first") / 2;
        if times.as_ref().is_none_or(in_proportion) {
            break;
        }
    }
    if gpu.capabilities().timestamps == Timestamps::None {
        assert_eq!(times, None);
        return;
    }
    let times = times.expect("frames are done");
    let names: Vec<_> = times.stages.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["first", "second"]);
    assert!(times.get("first") > std::time::Duration::ZERO);
    assert!(times.get("second") > times.get("first") / 2, "{times:?}");
    assert_eq!(times.total(), times.get("first") + times.get("second"));
}

#[test]
fn stages_add_up_over_a_frame() {
    let Some(gpu) = gpu() else { return };
    check(&gpu);
}

#[test]
fn stages_are_timed_with_what_the_device_has() {
    let Some(picked) = gpu() else { return };
    for features in [wgpu::Features::empty(), wgpu::Features::TIMESTAMP_QUERY] {
        check(&own_device(&picked, features));
    }
}
