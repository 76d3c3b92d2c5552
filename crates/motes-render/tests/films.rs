//! What the preview keeps from one picture to the next does not show.

use glam::{Affine3A, Quat, Vec3, Vec4};
use motes_render::{Camera, Drawing, Ground, Image, Lighting, Mesh, MeshInstance, Preview, Quality, Spheres};

/// A box around the origin with these half edges.
fn block(half: Vec3) -> Mesh {
    let positions = (0..8).map(|i| {
        let pick = |bit: u32| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
        Vec3::new(pick(0), pick(1), pick(2)) * half
    });
    let faces = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    Mesh::new(positions.collect(), triangles.collect(), false)
}

/// Everything that a film of this test may show.
struct Props {
    shelf: Mesh,
    cube: Mesh,
    heap: Vec<Vec4>,
}

impl Props {
    fn new() -> Self {
        let heap = (0..200_u32).map(|i| {
            let [x, y, z] = [i % 6, i / 36, i / 6 % 6].map(|step| step as f32 * 0.1);
            Vec4::new(x - 1.5, y + 0.05, z, 0.0)
        });
        Self {
            shelf: block(Vec3::new(1.2, 0.04, 0.3)),
            cube: block(Vec3::splat(0.15)),
            heap: heap.collect(),
        }
    }

    /// A heap and shelves that stay, marbles and a cube that move and rest in turns, glass that comes and goes.
    fn picture(&self, preview: &mut Preview, frame: u32, quality: &Quality) -> Image {
        let time = frame as f32;
        let marbles: Vec<Vec4> = (0..3)
            .map(|i| Vec4::new(0.1 * time.min(6.0) - 0.4 * i as f32, 0.9 + 0.3 * i as f32, 0.0, 0.0))
            .collect();
        let turned = Quat::from_rotation_z(0.2 * (time - 3.0).clamp(0.0, 4.0));
        let mut meshes = Vec::new();
        let mut add = |mesh, pose, color, opacity| {
            meshes.push(MeshInstance {
                mesh,
                pose,
                color,
                opacity,
                casts_shadow: true,
            });
        };
        let shelf = |height: f32, turn: f32| {
            Affine3A::from_rotation_translation(Quat::from_rotation_z(turn), Vec3::new(0.0, height, 0.0))
        };
        if frame % 5 > 1 {
            add(&self.shelf, shelf(1.3, 0.15), [120, 200, 220], 0.4);
        }
        add(&self.shelf, shelf(0.7, -0.1), [200, 120, 60], 1.0);
        add(&self.shelf, shelf(0.3, 0.1), [60, 160, 90], 1.0);
        let place = Vec3::new(1.3, 0.15, 0.4);
        add(
            &self.cube,
            Affine3A::from_rotation_translation(turned, place),
            [190; 3],
            1.0,
        );
        let orbit = if frame > 9 { 0.1 * (time - 9.0) } else { 0.0 };
        let drawing = Drawing {
            camera: Camera {
                position: Vec3::new(orbit, 1.6, 5.0),
                target: Vec3::new(0.0, 0.6, 0.0),
                up: Vec3::Y,
                field_of_view: 40.0,
            },
            spheres: vec![
                Spheres {
                    positions: &self.heap,
                    radius: 0.05,
                    colors: &[],
                    scatters: false,
                },
                Spheres {
                    positions: &marbles,
                    radius: 0.08,
                    colors: &[[220, 30, 30], [30, 30, 220]],
                    scatters: false,
                },
            ],
            meshes,
            puffs: &[],
            ground: Some(Ground {
                point: Vec3::ZERO,
                normal: Vec3::Y,
                color: [200; 3],
            }),
            lighting: Lighting::default(),
        };
        preview.draw(&drawing, 256, 160, quality)
    }
}

#[test]
fn a_picture_does_not_depend_on_those_before() {
    let props = Props::new();
    let quality = Quality::video();
    let mut film = Preview::new();
    let mut last = None;
    for frame in 0..14 {
        let picture = props.picture(&mut film, frame, &quality);
        assert!(
            picture == props.picture(&mut Preview::new(), frame, &quality),
            "frame {frame}"
        );
        assert!(
            last != Some(picture.clone()) || [8, 9].contains(&frame),
            "frame {frame} shows nothing new"
        );
        last = Some(picture);
    }
}

#[test]
fn another_quality_in_between_changes_nothing() {
    let props = Props::new();
    let mut film = Preview::new();
    for frame in 0..4 {
        let video = props.picture(&mut film, frame, &Quality::video());
        assert!(
            video == props.picture(&mut Preview::new(), frame, &Quality::video()),
            "frame {frame}"
        );
        let draft = props.picture(&mut film, frame, &Quality::draft());
        assert!(
            draft == props.picture(&mut Preview::new(), frame, &Quality::draft()),
            "frame {frame}"
        );
    }
}
