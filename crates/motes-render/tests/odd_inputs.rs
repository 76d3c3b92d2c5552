//! Inputs no one means to give: the preview draws what it can and never panics.

use glam::{Affine3A, Vec3, Vec4};
use motes_render::{Camera, Drawing, Ground, Image, Lighting, Mesh, MeshInstance, Preview, Quality, Spheres};

fn quick() -> Quality {
    Quality {
        sky_maps: 4,
        sky_resolution: 64,
        key_maps: 4,
        key_resolution: 64,
        ..Quality::video()
    }
}

fn drawing<'a>(positions: &'a [Vec4], radius: f32) -> Drawing<'a> {
    Drawing {
        camera: Camera {
            position: Vec3::new(0.0, 1.0, 4.0),
            target: Vec3::ZERO,
            up: Vec3::Y,
            field_of_view: 45.0,
        },
        spheres: vec![Spheres {
            positions,
            radius,
            colors: &[],
            scatters: false,
        }],
        meshes: Vec::new(),
        puffs: &[],
        ground: Some(Ground {
            point: Vec3::ZERO,
            normal: Vec3::Y,
            color: [180; 3],
        }),
        lighting: Lighting::default(),
    }
}

fn draw(drawing: &Drawing) -> Image {
    Preview::new().draw(drawing, 48, 32, &quick())
}

#[test]
fn every_image_size_works() {
    let positions = [Vec4::ZERO];
    for (width, height) in [(0, 0), (0, 5), (1, 1), (1, 9), (33, 1), (65, 31)] {
        let image = Preview::new().draw(&drawing(&positions, 0.5), width, height, &quick());
        assert_eq!((image.width, image.height), (width, height));
        assert_eq!(image.pixels.len(), (width * height) as usize);
    }
}

#[test]
fn particles_that_are_not_finite_are_skipped() {
    let good = [Vec4::new(0.3, 0.2, 0.0, 0.0)];
    let mut bad = vec![Vec4::NAN, Vec4::INFINITY, Vec4::new(0.0, f32::NEG_INFINITY, 0.0, 0.0)];
    bad.extend(good);
    assert!(draw(&drawing(&good, 0.2)) == draw(&drawing(&bad, 0.2)));
}

#[test]
fn particles_behind_the_camera_are_not_seen() {
    let behind = [Vec4::new(0.0, 2.0, 9.0, 0.0)];
    let mut drawing = drawing(&behind, 0.3);
    drawing.ground = None;
    let seen = draw(&drawing);
    drawing.spheres.clear();
    assert!(seen == draw(&drawing));
}

#[test]
fn a_sphere_around_the_camera_does_not_cover_the_view() {
    let around = [Vec4::new(0.1, 1.0, 4.0, 0.0)];
    let mut drawing = drawing(&around, 1.0);
    drawing.ground = None;
    let seen = draw(&drawing);
    drawing.spheres.clear();
    assert!(seen == draw(&drawing));
}

#[test]
fn far_particles_leave_the_rest_of_the_picture_alone() {
    let mut positions: Vec<Vec4> = (0..500)
        .map(|i| {
            Vec4::new(
                (i % 10) as f32 * 0.1,
                (i / 100) as f32 * 0.1,
                (i / 10 % 10) as f32 * 0.1,
                0.0,
            )
        })
        .collect();
    let before = draw(&drawing(&positions, 0.05));
    positions.push(Vec4::new(1e30, 1e30, 1e30, 0.0));
    positions.push(Vec4::new(0.0, 0.0, f32::MAX, 0.0));
    let after = draw(&drawing(&positions, 0.05));
    let changed = before.pixels.iter().zip(&after.pixels).filter(|(a, b)| {
        let difference = |i: usize| a[i].abs_diff(b[i]) > 24;
        (0..3).any(difference)
    });
    assert!(changed.count() < 100);
}

#[test]
fn senseless_cameras_radii_and_lights_do_not_panic() {
    let positions = [Vec4::ZERO, Vec4::ONE];
    for radius in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e-30, 1e30] {
        draw(&drawing(&positions, radius));
    }
    for value in [Vec3::ZERO, Vec3::NAN, Vec3::INFINITY, Vec3::Y, Vec3::splat(1e30)] {
        let mut drawing = drawing(&positions, 0.3);
        drawing.camera.position = value;
        draw(&drawing);
        drawing.camera.target = value;
        draw(&drawing);
        drawing.camera.up = value;
        drawing.camera.field_of_view = value.x;
        drawing.lighting.up = value;
        drawing.lighting.key_direction = value;
        drawing.lighting.key_angle = value.x;
        drawing.ground = Some(Ground {
            point: value,
            normal: value,
            color: [0; 3],
        });
        draw(&drawing);
    }
}

#[test]
fn senseless_meshes_do_not_panic() {
    let flat = Mesh::new(vec![Vec3::ZERO; 3], vec![[0, 1, 2], [0, 0, 9]], true);
    let huge = Mesh::new(
        vec![Vec3::splat(-1e30), Vec3::X * 1e30, Vec3::Y * 1e30],
        vec![[0, 1, 2]],
        false,
    );
    let empty = Mesh::default();
    for mesh in [&flat, &huge, &empty] {
        for pose in [Affine3A::IDENTITY, Affine3A::from_scale(Vec3::ZERO), Affine3A::NAN] {
            for opacity in [1.0, 0.3, 0.0, -1.0, f32::NAN] {
                let mut drawing = drawing(&[], 0.1);
                drawing.meshes.push(MeshInstance {
                    mesh,
                    pose,
                    color: [90; 3],
                    opacity,
                    casts_shadow: true,
                });
                draw(&drawing);
            }
        }
    }
}

#[test]
fn a_million_particles_are_drawn() {
    let positions: Vec<Vec4> = (0..1_000_000)
        .map(|i| {
            Vec4::new(
                (i % 100) as f32 * 0.02 - 1.0,
                (i / 10_000) as f32 * 0.01,
                (i / 100 % 100) as f32 * -0.02,
                0.0,
            )
        })
        .collect();
    let image = draw(&drawing(&positions, 0.01));
    assert_ne!(image.pixel(24, 16), draw(&drawing(&[], 0.01)).pixel(24, 16));
}
