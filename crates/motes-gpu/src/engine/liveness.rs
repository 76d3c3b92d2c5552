//! Live ranges of the device's memory within a sub-step. Sections change their meaning as soon as what they held has had its
//! last reader; [`USES`] says when that is, and an engine that was told to [`fill_dead`](super::GpuEngine::fill_dead) puts it
//! to the test: at each [`Moment`] it fills with NaN whatever no use claims.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use super::State;
use super::arrays::{
    BEFORE, BEHIND_CELLS, FEET, FIELDS, INSCRIBED, KINDS, PAIR_COUNTERS, POSITIONS, PREDICTED, PairArrays, SLIPS,
    SORTED, SORTED_KINDS, SUPPORTS, TWISTS, VELOCITIES, radius_section,
};
use super::features::Features;
use crate::buffers::{Buffer, Uniforms, bytes_of};
use crate::error::GpuError;
use crate::kernel::Kernel;
use crate::kernels;

/// Moments of a sub-step, in order, each after the kernels that are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Moment {
    /// `predict` or the `finish` before, `fly_bodies`, `carry_members`.
    Predicted,
    /// `fill_cells`, `reorder`.
    Sorted,
    /// `turn_fields`, `find_pairs`, `find_contacts`.
    Found,
    /// `count_contacts`, where there are bodies.
    Counted,
    /// `share_bodies`, `recall`, `recall_contacts`, `scale_masses`.
    Shared,
    /// `begin_solve` and the first `match_shapes`.
    Begun,
    /// `push_apart`, `gather_stabilization`, `match_starts`, `hold_starts`: each time.
    Stabilized,
    /// `solve_rows` and its like, `solve_pairs`, `gather_solve`, `match_shapes`: each time.
    Iterated,
    /// `derive_velocities`, `rebound_pairs`, `rebound_gather`.
    Rebounded,
    /// `flow_bodies`, `rest_bodies`, `finish`.
    Finished,
}
use Moment::*;

/// A part of the device's memory with a meaning of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A section of `Arrays::vectors`.
    Vectors(usize),
    /// A section of `Arrays::kinds`.
    Kinds(usize),
    /// The cell of each particle, behind the table of cells.
    Keys,
    Foreign,
    Owners,
    Shares,
    /// Of the sub-step's own pairs or, after [`Predicted`], those of the sub-step before: once neighbours are looked for, what
    /// was `Present` is `Past`.
    Present(Pairs),
    Past(Pairs),
    ContactRanges,
    Contacts,
    /// Of rows of the store: what an iteration needs of each end, and what it has done.
    RowEnds,
    RowImpulses,
    RowChanges,
    /// Of particles that have rows.
    RowMobilities,
    RowMoves,
}
use Place::*;

/// An array of `PairArrays`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pairs {
    Ranges,
    Members,
    Impulses,
}
use Pairs::*;

/// All of them.
const PLACES: [Place; 30] = [
    Vectors(POSITIONS),
    Vectors(VELOCITIES),
    Vectors(SUPPORTS),
    Vectors(SORTED),
    Vectors(PREDICTED),
    Vectors(BEFORE),
    Vectors(FIELDS),
    Vectors(INSCRIBED),
    Vectors(TWISTS),
    Vectors(FEET),
    Vectors(SLIPS),
    Kinds(KINDS),
    Kinds(SORTED_KINDS),
    Keys,
    Foreign,
    Owners,
    Shares,
    Present(Ranges),
    Present(Members),
    Present(Impulses),
    Past(Ranges),
    Past(Members),
    Past(Impulses),
    ContactRanges,
    Contacts,
    RowEnds,
    RowImpulses,
    RowChanges,
    RowMobilities,
    RowMoves,
];

/// Which of four words.
type Lanes = u32;
const XY: Lanes = 0b0011;
const ZW: Lanes = 0b1100;
const XYZ: Lanes = 0b0111;
const W: Lanes = 0b1000;
const ALL: Lanes = 0b1111;

/// What a place is used for, from the moment after it was written to the moment before it is read for the last time; a use
/// that begins later in a sub-step than it ends goes on into the next one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Use {
    pub(crate) name: &'static str,
    place: Place,
    lanes: Lanes,
    from: Moment,
    to: Moment,
    /// Only in worlds that have any.
    needs: Needs,
}

/// What a world has to have for a use to arise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    Nothing,
    Bodies,
    Inscribed,
    Rebounds,
    Rows,
    /// Bodies, rows or creatures.
    Starts,
    /// Bodies or creatures.
    Reaches,
    Patches,
}

impl Use {
    const fn new(name: &'static str, (place, lanes): (Place, Lanes), from: Moment, to: Moment) -> Self {
        Self {
            name,
            place,
            lanes,
            from,
            to,
            needs: Needs::Nothing,
        }
    }

    const fn with(self, needs: Needs) -> Self {
        Self { needs, ..self }
    }

    fn is_live(&self, moment: Moment) -> bool {
        if self.from <= self.to {
            (self.from..=self.to).contains(&moment)
        } else {
            moment >= self.from || moment <= self.to
        }
    }
}

/// Every use. `VECTORS` of `arrays.rs` explains those of the vectors.
pub(crate) const USES: [Use; 49] = [
    Use::new("position", (Vectors(POSITIONS), ALL), Finished, Predicted),
    Use::new("busy", (Vectors(POSITIONS), ALL), Counted, Counted).with(Needs::Bodies),
    Use::new("pushed", (Vectors(POSITIONS), XYZ), Begun, Iterated),
    Use::new("touched", (Vectors(POSITIONS), W), Begun, Rebounded),
    Use::new("velocity", (Vectors(VELOCITIES), ALL), Finished, Predicted),
    Use::new("busy, mixed", (Vectors(VELOCITIES), XYZ), Counted, Counted).with(Needs::Bodies),
    Use::new("start", (Vectors(VELOCITIES), XYZ), Begun, Rebounded),
    Use::new("effective inverse mass", (Vectors(VELOCITIES), W), Begun, Iterated),
    Use::new("support", (Vectors(SUPPORTS), XYZ), Finished, Counted),
    Use::new("sorted", (Vectors(SORTED), XYZ), Sorted, Shared),
    Use::new(
        "start of members and participants",
        (Vectors(SORTED), XYZ),
        Begun,
        Stabilized,
    )
    .with(Needs::Starts),
    Use::new("effective inverse mass before", (Vectors(SORTED), W), Found, Shared),
    Use::new("rebound", (Vectors(SORTED), ALL), Rebounded, Rebounded).with(Needs::Rebounds),
    Use::new("settled", (Vectors(SORTED), ALL), Iterated, Iterated).with(Needs::Patches),
    // Reports of contacts read it after the frame.
    Use::new("predicted", (Vectors(PREDICTED), XYZ), Sorted, Finished),
    Use::new("inverse mass", (Vectors(PREDICTED), W), Sorted, Rebounded),
    Use::new("velocity before", (Vectors(BEFORE), XYZ), Sorted, Rebounded),
    Use::new("inverse mass before", (Vectors(BEFORE), W), Sorted, Sorted),
    Use::new("reach of colliders", (Vectors(BEFORE), W), Counted, Rebounded).with(Needs::Reaches),
    Use::new("field", (Vectors(FIELDS), ALL), Found, Iterated).with(Needs::Bodies),
    Use::new("inscribed ball", (Vectors(INSCRIBED), ALL), Found, Iterated).with(Needs::Inscribed),
    Use::new("twist", (Vectors(TWISTS), ALL), Found, Iterated).with(Needs::Inscribed),
    Use::new("axis", (Vectors(FEET), XYZ), Found, Found).with(Needs::Inscribed),
    Use::new("arm from the axis", (Vectors(SLIPS), XYZ), Found, Found).with(Needs::Inscribed),
    Use::new("way along the circle", (Vectors(FEET), W), Counted, Counted).with(Needs::Inscribed),
    Use::new("foot", (Vectors(FEET), XYZ), Counted, Iterated).with(Needs::Inscribed),
    Use::new("slip of the foot", (Vectors(SLIPS), XYZ), Counted, Iterated).with(Needs::Inscribed),
    Use::new("twist of starts", (Vectors(SUPPORTS), XYZ), Begun, Begun).with(Needs::Inscribed),
    Use::new("kind", (Kinds(KINDS), ALL), Finished, Predicted),
    Use::new("sorted kind", (Kinds(SORTED_KINDS), XYZ), Sorted, Rebounded),
    Use::new("last slot", (Kinds(SORTED_KINDS), W), Sorted, Counted),
    Use::new("cell", (Keys, ALL), Finished, Predicted),
    Use::new("owners of foreign pairs", (Foreign, ALL), Found, Shared),
    Use::new("numbers of foreign pairs", (Foreign, ALL), Begun, Iterated),
    Use::new("owners", (Owners, ALL), Found, Iterated),
    Use::new("shares", (Shares, ALL), Shared, Iterated),
    // What is remembered of contacts is saved from it after the frame.
    Use::new("own pairs", (Present(Ranges), XY), Found, Predicted),
    Use::new("foreign pairs", (Present(Ranges), ZW), Found, Iterated),
    Use::new("members", (Present(Members), ALL), Found, Predicted),
    Use::new("impulses", (Present(Impulses), ALL), Shared, Predicted),
    Use::new("own pairs before", (Past(Ranges), XY), Sorted, Counted),
    Use::new("members before", (Past(Members), ALL), Sorted, Counted),
    Use::new("impulses before", (Past(Impulses), ALL), Sorted, Counted),
    Use::new(
        "impulses of the iteration before",
        (Past(Impulses), ALL),
        Iterated,
        Iterated,
    ),
    Use::new("runs of contacts with colliders", (ContactRanges, ALL), Found, Finished),
    Use::new("contacts with colliders", (Contacts, ALL), Found, Finished),
    Use::new("ends of rows", (RowEnds, ALL), Iterated, Iterated).with(Needs::Rows),
    Use::new("changes of rows", (RowChanges, ALL), Iterated, Iterated).with(Needs::Rows),
    // The store takes them over when somebody reads it.
    Use::new("impulses of rows", (RowImpulses, ALL), Iterated, Finished).with(Needs::Rows),
];

/// The bits that dead words are filled with: no number, and no place in any array.
pub(crate) const DEAD: u32 = 0x7fc0_dead;

/// Words to fill: `Fill` in `fill_dead.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Fill {
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) lanes: u32,
    pub(crate) unused: u32,
}

/// Fills what is dead.
pub(super) struct Filler {
    kernel: Kernel,
    /// A slot for each place and choice of lanes.
    fills: Uniforms<Fill>,
    uses: Vec<Use>,
}

impl State {
    pub(super) fn fill_all_but(&mut self, uses: Vec<Use>) -> Result<(), GpuError> {
        let slots = PLACES.len() * (ALL as usize + 1);
        self.filler = Some(Filler {
            kernel: Kernel::new(&self.gpu, &kernels::FILL_DEAD, &[])?,
            fills: Uniforms::new(&self.gpu, "dead words", slots)?,
            uses,
        });
        Ok(())
    }

    /// Records that a sub-step has come to a moment.
    pub(super) fn mark(&mut self, moment: Moment) {
        let (Some(filler), Some(stages)) = (&self.filler, &self.stages) else {
            return;
        };
        let arises = |needs| match needs {
            Needs::Nothing => true,
            Needs::Bodies => stages.bodies.is_some(),
            Needs::Inscribed => stages.features.has(Features::INSCRIBED),
            Needs::Rebounds => stages.features.has(Features::REBOUNDS),
            Needs::Rows => stages.rows.is_some(),
            Needs::Starts => stages.bodies.is_some() || stages.rows.is_some() || stages.creatures.is_some(),
            Needs::Reaches => stages.bodies.is_some() || stages.creatures.is_some(),
            Needs::Patches => stages.patches.is_some(),
        };
        let mut launches = Vec::new();
        // Behind those of bodies are sections of which this knows nothing.
        let known = radius_section(stages.features);
        for (number, place) in PLACES.into_iter().enumerate() {
            if matches!(place, Vectors(section) if section >= known) {
                continue;
            }
            let live = filler.uses.iter().filter(|claim| claim.place == place);
            let live = live.filter(|claim| claim.is_live(moment) && arises(claim.needs));
            let lanes = ALL & !live.fold(0, |lanes, claim| lanes | claim.lanes);
            let (buffer, words) = self.words_of(place);
            if lanes == 0 || words.is_empty() || words.end as u64 * 4 > buffer.size() {
                continue;
            }
            let slot = number * (ALL as usize + 1) + lanes as usize;
            let fill = Fill {
                first: words.start as u32,
                count: words.len() as u32,
                lanes,
                unused: 0,
            };
            filler.fills.write(slot, &fill);
            let resources = [filler.fills.binding(slot), buffer.as_entire_binding()];
            launches.push((filler.kernel.bind(&self.gpu, &resources), fill.count));
        }
        let pass = self.recorder.stage(crate::recorder::FRAME);
        for (bindings, count) in launches {
            filler.kernel.launch(pass, &bindings, count);
        }
    }

    /// Where a place is, and its words.
    fn words_of(&self, place: Place) -> (&wgpu::Buffer, Range<usize>) {
        let (arrays, pairs) = (&self.arrays, self.pair_capacity);
        let section = |section: usize, stride: usize| 4 * section * stride..4 * (section + 1) * stride;
        match place {
            Vectors(of) => (arrays.vectors.buffer().raw(), section(of, arrays.vectors.stride())),
            Kinds(of) => (arrays.kinds.buffer().raw(), section(of, arrays.kinds.stride())),
            Keys => {
                let first = self.entry_room + BEHIND_CELLS;
                (arrays.cells.raw(), first..first + self.room)
            }
            Foreign => (arrays.foreign.raw(), 0..pairs),
            Owners => (arrays.owners.raw(), PAIR_COUNTERS..PAIR_COUNTERS + pairs),
            // Of shares and impulses, the one after the last is always zero.
            Shares => (arrays.shares.raw(), 0..2 * pairs),
            Present(array) => pair_words(&arrays.pairs[self.now], array, pairs),
            Past(array) => pair_words(&arrays.pairs[1 - self.now], array, pairs),
            ContactRanges => whole(self.colliders.ranges()),
            Contacts => whole(self.colliders.contacts()),
            RowEnds => whole(&self.rows.ends),
            RowImpulses => whole(&self.rows.impulses),
            RowChanges => whole(&self.rows.changes),
            RowMobilities => whole(&self.rows.mobilities),
            RowMoves => whole(&self.rows.moved),
        }
    }
}

fn pair_words(set: &PairArrays, array: Pairs, pairs: usize) -> (&wgpu::Buffer, Range<usize>) {
    match array {
        Ranges => whole(&set.ranges),
        Members => (set.members.raw(), 0..pairs),
        Impulses => (set.impulses.raw(), 0..4 * pairs),
    }
}

fn whole<T: Pod>(buffer: &Buffer<T>) -> (&wgpu::Buffer, Range<usize>) {
    (buffer.raw(), 0..(buffer.bytes() / bytes_of::<u32>(1)) as usize)
}

#[cfg(test)]
mod tests;
