// Takes over what still holds of the impulses that contacts had in the last sub-step.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> pairs: array<vec2u>;
// The last slot of each particle (w), among others.
@group(0) @binding(2) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(3) var<storage, read> predicted: array<vec4f>;
@group(0) @binding(4) var<storage, read> old_ranges: array<vec4u>;
@group(0) @binding(5) var<storage, read> old_pairs: array<vec2u>;
@group(0) @binding(6) var<storage, read> old_impulses: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> impulses: array<vec4f>;
@group(0) @binding(8) var<storage, read> counters: array<u32>;

const NEW = 0xffffffffu;

fn old_impulse(a: u32, b: u32) -> vec4f {
    if a == NEW || b == NEW {
        return vec4f();
    }
    let own = old_ranges[min(a, b)].xy;
    for (var p = own.x; p < own.x + own.y; p++) {
        if old_pairs[p].y == max(a, b) {
            let impulse = old_impulses[p];
            return vec4f(select(-impulse.xyz, impulse.xyz, a < b), impulse.w);
        }
    }
    return vec4f();
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let p = thread_index(thread);
    if p >= min(counters[0], params.pair_capacity) {
        if p == params.pair_capacity {
            impulses[p] = vec4f();
        }
        return;
    }
    let pair = pairs[p];
    let impulse = old_impulse(kinds[pair.x].w, kinds[pair.y].w);
    let a = predicted[pair.x];
    let b = predicted[pair.y];
    let normal = normalize(apart(a.xyz - b.xyz, pair.x, pair.y));
    let along = dot(impulse.xyz, normal);
    let limit = impulse.w + impulse.w + params.weight / (a.w + b.w);
    let carries = min(max(along * params.memory, 0.0), limit);
    let fraction = select(0.0, carries / along, along > 0.0);
    impulses[p] = vec4f(impulse.xyz * fraction, carries);
}
