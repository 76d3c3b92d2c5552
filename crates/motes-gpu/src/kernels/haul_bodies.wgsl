// Moves rigid bodies by what the rows did to their particles, and all their particles with them. One workgroup for each body;
// its ends are summed up by one thread, in order: there are few.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> membership: array<u32>;
@group(0) @binding(3) var<storage, read_write> body_members: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> bodies: array<Body>;
@group(0) @binding(5) var<storage, read> clusters: array<Cluster>;
@group(0) @binding(6) var<storage, read> hauled: array<HauledEnd>;
@group(0) @binding(7) var<storage, read> loads: array<Load>;

var<workgroup> found: Match;
var<workgroup> swing: vec3f;
var<workgroup> moves: u32;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let l = min(group_index(thread), arrayLength(&loads) - 1u);
    let b = loads[l].body;
    if thread.local == 0u {
        moves = 0u;
        if group_index(thread) == l && loads[l].count > 0u && is_a(b, RIGID) {
            let end = loads[l].first + loads[l].count;
            var push = vec3f();
            var twist = vec3f();
            for (var e = loads[l].first; e < end; e++) {
                if hauled[e].slot == 0u {
                    continue;
                }
                let place = predicted_at(hauled[e].slot - 1u);
                let old = hauled[e].old;
                let now = vectors[place];
                if now.w > 0.0 {
                    let impulse = (now.xyz - old.xyz) / now.w;
                    push += impulse;
                    twist += cross(old.xyz - bodies[b].to_position, impulse);
                }
                vectors[place] = old;
            }
            if any(push != vec3f()) || any(twist != vec3f()) {
                move_end(b, push / bodies[b].mass, twist);
                found = Match(bodies[b].to_position, bodies[b].to_rotation, bodies[b].rest_center);
                swing = swing_to(b, found.rotation);
                moves = 1u;
            }
        }
    }
    storageBarrier();
    if workgroupUniformLoad(&moves) == 0u {
        return;
    }
    let goal = found;
    let end = bodies[b].first + bodies[b].count;
    for (var m = bodies[b].first + thread.local; m < end; m += WORKGROUP) {
        pull(b, m, pulled_at(b, m), goal, swing);
    }
}
