// In which directions every particle has how many contacts, where there are bodies: `Σ n nᵀ` with their normals. Particles
// on their own share their mass among their neighbours by it; of all it is noted for the bodies.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> ranges: array<vec4u>;
@group(0) @binding(3) var<storage, read> members: array<u32>;
// The owners of pairs with the particle, until `begin_solve` puts the numbers of these pairs there.
@group(0) @binding(4) var<storage, read> foreign: array<u32>;
@group(0) @binding(5) var<storage, read> contacts: array<ColliderContact>;
@group(0) @binding(6) var<storage, read> contact_ranges: array<vec2u>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let here = vectors[predicted_at(i)];
    let range = ranges[i];
    let count = range.y + range.w;
    var diagonal = vec3f();
    var mixed = vec3f();
    for (var k = 0u; k < count; k++) {
        var normal = vec3f();
        if k < range.y {
            let other = members[range.x + k];
            let offset = here.xyz - vectors[predicted_at(other)].xyz;
            normal = touch_between(i, other, apart(offset, i, other)).normal;
        } else {
            let other = foreign[range.z + k - range.y];
            let offset = vectors[predicted_at(other)].xyz - here.xyz;
            normal = touch_between(other, i, apart(offset, other, i)).normal;
        }
        diagonal += normal * normal;
        mixed += normal * normal.yzx;
    }
    vectors[sorted_at(i)].w = here.w * divisor(count, diagonal, mixed);
    vectors[before_at(i)].w = 1.0;
    let run = contact_ranges[i];
    for (var c = run.x; c < run.x + run.y; c++) {
        let normal = contacts[c].normal;
        diagonal += normal * normal;
        mixed += normal * normal.yzx;
    }
    vectors[busy_at(i)] = vec4f(diagonal, f32(count + run.y));
    vectors[busy_mixed_at(i)] = vec4f(mixed, 0.0);
}
