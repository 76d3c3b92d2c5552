//! Emitters give off even streams on a device too.

use motes_gpu::GpuEngine;

use crate::jet;

#[test]
fn a_slow_jet_does_not_come_in_layers() {
    let Some(gpu) = crate::gpu() else { return };
    let engine = GpuEngine::new(&gpu).expect("engine");
    jet::assert_even(&jet::ages(Box::new(engine), 2));
}
