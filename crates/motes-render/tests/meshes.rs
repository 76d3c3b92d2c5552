//! What the preview promises about meshes, closed and drawn many times.

use glam::{Affine3A, Vec3};
use motes_render::{Camera, Drawing, Ground, Image, Lighting, Mesh, MeshInstance, Preview, Quality};
use std::f32::consts::{PI, TAU};

const RED: [u8; 3] = [220, 30, 30];

/// A sphere of 1 m around the origin whose triangles turn left seen from outside, or right if `is_turned`.
fn ball(is_turned: bool) -> Mesh {
    const RINGS: u32 = 16;
    const AROUND: u32 = 24;
    let mut positions = vec![Vec3::Y, Vec3::NEG_Y];
    let mut triangles = Vec::new();
    for ring in 0..RINGS {
        let (radius, height) = ((ring + 1) as f32 * PI / (RINGS + 1) as f32).sin_cos();
        for i in 0..AROUND {
            let (sin, cos) = (i as f32 * TAU / AROUND as f32).sin_cos();
            positions.push(Vec3::new(radius * cos, height, -radius * sin));
            let at = |ring: u32, i: u32| 2 + ring * AROUND + i % AROUND;
            match ring {
                0 => triangles.push([0, at(0, i), at(0, i + 1)]),
                _ => triangles.extend([
                    [at(ring - 1, i), at(ring, i), at(ring, i + 1)],
                    [at(ring - 1, i), at(ring, i + 1), at(ring - 1, i + 1)],
                ]),
            }
            if ring == RINGS - 1 {
                triangles.push([1, at(ring, i + 1), at(ring, i)]);
            }
        }
    }
    if is_turned {
        triangles.iter_mut().for_each(|corners| corners.swap(0, 1));
    }
    Mesh::new(positions, triangles, true)
}

/// The same, and a triangle within it that nobody sees and that keeps it from being closed.
fn open_ball() -> Mesh {
    let ball = ball(false);
    let triangles = ball.triangles().iter().copied().chain([[0, 1, 2]]);
    Mesh::new(ball.positions().to_vec(), triangles.collect(), true)
}

fn drawing<'a>(camera: Vec3, mesh: &'a Mesh, poses: &[Affine3A]) -> Drawing<'a> {
    let instance = |&pose: &Affine3A| MeshInstance {
        mesh,
        pose,
        color: RED,
        opacity: 1.0,
        casts_shadow: true,
    };
    Drawing {
        camera: Camera {
            position: camera,
            target: Vec3::ZERO,
            up: Vec3::Y,
            field_of_view: 60.0,
        },
        spheres: Vec::new(),
        meshes: poses.iter().map(instance).collect(),
        puffs: &[],
        ground: Some(Ground {
            point: Vec3::NEG_Y,
            normal: Vec3::Y,
            color: [200; 3],
        }),
        lighting: Lighting::default(),
    }
}

fn draw(drawing: &Drawing) -> Image {
    Preview::new().draw(drawing, 160, 120, &Quality::video())
}

/// Pixels of which a channel differs by more than 16.
fn different(a: &Image, b: &Image) -> usize {
    let pairs = a.pixels.iter().zip(&b.pixels);
    pairs
        .filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 16))
        .count()
}

#[test]
fn a_closed_mesh_looks_the_same_whichever_way_its_triangles_turn() {
    let camera = Vec3::new(0.0, 2.0, 5.0);
    let (mesh, turned) = (ball(false), ball(true));
    let expected = draw(&drawing(camera, &open_ball(), &[Affine3A::IDENTITY]));
    let mirrored = Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    for (mesh, pose) in [
        (&mesh, Affine3A::IDENTITY),
        (&turned, Affine3A::IDENTITY),
        (&mesh, mirrored),
        (&turned, mirrored),
    ] {
        let found = draw(&drawing(camera, mesh, &[pose]));
        assert!(different(&expected, &found) < 10, "{}", different(&expected, &found));
    }
}

#[test]
fn a_camera_inside_a_closed_mesh_sees_it() {
    let mesh = ball(false);
    let image = draw(&drawing(Vec3::new(0.0, 0.0, 0.5), &mesh, &[Affine3A::IDENTITY]));
    assert!(image.pixels.iter().all(|pixel| pixel[0] >= pixel[2]));
}

#[test]
fn coarser_versions_in_the_light_do_not_show() {
    let poses: Vec<Affine3A> = (0..125)
        .map(|i| {
            let place = Vec3::new((i % 5) as f32, (i / 5 % 5) as f32, (i / 25) as f32) - Vec3::new(2.0, 0.8, 2.0);
            Affine3A::from_translation(place) * Affine3A::from_scale(Vec3::splat(0.4))
        })
        .collect();
    let camera = Vec3::new(3.0, 6.0, 8.0);
    let (mesh, many) = (ball(false), ball(false).with_levels());
    let quality = Quality {
        sky_resolution: 64,
        ..Quality::video()
    };
    let [fine, coarse] =
        [&mesh, &many].map(|mesh| Preview::new().draw(&drawing(camera, mesh, &poses), 160, 120, &quality));
    assert!(fine != coarse, "no coarser version was used");
    assert!(different(&fine, &coarse) < 200, "{}", different(&fine, &coarse));
}

#[test]
fn any_number_of_threads_draws_the_same_meshes() {
    let mesh = ball(false).with_levels();
    let poses: Vec<Affine3A> = (0..60)
        .map(|i| Affine3A::from_translation(Vec3::new((i % 8) as f32, (i / 8) as f32 * 0.7, (i % 5) as f32) - 3.0))
        .collect();
    let drawing = drawing(Vec3::new(1.0, 2.0, 6.0), &mesh, &poses);
    let with_threads = |count: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
        pool.expect("threads").install(|| draw(&drawing))
    };
    assert!(with_threads(1) == with_threads(4));
}
