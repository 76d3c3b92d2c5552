// Gives the ends of rows at rigid bodies the effective inverse masses of these, before the rows are solved. One workgroup for
// each body.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> bodies: array<Body>;
@group(0) @binding(3) var<storage, read_write> hauled: array<HauledEnd>;
@group(0) @binding(4) var<storage, read> loads: array<Load>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let l = min(group_index(thread), arrayLength(&loads) - 1u);
    if group_index(thread) != l || !is_a(loads[l].body, RIGID) {
        return;
    }
    let end = loads[l].first + loads[l].count;
    for (var e = loads[l].first + thread.local; e < end; e += WORKGROUP) {
        if hauled[e].slot > 0u {
            let slot = hauled[e].slot - 1u;
            let place = vectors[predicted_at(slot)];
            hauled[e].old = place;
            vectors[predicted_at(slot)] = vec4f(place.xyz, select(loads[l].mobility, 0.0, place.w == 0.0));
        }
    }
}
