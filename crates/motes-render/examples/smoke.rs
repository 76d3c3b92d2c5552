//! Draws a made-up plume of smoke: `cargo run --release --example smoke -- [FILE] [MARKERS] [left|right|behind|front|fire|glass]`.

use glam::{Affine3A, Quat, Vec2, Vec3};
use motes_render::{Camera, Drawing, Ground, Lighting, Mesh, MeshInstance, Preview, Puff, Quality, write_png};
use rayon::prelude::*;
use std::f32::consts::TAU;
use std::time::Instant;

/// Seconds that a marker of smoke is seen.
const LIFETIME: f32 = 3.2;
const STEP: f32 = 0.02;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_else(|| "/tmp/smoke.png".into());
    let count: u32 = arguments.next().map_or(Ok(65_000), |text| text.parse())?;
    let light = arguments.next().unwrap_or_else(|| "left".into());
    let is_fire = light == "fire";
    let waves = waves();
    let puffs: Vec<Puff> = (0..count)
        .into_par_iter()
        .map(|id| puff(&waves, id, count, is_fire))
        .collect();

    let mut lighting = Lighting::default();
    lighting.key_direction = match light.as_str() {
        "right" => Vec3::new(0.75, 0.6, 0.1),
        "behind" => Vec3::new(0.35, 0.5, -0.8),
        "front" => Vec3::new(0.2, 0.5, 0.9),
        _ => lighting.key_direction,
    };
    if is_fire {
        lighting.key_strength = 0.25;
        lighting.sky_strength = 0.12;
        lighting.horizon_color = [40, 44, 54];
        lighting.zenith_color = [14, 16, 24];
    }
    let (ball, block) = (globe(0.16), cuboid(Vec3::new(0.5, 0.1, 0.5)));
    let cover = cuboid(Vec3::new(0.62, 1.2, 0.02));
    let instance = |mesh, place: Vec3, color, opacity| MeshInstance {
        mesh,
        pose: Affine3A::from_translation(place),
        color,
        opacity,
        casts_shadow: true,
    };
    let mut meshes = vec![
        instance(&ball, Vec3::new(0.03, 0.95, 0.05), [186, 76, 58], 1.0),
        instance(&block, Vec3::new(0.0, 0.05, 0.0), [96, 100, 108], 1.0),
    ];
    if light == "glass" {
        meshes.push(instance(&cover, Vec3::new(-0.25, 0.7, 0.55), [190, 220, 228], 0.2));
    }
    let drawing = Drawing {
        camera: Camera {
            position: Vec3::new(0.35, 1.25, 4.3),
            target: Vec3::new(0.05, 1.02, 0.0),
            up: Vec3::Y,
            field_of_view: 34.0,
        },
        spheres: Vec::new(),
        meshes,
        puffs: &puffs,
        ground: Some(Ground {
            point: Vec3::ZERO,
            normal: Vec3::Y,
            color: [214, 208, 200],
        }),
        lighting,
    };
    let mut preview = Preview::new();
    for quality in [Quality::video(), Quality::video()] {
        let start = Instant::now();
        let image = preview.draw(&drawing, 960, 540, &quality);
        println!("{count} markers in {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
        write_png(path.as_ref(), &image)?;
    }
    Ok(())
}

/// A marker, carried through a made-up wind from where it was born to where it is.
fn puff(waves: &[Wave], id: u32, count: u32, is_fire: bool) -> Puff {
    let random = |salt: u32| hash(id.wrapping_mul(7) + salt) as f32 / u32::MAX as f32;
    let age = LIFETIME * (id as f32 + random(0)) / count as f32;
    let start = Vec2::from_angle(random(1) * TAU) * 0.16 * random(2).sqrt();
    let mut place = Vec3::new(start.x, 0.12, start.y);
    let mut time = -age;
    while time < 0.0 {
        let step = STEP.min(-time);
        place += wind(waves, place, time) * step;
        time += step;
    }
    let lived = age / LIFETIME;
    let fade = (1.0 - lived) * (lived * 40.0).min(1.0);
    let radius = 0.02 + 0.055 * lived;
    Puff {
        position: place,
        radius,
        opacity: (0.3 * fade * (65_000.0 / count as f32).min(1.0)).min(1.0),
        temperature: if is_fire { 1250.0 - 2600.0 * lived } else { 20.0 },
        color: if is_fire { [150, 142, 136] } else { [222, 222, 224] },
    }
}

/// An eddy: its direction and number per metre, the direction in which it blows, and where it begins.
#[derive(Clone, Copy)]
struct Wave {
    along: Vec3,
    across: Vec3,
    begins: f32,
}

/// Eddies of five sizes, each of which blows across its direction, so that they have no sources.
fn waves() -> Vec<Wave> {
    let wave = |number: u32| {
        let octave = (number / 6) as i32;
        let random = |salt: u32| hash(number * 31 + salt + 1000) as f32 / u32::MAX as f32;
        let along = Quat::from_rotation_y(random(0) * TAU) * Vec3::new(1.0, random(1) * 2.0 - 1.0, 0.0).normalize();
        let across = Quat::from_axis_angle(along, random(2) * TAU) * along.any_orthonormal_vector();
        Wave {
            along: along * 6.5 * 1.8_f32.powi(octave),
            across: across * 0.105 / 1.2_f32.powi(octave),
            begins: random(3) * TAU,
        }
    };
    (0..30).map(wave).collect()
}

/// Air that rises, with eddies that grow with height.
fn wind(waves: &[Wave], place: Vec3, time: f32) -> Vec3 {
    let out = Vec2::new(place.x, place.z).length();
    let width = 0.16 + 0.16 * place.y;
    let rise = 1.05 * (-(out / width).powi(2)).exp() / (1.0 + 0.25 * place.y) + 0.12;
    let eddies = waves.iter().map(|wave| {
        let turn = wave.along.dot(place - Vec3::Y * time * 0.55) + wave.begins + time * 1.5;
        wave.across * turn.sin()
    });
    Vec3::Y * rise + eddies.sum::<Vec3>() * (place.y * 1.4).min(1.0)
}

fn hash(value: u32) -> u32 {
    let value = (value ^ 61 ^ (value >> 16)).wrapping_mul(9);
    let value = (value ^ (value >> 4)).wrapping_mul(0x27d4_eb2d);
    value ^ (value >> 15)
}

fn cuboid(size: Vec3) -> Mesh {
    let positions = (0..8).map(|i| (Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32) - 0.5) * size);
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

fn globe(radius: f32) -> Mesh {
    const ROWS: u32 = 32;
    const COLUMNS: u32 = 64;
    let mut positions = Vec::new();
    let mut triangles = Vec::new();
    for row in 0..=ROWS {
        let tilt = Vec2::from_angle((row as f32 / ROWS as f32 - 0.5) * 0.5 * TAU);
        for column in 0..COLUMNS {
            let turn = Vec2::from_angle(column as f32 / COLUMNS as f32 * TAU);
            positions.push(Vec3::new(tilt.x * turn.x, tilt.y, tilt.x * turn.y) * radius);
            let at = |row: u32, column: u32| row * COLUMNS + column % COLUMNS;
            if row < ROWS {
                let [a, b] = [at(row, column), at(row, column + 1)];
                let [c, d] = [at(row + 1, column + 1), at(row + 1, column)];
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
    Mesh::new(positions, triangles, true)
}
