// One iteration over the contacts with colliders. Each concerns one particle only, so they are solved one after the
// other, without averaging.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> contact_ranges: array<vec2u>;
@group(0) @binding(2) var<storage, read_write> contacts: array<ColliderContact>;
@group(0) @binding(3) var<storage, read> starts: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> predicted: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> pushed: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let range = contact_ranges[i];
    if range.y == 0u {
        return;
    }
    let before = predicted[i];
    let start = starts[i].xyz;
    var position = before.xyz;
    var touched = false;
    for (var c = range.x; c < range.x + range.y; c++) {
        let contact = contacts[c];
        let gap = dot(position - contact.point, contact.normal) - params.radius;
        if gap >= contact.pull && contact.normal_sum == 0.0 {
            continue;
        }
        let along = max(contact.normal_sum - gap, -contact.pull);
        var held = vec3f();
        if params.velocity_friction == 0u {
            let path = position - start - contact.travel;
            let slip = path - dot(path, contact.normal) * contact.normal;
            let load = max(along + contact.pull, 0.0);
            held = hold(contact.friction_sum - slip, load, contact.coefficients.x, contact.coefficients.y);
        }
        touched |= along != 0.0;
        position += (along - contact.normal_sum) * contact.normal + (held - contact.friction_sum);
        contacts[c].normal_sum = along;
        contacts[c].friction_sum = held;
    }
    predicted[i] = vec4f(position, before.w);
    if touched {
        pushed[i].w = 1.0;
    }
}
