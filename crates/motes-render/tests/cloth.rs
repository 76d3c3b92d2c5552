//! What the preview promises about cloth.

use glam::{Affine3A, Vec2, Vec3};
use motes_render::{Camera, Drawing, Fabric, Ground, Image, Lighting, Mesh, MeshInstance, Pattern, Preview, Quality};

const RED: [u8; 3] = [220, 30, 30];
const BLUE: [u8; 3] = [30, 30, 220];

/// An upright square of 2 m that faces +z; texture coordinates are metres from its lower left corner.
fn sheet(fabric: Fabric) -> Mesh {
    let corners = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)].map(Vec2::from);
    let positions = corners.map(|uv| Vec3::new(uv.x - 1.0, uv.y - 1.0, 0.0));
    Mesh::with_normals(positions.to_vec(), vec![[0, 1, 2], [0, 2, 3]], &[Vec3::Z; 4])
        .with_fabric(fabric, corners.to_vec())
}

/// Seen from a distance along z, under light from all around the camera.
fn picture(mesh: &Mesh, opacity: f32, from: f32) -> Image {
    let drawing = Drawing {
        camera: Camera {
            position: Vec3::Z * from,
            target: Vec3::ZERO,
            up: Vec3::Y,
            field_of_view: 60.0,
        },
        spheres: Vec::new(),
        meshes: vec![MeshInstance {
            mesh,
            pose: Affine3A::IDENTITY,
            color: RED,
            opacity,
            casts_shadow: true,
        }],
        puffs: &[],
        ground: None,
        lighting: Lighting {
            key_direction: Vec3::new(0.0, 0.3, from.signum()),
            ..Lighting::default()
        },
    };
    Preview::new().draw(&drawing, 160, 120, &Quality::video())
}

fn pixel(image: &Image, x: u32, y: u32) -> [i32; 3] {
    let [red, green, blue, _] = image.pixels[(y * image.width + x) as usize];
    [red, green, blue].map(i32::from)
}

fn is_red([red, _, blue]: [i32; 3]) -> bool {
    red > blue + 60
}

fn is_blue([red, _, blue]: [i32; 3]) -> bool {
    blue > red + 60
}

#[test]
fn stripes_lie_across_the_sheet() {
    let mesh = sheet(Fabric {
        pattern: Pattern::Stripes,
        second_color: BLUE,
        repeat: 2.0,
        ..Fabric::default()
    });
    let image = picture(&mesh, 1.0, 3.0);
    for y in [45, 60, 75] {
        assert!(is_red(pixel(&image, 65, y)), "{:?}", pixel(&image, 65, y));
        assert!(is_blue(pixel(&image, 95, y)), "{:?}", pixel(&image, 95, y));
    }
}

#[test]
fn both_sides_are_lit_alike_and_may_differ_in_color() {
    let plain = sheet(Fabric::default());
    let [front, back] = [3.0, -3.0].map(|from| pixel(&picture(&plain, 1.0, from), 80, 60));
    let most = front.iter().zip(back).map(|(a, b)| (a - b).abs()).max();
    assert!(is_red(front) && most < Some(6), "{front:?} {back:?}");
    let lined = sheet(Fabric {
        back_color: Some(BLUE),
        ..Fabric::default()
    });
    assert!(is_red(pixel(&picture(&lined, 1.0, 3.0), 80, 60)));
    assert!(is_blue(pixel(&picture(&lined, 1.0, -3.0), 80, 60)));
}

#[test]
fn a_fine_pattern_far_away_is_an_even_blend() {
    let mesh = sheet(Fabric {
        pattern: Pattern::Checks,
        second_color: BLUE,
        repeat: 0.011,
        ..Fabric::default()
    });
    let image = picture(&mesh, 1.0, 4.0);
    let seen: Vec<[i32; 3]> = (70..90)
        .flat_map(|x| (50..70).map(move |y| (x, y)))
        .map(|(x, y)| pixel(&image, x, y))
        .collect();
    for channel in [0, 2] {
        let values = seen.iter().map(|pixel| pixel[channel]);
        let (low, high) = values.fold((255, 0), |(low, high), value| (value.min(low), value.max(high)));
        assert!(low > 60 && high - low < 24, "channel {channel}: {low} to {high}");
    }
}

#[test]
fn what_is_behind_thin_cloth_shows_through() {
    let mesh = sheet(Fabric::default());
    let [solid, thin] = [1.0, 0.4].map(|opacity| pixel(&picture(&mesh, opacity, 3.0), 80, 60));
    let bare = pixel(&picture(&mesh, 0.0, 3.0), 80, 60);
    assert!(
        thin[2] > solid[2] + 20 && thin[2] < bare[2] - 20,
        "{solid:?} {thin:?} {bare:?}"
    );
}

#[test]
fn odd_sheets_are_drawn() {
    let fabric = Fabric {
        pattern: Pattern::Weave,
        repeat: 0.0,
        ..Fabric::default()
    };
    let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::splat(f32::NAN)];
    let triangles = vec![[0, 1, 2], [0, 1, 3], [0, 0, 1], [7, 8, 9]];
    let without_uvs =
        Mesh::with_normals(positions.clone(), triangles.clone(), &[Vec3::Z; 4]).with_fabric(fabric, Vec::new());
    let without_normals = Mesh::with_normals(positions, triangles, &[]).with_fabric(fabric, vec![Vec2::NAN; 9]);
    assert_eq!(
        (without_uvs.triangles().len(), without_normals.triangles().len()),
        (2, 0)
    );
    for mesh in [
        without_uvs,
        without_normals,
        Mesh::default().with_fabric(fabric, Vec::new()),
    ] {
        picture(&mesh, 1.0, 3.0);
        picture(&mesh, 0.5, 3.0);
    }
}

#[test]
fn a_sheet_casts_one_shadow_on_the_ground() {
    let mesh = sheet(Fabric::default());
    let flat = Affine3A::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    let brightness = |opacity: f32| {
        let drawing = Drawing {
            camera: Camera {
                position: Vec3::new(0.0, 1.5, 8.0),
                target: Vec3::new(0.0, 0.2, 0.0),
                up: Vec3::Y,
                field_of_view: 40.0,
            },
            spheres: Vec::new(),
            meshes: vec![MeshInstance {
                mesh: &mesh,
                pose: Affine3A::from_translation(Vec3::Y * 1.0) * flat,
                color: RED,
                opacity,
                casts_shadow: true,
            }],
            puffs: &[],
            ground: Some(Ground {
                point: Vec3::ZERO,
                normal: Vec3::Y,
                color: [200; 3],
            }),
            lighting: Lighting {
                key_direction: Vec3::Y,
                ..Lighting::default()
            },
        };
        let image = Preview::new().draw(&drawing, 160, 120, &Quality::video());
        pixel(&image, 80, 66)[1]
    };
    let [open, thin, solid] = [0.0, 0.5, 1.0].map(brightness);
    assert!(open > thin + 10 && thin > solid + 10, "{open} {thin} {solid}");
}
