// Moves the starts of participants to where their rows have them. Particles on their own go out of colliders again, which have the
// last word, and their candidates go with them; those of bodies and creatures follow once it is known where these start.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> row_params: RowParams;
@group(0) @binding(2) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> slots: array<u32>;
@group(0) @binding(4) var<storage, read> moved: array<vec4f>;
@group(0) @binding(5) var<storage, read> contacts: array<ColliderContact>;
@group(0) @binding(6) var<storage, read> contact_ranges: array<vec2u>;
@group(0) @binding(7) var<uniform> hold: HoldRound;
@group(0) @binding(8) var<storage, read> held: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let p = thread_index(thread);
    if held[hold.round] == 0u || p >= row_params.participants || slots[p] == 0u {
        return;
    }
    let i = slots[p] - 1u;
    let start = vectors[start_at(i)];
    var place = moved[p].xyz;
    if all(place == start.xyz) {
        return;
    }
    let is_member = BODIES == 1u && vectors[field_at(i)].w < NO_FIELD_DEPTH;
    if !is_member {
        let run = contact_ranges[i];
        for (var c = run.x; c < run.x + run.y; c++) {
            let surface = contacts[c].point - contacts[c].travel;
            let radius = wall_radius(i, contacts[c].normal);
            let depth = radius - dot(place - surface, contacts[c].normal) - SLOP * 2.0 * radius;
            place += max(depth, 0.0) * contacts[c].normal;
        }
        if !is_ellipsoid(i) {
            vectors[predicted_at(i)] += vec4f(place - start.xyz, 0.0);
        }
    }
    vectors[start_at(i)] = vec4f(place, start.w);
}
