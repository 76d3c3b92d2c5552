// Line 27 with eq. 14: positions are accepted, or particles sleep; what is no number is put back and stopped.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> predicted: array<vec4f>;
@group(0) @binding(2) var<storage, read> starts: array<vec4f>;
@group(0) @binding(3) var<storage, read> sorted_kinds: array<vec4u>;
// What contacts did, and whether anything touches the particle (w), until the position takes its place.
@group(0) @binding(4) var<storage, read_write> positions: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> velocities: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> kinds: array<vec4u>;
// Particles that blew up, and the lowest index among their ids.
@group(0) @binding(7) var<storage, read_write> blowups: array<atomic<u32>>;

// Compared as bits, because compilers may assume that there is nothing but numbers.
fn finite(v: vec3f) -> bool {
    return all((bitcast<vec3u>(v) & vec3u(0x7f800000u)) != vec3u(0x7f800000u));
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let goal = predicted[i];
    let start = starts[i].xyz;
    let moved = goal.xyz - start;
    var position = goal.xyz;
    if !finite(goal.xyz) || !finite(velocities[i].xyz) {
        position = start;
        velocities[i] = vec4f(0.0, 0.0, 0.0, 1.0);
        atomicAdd(&blowups[0], 1u);
        atomicMin(&blowups[1], sorted_kinds[i].z);
    } else if positions[i].w > 0.0 && dot(moved, moved) < params.rest * params.rest {
        position = start;
        velocities[i] = vec4f(0.0, 0.0, 0.0, 1.0);
    }
    positions[i] = vec4f(position, goal.w);
    // Where the particle is now is where its contacts will be looked for in the next sub-step.
    kinds[i] = vec4u(sorted_kinds[i].xyz, i);
}
