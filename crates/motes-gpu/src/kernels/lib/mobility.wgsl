// Moves of a rigid body per impulse, summed over its contacts: `Mobility` of motes-core's `rigid.rs`.

// Of `M⁻¹ Σ JᵀJ` with `J = (n, r × n)`.
struct Blocks {
    along: mat3x3f,
    upper: mat3x3f,
    lower: mat3x3f,
    about: mat3x3f,
}

fn product(a: Blocks, b: Blocks) -> Blocks {
    return Blocks(
        a.along * b.along + a.upper * b.lower,
        a.along * b.upper + a.upper * b.about,
        a.lower * b.along + a.about * b.lower,
        a.lower * b.upper + a.about * b.about,
    );
}

fn trace(m: mat3x3f) -> f32 {
    return m[0].x + m[1].y + m[2].z;
}

fn cross_matrix(arm: vec3f) -> mat3x3f {
    return mat3x3f(vec3f(0.0, arm.z, -arm.y), vec3f(-arm.z, 0.0, arm.x), vec3f(arm.y, -arm.x, 0.0));
}

// The largest eigenvalue, at most a quarter high, from sums over contacts.
fn largest(along: mat3x3f, turning: mat3x3f, about: mat3x3f, inverse_mass: f32, inverse_inertia: mat3x3f) -> f32 {
    let size = trace(along) * inverse_mass;
    if size <= 0.0 {
        return 0.0;
    }
    let scale = 1.0 / size;
    let whole = Blocks(
        along * (inverse_mass * scale),
        transpose(turning) * (inverse_mass * scale),
        inverse_inertia * turning * scale,
        inverse_inertia * about * scale,
    );
    let squared = product(whole, whole);
    let fourth = product(squared, squared);
    let eighth = trace(fourth.along * fourth.along + fourth.upper * fourth.lower)
        + trace(fourth.lower * fourth.upper + fourth.about * fourth.about);
    return size * sqrt(sqrt(sqrt(max(eighth, 0.0))));
}
