// What a push moves the particle that owns the pair, or the other one.

fn lifted(push: vec4f, own: bool) -> vec3f {
    return push.xyz * (1.0 + select(-push.w, push.w, own));
}
