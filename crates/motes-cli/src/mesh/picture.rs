//! A picture of a mesh, of its particles, and of the particles cut open.

use glam::{Affine3A, Vec3, Vec4};
use motes_render::{Camera, Drawing, Ground, Image, Lighting, Mesh, MeshInstance, Preview, Quality, Spheres, color};

use super::Outcome;

/// Width and height of each of the three parts, pixels.
const PART: (u32, u32) = (480, 480);

/// How much a particle's colour differs from its neighbours'.
const VARIATION: f32 = 0.35;

/// Direction from the middle of the mesh to the camera: from ahead on the right, a little above.
const VIEW: Vec3 = Vec3::new(0.62, 0.36, 0.70);

/// The three parts side by side.
pub(super) fn draw(outcome: &Outcome) -> Image {
    let bounds = outcome.mesh.bounds();
    let reach = 0.5 * bounds.size().length();
    let target = bounds.center();
    let camera = Camera {
        position: target + 3.25 * reach * VIEW.normalize(),
        target,
        up: Vec3::Y,
        field_of_view: 31.0,
    };
    let mesh = Mesh::new(outcome.mesh.positions.clone(), outcome.mesh.triangles.clone(), true)
        .with_colors(outcome.mesh.colors.clone());
    let mut preview = Preview::new();
    let mut part = |spheres: Option<(&[Vec4], &[[u8; 3]])>| {
        let spheres = spheres.map(|(positions, colors)| Spheres {
            positions,
            radius: outcome.body.radius,
            colors,
        });
        let solid = MeshInstance {
            mesh: &mesh,
            pose: Affine3A::IDENTITY,
            color: outcome.color,
            opacity: 1.0,
            casts_shadow: true,
        };
        let drawing = Drawing {
            camera,
            meshes: if spheres.is_none() { vec![solid] } else { Vec::new() },
            spheres: spheres.into_iter().collect(),
            ground: Some(Ground {
                point: Vec3::Y * bounds.min.y,
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
    let body = &outcome.body;
    let all: Vec<Vec4> = body.positions.iter().map(|position| position.extend(0.0)).collect();
    let plain: Vec<[u8; 3]> = (0..all.len() as u32)
        .map(|id| color::jitter(outcome.color, id, VARIATION))
        .collect();
    // Half of the particles, coloured by depth below the surface.
    let deepest = body.distances.iter().copied().fold(0.0, f32::min);
    let inner: Vec<(Vec4, [u8; 3])> = (0..all.len())
        .filter(|&index| all[index].z <= target.z + 0.25 * body.radius)
        .map(|index| {
            (
                all[index],
                color::by_speed(1.0 - body.distances[index] / deepest.min(-1e-9)),
            )
        })
        .collect();
    let (half, depths): (Vec<Vec4>, Vec<[u8; 3]>) = inner.into_iter().unzip();
    beside(&[part(None), part(Some((&all, &plain))), part(Some((&half, &depths)))])
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
