// What is done with creatures. A workgroup has each.

// Those of a workgroup, first and end.
struct Own {
    members: vec2u,
    neighborhoods: vec2u,
    edges: vec2u,
    parts: vec2u,
}

// Its ranges begin `links`. Workgroups past the last creature have nothing, but come to every barrier.
fn own_of(group: u32) -> Own {
    if group >= creature_params.creatures {
        return Own();
    }
    let at = 8u * group;
    return Own(
        vec2u(links[at], links[at + 1u]),
        vec2u(links[at + 2u], links[at + 3u]),
        vec2u(links[at + 4u], links[at + 5u]),
        vec2u(links[at + 6u], links[at + 7u]),
    );
}

fn is_alive(m: u32) -> bool {
    return slots[m] != 0u;
}

fn is_rigid(m: u32) -> bool {
    return members[m].part_share > 0.0;
}

fn is_round(m: u32) -> bool {
    let radii = members[m].radii;
    return radii.x == radii.y && radii.y == radii.z;
}

fn diagonal_matrix(values: vec3f) -> mat3x3f {
    return symmetric(values, vec3f());
}

// Inertia tensor at the start, kg·m².
fn member_inertia(m: u32) -> mat3x3f {
    return turned(diagonal_matrix(members[m].mass * inertia_for(members[m].radii)), members[m].origin);
}

fn member_inverse_inertia(m: u32) -> mat3x3f {
    return turned(diagonal_matrix(1.0 / (members[m].mass * inertia_for(members[m].radii))), members[m].origin);
}

// Its moment at rest: `m/5 diag(a², b², c²) R̄ᵀ`.
fn member_moment(m: u32) -> mat3x3f {
    let squares = 0.2 * members[m].mass * members[m].radii * members[m].radii;
    return diagonal_matrix(squares) * transpose(matrix_of(members[m].rest_rotation));
}

fn turn_further(m: u32, way: vec3f) {
    if any(way != vec3f()) {
        let turned = joined(members[m].turned, way, members[m].origin);
        members[m].turned = turned;
        members[m].rotation = turned_on(members[m].origin, turned);
    }
}

// Sums over particles from which their best rigid motion follows.
struct Moments {
    mass: f32,
    places: vec3f,
    rests: vec3f,
    products: mat3x3f,
}

fn add_moment(moments: ptr<function, Moments>, mass: f32, place: vec3f, rest: vec3f) {
    let weighted = mass * rest;
    (*moments).mass += mass;
    (*moments).places += mass * place;
    (*moments).rests += weighted;
    (*moments).products += outer(place, weighted);
}

fn outer(a: vec3f, b: vec3f) -> mat3x3f {
    return mat3x3f(a * b.x, a * b.y, a * b.z);
}

fn per_mass(moments: Moments) -> f32 {
    return select(0.0, 1.0 / moments.mass, moments.mass > 0.0);
}

fn covariance_of(moments: Moments) -> mat3x3f {
    return moments.products - outer(moments.places * per_mass(moments), moments.rests);
}

// Inertia tensor of a mass at a place.
fn point_inertia(mass: f32, arm: vec3f) -> mat3x3f {
    return diagonal_matrix(vec3f(mass * dot(arm, arm))) - outer(mass * arm, arm);
}

// Twice the axis of the part of a matrix that is not symmetric.
fn axial(m: mat3x3f) -> vec3f {
    return vec3f(m[1].z - m[2].y, m[2].x - m[0].z, m[0].y - m[1].x);
}

// The inverse of an inertia tensor, as far as it has one. Sizes near the ends of the range of numbers would leave it.
fn inverse_tensor(tensor: mat3x3f) -> mat3x3f {
    let size = tensor[0].x + tensor[1].y + tensor[2].z;
    if size <= 0.0 {
        return mat3x3f();
    }
    let m = tensor * (1.0 / size);
    let x = cross(m[1], m[2]);
    let determinant = dot(m[0], x);
    if determinant > 1e-9 {
        return transpose(mat3x3f(x, cross(m[2], m[0]), cross(m[0], m[1]))) * (1.0 / (determinant * size));
    }
    return pseudo_inverse(m) * (1.0 / size);
}
