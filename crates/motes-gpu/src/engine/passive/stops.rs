//! Spray, foam, bubbles and markers of smoke stay out of colliders, on the device.

use motes_core::engine::Frame;
use motes_core::engine::timings::Stage;

use super::stages::{Bound, WORKGROUP};
use crate::colliders::shapes::SHELLS;
use crate::engine::State;
use crate::error::GpuError;
use crate::kernel::Kernel;
use crate::kernels;

impl State {
    /// What stops them in each sub-step, where there are colliders and any that they stop.
    pub(super) fn passive_stops(&self, frame: &Frame) -> Result<Vec<Bound>, GpuError> {
        let shapes = self.colliders.solid_kinds();
        if shapes == 0 || !self.passive.stoppable {
            return Ok(Vec::new());
        }
        let shells = shapes & SHELLS != 0;
        let source = if shells {
            &kernels::STOP_PASSIVE
        } else {
            &kernels::STOP_AT_SOLIDS
        };
        let kernel = Kernel::new(&self.gpu, source, &[("SHAPES", shapes), ("WORKGROUP", WORKGROUP)])?;
        let (set, _) = self.passive.sets();
        let stop = |substep: u32| {
            let mut resources = vec![
                self.colliders.params(substep),
                self.passive.foam_params.binding(0),
                self.passive.counts.binding(),
                set.positions.binding(),
                set.velocities.binding(),
                set.kinds.binding(),
                self.colliders.pool().binding(),
                self.colliders.contacts().binding(),
            ];
            if shells {
                resources.push(self.colliders.pool().binding());
            }
            (kernel.clone(), kernel.bind(&self.gpu, &resources))
        };
        Ok((0..frame.settings.substeps.max(1)).map(stop).collect())
    }

    /// Records that they stay out of colliders.
    pub(super) fn stop_passive(&mut self) {
        if let Some((kernel, bindings)) = self.passive.stops.get(self.substep as usize) {
            let pass = self.recorder.stage(Stage::AdvectDiffuse.name());
            kernel.launch(pass, bindings, self.passive.bound as u32);
        }
    }
}
