// Once velocities are known and nothing asks any more whether walls are touched, they bear what liquids press on them with. Then, before overlaps from before the
// sub-step are taken back: how hard everybody presses for that.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: FluidParams;
@group(0) @binding(2) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> contacts: array<ColliderContact>;
@group(0) @binding(4) var<storage, read> contact_ranges: array<vec2u>;
@group(0) @binding(5) var<storage, read_write> flow: array<vec4f>;
@group(0) @binding(6) var<storage, read> counters: array<u32>;

// As `each_walled` in motes-core.
fn press_on_walls(i: u32, place: vec3f, multiplier: f32, run: vec2u) {
    let per_reach = per_own_reach(i);
    let open = 1.0 - walled_by(fluid.pressing_wall, i, place, 1.0, run).w;
    for (var c = run.x; c < run.x + run.y; c++) {
        let normal = contacts[c].normal;
        var same = 0.0;
        for (var d = run.x; d < c; d++) {
            same = max(same, dot(normal, contacts[d].normal));
        }
        let q = max(per_reach * dot(place - contacts[c].point, normal), 0.0);
        let share = (1.0 - same) * fluid.pressing_wall;
        let part = open * share * beyond_slope(q) / (1.0 - share * beyond(q));
        contacts[c].normal_sum += multiplier * part * per_reach * contacts[c].inverse_mass;
    }
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let place = vectors[predicted_at(i)].xyz;
    let pressing = flow[pressing_at(i)];
    let run = contact_ranges[i];
    if run.y > 0u && pressing.x != 0.0 {
        press_on_walls(i, place, pressing.x, run);
    }
    if counters[fluid.crowded] == 0u {
        return;
    }
    let pushes = TAKEN_BACK * pressing.w * pressing.z;
    flow[i] = vec4f(place, pushes);
    if pushes > 0.0 {
        flow[wall_at(i)] = walled(i, place, 1.0, run);
    }
}
