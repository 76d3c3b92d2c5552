//! A picture of a mesh, of its particles, and of the particles cut open.

use glam::{Affine3A, Vec3, Vec4};
use motes_geometry::Body;
use motes_render::{Camera, Drawing, Ground, Image, Lighting, Mesh, MeshInstance, Preview, Quality, Spheres, color};

/// Width and height of each of the three parts, pixels.
const PART: (u32, u32) = (480, 480);

/// How much a particle's colour differs from its neighbours'.
const VARIATION: f32 = 0.35;

/// Direction from the middle of the mesh to the camera: from ahead on the right, a little above.
const VIEW: Vec3 = Vec3::new(0.62, 0.36, 0.70);

/// A mesh, the particles of its body, and half of them coloured by depth below the surface, side by side in 1440 × 480
/// pixels. Mesh and particles have the same sRGB colour.
pub fn specimen(mesh: &motes_geometry::Mesh, body: &Body, color: [u8; 3]) -> Image {
    let bounds = mesh.bounds();
    let reach = 0.5 * bounds.size().length();
    let target = bounds.center();
    let camera = Camera {
        position: target + 3.25 * reach * VIEW.normalize(),
        target,
        up: Vec3::Y,
        field_of_view: 31.0,
    };
    let mesh = Mesh::new(mesh.positions.clone(), mesh.triangles.clone(), true).with_colors(mesh.colors.clone());
    let mut preview = Preview::new();
    let mut part = |spheres: Option<(&[Vec4], &[[u8; 3]])>| {
        let spheres = spheres.map(|(positions, colors)| Spheres {
            positions,
            radius: body.radius,
            colors,
            scatters: false,
        });
        let solid = MeshInstance {
            mesh: &mesh,
            pose: Affine3A::IDENTITY,
            color,
            opacity: 1.0,
            casts_shadow: true,
        };
        let drawing = Drawing {
            camera,
            meshes: if spheres.is_none() { vec![solid] } else { Vec::new() },
            spheres: spheres.into_iter().collect(),
            puffs: &[],
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
    let all: Vec<Vec4> = body.positions.iter().map(|position| position.extend(0.0)).collect();
    let plain: Vec<[u8; 3]> = (0..all.len() as u32)
        .map(|id| color::jitter(color, id, VARIATION))
        .collect();
    let deepest = body.distances.iter().copied().fold(0.0, f32::min);
    let inner = all.iter().zip(&body.distances);
    let inner = inner.filter(|(position, _)| position.z <= target.z + 0.25 * body.radius);
    let (half, depths): (Vec<Vec4>, Vec<[u8; 3]>) = inner
        .map(|(position, distance)| (*position, color::by_speed(1.0 - distance / deepest.min(-1e-9))))
        .unzip();
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

#[cfg(test)]
mod tests {
    use super::*;
    use motes_geometry::BodyOptions;

    fn body(mesh: &motes_geometry::Mesh) -> Body {
        motes_geometry::body(mesh, &BodyOptions::solid(0.05)).expect("a body")
    }

    #[test]
    fn a_specimen_shows_three_different_parts() {
        let ball = motes_geometry::Mesh::ball(0.5, 24);
        let image = specimen(&ball, &body(&ball), [200, 80, 40]);
        assert_eq!((image.width, image.height), (3 * PART.0, PART.1));
        let part = |number: u32| -> Vec<_> {
            let row = |y| (0..PART.0).map(move |x| (number * PART.0 + x, y));
            (0..PART.1).flat_map(row).map(|(x, y)| image.pixel(x, y)).collect()
        };
        let [mesh, particles, cut] = [0, 1, 2].map(part);
        assert!(mesh != particles && particles != cut && mesh != cut);
    }

    #[test]
    fn a_mesh_without_triangles_is_no_reason_to_panic() {
        let ball = motes_geometry::Mesh::ball(0.5, 24);
        let image = specimen(&motes_geometry::Mesh::default(), &body(&ball), [200; 3]);
        assert_eq!(image.pixels.len() as u32, 3 * PART.0 * PART.1);
    }
}
