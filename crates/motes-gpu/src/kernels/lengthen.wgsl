// Brings the impulses of the last sub-step to what the same forces take in one of another length.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> impulses: array<vec4f>;

@group(0) @binding(3) var<storage, read_write> spins: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let p = thread_index(thread);
    let factor = params.longer * params.longer;
    if p < params.stride {
        vectors[support_at(p)] *= factor;
    }
    if TURNS == 1u && SPIN * p < arrayLength(&spins) {
        for (var k = SPIN_COUPLE; k < SPIN; k++) {
            spins[SPIN * p + k] *= factor;
        }
    }
    if p < params.pair_capacity {
        impulses[PAIR * p] = vec4f(impulses[PAIR * p].xyz * factor, impulses[PAIR * p].w);
        if TURNS == 1u {
            impulses[PAIR * p + COUPLE] *= factor;
        }
    }
}
