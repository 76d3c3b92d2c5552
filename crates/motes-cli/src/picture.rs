//! From a world to a picture of it.

use glam::Vec4Swizzles;
use motes_core::World;
use motes_geometry::{Detail, tessellate};
use motes_render::{Camera, Drawing, Ground, Image, Lighting, Mesh, MeshInstance, Preview, Quality, Spheres, color};
use motes_scene::model::ColorBy;
use motes_scene::{Looks, Scene};

/// Draws the frames of one scene.
pub(crate) struct Artist {
    preview: Preview,
    meshes: Vec<(usize, Mesh)>,
    colors: Vec<[u8; 3]>,
}

/// How much a grain's colour differs from its neighbours'.
const GRAIN_VARIATION: f32 = 0.12;

impl Artist {
    /// Prepares the colliders for drawing; planes are drawn as the scene's ground.
    pub(crate) fn new(world: &World, looks: &Looks) -> Self {
        let meshes = looks
            .colliders
            .iter()
            .enumerate()
            .filter(|(_, look)| look.visible && look.opacity > 0.0)
            .filter_map(|(place, look)| Some((place, world.collider(look.collider)?)))
            .filter(|(_, collider)| !matches!(collider.shape, motes_core::Shape::Plane(_)))
            .map(|(place, collider)| {
                let mesh = tessellate(&collider.shape, &Detail::default());
                (
                    place,
                    Mesh::new(mesh.positions, mesh.triangles, is_smooth(&collider.shape)),
                )
            })
            .collect();
        Self {
            preview: Preview::new(),
            meshes,
            colors: Vec::new(),
        }
    }

    /// A picture of the world as it is.
    pub(crate) fn draw(
        &mut self,
        world: &mut World,
        scene: &Scene,
        looks: &Looks,
        frame: u32,
        quality: &Quality,
    ) -> Image {
        let poses: Vec<_> = world.colliders().map(|(id, _, pose)| (id, pose.to_affine())).collect();
        let radius = world.settings().particle_radius;
        self.color(world, scene, looks);
        let view = scene.camera_at(frame);
        let up = view.up;
        let mut lighting = Lighting::with_up(up);
        lighting.horizon_color = scene.render.background.0;
        if let Some(light) = scene.render.light {
            lighting.key_direction = -light;
        }
        let instances = self
            .meshes
            .iter()
            .filter_map(|(place, mesh)| {
                let look = &looks.colliders[*place];
                let (_, pose) = poses.iter().find(|(id, _)| *id == look.collider)?;
                Some(MeshInstance {
                    mesh,
                    pose: *pose,
                    color: look.color.0,
                    opacity: look.opacity,
                })
            })
            .collect();
        let drawing = Drawing {
            camera: Camera {
                position: view.position,
                target: view.target,
                up,
                field_of_view: view.field_of_view.to_degrees(),
            },
            spheres: vec![Spheres {
                positions: &world.particles().positions,
                radius,
                colors: &self.colors,
            }],
            meshes: instances,
            ground: scene.render.ground.then(|| Ground {
                point: scene.render.ground_height * up,
                normal: up,
                color: scene.render.ground_color.0,
            }),
            lighting,
        };
        self.preview
            .draw(&drawing, scene.output.width, scene.output.height, quality)
    }

    fn color(&mut self, world: &mut World, scene: &Scene, looks: &Looks) {
        let group_colors: Vec<_> = looks
            .groups
            .iter()
            .map(|look| (look.group.index(), look.color.0))
            .collect();
        let particles = world.particles();
        self.colors.clear();
        self.colors.extend((0..particles.len()).map(|slot| {
            let id = particles.ids()[slot].index;
            match scene.render.color_by {
                ColorBy::Id => color::by_id(id),
                ColorBy::Speed => color::by_speed(particles.velocities[slot].xyz().length() / scene.render.speed_max),
                ColorBy::Material => {
                    let group = particles.phases[slot].group();
                    let base = group_colors.iter().find(|(index, _)| *index == group);
                    color::jitter(base.map_or([200; 3], |(_, color)| *color), id, GRAIN_VARIATION)
                }
            }
        }));
    }
}

fn is_smooth(shape: &motes_core::Shape) -> bool {
    use motes_core::Shape::{Capsule, Heightfield, SdfGrid, Sphere, TriangleMesh};
    matches!(
        shape,
        Capsule(_) | Heightfield(_) | SdfGrid(_) | Sphere(_) | TriangleMesh(_)
    )
}
