// Six-dimensional vectors and symmetric tensors of rigid bodies: motes-core's `spatial.rs`.

// A displacement, or an impulse.
struct Spatial {
    linear: vec3f,
    angular: vec3f,
}

fn plus(a: Spatial, b: Spatial) -> Spatial {
    return Spatial(a.linear + b.linear, a.angular + b.angular);
}

fn minus(a: Spatial, b: Spatial) -> Spatial {
    return Spatial(a.linear - b.linear, a.angular - b.angular);
}

fn scaled(a: Spatial, factor: f32) -> Spatial {
    return Spatial(factor * a.linear, factor * a.angular);
}

fn product(a: Spatial, b: Spatial) -> f32 {
    return dot(a.linear, b.linear) + dot(a.angular, b.angular);
}

// The displacement of a point of a body, of that of its centre.
fn displacement_at(moved: Spatial, arm: vec3f) -> Spatial {
    return Spatial(moved.linear + cross(moved.angular, arm), moved.angular);
}

// The impulse about the centre, of one at the end of an arm.
fn impulse_from(impulse: Spatial, arm: vec3f) -> Spatial {
    return Spatial(impulse.linear, impulse.angular + cross(arm, impulse.linear));
}

// The blocks of [along, transpose(crossing); crossing, turning].
struct SpatialTensor {
    along: mat3x3f,
    crossing: mat3x3f,
    turning: mat3x3f,
}

fn times(tensor: SpatialTensor, vector: Spatial) -> Spatial {
    return Spatial(
        tensor.along * vector.linear + transpose(tensor.crossing) * vector.angular,
        tensor.crossing * vector.linear + tensor.turning * vector.angular,
    );
}

// The mobility at the end of an arm, of that where the arm begins.
fn tensor_at(tensor: SpatialTensor, arm: vec3f) -> SpatialTensor {
    let reach = cross_matrix(arm);
    let crossing = tensor.crossing + tensor.turning * reach;
    let along = tensor.along + transpose(tensor.crossing) * reach - reach * crossing;
    return SpatialTensor(along, crossing, tensor.turning);
}

fn trace(m: mat3x3f) -> f32 {
    return m[0].x + m[1].y + m[2].z;
}

// The same with so much of the outer product of a vector with itself.
fn plus_outer(tensor: SpatialTensor, v: Spatial, factor: f32) -> SpatialTensor {
    let linear = factor * v.linear;
    let angular = factor * v.angular;
    return SpatialTensor(
        tensor.along + mat3x3f(v.linear * linear.x, v.linear * linear.y, v.linear * linear.z),
        tensor.crossing + mat3x3f(v.angular * linear.x, v.angular * linear.y, v.angular * linear.z),
        tensor.turning + mat3x3f(v.angular * angular.x, v.angular * angular.y, v.angular * angular.z),
    );
}

// The inverse of the linear part on the directions that a projection leaves: all of them, two, or none.
fn points_inverse(along: mat3x3f, points: mat3x3f) -> mat3x3f {
    let left = trace(points);
    if left > 2.5 {
        return inverse(along);
    }
    if left < 0.5 {
        return mat3x3f();
    }
    let size = trace(along);
    return points * inverse(points * along * points + symmetric(vec3f(size), vec3f()) - points * size) * points;
}

// The inverse, restricted to the linear and the angular motion that two projections leave.
fn tensor_inverse(tensor: SpatialTensor, points: mat3x3f, held: mat3x3f, share: f32) -> SpatialTensor {
    let along = points_inverse(tensor.along, points);
    let size = trace(tensor.turning);
    if trace(held) == 0.0 || size <= 0.0 {
        return SpatialTensor(along, mat3x3f(), mat3x3f());
    }
    let reach = tensor.crossing * along;
    let free = held * (tensor.turning - reach * transpose(tensor.crossing)) * held;
    let turning = held * inverse(free + symmetric(vec3f((1.0 + share) * size), vec3f()) - held * size) * held;
    let back = turning * reach;
    return SpatialTensor(along + transpose(reach) * back, -1.0 * back, turning);
}
