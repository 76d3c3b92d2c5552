// Moves each participant by what its balloon did.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> balloon_params: BalloonParams;
@group(0) @binding(2) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> slots: array<u32>;
@group(0) @binding(4) var<storage, read> pieces: array<Piece>;
@group(0) @binding(5) var<storage, read> slopes: array<vec4f>;
@group(0) @binding(6) var<storage, read> balloons: array<Balloon>;
@group(0) @binding(7) var<storage, read> work: array<BalloonWork>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let k = group_index(thread);
    if k >= balloon_params.participant_pieces {
        return;
    }
    let piece = pieces[k];
    let p = piece.first + thread.local;
    if p >= piece.end || slots[p] == 0u {
        return;
    }
    let at = predicted_at(slots[p] - 1u);
    let place = vectors[at];
    let change = work[balloons[piece.balloon].row].change;
    vectors[at] = vec4f(place.xyz + place.w * change * slopes[p].xyz, place.w);
}
