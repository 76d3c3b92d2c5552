// Turns each grain by what its contacts with others have done since it was turned last.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> messages: array<vec4f>;
@group(0) @binding(3) var<storage, read> ranges: array<vec4u>;
@group(0) @binding(4) var<storage, read> foreign: array<u32>;
@group(0) @binding(5) var<storage, read> shares: array<vec2f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let turned = vectors[turned_at(i)];
    if turned.w == 0.0 {
        return;
    }
    let range = ranges[i];
    var sum = vec3f();
    for (var p = range.x; p < range.x + range.y; p++) {
        sum += share_of(p, messages[PAIR * p + TWIST].xyz, true);
    }
    for (var k = range.z; k < range.z + range.w; k++) {
        let p = foreign[k];
        // The share of the other has a sign: it is given what the owner gives away.
        if ORIENTED == 1u {
            sum -= share_of(p, messages[PAIR * p + OTHER_TWIST].xyz, false);
        } else {
            sum -= share_of(p, messages[PAIR * p + TWIST].xyz - messages[PAIR * p + COUPLE].xyz, false);
        }
    }
    var more = (sum - vectors[twisted_at(i)].xyz) * (TURNING * vectors[predicted_at(i)].w);
    if ORIENTED == 1u {
        more = times_ellipsoid(yields_of(i), sum - vectors[twisted_at(i)].xyz) * vectors[predicted_at(i)].w;
    }
    vectors[turned_at(i)] = vec4f(turned.xyz + more, turned.w);
    vectors[twisted_at(i)] = vec4f(sum, 0.0);
}
