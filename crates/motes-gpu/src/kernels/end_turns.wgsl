// Spins from the ways of rims, damped, or stopped where particles sleep.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(3) var<storage, read> table: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> spins: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let turned = vectors[turned_at(i)];
    if turned.w == 0.0 {
        return;
    }
    let kind = kinds[sorted_kind_at(i)];
    let at = SPIN * index_of(kind);
    let before = vec3f(spins[at], spins[at + 1u], spins[at + 2u]);
    let goal = vectors[predicted_at(i)];
    // What nothing touches keeps its spin.
    let way = params.h * radius_of(i);
    var spin = before + (turned.xyz - way * before) / way;
    spin = clamp_length(spin, params.max_speed * params.h / way) * exp(-table[material_of(kind)].y * params.h);
    let moved = goal.xyz - vectors[start_at(i)].xyz;
    let rest = params.rest * params.rest;
    let sleeps = vectors[pushed_at(i)].w > 0.0 && dot(moved, moved) < rest && dot(turned.xyz, turned.xyz) < rest;
    // Compared as bits, because compilers may assume that there is nothing but numbers.
    let blew_up = any((bitcast<vec3u>(spin) & vec3u(0x7f800000u)) == vec3u(0x7f800000u));
    if sleeps || blew_up {
        spin = vec3f();
    }
    let couple = vectors[couple_at(i)].xyz / goal.w;
    for (var k = 0u; k < 3u; k++) {
        spins[at + k] = spin[k];
        spins[at + SPIN_COUPLE + k] = couple[k];
    }
}
