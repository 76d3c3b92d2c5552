// The impulses of pre-stabilisation (§4.4) from its second iteration on.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> owners: array<u32>;
@group(0) @binding(2) var<storage, read> members: array<u32>;
@group(0) @binding(3) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> messages: array<vec4f>;
@group(0) @binding(5) var<storage, read> impulses: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let p = thread_index(thread);
    let pair = pair_at(p);
    if p >= pair_count() {
        if p == params.pair_capacity {
            messages[PAIR * p] = vec4f();
        }
        return;
    }
    let starts = array(vectors[start_at(pair.x)], vectors[start_at(pair.y)]);
    messages[PAIR * p] = vec4f(push(pair.x, starts[0], pair.y, starts[1], impulses[PAIR * p].w), 0.0);
}
