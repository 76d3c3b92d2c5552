//! Draws a sand castle of spheres beside a few meshes: `cargo run --release --example still -- [still|video] [FILE]`.

use glam::{Affine3A, Vec2, Vec3, Vec4};
use motes_render::{
    Camera, Drawing, Ground, Lighting, Mesh, MeshInstance, Preview, Quality, Spheres, color, write_png,
};
use std::f32::consts::TAU;
use std::time::Instant;

/// Radius of a grain, metres.
const RADIUS: f32 = 0.0095;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let quality = match arguments.next().as_deref() {
        Some("video") => Quality::video(),
        _ => Quality::still(),
    };
    let path = arguments.next().unwrap_or_else(|| "/tmp/still.png".into());

    let grains = pack(is_castle);
    let sand: Vec<[u8; 3]> = (0..grains.len() as u32)
        .map(|id| color::jitter([230, 194, 140], id, 1.0))
        .collect();
    let marbles: Vec<Vec4> = (0..9).map(marble).collect();
    let marble_colors: Vec<[u8; 3]> = (0..9).map(color::by_id).collect();
    let (block, torus, bowl) = (block(), torus(0.16, 0.06), bowl(0.3));
    let place = |x: f32, y: f32, z: f32| Affine3A::from_translation(Vec3::new(x, y, z));
    let instance = |mesh, pose, color, opacity| MeshInstance {
        mesh,
        pose,
        color,
        opacity,
        casts_shadow: true,
    };

    let drawing = Drawing {
        camera: Camera {
            position: Vec3::new(0.55, 1.2, 3.1),
            target: Vec3::new(0.06, 0.28, 0.0),
            up: Vec3::Y,
            field_of_view: 33.0,
        },
        spheres: vec![
            Spheres {
                positions: &grains,
                radius: RADIUS,
                colors: &sand,
                scatters: false,
            },
            Spheres {
                positions: &marbles,
                radius: 0.06,
                colors: &marble_colors,
                scatters: false,
            },
        ],
        meshes: vec![
            instance(
                &block,
                place(-1.1, 0.14, 0.3) * Affine3A::from_rotation_y(0.5),
                [196, 88, 72],
                1.0,
            ),
            instance(&torus, place(0.3, 0.06, 0.98), [70, 128, 150], 1.0),
            instance(&bowl, place(1.15, 0.3, 0.35), [190, 220, 228], 0.16),
        ],
        puffs: &[],
        ground: Some(Ground {
            point: Vec3::ZERO,
            normal: Vec3::Y,
            color: [214, 208, 200],
        }),
        lighting: Lighting::default(),
    };

    let start = Instant::now();
    let image = Preview::new().draw(&drawing, 1280, 720, &quality);
    println!(
        "{} grains in {:.0} ms",
        grains.len(),
        start.elapsed().as_secs_f64() * 1e3
    );
    write_png(path.as_ref(), &image)?;
    Ok(())
}

/// Fills a shape with grains on a slightly disturbed face-centred lattice.
fn pack(is_inside: impl Fn(Vec3) -> bool) -> Vec<Vec4> {
    let step = RADIUS * std::f32::consts::SQRT_2;
    let count = (1.0 / step) as i32;
    let mut grains = Vec::new();
    for layer in 0..2 * count {
        for row in -count..count {
            for column in (-count..count).filter(|column| (column + row + layer) % 2 == 0) {
                let place = Vec3::new(column as f32, layer as f32, row as f32) * step;
                let wobble = color::jitter([128; 3], (layer * 7919 + row * 104_729 + column) as u32, 1.0);
                let wobble = Vec3::from_array(wobble.map(|byte| f32::from(byte) / 128.0 - 1.0));
                let place = place + wobble * RADIUS * 1.5 + Vec3::Y * RADIUS;
                if is_inside(place) {
                    grains.push(place.extend(0.0));
                }
            }
        }
    }
    grains
}

/// Four towers with roofs, walls with battlements between them, a keep and a heap of loose sand before it.
fn is_castle(p: Vec3) -> bool {
    let side = p.x.abs().max(p.z.abs());
    let battlement = if (p.x * 9.0).floor() as i32 % 2 == 0 && (p.z * 9.0).floor() as i32 % 2 == 0 {
        0.05
    } else {
        0.0
    };
    let wall = side < 0.52 && side > 0.42 && p.y < 0.3 + battlement;
    let from_tower = Vec2::new(p.x.abs() - 0.48, p.z.abs() - 0.48).length();
    let tower = from_tower < 0.15 && p.y < 0.45;
    let roof = from_tower < 0.19 * (1.0 - (p.y - 0.45) / 0.3) && p.y >= 0.45;
    let from_keep = Vec2::new(p.x, p.z).length();
    let keep = from_keep < 0.22 && p.y < 0.62;
    let spire = from_keep < 0.27 * (1.0 - (p.y - 0.62) / 0.42) && p.y >= 0.62;
    let gate = p.z > 0.0 && p.x.abs() < 0.08 && Vec2::new(p.x, p.y - 0.1).length() < 0.12;
    let heap = Vec2::new(p.x + 0.12, p.z - 0.72).length() < 0.3 * (1.0 - p.y / 0.16);
    ((wall || tower || roof || keep || spire) && !(gate && wall)) || heap
}

fn marble(id: u32) -> Vec4 {
    let turn = Vec2::from_angle(id as f32 * TAU / 8.0) * if id < 8 { 0.155 } else { 0.0 };
    let height = if id < 8 { 0.138 } else { 0.075 };
    Vec4::new(1.15 + turn.x, height, 0.35 + turn.y, 0.0)
}

/// A cube of 0.28 m.
fn block() -> Mesh {
    let positions = (0..8).map(|i| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32) * 0.28 - 0.14);
    let faces = [
        [0, 1, 3, 2],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 3, 7, 6],
        [0, 2, 6, 4],
        [1, 3, 7, 5],
    ];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    Mesh::new(positions.collect(), triangles.collect(), false)
}

fn torus(ring: f32, tube: f32) -> Mesh {
    let circle = (0..32).map(|i| Vec2::from_angle(i as f32 * TAU / 32.0) * tube + Vec2::X * ring);
    revolve(&circle.collect::<Vec<_>>())
}

/// A half sphere with a thick wall, open at the top.
fn bowl(radius: f32) -> Mesh {
    let arc = |i: i32, radius: f32| Vec2::from_angle((i - 32) as f32 / 32.0 * TAU / 4.0) * radius;
    let outside = (0..=32).map(|i| arc(i, radius));
    let inside = (0..=32).rev().map(|i| arc(i, radius - 0.014));
    revolve(&outside.chain(inside).collect::<Vec<_>>())
}

/// Turns a closed profile, given as distance from the axis and height, around the y axis.
fn revolve(profile: &[Vec2]) -> Mesh {
    const TURNS: usize = 96;
    let mut positions = Vec::new();
    let mut triangles = Vec::new();
    for turn in 0..TURNS {
        let around = Vec2::from_angle(turn as f32 * TAU / TURNS as f32);
        for (step, place) in profile.iter().enumerate() {
            positions.push(Vec3::new(place.x * around.x, place.y, place.x * around.y));
            let at = |turn: usize, step: usize| (turn % TURNS * profile.len() + step % profile.len()) as u32;
            let [a, b] = [at(turn, step), at(turn, step + 1)];
            let [c, d] = [at(turn + 1, step + 1), at(turn + 1, step)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    Mesh::new(positions, triangles, true)
}
