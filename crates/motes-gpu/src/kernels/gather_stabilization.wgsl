// Moves starting and candidate positions alike out of the overlaps at the start.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> messages: array<vec4f>;
@group(0) @binding(2) var<storage, read> ranges: array<vec4u>;
@group(0) @binding(3) var<storage, read> foreign: array<u32>;
@group(0) @binding(4) var<storage, read> shares: array<vec2f>;
@group(0) @binding(5) var<storage, read_write> starts: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> predicted: array<vec4f>;
@group(0) @binding(7) var<storage, read> contacts: array<ColliderContact>;
@group(0) @binding(8) var<storage, read> contact_ranges: array<vec2u>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let start = starts[i];
    let position = predicted[i];
    var moved = start.xyz + gather(ranges[i]) * position.w;
    let range = contact_ranges[i];
    for (var c = range.x; c < range.x + range.y; c++) {
        let surface = contacts[c].point - contacts[c].travel;
        let gap = dot(moved - surface, contacts[c].normal) - params.radius;
        moved -= min(gap, 0.0) * contacts[c].normal;
    }
    predicted[i] = vec4f(position.xyz + (moved - start.xyz), position.w);
    starts[i] = vec4f(moved, start.w);
}
