// One triangle: its nearest point to a point, and the part of it that point lies on (Ericson 2005, §5.1.5).

// The inside; edge e from corner e to the next is EDGE + e; corner c is CORNER + c.
const FACE = 0u;
const EDGE = 1u;
const CORNER = 4u;

struct Triangle {
    a: vec3f,
    b: vec3f,
    c: vec3f,
}

struct Nearest {
    point: vec3f,
    feature: u32,
}

// The triangle that a shell looks at, and its normal on the particle's side.
var<private> face: Triangle;
var<private> face_normal: vec3f;

fn nearest_point(triangle: Triangle, point: vec3f) -> Nearest {
    let ab = triangle.b - triangle.a;
    let ac = triangle.c - triangle.a;
    let ap = point - triangle.a;
    let d1 = dot(ab, ap);
    let d2 = dot(ac, ap);
    if d1 <= 0.0 && d2 <= 0.0 {
        return Nearest(triangle.a, CORNER);
    }
    let bp = point - triangle.b;
    let d3 = dot(ab, bp);
    let d4 = dot(ac, bp);
    if d3 >= 0.0 && d4 <= d3 {
        return Nearest(triangle.b, CORNER + 1u);
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return Nearest(triangle.a + ab * (d1 / (d1 - d3)), EDGE);
    }
    let cp = point - triangle.c;
    let d5 = dot(ab, cp);
    let d6 = dot(ac, cp);
    if d6 >= 0.0 && d5 <= d6 {
        return Nearest(triangle.c, CORNER + 2u);
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return Nearest(triangle.a + ac * (d2 / (d2 - d6)), EDGE + 2u);
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let along = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return Nearest(triangle.b + (triangle.c - triangle.b) * along, EDGE + 1u);
    }
    let scale = 1.0 / (va + vb + vc);
    return Nearest(triangle.a + ab * (vb * scale) + ac * (vc * scale), FACE);
}

// Distance to the triangle that a shell looks at, and the direction away from it.
fn face_distance(point: vec3f) -> vec4f {
    let nearest = nearest_point(face, point);
    if nearest.feature == FACE {
        let height = dot(point - face.a, face_normal);
        return vec4f(select(face_normal, -face_normal, height < 0.0), abs(height));
    }
    let away = point - nearest.point;
    return vec4f(direction_or(away, face_normal), length(away));
}
