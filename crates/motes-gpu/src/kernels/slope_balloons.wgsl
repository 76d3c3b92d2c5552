// How the volume of a balloon grows with each participant, and what those of a piece yield.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> balloon_params: BalloonParams;
@group(0) @binding(2) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> slots: array<u32>;
@group(0) @binding(4) var<storage, read> pieces: array<Piece>;
@group(0) @binding(5) var<storage, read> starts: array<u32>;
// Triangles of each participant.
@group(0) @binding(6) var<storage, read> members: array<u32>;
@group(0) @binding(7) var<storage, read> areas: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> slopes: array<vec4f>;
@group(0) @binding(9) var<storage, read_write> yieldings: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let k = group_index(thread);
    var yielding = 0.0;
    if k < balloon_params.participant_pieces {
        let piece = pieces[k];
        let p = piece.first + thread.local;
        if p < piece.end {
            var slope = vec3f();
            for (var e = first_end(p); e < starts[p]; e++) {
                slope += areas[members[e]].xyz;
            }
            slopes[p] = vec4f(slope, 0.0);
            if slots[p] > 0u {
                yielding = vectors[predicted_at(slots[p] - 1u)].w * dot(slope, slope);
            }
        }
    }
    let sum = sum_of_piece(thread.local, vec4f(yielding, 0.0, 0.0, 0.0));
    if k < balloon_params.participant_pieces && thread.local == 0u {
        yieldings[k] = sum.x;
    }
}
