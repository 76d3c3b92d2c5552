//! Emitters give off even streams.

#[path = "common/jet.rs"]
mod jet;

use motes_core::CpuEngine;

#[test]
fn a_slow_jet_does_not_come_in_layers() {
    for substeps in [1, 2, 8] {
        jet::assert_even(&jet::ages(Box::new(CpuEngine::new()), substeps));
    }
}
