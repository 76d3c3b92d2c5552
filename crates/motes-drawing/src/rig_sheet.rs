//! A picture of a rigged mesh: the mesh, the ellipsoids of its particles, the edges between them, and all of it bent.

use std::f32::consts::FRAC_PI_3;

use glam::{Affine3A, Mat3, Quat, Vec3};
use motes_core::Pose;
use motes_geometry::{Blend, RigSkin};
use motes_render::{Camera, Drawing, Ground, Image, Lighting, Mesh, MeshInstance, Preview, Quality};
use motes_scene::RigModel;

use crate::creature::ellipsoids;

/// Width and height of each of the four parts, pixels.
const PART: (u32, u32) = (480, 480);

/// Direction from the middle of the mesh to the camera: from ahead on the right, above.
const VIEW: Vec3 = Vec3::new(0.50, 0.42, 0.76);

/// By how much the mesh is bent over its longest side, and turned on the way, radians.
const BEND: (f32, f32) = (1.1 * FRAC_PI_3, 0.6 * FRAC_PI_3);

/// Colour of edges.
const EDGE: [u8; 3] = [52, 92, 168];

/// A model's mesh, its ellipsoids, its edges and a bent pose, side by side in 1920 × 480 pixels; meshes without colours of their own have
/// the sRGB colour given.
pub fn rig_sheet(model: &RigModel, plain: [u8; 3]) -> Image {
    let plain = model.color.unwrap_or(plain);
    let bind: Vec<Pose> = model
        .particles
        .iter()
        .map(|particle| Pose {
            position: particle.position,
            rotation: particle.orientation,
        })
        .collect();
    let solid = Mesh::new(model.mesh.positions.clone(), model.mesh.triangles.clone(), true)
        .with_colors(model.mesh.colors.clone());
    let balls = ellipsoids(&bind, &radii(model), plain);
    let lines = edges(&bind, &model.edges, 0.07 * model.spacing);
    let bent = bent(model, &bind);
    let mut preview = Preview::new();
    let mut part = |meshes: &[(&Mesh, [u8; 3], f32)]| {
        let drawing = Drawing {
            camera: camera(model, &bent),
            meshes: meshes
                .iter()
                .map(|&(mesh, color, opacity)| MeshInstance {
                    mesh,
                    pose: Affine3A::IDENTITY,
                    color,
                    opacity,
                    casts_shadow: true,
                })
                .collect(),
            spheres: Vec::new(),
            puffs: &[],
            ground: Some(Ground {
                point: Vec3::Y * lowest(model, &bent),
                normal: Vec3::Y,
                color: [214, 208, 200],
            }),
            lighting: Lighting {
                key_direction: Vec3::new(0.1, 0.85, 0.55),
                ..Lighting::default()
            },
        };
        preview.draw(&drawing, PART.0, PART.1, &quality())
    };
    let parts = [
        part(&[(&solid, plain, 1.0)]),
        part(&[(&balls, plain, 1.0)]),
        part(&[(&lines, EDGE, 1.0)]),
        part(&[(&bent, plain, 1.0)]),
    ];
    beside(&parts)
}

fn radii(model: &RigModel) -> Vec<Vec3> {
    model.particles.iter().map(|particle| particle.radii).collect()
}

/// Edges as rods, and particles as balls where they meet.
fn edges(poses: &[Pose], edges: &[[u32; 2]], thickness: f32) -> Mesh {
    let rod = motes_geometry::Mesh::capsule(1.0, 1.0, 8);
    let ball = motes_geometry::Mesh::ball(1.8 * thickness, 12);
    let mut all = motes_geometry::Mesh::default();
    for pose in poses {
        all.append(&ball.clone().transformed(&Affine3A::from_translation(pose.position)));
    }
    for edge in edges {
        let [from, to] = edge.map(|end| poses[end as usize].position);
        let turn = Quat::from_rotation_arc(Vec3::Y, (to - from).normalize_or(Vec3::Y));
        let scale = Vec3::new(thickness, 0.25 * from.distance(to), thickness);
        let shape = Affine3A::from_scale_rotation_translation(scale, turn, from.midpoint(to));
        all.append(&rod.clone().transformed(&shape));
    }
    Mesh::new(all.positions, all.triangles, true)
}

/// The mesh as it follows particles that are bent along an arc over its longest side, and turned about it.
fn bent(model: &RigModel, bind: &[Pose]) -> Mesh {
    let bounds = model.mesh.bounds();
    let size = bounds.size();
    let long = if size.x >= size.y && size.x >= size.z {
        Vec3::X
    } else if size.z >= size.y {
        Vec3::Z
    } else {
        Vec3::Y
    };
    // Things that lie bend up, things that stand bend aside.
    let aside = if long == Vec3::Y { Vec3::X } else { Vec3::Y };
    let across = long.cross(aside);
    let start = bounds.center();
    let length = size.dot(long).max(f32::MIN_POSITIVE);
    let pose = |pose: &Pose| {
        let from = pose.position - start;
        let place = from.dot(long);
        let twist = Quat::from_axis_angle(long, BEND.1 * place / length);
        let angle = BEND.0 * place / length;
        let radius = length / BEND.0;
        let turn = Quat::from_axis_angle(across, angle);
        let middle = radius * (angle.sin() * long + (1.0 - angle.cos()) * aside);
        let off = twist * (from - place * long);
        Pose {
            position: start + middle + turn * off,
            rotation: turn * twist * pose.rotation,
        }
    };
    let poses: Vec<Pose> = bind.iter().map(pose).collect();
    let mesh = &model.mesh;
    match RigSkin::new(mesh, model.weights.clone(), bind.len()) {
        Ok(skin) => {
            let (positions, _) = skin.deform(&skin.motions(bind, &poses), Blend::DualQuaternion);
            Mesh::new(positions, mesh.triangles.clone(), true).with_colors(mesh.colors.clone())
        }
        Err(_) => Mesh::new(Vec::new(), Vec::new(), true),
    }
}

fn lowest(model: &RigModel, bent: &Mesh) -> f32 {
    let all = model.mesh.positions.iter().chain(bent.positions());
    let low = all.map(|place| place.y).fold(f32::INFINITY, f32::min);
    if low.is_finite() { low } else { 0.0 }
}

/// One camera for all parts, that sees the mesh straight and bent.
fn camera(model: &RigModel, bent: &Mesh) -> Camera {
    let all = model.mesh.positions.iter().chain(bent.positions()).copied();
    let bounds = motes_core::Bounds::of(all);
    let target = if bounds.size().is_finite() {
        bounds.center()
    } else {
        Vec3::ZERO
    };
    let towards = VIEW.normalize();
    let right = Vec3::Y.cross(towards).normalize();
    let view = Mat3::from_cols(right, towards.cross(right), towards).transpose();
    let seen = model.mesh.positions.iter().chain(bent.positions());
    let reach = seen.map(|place| (view * (*place - target)).truncate().abs().max_element());
    let reach = reach.fold(0.0, f32::max).max(1e-6);
    Camera {
        position: target + 4.6 * reach * towards,
        target,
        up: Vec3::Y,
        field_of_view: 28.0,
    }
}

fn quality() -> Quality {
    Quality {
        supersampling: 3,
        key_maps: 16,
        key_resolution: 1024,
        sky_maps: 48,
        sky_resolution: 512,
        ground_spacing: 2,
    }
}

fn beside(parts: &[Image]) -> Image {
    let (width, height) = PART;
    let total = width * parts.len() as u32;
    let mut image = Image::filled(total, height, [255; 4]);
    for (index, part) in parts.iter().enumerate() {
        for (row, pixels) in part.pixels.chunks(width as usize).enumerate() {
            let start = row * total as usize + index * width as usize;
            image.pixels[start..start + width as usize].copy_from_slice(pixels);
        }
    }
    image
}

#[cfg(test)]
mod tests {
    use super::*;
    use motes_geometry::{Density, RigOptions, rig};

    #[test]
    fn a_sheet_has_four_different_parts() {
        let mesh = motes_geometry::Mesh::capsule(0.1, 0.4, 24);
        let options = RigOptions {
            density: Density::Spacing(0.12),
            ..RigOptions::default()
        };
        let rig = rig(&mesh, &options).expect("a rig");
        let image = rig_sheet(&RigModel::of_rig(mesh, None, rig), [200, 80, 40]);
        assert_eq!((image.width, image.height), (4 * PART.0, PART.1));
        let part = |number: u32| -> Vec<_> {
            let row = |y| (0..PART.0).map(move |x| (number * PART.0 + x, y));
            (0..PART.1).flat_map(row).map(|(x, y)| image.pixel(x, y)).collect()
        };
        let parts: Vec<Vec<_>> = (0..4).map(part).collect();
        for a in 0..4 {
            for b in 0..a {
                let differ = parts[a].iter().zip(&parts[b]).filter(|(a, b)| a != b).count();
                assert!(differ > 1000, "parts {a} and {b}: {differ} pixels");
            }
        }
    }
}
