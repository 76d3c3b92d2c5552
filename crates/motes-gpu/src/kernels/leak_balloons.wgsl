// What leaves through the holes of balloons in a sub-step.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> balloon_params: BalloonParams;
@group(0) @binding(2) var<storage, read> balloons: array<Balloon>;
// Of balloons with holes.
@group(0) @binding(3) var<storage, read_write> work: array<BalloonWork>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let b = thread_index(thread);
    if b >= balloon_params.balloons || balloons[b].open == 0u {
        return;
    }
    let balloon = balloons[b];
    var own = work[balloon.row];
    let is_pumped = balloon.filling == HOLDS_PRESSURE;
    if is_pumped && own.lost >= 0.0 {
        own.lost = -max(own.volume * (1.0 + balloon.amount / AMBIENT_PRESSURE), TRACE);
    }
    let pressure = own.impulse / (params.h * params.h);
    let all = abs(held(balloon, own.lost).amount - own.volume);
    let flow = min(DISCHARGE * own.hole * sqrt(2.0 * abs(pressure) / GAS_DENSITY) * params.h, all);
    own.lost += select(-flow, flow, pressure > 0.0);
    if is_pumped {
        own.lost = min(own.lost, -TRACE);
    }
    work[balloon.row] = own;
}
