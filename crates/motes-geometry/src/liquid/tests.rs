use super::*;
use crate::Mesh;

const SPACING: f32 = 0.1;

/// Places of a jittered lattice that pass a test, by about `noise` spacings.
fn filled(counts: [i32; 3], noise: f32, keep: impl Fn(Vec3) -> bool) -> Vec<Vec3> {
    let mut seed = 1_u32;
    let mut random = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / (1 << 24) as f32 - 0.5
    };
    let mut places = Vec::new();
    for z in 0..counts[2] {
        for y in 0..counts[1] {
            for x in 0..counts[0] {
                let place = SPACING * (Vec3::new(x as f32, y as f32, z as f32) + 0.5);
                if keep(place) {
                    places.push(place + SPACING * noise * Vec3::new(random(), random(), random()));
                }
            }
        }
    }
    places
}

fn mesh_of(places: &[Vec3]) -> Mesh {
    let surface = liquid_surface(places, &LiquidOptions::new(SPACING)).unwrap();
    Mesh::new(surface.mesh.positions, surface.mesh.triangles)
}

fn volume(mesh: &Mesh) -> f32 {
    let parts = mesh.triangles.iter().map(|corners| {
        let [a, b, c] = corners.map(|corner| mesh.positions[corner as usize].as_dvec3());
        a.dot(b.cross(c)) / 6.0
    });
    parts.sum::<f64>() as f32
}

/// Vertices less edges plus triangles: twice the number of parts of genus 0. Every edge must have two triangles, which run along it
/// either way.
fn characteristic(mesh: &Mesh) -> i64 {
    let mut edges = std::collections::HashMap::new();
    for [a, b, c] in &mesh.triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            *edges.entry((*from, *to)).or_insert(0) += 1;
        }
    }
    for (&(from, to), count) in &edges {
        assert_eq!((*count, edges.get(&(to, from))), (1, Some(&1)), "{from} {to}");
    }
    mesh.positions.len() as i64 - edges.len() as i64 / 2 + mesh.triangles.len() as i64
}

#[test]
fn a_ball_gives_a_closed_ball_of_its_volume() {
    let middle = Vec3::splat(1.0);
    for noise in [0.0, 0.4] {
        let places = filled([20; 3], noise, |place| place.distance(middle) < 0.9);
        let mesh = mesh_of(&places);
        assert_eq!(characteristic(&mesh), 2);
        let ratio = volume(&mesh) / (places.len() as f32 * SPACING.powi(3));
        assert!((ratio - 1.0).abs() < 0.05, "{ratio} at {noise}");
    }
}

#[test]
fn a_flat_surface_is_flat_and_flush_with_walls() {
    let size = SPACING * Vec3::new(30.0, 12.0, 30.0);
    for (noise, most) in [(0.0, [0.03, 0.01]), (0.4, [0.05, 0.1])] {
        let places = filled([30, 12, 30], noise, |_| true);
        let surface = liquid_surface(&places, &LiquidOptions::new(SPACING)).unwrap();
        // Above, below and at a wall.
        for (axis, level) in [(1, size.y), (1, 0.0), (0, 0.0)] {
            let mut off = Vec::new();
            for (place, normal) in surface.mesh.positions.iter().zip(&surface.mesh.normals) {
                // Away from edges, which are round.
                let within = |other: usize| other == axis || (place[other] > 0.4 && place[other] < size[other] - 0.4);
                if (0..3).all(within) && (place[axis] - level).abs() < 0.3 {
                    off.push((place[axis] - level) / SPACING);
                    assert!(normal[axis].abs() > 0.95, "{normal}");
                }
            }
            let count = off.len() as f32;
            let mean = off.iter().sum::<f32>() / count;
            let spread = (off.iter().map(|off| (off - mean).powi(2)).sum::<f32>() / count).sqrt();
            assert!(
                mean.abs() < most[0] && spread < most[1],
                "{mean} and {spread} spacings at {noise}"
            );
        }
    }
}

#[test]
fn two_apart_are_two_meshes() {
    let apart = |place: Vec3| (place.x - 1.0).abs() > 0.4;
    let places = filled([20, 6, 6], 0.2, apart);
    assert_eq!(characteristic(&mesh_of(&places)), 4);
}

#[test]
fn threads_do_not_change_a_byte() {
    let places = filled([40, 10, 20], 0.9, |place| place.y < 0.5 + 0.4 * (3.0 * place.x).sin());
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| liquid_surface(&places, &LiquidOptions::new(SPACING)).unwrap())
    };
    let one = on(1);
    assert!(one.mesh.triangles.len() > 1000);
    assert!(one == on(2) && one == on(5));
}

#[test]
fn none_one_and_two_particles() {
    assert_eq!(
        liquid_surface(&[], &LiquidOptions::new(SPACING)).unwrap(),
        LiquidSurface::default()
    );
    let one = mesh_of(&[Vec3::new(3.0, -1.0, 0.2)]);
    assert_eq!(characteristic(&one), 2);
    let ratio = volume(&one) / SPACING.powi(3);
    assert!((0.4..1.3).contains(&ratio), "{ratio}");
    let two = [Vec3::ZERO, Vec3::X * 0.9 * SPACING];
    assert_eq!(characteristic(&mesh_of(&two)), 2);
    let same = [Vec3::ZERO; 2];
    assert_eq!(characteristic(&mesh_of(&same)), 2);
}

#[test]
fn any_heap_gives_a_closed_mesh() {
    for noise in [0.5, 1.5, 4.0] {
        let places = filled([16, 16, 16], noise, |place| (place.length() * 9.0).sin() > -0.3);
        characteristic(&mesh_of(&places));
    }
}

#[test]
fn spray_is_left_out_and_named() {
    let mut places = filled([8; 3], 0.0, |_| true);
    places.insert(3, Vec3::splat(2.0));
    let options = LiquidOptions {
        spray: 4,
        ..LiquidOptions::new(SPACING)
    };
    let surface = liquid_surface(&places, &options).unwrap();
    assert_eq!(surface.spray, [3]);
    assert!(surface.mesh.positions.iter().all(|place| place.max_element() < 1.0));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let places = [Vec3::ZERO, Vec3::new(0.0, f32::NAN, 0.0)];
    let options = LiquidOptions::new(SPACING);
    assert_eq!(
        liquid_surface(&places, &options),
        Err(GeometryError::NotFinite { index: 1 })
    );
    assert_eq!(
        liquid_kernels(&places, SPACING),
        Err(GeometryError::NotFinite { index: 1 })
    );
    for wrong in [
        LiquidOptions::new(0.0),
        LiquidOptions::new(f32::NAN),
        LiquidOptions {
            resolution: 0.01,
            ..options
        },
    ] {
        assert!(matches!(
            liquid_surface(&places[..1], &wrong),
            Err(GeometryError::BadSize { .. })
        ));
    }
    let far = liquid_surface(&[Vec3::splat(1e9)], &options);
    assert!(matches!(far, Err(GeometryError::TooManyPoints { .. })));
}

#[test]
fn kernels_are_flat_at_a_surface_and_round_within() {
    let places = filled([14; 3], 0.0, |_| true);
    let kernels = liquid_kernels(&places, SPACING).unwrap();
    let lengths = |x: usize, y: usize, z: usize| {
        let axes = kernels[(z * 14 + y) * 14 + x].axes;
        let mut lengths = [axes.x_axis, axes.y_axis, axes.z_axis].map(Vec3::length);
        lengths.sort_by(f32::total_cmp);
        lengths.map(|length| length / SPACING)
    };
    let [short, middle, long] = lengths(7, 7, 7);
    assert!(
        long - short < 0.1 && (middle - 2.0).abs() < 0.2,
        "{short} {middle} {long}"
    );
    let [short, middle, long] = lengths(7, 13, 7);
    assert!(short < 0.7 * middle && long < 1.1 * middle, "{short} {middle} {long}");
}
