//! Attachments in a new order, after bodies were made kinematic or let go: which of them hang together has changed, and only the
//! device knows what the attachments have done and which are broken.

use motes_core::Bodies;

use super::Attachments;
use crate::buffers::Buffer;
use crate::error::GpuError;
use crate::kernel::Kernel;
use crate::kernels;

const WORKGROUP: u32 = 64;

impl Attachments {
    /// Orders the host's attachments anew and has the device keep what it knows of each. Launches have to be made anew.
    pub(in crate::engine) fn regroup(
        &mut self,
        bodies: &Bodies,
        pass: &mut wgpu::ComputePass<'_>,
    ) -> Result<(), GpuError> {
        let places = self.places.clone();
        let before = std::mem::replace(&mut self.rows, Buffer::new(&self.gpu, "attachments", 1)?);
        self.drives.keep_state(true);
        self.upload(bodies, self.clusters_at)?;
        self.drives.keep_state(false);
        let row_before = |id| {
            let place = places.binary_search_by_key(&id, |place| place.0).ok()?;
            Some(places[place].1)
        };
        let moves = self.places.iter().filter_map(|&(id, row)| Some([row_before(id)?, row]));
        let moves: Vec<[u32; 2]> = moves.collect();
        if moves.is_empty() {
            return Ok(());
        }
        let listed = Buffer::from_slice(&self.gpu, "moved attachments", &moves)?;
        let kernel = Kernel::new(&self.gpu, &kernels::KEEP_ATTACHMENTS, &[("WORKGROUP", WORKGROUP)])?;
        let resources = [listed.binding(), before.binding(), self.rows.binding()];
        kernel.launch(pass, &kernel.bind(&self.gpu, &resources), moves.len() as u32);
        Ok(())
    }
}
