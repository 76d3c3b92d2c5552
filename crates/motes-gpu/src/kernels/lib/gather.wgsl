// Sum of what the pairs of a particle do to it.

fn gather(range: vec4u) -> vec3f {
    var sum = vec3f();
    for (var p = range.x; p < range.x + range.y; p++) {
        sum += message_of(p, true);
    }
    for (var k = range.z; k < range.z + range.w; k++) {
        sum += message_of(foreign[k], false);
    }
    return sum;
}
