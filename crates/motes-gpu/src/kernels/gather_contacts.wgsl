// Moves each particle by what its contacts have done since it was moved last.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> messages: array<vec4f>;
@group(0) @binding(2) var<storage, read> ranges: array<vec4u>;
@group(0) @binding(3) var<storage, read> foreign: array<u32>;
@group(0) @binding(4) var<storage, read> shares: array<vec2f>;
@group(0) @binding(5) var<storage, read_write> predicted: array<vec4f>;
// What the contacts have done so far; whether anything touches the particle (w).
@group(0) @binding(6) var<storage, read_write> pushed: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let sum = gather(ranges[i]);
    let before = pushed[i];
    let position = predicted[i];
    predicted[i] = vec4f(position.xyz + (sum - before.xyz) * position.w, position.w);
    pushed[i] = vec4f(sum, select(before.w, 1.0, any(sum != vec3f())));
}
