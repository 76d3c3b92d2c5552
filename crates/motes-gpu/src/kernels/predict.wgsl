// Lines 1–5: forces and velocities; then how many particles would reach each cell if nothing were in the way.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> positions: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> velocities: array<vec4f>;
@group(0) @binding(3) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(4) var<storage, read> table: array<vec4f>;
@group(0) @binding(5) var<storage, read> fields: array<Field>;
@group(0) @binding(6) var<storage, read_write> cells: array<atomic<u32>>;
// Of the sub-step: own pairs, pairs of others. Of the frame: those without room, and the most pairs of a sub-step.
@group(0) @binding(7) var<storage, read_write> owners: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i == 0u {
        owners[3] = max(owners[3], max(owners[0], owners[1]));
        owners[0] = 0u;
        owners[1] = 0u;
    }
    if i >= params.count {
        return;
    }
    let position = positions[i];
    var velocity = vec3f();
    if position.w > 0.0 {
        let old = velocities[i];
        let kick = params.h * old.w;
        var change = kick * table[material_of(kinds[i])].x * params.gravity;
        for (var f = 0u; f < params.fields; f++) {
            change += field_change(fields[f], position.xyz, old.xyz, kick);
        }
        velocity = clamp_length(old.xyz + change, params.max_speed);
    }
    velocities[i] = vec4f(velocity, 1.0);
    let entry = entry_of(cell_of(candidate(position.xyz, velocity)));
    atomicStore(&cells[key_place() + i], entry);
    atomicAdd(&cells[entry], 1u);
}
