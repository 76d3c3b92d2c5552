//! The kernels of bodies, bound to the arrays they work on.

use super::attachment_stages::AttachmentStages;
use super::features::Features;
use super::stages::Bound;
use crate::error::GpuError;
use crate::kernel::{Kernel, Source};
use crate::kernels;
use crate::launch::Launch;

/// Threads that share a body: few where all bodies are small.
pub(super) const SMALL: u32 = 64;
pub(super) const LARGE: u32 = 256;
/// Members of a body for which few threads are enough.
pub(super) const SMALL_BODY: usize = 256;
/// Threads that share a cluster.
const CLUSTER: u32 = 32;

/// Launches for the bodies of a world.
pub(crate) struct BodyStages {
    locate: Launch,
    /// One per sub-step.
    fly: Vec<Launch>,
    carry: Launch,
    pub(crate) turn_fields: Launch,
    /// How far contacts count on moving the particles of bodies, once all are found: two steps, of which the first is for
    /// either set of pairs.
    pub(crate) count_contacts: [Launch; 2],
    pub(crate) share: Launch,
    /// For either set of pairs, where masses are scaled.
    pub(crate) scale_masses: Option<[Launch; 2]>,
    match_clusters: Option<[Launch; 2]>,
    match_shapes: Launch,
    pub(crate) match_starts: Launch,
    pub(crate) derive_velocities: Launch,
    flow: Option<Launch>,
    rest: Launch,
    attachments: Option<AttachmentStages>,
}

impl BodyStages {
    pub(crate) fn new(bound: Bound<'_>) -> Result<Self, GpuError> {
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
        let (fly, count_contacts) = (per_body(&kernels::FLY_BODIES)?, bound.kernel(&kernels::COUNT_CONTACTS)?);
        let params = || bound.params();
        let (vectors, kinds) = (|| a.vectors.binding(), || a.kinds.binding());
        let (membership, members) = (|| shapes.membership.binding(), || shapes.members.binding());
        let (bodies, clusters) = (|| shapes.bodies.binding(), || shapes.clusters.binding());
        let for_bodies = |kernel: &Kernel, resources: &[wgpu::BindingResource<'_>]| {
            Launch::new(gpu, kernel, resources, counts.bodies)
        };
        let for_clusters = |first: u32| {
            let kernel = bound.kernel_with(&kernels::MATCH_CLUSTERS, &[("WORKGROUP", CLUSTER), ("FIRST", first)])?;
            let resources = [params(), vectors(), membership(), members(), clusters()];
            Ok::<_, GpuError>(Launch::new(gpu, &kernel, &resources, counts.clusters))
        };
        Ok(Self {
            locate: bound.per_particle(
                &bound.kernel(&kernels::LOCATE_MEMBERS)?,
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
                &bound.kernel(&kernels::CARRY_MEMBERS)?,
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
                &bound.kernel(&kernels::TURN_FIELDS)?,
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
                &per_body(&kernels::SHARE_BODIES)?,
                &[params(), vectors(), membership(), members(), bodies()],
            ),
            scale_masses: match bound.has(Features::SCALED) {
                true => {
                    let scale = bound.kernel(&kernels::SCALE_BODY_MASSES)?;
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
            match_clusters: match counts.clusters > 0 {
                true => Some([for_clusters(1)?, for_clusters(0)?]),
                false => None,
            },
            match_shapes: for_bodies(
                &per_body(&kernels::MATCH_SHAPES)?,
                &[params(), vectors(), membership(), members(), bodies(), clusters()],
            ),
            match_starts: for_bodies(
                &per_body(&kernels::MATCH_STARTS)?,
                &[params(), vectors(), membership(), members(), bodies()],
            ),
            derive_velocities: bound.per_particle(
                &bound.kernel(&kernels::DERIVE_BODY_VELOCITIES)?,
                &[params(), vectors(), kinds(), membership(), members(), bodies()],
            ),
            flow: match counts.plastic {
                true => Some(for_bodies(
                    &per_body(&kernels::FLOW_BODIES)?,
                    &[params(), membership(), members(), bodies()],
                )),
                false => None,
            },
            rest: for_bodies(
                &per_body(&kernels::REST_BODIES)?,
                &[params(), vectors(), membership(), bodies()],
            ),
            attachments: AttachmentStages::new(bound)?,
        })
    }

    /// Lines 1–5, after the particles have been given theirs.
    pub(crate) fn fly(&self, substep: u32, pass: &mut wgpu::ComputePass<'_>) {
        if substep == 0 {
            self.locate.encode(pass);
        }
        self.fly[substep as usize].encode(pass);
        if let Some(attachments) = &self.attachments {
            attachments.begin(substep, pass);
        }
        self.carry.encode(pass);
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
