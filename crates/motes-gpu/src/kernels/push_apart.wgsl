// Pre-stabilisation (§4.4): the impulses that push particles apart which overlap at the start.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> owners: array<u32>;
@group(0) @binding(2) var<storage, read> members: array<u32>;
@group(0) @binding(3) var<storage, read> starts: array<vec4f>;
@group(0) @binding(4) var<storage, read> predicted: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> messages: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let p = thread_index(thread);
    let pair = pair_at(p);
    if p >= pair_count() {
        if p == params.pair_capacity {
            messages[p] = vec4f();
        }
        return;
    }
    let a = starts[pair.x];
    let b = starts[pair.y];
    let mobility = predicted[pair.x].w + predicted[pair.y].w;
    let offset = apart(a.xyz - b.xyz, pair.x, pair.y);
    let distance = length(offset);
    let overlap = max(params.touch - distance, 0.0);
    let impulse = offset / distance * (params.relaxation * overlap / (max(a.w, b.w) * mobility));
    messages[p] = vec4f(impulse, 0.0);
}
