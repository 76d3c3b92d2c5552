// Line 24: velocities from positions.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> predicted: array<vec4f>;
@group(0) @binding(2) var<storage, read> starts: array<vec4f>;
@group(0) @binding(3) var<storage, read> before: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> velocities: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let old = before[i].xyz;
    let after = (predicted[i].xyz - starts[i].xyz) / params.h;
    let limited = old + clamp_length(after - old, params.max_change);
    velocities[i] = vec4f(clamp_length(select(limited, after, params.max_change > 1e37), params.max_speed), 1.0);
}
