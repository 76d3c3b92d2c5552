// Once velocities are known and nothing asks any more whether walls are touched, they bear what pressures at the start of the sub-step push on them with.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: FluidParams;
@group(0) @binding(2) var<uniform> sph: SphParams;
@group(0) @binding(3) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> contacts: array<ColliderContact>;
@group(0) @binding(5) var<storage, read> contact_ranges: array<vec2u>;
@group(0) @binding(6) var<storage, read> flow: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let multiplier = flow[pressing_at(i)].x;
    let run = contact_ranges[i];
    if run.y == 0u || multiplier <= 0.0 {
        return;
    }
    // As `each_walled` in motes-core.
    let place = flow[i].xyz;
    let open = 1.0 - spiky_walled(i, place, run).w;
    for (var c = run.x; c < run.x + run.y; c++) {
        let plane = wall_plane(i, c, run.x, place);
        let part = open * plane.y * spiky_beyond_slope(plane.x) / (1.0 - plane.y * spiky_beyond(plane.x));
        contacts[c].normal_sum += multiplier * part * per_own_reach(i) * contacts[c].inverse_mass;
    }
}
