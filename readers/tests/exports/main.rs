//! What is exported is read back by readers that know nothing of the writers, and is what was there.

mod glb;
mod sequences;
mod skins;
mod smoke;
mod usda;

use std::sync::Arc;

use glam::{Quat, Vec2, Vec3};
use motes_core::Pose;
use motes_drawing::export::{Cloud, Geometry, Object, Paint, Snapshot, Timeline};
use motes_geometry::{Creased, Mesh, ShadedMesh};

const RED: [u8; 3] = [220, 40, 30];
const BLUE: [u8; 3] = [40, 60, 200];

/// Frames of the run of [`film`].
const FRAMES: u64 = 12;

fn timeline() -> Timeline {
    Timeline {
        name: "film \"of\" tests".into(),
        frames_per_second: 24.0,
        z_up: false,
    }
}

fn creased(mesh: &Mesh) -> Arc<ShadedMesh> {
    Arc::new(Creased::new(mesh, 60.0).shaded(&mesh.positions))
}

/// A sheet of 4 × 4 vertices that waves; torn, it has a vertex twice.
fn sheet(frame: u64, torn: bool) -> ShadedMesh {
    let (mut positions, mut uvs, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for row in 0..4_u32 {
        for column in 0..4_u32 {
            let uv = Vec2::new(column as f32, row as f32) / 3.0;
            let height = 0.2 * (4.0 * uv.x + uv.y + 0.5 * frame as f32).sin();
            positions.push(Vec3::new(uv.x, height, uv.y));
            uvs.push(uv);
            if row > 0 && column > 0 {
                let d = 4 * row + column;
                triangles.extend([[d - 5, d - 1, d], [d - 5, d, d - 4]]);
            }
        }
    }
    if torn {
        positions.push(positions[5] + Vec3::Y * 0.1);
        uvs.push(uvs[5]);
        triangles[0] = triangles[0].map(|corner| if corner == 5 { 16 } else { corner });
    }
    ShadedMesh::smooth(positions, triangles, uvs)
}

/// A run with all that can happen: a brick that flies, rests and is gone from frame 9 on; a floor that never moves; a ball that
/// comes in frame 3; a sheet that waves and tears in frame 6, is gone in frame 10 and back in 11; grains that are poured.
fn film() -> Vec<Snapshot> {
    let brick = creased(&Mesh::cuboid(Vec3::new(0.5, 0.2, 0.3)));
    let ball = creased(&Mesh::ball(0.4, 16));
    let frame = |frame: u64| {
        let time = frame.min(5) as f32;
        let object = |name: &str, color, geometry| Object {
            name: name.into(),
            paint: Paint::solid(color),
            geometry,
        };
        let mut objects = vec![object(
            "floor",
            [128; 3],
            Geometry::Rigid(brick.clone(), Pose::at(Vec3::NEG_Y)),
        )];
        if frame < 9 {
            let pose = Pose {
                position: Vec3::new(0.1 * time, 0.5, 0.0),
                rotation: Quat::from_rotation_y(0.9 * time),
            };
            objects.push(object("brick", RED, Geometry::Rigid(brick.clone(), pose)));
        }
        if frame >= 3 {
            let pose = Pose::at(Vec3::X * frame as f32);
            objects.push(object("late ball", BLUE, Geometry::Rigid(ball.clone(), pose)));
        }
        if frame != 10 {
            objects.push(Object {
                name: "sheet/1".into(),
                paint: Paint {
                    color: BLUE,
                    opacity: 0.5,
                    two_sided: true,
                },
                geometry: Geometry::Changing(sheet(frame, frame >= 6)),
            });
        }
        let count = frame as u32;
        let cloud = Cloud {
            name: "grains".into(),
            paint: Paint::solid(RED),
            radius: 0.05,
            positions: (0..count).map(|id| Vec3::new(id as f32, frame as f32, 0.0)).collect(),
            ids: (0..count).collect(),
        };
        Snapshot {
            frame,
            objects,
            clouds: if count > 0 { vec![cloud] } else { Vec::new() },
        }
    };
    (0..FRAMES).map(frame).collect()
}

/// Whether lists of vectors are the same to within a hundred-thousandth.
fn are_close(found: &[Vec3], expected: &[Vec3]) -> bool {
    let mut pairs = found.iter().zip(expected);
    found.len() == expected.len() && pairs.all(|(found, expected)| found.distance(*expected) < 1e-5)
}
