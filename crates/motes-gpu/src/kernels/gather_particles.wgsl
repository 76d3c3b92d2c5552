// Positions with inverse masses (w) and velocities of chosen particles, in the order they were asked for. A negative inverse mass
// says that there is no such particle.

@group(0) @binding(0) var<uniform> params: EditParams;
@group(0) @binding(1) var<storage, read> chosen: array<u32>;
@group(0) @binding(2) var<storage, read> census: array<u32>;
@group(0) @binding(3) var<storage, read> slots: array<u32>;
@group(0) @binding(4) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(5) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(6) var<storage, read_write> found: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.rows {
        return;
    }
    let slot = slot_of(chosen[i]);
    var position = vec4f(0.0, 0.0, 0.0, -1.0);
    var velocity = vec4f();
    if slot != NOWHERE {
        position = vectors[position_at(slot)];
        velocity = vectors[velocity_at(slot)];
    }
    found[2u * i] = position;
    found[2u * i + 1u] = velocity;
}
