// What each balloon answers to its volume: one workgroup for each. FIRST is 1 in the first iteration of a sub-step.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> balloon_params: BalloonParams;
@group(0) @binding(2) var<storage, read> balloons: array<Balloon>;
@group(0) @binding(3) var<storage, read> parts: array<vec4f>;
@group(0) @binding(4) var<storage, read> yieldings: array<f32>;
@group(0) @binding(5) var<storage, read_write> work: array<BalloonWork>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let b = group_index(thread);
    var part = vec4f();
    if b < balloon_params.balloons {
        let balloon = balloons[b];
        for (var p = balloon.triangles.x + thread.local; p < balloon.triangles.y; p += WORKGROUP) {
            part += parts[p];
        }
        for (var p = balloon.participants.x + thread.local; p < balloon.participants.y; p += WORKGROUP) {
            part.w += yieldings[p];
        }
    }
    let found = sum_of_piece(thread.local, part);
    if b < balloon_params.balloons && thread.local == 0u {
        let balloon = balloons[b];
        var own = work[balloon.row];
        if FIRST == 1u {
            own.impulse = 0.0;
        }
        own.volume = found.x;
        own.hole = found.z;
        own.change = change_of(balloon, found, own);
        own.impulse += own.change;
        work[balloon.row] = own;
    }
}

// Volume, area, holes and yielding are `found`.
fn change_of(balloon: Balloon, found: vec4f, own: BalloonWork) -> f32 {
    if found.w <= 0.0 {
        return 0.0;
    }
    let content = held(balloon, own.lost);
    if content.filling == HOLDS_PRESSURE {
        let fits = (balloon.room - found.x) / found.w;
        return min(content.amount * params.h * params.h - own.impulse, max(fits, -max(own.impulse, 0.0)));
    }
    var softness = balloon.softness;
    var error = found.x - content.amount;
    if content.filling == HOLDS_GAS {
        let volume = max(found.x, DENSEST * content.amount);
        let share = volume / max(content.amount, TRACE);
        softness = volume * share / AMBIENT_PRESSURE;
        error = volume * (share - 1.0);
    }
    let response = respond(softness, found.w);
    let most = ROUNDEST * found.y * sqrt(found.y) / found.w;
    return clamp(-(error + response.x * own.impulse) * response.y, -most, most);
}
