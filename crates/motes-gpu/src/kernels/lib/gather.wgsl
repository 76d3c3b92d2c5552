// Sums of what the pairs of a particle do to it.

fn sum_of_own(range: vec4u) -> vec3f {
    var sum = vec3f();
    for (var p = range.x; p < range.x + range.y; p++) {
        sum += share_of(p, messages[PAIR * p].xyz, true);
    }
    return sum;
}

fn sum_of_foreign(range: vec4u) -> vec3f {
    var sum = vec3f();
    for (var k = range.z; k < range.z + range.w; k++) {
        let p = foreign[k];
        sum += share_of(p, messages[PAIR * p].xyz, false);
    }
    return sum;
}
