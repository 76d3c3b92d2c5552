// One Gauss–Seidel pass over the rows of a colour that keep curvatures, which share no particle; those of the last colour may,
// and are solved one after the other.

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
@group(0) @binding(4) var<storage, read> bends: array<Bend>;
@group(0) @binding(5) var<storage, read_write> impulses: array<vec4f>;

fn solve(r: u32) {
    let bend = bends[r];
    if bend.step == 0.0 {
        return;
    }
    let a = vectors[predicted_at(bend.slots.x)];
    let b = vectors[predicted_at(bend.slots.y)];
    let c = vectors[predicted_at(bend.slots.z)];
    let d = vectors[predicted_at(bend.slots.w)];
    let impulse = impulses[r].xyz;
    let change = bend_change(bend, a.xyz, b.xyz, c.xyz, d.xyz, impulse);
    impulses[r] = vec4f(impulse + change, 0.0);
    let share = vec4f(a.w, b.w, c.w, d.w) * bend.weights;
    vectors[predicted_at(bend.slots.x)] = vec4f(a.xyz + share.x * change, a.w);
    vectors[predicted_at(bend.slots.y)] = vec4f(b.xyz + share.y * change, b.w);
    vectors[predicted_at(bend.slots.z)] = vec4f(c.xyz + share.z * change, c.w);
    if bend.weights.w != 0.0 {
        // A chain names its last particle twice.
        vectors[predicted_at(bend.slots.w)] = vec4f(d.xyz + share.w * change, d.w);
    }
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
