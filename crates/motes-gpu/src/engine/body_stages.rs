//! The kernels of bodies, bound to the arrays they work on.

use super::attachment_stages::AttachmentStages;
use super::stages::{Bound, StepKernels, WORKGROUP};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::{Kernel, Variant};
use crate::kernels;
use crate::launch::Launch;

/// Threads that share a body: few where all bodies are small.
pub(super) const SMALL: u32 = 64;
pub(super) const LARGE: u32 = 256;
/// Members of a body for which few threads are enough.
pub(super) const SMALL_BODY: usize = 256;
/// Threads that share a cluster.
const CLUSTER: u32 = 32;

/// The kernels with a workgroup for each body.
struct PerBody {
    fly: Kernel,
    share: Kernel,
    /// The first time in a sub-step, and from then on.
    solve_links: [Kernel; 2],
    match_shapes: Kernel,
    match_starts: Kernel,
    flow: Kernel,
    rest: Kernel,
}

impl PerBody {
    fn new(gpu: &Gpu, threads: u32) -> Result<Self, GpuError> {
        let kernel = |source| Kernel::new(gpu, source, &[("WORKGROUP", threads)]);
        let links = |first| Kernel::new(gpu, &kernels::SOLVE_LINKS, &[("WORKGROUP", threads), ("FIRST", first)]);
        Ok(Self {
            fly: kernel(&kernels::FLY_BODIES)?,
            share: kernel(&kernels::SHARE_BODIES)?,
            solve_links: [links(1)?, links(0)?],
            match_shapes: kernel(&kernels::MATCH_SHAPES)?,
            match_starts: kernel(&kernels::MATCH_STARTS)?,
            flow: kernel(&kernels::FLOW_BODIES)?,
            rest: kernel(&kernels::REST_BODIES)?,
        })
    }
}

/// The compiled kernels of worlds with bodies.
pub(crate) struct BodyKernels {
    /// Those of any world, for one with bodies.
    pub(crate) step: StepKernels,
    locate: Kernel,
    carry: Kernel,
    turn_fields: Kernel,
    count_contacts: Kernel,
    derive_velocities: Kernel,
    scale_masses: Kernel,
    /// The first time in a sub-step, and from then on.
    match_clusters: [Kernel; 2],
    /// For small bodies, and for large ones.
    per_body: [PerBody; 2],
}

impl BodyKernels {
    pub(crate) fn new(gpu: &Gpu, variant: Variant, sizes: bool) -> Result<Self, GpuError> {
        let constants = [("WORKGROUP", WORKGROUP), ("SIZES", u32::from(sizes))];
        let kernel = |source| Kernel::new(gpu, source, &constants);
        let clusters = |first| {
            Kernel::new(
                gpu,
                &kernels::MATCH_CLUSTERS,
                &[("WORKGROUP", CLUSTER), ("FIRST", first)],
            )
        };
        Ok(Self {
            step: StepKernels::new(gpu, variant, true, sizes)?,
            locate: kernel(&kernels::LOCATE_MEMBERS)?,
            carry: kernel(&kernels::CARRY_MEMBERS)?,
            turn_fields: kernel(&kernels::TURN_FIELDS)?,
            count_contacts: kernel(&kernels::COUNT_CONTACTS)?,
            derive_velocities: kernel(&kernels::DERIVE_BODY_VELOCITIES)?,
            scale_masses: kernel(&kernels::SCALE_BODY_MASSES)?,
            match_clusters: [clusters(1)?, clusters(0)?],
            per_body: [PerBody::new(gpu, SMALL)?, PerBody::new(gpu, LARGE)?],
        })
    }
}

/// Launches for the bodies of a world.
pub(crate) struct BodyStages {
    locate: Launch,
    /// One per sub-step.
    fly: Vec<Launch>,
    carry: Launch,
    pub(crate) turn_fields: Launch,
    count_contacts: [Launch; 2],
    share: Launch,
    /// For either set of pairs.
    pub(crate) scale_masses: [Launch; 2],
    solve_links: Option<[Launch; 2]>,
    match_clusters: Option<[Launch; 2]>,
    match_shapes: Launch,
    pub(crate) match_starts: Launch,
    pub(crate) derive_velocities: Launch,
    flow: Option<Launch>,
    rest: Launch,
    attachments: Option<AttachmentStages>,
}

impl BodyStages {
    /// None if the kernels have not been compiled.
    pub(crate) fn new(bound: Bound<'_>) -> Option<Self> {
        let Bound {
            gpu,
            arrays: a,
            colliders,
            shapes,
            ..
        } = bound;
        let kernels = shapes.kernels()?;
        let counts = shapes.counts();
        let per_body = &kernels.per_body[usize::from(counts.largest > SMALL_BODY)];
        let params = || bound.params();
        let (vectors, kinds) = (|| a.vectors.binding(), || a.kinds.binding());
        let (membership, members) = (|| shapes.membership.binding(), || shapes.members.binding());
        let (bodies, clusters) = (|| shapes.bodies.binding(), || shapes.clusters.binding());
        let for_bodies = |kernel: &Kernel, resources: &[wgpu::BindingResource<'_>]| {
            Launch::new(gpu, kernel, resources, counts.bodies)
        };
        let for_clusters = |kernel: &Kernel| {
            let resources = [params(), vectors(), membership(), members(), clusters()];
            Launch::new(gpu, kernel, &resources, counts.clusters)
        };
        Some(Self {
            locate: bound.per_particle(&kernels.locate, &[params(), kinds(), membership()]),
            fly: (0..colliders.substep_room())
                .map(|substep| {
                    for_bodies(
                        &per_body.fly,
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
                &kernels.carry,
                &[
                    params(),
                    vectors(),
                    kinds(),
                    membership(),
                    members(),
                    bodies(),
                    a.cells.binding(),
                    bound.inputs.table.binding(),
                ],
            ),
            turn_fields: bound.per_particle(
                &kernels.turn_fields,
                &[params(), vectors(), kinds(), membership(), members(), bodies()],
            ),
            count_contacts: [0, 1].map(|now| {
                let set = &a.pairs[now];
                bound.per_particle(
                    &kernels.count_contacts,
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
                &per_body.share,
                &[params(), vectors(), membership(), members(), bodies()],
            ),
            scale_masses: [0, 1].map(|now| {
                bound.per_pair(
                    &kernels.scale_masses,
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
            }),
            solve_links: (counts.links > 0).then(|| {
                per_body.solve_links.each_ref().map(|kernel| {
                    let resources = [
                        params(),
                        vectors(),
                        membership(),
                        members(),
                        bodies(),
                        shapes.ties.binding(),
                        shapes.pulls.binding(),
                    ];
                    for_bodies(kernel, &resources)
                })
            }),
            match_clusters: (counts.clusters > 0).then(|| kernels.match_clusters.each_ref().map(for_clusters)),
            match_shapes: for_bodies(
                &per_body.match_shapes,
                &[params(), vectors(), membership(), members(), bodies(), clusters()],
            ),
            match_starts: for_bodies(
                &per_body.match_starts,
                &[params(), vectors(), membership(), members(), bodies()],
            ),
            derive_velocities: bound.per_particle(
                &kernels.derive_velocities,
                &[params(), vectors(), kinds(), membership(), members(), bodies()],
            ),
            flow: counts
                .plastic
                .then(|| for_bodies(&per_body.flow, &[params(), membership(), members(), bodies()])),
            rest: for_bodies(&per_body.rest, &[params(), vectors(), membership(), bodies()]),
            attachments: AttachmentStages::new(bound),
        })
    }

    /// Lines 1–5, after the particles have been given theirs.
    pub(crate) fn fly(&self, substep: u32, pass: &mut wgpu::ComputePass<'_>) {
        if substep == 0 {
            self.locate.encode(pass);
        }
        self.fly[substep as usize].encode(pass);
        if let Some(attachments) = &self.attachments {
            attachments.begin[substep as usize].encode(pass);
        }
        self.carry.encode(pass);
    }

    /// How far contacts count on moving the particles of bodies, once all are found.
    pub(crate) fn share(&self, now: usize, pass: &mut wgpu::ComputePass<'_>) {
        self.count_contacts[now].encode(pass);
        self.share.encode(pass);
    }

    /// Distances of linked particles.
    pub(crate) fn solve_links(&self, first: bool, pass: &mut wgpu::ComputePass<'_>) {
        if let Some(links) = &self.solve_links {
            links[usize::from(!first)].encode(pass);
        }
    }

    /// Shape matching of the candidate positions.
    pub(crate) fn match_shapes(&self, first: bool, pass: &mut wgpu::ComputePass<'_>) {
        if let Some(clusters) = &self.match_clusters {
            clusters[usize::from(!first)].encode(pass);
        }
        match &self.attachments {
            Some(attachments) => attachments.match_shapes(pass),
            None => self.match_shapes.encode(pass),
        }
    }

    /// What is left to do before positions are accepted.
    pub(crate) fn finish(&self, pass: &mut wgpu::ComputePass<'_>) {
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
