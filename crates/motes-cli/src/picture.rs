//! From a world to a picture of it.

use glam::Vec4Swizzles;
use motes_core::{Pose, Shape, World};
use motes_geometry::{Detail, tessellate};
use motes_render::{Camera, Drawing, Ground, Image, Lighting, Mesh, MeshInstance, Preview, Quality, Spheres, color};
use motes_scene::model::ColorBy;
use motes_scene::{ColliderLook, Looks, Scene, View};

use crate::board::Board;

/// Draws the frames of one scene.
pub(crate) struct Artist {
    preview: Preview,
    bodies: Vec<(ColliderLook, Body)>,
    colors: Vec<[u8; 3]>,
}

/// A collider as it is drawn, in its own frame.
enum Body {
    Solid(Mesh),
    Plane(Board),
}

/// How much a grain's colour differs from its neighbours'.
const GRAIN_VARIATION: f32 = 0.12;

impl Artist {
    /// Prepares the colliders for drawing.
    pub(crate) fn new(world: &World, scene: &Scene, looks: &Looks) -> Self {
        let view = scene.camera_at(0);
        let looks = looks.colliders.iter();
        let drawn = looks.filter(|look| look.visible && look.opacity > 0.0);
        let bodies = drawn.filter_map(|look| {
            let collider = world.collider(look.collider)?;
            let body = match &collider.shape {
                Shape::Plane(plane) => Body::Plane(Board::new(*plane, &collider.initial_pose, &view)),
                shape => {
                    let mesh = tessellate(shape, &Detail::default());
                    Body::Solid(Mesh::new(mesh.positions, mesh.triangles, is_smooth(shape)))
                }
            };
            Some((*look, body))
        });
        Self {
            preview: Preview::new(),
            bodies: bodies.collect(),
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
        let radius = world.settings().particle_radius;
        self.color(world, scene, looks);
        let view = scene.camera_at(frame);
        let up = view.up;
        let mut lighting = Lighting::with_up(up);
        lighting.horizon_color = scene.render.background.0;
        if let Some(light) = scene.render.light {
            lighting.key_direction = -light;
        }
        let poses: Vec<_> = world.colliders().map(|(id, _, pose)| (id, *pose)).collect();
        let mut meshes = Vec::new();
        for (look, body) in &self.bodies {
            if let Some((_, pose)) = poses.iter().find(|(id, _)| *id == look.collider) {
                body.draw(look, pose, scene, &view, &mut meshes);
            }
        }
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
            meshes,
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

impl Body {
    /// Adds what is seen of the collider. A plane that lies where the ground does is the ground.
    fn draw<'a>(
        &'a self,
        look: &ColliderLook,
        pose: &Pose,
        scene: &Scene,
        view: &View,
        meshes: &mut Vec<MeshInstance<'a>>,
    ) {
        match self {
            Self::Solid(mesh) => meshes.push(MeshInstance {
                mesh,
                pose: pose.to_affine(),
                color: look.color.0,
                opacity: look.opacity,
                casts_shadow: true,
            }),
            Self::Plane(board) => {
                let (height, tolerance) = (scene.render.ground_height, scene.particle_radius);
                let is_ground = board.is_level_at(pose, view.up, height, tolerance);
                if !is_ground && board.faces(pose, view.position) {
                    meshes.extend(board.instances(pose, look));
                }
            }
        }
    }
}

fn is_smooth(shape: &Shape) -> bool {
    use Shape::{Capsule, Heightfield, SdfGrid, Sphere, TriangleMesh};
    matches!(
        shape,
        Capsule(_) | Heightfield(_) | SdfGrid(_) | Sphere(_) | TriangleMesh(_)
    )
}
