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
    let a = phase_of(kind);
    let b = phase_of(other);
    if ((a ^ b) & GROUP_MASK) != 0u || (a & b & IGNORE_REST_OVERLAPS) == 0u {
        return false;
    }
    let own = rest_position_of(kind);
    let offset = rest_position_of(other) - own;
    let reach = REST_REACH * contact_distance(i, j);
    return own.w * rest_position_of(other).w > 0.0 && dot(offset.xyz, offset.xyz) < reach * reach;
}
