// Lists of neighbours within the smoothing radius.

struct FluidParams {
    // Distance within which particles count in each other's sums, metres; of several sizes, in distances at which they touch.
    smoothing: f32,
    // The same in widths of cells.
    cells: f32,
    // Indices that there is room for in the list.
    capacity: u32,
    // Which of the counters is that of the sub-step.
    counter: u32,
}

// Particles whose lists lie side by side: the first neighbours of all of them, then the second and so on, so that threads
// read next to each other.
const SLICE = 32u;

fn smoothing_distance(i: u32, j: u32) -> f32 {
    if SIZES == 0u {
        return fluid.smoothing;
    }
    return (radius_of(j) + radius_of(i)) * fluid.smoothing;
}
