//! From a world to a picture of it.

use std::sync::Arc;

use glam::{Affine3A, Vec4, Vec4Swizzles};
use motes_core::{Pose, Shape, World};
use motes_geometry::{Detail, tessellate};
use motes_render::{Camera, Drawing, Ground, Image, Lighting, Mesh, MeshInstance, Preview, Quality, Spheres, color};
use motes_scene::model::ColorBy;
use motes_scene::{BodyForm, BodyLook, ColliderLook, Looks, Scene, View};
use rayon::prelude::*;

use crate::board::Board;
use crate::surfaces::Surface;

/// Draws the frames of one scene.
pub(crate) struct Artist {
    preview: Preview,
    obstacles: Vec<(ColliderLook, Obstacle)>,
    /// The forms of bodies, each once.
    forms: Vec<(Arc<BodyForm>, Mesh)>,
    /// For every body that is drawn as a mesh: its place among the looks, that of its form, and whether it has copies.
    bodies: Vec<(usize, usize, bool)>,
    spheres: Vec<Balls>,
}

/// Particles of one size.
struct Balls {
    radius: f32,
    positions: Vec<Vec4>,
    colors: Vec<[u8; 3]>,
}

impl Balls {
    fn as_spheres(&self) -> Spheres<'_> {
        Spheres {
            positions: &self.positions,
            radius: self.radius,
            colors: &self.colors,
        }
    }
}

/// Those of a radius, of which there are few.
fn balls_of(all: &mut Vec<Balls>, radius: f32) -> &mut Balls {
    let place = all.iter().position(|balls| balls.radius == radius).unwrap_or_else(|| {
        all.push(Balls {
            radius,
            positions: Vec::new(),
            colors: Vec::new(),
        });
        all.len() - 1
    });
    &mut all[place]
}

/// A collider as it is drawn, in its own frame.
enum Obstacle {
    Solid(Mesh),
    Plane(Board),
}

/// How much a grain's colour differs from its neighbours'.
const GRAIN_VARIATION: f32 = 0.12;

/// How much the colour of a body differs from that of its copies.
const COPY_VARIATION: f32 = 0.5;

impl Artist {
    /// Prepares colliders and bodies for drawing.
    pub(crate) fn new(world: &World, scene: &Scene, looks: &Looks) -> Self {
        let view = scene.camera_at(0);
        let drawn = looks.colliders.iter();
        let drawn = drawn.filter(|look| look.visible && look.opacity > 0.0);
        let obstacles = drawn.filter_map(|look| {
            let collider = world.collider(look.collider)?;
            let obstacle = match &collider.shape {
                Shape::Plane(plane) => Obstacle::Plane(Board::new(*plane, &collider.initial_pose, &view)),
                shape => {
                    let mesh = tessellate(shape, &Detail::default());
                    Obstacle::Solid(Mesh::new(mesh.positions, mesh.triangles, is_smooth(shape)))
                }
            };
            Some((*look, obstacle))
        });
        let obstacles = obstacles.collect();
        let (forms, bodies) = forms(looks);
        Self {
            preview: Preview::new(),
            obstacles,
            forms,
            bodies,
            spheres: Vec::new(),
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
        self.pick_spheres(world, scene, looks);
        let surfaces = self.surfaces(world, scene, looks);
        let view = scene.camera_at(frame);
        let up = view.up;
        let mut lighting = Lighting::with_up(up);
        lighting.horizon_color = scene.render.background.0;
        if let Some(light) = scene.render.light {
            lighting.key_direction = -light;
        }
        let poses: Vec<_> = world.colliders().map(|(id, _, pose)| (id, *pose)).collect();
        let mut meshes = Vec::new();
        for (look, obstacle) in &self.obstacles {
            if let Some((_, pose)) = poses.iter().find(|(id, _)| *id == look.collider) {
                obstacle.draw(look, pose, scene, &view, &mut meshes);
            }
        }
        meshes.extend(surfaces.iter().map(|(mesh, pose, color)| MeshInstance {
            mesh: match mesh {
                Ok(bent) => bent,
                Err(form) => &self.forms[*form].1,
            },
            pose: *pose,
            color: *color,
            opacity: 1.0,
            casts_shadow: true,
        }));
        let drawing = Drawing {
            camera: Camera {
                position: view.position,
                target: view.target,
                up,
                field_of_view: view.field_of_view.to_degrees(),
            },
            spheres: self.spheres.iter().map(Balls::as_spheres).collect(),
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

    /// Positions and colours of all particles but those of bodies that are drawn as meshes.
    fn pick_spheres(&mut self, world: &mut World, scene: &Scene, looks: &Looks) {
        let groups = looks.groups.iter().map(|look| look.group.index() as usize + 1);
        // Of every group its colour, or nothing if it is not drawn.
        let mut shown = vec![Some([200; 3]); groups.max().unwrap_or(0)];
        for look in &looks.groups {
            shown[look.group.index() as usize] = Some(look.color.0);
        }
        // What has dissolved has no mesh any more.
        let bodies = world.bodies();
        let whole = |look: &&BodyLook| look.is_mesh && bodies.place(look.body).is_some();
        for look in looks.bodies.iter().filter(whole) {
            shown[look.group.index() as usize] = None;
        }
        let radii = world.particle_radii();
        let particles = world.particles();
        for balls in &mut self.spheres {
            balls.positions.clear();
            balls.colors.clear();
        }
        for slot in 0..particles.len() {
            let group = particles.phases[slot].group() as usize;
            let Some(base) = shown.get(group).copied().unwrap_or(Some([200; 3])) else {
                continue;
            };
            let id = particles.ids()[slot].index;
            let balls = balls_of(&mut self.spheres, radii[slot]);
            balls.positions.push(particles.positions[slot]);
            balls.colors.push(match scene.render.color_by {
                ColorBy::Id => color::by_id(id),
                ColorBy::Speed => color::by_speed(particles.velocities[slot].xyz().length() / scene.render.speed_max),
                ColorBy::Material => color::jitter(base, id, GRAIN_VARIATION),
            });
        }
    }

    /// Bodies that are drawn as meshes: a mesh of its own or the number of a form, its pose, and its colour.
    fn surfaces(
        &self,
        world: &mut World,
        scene: &Scene,
        looks: &Looks,
    ) -> Vec<(Result<Mesh, usize>, Affine3A, [u8; 3])> {
        let mut found = Vec::new();
        for &(number, form, is_copy) in &self.bodies {
            let look = &looks.bodies[number];
            let Some(surface) = Surface::of(world, look) else {
                continue;
            };
            let color = match scene.render.color_by {
                ColorBy::Id => color::by_id(number as u32),
                ColorBy::Speed => {
                    let speed = world
                        .body_motion(look.body)
                        .map_or(0.0, |motion| motion.velocity.length());
                    color::by_speed(speed / scene.render.speed_max)
                }
                ColorBy::Material if is_copy => color::jitter(look.color.0, number as u32, COPY_VARIATION),
                ColorBy::Material => look.color.0,
            };
            found.push((surface, form, color));
        }
        let meshed = found.into_par_iter().map(|(surface, form, color)| match surface {
            Surface::Rigid(pose) => (Err(form), pose.to_affine(), color),
            Surface::Bent(vertices) => {
                let triangles = self.forms[form].0.mesh.triangles.clone();
                (Ok(Mesh::new(vertices, triangles, true)), Affine3A::IDENTITY, color)
            }
        });
        meshed.collect()
    }
}

/// The forms of all bodies that are drawn as meshes, each once, and which body has which.
#[expect(clippy::type_complexity, reason = "two lists that belong together")]
fn forms(looks: &Looks) -> (Vec<(Arc<BodyForm>, Mesh)>, Vec<(usize, usize, bool)>) {
    let mut forms: Vec<(Arc<BodyForm>, Mesh)> = Vec::new();
    let mut bodies = Vec::new();
    let mut uses: Vec<usize> = Vec::new();
    for (number, look) in looks.bodies.iter().enumerate().filter(|(_, look)| look.is_mesh) {
        // Copies come one after the other.
        if !forms.last().is_some_and(|(form, _)| Arc::ptr_eq(form, &look.form)) {
            let mesh = look.form.mesh.clone();
            forms.push((
                look.form.clone(),
                Mesh::new(mesh.positions, mesh.triangles, true).with_levels(),
            ));
            uses.push(0);
        }
        let form = forms.len() - 1;
        uses[form] += 1;
        bodies.push((number, form, false));
    }
    for (_, form, is_copy) in &mut bodies {
        *is_copy = uses[*form] > 1;
    }
    (forms, bodies)
}

impl Obstacle {
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
