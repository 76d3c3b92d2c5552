//! The kernels of attachments, bound to the arrays they work on.

use motes_core::constraints::attachment::SWEEPS;

use super::body_stages::{LARGE, SMALL, SMALL_BODY};
use super::stages::{Bound, WORKGROUP};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::Kernel;
use crate::kernels;
use crate::launch::Launch;

/// Threads that share an island, or the search for a member: few, because levels of chains are narrow and waits between
/// them short where a workgroup is a single subgroup.
const ISLAND: u32 = 32;

/// Bits of `MOVES`: which bodies have their particles moved.
const SOFT: u32 = 1;
const RIGID: u32 = 2;

/// The kernels of worlds with attachments.
pub(super) struct AttachmentKernels {
    begin: Kernel,
    solve: Kernel,
    break_off: Kernel,
    /// The two halves of shape matching, for small bodies and for large ones.
    match_shapes: [[Kernel; 2]; 2],
}

impl AttachmentKernels {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        let half = |threads, matches, moves| {
            let constants = [("WORKGROUP", threads), ("MATCHES", matches), ("MOVES", moves)];
            Kernel::new(gpu, &kernels::MATCH_SHAPES, &constants)
        };
        let halves = |threads| Ok::<_, GpuError>([half(threads, 1, SOFT)?, half(threads, 0, RIGID)?]);
        Ok(Self {
            begin: Kernel::new(gpu, &kernels::BEGIN_ATTACHMENTS, &[("WORKGROUP", ISLAND)])?,
            solve: Kernel::new(
                gpu,
                &kernels::SOLVE_ATTACHMENTS,
                &[("WORKGROUP", ISLAND), ("SWEEPS", SWEEPS)],
            )?,
            break_off: Kernel::new(gpu, &kernels::BREAK_ATTACHMENTS, &[("WORKGROUP", WORKGROUP)])?,
            match_shapes: [halves(SMALL)?, halves(LARGE)?],
        })
    }
}

/// Launches for the attachments of a world.
pub(super) struct AttachmentStages {
    /// One per sub-step.
    pub(super) begin: Vec<Launch>,
    match_shapes: Launch,
    solve: Launch,
    move_members: Launch,
    pub(super) break_off: Option<Launch>,
}

impl AttachmentStages {
    /// None without attachments.
    pub(super) fn new(bound: Bound<'_>) -> Option<Self> {
        let (gpu, shapes, colliders) = (bound.gpu, bound.shapes, bound.colliders);
        let attachments = &shapes.attachments;
        let (counts, bodies) = (attachments.counts(), shapes.counts());
        let kernels = attachments.kernels().filter(|_| counts.attachments > 0)?;
        let params = || bound.params();
        let vectors = || bound.arrays.vectors.binding();
        let (membership, members) = (|| shapes.membership.binding(), || shapes.members.binding());
        let rows = || attachments.rows.binding();
        let halves = &kernels.match_shapes[usize::from(bodies.largest > SMALL_BODY)];
        let half = |kernel: &Kernel| {
            let clusters = shapes.clusters.binding();
            let resources = [
                params(),
                vectors(),
                membership(),
                members(),
                shapes.bodies.binding(),
                clusters,
            ];
            Launch::new(gpu, kernel, &resources, bodies.bodies)
        };
        let solve = |kernel: &Kernel| {
            let (islands, levels) = (attachments.islands.binding(), attachments.levels.binding());
            let resources = [
                params(),
                vectors(),
                membership(),
                members(),
                shapes.bodies.binding(),
                rows(),
                islands,
                levels,
            ];
            Launch::new(gpu, kernel, &resources, counts.islands)
        };
        let begin = |substep| {
            let resources = [
                colliders.params(substep),
                membership(),
                members(),
                shapes.bodies.binding(),
                rows(),
                attachments.anchors.binding(),
            ];
            Launch::new(gpu, &kernels.begin, &resources, counts.attachments)
        };
        Some(Self {
            begin: (0..colliders.substep_room()).map(begin).collect(),
            match_shapes: half(&halves[0]),
            solve: solve(&kernels.solve),
            move_members: half(&halves[1]),
            break_off: counts
                .fragile
                .then(|| bound.launch(&kernels.break_off, &[params(), rows()], counts.attachments)),
        })
    }

    /// Shape matching with attachments between its halves.
    pub(super) fn match_shapes(&self, pass: &mut wgpu::ComputePass<'_>) {
        for launch in [&self.match_shapes, &self.solve, &self.move_members] {
            launch.encode(pass);
        }
    }
}
