// Balloons: motes-core's `store/balloons.rs` and `constraints/volume.rs`.

struct BalloonParams {
    // Pieces of triangles and of participants, and balloons.
    triangle_pieces: u32,
    participant_pieces: u32,
    balloons: u32,
    unused: u32,
}

// Some triangles or participants of one balloon.
struct Piece {
    first: u32,
    end: u32,
    balloon: u32,
    // A participant of the balloon.
    near: u32,
}

struct Balloon {
    // Its pieces: where they begin and end.
    triangles: vec2u,
    participants: vec2u,
    // Its place in the store, by which it has its state.
    row: u32,
    // HOLDS_PRESSURE, HOLDS_GAS, or else a volume.
    filling: u32,
    // m³ or pascals.
    amount: f32,
    // A compliance, m³/Pa, or a stiffness below zero.
    softness: f32,
    // 1 if it has holes.
    open: u32,
    // The volume up to which a pump fills it, m³.
    room: f32,
    unused_b: u32,
    unused_c: u32,
}

struct BalloonWork {
    // What it has done in the sub-step, and did last, Pa·s².
    impulse: f32,
    change: f32,
    // What has left through holes, m³; below zero the gas that a pump left behind.
    lost: f32,
    // Volume inside, m³, and area of its holes, m².
    volume: f32,
    hole: f32,
    unused_a: f32,
    unused_b: f32,
    unused_c: f32,
}

struct Held {
    filling: u32,
    amount: f32,
}

// What is left of a filling.
fn held(balloon: Balloon, lost: f32) -> Held {
    if balloon.filling != HOLDS_PRESSURE {
        return Held(balloon.filling, max(balloon.amount - lost, 0.0));
    }
    if lost < 0.0 {
        return Held(HOLDS_GAS, -lost);
    }
    return Held(HOLDS_PRESSURE, balloon.amount);
}
