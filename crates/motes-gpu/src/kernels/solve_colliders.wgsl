// One iteration over the contacts with colliders. Each concerns one particle only, so they are solved one after the
// other, without averaging.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> contact_ranges: array<vec2u>;
@group(0) @binding(2) var<storage, read_write> contacts: array<ColliderContact>;
@group(0) @binding(3) var<storage, read> starts: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> predicted: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> pushed: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let range = contact_ranges[i];
    if range.y == 0u {
        return;
    }
    let before = predicted[i];
    let start = starts[i].xyz;
    var position = before.xyz;
    var touched = false;
    for (var c = range.x; c < range.x + range.y; c++) {
        touched |= solve_collider(c, start, &position);
    }
    predicted[i] = vec4f(position, before.w);
    if touched {
        pushed[i].w = 1.0;
    }
}
