// Takes those who live on back from where `compact` put them, and lets those who are born follow.

@group(0) @binding(0) var<uniform> params: PopulationParams;
@group(0) @binding(1) var<storage, read> census: array<u32>;
@group(0) @binding(2) var<storage, read> places: array<u32>;
@group(0) @binding(3) var<storage, read> kept_positions: array<vec4f>;
@group(0) @binding(4) var<storage, read> kept_velocities: array<vec4f>;
@group(0) @binding(5) var<storage, read> kept_kinds: array<vec4u>;
@group(0) @binding(6) var<storage, read_write> positions: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> velocities: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> kinds: array<vec4u>;

// In no slot of the last sub-step.
const NEW = 0xffffffffu;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    let count = census[0];
    let living = select(count, places[params.room], params.reaps == 1u);
    if i < living && living != count {
        positions[i] = kept_positions[i];
        velocities[i] = kept_velocities[i];
        kinds[i] = kept_kinds[i];
    }
    if i < params.births {
        let waiting = params.bound + i;
        positions[living + i] = kept_positions[waiting];
        velocities[living + i] = kept_velocities[waiting];
        kinds[living + i] = vec4u(kept_kinds[waiting].xyz, NEW);
    }
}
