//! Constants that kernels share with Rust: declared in Rust alone, and written before the text of every kernel.

use std::fmt::Write as _;

use motes_core::air;
use motes_core::body::islands;
use motes_core::colliders::{
    COVERED, MAX_ADVANCES, MAX_PROJECTIONS, MAX_SLIDES, NEAR, SAME_HEIGHT, SAME_NORMAL, TOUCH,
};
use motes_core::constraints::{
    articulated, attachment, axis, bending, contact, density, distance, ellipsoid, grip, inscribed, keep_out,
    orientation, oriented_match, position_based, revolution, rigid, rolling, shape_match, solids, strand, surface,
    sweep, tension, viscosity, volume as filling,
};
use motes_core::foam::{kinds, potentials};
use motes_core::heat;
use motes_core::particles::passive;
use motes_core::particles::passive::PassiveKind;
use motes_core::particles::rest::REST_REACH;
use motes_core::particles::spin::Spin;
use motes_core::smoke::{forces, markers, swirls};
use motes_core::store::batch;
use motes_core::{Particles, Phase};

use crate::colliders::{cells, pool, shapes};
use crate::engine::{
    arrays, attachment_stages, attachments, balloons, bodies, body_edits, chunks, creatures, drives, edits, flow,
    fluids, liveness, params, passive as passives, patch_stages, queries, row_list, stages, strains, strands, volume,
};
use crate::sections::Accessor;
use crate::{kernel, scan, sort};

/// The value of a constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    Word(u32),
    Number(f32),
}
use Value::{Number, Word};

/// Every shared constant, by its name in WGSL.
pub(crate) const SHARED: &[(&str, Value)] = &[
    // Launches.
    ("GROUPS_PER_ROW", Word(kernel::GROUPS_PER_ROW)),
    ("MAX_GROUPS", Word(kernel::MAX_GROUPS)),
    ("ROUNDS", Word(scan::ROUNDS)),
    ("RADIX", Word(sort::RADIX as u32)),
    // Phases and kicks.
    ("SELF_COLLIDE", Word(Phase::SELF_COLLIDE)),
    ("IGNORE_REST_OVERLAPS", Word(Phase::IGNORE_REST_OVERLAPS)),
    ("REST_REACH", Number(REST_REACH)),
    ("FLUID", Word(Phase::FLUID)),
    ("GAS", Word(Phase::GAS)),
    ("GROUP_MASK", Word(Phase::GROUP_MASK)),
    ("CHANNEL_SHIFT", Word(Phase::CHANNEL_SHIFT)),
    ("HALF_KICK", Number(Particles::HALF_KICK)),
    // The table of cells and the list of pairs.
    ("NEW", Word(arrays::NEW)),
    ("BEHIND_CELLS", Word(arrays::BEHIND_CELLS as u32)),
    ("PAIR_COUNTERS", Word(arrays::PAIR_COUNTERS as u32)),
    ("ROW_BITS", Word(stages::ROW_BITS)),
    // Sums over neighbours.
    ("SUMMED_IN_PARTS", Word(flow::SUMMED_IN_PARTS)),
    ("NEIGHBOR_PARTS", Word(flow::NEIGHBOR_PARTS)),
    ("FIRST_BOUND", Word(arrays::REPORTED_COUNTERS as u32)),
    ("WAY_BOUNDS", Word(arrays::WAY_BOUNDS as u32)),
    ("FURTHEST", Number(sweep::FURTHEST)),
    ("LEAST_PASS", Number(sweep::LEAST)),
    ("DEAD", Word(liveness::DEAD)),
    // Settings, force fields and regions.
    ("IN_FULL", Word(params::IN_FULL)),
    ("BY_COUNT", Word(params::BY_COUNT)),
    ("UNIFORM", Word(params::UNIFORM)),
    ("RADIAL", Word(params::RADIAL)),
    ("VORTEX", Word(params::VORTEX)),
    ("FIELD_ROWS", Word((size_of::<params::Field>() / 16) as u32)),
    ("BOX", Word(volume::BOX)),
    ("BALL", Word(volume::BALL)),
    ("BELOW", Word(volume::BELOW)),
    ("OUTSIDE", Word(volume::OUTSIDE)),
    // Contacts.
    ("ACROSS", Number(contact::ACROSS)),
    ("IN_TOUCH", Number(contact::IN_TOUCH)),
    ("EDDIES", Word(air::EDDIES as u32)),
    ("STRAIGHT", Number(bending::STRAIGHT)),
    ("HOLD_ROUNDS", Word(distance::HOLDS)),
    ("BENDS_ALONE", Word(patch_stages::BENDS_ALONE)),
    ("ROWS_ALONE", Word(patch_stages::ROWS_ALONE)),
    ("PATCH_OWNED", Word(patch_stages::PATCH_OWNED)),
    ("PATCH_BENT", Word(patch_stages::PATCH_BENT)),
    // Balloons.
    ("HOLDS_PRESSURE", Word(balloons::HOLDS_PRESSURE)),
    ("HOLDS_GAS", Word(balloons::HOLDS_GAS)),
    ("AMBIENT_PRESSURE", Number(filling::AMBIENT_PRESSURE)),
    ("GAS_DENSITY", Number(filling::GAS_DENSITY)),
    ("DISCHARGE", Number(filling::DISCHARGE)),
    ("DENSEST", Number(filling::DENSEST)),
    ("TRACE", Number(filling::TRACE)),
    ("ROUNDEST", Number(filling::ROUNDEST)),
    ("SLOP", Number(contact::SLOP)),
    ("UNBENDING", Number(contact::UNBENDING)),
    ("STEEPEST", Number(contact::STEEPEST)),
    ("EITHER_SIDE", Number(surface::EITHER_SIDE)),
    ("BALL_DEPTH", Number(surface::BALL_DEPTH)),
    // The depth in `NO_FIELD`, but kernels may be compiled as if there were no infinity.
    ("NO_FIELD_DEPTH", Number(f32::MAX)),
    ("LEANING", Number(surface::LEANING)),
    ("LEANING_SPAN", Number(surface::LEANING_SPAN)),
    ("WIDEST", Number(inscribed::WIDEST)),
    ("NEAREST", Number(inscribed::NEAREST)),
    ("INSCRIBED_NEAR", Number(inscribed::NEAR)),
    ("UNDONE", Number(inscribed::UNDONE)),
    ("ALONG_CIRCLE", Number(revolution::ALONG)),
    ("UPRIGHT", Number(revolution::UPRIGHT)),
    ("SMALLEST_CIRCLE", Number(revolution::SMALLEST)),
    ("LEAST_SINE", Number(revolution::LEAST_SINE)),
    ("SIDEWAYS", Number(solids::SIDEWAYS)),
    ("SOLID_NEAR", Number(solids::NEAR)),
    ("FACING", Number(solids::FACING)),
    ("TURNING", Number(rolling::TURNING)),
    ("TURNING_ACROSS", Number(rolling::TURNING_ACROSS)),
    ("ROLLING", Number(rolling::ROLLING)),
    ("TWIST", Word(arrays::TWIST as u32)),
    ("COUPLE", Word(arrays::COUPLE as u32)),
    ("OTHER_TWIST", Word(arrays::OTHER_TWIST as u32)),
    ("SPIN", Word((size_of::<Spin>() / 4) as u32)),
    ("SPIN_COUPLE", Word((std::mem::offset_of!(Spin, couple) / 4) as u32)),
    ("ALONE_ACROSS", Number(rolling::ALONE_ACROSS)),
    ("SURFACE", Word(pool::SURFACE as u32)),
    ("OVERSHOOT", Number(inscribed::OVERSHOOT)),
    ("DEEP", Number(keep_out::DEEP)),
    ("KEEP_OUT_ROUNDS", Word(keep_out::ROUNDS)),
    // Creatures.
    ("ROUND", Number(creatures::ROUND)),
    ("ALONE", Number(creatures::ALONE)),
    ("IN_PART", Number(creatures::IN_PART)),
    ("ELLIPSOID_ROUNDS", Word(ellipsoid::ROUNDS as u32)),
    ("FOLLOWS_TURN", Number(orientation::FOLLOWS)),
    ("LAST_REBOUND", Word(contact::REBOUNDS)),
    ("HELD_PARTS", Number(oriented_match::HELD)),
    ("FURTHEST_TURN", Number(oriented_match::FURTHEST)),
    ("EXACT_STEP", Number(shape_match::EXACT)),
    ("FAR_STEP", Number(shape_match::FAR)),
    // Liquids.
    ("SPIKY", Number(position_based::SPIKY)),
    ("LEAST_DENOMINATOR", Number(position_based::LEAST)),
    ("BILATERAL", Word(fluids::BILATERAL)),
    ("PRECOMPUTED", Word(fluids::PRECOMPUTED)),
    ("NEAR_SLOPE", Number(density::NEAR)),
    ("SAME_SPOT", Number(density::SAME_PLACE)),
    ("IN_ONE_SPOT", Number(density::APART)),
    ("TAKEN_BACK", Number(density::UNDONE)),
    ("REPELS", Number(tension::REPELS)),
    ("WALL_STICKS", Number(viscosity::STICKS)),
    // Bodies and what holds them.
    ("RIGID", Word(bodies::RIGID)),
    ("KINEMATIC", Word(bodies::KINEMATIC)),
    ("PLASTIC", Word(bodies::PLASTIC)),
    ("BENDS", Word(bodies::BENDS)),
    ("NO_MEMBER", Word(bodies::NO_MEMBER)),
    ("OUT_OF_THE_WAY", Number(bodies::OUT_OF_THE_WAY)),
    ("MEMBER_REST", Word(bodies::REST as u32)),
    ("MEMBER_OWNER", Word(bodies::OWNER as u32)),
    ("MEMBER_SURFACE", Word(bodies::SURFACE as u32)),
    ("MEMBER_FACES", Word(bodies::FACES as u32)),
    ("MEMBER_STRAIN", Word(bodies::STRAIN as u32)),
    ("MEMBER_PULL", Word(bodies::PULL as u32)),
    ("MEMBER_START_PULL", Word(bodies::START_PULL as u32)),
    ("MEMBER_INSCRIBED", Word(bodies::BALLS as u32)),
    ("FIRM", Number(shape_match::FIRM)),
    ("LEAST_INERTIA", Number(rigid::LEAST_INERTIA)),
    ("ROUNDING", Number(rigid::ROUNDING)),
    ("LEAST", Number(shape_match::LEAST)),
    ("STEPS", Word(shape_match::STEPS as u32)),
    ("LEVEL", Number(shape_match::LEVEL)),
    ("LEADERS", Word(chunks::LEADERS)),
    ("MOVES_SOFT", Word(attachment_stages::MOVES_SOFT)),
    ("MOVES_RIGID", Word(attachment_stages::MOVES_RIGID)),
    ("BROKEN", Word(attachments::BROKEN)),
    ("LISTED", Word(attachments::LISTED)),
    ("WAITS", Word(attachments::WAITS)),
    ("HOLDS", Word(attachments::HOLDS)),
    ("NO_BODY", Word(attachments::NO_BODY)),
    ("NO_PATH", Word(attachments::NO_PATH)),
    ("SURE", Number(attachment::SURE)),
    ("COUNTED", Number(distance::COUNTED)),
    ("ROW_RESTS", Number(distance::RESTS)),
    ("SLACK", Number(distance::SLACK)),
    ("CLOSING", Number(distance::CLOSING)),
    ("FARTHEST", Number(passive::FARTHEST)),
    // Gas.
    ("AMBIENT", Number(heat::AMBIENT)),
    ("ZERO_CELSIUS", Number(heat::ZERO_CELSIUS)),
    ("SURROUNDINGS", Number(forces::SURROUNDINGS)),
    ("COLDEST", Number(forces::COLDEST)),
    ("ZONE_RATE", Number(heat::ZONE_RATE)),
    ("SWIRL_MOST", Number(swirls::MOST)),
    ("SWIRL_PASSES", Number(swirls::PASSES)),
    ("STRAYS_COOL", Number(markers::STRAYS_COOL)),
    // Spray, foam and bubbles.
    ("MARKER", Word(PassiveKind::Marker as u32)),
    ("SPRAY", Word(PassiveKind::Spray as u32)),
    ("FOAM", Word(PassiveKind::Foam as u32)),
    ("BUBBLE", Word(PassiveKind::Bubble as u32)),
    ("SMOKE", Word(PassiveKind::Smoke as u32)),
    ("FLEW", Word(passives::FLEW)),
    ("AT_SURFACE", Number(potentials::SURFACE)),
    ("OUTWARDS", Number(potentials::OUTWARDS)),
    ("SPREAD", Number(potentials::SPREAD)),
    ("SHORTEST_LIFE", Number(potentials::SHORTEST)),
    ("SLOW_AGEING", Number(kinds::SLOW_AGEING)),
    ("TOUCHES", Number(kinds::TOUCHES)),
    ("WETS", Number(kinds::WETS)),
    ("SPRAY_FRICTION", Number(kinds::FRICTION)),
    (
        "ALL_CHANNELS",
        Word((Phase::ALL_CHANNELS as u32) << Phase::CHANNEL_SHIFT),
    ),
    ("SAME_PLACE", Number(distance::SAME_PLACE)),
    ("STRAND_YIELDS", Number(strand::YIELDS)),
    ("STRAND_MOST", Number(strand::MOST)),
    ("STRAND_TURN", Number(strand::TURN)),
    ("STRAND_CLOSING", Number(strand::CLOSING)),
    ("STATED", Number(distance::STATED)),
    ("SPARE_SPREAD", Number(grip::SPARE_SPREAD)),
    ("SLOW_SWING", Number(attachment::SLOW_SWING)),
    ("SLOW_TURN", Number(attachment::SLOW_TURN)),
    ("SPARE", Number(articulated::SPARE)),
    ("LARGEST_TURN", Number(articulated::LARGEST_TURN)),
    ("SAME_TURN", Number(articulated::SAME_TURN)),
    ("SAME_POINT", Number(articulated::SAME_POINT)),
    ("PASSES", Word(articulated::PASSES)),
    ("NO_JOINT", Word(islands::NONE)),
    // What acts on the axes of joints.
    ("BALL_JOINT", Word(drives::BALL_JOINT)),
    ("HINGE", Word(drives::HINGE)),
    ("SLIDER", Word(drives::SLIDER)),
    ("DISTANCE", Word(drives::DISTANCE)),
    ("NO_MOTOR", Word(drives::NO_MOTOR)),
    ("TO_PLACE", Word(drives::TO_PLACE)),
    ("NO_AXIS", Word(drives::NO_AXIS)),
    ("UNKNOWN", Word(drives::UNKNOWN)),
    ("HELD_AT", Word(drives::HELD_AT)),
    ("SLIDES", Word(drives::SLIDES)),
    ("NO_FRICTION", Word(drives::NO_FRICTION)),
    ("STICKS", Word(drives::STICKS)),
    ("SLIPS", Word(drives::SLIPS)),
    ("TURN", Number(std::f32::consts::TAU)),
    ("FAST_SPRING", Number(axis::FAST_SPRING)),
    ("RESPONSE", Number(axis::RESPONSE)),
    ("UNLIMITED", Number(axis::UNLIMITED)),
    // Rows of the store.
    ("ALIVE", Word(batch::ALIVE as u32)),
    ("OFF", Word(batch::OFF as u32)),
    ("IDLE", Word(batch::IDLE as u32)),
    ("FOLLOWS", Word(batch::FOLLOWS as u32)),
    ("TEARS", Word(batch::TEARS as u32)),
    ("BACKWARDS", Word(strands::BACKWARDS)),
    ("ROW_GENERATION", Word(row_list::ROW_GENERATION)),
    ("NOBODY", Word(row_list::NOBODY)),
    // Edits and questions.
    ("NO_PICK", Word(queries::NO_PICK)),
    ("STRAINED_ROW", Word(strains::STRAINED_ROW)),
    ("FIRST_FREE", Word(strains::FIRST_FREE)),
    ("SECOND_FREE", Word(strains::SECOND_FREE)),
    ("SET_POSITION", Word(edits::SET_POSITION)),
    ("SET_VELOCITY", Word(edits::SET_VELOCITY)),
    ("SET_INVERSE_MASS", Word(edits::SET_INVERSE_MASS)),
    ("SET_PHASE", Word(edits::SET_PHASE)),
    ("SET_MATERIAL", Word(edits::SET_MATERIAL)),
    ("PUSH", Word(edits::PUSH)),
    ("PULL", Word(edits::PULL)),
    ("KICK_BODY", Word(body_edits::KICK_BODY)),
    ("PLACE_BODY", Word(body_edits::PLACE_BODY)),
    ("PIN_BODY", Word(body_edits::PIN_BODY)),
    ("RELEASE_BODY", Word(body_edits::RELEASE_BODY)),
    // Colliders.
    ("RECORD", Word(pool::RECORD as u32)),
    ("PLANE", Word(shapes::PLANE)),
    ("SPHERE", Word(shapes::SPHERE)),
    ("CAPSULE", Word(shapes::CAPSULE)),
    ("CUBOID", Word(shapes::CUBOID)),
    ("HULL", Word(shapes::HULL)),
    ("MESH", Word(shapes::MESH)),
    ("GRID", Word(shapes::GRID)),
    ("HEIGHTFIELD", Word(shapes::HEIGHTFIELD)),
    ("CROWDED", Word(cells::CROWDED)),
    ("SHAPE_KINDS", Word(shapes::SHAPE_KINDS)),
    ("MESH_INDICES", Word(shapes::MESH_INDICES as u32)),
    ("MESH_FAN_STARTS", Word(shapes::MESH_FAN_STARTS as u32)),
    ("MESH_FANS", Word(shapes::MESH_FANS as u32)),
    ("MESH_NODES", Word(shapes::MESH_NODES as u32)),
    ("MESH_ORDER", Word(shapes::MESH_ORDER as u32)),
    ("MESH_NODE_COUNT", Word(shapes::MESH_NODE_COUNT as u32)),
    ("MESH_CELL_STARTS", Word(shapes::MESH_CELL_STARTS as u32)),
    ("MESH_LIST_BITS", Word(cells::LIST_BITS)),
    ("MESH_CELL_LISTS", Word(shapes::MESH_CELL_LISTS as u32)),
    ("MESH_CELL_REACH", Word(shapes::MESH_CELL_REACH as u32)),
    ("MESH_CELL_ORIGIN", Word(shapes::MESH_CELL_ORIGIN as u32)),
    ("MESH_CELL_WIDTH", Word(shapes::MESH_CELL_WIDTH as u32)),
    ("MESH_CELL_SIDES", Word(shapes::MESH_CELL_SIDES as u32)),
    ("MESH_CORNERS", Word(shapes::MESH_CORNERS as u32)),
    ("MESH_ACROSS", Word(shapes::MESH_ACROSS as u32)),
    ("TOUCH", Number(TOUCH)),
    ("NEAR", Number(NEAR)),
    ("MAX_SLIDES", Word(MAX_SLIDES as u32)),
    ("MAX_PROJECTIONS", Word(MAX_PROJECTIONS as u32)),
    ("MAX_ADVANCES", Word(MAX_ADVANCES as u32)),
    ("SAME_NORMAL", Number(SAME_NORMAL)),
    ("SAME_HEIGHT", Number(SAME_HEIGHT)),
    ("COVERED", Number(COVERED)),
    ("EPSILON", Number(f32::EPSILON)),
    ("LARGEST", Number(f32::MAX)),
];

/// The constants as WGSL, a line each.
pub(crate) fn declarations() -> String {
    let mut text = String::new();
    for (name, value) in SHARED {
        // Writing to a string does not fail.
        let _ = match value {
            Word(word) => writeln!(text, "const {name} = {word}u;"),
            // Exactly: the shortest digits that read as the same number, and an exponent, lest it pass for an integer.
            Number(number) => writeln!(text, "const {name}: f32 = {number:e};"),
        };
    }
    text
}

/// The functions that find a particle's elements in sections, for kernels with the file of that name.
pub(crate) fn accessors() -> String {
    let all = arrays::VECTORS.iter().chain(arrays::KIND_SECTIONS);
    all.map(Accessor::declaration).collect()
}

#[cfg(test)]
#[path = "shared_tests.rs"]
mod tests;
