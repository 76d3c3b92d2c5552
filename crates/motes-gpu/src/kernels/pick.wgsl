// The particle that a ray hits first, or that is nearest to a point: of each workgroup the best, for the host to choose from.

struct PickParams {
    origin: vec3f,
    // How far away particles count, metres.
    reach: f32,
    // Of a ray; zero for a point.
    direction: vec3f,
    radius: f32,
}

@group(0) @binding(0) var<uniform> params: PickParams;
@group(0) @binding(1) var<storage, read> census: array<u32>;
@group(0) @binding(2) var<storage, read> positions: array<vec4f>;
@group(0) @binding(3) var<storage, read> kinds: array<vec4u>;
// Distance, as bits that are ordered like it, and the index of the id.
@group(0) @binding(4) var<storage, read_write> picked: array<vec2u>;
// Of how many groups the radii follow; of none where all particles have one.
@group(0) @binding(5) var<storage, read> radii: array<f32>;

const NOTHING = vec2u(0xffffffffu);

var<workgroup> candidates: array<vec2u, WORKGROUP>;

// Negative for what does not count.
fn distance_of(center: vec3f, kind: vec4u) -> f32 {
    let to = center - params.origin;
    if all(params.direction == vec3f()) {
        let away = length(to);
        return select(-1.0, away, away <= params.reach);
    }
    let group = kind.x & 0xfffffu;
    let own = select(params.radius, radii[min(group, u32(radii[0])) + 1u], group < u32(radii[0]));
    let radius = own * own;
    if dot(to, to) <= radius {
        return 0.0;
    }
    let along = dot(to, params.direction);
    let aside = to - along * params.direction;
    let half = radius - dot(aside, aside);
    if half < 0.0 || along <= 0.0 {
        return -1.0;
    }
    let away = max(along - sqrt(half), 0.0);
    return select(-1.0, away, away <= params.reach);
}

fn better(a: vec2u, b: vec2u) -> vec2u {
    let first = a.x < b.x || (a.x == b.x && a.y <= b.y);
    return select(b, a, first);
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    var mine = NOTHING;
    if i < census[0] {
        let away = distance_of(positions[i].xyz, kinds[i]);
        if away >= 0.0 {
            mine = vec2u(bitcast<u32>(away), kinds[i].z);
        }
    }
    candidates[thread.local] = mine;
    workgroupBarrier();
    for (var reach = WORKGROUP / 2u; reach > 0u; reach /= 2u) {
        if thread.local < reach {
            candidates[thread.local] = better(candidates[thread.local], candidates[thread.local + reach]);
        }
        workgroupBarrier();
    }
    let group = group_index(thread);
    if thread.local == 0u && group < arrayLength(&picked) {
        picked[group] = candidates[0];
    }
}
