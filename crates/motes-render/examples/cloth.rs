//! Draws sheets in the wind on a line, one of each pattern: `cargo run --release --example cloth -- [still|video] [FILE] [TIME]`.

use glam::{Affine3A, Quat, Vec2, Vec3};
use motes_render::{
    Camera, Drawing, Fabric, Ground, Lighting, Mesh, MeshInstance, Pattern, Preview, Quality, write_png,
};
use std::f32::consts::TAU;
use std::time::Instant;

/// Width and height of a sheet, metres.
const SIZE: Vec2 = Vec2::new(0.86, 1.15);
/// Height of the line, metres.
const LINE: f32 = 1.62;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let quality = match arguments.next().as_deref() {
        Some("video") => Quality::video(),
        _ => Quality::still(),
    };
    let path = arguments.next().unwrap_or_else(|| "/tmp/cloth.png".into());
    let time: f32 = arguments.next().map_or(Ok(0.7), |time| time.parse())?;

    let fabric = |pattern, second_color, back_color, repeat| Fabric {
        pattern,
        second_color,
        back_color,
        repeat,
    };
    let sheets = [
        (
            fabric(Pattern::Stripes, [236, 232, 222], None, 0.16),
            [40, 86, 140],
            1.0,
        ),
        (
            fabric(Pattern::Checks, [240, 232, 220], Some([120, 44, 44]), 0.2),
            [190, 60, 52],
            1.0,
        ),
        (Fabric::default(), [240, 236, 226], 0.55),
        (
            fabric(Pattern::Dots, [244, 226, 150], Some([226, 206, 140]), 0.14),
            [62, 130, 104],
            1.0,
        ),
        (fabric(Pattern::Weave, [112, 84, 66], None, 0.05), [196, 160, 108], 1.0),
    ];
    let numbered = sheets.iter().enumerate();
    let meshes: Vec<Mesh> = numbered
        .map(|(number, (fabric, _, _))| sheet(number as f32, time, *fabric))
        .collect();
    let (line, post) = (bar(0.008, 5.6), bar(0.04, 1.75));
    let instance = |mesh, pose, color, opacity| MeshInstance {
        mesh,
        pose,
        color,
        opacity,
        casts_shadow: true,
    };
    let level = Quat::from_rotation_z(-0.25 * TAU);
    let mut drawn = vec![instance(
        &line,
        Affine3A::from_rotation_translation(level, Vec3::new(-2.8, LINE, 0.0)),
        [90, 84, 76],
        1.0,
    )];
    for x in [-2.8, 2.8] {
        let pose = Affine3A::from_translation(Vec3::new(x, 0.0, 0.0));
        drawn.push(instance(&post, pose, [130, 96, 66], 1.0));
    }
    for ((mesh, (_, color, opacity)), number) in meshes.iter().zip(&sheets).zip(0..) {
        let pose = Affine3A::from_translation(Vec3::new((number as f32 - 2.0) * 1.04 - 0.5 * SIZE.x, LINE, 0.0));
        drawn.push(instance(mesh, pose, *color, *opacity));
    }
    let drawing = Drawing {
        camera: Camera {
            position: Vec3::new(-2.6, 1.5, 5.2),
            target: Vec3::new(-0.05, 0.86, 0.0),
            up: Vec3::Y,
            field_of_view: 38.0,
        },
        spheres: Vec::new(),
        meshes: drawn,
        puffs: &[],
        ground: Some(Ground {
            point: Vec3::ZERO,
            normal: Vec3::Y,
            color: [176, 190, 150],
        }),
        lighting: Lighting::default(),
    };
    let start = Instant::now();
    let image = Preview::new().draw(&drawing, 1280, 720, &quality);
    println!("{:.0} ms", start.elapsed().as_secs_f64() * 1e3);
    write_png(path.as_ref(), &image)?;
    Ok(())
}

/// A sheet that hangs from y = 0 and waves, more so further down; texture coordinates are metres.
fn sheet(number: f32, time: f32, fabric: Fabric) -> Mesh {
    const COLUMNS: u32 = 60;
    const ROWS: u32 = 80;
    let place = |uv: Vec2| {
        let down = uv.y / SIZE.y;
        let phase = 3.1 * time + 1.7 * number;
        let swing = 0.1 + 0.34 * (0.6 * phase + 0.4).sin();
        let wave =
            0.09 * (7.5 * uv.x - 2.2 * uv.y + phase).sin() + 0.035 * (13.0 * uv.x + 6.0 * uv.y - 1.6 * phase).sin();
        let folds = 0.02 * (22.0 * uv.x + number).sin() * (1.0 - down).powi(2);
        let out = swing * down * down + wave * down.powf(0.7) + folds;
        let lifted = 0.45 * (swing * down).powi(2) * SIZE.y;
        Vec3::new(uv.x + 0.02 * (phase + 4.0 * uv.y).sin() * down, lifted - uv.y, out)
    };
    let (mut positions, mut normals, mut uvs, mut triangles) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for row in 0..=ROWS {
        for column in 0..=COLUMNS {
            let uv = Vec2::new(column as f32 / COLUMNS as f32, row as f32 / ROWS as f32) * SIZE;
            let step = 1e-3;
            let [right, down] = [Vec2::X, Vec2::Y].map(|axis| place(uv + step * axis) - place(uv - step * axis));
            positions.push(place(uv));
            normals.push(down.cross(right).normalize());
            uvs.push(uv);
            if row > 0 && column > 0 {
                let last = row * (COLUMNS + 1) + column;
                let [a, b, c, d] = [last - COLUMNS - 2, last - 1, last, last - COLUMNS - 1];
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
    Mesh::with_normals(positions, triangles, &normals).with_fabric(fabric, uvs)
}

/// An upright round bar that stands on y = 0; metres.
fn bar(radius: f32, height: f32) -> Mesh {
    const AROUND: u32 = 24;
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..AROUND {
        let around = Vec2::from_angle(i as f32 / AROUND as f32 * TAU) * radius;
        positions.extend([0.0, height].map(|y| Vec3::new(around.x, y, around.y)));
        let [a, b] = [2 * i, 2 * ((i + 1) % AROUND)];
        triangles.extend([[a, a + 1, b + 1], [a, b + 1, b]]);
        triangles.extend([[0, b, a], [1, a + 1, b + 1]]);
    }
    Mesh::new(positions, triangles, true)
}
