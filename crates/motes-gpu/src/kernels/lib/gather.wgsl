// Sum of what the pairs of a particle do to it, in order. They are fetched four at a time, so that none waits for another.

fn gather(range: vec4u) -> vec3f {
    var sum = vec3f();
    let end = range.x + range.y;
    for (var p = range.x; p < end; p += 4u) {
        let a = message_of(p, true);
        let b = message_of(p + 1u, true);
        let c = message_of(p + 2u, true);
        let d = message_of(p + 3u, true);
        sum += a;
        sum += select(vec3f(), b, p + 1u < end);
        sum += select(vec3f(), c, p + 2u < end);
        sum += select(vec3f(), d, p + 3u < end);
    }
    let foreign_end = range.z + range.w;
    for (var k = range.z; k < foreign_end; k += 4u) {
        let numbers = vec4u(foreign[k], foreign[k + 1u], foreign[k + 2u], foreign[k + 3u]);
        let a = message_of(numbers.x, false);
        let b = message_of(select(numbers.x, numbers.y, k + 1u < foreign_end), false);
        let c = message_of(select(numbers.x, numbers.z, k + 2u < foreign_end), false);
        let d = message_of(select(numbers.x, numbers.w, k + 3u < foreign_end), false);
        sum += a;
        sum += select(vec3f(), b, k + 1u < foreign_end);
        sum += select(vec3f(), c, k + 2u < foreign_end);
        sum += select(vec3f(), d, k + 3u < foreign_end);
    }
    return sum;
}
