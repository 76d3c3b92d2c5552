// How many impulses a particle's mass is divided among (Tonge et al. 2012): motes-core's `relaxation.rs`.

fn divisor(count: u32, diagonal: vec3f, mixed: vec3f) -> f32 {
    if params.averaging == 0u || count <= 1u {
        return 1.0;
    }
    if params.averaging == 1u {
        return f32(count);
    }
    return busiest(count, diagonal, mixed);
}

// The number of impulses in the busiest direction, at least one.
fn busiest(count: u32, diagonal: vec3f, mixed: vec3f) -> f32 {
    if count <= 1u {
        return 1.0;
    }
    var d = diagonal;
    var m = mixed;
    for (var k = 0u; k < 2u; k++) {
        let s = m * m;
        let squared = d * d + s + s.zxy;
        m = m * (d + d.yzx) + m.yzx * m.zxy;
        d = squared;
    }
    return max(sqrt(sqrt(sqrt(dot(d, d) + 2.0 * dot(m, m)))), 1.0);
}
