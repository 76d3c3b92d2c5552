// Particles of a group that overlap at rest may leave each other alone: motes-core's `particles/rest.rs`.

// Where each particle is in the undeformed shape of its group, and 1 if it was told (w), by index of the id.
@group(0) @binding(8) var<storage, read> rest_positions: array<vec4f>;

fn ignores_rest_overlaps(phase: u32) -> bool {
    return (phase & IGNORE_REST_OVERLAPS) != 0u;
}

fn rest_position_of(kind: vec4u) -> vec4f {
    return rest_positions[index_of(kind)];
}

fn overlap_at_rest(i: u32, j: u32) -> bool {
    let kind = kinds[sorted_kind_at(i)];
    let other = kinds[sorted_kind_at(j)];
    return overlap(i, kind, rest_position_of(kind), j, other, rest_position_of(other));
}

// The same of particles whose kinds and rest positions are known.
fn overlap(i: u32, kind: vec4u, rest: vec4f, j: u32, other: vec4u, other_rest: vec4f) -> bool {
    let a = phase_of(kind);
    let b = phase_of(other);
    let offset = other_rest - rest;
    let reach = REST_REACH * contact_distance(i, j);
    return ((a ^ b) & GROUP_MASK) == 0u
        && (a & b & IGNORE_REST_OVERLAPS) != 0u
        && rest.w * other_rest.w > 0.0
        && dot(offset.xyz, offset.xyz) < reach * reach;
}

// Takes away the bits of those that overlap particle `i` at rest. Four are looked up at a time, so that none waits for another.
fn without_rest_overlaps(i: u32, near: u32, begin: u32) -> u32 {
    let kind = kinds[sorted_kind_at(i)];
    if near == 0u || !ignores_rest_overlaps(phase_of(kind)) {
        return near;
    }
    let rest = rest_position_of(kind);
    var word = near;
    var left = near;
    while left != 0u {
        var places = vec4u(countTrailingZeros(left));
        left &= left - 1u;
        for (var k = 1u; k < 4u; k++) {
            places[k] = select(places[k - 1u], countTrailingZeros(left), left != 0u);
            left &= max(left, 1u) - 1u;
        }
        let others = array<vec4u, 4>(
            kinds[sorted_kind_at(begin + places.x)],
            kinds[sorted_kind_at(begin + places.y)],
            kinds[sorted_kind_at(begin + places.z)],
            kinds[sorted_kind_at(begin + places.w)],
        );
        let rests = array<vec4f, 4>(
            rest_position_of(others[0]),
            rest_position_of(others[1]),
            rest_position_of(others[2]),
            rest_position_of(others[3]),
        );
        for (var k = 0u; k < 4u; k++) {
            if overlap(i, kind, rest, begin + places[k], others[k], rests[k]) {
                word &= ~(1u << places[k]);
            }
        }
    }
    return word;
}
