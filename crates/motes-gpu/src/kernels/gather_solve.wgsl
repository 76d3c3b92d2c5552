// Moves each particle by what its contacts with others have done, then solves its contacts with colliders: what
// gather_contacts and solve_colliders do, in one go. Without mass scaling.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> messages: array<vec4f>;
@group(0) @binding(2) var<storage, read> ranges: array<vec4u>;
@group(0) @binding(3) var<storage, read> foreign: array<u32>;
@group(0) @binding(4) var<storage, read_write> predicted: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> pushed: array<vec4f>;
@group(0) @binding(6) var<storage, read> starts: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> contacts: array<ColliderContact>;
@group(0) @binding(8) var<storage, read> contact_ranges: array<vec2u>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let range = ranges[i];
    let run = contact_ranges[i];
    let before = pushed[i];
    let old = predicted[i];
    let sum = gather(range);
    var position = old.xyz + (sum - before.xyz) * old.w;
    var touched = any(sum != vec3f()) || before.w > 0.0;
    if run.y > 0u {
        let start = starts[i].xyz;
        for (var c = run.x; c < run.x + run.y; c++) {
            touched |= solve_collider(c, start, &position);
        }
    }
    predicted[i] = vec4f(position, old.w);
    pushed[i] = vec4f(sum, select(0.0, 1.0, touched));
}
