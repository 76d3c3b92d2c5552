// Begins with the ways that the rims of grains would go if nothing touched them.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(3) var<storage, read> spins: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let at = SPIN * index_of(kinds[sorted_kind_at(i)]);
    let turns = spins[at + 3u] > 0.0 && vectors[predicted_at(i)].w > 0.0 && !is_member(i);
    let way = params.h * radius_of(i) * vec3f(spins[at], spins[at + 1u], spins[at + 2u]);
    vectors[turned_at(i)] = select(vec4f(), vec4f(way, 1.0), turns);
    vectors[twisted_at(i)] = vec4f();
    vectors[couple_at(i)] = vec4f();
}
