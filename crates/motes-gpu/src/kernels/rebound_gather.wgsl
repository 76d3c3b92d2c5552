// Applies the average of the changes of velocity that concern a particle; those of bodies are shared out already.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> messages: array<vec4f>;
@group(0) @binding(2) var<storage, read> ranges: array<vec4u>;
@group(0) @binding(3) var<storage, read> foreign: array<u32>;
@group(0) @binding(4) var<storage, read_write> vectors: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count || vectors[pushed_at(i)].w == 0.0 {
        return;
    }
    let range = ranges[i];
    var sum = vec3f();
    var count = 0.0;
    var bounced = false;
    for (var k = 0u; k < range.y + range.w; k++) {
        let own = k < range.y;
        var p = range.x + k;
        if !own {
            p = foreign[range.z + k - range.y];
        }
        let message = messages[PAIR * p];
        sum += select(-message.xyz, message.xyz, own);
        count += select(0.0, 1.0, message.w != 0.0);
        bounced |= message.w == 2.0;
    }
    count = select(max(count, 1.0), 1.0, is_member(i));
    let velocity = vectors[rebound_at(i)];
    let changed = velocity.xyz + sum * vectors[predicted_at(i)].w / count;
    vectors[rebound_at(i)] = vec4f(changed, select(velocity.w, HALF_KICK, bounced));
}
