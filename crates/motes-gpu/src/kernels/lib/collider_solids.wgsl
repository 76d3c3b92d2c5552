// Takes the place of `collider_shell` and `collider_terrain` where there are neither meshes nor terrains: drivers take long over
// what is never called.

struct ShellHit {
    hit: Hit,
    triangle: u32,
}

fn shell_hit(part: Part, start: vec3f, end: vec3f, radius: f32) -> ShellHit {
    return ShellHit();
}

fn shell_surroundings(sweep: Sweep, rest: vec3f) {}

fn terrain_approach(sweep: Sweep) -> Approach {
    return Approach();
}

fn terrain_wall(sweep: Sweep, rest: vec3f) -> bool {
    return false;
}
