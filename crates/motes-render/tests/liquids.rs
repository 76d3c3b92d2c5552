//! What the preview promises about liquids.

use glam::{Affine3A, Vec3, Vec4};
use motes_render::{Camera, Drawing, Image, Lighting, Liquid, Mesh, MeshInstance, Preview, Quality, Spheres};

const WATER: [u8; 3] = [60, 150, 180];

/// A box of liquid around the origin, with the normals of its corners.
fn pool(half: Vec3, liquid: Liquid) -> Mesh {
    let mut positions = Vec::new();
    let mut normals = Vec::new();
    let mut triangles = Vec::new();
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let [along, u, v] = [0, 1, 2].map(|step| Vec3::AXES[(axis + step) % 3]);
            let first = positions.len() as u32;
            for (a, b) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                positions.push(half * (side * along + a * u + b * v));
                normals.push(side * along);
            }
            let quad = [[0, 1, 2], [0, 2, 3]];
            triangles.extend(quad.map(|[a, b, c]| if side > 0.0 { [a, b, c] } else { [a, c, b] }.map(|i| first + i)));
        }
    }
    Mesh::of_liquid(positions, triangles, &normals, liquid)
}

fn drawing<'a>(meshes: Vec<(&'a Mesh, f32)>, spheres: &'a [Vec4]) -> Drawing<'a> {
    Drawing {
        camera: Camera {
            position: Vec3::new(0.0, 0.0, 6.0),
            target: Vec3::ZERO,
            up: Vec3::Y,
            field_of_view: 40.0,
        },
        spheres: vec![Spheres {
            positions: spheres,
            radius: 0.3,
            colors: &[[230; 3]; 8],
            scatters: false,
        }],
        meshes: meshes
            .into_iter()
            .map(|(mesh, z)| MeshInstance {
                mesh,
                pose: Affine3A::from_translation(Vec3::Z * z),
                color: WATER,
                opacity: 0.3,
                casts_shadow: false,
            })
            .collect(),
        puffs: &[],
        ground: None,
        lighting: Lighting::default(),
    }
}

fn draw(drawing: &Drawing) -> Image {
    Preview::new().draw(drawing, 160, 120, &Quality::draft())
}

fn middle(image: &Image) -> [i32; 3] {
    let pixel = image.pixel(80, 60).expect("inside the image");
    [0, 1, 2].map(|channel| i32::from(pixel[channel]))
}

#[test]
fn deeper_liquid_takes_more_of_the_light_and_red_first() {
    let dry = middle(&draw(&drawing(Vec::new(), &[])));
    let through = |depth: f32| {
        let mesh = pool(Vec3::new(1.5, 1.0, 0.5 * depth), Liquid::default());
        middle(&draw(&drawing(vec![(&mesh, 0.0)], &[])))
    };
    let (thin, thick) = (through(0.2), through(1.5));
    assert!(dry[0] - thin[0] > dry[2] - thin[2] + 5, "{dry:?} {thin:?}");
    assert!(thick[0] < thin[0] - 20 && thick[2] < thin[2], "{thin:?} {thick:?}");
}

#[test]
fn what_is_behind_shows_and_what_is_before_hides() {
    let mesh = pool(Vec3::new(1.5, 1.0, 0.3), Liquid::default());
    let [behind, before] = [-1.5, 1.5].map(|z| [Vec4::new(0.0, 0.0, z, 0.0)]);
    let dry = middle(&draw(&drawing(Vec::new(), &before)));
    assert_eq!(middle(&draw(&drawing(vec![(&mesh, 0.0)], &before))), dry);
    let wet = middle(&draw(&drawing(vec![(&mesh, 0.0)], &behind)));
    let empty = middle(&draw(&drawing(vec![(&mesh, 0.0)], &[])));
    assert!(wet[0] < dry[0] - 5 && wet != empty, "{dry:?} {wet:?} {empty:?}");
}

#[test]
fn a_slanted_surface_shifts_what_is_behind_it() {
    let straight = Liquid {
        refractive_index: 1.0,
        ..Liquid::default()
    };
    let seen = |liquid: Liquid| {
        let mesh = pool(Vec3::new(1.2, 1.2, 0.6), liquid);
        let spheres = [Vec4::new(0.2, 0.0, -0.2, 0.0)];
        let mut drawing = drawing(vec![(&mesh, 0.0)], &spheres);
        drawing.meshes[0].pose = Affine3A::from_rotation_y(0.7);
        draw(&drawing)
    };
    let (bent, unbent) = (seen(Liquid::default()), seen(straight));
    let differs = bent.pixels.iter().zip(&unbent.pixels);
    let differs = differs.filter(|(a, b)| a[1].abs_diff(b[1]) > 10).count();
    assert!(differs > 60, "{differs}");
}

#[test]
fn metal_hides_what_is_behind() {
    let metal = Liquid {
        metallic: true,
        ..Liquid::default()
    };
    let mesh = pool(Vec3::new(1.5, 1.0, 0.3), metal);
    let sphere = [Vec4::new(0.0, 0.0, -1.5, 0.0)];
    let [with, without] = [&sphere[..], &[]].map(|spheres| middle(&draw(&drawing(vec![(&mesh, 0.0)], spheres))));
    assert_eq!(with, without);
}

#[test]
fn threads_and_the_picture_before_do_not_change_a_pixel() {
    let mesh = pool(Vec3::new(1.5, 0.8, 0.5), Liquid::default());
    let spheres = [Vec4::new(0.4, 0.3, -1.0, 0.0), Vec4::new(-0.8, 0.0, 1.0, 0.0)];
    let drawing = drawing(vec![(&mesh, 0.0)], &spheres);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| draw(&drawing))
    };
    let one = on(1);
    assert!(one == on(3));
    let mut preview = Preview::new();
    let mut dry = drawing.clone();
    dry.meshes.clear();
    for _ in 0..2 {
        preview.draw(&dry, 160, 120, &Quality::draft());
    }
    let moved = [spheres[0] + Vec4::X * 0.2, spheres[1]];
    for positions in [&moved, &spheres, &spheres] {
        let mut drawing = drawing.clone();
        drawing.spheres[0].positions = positions;
        let image = preview.draw(&drawing, 160, 120, &Quality::draft());
        assert!(positions == &moved || image == one);
    }
}

#[test]
fn odd_liquids_are_drawn_or_left_out() {
    let liquids = [
        Liquid {
            depth: 0.0,
            film: f32::NAN,
            ..Liquid::default()
        },
        Liquid {
            refractive_index: f32::NAN,
            cloudiness: f32::INFINITY,
            ..Liquid::default()
        },
    ];
    for liquid in liquids {
        let mesh = pool(Vec3::new(1.5, 0.8, 0.5), liquid);
        // The camera in it, too.
        for z in [0.0, 6.0] {
            draw(&drawing(vec![(&mesh, z)], &[]));
        }
    }
    let open = Mesh::of_liquid(
        vec![Vec3::X, Vec3::Y, Vec3::Z],
        vec![[0, 1, 2]],
        &[Vec3::ONE; 3],
        Liquid::default(),
    );
    let lacking = Mesh::of_liquid(vec![Vec3::X, Vec3::Y, Vec3::Z], vec![[0, 1, 2]], &[], Liquid::default());
    assert!(lacking.triangles().is_empty());
    draw(&drawing(vec![(&open, 0.0), (&lacking, 0.0)], &[]));
}
