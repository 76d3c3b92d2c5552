//! What the preview promises about its pictures.

use glam::{Affine3A, Vec3, Vec4};
use motes_render::{Camera, Drawing, Ground, Image, Lighting, Mesh, MeshInstance, Preview, Quality, Spheres};

const RED: [u8; 3] = [220, 30, 30];
const BLUE: [u8; 3] = [30, 30, 220];

fn camera(position: Vec3) -> Camera {
    Camera {
        position,
        target: Vec3::ZERO,
        up: Vec3::Y,
        field_of_view: 60.0,
    }
}

fn drawing<'a>(spheres: Vec<Spheres<'a>>) -> Drawing<'a> {
    Drawing {
        camera: camera(Vec3::new(0.0, 0.0, 5.0)),
        spheres,
        meshes: Vec::new(),
        puffs: &[],
        ground: None,
        lighting: Lighting::default(),
    }
}

fn quick() -> Quality {
    Quality {
        sky_maps: 4,
        key_maps: 4,
        ..Quality::video()
    }
}

fn draw(drawing: &Drawing, width: u32, height: u32) -> Image {
    Preview::new().draw(drawing, width, height, &quick())
}

fn is_reddish(pixel: [u8; 4]) -> bool {
    i32::from(pixel[0]) > i32::from(pixel[2]) + 25
}

fn is_bluish(pixel: [u8; 4]) -> bool {
    i32::from(pixel[2]) > i32::from(pixel[0]) + 60
}

fn brightness(image: &Image, x: u32, y: u32) -> u32 {
    let pixel = image.pixel(x, y).expect("inside the image");
    pixel[..3].iter().map(|&channel| u32::from(channel)).sum()
}

fn square(half: f32) -> Mesh {
    let corner = |x: f32, y: f32| Vec3::new(x * half, y * half, 0.0);
    let positions = vec![
        corner(-1.0, -1.0),
        corner(1.0, -1.0),
        corner(1.0, 1.0),
        corner(-1.0, 1.0),
    ];
    Mesh::new(positions, vec![[0, 1, 2], [0, 2, 3]], false)
}

#[test]
fn a_sphere_covers_its_exact_projection() {
    let positions = [Vec4::ZERO];
    let image = draw(
        &drawing(vec![Spheres {
            positions: &positions,
            radius: 1.0,
            colors: &[RED],
            scatters: false,
        }]),
        400,
        300,
    );
    let slope = 1.0 / (5.0_f32 * 5.0 - 1.0).sqrt();
    let radius = slope / 30.0_f32.to_radians().tan() * 150.0;
    let mut area = 0;
    for y in 0..300 {
        for x in 0..400 {
            let distance = (x as f32 + 0.5 - 200.0).hypot(y as f32 + 0.5 - 150.0);
            let covered = is_reddish(image.pixels[(y * 400 + x) as usize]);
            area += u32::from(covered);
            assert!(covered || distance > radius - 1.0, "hole at {x} {y}");
            assert!(!covered || distance < radius + 1.0, "overshoot at {x} {y}");
        }
    }
    let expected = std::f32::consts::PI * radius * radius;
    assert!((area as f32 / expected - 1.0).abs() < 0.03, "{area} {expected}");
}

#[test]
fn the_nearer_sphere_hides_the_farther_in_either_order() {
    let (near, far) = (Vec4::new(0.0, 0.0, 1.0, 0.0), Vec4::new(0.0, 0.0, -1.0, 0.0));
    for (positions, colors) in [([near, far], [RED, BLUE]), ([far, near], [BLUE, RED])] {
        let spheres = Spheres {
            positions: &positions,
            radius: 0.5,
            colors: &colors,
            scatters: false,
        };
        let image = draw(&drawing(vec![spheres]), 101, 101);
        assert!(image.pixel(50, 50).is_some_and(is_reddish));
        assert!(!image.pixels.iter().any(|&pixel| is_bluish(pixel)));
    }
}

#[test]
fn meshes_and_spheres_hide_each_other_by_depth() {
    let mesh = square(0.8);
    let positions = [Vec4::new(0.0, 0.0, -1.0, 0.0)];
    for (depth, seen) in [(0.5, true), (-3.0, false)] {
        let mut drawing = drawing(vec![Spheres {
            positions: &positions,
            radius: 0.5,
            colors: &[BLUE],
            scatters: false,
        }]);
        drawing.meshes.push(MeshInstance {
            mesh: &mesh,
            pose: Affine3A::from_translation(Vec3::new(0.0, 0.0, depth)),
            color: RED,
            opacity: 1.0,
            casts_shadow: true,
        });
        let middle = draw(&drawing, 64, 64).pixel(32, 32);
        assert_eq!(middle.is_some_and(is_reddish), seen, "{middle:?}");
        assert_eq!(middle.is_some_and(is_bluish), !seen, "{middle:?}");
    }
}

#[test]
fn triangles_are_drawn_in_colors_of_their_own() {
    let positions = [(-1.0, 0.0), (0.0, -1.0), (0.0, 1.0), (1.0, 0.0)].map(|(x, y)| Vec3::new(x, y, 0.0));
    let plain = Mesh::new(positions.to_vec(), vec![[0, 1, 2], [1, 3, 2]], true);
    let sides = |mesh: &Mesh| {
        let mut drawing = drawing(Vec::new());
        drawing.meshes.push(MeshInstance {
            mesh,
            pose: Affine3A::IDENTITY,
            color: RED,
            opacity: 1.0,
            casts_shadow: true,
        });
        let image = draw(&drawing, 64, 64);
        [28, 36].map(|x| image.pixel(x, 32).is_some_and(is_bluish))
    };
    assert_eq!(sides(&plain), [false, false]);
    assert_eq!(sides(&plain.clone().with_colors(vec![BLUE, RED])), [true, false]);
    assert_eq!(sides(&plain.clone().with_colors(vec![RED, BLUE])), [false, true]);
    assert_eq!(sides(&plain.with_colors(vec![BLUE])), [false, false]);
}

#[test]
fn a_smooth_silhouette_is_not_darker_than_what_it_bounds() {
    // A roof, its far side out of sight: blended normals at the ridge lean away from the camera.
    let roof = |smooth: bool| {
        let positions = [(-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (-1.0, 0.0, -2.0), (1.0, 0.0, -2.0)];
        let positions = positions.into_iter().chain([(-1.0, -1.1, -4.0), (1.0, -1.1, -4.0)]);
        let triangles = vec![[0, 1, 2], [1, 3, 2], [2, 3, 4], [3, 5, 4]];
        Mesh::new(positions.map(Vec3::from).collect(), triangles, smooth)
    };
    let darkest = [false, true].map(|smooth| {
        let mesh = roof(smooth);
        let mut drawing = drawing(Vec::new());
        drawing.camera = camera(Vec3::new(0.0, -0.3, 5.0));
        drawing.meshes.push(MeshInstance {
            mesh: &mesh,
            pose: Affine3A::IDENTITY,
            color: RED,
            opacity: 1.0,
            casts_shadow: true,
        });
        let image = draw(&drawing, 128, 128);
        let pixels = image.pixels.iter().filter(|pixel| is_reddish(**pixel));
        pixels.map(|pixel| u32::from(pixel[0])).min().expect("the roof is seen")
    });
    assert!(darkest[1] + 20 > darkest[0], "{darkest:?}");
}

#[test]
fn things_show_through_glass() {
    let mesh = square(2.0);
    let positions = [Vec4::ZERO];
    let mut drawing = drawing(vec![Spheres {
        positions: &positions,
        radius: 0.8,
        colors: &[RED],
        scatters: false,
    }]);
    let without = draw(&drawing, 64, 64);
    drawing.meshes.push(MeshInstance {
        mesh: &mesh,
        pose: Affine3A::from_translation(Vec3::Z * 2.0),
        color: [200, 220, 230],
        opacity: 0.2,
        casts_shadow: true,
    });
    let with = draw(&drawing, 64, 64);
    assert!(with.pixel(32, 32).is_some_and(is_reddish));
    assert_ne!(with.pixel(32, 32), without.pixel(32, 32));
}

#[test]
fn the_shadow_falls_on_the_side_away_from_the_light() {
    let positions = [Vec4::new(0.0, 0.5, 0.0, 0.0)];
    let ground = Ground {
        point: Vec3::ZERO,
        normal: Vec3::Y,
        color: [200, 200, 200],
    };
    for side in [-1.0, 1.0] {
        let mut drawing = drawing(vec![Spheres {
            positions: &positions,
            radius: 0.5,
            colors: &[RED],
            scatters: false,
        }]);
        drawing.camera = Camera {
            up: Vec3::NEG_Z,
            ..camera(Vec3::new(0.0, 6.0, 0.0))
        };
        drawing.ground = Some(ground);
        drawing.lighting.key_direction = Vec3::new(side, 1.0, 0.0);
        let image = draw(&drawing, 200, 200);
        let (left, right) = (brightness(&image, 78, 100), brightness(&image, 122, 100));
        let (dark, bright) = if side > 0.0 { (left, right) } else { (right, left) };
        assert!(dark + 150 < bright, "{dark} {bright}");
    }
}

#[test]
fn spheres_that_scatter_light_are_bright_all_over_and_cast_no_shadow() {
    let positions = [Vec4::new(0.0, 0.5, 0.0, 0.0)];
    let [solid, foam] = [false, true].map(|scatters| {
        let mut drawing = drawing(vec![Spheres {
            positions: &positions,
            radius: 0.5,
            colors: &[[240; 3]],
            scatters,
        }]);
        drawing.camera = Camera {
            up: Vec3::NEG_Z,
            ..camera(Vec3::new(0.0, 6.0, 0.0))
        };
        drawing.ground = Some(Ground {
            point: Vec3::ZERO,
            normal: Vec3::Y,
            color: [200, 200, 200],
        });
        drawing.lighting.key_direction = Vec3::new(1.0, 1.0, 0.0);
        let image = draw(&drawing, 200, 200);
        // Its side away from the light, and the ground behind it.
        [brightness(&image, 88, 100), brightness(&image, 78, 100)]
    });
    assert!(foam[0] > solid[0] + 50, "{foam:?} {solid:?}");
    assert!(foam[1] > solid[1] + 100, "{foam:?} {solid:?}");
}

#[test]
fn the_ground_is_darker_where_a_sphere_touches_it() {
    let positions = [Vec4::new(0.0, 0.5, 0.0, 0.0)];
    let mut drawing = drawing(vec![Spheres {
        positions: &positions,
        radius: 0.5,
        colors: &[RED],
        scatters: false,
    }]);
    drawing.camera = Camera {
        up: Vec3::NEG_Z,
        ..camera(Vec3::new(0.0, 6.0, 0.0))
    };
    drawing.ground = Some(Ground {
        point: Vec3::ZERO,
        normal: Vec3::Y,
        color: [200, 200, 200],
    });
    drawing.lighting.key_strength = 0.0;
    let image = Preview::new().draw(&drawing, 200, 200, &Quality::video());
    let (near, far) = (brightness(&image, 100, 118), brightness(&image, 100, 170));
    assert!(near + 20 < far, "{near} {far}");
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let positions: Vec<Vec4> = (0..5000_u32)
        .map(|i| {
            Vec4::new(
                (i % 17) as f32 * 0.1 - 0.8,
                (i / 17 % 17) as f32 * 0.1 - 0.8,
                (i / 289) as f32 * -0.1,
                0.0,
            )
        })
        .collect();
    let mesh = square(0.9);
    let mut drawing = drawing(vec![Spheres {
        positions: &positions,
        radius: 0.06,
        colors: &[RED],
        scatters: false,
    }]);
    drawing.meshes.push(MeshInstance {
        mesh: &mesh,
        pose: Affine3A::from_translation(Vec3::Z),
        color: BLUE,
        opacity: 0.4,
        casts_shadow: true,
    });
    let with_threads = |count: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(count)
            .build()
            .expect("threads");
        pool.install(|| draw(&drawing, 333, 211))
    };
    assert!(with_threads(1) == with_threads(4));
}

#[test]
fn a_reused_preview_draws_as_a_new_one() {
    let positions = [Vec4::ZERO, Vec4::new(1.0, 0.5, 0.2, 0.0)];
    let full = drawing(vec![Spheres {
        positions: &positions,
        radius: 0.4,
        colors: &[RED, BLUE],
        scatters: false,
    }]);
    let empty = drawing(Vec::new());
    let mut preview = Preview::new();
    preview.draw(&full, 97, 55, &quick());
    assert!(preview.draw(&empty, 40, 40, &quick()) == draw(&empty, 40, 40));
    assert!(preview.draw(&full, 64, 64, &quick()) == draw(&full, 64, 64));
}

#[test]
fn a_moving_particle_leaves_the_rest_of_the_picture_still() {
    let mut positions: Vec<Vec4> = (0..1000_u32)
        .map(|i| {
            Vec4::new(
                (i % 10) as f32 * 0.1 - 1.0,
                (i / 100) as f32 * 0.1,
                (i / 10 % 10) as f32 * 0.1,
                0.0,
            )
        })
        .collect();
    positions.push(Vec4::new(1.31, 0.4, 0.0, 0.0));
    let frame = |positions: &[Vec4]| {
        let mut drawing = drawing(vec![Spheres {
            positions,
            radius: 0.05,
            colors: &[],
            scatters: false,
        }]);
        drawing.ground = Some(Ground {
            point: Vec3::ZERO,
            normal: Vec3::Y,
            color: [200, 200, 200],
        });
        drawing.camera.position = Vec3::new(0.0, 2.0, 4.0);
        Preview::new().draw(&drawing, 320, 180, &Quality::video())
    };
    let before = frame(&positions);
    positions[1000].x += 0.05;
    let after = frame(&positions);
    for y in 0..180 {
        for x in 0..150 {
            let (a, b) = (before.pixel(x, y), after.pixel(x, y));
            let (a, b) = (a.expect("inside"), b.expect("inside"));
            assert!((0..3).all(|i| a[i].abs_diff(b[i]) <= 3), "{x} {y}: {a:?} {b:?}");
        }
    }
    assert_ne!(before, after);
}

#[test]
fn what_is_nearly_solid_keeps_its_color() {
    let square = square(1.0);
    let seen = |opacity: f32| {
        let mut drawing = drawing(Vec::new());
        drawing.meshes.push(MeshInstance {
            mesh: &square,
            pose: Affine3A::IDENTITY,
            color: RED,
            opacity,
            casts_shadow: true,
        });
        draw(&drawing, 32, 32).pixel(16, 16).expect("inside the image")
    };
    let difference = |a: [u8; 4], b: [u8; 4]| (0..3).map(|i| a[i].abs_diff(b[i])).max();
    let solid = seen(1.0);
    assert!(difference(seen(0.95), solid) < Some(45), "{:?} {solid:?}", seen(0.95));
    let [red, green, blue, _] = seen(0.9).map(i32::from);
    assert!(red > green + 90 && red > blue + 90, "{red} {green} {blue}");
}
