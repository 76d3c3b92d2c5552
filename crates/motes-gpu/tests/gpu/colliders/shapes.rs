//! One shape of each kind, about two metres across, and paths of all sorts around it.

use motes_core::Shape;
use motes_core::colliders::{Capsule, ConvexHull, Cuboid, Heightfield, Plane, SdfGrid, Sphere, TriangleMesh};
use motes_core::glam::{UVec3, Vec2, Vec3};
use motes_core::random::Random;
use motes_core::{Bounds, Pose};

use super::bench::{Particles, RADIUS, vector};

/// A sphere of triangles; `bump` moves its vertices in and out.
pub(super) fn ball(rings: u32, bump: impl Fn(Vec3) -> f32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let segments = 2 * rings;
    let mut vertices = vec![Vec3::Y];
    for ring in 1..rings {
        let (sin, cos) = (std::f32::consts::PI * ring as f32 / rings as f32).sin_cos();
        for segment in 0..segments {
            let (z, x) = (std::f32::consts::PI * segment as f32 / rings as f32).sin_cos();
            vertices.push(Vec3::new(sin * x, cos, sin * z));
        }
    }
    vertices.push(Vec3::NEG_Y);
    let last = vertices.len() as u32 - 1;
    let at = |ring: u32, segment: u32| 1 + (ring - 1) * segments + segment % segments;
    let mut triangles = Vec::new();
    for segment in 0..segments {
        triangles.push([0, at(1, segment + 1), at(1, segment)]);
        triangles.push([last, at(rings - 1, segment), at(rings - 1, segment + 1)]);
        for ring in 1..rings - 1 {
            let [a, b] = [at(ring, segment), at(ring, segment + 1)];
            let [c, d] = [at(ring + 1, segment), at(ring + 1, segment + 1)];
            triangles.extend([[a, b, c], [b, d, c]]);
        }
    }
    for vertex in &mut vertices {
        *vertex *= 1.0 + bump(*vertex);
    }
    (vertices, triangles)
}

pub(super) fn mesh() -> Shape {
    let (vertices, triangles) = ball(12, |p| 0.2 * (5.0 * p.x).sin() * (4.0 * p.z).cos());
    TriangleMesh::new(vertices, triangles).expect("a mesh").into()
}

pub(super) fn hull() -> Shape {
    let (vertices, triangles) = ball(5, |_| 0.0);
    ConvexHull::new(vertices, triangles).expect("a hull").into()
}

pub(super) fn grid() -> Shape {
    let (dims, cell) = (UVec3::new(21, 23, 25), 0.12);
    let origin = -0.5 * cell * (dims - 1).as_vec3();
    let mut values = Vec::new();
    for z in 0..dims.z {
        for y in 0..dims.y {
            for x in 0..dims.x {
                let p = origin + cell * UVec3::new(x, y, z).as_vec3();
                // A ring.
                let around = Vec2::new(Vec2::new(p.x, p.z).length() - 0.7, p.y);
                values.push(around.length() - 0.3);
            }
        }
    }
    SdfGrid::new(origin, cell, dims, values).expect("a grid").into()
}

pub(super) fn terrain() -> Shape {
    let (columns, rows) = (17, 14);
    let heights = (0..columns * rows)
        .map(|i| {
            let (x, z) = ((i % columns) as f32, (i / columns) as f32);
            0.3 * (0.7 * x + 0.4 * z).sin() + 0.2 * (1.1 * z - 0.5 * x).cos()
        })
        .collect();
    Heightfield::new(columns, rows, Vec2::new(0.12, 0.15), heights)
        .expect("a terrain")
        .into()
}

pub(super) fn simple() -> [(&'static str, Shape); 4] {
    [
        (
            "plane",
            Plane::new(Vec3::new(0.2, 1.0, -0.3), 0.1).expect("valid").into(),
        ),
        ("sphere", Sphere::new(0.8).expect("valid").into()),
        ("capsule", Capsule::new(0.6, 0.4).expect("valid").into()),
        ("cuboid", Cuboid::new(Vec3::new(0.9, 0.5, 0.7)).expect("valid").into()),
    ]
}

/// How a collider moves in a frame.
pub(super) fn motions() -> [(&'static str, Pose, Pose); 3] {
    use motes_core::glam::Quat;
    let turned = |axis: Vec3, angle| Quat::from_axis_angle(axis.normalize(), angle);
    let tilted = Pose {
        position: Vec3::new(0.3, -0.2, 0.1),
        rotation: turned(Vec3::new(1.0, 2.0, 0.5), 0.8),
    };
    let moved = Pose {
        position: Vec3::new(0.5, 0.1, -0.2),
        rotation: turned(Vec3::new(1.0, 2.0, 0.5), 1.2),
    };
    [
        ("at rest", Pose::IDENTITY, Pose::IDENTITY),
        ("tilted", tilted, tilted),
        ("moving", tilted, moved),
    ]
}

/// Paths that are slow and fast, near and far, from inside, along the surface.
pub(super) fn paths(shape: &Shape, pose: &Pose, count: usize, seed: u64) -> Particles {
    let mut random = Random::new(seed, 0);
    let bounds = shape.bounds();
    let around = Bounds {
        min: bounds.min.max(Vec3::splat(-1.5)),
        max: bounds.max.min(Vec3::splat(2.5)),
    }
    .expanded(0.3);
    let mut particles = Particles::default();
    for i in 0..count {
        let place = Vec3::new(random.unit(), random.unit(), random.unit());
        let mut start = around.min + place * around.size();
        let direction = vector(&mut random).normalize_or(Vec3::X);
        let mut step = direction * [0.0, 0.003, 0.03, 0.3, 3.0][i % 5] * random.unit();
        if i % 3 == 0 {
            let (distance, normal) = shape.signed_distance(start);
            let height = RADIUS * (0.9 + 0.2 * random.unit());
            start += (height - distance) * normal;
            if i % 2 == 0 {
                step -= normal * step.dot(normal);
            }
        }
        if i % 50 == 0 {
            start += direction * 30.0;
        }
        particles.push(pose.point(start), pose.point(start + step));
    }
    particles
}
