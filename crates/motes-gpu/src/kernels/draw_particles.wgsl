// Springs that draw particles (`constraints/pull.rs`): an iteration of each. FIRST is 1 in the first iteration of a sub-step.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> row_params: RowParams;
@group(0) @binding(2) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> slots: array<u32>;
// Target and stiffness, then damping.
@group(0) @binding(4) var<storage, read> springs: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> impulses: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let p = thread_index(thread);
    if p >= row_params.participants || slots[p] == 0u {
        return;
    }
    let slot = slots[p] - 1u;
    let place = vectors[predicted_at(slot)];
    let goal = springs[2u * p];
    let stiffness = goal.w * params.h * params.h;
    let damping = springs[2u * p + 1u].x * params.h;
    let done = select(impulses[p].xyz, vec3f(), FIRST == 1u);
    let wanted = stiffness * (goal.xyz - place.xyz) + damping * (vectors[start_at(slot)].xyz - place.xyz);
    let change = (wanted - done) / (1.0 + place.w * (stiffness + damping));
    impulses[p] = vec4f(done + change, 0.0);
    vectors[predicted_at(slot)] = place + vec4f(place.w * change, 0.0);
}
