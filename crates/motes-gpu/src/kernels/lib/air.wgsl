// Air, and what it does to a triangle: motes-core's `air.rs` and `airfoil.rs`.

struct Eddy {
    // Phase by place, turns per metre, and at the origin (w).
    wave: vec4f,
    // Where it is greatest, m/s.
    velocity: vec4f,
}

struct Air {
    // Without eddies, m/s, and its density (w).
    velocity: vec4f,
    // How many there are.
    count: u32,
    unused_a: u32,
    unused_b: u32,
    unused_c: u32,
    eddies: array<Eddy, EDDIES>,
}

fn sine(turns: f32) -> f32 {
    let t = turns - floor(turns + 0.5);
    let s = 8.0 * t - 16.0 * t * abs(t);
    return 0.225 * (s * abs(s) - s) + s;
}

fn air_velocity(point: vec3f) -> vec3f {
    var sum = vec3f();
    for (var k = 0u; k < air.count; k++) {
        let eddy = air.eddies[k];
        sum += eddy.velocity.xyz * sine(dot(eddy.wave.xyz, point) + eddy.wave.w);
    }
    return air.velocity.xyz + sum;
}

// The force on a triangle that moves at a velocity relative to the air, and its steepness (w), given drag and lift.
fn press(a: vec3f, b: vec3f, c: vec3f, velocity: vec3f, coefficients: vec2f) -> vec4f {
    let doubled = cross(b - a, c - a);
    let area = 0.5 * length(doubled);
    let speed = length(velocity);
    if !(area > 0.0 && speed > 0.0) {
        return vec4f();
    }
    let way = velocity / speed;
    let toward = doubled / (2.0 * area);
    let signed_cosine = dot(toward, way);
    let normal = select(toward, -toward, signed_cosine < 0.0);
    let cosine = abs(signed_cosine);
    let pressure = 0.5 * air.velocity.w * speed * speed * area * cosine;
    let force = -pressure * (coefficients.x * way + coefficients.y * (normal - cosine * way));
    return vec4f(force, 2.0 * length(force) / speed);
}
