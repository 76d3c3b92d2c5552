// Thirds of the area vectors of all triangles of balloons, and what those of a piece add to the volume, the area and the holes of their balloon.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> balloon_params: BalloonParams;
@group(0) @binding(2) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> slots: array<u32>;
@group(0) @binding(4) var<storage, read> pieces: array<Piece>;
// Participants, and whether it spans a hole (w).
@group(0) @binding(5) var<storage, read> triangles: array<vec4u>;
@group(0) @binding(6) var<storage, read_write> areas: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> parts: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let p = group_index(thread);
    var part = vec4f();
    if p < balloon_params.triangle_pieces {
        let piece = pieces[p];
        let t = piece.first + thread.local;
        if t < piece.end {
            let triangle = triangles[t];
            let at = vec4u(slots[triangle.x], slots[triangle.y], slots[triangle.z], slots[piece.near]);
            var area = vec3f();
            if all(at.xyz > vec3u()) {
                let a = vectors[predicted_at(at.x - 1u)].xyz;
                let b = vectors[predicted_at(at.y - 1u)].xyz;
                let c = vectors[predicted_at(at.z - 1u)].xyz;
                area = cross(b - a, c - a) / 6.0;
                // Near the surface, so that nothing is lost to rounding.
                var near = vec3f();
                if at.w > 0u {
                    near = vectors[predicted_at(at.w - 1u)].xyz;
                }
                let size = 3.0 * length(area);
                part = vec4f(dot(a - near, area), select(size, 0.0, triangle.w == 1u), select(0.0, size, triangle.w == 1u), 0.0);
            }
            areas[t] = vec4f(area, 0.0);
        }
    }
    let sum = sum_of_piece(thread.local, part);
    if p < balloon_params.triangle_pieces && thread.local == 0u {
        parts[p] = sum;
    }
}
