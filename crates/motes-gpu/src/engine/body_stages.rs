//! The kernels of bodies, bound to the arrays they work on.

use motes_core::constraints::contact::REBOUNDS;

use super::attachment_stages::AttachmentStages;
use super::chunks::{LEADERS, MEMBERS};
use super::features::Features;
use super::stages::Bound;
use crate::kernel::{Kernel, Source};
use crate::kernels;
use crate::launch::Launch;

/// Threads that share a body: few where all bodies are small.
pub(super) const SMALL: u32 = 64;
pub(super) const LARGE: u32 = 256;
/// Members of a body for which few threads are enough.
pub(super) const SMALL_BODY: usize = 256;
/// Threads that share a cluster, or the sums over a chunk: few where all of them are small.
const SMALL_PART: u32 = 32;
const LARGE_PART: u32 = 128;
/// Threads that share a chunk.
const CHUNK: u32 = LEADERS + MEMBERS as u32;

/// Launches for the bodies of a world.
pub(crate) struct BodyStages {
    locate: Launch,
    /// One per sub-step.
    fly: Vec<Launch>,
    carry: Launch,
    pub(crate) turn_fields: Launch,
    /// Effective inverse masses of the particles of bodies, once all contacts are found: two steps, of which the first is for
    /// either set of pairs.
    pub(crate) count_contacts: [Launch; 2],
    pub(crate) share: Launch,
    /// For either set of pairs, where masses are scaled.
    pub(crate) scale_masses: Option<[Launch; 2]>,
    /// By where particles are when a sub-step begins, where there are clusters.
    match_first: Option<Launch>,
    /// Where there are clusters or chunks.
    match_parts: Option<Launch>,
    match_shapes: Launch,
    /// Where large bodies may be rigid.
    sum_starts: Option<Launch>,
    match_starts: Launch,
    /// Out of colliders at the start, where any body is rigid, and at the end.
    keep_out: [Option<Launch>; 2],
    /// Where bodies may bend.
    keep_spin: Option<Launch>,
    derive_velocities: Launch,
    /// Where any body is rigid: the first, the next and the last time in a sub-step.
    rebound: Option<[Launch; 3]>,
    flow: Option<Launch>,
    rest: Launch,
    attachments: Option<AttachmentStages>,
}

impl BodyStages {
    pub(crate) fn new(bound: Bound<'_>) -> Self {
        let Bound {
            gpu,
            arrays: a,
            colliders,
            shapes,
            ..
        } = bound;
        let counts = shapes.counts();
        let threads = if counts.largest > SMALL_BODY { LARGE } else { SMALL };
        let per_body = |source: &Source| bound.kernel_with(source, &[("WORKGROUP", threads)]);
        let (fly, count_contacts) = (per_body(&kernels::FLY_BODIES), bound.kernel(&kernels::COUNT_CONTACTS));
        let params = || bound.params();
        let (vectors, kinds) = (|| a.vectors.binding(), || a.kinds.binding());
        let (membership, members) = (|| shapes.membership.binding(), || shapes.members.binding());
        let bodies = || shapes.bodies.binding();
        let chunks = || shapes.chunks.binding();
        let chunked = counts.chunks > 0;
        let large_parts = chunked || counts.largest_cluster > SMALL_PART as usize;
        // Waiting for each other costs most where one core has all threads.
        let part_threads = match large_parts && !gpu.is_software() {
            true => LARGE_PART,
            false => SMALL_PART,
        };
        let for_bodies = |kernel: &Kernel, resources: &[wgpu::BindingResource<'_>]| {
            Launch::new(gpu, kernel, resources, counts.bodies)
        };
        let for_parts = |first: u32, starts: u32, clusters: usize| {
            let constants = [("WORKGROUP", part_threads), ("FIRST", first), ("STARTS", starts)];
            let resources = [
                params(),
                vectors(),
                membership(),
                members(),
                bodies(),
                chunks(),
                shapes.clusters.binding(),
            ];
            let kernel = bound.kernel_with(&kernels::MATCH_PARTS, &constants);
            let groups = shapes.chunks.capacity() + clusters;
            Launch::new(gpu, &kernel, &resources, groups)
        };
        Self {
            locate: bound.per_particle(
                &bound.kernel(&kernels::LOCATE_MEMBERS),
                &[params(), kinds(), membership()],
            ),
            fly: (0..colliders.substep_room())
                .map(|substep| {
                    for_bodies(
                        &fly,
                        &[
                            params(),
                            colliders.params(substep),
                            vectors(),
                            membership(),
                            members(),
                            bodies(),
                            shapes.poses.binding(),
                        ],
                    )
                })
                .collect(),
            carry: bound.per_particle(
                &bound.kernel(&kernels::CARRY_MEMBERS),
                &[
                    params(),
                    vectors(),
                    kinds(),
                    membership(),
                    members(),
                    bodies(),
                    a.cells.binding(),
                    bound.inputs.table.binding(),
                    shapes.clusters.binding(),
                ],
            ),
            turn_fields: bound.per_particle(
                &bound.kernel(&kernels::TURN_FIELDS),
                &[params(), vectors(), kinds(), membership(), members(), bodies()],
            ),
            count_contacts: [0, 1].map(|now| {
                let set = &a.pairs[now];
                bound.per_particle(
                    &count_contacts,
                    &[
                        params(),
                        vectors(),
                        set.ranges.binding(),
                        set.members.binding(),
                        a.foreign.binding(),
                        colliders.contacts().binding(),
                        colliders.ranges().binding(),
                    ],
                )
            }),
            share: for_bodies(
                &per_body(&kernels::SHARE_BODIES),
                &[params(), vectors(), membership(), members(), bodies()],
            ),
            scale_masses: match bound.has(Features::SCALED) {
                true => {
                    let scale = bound.kernel(&kernels::SCALE_BODY_MASSES);
                    Some([0, 1].map(|now| {
                        bound.per_pair(
                            &scale,
                            &[
                                params(),
                                a.owners.binding(),
                                a.pairs[now].members.binding(),
                                vectors(),
                                a.shares.binding(),
                                kinds(),
                                membership(),
                                members(),
                                bodies(),
                            ],
                        )
                    }))
                }
                false => None,
            },
            match_parts: match counts.clusters + counts.chunks > 0 {
                true => Some(for_parts(0, 0, counts.clusters)),
                false => None,
            },
            match_first: match counts.clusters > 0 {
                true => Some(for_parts(1, 0, counts.clusters)),
                false => None,
            },
            match_shapes: match_shapes(bound, &[]),
            sum_starts: match chunked && counts.whole {
                true => Some(for_parts(0, 1, 0)),
                false => None,
            },
            match_starts: match chunked {
                true => Launch::new(
                    gpu,
                    &bound.kernel_with(&kernels::MATCH_CHUNK_STARTS, &[("WORKGROUP", CHUNK)]),
                    &[params(), vectors(), membership(), members(), bodies(), chunks()],
                    counts.chunks,
                ),
                false => for_bodies(
                    &per_body(&kernels::MATCH_STARTS),
                    &[params(), vectors(), membership(), members(), bodies()],
                ),
            },
            keep_out: [1, 0].map(|at_start| {
                (at_start == 0 || counts.whole).then(|| {
                    let joints = u32::from(shapes.attachments.counts().bodies > 0);
                    let constants = [("WORKGROUP", threads), ("AT_START", at_start), ("JOINTS", joints)];
                    for_bodies(
                        &bound.kernel_with(&kernels::KEEP_OUT, &constants),
                        &[
                            params(),
                            vectors(),
                            membership(),
                            members(),
                            bodies(),
                            colliders.ranges().binding(),
                            colliders.contacts().binding(),
                            shapes.attachments.bodies.binding(),
                        ],
                    )
                })
            }),
            keep_spin: match counts.soft {
                true => Some(for_bodies(
                    &per_body(&kernels::KEEP_SPIN),
                    &[params(), vectors(), membership(), members(), bodies()],
                )),
                false => None,
            },
            rebound: counts.whole.then(|| {
                let rounds = if bound.has(Features::IMPACTS) { 1 } else { REBOUNDS };
                [(0, 0), (1, 0), (1, 1)].map(|(again, last)| {
                    let again = if rounds == 1 { again } else { 0 };
                    let constants = [
                        ("WORKGROUP", threads),
                        ("INNER", rounds),
                        ("AGAIN", again),
                        ("LAST", last),
                    ];
                    for_bodies(
                        &bound.kernel_with(&kernels::REBOUND_BODIES, &constants),
                        &[
                            params(),
                            vectors(),
                            membership(),
                            members(),
                            bodies(),
                            bound.colliders.ranges().binding(),
                            bound.colliders.contacts().binding(),
                        ],
                    )
                })
            }),
            derive_velocities: bound.per_particle(
                &bound.kernel(&kernels::DERIVE_BODY_VELOCITIES),
                &[params(), vectors(), kinds(), membership(), members(), bodies()],
            ),
            flow: match counts.plastic {
                true => Some(for_bodies(
                    &per_body(&kernels::FLOW_BODIES),
                    &[params(), membership(), members(), bodies()],
                )),
                false => None,
            },
            rest: for_bodies(
                &per_body(&kernels::REST_BODIES),
                &[
                    params(),
                    vectors(),
                    membership(),
                    bodies(),
                    kinds(),
                    bound.inputs.table.binding(),
                ],
            ),
            attachments: AttachmentStages::new(bound),
        }
    }

    /// Lines 1–5, after the particles have been given theirs.
    pub(crate) fn fly(&self, substep: u32, pass: &mut wgpu::ComputePass<'_>) {
        if substep == 0 {
            self.locate.encode(pass);
        }
        if let Some(clusters) = &self.match_first {
            clusters.encode(pass);
        }
        self.fly[substep as usize].encode(pass);
        if let Some(attachments) = &self.attachments {
            attachments.begin(substep, pass);
        }
        self.carry.encode(pass);
    }

    /// Shape matching of the candidate positions.
    pub(crate) fn match_shapes(&self, pass: &mut wgpu::ComputePass<'_>) {
        if let Some(parts) = &self.match_parts {
            parts.encode(pass);
        }
        match &self.attachments {
            Some(attachments) => attachments.match_shapes(pass),
            None => self.match_shapes.encode(pass),
        }
    }

    /// Shape matching of the starting positions.
    pub(crate) fn match_starts(&self, pass: &mut wgpu::ComputePass<'_>) {
        if let Some(sum) = &self.sum_starts {
            sum.encode(pass);
        }
        self.match_starts.encode(pass);
        if let [Some(starts), _] = &self.keep_out {
            starts.encode(pass);
        }
        if let Some(attachments) = &self.attachments {
            attachments.hold_starts(pass);
        }
    }

    /// Colliders have the last word about bodies.
    pub(crate) fn keep_out(&self, pass: &mut wgpu::ComputePass<'_>) {
        if let [_, Some(ends)] = &self.keep_out {
            ends.encode(pass);
        }
    }

    /// Line 24 for bodies.
    pub(crate) fn derive_velocities(&self, pass: &mut wgpu::ComputePass<'_>) {
        if let Some(keep_spin) = &self.keep_spin {
            keep_spin.encode(pass);
        }
        self.derive_velocities.encode(pass);
    }

    /// Whether any body is rigid, or would be if it were stiff enough.
    pub(crate) fn has_rigid(&self) -> bool {
        self.rebound.is_some()
    }

    /// Rebounds of rigid bodies, after those of particles for the time `round` of [`REBOUNDS`] if there are any.
    pub(crate) fn rebound(&self, round: u32, pass: &mut wgpu::ComputePass<'_>) {
        if let Some([first, next, last]) = &self.rebound {
            match round {
                0 => first.encode(pass),
                _ if round + 1 == REBOUNDS => last.encode(pass),
                _ => next.encode(pass),
            }
        }
    }

    /// What is left to do before positions are accepted.
    pub(crate) fn finish(&self, pass: &mut wgpu::ComputePass<'_>) {
        if let Some(points) = self.attachments.as_ref().and_then(|all| all.carry_points.as_ref()) {
            points.encode(pass);
        }
        if let Some(flow) = &self.flow {
            flow.encode(pass);
        }
        self.rest.encode(pass);
        if let Some(launch) = self
            .attachments
            .as_ref()
            .and_then(|attachments| attachments.break_off.as_ref())
        {
            launch.encode(pass);
        }
    }
}

/// Moves members by shape matching, chunk by chunk where any body is large, with these constants besides.
pub(super) fn match_shapes(bound: Bound<'_>, constants: &[(&'static str, u32)]) -> Launch {
    let shapes = bound.shapes;
    let counts = shapes.counts();
    let with = |threads| [&[("WORKGROUP", threads)], constants].concat();
    let mut resources = vec![
        bound.params(),
        bound.arrays.vectors.binding(),
        shapes.membership.binding(),
        shapes.members.binding(),
        shapes.bodies.binding(),
        shapes.clusters.binding(),
    ];
    if counts.chunks == 0 {
        let kernel = bound.kernel_with(&kernels::MATCH_SHAPES, &with(SMALL));
        return Launch::new(bound.gpu, &kernel, &resources, counts.bodies);
    }
    resources.push(shapes.chunks.binding());
    let kernel = bound.kernel_with(&kernels::MATCH_CHUNKS, &with(CHUNK));
    Launch::new(bound.gpu, &kernel, &resources, counts.chunks)
}
