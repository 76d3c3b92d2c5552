// At the end of a frame: for how long gas has had no marker of smoke about it.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> gas: GasParams;
@group(0) @binding(2) var<storage, read> kinds: array<vec4u>;
// Whether a marker has seen the particle; nobody has before the next look.
@group(0) @binding(3) var<storage, read_write> seen: array<u32>;
// By the index of the particle's id, four numbers each.
@group(0) @binding(4) var<storage, read_write> swirls: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let kind = kinds[sorted_kind_at(i)];
    let place = 4u * index_of(kind) + 3u;
    let alone = (phase_of(kind) & GAS) != 0u && seen[i] == 0u;
    swirls[place] = select(0.0, swirls[place] + gas.dt, alone);
    seen[i] = 0u;
}
