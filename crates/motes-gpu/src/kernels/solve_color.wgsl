// One Gauss–Seidel pass over the rows of a colour, which share no particle; those of the last colour may, and are solved one
// after the other.

struct Color {
    first: u32,
    count: u32,
    // 1 if they share particles.
    crowded: u32,
    unused: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> color: Color;
@group(0) @binding(2) var<storage, read_write> vectors: array<vec4f>;
// The rows, colour by colour.
@group(0) @binding(3) var<storage, read> order: array<u32>;
@group(0) @binding(4) var<storage, read> ends: array<vec4u>;
@group(0) @binding(5) var<storage, read_write> impulses: array<f32>;

fn solve(r: u32) {
    let step = bitcast<f32>(ends[2u * r + 1u].x);
    if step == 0.0 {
        return;
    }
    let row = ends[2u * r];
    let a = vectors[predicted_at(row.x)];
    let b = vectors[predicted_at(row.y)];
    let impulse = impulses[r];
    let offset = a.xyz - b.xyz;
    let length = sqrt(dot(offset, offset));
    let more = project(length, bitcast<f32>(row.z), impulse, vec2f(bitcast<f32>(row.w), step));
    impulses[r] = impulse + more;
    let push = offset * (more / max(length, SAME_PLACE));
    vectors[predicted_at(row.x)] = vec4f(a.xyz + a.w * push, a.w);
    vectors[predicted_at(row.y)] = vec4f(b.xyz - b.w * push, b.w);
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let k = thread_index(thread);
    if color.crowded == 0u {
        if k < color.count {
            solve(order[color.first + k]);
        }
        return;
    }
    if k == 0u {
        for (var next = 0u; next < color.count; next++) {
            solve(order[color.first + next]);
        }
    }
}
