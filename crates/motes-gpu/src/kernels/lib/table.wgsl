// The material table: one row per material (gravity scale, damping), then the coefficients of each pair of materials
// between particles: static friction, kinetic friction, restitution, cohesion.

fn pair_coefficients(a: u32, b: u32) -> vec4f {
    return table[params.materials + a * params.materials + b];
}
