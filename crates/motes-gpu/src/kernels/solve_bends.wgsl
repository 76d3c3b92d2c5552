// One iteration over all rows that keep curvatures, at once: what each does. `move_bends` moves the participants by it.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> row_params: RowParams;
@group(0) @binding(2) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> bends: array<Bend>;
@group(0) @binding(4) var<storage, read_write> impulses: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> changes: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let r = thread_index(thread);
    if r >= row_params.rows {
        return;
    }
    let bend = bends[r];
    var change = vec3f();
    if bend.step != 0.0 {
        let impulse = impulses[r].xyz;
        let a = vectors[predicted_at(bend.slots.x)].xyz;
        let b = vectors[predicted_at(bend.slots.y)].xyz;
        let c = vectors[predicted_at(bend.slots.z)].xyz;
        let d = vectors[predicted_at(bend.slots.w)].xyz;
        change = bend_change(bend, a, b, c, d, impulse);
        impulses[r] = vec4f(impulse + change, 0.0);
    }
    changes[r] = vec4f(change, 0.0);
}
