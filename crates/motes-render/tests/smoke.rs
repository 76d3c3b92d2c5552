//! What the preview promises about smoke.

use glam::{Affine3A, Vec3};
use motes_render::{Camera, Drawing, Ground, Image, Lighting, Mesh, MeshInstance, Preview, Puff, Quality};

const WHITE: [u8; 3] = [235; 3];

fn puff(position: Vec3, radius: f32, opacity: f32, color: [u8; 3]) -> Puff {
    Puff {
        position,
        radius,
        opacity,
        temperature: 20.0,
        color,
    }
}

/// Seen from 5 m along z, with the key light from the left.
fn drawing(puffs: &[Puff]) -> Drawing<'_> {
    Drawing {
        camera: Camera {
            position: Vec3::new(0.0, 0.0, 5.0),
            target: Vec3::ZERO,
            up: Vec3::Y,
            field_of_view: 40.0,
        },
        spheres: Vec::new(),
        meshes: Vec::new(),
        puffs,
        ground: None,
        lighting: Lighting {
            key_direction: Vec3::NEG_X,
            ..Lighting::default()
        },
    }
}

fn draw(drawing: &Drawing) -> Image {
    let quality = Quality {
        sky_maps: 8,
        ..Quality::video()
    };
    Preview::new().draw(drawing, 128, 128, &quality)
}

fn brightness(image: &Image, x: u32, y: u32) -> i32 {
    let pixel = image.pixel(x, y).expect("inside the image");
    pixel[..3].iter().map(|&channel| i32::from(channel)).sum()
}

/// Sum of differences between two pictures.
fn difference(a: &Image, b: &Image) -> i64 {
    let channels = |image: &Image| -> Vec<i64> { image.pixels.iter().flatten().map(|&byte| i64::from(byte)).collect() };
    let pairs = channels(a).into_iter().zip(channels(b));
    pairs.map(|(a, b)| (a - b).abs()).sum()
}

fn square(half: f32) -> Mesh {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| Vec3::new(x * half, y * half, 0.0));
    Mesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]], false)
}

fn placed(mesh: &Mesh, pose: Affine3A) -> MeshInstance<'_> {
    MeshInstance {
        mesh,
        pose,
        color: [60, 90, 200],
        opacity: 1.0,
        casts_shadow: true,
    }
}

/// A ball of many faint puffs.
fn cloud(middle: Vec3, radius: f32, opacity: f32, count: usize) -> Vec<Puff> {
    let mut puffs = Vec::new();
    let mut number = 0_u32;
    while puffs.len() < count {
        number += 1;
        let [x, y, z] = [0.819_172_5, 0.671_043_6, 0.549_700_5].map(|step: f64| {
            let turn = f64::from(number) * step;
            (turn.fract() * 2.0 - 1.0) as f32
        });
        let place = Vec3::new(x, y, z);
        if place.length() < 1.0 {
            puffs.push(puff(middle + place * radius, 0.15 * radius, opacity, WHITE));
        }
    }
    puffs
}

#[test]
fn an_opaque_puff_covers_what_is_behind_its_middle_and_a_thin_one_lets_it_through() {
    let mesh = square(3.0);
    let middle = |opacity: f32| {
        let puffs = [puff(Vec3::Z, 0.6, opacity, [250, 20, 20])];
        let mut drawing = drawing(&puffs);
        drawing
            .meshes
            .push(placed(&mesh, Affine3A::from_translation(Vec3::NEG_Z)));
        draw(&drawing).pixel(64, 64).expect("a pixel")
    };
    let (bare, thin, whole) = (middle(0.0), middle(0.1), middle(1.0));
    assert!(bare[2] > 2 * bare[0], "{bare:?}");
    assert!(whole[0] > 3 * whole[2], "{whole:?}");
    assert!(
        (bare[2] - thin[2]) < (thin[2] - whole[2]) && thin[0] > bare[0],
        "{bare:?} {thin:?} {whole:?}"
    );
}

#[test]
fn the_nearer_puff_is_before_the_farther_in_either_order() {
    let near = puff(Vec3::new(0.0, 0.0, 1.0), 0.5, 1.0, [250, 20, 20]);
    let far = puff(Vec3::new(0.0, 0.0, -1.0), 0.7, 1.0, [20, 20, 250]);
    for puffs in [[near, far], [far, near]] {
        let pixel = draw(&drawing(&puffs)).pixel(64, 64).expect("a pixel");
        assert!(pixel[0] > pixel[2] + 60, "{pixel:?}");
    }
    let turned = [
        Puff {
            position: far.position,
            ..near
        },
        Puff {
            position: near.position,
            ..far
        },
    ];
    let pixel = draw(&drawing(&turned)).pixel(64, 64).expect("a pixel");
    assert!(pixel[2] > pixel[0] + 60, "{pixel:?}");
}

#[test]
fn the_side_in_shadow_is_darker_than_the_lit_one() {
    let sides = |opacity: f32, key: Vec3| {
        let puffs = cloud(Vec3::ZERO, 1.0, opacity, 3000);
        let mut drawing = drawing(&puffs);
        drawing.lighting.key_direction = key;
        let image = draw(&drawing);
        let mean = |columns: std::ops::Range<u32>| {
            let pixels = columns.clone().flat_map(|x| (56..72).map(move |y| (x, y)));
            pixels.map(|(x, y)| brightness(&image, x, y)).sum::<i32>() / (16 * columns.len() as i32)
        };
        (mean(38..48), mean(80..90))
    };
    let (left, right) = sides(0.2, Vec3::NEG_X);
    assert!(left > right + 150, "{left} {right}");
    let (left, right) = sides(0.2, Vec3::X);
    assert!(right > left + 150, "{left} {right}");
    // Smoke that hardly stops any light has no such side.
    let (left, right) = sides(0.001, Vec3::NEG_X);
    assert!((left - right).abs() < 20, "{left} {right}");
}

#[test]
fn smoke_darkens_the_ground_on_the_far_side_of_the_light_only() {
    let ground = |puffs: &[Puff]| {
        let mut drawing = drawing(puffs);
        drawing.camera.position = Vec3::new(0.0, 1.0, 6.0);
        drawing.lighting.key_direction = Vec3::new(-1.0, 1.0, 0.0);
        drawing.ground = Some(Ground {
            point: Vec3::NEG_Y,
            normal: Vec3::Y,
            color: [200; 3],
        });
        draw(&drawing)
    };
    let puffs = cloud(Vec3::new(0.0, 0.6, 0.0), 0.4, 0.3, 1000);
    let (open, smoky) = (ground(&[]), ground(&puffs));
    let at = |image: &Image, x: u32| (80..100).map(|y| brightness(image, x, y)).min().expect("a row");
    let (lit, shaded) = (at(&open, 100), at(&smoky, 100));
    assert!(shaded < lit - 90, "{shaded} {lit}");
    assert!((at(&open, 28) - at(&smoky, 28)).abs() < 20);
    // A thin cloud gives a faint shadow.
    let thin: Vec<Puff> = puffs.iter().map(|puff| Puff { opacity: 0.02, ..*puff }).collect();
    let faint = at(&ground(&thin), 100);
    assert!(faint > shaded + 30 && faint < lit - 10, "{faint}");
}

#[test]
fn solid_things_cast_shadows_on_smoke() {
    let mesh = square(1.5);
    let puffs = cloud(Vec3::ZERO, 0.6, 0.3, 1000);
    let lit = |shade: bool| {
        let mut drawing = drawing(&puffs);
        if shade {
            let turned = Affine3A::from_rotation_y(1.57);
            let aside = Affine3A::from_translation(Vec3::new(-2.6, 0.0, 0.0));
            drawing.meshes.push(placed(&mesh, aside * turned));
        }
        brightness(&draw(&drawing), 54, 64)
    };
    assert!(lit(true) < lit(false) - 120, "{} {}", lit(true), lit(false));
}

#[test]
fn a_puff_in_a_surface_fades_into_it() {
    let mesh = square(3.0);
    let shown = |depth: f32| {
        let puffs = [puff(Vec3::new(0.0, 0.0, depth), 0.5, 1.0, [250, 20, 20])];
        let mut drawing = drawing(&puffs);
        drawing.meshes.push(placed(&mesh, Affine3A::IDENTITY));
        let pixel = draw(&drawing).pixel(64, 64).expect("a pixel");
        i32::from(pixel[0]) - i32::from(pixel[2])
    };
    let steps: Vec<i32> = [0.6, 0.3, 0.15, 0.0, -0.15, -0.3, -0.6].map(shown).to_vec();
    assert!(steps.windows(2).all(|pair| pair[1] < pair[0] + 2), "{steps:?}");
    assert!(steps[0] > 60 && steps[6] < -60, "{steps:?}");
    // Without a step: no part of the way takes half of the change.
    let most = steps.windows(2).map(|pair| pair[0] - pair[1]).max().expect("steps");
    assert!(2 * most < steps[0] - steps[6], "{steps:?}");
    // Beyond the surface there is nothing of it but what light it takes.
    assert!((shown(-1.0) - shown(-2.0)).abs() < 4);
}

#[test]
fn hot_smoke_glows_in_the_dark_and_warm_smoke_does_not() {
    let seen = |temperature: f32, opacity: f32| {
        let puffs = [Puff {
            temperature,
            ..puff(Vec3::ZERO, 0.8, opacity, [40; 3])
        }];
        let mut drawing = drawing(&puffs);
        drawing.lighting.key_strength = 0.0;
        drawing.lighting.sky_strength = 0.0;
        drawing.lighting.horizon_color = [0; 3];
        drawing.lighting.zenith_color = [0; 3];
        draw(&drawing).pixel(64, 64).expect("a pixel")
    };
    let (cool, warm) = (seen(20.0, 0.8), seen(490.0, 0.8));
    assert_eq!(cool, warm);
    assert!(cool[0] < 3, "{cool:?}");
    let (red, yellow) = (seen(750.0, 0.8), seen(1300.0, 0.8));
    assert!(
        red[0] > 60 && red[0] > 2 * red[1] && yellow[0] > red[0],
        "{red:?} {yellow:?}"
    );
    assert!(yellow[1] > 2 * red[1], "{red:?} {yellow:?}");
    assert!(seen(1300.0, 0.05)[0] > 40);
}

#[test]
fn smoke_is_the_same_on_any_number_of_threads_and_in_any_picture() {
    let puffs = cloud(Vec3::ZERO, 1.0, 0.1, 5000);
    let image = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        pool.install(|| draw(&drawing(&puffs)))
    };
    let one = image(1);
    assert_eq!(one, image(3));
    let mut preview = Preview::new();
    let quality = Quality {
        sky_maps: 8,
        ..Quality::video()
    };
    let scene = drawing(&puffs);
    let pictures = [0, 1, 2].map(|_| preview.draw(&scene, 128, 128, &quality));
    assert!(pictures.iter().all(|picture| *picture == one));
    // Once it has gone nothing is left of it.
    let gone = preview.draw(&drawing(&[]), 128, 128, &quality);
    assert_eq!(gone, draw(&drawing(&[])));
    assert!(difference(&gone, &one) > 100_000);
}

#[test]
fn smoke_behind_glass_is_seen_through_it() {
    let pane = square(2.0);
    let puffs = cloud(Vec3::ZERO, 0.6, 0.4, 1500);
    let picture = |depth: f32| {
        let mut drawing = drawing(&puffs);
        drawing.meshes.push(MeshInstance {
            color: [20, 200, 40],
            opacity: 0.5,
            ..placed(&pane, Affine3A::from_translation(Vec3::Z * depth))
        });
        draw(&drawing).pixel(64, 64).expect("a pixel")
    };
    let (before, behind) = (picture(-1.5), picture(1.5));
    let green = |pixel: [u8; 4]| i32::from(pixel[1]) - i32::from(pixel[0]);
    assert!(green(behind) > green(before) + 25, "{before:?} {behind:?}");
}

#[test]
fn odd_puffs_do_no_harm() {
    let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -1.0, 1e30, 1e-30, 3.0];
    let mut puffs = cloud(Vec3::ZERO, 0.5, 0.2, 50);
    for value in odd {
        let sound = puff(Vec3::ZERO, 0.2, 0.5, WHITE);
        puffs.push(Puff { radius: value, ..sound });
        puffs.push(Puff {
            opacity: value,
            ..sound
        });
        puffs.push(Puff {
            temperature: value,
            ..sound
        });
        puffs.push(Puff {
            position: Vec3::new(value, 0.0, 0.0),
            ..sound
        });
        puffs.push(Puff {
            position: Vec3::new(0.0, 0.0, 5.0 + value),
            ..sound
        });
    }
    draw(&drawing(&puffs));
    let mut alone = drawing(&puffs[50..]);
    alone.camera.position = Vec3::ZERO;
    draw(&alone);
    for single in &puffs {
        draw(&drawing(std::slice::from_ref(single)));
    }
}
