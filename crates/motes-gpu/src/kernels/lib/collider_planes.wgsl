// The planes that a particle must stay above for one collider: a few at hand, and any more where its contacts go.

const KEPT = 4u;

// A point on the surface and the unit normal on the particle's side, in the collider's frame.
struct SurfacePlane {
    point: vec3f,
    normal: vec3f,
}

// No array: threads would fill it with zeros in slow memory, also those far from all colliders.
var<private> plane_0: SurfacePlane;
var<private> plane_1: SurfacePlane;
var<private> plane_2: SurfacePlane;
var<private> plane_3: SurfacePlane;
// Planes found; an upper bound while there is no place for more than those at hand.
var<private> plane_count: u32;
// Whether there is a place for every plane, and where.
var<private> has_run: bool;
var<private> run: u32;

fn height_above(plane: SurfacePlane, point: vec3f) -> f32 {
    return dot(point - plane.point, plane.normal);
}

fn kept_plane(index: u32) -> SurfacePlane {
    switch index {
        case 0u: { return plane_0; }
        case 1u: { return plane_1; }
        case 2u: { return plane_2; }
        default: { return plane_3; }
    }
}

fn keep_plane(index: u32, plane: SurfacePlane) {
    switch index {
        case 0u: { plane_0 = plane; }
        case 1u: { plane_1 = plane; }
        case 2u: { plane_2 = plane; }
        default: { plane_3 = plane; }
    }
}

fn plane_at(index: u32) -> SurfacePlane {
    if index < KEPT {
        return kept_plane(index);
    }
    return SurfacePlane(contacts[run + index].point, contacts[run + index].normal);
}

fn push_plane(plane: SurfacePlane) {
    if plane_count < KEPT {
        keep_plane(plane_count, plane);
    } else if has_run {
        contacts[run + plane_count].point = plane.point;
        contacts[run + plane_count].normal = plane.normal;
    }
    plane_count++;
}

// Adds a plane unless the ones so far already say the same.
fn push_distinct(plane: SurfacePlane, radius: f32) -> bool {
    let readable = select(min(plane_count, KEPT), plane_count, has_run);
    for (var i = 0u; i < readable; i++) {
        let other = plane_at(i);
        if dot(other.normal, plane.normal) > SAME_NORMAL && abs(height_above(other, plane.point)) <= SAME_HEIGHT * radius {
            return false;
        }
    }
    push_plane(plane);
    return true;
}
