// What happens to each particle between the search and the first iteration. The lists of pairs that others own get the
// numbers of the pairs in place of their owners; the particle is moved by the warm start of its contacts;
// then start and candidate are moved alike out of the overlaps at the start (§4.4).

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> messages: array<vec4f>;
@group(0) @binding(3) var<storage, read> ranges: array<vec4u>;
@group(0) @binding(4) var<storage, read> members: array<u32>;
@group(0) @binding(5) var<storage, read_write> foreign: array<u32>;
@group(0) @binding(6) var<storage, read> shares: array<vec2f>;
@group(0) @binding(7) var<storage, read> contacts: array<ColliderContact>;
@group(0) @binding(8) var<storage, read> contact_ranges: array<vec2u>;

// What is done to a particle: by warm starting, and by pushing overlaps apart.
struct Received {
    taken_over: vec3f,
    pushed: vec3f,
}

var<workgroup> from_foreign: array<Received, HALF>;

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
fn receive_own(i: u32, start: vec4f, range: vec4u) -> Received {
    var received = Received();
    for (var p = range.x; p < range.x + range.y; p++) {
        received.taken_over += share_of(p, messages[PAIR * p].xyz, true);
    }
    if params.stabilizes == 1u {
        for (var p = range.x; p < range.x + range.y; p++) {
            let other = members[p];
            received.pushed += share_of(p, push(i, start, other, vectors[sorted_at(other)], messages[PAIR * p].w), true);
        }
    }
    return received;
}

fn receive_foreign(i: u32, start: vec4f, range: vec4u) -> Received {
    var received = Received();
    let end = range.z + range.w;
    // Two at a time, so that neither waits for the other.
    for (var k = range.z; k < end; k += 2u) {
        let next = min(k + 1u, end - 1u);
        let owners = vec2u(foreign[k], foreign[next]);
        let starts = array(vectors[sorted_at(owners.x)], vectors[sorted_at(owners.y)]);
        let first_own = ranges[owners.x].xy;
        let second_own = ranges[owners.y].xy;
        let numbers = vec2u(number_among(first_own, i), number_among(second_own, i));
        receive_from(i, start, owners.x, starts[0], numbers.x, &received);
        foreign[k] = numbers.x;
        if next > k {
            receive_from(i, start, owners.y, starts[1], numbers.y, &received);
            foreign[next] = numbers.y;
        }
    }
    return received;
}

fn receive_from(i: u32, start: vec4f, owner: u32, owner_start: vec4f, p: u32, received: ptr<function, Received>) {
    (*received).taken_over += share_of(p, messages[PAIR * p].xyz, false);
    if params.stabilizes == 1u && p < params.pair_capacity {
        (*received).pushed += share_of(p, push(owner, owner_start, i, start, messages[PAIR * p].w), false);
    }
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let half = half_of(thread);
    let i = half.i;
    let exists = i < params.count;
    var start = vec4f();
    var old = vec4f();
    var received = Received();
    if exists {
        start = vectors[sorted_at(i)];
        let range = ranges[i];
        if half.owns {
            old = vectors[predicted_at(i)];
            received = receive_own(i, start, range);
        } else {
            from_foreign[half.local] = receive_foreign(i, start, range);
        }
    }
    workgroupBarrier();
    if !exists || !half.owns {
        return;
    }
    let sum = received.taken_over + from_foreign[half.local].taken_over;
    var moved = start.xyz;
    if params.stabilizes == 1u {
        let pushed = received.pushed + from_foreign[half.local].pushed;
        moved = out_of_colliders(i, start.xyz + pushed * old.w, start.xyz, contact_ranges[i], cross(foot_of(i), pushed));
    }
    if INSCRIBED == 1u && has_ball(vectors[twist_at(i)]) {
        vectors[twist_at(i)] += vec4f(cross(foot_of(i), sum), 0.0);
    }
    // The candidates of bodies and creatures follow once it is known where these start.
    let shift = select(moved - start.xyz, vec3f(), follows_start(i));
    vectors[predicted_at(i)] = vec4f(old.xyz + sum * old.w + shift, old.w);
    vectors[start_at(i)] = vec4f(moved, start.w);
    vectors[pushed_at(i)] = vec4f(sum, select(0.0, 1.0, any(sum != vec3f())));
}
