// Fluids: lists of neighbours within the smoothing radius, and how two particles count for each other.

struct FluidParams {
    // Distance within which particles count in each other's sums, metres; of several sizes, in distances at which they touch.
    smoothing: f32,
    // The same in widths of cells.
    cells: f32,
    // Fours of indices that there is room for in the list.
    capacity: u32,
    // Which of the counters is that of the sub-step, and which tells that something is too dense from before it.
    counter: u32,
    crowded: u32,
    // Vectors from one section of `flow` to the next.
    room: u32,
    // Of the lattice that liquids are at rest in: how much a particle counts for another alike at distance 0, a wall for a particle on it, the least that
    // multipliers are divided by, or what all of them are by PCISPH, all slopes.
    share: f32,
    wall: f32,
    least: f32,
    steepness: f32,
    // Excess that iterations take back as a whole, times a diameter; how much they leave of the rest.
    leeway: f32,
    kept: f32,
    // Volume of a particle, over its smoothing radius cubed.
    volume: f32,
    // One over `smoothing`.
    per_smoothing: f32,
    // What the slope of the density at walls is multiplied with where it is a tension, and the rows of the table of materials with tensions.
    steeper: f32,
    tension_rows: u32,
    // Fours that every particle has room for, and where in the list those of particles with more of them begin.
    width: u32,
    behind: u32,
    // What a wall counts in the densities that are kept.
    pressing_wall: f32,
    // Where these are those of Position Based Fluids, of the lattice: how much a particle counts for another alike at distance 0, and the squares of all slopes.
    filled_share: f32,
    filled_denominator: f32,
    // What is added to denominators, for an inverse mass and a smoothing radius of 1.
    softness: f32,
    // Half of the artificial pressure of two alike, likewise, one over the weight at its distance, and its exponent.
    push: f32,
    per_crowding: f32,
    crowding_exponent: u32,
    // See BILATERAL and PRECOMPUTED.
    choices: u32,
    unused: vec2u,
}

// Particles whose lists lie side by side: the first four neighbours of all of them, then the second four and so on, so that threads
// read next to each other. What the last four lack is filled up with the particle itself.
const SLICE = 32u;

// Set in the number of neighbours of particles that are liquid themselves.
const IS_LIQUID = 1u << 31u;

fn neighbor_count(range: vec2u) -> u32 {
    return range.y & ~IS_LIQUID;
}

fn fours(range: vec2u) -> u32 {
    return (neighbor_count(range) + 3u) / 4u;
}

// How often the particle itself is among its neighbours, each time as one at distance 0.
fn fillers(range: vec2u) -> f32 {
    return f32(4u * fours(range) - neighbor_count(range));
}

fn is_liquid(range: vec2u) -> bool {
    return (range.y & IS_LIQUID) != 0u;
}

fn smoothing_distance(i: u32, j: u32) -> f32 {
    if SIZES == 0u {
        return fluid.smoothing;
    }
    return (radius_of(j) + radius_of(i)) * fluid.smoothing;
}
