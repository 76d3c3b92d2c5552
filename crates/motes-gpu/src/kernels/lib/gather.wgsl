// Sum of what the pairs of a particle do to it.

fn gather(range: vec4u) -> vec3f {
    var sum = vec3f();
    if params.scaled == 0u {
        for (var p = range.x; p < range.x + range.y; p++) {
            sum += messages[p].xyz;
        }
        for (var k = range.z; k < range.z + range.w; k++) {
            sum -= messages[foreign[k]].xyz;
        }
    } else {
        for (var p = range.x; p < range.x + range.y; p++) {
            sum += messages[p].xyz * shares[p].x;
        }
        for (var k = range.z; k < range.z + range.w; k++) {
            sum -= messages[foreign[k]].xyz * shares[foreign[k]].y;
        }
    }
    return sum;
}
