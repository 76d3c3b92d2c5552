// Brings positions into the order of the cells, and notes where each cell begins and ends.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> order: array<u32>;
@group(0) @binding(2) var<storage, read> keys: array<u32>;
@group(0) @binding(3) var<storage, read> positions: array<vec4f>;
@group(0) @binding(4) var<storage, read> moved: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> starts: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> predicted: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> cells: array<vec2u>;
// Of the sub-step: own pairs, pairs of others. Of the frame: those without room, and the most pairs of a sub-step.
@group(0) @binding(8) var<storage, read_write> counters: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i == 0u {
        counters[3] = max(counters[3], max(counters[0], counters[1]));
        counters[0] = 0u;
        counters[1] = 0u;
    }
    if i >= params.count {
        return;
    }
    let origin = order[i];
    starts[i] = positions[origin];
    predicted[i] = moved[origin];
    let key = keys[i];
    if i == 0u || keys[i - 1u] != key {
        cells[key].x = i;
    }
    if i + 1u == params.count || keys[i + 1u] != key {
        cells[key].y = i + 1u;
    }
}
