//! The kernels of attachments, bound to the arrays they work on.

use motes_core::constraints::attachment::{JOININGS, SWEEPS};

use super::body_stages::{SMALL, match_shapes};
use super::stages::Bound;
use crate::kernel::Source;
use crate::kernels;
use crate::launch::Launch;

/// Threads that share an island, or the search for a member: few, because levels of chains are narrow and waits between
/// them short where a workgroup is a single subgroup.
const ISLAND: u32 = 32;

/// Bits of `MOVES`: which bodies have their particles moved.
pub(crate) const MOVES_SOFT: u32 = 1;
pub(crate) const MOVES_RIGID: u32 = 2;

/// Launches for the attachments of a world.
pub(super) struct AttachmentStages {
    /// One per sub-step.
    begin: Vec<Launch>,
    place_levers: Launch,
    match_shapes: Launch,
    /// None without trees, and without anything else.
    solve_trees: Option<Launch>,
    solve: Option<Launch>,
    move_members: Launch,
    /// Starts of bodies that are held together in trees.
    join_trees: Option<Launch>,
    /// Those in loops, and then the particles of both.
    hold_starts: Vec<Launch>,
    /// Points of bodies that flow.
    pub(super) carry_points: Option<Launch>,
    pub(super) break_off: Option<Launch>,
}

impl AttachmentStages {
    /// None without attachments.
    pub(super) fn new(bound: Bound<'_>) -> Option<Self> {
        let (gpu, shapes, colliders) = (bound.gpu, bound.shapes, bound.colliders);
        let attachments = &shapes.attachments;
        let counts = attachments.counts();
        if counts.attachments == 0 {
            return None;
        }
        let params = || bound.params();
        let vectors = || bound.arrays.vectors.binding();
        let (membership, members) = (|| shapes.membership.binding(), || shapes.members.binding());
        let rows = || attachments.rows.binding();
        let drives = || attachments.drives.rows.binding();
        let bodies = || shapes.bodies.binding();
        let (islands, levels) = (|| attachments.islands.binding(), || attachments.levels.binding());
        let solve_trees = |starts: u32| {
            let trees = &attachments.trees;
            let drives_act = u32::from(counts.driven && starts == 0);
            let repeats = if starts == 1 { JOININGS } else { 1 };
            let mut constants = vec![
                ("WORKGROUP", ISLAND),
                ("DRIVES", drives_act),
                ("STARTS", starts),
                ("REPEATS", repeats),
            ];
            let source = match trees.near() {
                Some([nodes, joints]) => {
                    constants.extend([("NODES", nodes), ("JOINTS", joints)]);
                    &kernels::SOLVE_TREES
                }
                None => &kernels::SOLVE_LARGE_TREES,
            };
            let resources = [
                bodies(),
                rows(),
                trees.islands.binding(),
                trees.levels.binding(),
                trees.nodes.binding(),
                drives(),
                trees.node_work.binding(),
                trees.joint_work.binding(),
            ];
            let kernel = bound.kernel_with(source, &constants);
            (counts.trees > 0).then(|| Launch::new(gpu, &kernel, &resources, counts.trees))
        };
        let by_sweeps = [("WORKGROUP", ISLAND), ("SWEEPS", SWEEPS)];
        let for_islands = |kernel: &Source, resources: &[wgpu::BindingResource<'_>]| {
            let kernel = bound.kernel_with(kernel, &by_sweeps);
            (counts.islands > 0).then(|| Launch::new(gpu, &kernel, resources, counts.islands))
        };
        let hold_loop_starts = for_islands(
            &kernels::HOLD_STARTS,
            &[bodies(), rows(), islands(), levels(), drives()],
        );
        let place_starts = Launch::new(
            gpu,
            &bound.kernel_with(&kernels::PLACE_STARTS, &[("WORKGROUP", SMALL)]),
            &[
                params(),
                vectors(),
                membership(),
                members(),
                bodies(),
                attachments.bodies.binding(),
            ],
            counts.bodies,
        );
        let begin_kernel = bound.kernel_with(&kernels::BEGIN_ATTACHMENTS, &[("WORKGROUP", ISLAND)]);
        let begin = |substep| {
            let resources = [
                params(),
                colliders.params(substep),
                vectors(),
                membership(),
                members(),
                bodies(),
                rows(),
                attachments.anchors.binding(),
                drives(),
            ];
            Launch::new(gpu, &begin_kernel, &resources, counts.attachments)
        };
        Some(Self {
            begin: (0..colliders.substep_room()).map(begin).collect(),
            place_levers: bound.launch(
                &bound.kernel(&kernels::PLACE_LEVERS),
                &[
                    shapes.bodies.binding(),
                    rows(),
                    attachments.bodies.binding(),
                    attachments.incidence.binding(),
                ],
                counts.bodies,
            ),
            match_shapes: match_shapes(bound, &[("MATCHES", 1), ("MOVES", MOVES_SOFT)]),
            solve_trees: solve_trees(0),
            solve: for_islands(
                &kernels::SOLVE_ATTACHMENTS,
                &[
                    params(),
                    vectors(),
                    membership(),
                    members(),
                    bodies(),
                    rows(),
                    islands(),
                    levels(),
                    drives(),
                ],
            ),
            move_members: match_shapes(bound, &[("MATCHES", 0), ("MOVES", MOVES_RIGID)]),
            join_trees: solve_trees(1),
            hold_starts: { hold_loop_starts.into_iter() }.chain([place_starts]).collect(),
            carry_points: shapes.counts().plastic.then(|| {
                Launch::new(
                    gpu,
                    &bound.kernel_with(&kernels::CARRY_POINTS, &[("WORKGROUP", ISLAND)]),
                    &[params(), membership(), members(), bodies(), rows()],
                    counts.attachments,
                )
            }),
            break_off: match counts.fragile {
                true => Some(bound.launch(
                    &bound.kernel(&kernels::BREAK_ATTACHMENTS),
                    &[params(), rows(), drives()],
                    counts.attachments,
                )),
                false => None,
            },
        })
    }

    /// Shape matching with attachments between its halves.
    pub(super) fn match_shapes(&self, pass: &mut wgpu::ComputePass<'_>) {
        let solve = self.solve_trees.iter().chain(&self.solve);
        for launch in std::iter::once(&self.match_shapes)
            .chain(solve)
            .chain([&self.move_members])
        {
            launch.encode(pass);
        }
    }

    /// Starts of bodies back together, after some were moved out of overlaps.
    pub(super) fn hold_starts(&self, pass: &mut wgpu::ComputePass<'_>) {
        for launch in self.join_trees.iter().chain(&self.hold_starts) {
            launch.encode(pass);
        }
    }

    /// What attachments begin a sub-step with.
    pub(super) fn begin(&self, substep: u32, pass: &mut wgpu::ComputePass<'_>) {
        self.place_levers.encode(pass);
        self.begin[substep as usize].encode(pass);
    }
}
