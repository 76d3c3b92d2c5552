//! Launches for creatures, in worlds with any.

use motes_core::constraints::contact::REBOUNDS;
use motes_core::engine::timings::Stage;
use motes_core::particles::orientation::ORIENTATIONS;

use super::State;
use super::features::Features;
use super::stages::Bound;
use crate::kernel::Source;
use crate::kernels;
use crate::launch::Launch;

/// Threads of the workgroup that each creature has.
const THREADS: u32 = 128;

/// They.
pub(crate) struct CreatureStages {
    /// Once particles are sorted: where they are, what they look like, where they get to.
    begin: [Launch; 3],
    /// What the start of a sub-step calls for.
    pull: Launch,
    hold: Launch,
    /// One iteration.
    solve: Launch,
    end: Launch,
    parts: Option<PartStages>,
}

/// Where there are rigid parts.
struct PartStages {
    place_loads: Launch,
    /// For either set of pairs as the present one.
    weigh: [Launch; 2],
    share: Launch,
    /// Of each round, what rebounds from colliders, and what parts do as a whole; these once more in the end.
    rebound: Vec<[Launch; 2]>,
}

/// Makes launches of a workgroup for each creature.
struct PerCreature<'a> {
    bound: &'a Bound<'a>,
}

impl<'a> PerCreature<'a> {
    fn launch(
        &self,
        source: &Source,
        constants: &[(&'static str, u32)],
        resources: &[wgpu::BindingResource<'_>],
    ) -> Launch {
        let mut all = vec![("WORKGROUP", THREADS)];
        all.extend(constants);
        let kernel = self.bound.kernel_with(source, &all);
        Launch::new(
            self.bound.gpu,
            &kernel,
            resources,
            self.bound.creatures.creature_count(),
        )
    }

    /// What all of their kernels know, and more.
    fn known(&self, more: &[wgpu::BindingResource<'a>]) -> Vec<wgpu::BindingResource<'a>> {
        let d = self.bound.creatures;
        let mut resources = vec![
            self.bound.params(),
            d.params.binding(0),
            self.bound.arrays.vectors.binding(),
            d.slots.binding(),
            d.links.binding(),
            d.members.binding(),
        ];
        resources.extend_from_slice(more);
        resources
    }
}

impl CreatureStages {
    /// None without creatures.
    pub(crate) fn new<'a>(bound: &'a Bound<'a>) -> Option<Self> {
        if !bound.has(Features::ORIENTED) {
            return None;
        }
        let (a, d, each) = (bound.arrays, bound.creatures, PerCreature { bound });
        let solve = |begins: u32| {
            let resources = each.known(&[
                d.parts.binding(),
                d.groups.binding(),
                d.entries.binding(),
                d.edges.binding(),
            ]);
            each.launch(&kernels::MATCH_CREATURES, &[("BEGINS", begins)], &resources)
        };
        let orientations = || bound.property(ORIENTATIONS);
        let fly = each.known(&[d.parts.binding(), bound.spins(), orientations(), d.rebounded.binding()]);
        Some(Self {
            begin: [
                bound.per_particle(
                    &bound.kernel(&kernels::LOCATE_ROWS),
                    &[
                        bound.params(),
                        d.row_params.binding(0),
                        a.kinds.binding(),
                        d.numbers.binding(),
                        d.slots.binding(),
                    ],
                ),
                bound.per_particle(
                    &bound.kernel(&kernels::OUTLINE_PARTICLES),
                    &[bound.params(), a.vectors.binding()],
                ),
                each.launch(&kernels::FLY_CREATURES, &[], &fly),
            ],
            pull: solve(1),
            hold: each.launch(&kernels::HOLD_CREATURES, &[], &each.known(&[d.parts.binding()])),
            solve: solve(0),
            end: each.launch(&kernels::END_CREATURES, &[], &each.known(&[orientations()])),
            parts: PartStages::new(&each),
        })
    }

    /// Shares the mobility of rigid parts among their contacts.
    fn share(&self, now: usize, pass: &mut wgpu::ComputePass<'_>) {
        if let Some(parts) = &self.parts {
            parts.place_loads.encode(pass);
            parts.weigh[now].encode(pass);
            parts.share.encode(pass);
        }
    }

    /// A round of rebounds.
    pub(crate) fn rebound(&self, round: u32, pass: &mut wgpu::ComputePass<'_>) {
        let Some(parts) = &self.parts else { return };
        parts.rebound[round as usize]
            .iter()
            .for_each(|launch| launch.encode(pass));
        if round + 1 == REBOUNDS {
            parts.rebound[REBOUNDS as usize][1].encode(pass);
        }
    }

    /// Rounds of rebounds that they call for.
    pub(crate) fn rounds(&self) -> u32 {
        if self.parts.is_some() { REBOUNDS } else { 0 }
    }

    /// The end of a sub-step, once there are velocities.
    pub(crate) fn end(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.end.encode(pass);
    }
}

impl PartStages {
    fn new(each: &PerCreature<'_>) -> Option<Self> {
        let bound = each.bound;
        let (a, d, colliders) = (bound.arrays, bound.creatures, bound.colliders);
        let entries = d.part_entry_count();
        if entries == 0 {
            return None;
        }
        let weigh = |now: usize| {
            let set = &a.pairs[now];
            let resources = [
                bound.params(),
                d.params.binding(0),
                a.vectors.binding(),
                set.ranges.binding(),
                set.members.binding(),
                a.foreign.binding(),
                colliders.contacts().binding(),
                colliders.ranges().binding(),
                d.loads.binding(),
            ];
            bound.launch(&bound.kernel(&kernels::WEIGH_PARTS), &resources, entries)
        };
        let rebound = |round: u32| {
            let resources = each.known(&[
                d.parts.binding(),
                colliders.contacts().binding(),
                colliders.ranges().binding(),
                d.rebounded.binding(),
            ]);
            [0, 1].map(|whole| {
                let constants = [("ROUND_NUMBER", round), ("WHOLE", whole)];
                each.launch(&kernels::REBOUND_PARTS, &constants, &resources)
            })
        };
        let load = [
            d.params.binding(0),
            d.slots.binding(),
            d.links.binding(),
            d.parts.binding(),
            d.loads.binding(),
        ];
        let share = each.known(&[d.parts.binding(), d.loads.binding()]);
        Some(Self {
            place_loads: bound.launch(&bound.kernel(&kernels::PLACE_LOADS), &load, entries),
            weigh: [weigh(0), weigh(1)],
            share: each.launch(&kernels::SHARE_PARTS, &[], &share),
            rebound: (0..=REBOUNDS).map(rebound).collect(),
        })
    }
}

impl State {
    /// Records launches about creatures, where there are any.
    fn record_creatures(
        &mut self,
        stage: Stage,
        work: impl FnOnce(&CreatureStages, usize, &mut wgpu::ComputePass<'_>),
    ) {
        if let Some(creatures) = self.stages.as_ref().and_then(|stages| stages.creatures.as_ref()) {
            work(creatures, self.now, self.recorder.stage(stage.name()));
        }
    }

    /// Forgets where members of creatures were in the last frame.
    pub(super) fn begin_creatures(&mut self) {
        if self.stages.as_ref().is_some_and(|stages| stages.creatures.is_some()) {
            self.creatures_on_device.begin_frame(self.recorder.encoder());
        }
    }

    pub(super) fn fly_creatures(&mut self, stage: Stage) {
        self.record_creatures(stage, |creatures, _, pass| {
            creatures.begin.iter().for_each(|launch| launch.encode(pass));
        });
    }

    pub(super) fn share_creatures(&mut self, stage: Stage) {
        self.record_creatures(stage, |creatures, now, pass| creatures.share(now, pass));
    }

    pub(super) fn pull_creatures(&mut self, stage: Stage) {
        self.record_creatures(stage, |creatures, _, pass| creatures.pull.encode(pass));
    }

    pub(super) fn hold_creatures(&mut self, stage: Stage) {
        self.record_creatures(stage, |creatures, _, pass| creatures.hold.encode(pass));
    }

    pub(super) fn match_creatures(&mut self, stage: Stage) {
        self.record_creatures(stage, |creatures, _, pass| creatures.solve.encode(pass));
    }
}
