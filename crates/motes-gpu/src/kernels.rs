//! Every kernel, in one list.

pub(crate) mod shared;

use crate::kernel::{Source, kernel};

pub(crate) const SCAN_REDUCE: Source = kernel!("scan_reduce", "grid", "plain", "scan");
pub(crate) const SCAN_REDUCE_SUBGROUP: Source = kernel!("scan_reduce", "grid", "subgroup", "scan");
pub(crate) const SCAN_TILE: Source = kernel!("scan_tile", "grid", "plain", "scan");
pub(crate) const SCAN_TILE_SUBGROUP: Source = kernel!("scan_tile", "grid", "subgroup", "scan");
pub(crate) const SORT_HISTOGRAM: Source = kernel!("sort_histogram", "grid", "thread", "sort"; ITEMS = 4);
pub(crate) const SORT_SUM: Source = kernel!("sort_sum", "grid", "plain", "sort"; ITEMS = 4);
pub(crate) const SORT_SUM_SUBGROUP: Source = kernel!("sort_sum", "grid", "subgroup", "sort"; ITEMS = 4);
pub(crate) const SORT_SCATTER: Source = kernel!("sort_scatter", "grid", "plain", "sort", "sort_starts"; ITEMS = 4);
pub(crate) const SORT_SCATTER_SUBGROUP: Source =
    kernel!("sort_scatter_subgroup", "grid", "subgroup", "sort", "sort_starts"; ITEMS = 4, SUBGROUPS = 8);
pub(crate) const FIND_CONTACTS: Source = kernel!(
    "find_contacts", "grid", "thread", "collider_params", "collider_contact", "collider_pool", "collider_record",
    "collider_planes", "collider_sweep", "collider_march", "collider_shell", "collider_terrain", "shape",
    "shape_triangle", "shape_hull", "shape_grid", "shape_shell", "shape_terrain", "collider_alone"; SHAPES = 255, SHARE = 1
);
/// Where several threads have one particle.
pub(crate) const FIND_SHARED_CONTACTS: Source = kernel!(
    "find_contacts", "grid", "thread", "collider_params", "collider_contact", "collider_pool", "collider_record",
    "collider_planes", "collider_sweep", "collider_march", "collider_shell", "collider_terrain", "shape",
    "shape_triangle", "shape_hull", "shape_grid", "shape_shell", "shape_terrain", "collider_shares"; SHAPES = 255, SHARE = 8
);
/// Where there are neither meshes nor terrains.
pub(crate) const FIND_SOLID_CONTACTS: Source = kernel!(
    "find_contacts", "grid", "thread", "collider_params", "collider_contact", "collider_pool", "collider_record",
    "collider_planes", "collider_sweep", "collider_march", "collider_solids", "shape", "shape_triangle", "shape_hull",
    "shape_grid"; SHAPES = 95, SHARE = 1
);
pub(crate) const FIND_OVERLAPS: Source = kernel!(
    "find_overlaps", "grid", "thread", "collider_params", "collider_pool", "collider_record", "shape", "shape_triangle",
    "shape_hull", "shape_grid", "shape_shell", "shape_terrain"; SHAPES = 255
);
pub(crate) const SUM_FORCES: Source = kernel!(
    "sum_forces",
    "grid",
    "thread",
    "collider_params",
    "collider_contact",
    "collider_pool",
    "collider_force",
    "collider_sum"
);
pub(crate) const SUM_FORCES_TOTAL: Source = kernel!(
    "sum_forces_total",
    "grid",
    "thread",
    "collider_params",
    "collider_force"
);

pub(crate) const PREDICT: Source = kernel!("predict", "grid", "thread", "params", "sections", "cells", "levels", "group_radius", "count", "volume", "field", "kick"; BODIES = 0, SIZES = 0, WARM = 0, ORIENTED = 0);
pub(crate) const FILL_CELLS: Source = kernel!("fill_cells", "grid", "thread", "params", "cells"; SWEEPS = 0);
pub(crate) const BOUND_WAYS: Source = kernel!("bound_ways", "grid", "thread", "params", "sections", "ordered");
pub(crate) const REORDER: Source =
    kernel!("reorder", "grid", "thread", "params", "sections", "sizes", "group_radius", "cells"; SIZES = 0);
pub(crate) const FIND_PAIRS: Source = kernel!(
    "find_pairs", "grid", "plain", "params", "sections", "cells", "starts", "phase", "no_rest_overlaps", "sizes", "contact", "inscribed", "solids", "neighbors", "no_passing",
    "divide", "ellipsoid", "outlines"; SHARE = 1, INSCRIBED = 0, SIZES = 0, SOLIDS = 1, ORIENTED = 0);
pub(crate) const FIND_PAIRS_SUBGROUP: Source = kernel!(
    "find_pairs", "grid", "subgroup", "params", "sections", "cells", "starts", "phase", "no_rest_overlaps", "sizes", "contact", "inscribed", "solids", "neighbors", "no_passing",
    "divide", "ellipsoid", "outlines"; SHARE = 1, INSCRIBED = 0, SIZES = 0, SOLIDS = 1, ORIENTED = 0);
/// Where particles have rest positions.
pub(crate) const FIND_FILTERED_PAIRS: Source = kernel!(
    "find_pairs", "grid", "plain", "params", "sections", "sizes", "cells", "levels", "starts", "around", "phase", "rest_overlaps",
    "contact", "inscribed", "solids", "neighbors", "ordered", "sweep", "passing", "divide", "ellipsoid", "outlines"; SHARE = 1, SIZES = 0, INSCRIBED = 0, SOLIDS = 1, SWEEPS = 1, ORIENTED = 0);
pub(crate) const FIND_FILTERED_PAIRS_SUBGROUP: Source = kernel!(
    "find_pairs", "grid", "subgroup", "params", "sections", "sizes", "cells", "levels", "starts", "around", "phase", "rest_overlaps",
    "contact", "inscribed", "solids", "neighbors", "ordered", "sweep", "passing", "divide", "ellipsoid", "outlines"; SHARE = 1, SIZES = 0, INSCRIBED = 0, SOLIDS = 1, SWEEPS = 1, ORIENTED = 0);
pub(crate) const FIND_SIZED_PAIRS: Source = kernel!(
    "find_sized_pairs", "grid", "plain", "params", "sections", "sizes", "cells", "levels", "starts", "phase",
    "no_rest_overlaps", "contact", "inscribed", "solids", "neighbors", "no_passing", "divide", "ellipsoid", "outlines"; SIZES = 1, INSCRIBED = 0, SOLIDS = 1, ORIENTED = 0);
pub(crate) const FIND_SIZED_PAIRS_SUBGROUP: Source = kernel!(
    "find_sized_pairs", "grid", "subgroup", "params", "sections", "sizes", "cells", "levels", "starts", "phase",
    "no_rest_overlaps", "contact", "inscribed", "solids", "neighbors", "no_passing", "divide", "ellipsoid", "outlines"; SIZES = 1, INSCRIBED = 0, SOLIDS = 1, ORIENTED = 0);
pub(crate) const FIND_FILTERED_SIZED_PAIRS: Source = kernel!(
    "find_sized_pairs", "grid", "plain", "params", "sections", "sizes", "cells", "levels", "starts", "around", "phase",
    "rest_overlaps", "contact", "inscribed", "solids", "neighbors", "ordered", "sweep", "passing", "divide", "ellipsoid", "outlines"; SIZES = 1, INSCRIBED = 0, SOLIDS = 1, SWEEPS = 1, ORIENTED = 0);
pub(crate) const FIND_FILTERED_SIZED_PAIRS_SUBGROUP: Source = kernel!(
    "find_sized_pairs", "grid", "subgroup", "params", "sections", "sizes", "cells", "levels", "starts", "around", "phase",
    "rest_overlaps", "contact", "inscribed", "solids", "neighbors", "ordered", "sweep", "passing", "divide", "ellipsoid", "outlines"; SIZES = 1, INSCRIBED = 0, SOLIDS = 1, SWEEPS = 1, ORIENTED = 0);
pub(crate) const FIND_FLUID_NEIGHBORS: Source = kernel!(
    "find_fluid_neighbors", "grid", "thread", "params", "sections", "sizes", "cells", "levels", "starts", "around", "phase",
    "fluid"; SIZES = 0
);
pub(crate) const SUM_DENSITIES: Source =
    kernel!("sum_densities", "grid", "thread", "params", "sections", "sizes", "phase", "fluid"; SIZES = 0);
pub(crate) const CROWD: Source = kernel!("crowd", "grid", "thread", "params", "sections", "sizes", "fluid", "density", "neighbor_shares", "collider_contact", "wall"; SIZES = 0, ENDED = 0, SHARE = 1, MAY_SHARE = 1);
pub(crate) const PRESS: Source = kernel!("press", "grid", "thread", "params", "sections", "sizes", "fluid", "density", "neighbor_shares", "iteration", "collider_contact", "wall"; SIZES = 0, FIRST = 0, PREDICTIVE = 0, SHARE = 1, MAY_SHARE = 1);
pub(crate) const MAKE_WAY: Source = kernel!("make_way", "grid", "thread", "params", "sections", "sizes", "contact", "fluid", "density", "neighbor_shares", "collider_contact", "collider_solve"; SIZES = 0, RELAXES = 0, SOLIDS = 1, SHARE = 1, MAY_SHARE = 1);
pub(crate) const CONSTRAIN: Source = kernel!("constrain", "grid", "thread", "params", "sections", "sizes", "fluid", "density", "position_based", "collider_contact", "wall"; SIZES = 0, FIRST = 0);
pub(crate) const DISPLACE: Source = kernel!("displace", "grid", "thread", "params", "sections", "sizes", "fluid", "density", "position_based"; SIZES = 0);
pub(crate) const RELAX: Source = kernel!("relax", "grid", "thread", "params", "sections", "sizes", "fluid", "density", "collider_contact", "wall"; SIZES = 0);
pub(crate) const THICKEN: Source = kernel!("thicken", "grid", "thread", "params", "sections", "sizes", "fluid", "density", "collider_contact", "wall"; SIZES = 0);
pub(crate) const SHARE_VELOCITIES: Source = kernel!("share_velocities", "grid", "thread", "params", "sections", "sizes", "fluid", "density", "viscosity"; SIZES = 0);
pub(crate) const COMPRESS: Source = kernel!("compress", "grid", "thread", "params", "sections", "sizes", "fluid", "density", "collider_contact", "sph", "sph_wall"; SIZES = 0);
pub(crate) const PUSH_BY_PRESSURES: Source = kernel!("push_by_pressures", "grid", "thread", "params", "sections", "sizes", "fluid", "density", "viscosity", "collider_contact", "sph"; SIZES = 0);
pub(crate) const BEAR_PRESSURES: Source = kernel!("bear_pressures", "grid", "thread", "params", "sections", "sizes", "fluid", "density", "collider_contact", "sph", "sph_wall"; SIZES = 0);
pub(crate) const FIND_CURLS: Source =
    kernel!("find_curls", "grid", "thread", "params", "sections", "sizes", "fluid", "density"; SIZES = 0);
pub(crate) const CONFINE_CURLS: Source =
    kernel!("confine_curls", "grid", "thread", "params", "sections", "sizes", "fluid", "density"; SIZES = 0);
pub(crate) const TAUTEN: Source = kernel!("tauten", "grid", "thread", "params", "sections", "sizes", "fluid", "density", "collider_contact", "wall", "tension"; SIZES = 0);
pub(crate) const CONTRACT: Source = kernel!("contract", "grid", "thread", "params", "sections", "sizes", "fluid", "density", "collider_contact", "wall", "tension"; SIZES = 0);
pub(crate) const RECALL: Source = kernel!("recall", "grid", "thread", "params", "sections", "sizes", "pair", "contact", "sweep", "surface", "inscribed", "solids", "turning", "rolling_part", "ellipsoid", "outlines", "pair_levers"; BODIES = 0, SIZES = 0, INSCRIBED = 0, TURNS = 0, SWEEPS = 0, ORIENTED = 0);
pub(crate) const LENGTHEN: Source =
    kernel!("lengthen", "grid", "thread", "params", "sections", "turning"; TURNS = 0, ORIENTED = 0);
pub(crate) const RECALL_CONTACTS: Source = kernel!("recall_contacts", "grid", "thread", "params", "sections", "sizes", "contact", "collider_contact", "inscribed", "turning", "resist_rolling", "ellipsoid", "outlines", "wall_lever"; SIZES = 0, INSCRIBED = 0, TURNS = 0, FLUIDS = 0, ORIENTED = 0);
pub(crate) const SCALE_MASSES: Source =
    kernel!("scale_masses", "grid", "thread", "params", "sections", "sizes", "pair", "stack"; SIZES = 0);
pub(crate) const BEGIN_SOLVE: Source = kernel!("begin_solve", "grid", "thread", "params", "sections", "sizes", "halves", "contact", "surface", "share", "push", "collider_contact", "stabilize", "inscribed", "solids", "turning", "ellipsoid", "outlines", "wall_lever"; SCALED = 0, BODIES = 0, SIZES = 0, INSCRIBED = 0, TURNS = 0, ORIENTED = 0);
pub(crate) const PUSH_APART: Source = kernel!("push_apart", "grid", "thread", "params", "sections", "sizes", "pair", "contact", "surface", "inscribed", "solids", "push", "turning", "ellipsoid", "outlines"; BODIES = 0, SIZES = 0, INSCRIBED = 0, TURNS = 0, ORIENTED = 0);
pub(crate) const GATHER_STABILIZATION: Source = kernel!("gather_stabilization", "grid", "thread", "params", "sections", "sizes", "surface", "share", "gather", "collider_contact", "stabilize", "inscribed", "solids", "turning", "ellipsoid", "outlines", "wall_lever"; SCALED = 0, BODIES = 0, SIZES = 0, INSCRIBED = 0, TURNS = 0, ORIENTED = 0);
pub(crate) const SOLVE_PAIRS: Source = kernel!("solve_pairs", "grid", "thread", "params", "iteration", "sections", "sizes", "pair", "contact", "sweep", "surface", "inscribed", "solids", "table", "turning", "rolling_part", "ellipsoid", "outlines", "pair_levers"; BODIES = 0, SIZES = 0, INSCRIBED = 0, TURNS = 0, SWEEPS = 0, ORIENTED = 0);
pub(crate) const GATHER_SOLVE: Source = kernel!("gather_solve", "grid", "thread", "params", "sections", "sizes", "share", "gather", "contact", "collider_contact", "collider_solve", "inscribed", "solids", "turning", "resist_rolling", "ellipsoid", "outlines", "wall_lever", "wall_solve"; SCALED = 0, BODIES = 0, SIZES = 0, INSCRIBED = 0, TURNS = 0, PATCHES = 0, ORIENTED = 0);
pub(crate) const BEGIN_GAS: Source = kernel!("begin_gas", "grid", "thread", "params", "sections", "warmth"; WARM = 0);
pub(crate) const NOTE_GAS: Source = kernel!("note_gas", "grid", "thread", "params", "sections", "sizes", "fluid", "density", "collider_contact", "wall", "gas_material"; SIZES = 0);
pub(crate) const WARM_GAS: Source = kernel!("warm_gas", "grid", "thread", "params", "sections", "sizes", "fluid", "density", "viscosity", "warmth"; SIZES = 0);
pub(crate) const COOL_GAS: Source = kernel!("cool_gas", "grid", "thread", "params", "sections", "sizes", "fluid", "density", "volume", "warmth", "gas", "gas_material"; SIZES = 0);
pub(crate) const ROLL_UP_GAS: Source = kernel!("roll_up_gas", "grid", "thread", "params", "sections", "sizes", "fluid", "density", "neighbor_shares", "warmth", "gas", "gas_material"; SIZES = 0, SHARE = 1, MAY_SHARE = 1);
pub(crate) const DRIVE_GAS: Source = kernel!("drive_gas", "grid", "thread", "params", "sections", "sizes", "fluid", "density", "neighbor_shares", "air", "gas", "gas_material"; SIZES = 0, SHARE = 1, MAY_SHARE = 1);
pub(crate) const NOTE_LONELY: Source = kernel!("note_lonely", "grid", "thread", "params", "sections", "gas");
pub(crate) const BEGIN_TURNS: Source = kernel!("begin_turns", "grid", "thread", "params", "sections", "sizes", "surface", "inscribed", "solids", "turning", "ellipsoid", "outlines"; BODIES = 0, SIZES = 0, INSCRIBED = 0, TURNS = 1, ORIENTED = 0);
pub(crate) const GATHER_TURNS: Source = kernel!("gather_turns", "grid", "thread", "params", "sections", "share", "turning", "ellipsoid", "outlines"; SCALED = 0, TURNS = 1, ORIENTED = 0);
pub(crate) const END_TURNS: Source = kernel!("end_turns", "grid", "thread", "params", "sections", "sizes", "turning"; SIZES = 0, TURNS = 1, ORIENTED = 0);
pub(crate) const OUTLINE_PARTICLES: Source = kernel!("outline_particles", "grid", "thread", "params", "sections", "sizes", "ellipsoid", "outlines"; SIZES = 0, ORIENTED = 1);
pub(crate) const FLY_CREATURES: Source = kernel!("fly_creatures", "grid", "thread", "params", "sections", "sizes", "rotation", "tensor", "shape_match", "ellipsoid", "orientation", "creature_records", "creature", "creature_part", "outlines", "creature_outline"; SIZES = 0, ORIENTED = 1);
pub(crate) const MATCH_CREATURES: Source = kernel!("match_creatures", "grid", "thread", "params", "sections", "sizes", "turning", "rotation", "tensor", "shape_match", "ellipsoid", "orientation", "creature_records", "creature", "creature_part", "creature_group", "creature_edge", "outlines", "creature_outline"; SIZES = 0, TURNS = 1, ORIENTED = 1, PATCHES = 0, BEGINS = 0);
pub(crate) const HOLD_CREATURES: Source = kernel!(
    "hold_creatures",
    "grid",
    "thread",
    "params",
    "sections",
    "rotation",
    "tensor",
    "shape_match",
    "ellipsoid",
    "orientation",
    "creature_records",
    "creature",
    "creature_part"
);
pub(crate) const END_CREATURES: Source = kernel!("end_creatures", "grid", "thread", "params", "sections", "turning", "rotation", "tensor", "shape_match", "ellipsoid", "orientation", "creature_records", "creature", "body_sum"; TURNS = 1, ORIENTED = 1);
pub(crate) const PLACE_LOADS: Source = kernel!("place_loads", "grid", "thread", "creature_records");
pub(crate) const WEIGH_PARTS: Source = kernel!("weigh_parts", "grid", "thread", "params", "sections", "sizes", "mobility", "collider_contact", "creature_records", "ellipsoid", "outlines", "wall_lever"; SIZES = 0, ORIENTED = 1);
pub(crate) const SHARE_PARTS: Source = kernel!(
    "share_parts",
    "grid",
    "thread",
    "params",
    "sections",
    "mobility",
    "rotation",
    "tensor",
    "shape_match",
    "ellipsoid",
    "orientation",
    "creature_records",
    "creature",
    "creature_part"
);
pub(crate) const REBOUND_PARTS: Source = kernel!("rebound_parts", "grid", "thread", "params", "sections", "sizes", "turning", "collider_contact", "rotation", "tensor", "shape_match", "ellipsoid", "orientation", "creature_records", "creature", "creature_part", "outlines", "wall_lever", "collider_rebound"; SIZES = 0, TURNS = 1, ORIENTED = 1, ROUND_NUMBER = 0, WHOLE = 0);
pub(crate) const DERIVE_VELOCITIES: Source =
    kernel!("derive_velocities", "grid", "thread", "params", "sections", "velocity");
pub(crate) const REBOUND_PAIRS: Source = kernel!("rebound_pairs", "grid", "thread", "params", "sections", "sizes", "pair", "surface", "inscribed", "solids", "table", "turning", "ellipsoid", "outlines", "rolling_part", "pair_levers"; BODIES = 0, SIZES = 0, INSCRIBED = 0, AGAIN = 0, TURNS = 0, ORIENTED = 0);
pub(crate) const REBOUND_BODIES: Source = kernel!(
    "rebound_bodies", "grid", "thread", "params", "sections", "rotation", "rests", "placed", "body", "body_group", "body_sum",
    "flight", "momentum", "collider_contact", "collider_rebound", "sizes", "inscribed", "solids", "ellipsoid", "outlines", "turning", "wall_lever"; INNER = 1, AGAIN = 0, LAST = 1, INSCRIBED = 0, SIZES = 0, ORIENTED = 0, TURNS = 0);
pub(crate) const KEEP_OUT: Source = kernel!(
    "keep_out", "grid", "thread", "params", "sections", "rotation", "rests", "body", "body_group", "flight", "flight_write",
    "collider_contact", "sizes", "inscribed"; AT_START = 0, JOINTS = 1, INSCRIBED = 0, SIZES = 0);
pub(crate) const REBOUND_GATHER: Source = kernel!("rebound_gather", "grid", "thread", "params", "sections", "sizes", "surface", "inscribed", "solids", "turning", "ellipsoid", "outlines"; BODIES = 0, SIZES = 0, INSCRIBED = 0, TURNS = 0, ORIENTED = 0);
pub(crate) const FINISH: Source = kernel!("finish", "grid", "thread", "params", "sections", "velocity", "cells", "levels", "group_radius", "count", "volume", "field", "warmth", "kick", "collider_params", "collider_contact", "collider_rebound", "velocity_after", "collider_pool", "collider_force", "collider_sum", "sizes", "ellipsoid", "outlines", "turning", "wall_lever"; BODIES = 0, SIZES = 0, FACES = 0, FLUIDS = 0, MIXED = 0, WARM = 0, ORIENTED = 0, TURNS = 0);

pub(crate) const REBOUND_COLLIDERS: Source = kernel!("rebound_colliders", "grid", "thread", "params", "sections", "velocity", "collider_contact", "collider_rebound", "velocity_after", "sizes", "ellipsoid", "outlines", "turning", "wall_lever"; BODIES = 0, MIXED = 0, ORIENTED = 0, TURNS = 0, SIZES = 0);
pub(crate) const APPEND_PASSIVE: Source = kernel!("append_passive", "grid", "thread", "passive");
pub(crate) const MARK_PASSIVE: Source = kernel!("mark_passive", "grid", "thread", "passive", "volume");
pub(crate) const COMPACT_PASSIVE: Source = kernel!("compact_passive", "grid", "thread", "passive");
pub(crate) const BIN_PASSIVE: Source = kernel!("bin_passive", "grid", "thread", "params", "cells", "passive");
pub(crate) const LIST_PASSIVE: Source = kernel!("list_passive", "grid", "thread", "params", "cells", "passive");
pub(crate) const PACK_CARRIERS: Source =
    kernel!("pack_carriers", "grid", "thread", "params", "sections", "sizes", "warmth"; SIZES = 0, WARM = 0);
pub(crate) const ADVECT_PASSIVE: Source = kernel!(
    "advect_passive", "grid", "thread", "params", "sections", "sizes", "cells", "levels", "starts", "around",
    "trimmed", "carried", "passive", "neighbor_shares", "foam", "air", "warmth"; SIZES = 0, MIXED = 1, ORDERED = 1, WARM = 0, SEES = 0, PACKED = 0, SHARE = 1, MAY_SHARE = 1
);
pub(crate) const FIND_SURFACES: Source = kernel!("find_surfaces", "grid", "thread", "params", "sections", "sizes", "fluid", "density", "carried"; SIZES = 0, MIXED = 0);
pub(crate) const COUNT_FOAM: Source = kernel!("count_foam", "grid", "thread", "params", "sections", "sizes", "fluid", "density", "carried", "foam"; SIZES = 0, MIXED = 0);
pub(crate) const EMIT_FOAM: Source =
    kernel!("emit_foam", "grid", "thread", "params", "sections", "sizes", "foam"; SIZES = 0);
pub(crate) const STOP_PASSIVE: Source = kernel!(
    "stop_passive", "grid", "thread", "foam", "collider_params", "collider_contact", "collider_pool",
    "collider_record", "collider_planes", "collider_sweep", "collider_march", "collider_shell", "collider_terrain",
    "shape", "shape_triangle", "shape_hull", "shape_grid", "shape_shell", "shape_terrain", "collider_alone"; SHAPES = 255, SHARE = 1
);
/// Where there are neither meshes nor terrains.
pub(crate) const STOP_AT_SOLIDS: Source = kernel!(
    "stop_passive", "grid", "thread", "foam", "collider_params", "collider_contact", "collider_pool",
    "collider_record", "collider_planes", "collider_sweep", "collider_march", "collider_solids", "shape",
    "shape_triangle", "shape_hull", "shape_grid"; SHAPES = 95, SHARE = 1
);

pub(crate) const LOCATE_MEMBERS: Source = kernel!("locate_members", "grid", "thread", "params", "rests", "member");
pub(crate) const FLY_BODIES: Source = kernel!(
    "fly_bodies",
    "grid",
    "thread",
    "params",
    "sections",
    "collider_params",
    "rotation",
    "rests",
    "placed",
    "body",
    "body_sum",
    "flight",
    "flight_write"
);
pub(crate) const CARRY_MEMBERS: Source = kernel!("carry_members", "grid", "thread", "params", "sections", "cells", "levels", "group_radius", "count", "rotation", "rests", "body", "cluster", "firmness", "member", "member_goal"; SIZES = 0);
pub(crate) const TURN_FIELDS: Source = kernel!(
    "turn_fields",
    "grid",
    "thread",
    "params",
    "sections",
    "rotation",
    "rests",
    "body",
    "member"; INSCRIBED = 0);
pub(crate) const COUNT_CONTACTS: Source = kernel!("count_contacts", "grid", "thread", "params", "sections", "sizes", "contact", "surface", "collider_contact", "divide", "rotation", "inscribed", "solids", "ellipsoid", "outlines"; BODIES = 1, SIZES = 0, INSCRIBED = 0, ORIENTED = 0);
pub(crate) const SHARE_BODIES: Source = kernel!(
    "share_bodies",
    "grid",
    "thread",
    "params",
    "sections",
    "rotation",
    "tensor",
    "mobility",
    "rests",
    "body",
    "body_group",
    "body_sum", "inscribed"; INSCRIBED = 0);
pub(crate) const MATCH_SHAPES: Source = kernel!(
    "match_shapes", "grid", "thread", "params", "sections", "rotation", "tensor", "shape_match", "rests", "placed",
    "body", "body_group", "cluster", "body_sum", "flight", "flight_write", "flight_push", "match_part", "match_sum",
    "firmness", "member_goal", "member_pull", "inscribed"; MATCHES = 1, MOVES = 3, INSCRIBED = 0);
pub(crate) const MATCH_CHUNKS: Source = kernel!(
    "match_chunks", "grid", "thread", "params", "sections", "rotation", "tensor", "shape_match", "rests", "body",
    "cluster", "chunk", "chunk_sum", "flight", "flight_write", "firmness", "member_goal", "member_pull", "inscribed"; MATCHES = 1, MOVES = 3, INSCRIBED = 0);
pub(crate) const BEGIN_ATTACHMENTS: Source = kernel!(
    "begin_attachments",
    "grid",
    "thread",
    "params",
    "collider_params",
    "sections",
    "rotation",
    "tensor",
    "lever",
    "spatial",
    "rests",
    "placed",
    "body",
    "body_sum",
    "attachment",
    "holder",
    "drive"
);
pub(crate) const SOLVE_ATTACHMENTS: Source = kernel!(
    "solve_attachments", "grid", "thread", "params", "sections", "rotation", "tensor", "lever", "spatial", "rests",
    "placed", "body", "body_sum", "flight", "flight_write", "attachment", "holder", "drive", "loop_axis"; SWEEPS = 1
);
pub(crate) const PLACE_LEVERS: Source = kernel!(
    "place_levers",
    "grid",
    "thread",
    "rotation",
    "tensor",
    "lever",
    "spatial",
    "body",
    "attachment"
);
pub(crate) const SOLVE_TREES: Source = kernel!(
    "solve_trees",
    "grid",
    "thread",
    "rotation",
    "tensor",
    "lever",
    "spatial",
    "articulated",
    "body",
    "flight",
    "flight_write",
    "attachment",
    "drive",
    "hold_start",
    "tree_axis",
    "tree_near",
    "tree_begin",
    "tree_solve",
    "tree_end"; DRIVES = 1, STARTS = 0, REPEATS = 1, NODES = 8, JOINTS = 8
);
/// Where some tree has no room in the memory of a workgroup.
pub(crate) const SOLVE_LARGE_TREES: Source = kernel!(
    "solve_trees",
    "grid",
    "thread",
    "rotation",
    "tensor",
    "lever",
    "spatial",
    "articulated",
    "body",
    "flight",
    "flight_write",
    "attachment",
    "drive",
    "hold_start",
    "tree_axis",
    "tree_far",
    "tree_begin",
    "tree_solve",
    "tree_end"; DRIVES = 1, STARTS = 0, REPEATS = 1
);
pub(crate) const KEEP_ATTACHMENTS: Source = kernel!("keep_attachments", "grid", "thread", "attachment");
pub(crate) const BREAK_ATTACHMENTS: Source = kernel!(
    "break_attachments",
    "grid",
    "thread",
    "params",
    "rotation",
    "attachment",
    "drive"
);
pub(crate) const MATCH_STARTS: Source = kernel!(
    "match_starts",
    "grid",
    "thread",
    "params",
    "sections",
    "rotation",
    "tensor",
    "shape_match",
    "rests",
    "placed",
    "body",
    "body_group",
    "body_sum",
    "flight",
    "flight_write",
    "flight_push",
    "match_part",
    "match_sum",
    "member_follow", "inscribed"; INSCRIBED = 0);
pub(crate) const HOLD_STARTS: Source = kernel!(
    "hold_starts", "grid", "thread", "rotation", "tensor", "lever", "spatial", "body", "flight", "flight_write",
    "attachment", "drive", "hold_start"; SWEEPS = 1
);
pub(crate) const PLACE_STARTS: Source = kernel!(
    "place_starts",
    "grid",
    "thread",
    "params",
    "sections",
    "rotation",
    "rests",
    "body",
    "attachment"
);
pub(crate) const MATCH_CHUNK_STARTS: Source = kernel!(
    "match_chunk_starts",
    "grid",
    "thread",
    "params",
    "sections",
    "rotation",
    "rests",
    "body",
    "chunk",
    "chunk_sum",
    "flight",
    "flight_write",
    "member_follow"
);
pub(crate) const MATCH_PARTS: Source = kernel!(
    "match_parts", "grid", "thread", "params", "sections", "rotation", "tensor", "shape_match", "rests",
    "placed", "body", "cluster", "chunk", "body_sum", "flight", "flight_push", "match_part", "inscribed"; FIRST = 0, STARTS = 0, INSCRIBED = 0);
pub(crate) const DERIVE_BODY_VELOCITIES: Source = kernel!(
    "derive_body_velocities",
    "grid",
    "thread",
    "params",
    "sections",
    "rotation",
    "rests",
    "body",
    "flight",
    "momentum",
    "member",
    "inscribed"; INSCRIBED = 0
);
pub(crate) const KEEP_SPIN: Source = kernel!(
    "keep_spin",
    "grid",
    "thread",
    "params",
    "sections",
    "tensor",
    "rests",
    "placed",
    "body",
    "body_group",
    "body_sum"
);
pub(crate) const SCALE_BODY_MASSES: Source = kernel!("scale_body_masses", "grid", "thread", "params", "sections", "sizes", "pair", "stack", "rests", "body", "member"; SIZES = 0);
pub(crate) const FLOW_BODIES: Source = kernel!(
    "flow_bodies",
    "grid",
    "thread",
    "params",
    "tensor",
    "rests",
    "body",
    "body_sum",
    "flow"
);
pub(crate) const CARRY_POINTS: Source = kernel!(
    "carry_points",
    "grid",
    "thread",
    "params",
    "rotation",
    "tensor",
    "rests",
    "placed",
    "body",
    "body_sum",
    "attachment",
    "holder",
    "flow"
);
pub(crate) const REST_BODIES: Source = kernel!(
    "rest_bodies",
    "grid",
    "thread",
    "params",
    "sections",
    "rotation",
    "body",
    "flight",
    "momentum",
    "body_group"
);

pub(crate) const LOCATE_ROWS: Source = kernel!("locate_rows", "grid", "thread", "params", "sections", "row");
pub(crate) const LOCATE_PARTICIPANTS: Source =
    kernel!("locate_participants", "grid", "thread", "params", "sections", "row");
pub(crate) const COUNT_ENDS: Source = kernel!("count_ends", "grid", "thread", "row"; WIDTH = 2);
pub(crate) const FILL_ENDS: Source = kernel!("fill_ends", "grid", "thread", "row"; WIDTH = 2);
pub(crate) const SORT_ENDS: Source = kernel!("sort_ends", "grid", "thread", "row", "row_ends");
pub(crate) const DIVIDE_ROWS: Source = kernel!(
    "divide_rows",
    "grid",
    "thread",
    "params",
    "sections",
    "divide",
    "row",
    "tether",
    "row_ends"; SHARE = 4
);
pub(crate) const RESPOND_ROWS: Source =
    kernel!("respond_rows", "grid", "thread", "params", "row", "row_ends", "respond"; SHARE = 4);
pub(crate) const LOCATE_PATCHES: Source = kernel!("locate_patches", "grid", "thread", "params", "sections", "patch");
pub(crate) const RESPOND_PATCH_ROWS: Source = kernel!(
    "respond_patch_rows",
    "grid",
    "thread",
    "params",
    "row",
    "respond",
    "patch"
);
pub(crate) const RESPOND_PATCH_BENDS: Source = kernel!(
    "respond_patch_bends",
    "grid",
    "thread",
    "params",
    "sections",
    "row",
    "respond",
    "patch"
);
pub(crate) const SOLVE_PATCHES: Source = kernel!(
    "solve_patches", "grid", "thread", "params", "sections", "divide", "tether", "bend", "iteration", "patch"; FIRST = 0, DOES = 0, LOCALS = 480, ROW_NOTES = 2112
);
pub(crate) const SOLVE_ROWS: Source =
    kernel!("solve_rows", "grid", "thread", "params", "iteration", "sections", "row", "row_ends", "tether"; SHARE = 4);
pub(crate) const MOVE_ROWS: Source = kernel!("move_rows", "grid", "thread", "params", "sections", "row");
/// With a thread more than a strand has links.
pub(crate) const SOLVE_STRANDS: Source =
    kernel!("solve_strands", "grid", "thread", "params", "sections", "strand"; COLORED = 0);
pub(crate) const JOIN_STRANDS: Source = kernel!("join_strands", "grid", "thread", "params", "sections");
pub(crate) const HOLD_ROWS: Source = kernel!(
    "hold_rows",
    "grid",
    "thread",
    "params",
    "sections",
    "divide",
    "row",
    "hold_round",
    "row_ends"; SHARE = 4
);
pub(crate) const MOVE_STARTS: Source = kernel!("move_starts", "grid", "thread", "params", "sections", "sizes", "row", "hold_round", "collider_contact", "ellipsoid", "outlines", "wall_lever"; BODIES = 0, SIZES = 0, ORIENTED = 0);
pub(crate) const MARK_ACTING: Source = kernel!("mark_acting", "grid", "thread", "row");
pub(crate) const WEIGH_LOADS: Source = kernel!(
    "weigh_loads",
    "grid",
    "thread",
    "params",
    "rests",
    "mobility",
    "body",
    "haul"
);
pub(crate) const LEND_MOBILITY: Source =
    kernel!("lend_mobility", "grid", "thread", "params", "sections", "body", "haul");
pub(crate) const HAUL_BODIES: Source = kernel!(
    "haul_bodies", "grid", "thread", "params", "sections", "rotation", "tensor", "shape_match", "rests", "body",
    "cluster", "flight", "flight_write", "firmness", "member_goal", "member_pull", "inscribed", "haul";
    MOVES = 3, INSCRIBED = 0);
pub(crate) const RESPOND_COLORS: Source = kernel!(
    "respond_colors",
    "grid",
    "thread",
    "params",
    "sections",
    "row",
    "tether",
    "respond"
);
pub(crate) const SOLVE_COLOR: Source = kernel!("solve_color", "grid", "thread", "params", "sections", "tether");
pub(crate) const DIVIDE_BENDS: Source = kernel!("divide_bends", "grid", "thread", "row", "row_ends");
pub(crate) const RESPOND_BENDS: Source =
    kernel!("respond_bends", "grid", "thread", "params", "sections", "row", "respond", "bend"; ALL_AT_ONCE = 1);
pub(crate) const SOLVE_BENDS: Source = kernel!("solve_bends", "grid", "thread", "params", "sections", "row", "bend");
pub(crate) const MOVE_BENDS: Source = kernel!("move_bends", "grid", "thread", "params", "sections", "row", "row_ends");
pub(crate) const SOLVE_BEND_COLOR: Source = kernel!("solve_bend_color", "grid", "thread", "params", "sections", "bend");
pub(crate) const PRESS_FACES: Source = kernel!("press_faces", "grid", "thread", "params", "sections", "row", "air");
pub(crate) const BLOW: Source = kernel!("blow", "grid", "thread", "params", "sections", "row", "row_ends");
pub(crate) const MEASURE_BALLOONS: Source = kernel!(
    "measure_balloons",
    "grid",
    "thread",
    "params",
    "sections",
    "balloon",
    "piece_sum"
);
pub(crate) const SLOPE_BALLOONS: Source = kernel!(
    "slope_balloons",
    "grid",
    "thread",
    "params",
    "sections",
    "row_ends",
    "balloon",
    "piece_sum"
);
pub(crate) const INFLATE: Source =
    kernel!("inflate", "grid", "thread", "params", "respond", "balloon", "piece_sum"; FIRST = 1);
pub(crate) const MOVE_BALLOONS: Source = kernel!("move_balloons", "grid", "thread", "params", "sections", "balloon");
pub(crate) const LEAK_BALLOONS: Source = kernel!("leak_balloons", "grid", "thread", "params", "balloon");
pub(crate) const DRAW_PARTICLES: Source =
    kernel!("draw_particles", "grid", "thread", "params", "sections", "row"; FIRST = 1);
pub(crate) const BREAK_ROWS: Source = kernel!("break_rows", "grid", "thread", "params", "row", "row_impulse");
pub(crate) const FOLLOW_SHAPES: Source = kernel!("follow_shapes", "grid", "thread", "params", "rests", "row");

pub(crate) const MARK_DEAD: Source = kernel!("mark_dead", "grid", "thread", "population", "volume");
pub(crate) const CONDEMN: Source = kernel!("condemn", "grid", "thread");
pub(crate) const COMPACT: Source = kernel!("compact", "grid", "thread", "population", "sections");
pub(crate) const SETTLE: Source = kernel!("settle", "grid", "thread", "population", "sections");
pub(crate) const PLACE_VALUES: Source = kernel!("place_values", "grid", "thread");
pub(crate) const TABULATE: Source = kernel!("tabulate", "grid", "thread", "params", "sections", "cells");
pub(crate) const FILL_DEAD: Source = kernel!("fill_dead", "grid", "thread");
pub(crate) const TALLY: Source = kernel!("tally", "grid", "thread", "population");

pub(crate) const LOCATE_PARTICLES: Source = kernel!("locate_particles", "grid", "thread");
pub(crate) const EDIT_PARTICLES: Source = kernel!("edit_particles", "grid", "thread", "edit", "sections");
pub(crate) const EDIT_BODIES: Source = kernel!(
    "edit_bodies",
    "grid",
    "thread",
    "edit",
    "sections",
    "rotation",
    "tensor",
    "body_sum"
);
pub(crate) const GATHER_PARTICLES: Source = kernel!("gather_particles", "grid", "thread", "edit", "sections");
pub(crate) const PICK: Source = kernel!("pick", "grid", "thread");
pub(crate) const STRAIN_ROWS: Source = kernel!("strain_rows", "grid", "thread", "row", "row_impulse");
pub(crate) const SPLIT_PARTICLES: Source = kernel!("split_particles", "grid", "thread", "edit", "sections");

/// Every kernel, each of its variants apart. The tests validate what is listed here, and that nothing is missing.
pub const ALL: &[Source] = &[
    SCAN_REDUCE,
    SCAN_REDUCE_SUBGROUP,
    SCAN_TILE,
    SCAN_TILE_SUBGROUP,
    SORT_HISTOGRAM,
    SORT_SUM,
    SORT_SUM_SUBGROUP,
    SORT_SCATTER,
    SORT_SCATTER_SUBGROUP,
    PREDICT,
    FILL_CELLS,
    BOUND_WAYS,
    REORDER,
    FIND_PAIRS,
    FIND_PAIRS_SUBGROUP,
    FIND_SIZED_PAIRS,
    FIND_SIZED_PAIRS_SUBGROUP,
    FIND_FILTERED_PAIRS,
    FIND_FILTERED_PAIRS_SUBGROUP,
    FIND_FILTERED_SIZED_PAIRS,
    FIND_FILTERED_SIZED_PAIRS_SUBGROUP,
    FIND_FLUID_NEIGHBORS,
    SUM_DENSITIES,
    CROWD,
    PRESS,
    MAKE_WAY,
    CONSTRAIN,
    DISPLACE,
    RELAX,
    THICKEN,
    SHARE_VELOCITIES,
    COMPRESS,
    PUSH_BY_PRESSURES,
    BEAR_PRESSURES,
    FIND_CURLS,
    CONFINE_CURLS,
    TAUTEN,
    CONTRACT,
    RECALL,
    LENGTHEN,
    RECALL_CONTACTS,
    SCALE_MASSES,
    BEGIN_SOLVE,
    PUSH_APART,
    GATHER_STABILIZATION,
    SOLVE_PAIRS,
    GATHER_SOLVE,
    BEGIN_GAS,
    NOTE_GAS,
    WARM_GAS,
    COOL_GAS,
    ROLL_UP_GAS,
    DRIVE_GAS,
    NOTE_LONELY,
    BEGIN_TURNS,
    GATHER_TURNS,
    END_TURNS,
    OUTLINE_PARTICLES,
    FLY_CREATURES,
    MATCH_CREATURES,
    HOLD_CREATURES,
    END_CREATURES,
    PLACE_LOADS,
    WEIGH_PARTS,
    SHARE_PARTS,
    REBOUND_PARTS,
    DERIVE_VELOCITIES,
    REBOUND_PAIRS,
    REBOUND_BODIES,
    KEEP_OUT,
    REBOUND_GATHER,
    FINISH,
    REBOUND_COLLIDERS,
    APPEND_PASSIVE,
    MARK_PASSIVE,
    COMPACT_PASSIVE,
    BIN_PASSIVE,
    LIST_PASSIVE,
    ADVECT_PASSIVE,
    PACK_CARRIERS,
    FIND_SURFACES,
    COUNT_FOAM,
    EMIT_FOAM,
    STOP_PASSIVE,
    STOP_AT_SOLIDS,
    LOCATE_MEMBERS,
    FLY_BODIES,
    CARRY_MEMBERS,
    TURN_FIELDS,
    COUNT_CONTACTS,
    SHARE_BODIES,
    MATCH_SHAPES,
    MATCH_CHUNKS,
    BEGIN_ATTACHMENTS,
    PLACE_LEVERS,
    SOLVE_ATTACHMENTS,
    SOLVE_TREES,
    SOLVE_LARGE_TREES,
    KEEP_ATTACHMENTS,
    BREAK_ATTACHMENTS,
    MATCH_STARTS,
    HOLD_STARTS,
    PLACE_STARTS,
    MATCH_CHUNK_STARTS,
    MATCH_PARTS,
    DERIVE_BODY_VELOCITIES,
    KEEP_SPIN,
    SCALE_BODY_MASSES,
    FLOW_BODIES,
    CARRY_POINTS,
    REST_BODIES,
    LOCATE_ROWS,
    LOCATE_PARTICIPANTS,
    COUNT_ENDS,
    FILL_ENDS,
    SORT_ENDS,
    DIVIDE_ROWS,
    RESPOND_ROWS,
    SOLVE_ROWS,
    LOCATE_PATCHES,
    RESPOND_PATCH_ROWS,
    RESPOND_PATCH_BENDS,
    SOLVE_PATCHES,
    MOVE_ROWS,
    SOLVE_STRANDS,
    JOIN_STRANDS,
    HOLD_ROWS,
    MOVE_STARTS,
    MARK_ACTING,
    WEIGH_LOADS,
    LEND_MOBILITY,
    HAUL_BODIES,
    RESPOND_COLORS,
    SOLVE_COLOR,
    DIVIDE_BENDS,
    RESPOND_BENDS,
    SOLVE_BENDS,
    MOVE_BENDS,
    SOLVE_BEND_COLOR,
    PRESS_FACES,
    BLOW,
    MEASURE_BALLOONS,
    SLOPE_BALLOONS,
    INFLATE,
    MOVE_BALLOONS,
    LEAK_BALLOONS,
    DRAW_PARTICLES,
    BREAK_ROWS,
    FOLLOW_SHAPES,
    MARK_DEAD,
    CONDEMN,
    COMPACT,
    SETTLE,
    PLACE_VALUES,
    TALLY,
    TABULATE,
    FILL_DEAD,
    FIND_CONTACTS,
    FIND_SHARED_CONTACTS,
    FIND_SOLID_CONTACTS,
    FIND_OVERLAPS,
    SUM_FORCES,
    SUM_FORCES_TOTAL,
    LOCATE_PARTICLES,
    EDIT_PARTICLES,
    EDIT_BODIES,
    GATHER_PARTICLES,
    PICK,
    STRAIN_ROWS,
    SPLIT_PARTICLES,
];

#[cfg(test)]
#[path = "kernels/tests.rs"]
mod tests;
