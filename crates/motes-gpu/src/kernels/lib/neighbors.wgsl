// What the kernels that find pairs share: who collides, and where a neighbour is noted.

// What a thread knows of neighbours so far: the sum of n nᵀ over their directions, and where the next is listed.
struct Found {
    diagonal: vec3f,
    mixed: vec3f,
    place: vec2u,
}

// Particles of bodies with inscribed balls look further for each other than others do, and list each other where these come near. Both see the same
// contact: that of the lower slot with the higher one.
fn is_near(i: u32, center: vec4f, j: u32, other: vec4f) -> bool {
    if INSCRIBED == 0u {
        return true;
    }
    let offset = center.xyz - other.xyz;
    if are_solid(i, j) {
        let first = min(i, j);
        let second = max(i, j);
        let gap = touch_solids(first, second, apart(select(-offset, offset, first == i), first, second)).w;
        return gap <= SOLID_NEAR * 0.5 * contact_distance(i, j);
    }
    let distance = params.near * contact_distance(i, j);
    return dot(offset, offset) < distance * distance;
}

fn collides(i: u32, phase: u32, center: vec4f, j: u32, other: vec4f) -> bool {
    return would_collide(i, phase, center, j, other) && !overlap_at_rest(i, j);
}

// The same whether or not they overlap at rest.
fn would_collide(i: u32, phase: u32, center: vec4f, j: u32, other: vec4f) -> bool {
    return (center.w > 0.0 || other.w > 0.0)
        && touches(phase, phase_of(kinds[sorted_kind_at(j)]))
        && is_near(i, center, j, other);
}

// Adds a neighbour to the sums and to its list.
fn take(i: u32, center: vec4f, j: u32, found: ptr<function, Found>) {
    var offset = seen_from(i, center, j, vectors[predicted_at(j)]);
    if is_ellipsoid(i) || is_ellipsoid(j) {
        offset = touch_ellipsoids(apart(offset, i, j), outline_of(j), outline_of(i)).xyz;
    }
    let scaled = offset / max(dot(offset, offset), 1e-37);
    (*found).diagonal += offset * scaled;
    (*found).mixed += offset * scaled.yzx;
    if j > i {
        if (*found).place.x < params.pair_capacity {
            members[(*found).place.x] = j;
            atomicStore(&owners[(*found).place.x + PAIR_COUNTERS], i);
        }
        (*found).place.x++;
    } else {
        if (*found).place.y < params.pair_capacity {
            foreign[(*found).place.y] = j;
        }
        (*found).place.y++;
    }
}
