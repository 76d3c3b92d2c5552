// Before liquids share their velocities: how viscous each is, and how walls drag it along.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: FluidParams;
@group(0) @binding(2) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> ranges: array<vec2u>;
@group(0) @binding(4) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(5) var<storage, read> table: array<vec4f>;
@group(0) @binding(6) var<storage, read> contacts: array<ColliderContact>;
@group(0) @binding(7) var<storage, read> contact_ranges: array<vec2u>;
@group(0) @binding(8) var<storage, read_write> flow: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let place = vectors[predicted_at(i)].xyz;
    var viscosity = -1.0;
    var wall = vec4f();
    if is_liquid(ranges[i]) {
        viscosity = table[material_of(kinds[sorted_kind_at(i)])].z;
        let run = contact_ranges[i];
        var travel = vec3f();
        for (var c = run.x; c < run.x + run.y; c++) {
            travel += contacts[c].travel;
        }
        let share = walled(i, place, 1.0, run).w;
        wall = vec4f(travel / (params.h * f32(max(run.y, 1u))), WALL_STICKS * share);
    }
    flow[i] = vec4f(place, viscosity);
    flow[wall_at(i)] = wall;
}
