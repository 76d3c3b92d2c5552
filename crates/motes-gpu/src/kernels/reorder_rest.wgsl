// Brings what else there is of a particle into the order of the cells, and notes where it was in the last sub-step.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> order: array<u32>;
@group(0) @binding(2) var<storage, read> velocities: array<vec4f>;
@group(0) @binding(3) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> sorted_velocities: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> sorted_kinds: array<vec4u>;
@group(0) @binding(6) var<storage, read_write> origins: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let place = order[i];
    let kind = kinds[place];
    sorted_velocities[i] = velocities[place];
    sorted_kinds[i] = kind;
    origins[i] = kind.w;
}
