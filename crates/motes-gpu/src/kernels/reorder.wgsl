// Brings particles into the order of their cells, and within a cell into the order they had, whatever the order of the
// list: so a sub-step does not depend on which thread came first.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> cells: array<u32>;
@group(0) @binding(2) var<storage, read> positions: array<vec4f>;
@group(0) @binding(3) var<storage, read> velocities: array<vec4f>;
@group(0) @binding(4) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(5) var<storage, read_write> starts: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> predicted: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> before: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> sorted_kinds: array<vec4u>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let list = list_place();
    let origin = cells[list + i];
    let entry = cells[key_place() + origin];
    let position = positions[origin];
    let velocity = velocities[origin];
    let kind = kinds[origin];
    let end = cells[entry];
    var slot = select(cells[max(entry, 1u) - 1u], 0u, entry == 0u);
    for (var k = slot; k < end; k++) {
        slot += select(0u, 1u, cells[list + k] < origin);
    }
    starts[slot] = position;
    predicted[slot] = vec4f(candidate(position.xyz, velocity.xyz), position.w);
    before[slot] = velocity;
    sorted_kinds[slot] = kind;
}
