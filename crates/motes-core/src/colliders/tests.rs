//! What every shape promises, tried on random shapes and random paths.

use glam::{UVec3, Vec2, Vec3};
use proptest::prelude::*;

use super::{shell::Shell, *};

fn vector(range: f32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-range..range).prop_map(Vec3::from)
}

fn size() -> impl Strategy<Value = f32> {
    prop_oneof![1e-3_f32..0.02, 0.02_f32..1.0]
}

/// Paths of every speed: a crawl, a step, a shot straight through.
fn path() -> impl Strategy<Value = (Vec3, Vec3)> {
    (
        vector(2.0),
        vector(1.0),
        prop_oneof![Just(1e-3_f32), Just(0.1), Just(2.0), Just(20.0)],
        any::<bool>(),
    )
        .prop_map(|(start, aim, speed, at_shape)| {
            let direction = if at_shape { 0.3 * aim - start } else { aim };
            (start, start + speed * direction)
        })
}

pub(super) fn box_triangles(half: Vec3) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let vertices = (0..8)
        .map(|i| half * Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32) * 2.0 - half)
        .collect();
    let triangles = vec![
        [0, 2, 1],
        [1, 2, 3],
        [4, 5, 6],
        [5, 7, 6],
        [0, 1, 4],
        [1, 5, 4],
        [2, 6, 3],
        [3, 6, 7],
        [0, 4, 2],
        [2, 4, 6],
        [1, 3, 5],
        [3, 7, 5],
    ];
    (vertices, triangles)
}

/// A tetrahedron, which is convex whatever its corners.
fn tetrahedron(corners: [Vec3; 4]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    (corners.to_vec(), vec![[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]])
}

/// A wavy sheet of `n` by `n` cells from -1 to 1.
fn sheet(n: u32, height: impl Fn(f32, f32) -> f32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..=n {
        for j in 0..=n {
            let (x, z) = (2.0 * i as f32 / n as f32 - 1.0, 2.0 * j as f32 / n as f32 - 1.0);
            vertices.push(Vec3::new(x, height(x, z), z));
            if i < n && j < n {
                let corner = i * (n + 1) + j;
                triangles.push([corner, corner + 1, corner + n + 2]);
                triangles.push([corner, corner + n + 2, corner + n + 1]);
            }
        }
    }
    (vertices, triangles)
}

fn mesh((vertices, triangles): (Vec<Vec3>, Vec<[u32; 3]>)) -> Shape {
    TriangleMesh::new(vertices, triangles).expect("valid mesh").into()
}

fn convex() -> impl Strategy<Value = Shape> {
    prop_oneof![
        size().prop_map(|radius| Sphere::new(radius).expect("valid").into()),
        (size(), size()).prop_map(|(length, radius)| Capsule::new(length, radius).expect("valid").into()),
        (size(), size(), size()).prop_map(|(x, y, z)| Cuboid::new(Vec3::new(x, y, z)).expect("valid").into()),
        (size(), size(), size()).prop_map(|(x, y, z)| {
            let (vertices, triangles) = box_triangles(Vec3::new(x, y, z));
            ConvexHull::new(vertices, triangles).expect("valid").into()
        }),
        prop::array::uniform4(vector(1.0))
            .prop_map(tetrahedron)
            .prop_filter_map("flat", |(vertices, triangles)| {
                ConvexHull::new(vertices, triangles).ok().map(Shape::from)
            }),
    ]
}

fn contacts(shape: &Shape, (start, end): (Vec3, Vec3), radius: f32) -> Vec<SurfacePlane> {
    let mut out = Vec::new();
    let sweep = Sweep {
        start,
        end,
        radius,
        margin: 0.5 * radius,
    };
    shape.contacts(&sweep, &mut out);
    for plane in &out {
        assert!(plane.point.is_finite() && plane.normal.is_normalized(), "{plane:?}");
    }
    out
}

/// Where the solver leaves the particle.
fn project(planes: &[SurfacePlane], mut position: Vec3, radius: f32) -> Vec3 {
    for _ in 0..300 {
        for plane in planes {
            position += plane.normal * (radius - plane.height(position)).max(0.0);
        }
    }
    position
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: proptest::test_runner::RngSeed::Fixed(7), failure_persistence: None, max_global_rejects: 20_000, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn a_path_never_ends_beyond_or_inside_a_convex_solid(
        shape in convex(),
        path in path(),
        radius in size(),
    ) {
        prop_assume!(shape.signed_distance(path.0).0 > 1e-4);
        let end = project(&contacts(&shape, path, radius), path.1, radius);
        let touching = shape.signed_distance(path.0).0.min(radius);
        prop_assert!(shape.signed_distance(end).0 > 0.98 * touching.min(radius) - 1e-5);
        for i in 0..=400 {
            let between = path.0.lerp(end, i as f32 / 400.0);
            prop_assert!(shape.signed_distance(between).0 > -1e-5, "went through at {between}");
        }
    }

    #[test]
    fn a_path_that_stays_clear_of_a_convex_solid_is_not_disturbed(
        shape in convex(),
        path in path(),
        radius in size(),
    ) {
        let nearest = (0..=400)
            .map(|i| shape.signed_distance(path.0.lerp(path.1, i as f32 / 400.0)).0)
            .fold(f32::INFINITY, f32::min);
        prop_assume!(nearest > 1.01 * radius);
        let end = project(&contacts(&shape, path, radius), path.1, radius);
        let step = path.0.distance(path.1) / 400.0;
        prop_assume!(nearest > radius + step);
        prop_assert!(end.distance(path.1) < 1e-5);
    }

    #[test]
    fn a_particle_inside_a_convex_solid_gets_out(shape in convex(), at in vector(0.4)) {
        let at = shape.bounds().center() + at * shape.bounds().size();
        prop_assume!(shape.signed_distance(at).0 < 0.0);
        let radius = 0.05;
        let end = project(&contacts(&shape, (at, at), radius), at, radius);
        prop_assert!(shape.signed_distance(end).0 > 0.99 * radius);
    }

    #[test]
    fn signed_distance_grows_along_its_normal_at_unit_rate(shape in convex(), at in vector(2.0)) {
        let (distance, normal) = shape.signed_distance(at);
        prop_assert!(normal.is_normalized());
        let step = 1e-3_f32.min(0.1 * distance.abs());
        prop_assume!(distance > 0.01);
        let moved = shape.signed_distance(at - normal * step).0;
        prop_assert!((distance - moved - step).abs() < 2e-5);
        prop_assert!(shape.signed_distance(at - normal * distance).0.abs() < 1e-4);
    }

    #[test]
    fn hull_distance_is_that_of_the_nearest_sampled_surface_point(
        corners in prop::array::uniform4(vector(1.0)),
        at in vector(2.0),
    ) {
        let (vertices, triangles) = tetrahedron(corners);
        let hull = ConvexHull::new(vertices, triangles);
        prop_assume!(hull.is_ok());
        let hull = hull.expect("assumed");
        let mut nearest = f32::INFINITY;
        for triangle in hull.triangles() {
            let [a, b, c] = triangle.map(|i| hull.vertices()[i as usize]);
            for i in 0..=60 {
                for j in 0..=60 - i {
                    let (u, v) = (i as f32 / 60.0, j as f32 / 60.0);
                    nearest = nearest.min(at.distance(a + (b - a) * u + (c - a) * v));
                }
            }
        }
        let distance = hull.signed_distance(at).0.abs();
        prop_assert!(distance < nearest + 1e-4, "{distance} {nearest}");
        prop_assert!(nearest < distance + 0.06);
    }

    #[test]
    fn box_capsule_and_sphere_distances_agree_with_independent_forms(
        half in prop::array::uniform3(size()).prop_map(Vec3::from),
        at in vector(2.0),
    ) {
        let cuboid = Cuboid::new(half).expect("valid").signed_distance(at).0;
        let (vertices, triangles) = box_triangles(half);
        let hull = ConvexHull::new(vertices, triangles).expect("valid").signed_distance(at).0;
        prop_assert!((cuboid - hull).abs() < 1e-5);
        let capsule = Capsule::new(half.y, half.x).expect("valid").signed_distance(at).0;
        let nearest = (0..=2000)
            .map(|i| at.distance(Vec3::Y * half.y * (i as f32 / 1000.0 - 1.0)) - half.x)
            .fold(f32::INFINITY, f32::min);
        prop_assert!((capsule - nearest).abs() < 2e-3);
    }

    #[test]
    fn a_path_never_crosses_a_triangle(
        corners in prop::array::uniform3(vector(1.0)),
        path in path(),
        radius in size(),
    ) {
        let single = TriangleMesh::new(corners.to_vec(), vec![[0, 1, 2]]);
        prop_assume!(single.is_ok());
        let shape = Shape::from(single.expect("assumed"));
        prop_assume!(shape.signed_distance(path.0).0 > 1e-4);
        let end = project(&contacts(&shape, path, radius), path.1, radius);
        for i in 0..=400 {
            let (a, b) = (path.0.lerp(end, i as f32 / 401.0), path.0.lerp(end, (i + 1) as f32 / 401.0));
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            let (from, to) = ((a - corners[0]).dot(normal), (b - corners[0]).dot(normal));
            if (from > 0.0) != (to > 0.0) {
                prop_assert!(shape.signed_distance(a).0 > 0.0);
                let at = a.lerp(b, from / (from - to));
                prop_assert!(shape.signed_distance(at).0 > 1e-5, "crossed at {at}");
            }
        }
    }

    #[test]
    fn nothing_leaves_or_enters_a_closed_mesh(
        half in prop::array::uniform3(0.1_f32..1.0).prop_map(Vec3::from),
        path in path(),
        scale in 0.01_f32..0.9,
    ) {
        let shape = mesh(box_triangles(half));
        let inside = |p: Vec3| p.abs().cmplt(half).all();
        let radius = scale * half.min_element();
        prop_assume!(shape.signed_distance(path.0).0 > 1e-3);
        let end = project(&contacts(&shape, path, radius), path.1, radius);
        prop_assert_eq!(inside(path.0), inside(end), "{:?}", contacts(&shape, path, radius));
    }

    #[test]
    fn nothing_falls_through_a_wavy_sheet_or_terrain(
        start in vector(0.5),
        aim in vector(0.9),
        waves in 0.0_f32..0.3,
        radius in 0.005_f32..0.1,
    ) {
        let height = |x: f32, z: f32| waves * (5.0 * x).sin() * (4.0 * z).cos();
        let start = Vec3::new(start.x, height(start.x, start.z) + 0.2 + start.y.abs(), start.z);
        let (n, spacing) = (16, Vec2::splat(0.125));
        let heights = (0..289).map(|i| height((i % 17) as f32 * 0.125 - 1.0, (i / 17) as f32 * 0.125 - 1.0)).collect();
        let field = Heightfield::new(n + 1, n + 1, spacing, heights).expect("valid");
        let shift = Vec3::new(1.0, 0.0, 1.0);
        let end = Vec3::new(aim.x, -2.0 - aim.y, aim.z);
        // The sheet is cut from the terrain's own triangles, so that its height is known everywhere.
        let vertices = field.vertices().map(|vertex| vertex - shift).collect();
        let sheet = mesh((vertices, field.triangles().collect()));
        let above = |p: Vec3| {
            let beside = p.x.abs().max(p.z.abs()) > 1.0;
            if beside { f32::INFINITY } else { p.y - field.height_at(p.x + 1.0, p.z + 1.0) }
        };
        let on_sheet = project(&contacts(&sheet, (start, end), radius), end, radius);
        prop_assert!(above(on_sheet) > 0.0, "sheet {on_sheet}");
        let shape = Shape::from(field.clone());
        let on_field = project(&contacts(&shape, (start + shift, end + shift), radius), end + shift, radius);
        prop_assert!(above(on_field - shift) > 0.0, "field {on_field}");
    }

    #[test]
    fn nothing_leaves_a_round_mesh_or_a_round_grid(start in vector(0.4), aim in vector(1.0), radius in 0.01_f32..0.1) {
        let end = start + 15.0 * aim;
        let ball = round_mesh();
        let end_in_mesh = project(&contacts(&ball, (start, end), radius), end, radius);
        prop_assert!(end_in_mesh.length() < 1.0, "mesh {end_in_mesh}");
        // The same from outside, and through a ball of distances.
        let outside = start.normalize_or(Vec3::X) * (1.3 + start.length());
        for shape in [ball, round_grid()] {
            let end = outside + 10.0 * (start - outside);
            let planes = contacts(&shape, (outside, end), radius);
            prop_assert!(!planes.is_empty());
            let end = project(&planes, end, radius);
            prop_assert!(end.length() > 0.97, "outside {end}");
            prop_assert!(planes[0].height(outside) > 0.0);
        }
    }

    #[test]
    fn a_ray_ends_on_a_convex_solid_and_meets_nothing_before(shape in convex(), start in vector(2.0), aim in vector(0.5)) {
        let direction = (aim - start).normalize_or(Vec3::X);
        let at = |along: f32| shape.signed_distance(start + along * direction).0;
        match shape.cast(start, direction, 10.0) {
            Some((0.0, _)) => prop_assert!(at(0.0) < 1e-4, "it begins inside"),
            Some((distance, normal)) => {
                prop_assert!(at(distance).abs() < 1e-4);
                prop_assert!((0..20).all(|k| at(0.05 * k as f32 * distance) > -1e-4));
                prop_assert!(normal.dot(direction) < 1e-2);
            }
            None => prop_assert!((0..500).all(|k| at(0.02 * k as f32) > 0.0)),
        }
    }

    #[test]
    fn a_ray_from_anywhere_outside_ends_on_a_round_mesh_or_grid(away in vector(1.0), aim in vector(0.5), far in 1.5_f32..20.0) {
        let start = far * away.normalize_or(Vec3::X);
        let direction = (aim - start).normalize();
        for shape in [round_mesh(), round_grid()] {
            let (distance, _) = shape.cast(start, direction, 100.0).expect("it leads there");
            let end = start + distance * direction;
            prop_assert!((0.9..1.05).contains(&end.length()), "{end}");
            prop_assert!(end.dot(direction) < 0.0, "on the near side");
            prop_assert_eq!(shape.cast(start, -direction, 100.0), None);
        }
    }

    #[test]
    fn a_grid_of_a_sphere_is_that_sphere_within_a_cell(at in vector(1.2)) {
        let grid = round_grid();
        let sphere = Sphere::new(1.0).expect("valid");
        prop_assert!((grid.signed_distance(at).0 - sphere.signed_distance(at).0).abs() < 0.1);
        prop_assume!(at.length() > 0.3);
        prop_assert!(grid.signed_distance(at).1.dot(sphere.signed_distance(at).1) > 0.95);
    }

    #[test]
    fn a_ball_on_a_flat_mesh_feels_only_the_vertical(
        (x, z) in (-0.8_f32..0.8, -0.8_f32..0.8),
        lift in 0.2_f32..1.3,
        motion in vector(0.2),
        radius in 0.02_f32..0.1,
    ) {
        let start = Vec3::new(x, lift * radius, z);
        let end = start + motion;
        let flat = mesh(sheet(12, |_, _| 0.0));
        let field = Heightfield::new(13, 13, Vec2::splat(1.0 / 6.0), vec![0.0; 169]).expect("valid");
        let shift = Vec3::new(1.0, 0.0, 1.0);
        let near = end.y < 1.5 * radius;
        for (shape, shift) in [(flat, Vec3::ZERO), (field.into(), shift)] {
            let planes = contacts(&shape, (start + shift, end + shift), radius);
            prop_assert_eq!(planes.len(), usize::from(near));
            for plane in planes {
                prop_assert!(plane.normal.distance(Vec3::Y) < 1e-6, "{plane:?}");
                prop_assert!(plane.point.y.abs() < 1e-6);
            }
        }
    }

    #[test]
    fn a_ball_in_a_corner_of_a_mesh_feels_every_wall(
        offset in prop::array::uniform3(0.2_f32..1.2).prop_map(Vec3::from),
        radius in 0.02_f32..0.2,
    ) {
        let shape = mesh(box_triangles(Vec3::ONE));
        let at = Vec3::ONE - offset * radius;
        let planes = contacts(&shape, (at, at), radius);
        prop_assert_eq!(planes.len(), 3);
        for wall in [Vec3::NEG_X, Vec3::NEG_Y, Vec3::NEG_Z] {
            prop_assert!(planes.iter().any(|plane| plane.normal.distance(wall) < 1e-6));
        }
    }

    #[test]
    fn mesh_contacts_are_those_of_every_triangle_tried_in_turn(
        path in path(),
        waves in 0.0_f32..0.5,
        radius in 0.005_f32..0.3,
    ) {
        let (vertices, triangles) = sheet(7, |x, z| waves * (5.0 * x).sin() * (4.0 * z).cos());
        let mesh = TriangleMesh::new(vertices, triangles).expect("valid");
        let sweep = Sweep { start: path.0, end: path.1, radius, margin: 0.0 };
        let (mut fast, mut slow) = (Vec::new(), Vec::new());
        shell::contacts(&mesh, &sweep, &mut fast);
        shell::contacts(&EveryTriangle(&mesh), &sweep, &mut slow);
        prop_assert_eq!(fast, slow);
    }
}

/// A ball of radius 1: an octahedron, refined.
fn round_mesh() -> Shape {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    let n = 6;
    for signs in 0..8 {
        let sign = Vec3::new((signs & 1) as f32, (signs >> 1 & 1) as f32, (signs >> 2) as f32) * 2.0 - 1.0;
        let mut push = |corners: [(i32, i32); 3]| {
            let first = vertices.len() as u32;
            vertices
                .extend(corners.map(|(i, j)| (sign * Vec3::new(i as f32, j as f32, (n - i - j) as f32)).normalize()));
            triangles.push([first, first + 1, first + 2]);
        };
        for i in 0..n {
            for j in 0..n - i {
                push([(i, j), (i + 1, j), (i, j + 1)]);
                if i + j + 2 <= n {
                    push([(i + 1, j), (i + 1, j + 1), (i, j + 1)]);
                }
            }
        }
    }
    mesh((vertices, triangles))
}

/// The distances to a ball of radius 1, cells of 0.1.
fn round_grid() -> Shape {
    let origin = Vec3::splat(-1.3);
    let values = (0..27 * 27 * 27)
        .map(|i| (origin + 0.1 * UVec3::new(i % 27, i / 27 % 27, i / 729).as_vec3()).length() - 1.0)
        .collect();
    SdfGrid::new(origin, 0.1, UVec3::splat(27), values)
        .expect("valid")
        .into()
}

struct EveryTriangle<'a>(&'a TriangleMesh);

impl Shell for EveryTriangle<'_> {
    fn indices(&self, triangle: u32) -> [u32; 3] {
        self.0.indices(triangle)
    }
    fn vertex(&self, index: u32) -> Vec3 {
        self.0.vertex(index)
    }
    fn normal(&self, triangle: u32) -> Vec3 {
        self.0.normal(triangle)
    }
    fn visit_near(&self, _: Vec3, _: Vec3, _: f32, visit: impl FnMut(u32)) {
        self.0.bvh().order().iter().copied().for_each(visit);
    }
    fn visit_fan(&self, vertex: u32, visit: impl FnMut(u32)) {
        self.0.visit_fan(vertex, visit);
    }
}

#[test]
fn a_bullet_is_stopped_by_every_thin_shape() {
    let plate = Vec3::new(1.0, 1e-3, 1.0);
    let (vertices, triangles) = box_triangles(plate);
    for shape in [
        Cuboid::new(plate).expect("valid").into(),
        Sphere::new(1e-3).expect("valid").into(),
        Capsule::new(1e-3, 1e-3).expect("valid").into(),
        ConvexHull::new(vertices.clone(), triangles.clone())
            .expect("valid")
            .into(),
        mesh((vertices, triangles)),
        mesh((
            vec![Vec3::X, Vec3::NEG_X + Vec3::Z, Vec3::NEG_X - Vec3::Z],
            vec![[0, 1, 2]],
        )),
    ] {
        let shape: Shape = shape;
        let (start, end) = (Vec3::Y * 500.0, Vec3::Y * -500.0);
        let end = project(&contacts(&shape, (start, end), 0.01), end, 0.01);
        assert!((0.0099..0.02).contains(&end.y), "{shape:?} let it to {end}");
    }
}

#[test]
fn a_ball_at_rest_is_not_moved() {
    let radius = 0.05;
    let (vertices, triangles) = sheet(4, |_, _| 0.0);
    let flat = Heightfield::new(3, 3, Vec2::ONE, vec![0.0; 9]).expect("valid");
    for shape in [
        Plane::new(Vec3::Y, 0.0).expect("valid").into(),
        mesh((vertices, triangles)),
        flat.into(),
    ] {
        let shape: Shape = shape;
        let at = Vec3::new(0.21, radius, 0.37);
        let end = project(&contacts(&shape, (at, at), radius), at, radius);
        assert!(end.distance(at) < 1e-7);
    }
}

fn one_of_each() -> [Shape; 8] {
    let (vertices, triangles) = box_triangles(Vec3::ONE);
    let grid = SdfGrid::new(Vec3::ZERO, 1.0, UVec3::splat(2), vec![0.5; 8]).expect("valid");
    let field = Heightfield::new(3, 3, Vec2::ONE, vec![0.0; 9]).expect("valid");
    [
        Plane::new(Vec3::new(1.0, 2.0, 3.0), 0.5).expect("valid").into(),
        Sphere::new(1.0).expect("valid").into(),
        Capsule::new(1.0, 2.0).expect("valid").into(),
        Cuboid::new(Vec3::ONE).expect("valid").into(),
        ConvexHull::new(vertices.clone(), triangles.clone())
            .expect("valid")
            .into(),
        mesh((vertices, triangles)),
        grid.into(),
        field.into(),
    ]
}

#[test]
fn shapes_survive_saving_and_corrupt_ones_are_refused() {
    for shape in one_of_each() {
        let bytes = postcard::to_allocvec(&shape).expect("saved");
        assert_eq!(postcard::from_bytes::<Shape>(&bytes).expect("restored"), shape);
        // Whatever byte goes bad, reading gives an error or a shape that answers.
        for index in 0..bytes.len() {
            for flip in [0x01, 0x80, 0xff] {
                let mut bad = bytes.clone();
                bad[index] ^= flip;
                if let Ok(shape) = postcard::from_bytes::<Shape>(&bad) {
                    let sweep = Sweep {
                        start: Vec3::splat(3.0),
                        end: Vec3::splat(-3.0),
                        radius: 0.1,
                        margin: 0.1,
                    };
                    shape.contacts(&sweep, &mut Vec::new());
                }
            }
        }
    }
}

#[test]
fn nan_and_infinite_paths_do_not_panic_or_hang() {
    for shape in one_of_each() {
        for end in [Vec3::NAN, Vec3::INFINITY, Vec3::NEG_Y * f32::MAX, Vec3::splat(1e30)] {
            let sweep = Sweep {
                start: Vec3::new(0.3, 2.0, 0.2),
                end,
                radius: 0.1,
                margin: 0.1,
            };
            shape.contacts(&sweep, &mut Vec::new());
            let sweep = Sweep {
                start: end,
                end: sweep.start,
                ..sweep
            };
            shape.contacts(&sweep, &mut Vec::new());
            shape.contains(end, 0.1);
        }
    }
}
