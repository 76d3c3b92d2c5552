//! The kernels of rows, bound to the arrays they work on.

use motes_core::constraints::distance::HOLDS;

use super::body_stages::{LARGE, SMALL, SMALL_BODY};
use super::features::Features;
use super::stages::{Bound, WORKGROUP};
use crate::kernel::Source;
use crate::kernels;
use crate::launch::Launch;

/// Threads that share the rows of a participant.
const SHARE: usize = 4;

/// Launches for rows that end at rigid bodies.
struct HaulStages {
    /// The first time in a sub-step.
    begin: [Launch; 2],
    lend: Launch,
    haul: Launch,
}

/// Launches for the rows of a world.
pub(crate) struct RowStages {
    /// What counts, fills and sorts the ends of participants.
    pub(crate) listing: [Launch; 3],
    follow: Option<Launch>,
    /// Where all are solved at once, how mobile participants are.
    divide: Option<Launch>,
    /// The first time in a sub-step.
    begin: Vec<Launch>,
    /// One for each iteration, where rows are solved all at once.
    paced: Vec<Launch>,
    /// Every iteration, after that.
    solve: Vec<Launch>,
    /// And what tightens strands.
    strands: Vec<Launch>,
    /// After each stabilisation, round by round.
    hold: Vec<Launch>,
    haul: Option<HaulStages>,
    pub(crate) break_off: Option<Launch>,
}

impl RowStages {
    /// None without rows.
    pub(crate) fn new(bound: Bound<'_>) -> Option<Self> {
        let (all_at_once, colored) = (bound.has(Features::ROWS), bound.has(Features::COLORS));
        if !all_at_once && !colored {
            return None;
        }
        let (d, list) = (bound.rows, &bound.rows.list);
        let (params, row_params) = (|| bound.params(), || list.params.binding(0));
        let (vectors, rows, slots) = (
            || bound.arrays.vectors.binding(),
            || list.rows.binding(),
            || list.slots.binding(),
        );
        let (row_room, participants) = (list.rows.capacity(), list.slots.capacity());
        let launch = |source: &Source, resources: &[wgpu::BindingResource<'_>], threads: usize| {
            let constants = [("WORKGROUP", WORKGROUP), ("SHARE", SHARE as u32)];
            let kernel = bound.kernel_with(source, &constants);
            bound.launch(&kernel, resources, threads)
        };
        let shapes = bound.shapes;
        let mut stages = Self {
            listing: list.listing(bound),
            follow: bound.has(Features::FOLLOWING).then(|| {
                let resources = [
                    params(),
                    row_params(),
                    rows(),
                    list.participants.binding(),
                    shapes.membership.binding(),
                    shapes.members.binding(),
                ];
                launch(&kernels::FOLLOW_SHAPES, &resources, row_room)
            }),
            divide: None,
            begin: Vec::new(),
            paced: Vec::new(),
            solve: Vec::new(),
            hold: (0..HOLDS as usize)
                .flat_map(|round| {
                    let find = launch(
                        &kernels::HOLD_ROWS,
                        &[
                            params(),
                            row_params(),
                            vectors(),
                            list.starts.binding(),
                            slots(),
                            list.members.binding(),
                            rows(),
                            d.broken.binding(),
                            d.moved.binding(),
                            d.rounds.binding(round),
                            d.held.binding(),
                        ],
                        SHARE * participants,
                    );
                    let apply = launch(
                        &kernels::MOVE_STARTS,
                        &[
                            params(),
                            row_params(),
                            vectors(),
                            slots(),
                            d.moved.binding(),
                            bound.colliders.contacts().binding(),
                            bound.colliders.ranges().binding(),
                            d.rounds.binding(round),
                            d.held.binding(),
                        ],
                        participants,
                    );
                    [find, apply]
                })
                .collect(),
            strands: d.strands.launches(bound),
            haul: HaulStages::new(bound),
            break_off: bound.has(Features::FRAGILE).then(|| {
                let resources = [
                    params(),
                    row_params(),
                    rows(),
                    d.broken.binding(),
                    list.ends_of_row.binding(),
                    d.impulses.binding(),
                    d.news.binding(),
                ];
                launch(&kernels::BREAK_ROWS, &resources, row_room)
            }),
        };
        let (starts, members) = (|| list.starts.binding(), || list.members.binding());
        if all_at_once {
            stages.divide = Some(launch(
                &kernels::DIVIDE_ROWS,
                &[
                    params(),
                    row_params(),
                    vectors(),
                    starts(),
                    slots(),
                    members(),
                    rows(),
                    d.broken.binding(),
                    d.mobilities.binding(),
                    d.ends.binding(),
                ],
                SHARE * participants,
            ));
            stages.begin.push(launch(
                &kernels::RESPOND_ROWS,
                &[
                    params(),
                    row_params(),
                    starts(),
                    slots(),
                    members(),
                    rows(),
                    d.mobilities.binding(),
                    d.ends.binding(),
                    d.impulses.binding(),
                    d.changes.binding(),
                ],
                SHARE * participants,
            ));
            let iterations = &bound.inputs.iterations;
            stages.paced.extend((0..iterations.slots()).map(|iteration| {
                let resources = [
                    params(),
                    row_params(),
                    vectors(),
                    starts(),
                    slots(),
                    d.ends.binding(),
                    d.impulses.binding(),
                    d.moved.binding(),
                    d.mobilities.binding(),
                    d.changes.binding(),
                    iterations.binding(iteration),
                ];
                launch(&kernels::SOLVE_ROWS, &resources, SHARE * participants)
            }));
            stages.solve.push(launch(
                &kernels::MOVE_ROWS,
                &[params(), row_params(), vectors(), slots(), d.moved.binding()],
                participants,
            ));
        } else {
            stages.begin.push(launch(
                &kernels::RESPOND_COLORS,
                &[
                    params(),
                    row_params(),
                    vectors(),
                    slots(),
                    rows(),
                    d.broken.binding(),
                    d.ends.binding(),
                    d.impulses.binding(),
                    list.ends_of_row.binding(),
                ],
                row_room,
            ));
            for (color, &count) in list.color_counts.iter().enumerate().filter(|&(_, &count)| count > 0) {
                let crowded = color + 1 == list.color_counts.len();
                stages.solve.push(launch(
                    &kernels::SOLVE_COLOR,
                    &[
                        params(),
                        list.colors.binding(color),
                        vectors(),
                        list.order.binding(),
                        d.ends.binding(),
                        d.impulses.binding(),
                    ],
                    if crowded { WORKGROUP as usize } else { count as usize },
                ));
            }
        }
        Some(stages)
    }

    /// Takes back what the stabilisation did to tethers.
    pub(crate) fn hold(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.hold.iter().for_each(|launch| launch.encode(pass));
    }

    /// Finds out how mobile participants are, the first time in a sub-step.
    pub(crate) fn divide(&self, pass: &mut wgpu::ComputePass<'_>) {
        let launches = self.follow.iter().chain(&self.divide);
        launches.for_each(|launch| launch.encode(pass));
    }

    /// One iteration.
    pub(crate) fn solve(&self, iteration: usize, pass: &mut wgpu::ComputePass<'_>) {
        let first = iteration == 0;
        if let Some(haul) = &self.haul {
            if first {
                haul.begin.iter().for_each(|launch| launch.encode(pass));
            }
            haul.lend.encode(pass);
        }
        if first {
            self.divide(pass);
            self.begin.iter().for_each(|launch| launch.encode(pass));
        }
        let paced = self.paced.get(iteration);
        paced
            .into_iter()
            .chain(&self.solve)
            .chain(&self.strands)
            .for_each(|launch| launch.encode(pass));
        if let Some(haul) = &self.haul {
            haul.haul.encode(pass);
        }
    }
}

impl HaulStages {
    /// None where no row ends at a body that may be rigid.
    fn new(bound: Bound<'_>) -> Option<Self> {
        let (rows, shapes) = (bound.rows, bound.shapes);
        let hauling = &rows.hauling;
        if hauling.bodies == 0 {
            return None;
        }
        let (params, vectors) = (|| bound.params(), || bound.arrays.vectors.binding());
        let (ends, loads) = (|| hauling.ends.binding(), || hauling.loads.binding());
        let (members, bodies) = (|| shapes.members.binding(), || shapes.bodies.binding());
        let per_body = |source: &Source, threads: u32, resources: &[wgpu::BindingResource<'_>]| {
            let kernel = bound.kernel_with(source, &[("WORKGROUP", threads)]);
            Launch::new(bound.gpu, &kernel, resources, hauling.bodies)
        };
        let threads = match shapes.counts().largest > SMALL_BODY {
            true => LARGE,
            false => SMALL,
        };
        let one_by_one = |source: &Source, resources: &[wgpu::BindingResource<'_>], threads: usize| {
            bound.launch(&bound.kernel(source), resources, threads)
        };
        Some(Self {
            begin: [
                one_by_one(
                    &kernels::MARK_ACTING,
                    &[
                        rows.list.params.binding(0),
                        rows.list.rows.binding(),
                        rows.broken.binding(),
                        hauling.acting.binding(),
                    ],
                    rows.list.rows.capacity(),
                ),
                one_by_one(
                    &kernels::WEIGH_LOADS,
                    &[
                        params(),
                        bodies(),
                        members(),
                        rows.list.slots.binding(),
                        hauling.acting.binding(),
                        ends(),
                        loads(),
                    ],
                    hauling.bodies,
                ),
            ],
            lend: per_body(
                &kernels::LEND_MOBILITY,
                SMALL,
                &[params(), vectors(), bodies(), ends(), loads()],
            ),
            haul: per_body(
                &kernels::HAUL_BODIES,
                threads,
                &[
                    params(),
                    vectors(),
                    shapes.membership.binding(),
                    members(),
                    bodies(),
                    shapes.clusters.binding(),
                    ends(),
                    loads(),
                ],
            ),
        })
    }
}
