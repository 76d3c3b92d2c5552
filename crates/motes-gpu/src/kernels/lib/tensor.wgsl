// Eigenvalues and pseudo-inverses of symmetric matrices: `rigid.rs` of motes-core.

fn symmetric(diagonal: vec3f, mixed: vec3f) -> mat3x3f {
    return mat3x3f(
        vec3f(diagonal.x, mixed.x, mixed.z),
        vec3f(mixed.x, diagonal.y, mixed.y),
        vec3f(mixed.z, mixed.y, diagonal.z),
    );
}

struct Eigen {
    values: vec3f,
    // Unit eigenvectors, as columns.
    axes: mat3x3f,
}

fn eigen(matrix: mat3x3f) -> Eigen {
    var rows = matrix;
    var axes = mat3x3f(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0), vec3f(0.0, 0.0, 1.0));
    for (var k = 0u; k < 24u; k++) {
        let i = select(0u, 1u, k % 3u == 2u);
        let j = select(2u, 1u, k % 3u == 0u);
        if abs(rows[i][j]) < 1e-30 {
            continue;
        }
        let theta = (rows[j][j] - rows[i][i]) / (2.0 * rows[i][j]);
        let far = abs(theta) > 1e15;
        let square = select(theta * theta, 0.0, far);
        let tangent = select(1.0, -1.0, theta < 0.0) / (abs(theta) + select(sqrt(square + 1.0), abs(theta), far));
        let cosine = 1.0 / sqrt(tangent * tangent + 1.0);
        let sine = tangent * cosine;
        for (var row = 0u; row < 3u; row++) {
            let a = rows[row][i];
            let b = rows[row][j];
            rows[row][i] = cosine * a - sine * b;
            rows[row][j] = sine * a + cosine * b;
        }
        let a = rows[i];
        let b = rows[j];
        rows[i] = cosine * a - sine * b;
        rows[j] = sine * a + cosine * b;
        let first = axes[i];
        let second = axes[j];
        axes[i] = cosine * first - sine * second;
        axes[j] = sine * first + cosine * second;
    }
    return Eigen(vec3f(rows[0][0], rows[1][1], rows[2][2]), axes);
}

// The inverse of a tensor without negative eigenvalues; zero along axes where it is next to nothing.
fn pseudo_inverse(tensor: mat3x3f) -> mat3x3f {
    let found = eigen(tensor);
    let least = LEAST_INERTIA * max(found.values.x, max(found.values.y, found.values.z));
    let inverse = select(vec3f(), 1.0 / found.values, found.values > vec3f(least));
    return found.axes * symmetric(inverse, vec3f()) * transpose(found.axes);
}
