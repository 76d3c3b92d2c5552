// Finds the effective inverse mass of the ends of rows at each rigid body for a sub-step: impulses on all of them, in whatever
// directions, do not overshoot. One thread for each body, so that the order of sums depends on nothing but the ends that act.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> body_members: array<vec4u>;
@group(0) @binding(3) var<storage, read> slots: array<u32>;
@group(0) @binding(4) var<storage, read_write> acting: array<u32>;
@group(0) @binding(5) var<storage, read_write> hauled: array<HauledEnd>;
@group(0) @binding(6) var<storage, read_write> loads: array<Load>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let l = thread_index(thread);
    if l >= arrayLength(&loads) || loads[l].count == 0u {
        return;
    }
    let b = loads[l].body;
    let end = loads[l].first + loads[l].count;
    var along = mat3x3f();
    var turning = mat3x3f();
    var about = mat3x3f();
    for (var e = loads[l].first; e < end; e++) {
        let p = hauled[e].participant;
        hauled[e].slot = select(0u, slots[p], acting[p] == 1u);
        acting[p] = 0u;
        if hauled[e].slot > 0u {
            let crossed = cross_matrix(bitcast<vec4f>(body_members[rest_at(hauled[e].member)]).xyz - bodies[b].rest_center);
            along += mat3x3f(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
            turning += crossed;
            about += crossed * transpose(crossed);
        }
    }
    let mobility = largest(along, turning, about, 1.0 / bodies[b].mass, bodies[b].inverse_inertia);
    loads[l].mobility = select(mobility, 0.0, is_a(b, KINEMATIC));
}
