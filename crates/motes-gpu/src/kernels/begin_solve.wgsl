// What happens to each particle between the search and the first iteration. The lists of pairs that others own get the
// numbers of the pairs in place of their owners; the particle is moved by what its contacts take over from the last
// sub-step; then start and candidate are moved alike out of the overlaps at the start (§4.4).

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> messages: array<vec4f>;
@group(0) @binding(3) var<storage, read> ranges: array<vec4u>;
@group(0) @binding(4) var<storage, read> members: array<u32>;
@group(0) @binding(5) var<storage, read_write> foreign: array<u32>;
@group(0) @binding(6) var<storage, read> shares: array<vec2f>;
@group(0) @binding(7) var<storage, read> contacts: array<ColliderContact>;
@group(0) @binding(8) var<storage, read> contact_ranges: array<vec2u>;

// What is done to a particle: by impulses that are taken over, and by pushing overlaps apart.
struct Received {
    taken_over: vec3f,
    pushed: vec3f,
}

// Number of the pair with `i` among the pairs `own` of another. A pair that found no room is nowhere; it then stands for
// the one after the last, which is always zero. Four are fetched at a time, so that none waits for another.
fn number_among(own: vec2u, i: u32) -> u32 {
    let end = own.x + own.y;
    for (var p = own.x; p < end; p += 4u) {
        let four = vec4u(members[p], members[p + 1u], members[p + 2u], members[p + 3u]);
        let same = (four == vec4u(i)) & (vec4u(p, p + 1u, p + 2u, p + 3u) < vec4u(end));
        if any(same) {
            return select(select(select(p + 3u, p + 2u, same.z), p + 1u, same.y), p, same.x);
        }
    }
    return params.pair_capacity;
}

// Pushes depend on where particles started, which nobody changes here.
fn receive_own(i: u32, start: vec4f, p: u32, received: ptr<function, Received>) {
    (*received).taken_over += share_of(p, messages[p].xyz, true);
    if params.stabilizes == 1u {
        let other = members[p];
        (*received).pushed += share_of(p, push(i, start, other, vectors[sorted_at(other)]), true);
    }
}

fn receive_foreign(i: u32, start: vec4f, owner: u32, p: u32, received: ptr<function, Received>) {
    (*received).taken_over += share_of(p, messages[p].xyz, false);
    if params.stabilizes == 1u && p < params.pair_capacity {
        (*received).pushed += share_of(p, push(owner, vectors[sorted_at(owner)], i, start), false);
    }
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let range = ranges[i];
    let run = contact_ranges[i];
    let start = vectors[sorted_at(i)];
    let old = vectors[predicted_at(i)];
    var received = Received();
    for (var p = range.x; p < range.x + range.y; p++) {
        receive_own(i, start, p, &received);
    }
    let end = range.z + range.w;
    // Two at a time, so that neither waits for the other.
    for (var k = range.z; k < end; k += 2u) {
        let next = min(k + 1u, end - 1u);
        let a = foreign[k];
        let b = foreign[next];
        let of_a = ranges[a].xy;
        let of_b = ranges[b].xy;
        let number_b = number_among(of_b, i);
        let number_a = number_among(of_a, i);
        foreign[k] = number_a;
        receive_foreign(i, start, a, number_a, &received);
        if next > k {
            foreign[next] = number_b;
            receive_foreign(i, start, b, number_b, &received);
        }
    }
    let sum = received.taken_over;
    let carried = old.xyz + sum * old.w;
    var moved = start.xyz;
    if params.stabilizes == 1u {
        moved = out_of_colliders(start.xyz + received.pushed * old.w, run);
    }
    vectors[predicted_at(i)] = vec4f(carried + (moved - start.xyz), old.w);
    vectors[start_at(i)] = vec4f(moved, start.w);
    vectors[pushed_at(i)] = vec4f(sum, select(0.0, 1.0, any(sum != vec3f())));
}
