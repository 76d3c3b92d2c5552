// Brings those who live on to the front of other arrays, in their order. Nothing to do when all of them do.

@group(0) @binding(0) var<uniform> params: PopulationParams;
@group(0) @binding(1) var<storage, read> census: array<u32>;
@group(0) @binding(2) var<storage, read> places: array<u32>;
@group(0) @binding(3) var<storage, read> positions: array<vec4f>;
@group(0) @binding(4) var<storage, read> velocities: array<vec4f>;
@group(0) @binding(5) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(6) var<storage, read_write> kept_positions: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> kept_velocities: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> kept_kinds: array<vec4u>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    let count = census[0];
    if i >= min(count, params.room) || places[params.room] == count {
        return;
    }
    let place = places[i];
    if places[i + 1u] != place {
        kept_positions[place] = positions[i];
        kept_velocities[place] = velocities[i];
        kept_kinds[place] = kinds[i];
    }
}
