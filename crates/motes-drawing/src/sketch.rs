//! From a world to a drawing of it, frame after frame.

use glam::{Affine3A, Vec4, Vec4Swizzles};
use motes_core::{Phase, World};
use motes_render::{Camera, Drawing, Mesh, MeshInstance, Puff, Spheres, color};
use motes_scene::model::{ColorBy, GasWord};
use motes_scene::{BodyLook, Built, CreatureLook, Looks, Scene};
use rayon::prelude::*;

use crate::cloth::sheets;
use crate::creature::{ellipsoids, poses, speed, surface};
use crate::foam::specks;
use crate::forms::{Form, Member, forms};
use crate::liquid::{drawn_liquids, puddles};
use crate::liquid_look::{FOAM, drops};
use crate::obstacle::Obstacle;
use crate::sheet::{Sheet, SheetLook};
use crate::smoke::smoke_markers;
use crate::style::Style;
use crate::surface::Surface;
use crate::track::CameraTrack;

/// A world as it is drawn, and what is kept from one frame to the next: meshes of colliders and bodies, and room for
/// positions and colours.
///
/// It knows the colliders and bodies that the looks name. Particles without a look are light grey.
pub struct Sketch {
    /// Colours, ground and light; colours of particles and bodies change when the world is next followed.
    pub style: Style,
    looks: Looks,
    particle_radius: f32,
    obstacles: Vec<Obstacle>,
    forms: Vec<Form>,
    members: Vec<Member>,
    surfaces: Vec<PlacedSurface>,
    sheets: Vec<(Mesh, SheetLook)>,
    /// Surfaces of creatures, or their ellipsoids.
    creatures: Vec<(Mesh, [u8; 3])>,
    liquids: Vec<Pool>,
    spheres: Vec<Balls>,
    puffs: Vec<Puff>,
}

/// The surface of a body where it is.
struct PlacedSurface {
    geometry: Geometry,
    pose: Affine3A,
    color: [u8; 3],
}

enum Geometry {
    /// The form of that number, as it is.
    Form(usize),
    /// A mesh bent out of its form.
    Bent(Mesh),
}

/// Particles that no look tells the colour of.
const PLAIN: [u8; 3] = [200; 3];

/// How much a grain's colour differs from its neighbours'.
const GRAIN_VARIATION: f32 = 0.12;

/// How much the colour of a body differs from that of its copies.
const COPY_VARIATION: f32 = 0.5;

impl Sketch {
    /// Prepares the colliders and bodies of a world. Planes become boards, as large as this camera would see them.
    ///
    /// Particles and bodies are drawn once the world is followed.
    pub fn new(world: &World, looks: &Looks, style: Style, camera: &Camera) -> Self {
        let seen = looks.colliders.iter();
        let seen = seen.filter(|look| look.visible && look.opacity > 0.0);
        let obstacles = seen.filter_map(|look| Some(Obstacle::new(world.collider(look.collider)?, *look, camera)));
        let obstacles = obstacles.collect();
        let (forms, members) = forms(looks);
        Self {
            style,
            looks: looks.clone(),
            particle_radius: world.settings().particle_radius,
            obstacles,
            forms,
            members,
            surfaces: Vec::new(),
            sheets: Vec::new(),
            creatures: Vec::new(),
            liquids: Vec::new(),
            spheres: Vec::new(),
            puffs: Vec::new(),
        }
    }

    /// Prepares the world of a scene, in the scene's own style and for its camera.
    pub fn of_scene(scene: &Scene, built: &Built) -> Self {
        let (style, camera) = (Style::of_scene(scene), CameraTrack::new(built).camera(scene, 0));
        Self::new(&built.world, &built.looks, style, &camera)
    }

    /// Takes over where particles, bodies and colliders are.
    pub fn follow(&mut self, world: &mut World) {
        self.particle_radius = world.settings().particle_radius;
        for obstacle in &mut self.obstacles {
            obstacle.follow(world);
        }
        self.pick_spheres(world);
        let style = &self.style;
        let markers = smoke_markers(world).into_par_iter();
        let markers = markers.filter(|marker| style.shows(marker.position));
        self.puffs.clear();
        self.puffs
            .par_extend(markers.map(|marker| marker.puff(style.smoke_color)));
        self.place_surfaces(world);
        self.place_creatures(world);
        self.show_sheets(&sheets(world, &self.looks));
        self.show_liquids(world);
    }

    /// Takes over where sheets are, in place of those before. `follow` does it with those that the looks know.
    pub fn show_sheets(&mut self, sheets: &[Sheet]) {
        let meshes = sheets.par_iter().map(|sheet| (sheet.mesh(), sheet.look));
        self.sheets = meshes.collect();
    }

    /// A drawing of the world as it was when it was last followed.
    pub fn drawing(&self, camera: Camera) -> Drawing<'_> {
        let mut meshes = Vec::new();
        for obstacle in &self.obstacles {
            obstacle.draw(&self.style, &camera, self.particle_radius, &mut meshes);
        }
        meshes.extend(self.surfaces.iter().map(|surface| MeshInstance {
            mesh: match &surface.geometry {
                Geometry::Bent(mesh) => mesh,
                Geometry::Form(form) => &self.forms[*form].mesh,
            },
            pose: surface.pose,
            color: surface.color,
            opacity: 1.0,
            casts_shadow: true,
        }));
        meshes.extend(self.creatures.iter().map(|(mesh, color)| MeshInstance {
            mesh,
            pose: Affine3A::IDENTITY,
            color: *color,
            opacity: 1.0,
            casts_shadow: true,
        }));
        meshes.extend(self.sheets.iter().map(|(mesh, look)| MeshInstance {
            mesh,
            pose: Affine3A::IDENTITY,
            color: look.color,
            opacity: look.opacity,
            casts_shadow: true,
        }));
        for pool in &self.liquids {
            let instance = |mesh, color, opacity, casts_shadow| MeshInstance {
                mesh,
                pose: Affine3A::IDENTITY,
                color,
                opacity,
                casts_shadow,
            };
            meshes.push(instance(&pool.surface, pool.color, pool.opacity, true));
            meshes.push(instance(&pool.spray, FOAM, 0.5, false));
        }
        Drawing {
            camera,
            spheres: self.spheres.iter().map(Balls::as_spheres).collect(),
            meshes,
            puffs: &self.puffs,
            ground: self.style.shows_ground.then_some(self.style.ground),
            lighting: self.style.lighting,
        }
    }

    /// Positions and colours of all particles but those of bodies that are drawn as meshes and of gas that is not, and of foam.
    fn pick_spheres(&mut self, world: &mut World) {
        let shown = self.group_colors(world);
        let hides_gas = self.style.gas == GasWord::Hidden;
        let radii = world.particle_radii();
        let particles = world.particles();
        for balls in &mut self.spheres {
            balls.positions.clear();
            balls.colors.clear();
        }
        for (slot, &radius) in radii.iter().enumerate() {
            if hides_gas && particles.phases[slot].has(Phase::GAS) || !self.style.shows(particles.positions[slot].xyz())
            {
                continue;
            }
            let group = particles.phases[slot].group() as usize;
            let Some(base) = shown.get(group).copied().unwrap_or(Some(PLAIN)) else {
                continue;
            };
            let id = particles.ids()[slot].index;
            let balls = balls_of(&mut self.spheres, radius, false);
            balls.positions.push(particles.positions[slot]);
            balls.colors.push(match self.style.color_by {
                ColorBy::Id => color::by_id(id),
                ColorBy::Speed => color::by_speed(particles.velocities[slot].xyz().length() / self.style.speed_max),
                ColorBy::Material => color::jitter(base, id, GRAIN_VARIATION),
            });
        }
        let style = &self.style;
        let specks = specks(world.passive(), self.particle_radius);
        for (position, radius, color) in specks.filter(|(position, ..)| style.shows(position.xyz())) {
            let balls = balls_of(&mut self.spheres, radius, true);
            balls.positions.push(position);
            balls.colors.push(color);
        }
    }

    /// Of every group its colour, or nothing if its particles are not drawn.
    fn group_colors(&self, world: &mut World) -> Vec<Option<[u8; 3]>> {
        let mut shown = Vec::new();
        let mut set = |index: u32, color| {
            let index = index as usize;
            if index >= shown.len() {
                shown.resize(index + 1, Some(PLAIN));
            }
            shown[index] = color;
        };
        for look in &self.looks.groups {
            set(look.group.index(), Some(look.color.0));
        }
        for melt in world.melts().iter().filter(|melt| melt.origin() != melt.group()) {
            let origin = self.looks.groups.iter().find(|look| look.group == melt.origin());
            set(melt.group().index(), Some(origin.map_or(PLAIN, |look| look.color.0)));
        }
        // What has dissolved has no mesh any more.
        let bodies = world.bodies();
        let whole = |look: &&BodyLook| look.is_mesh && bodies.place(look.body).is_some();
        for look in self.looks.bodies.iter().filter(whole) {
            set(look.group.index(), None);
        }
        for look in &self.looks.sheets {
            set(look.group.index(), None);
        }
        for look in &self.looks.creatures {
            set(look.group.index(), None);
        }
        if self.style.shows_surfaces() {
            for group in puddles(world).into_iter().flat_map(|puddle| puddle.groups) {
                set(group, None);
            }
        }
        shown
    }

    /// Surfaces of liquids. A liquid that grows keeps the look of its largest amount, as one that drains does.
    fn show_liquids(&mut self, world: &World) {
        let before = std::mem::take(&mut self.liquids);
        if !self.style.shows_surfaces() {
            return;
        }
        let found = drawn_liquids(world, &self.looks, self.style.liquid_resolution);
        let pools = found.par_iter().map(|liquid| {
            let known = before.iter().find(|pool| pool.group == liquid.group.index());
            let edge = liquid.volume.cbrt().max(known.map_or(0.0, |pool| pool.edge));
            Pool {
                group: liquid.group.index(),
                edge,
                surface: liquid.look.mesh(liquid, edge),
                spray: drops(liquid),
                color: liquid.look.color,
                opacity: liquid.look.opacity(),
            }
        });
        self.liquids = pools.collect();
    }

    /// Surfaces of the bodies that are drawn as meshes.
    fn place_surfaces(&mut self, world: &mut World) {
        let mut found = Vec::with_capacity(self.members.len());
        for member in &self.members {
            if let Some(surface) = Surface::of(world, &self.looks.bodies[member.look]) {
                found.push((surface, member.form, self.body_color(world, member)));
            }
        }
        let forms = &self.forms;
        let placed = found.into_par_iter().map(|(surface, form, color)| {
            let (geometry, pose) = match surface {
                Surface::Rigid(pose) => (Geometry::Form(form), pose.to_affine()),
                Surface::Bent(vertices) => {
                    let triangles = forms[form].form.mesh.triangles.clone();
                    (Geometry::Bent(Mesh::new(vertices, triangles, true)), Affine3A::IDENTITY)
                }
            };
            PlacedSurface { geometry, pose, color }
        });
        self.surfaces = placed.collect();
    }

    /// Surfaces of creatures, or the ellipsoids of those that are drawn as particles.
    fn place_creatures(&mut self, world: &World) {
        let looks = &self.looks.creatures;
        let mut found = Vec::with_capacity(looks.len());
        for (number, look) in (0..).zip(looks) {
            if let Some(poses) = poses(world, look) {
                found.push((poses, look, self.creature_color(world, look, number)));
            }
        }
        let drawn = found.into_par_iter().map(|(poses, look, color)| {
            if !look.is_mesh {
                return (ellipsoids(&poses, &look.form.radii, color), color);
            }
            let triangles = look.form.mesh.triangles.clone();
            (Mesh::new(surface(look, &poses), triangles, true), color)
        });
        self.creatures = drawn.collect();
    }

    fn creature_color(&self, world: &World, look: &CreatureLook, number: u32) -> [u8; 3] {
        match self.style.color_by {
            ColorBy::Id => color::by_id(number),
            ColorBy::Speed => color::by_speed(speed(world, look) / self.style.speed_max),
            ColorBy::Material => look.color.0,
        }
    }

    fn body_color(&self, world: &mut World, member: &Member) -> [u8; 3] {
        let (look, number) = (&self.looks.bodies[member.look], member.look as u32);
        match self.style.color_by {
            ColorBy::Id => color::by_id(number),
            ColorBy::Speed => {
                let motion = world.body_motion(look.body);
                color::by_speed(motion.map_or(0.0, |motion| motion.velocity.length()) / self.style.speed_max)
            }
            ColorBy::Material if member.is_copy => color::jitter(look.color.0, number, COPY_VARIATION),
            ColorBy::Material => look.color.0,
        }
    }
}

/// A liquid as it is drawn.
struct Pool {
    group: u32,
    /// Edge of a cube of the most there was of it, metres.
    edge: f32,
    surface: Mesh,
    spray: Mesh,
    color: [u8; 3],
    opacity: f32,
}

/// Particles of one size.
struct Balls {
    radius: f32,
    positions: Vec<Vec4>,
    colors: Vec<[u8; 3]>,
    /// Whether they are foam.
    scatters: bool,
}

impl Balls {
    fn as_spheres(&self) -> Spheres<'_> {
        Spheres {
            positions: &self.positions,
            radius: self.radius,
            colors: &self.colors,
            scatters: self.scatters,
        }
    }
}

/// Those of a radius, of which there are few.
fn balls_of(all: &mut Vec<Balls>, radius: f32, scatters: bool) -> &mut Balls {
    let same = |balls: &Balls| balls.radius == radius && balls.scatters == scatters;
    let place = all.iter().position(same).unwrap_or_else(|| {
        all.push(Balls {
            radius,
            positions: Vec::new(),
            colors: Vec::new(),
            scatters,
        });
        all.len() - 1
    });
    &mut all[place]
}
