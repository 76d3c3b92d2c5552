//! From a world to what is exported of it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4Swizzles};
use motes_core::colliders::Plane;
use motes_core::{Collider, Shape, World};
use motes_geometry::{Creased, Detail, ShadedMesh, tessellate};
use motes_render::Camera;
use motes_scene::model::LiquidWord;
use motes_scene::{BodyForm, BodyLook, Built, ColliderLook, CreatureForm, Looks, Scene};

use super::skinned::SkinnedMesh;
use super::snapshot::{Cloud, Geometry, Object, Paint, Snapshot, Timeline};
use crate::board;
use crate::cloth::sheets;
use crate::creature::poses;
use crate::liquid::{liquids, puddles};
use crate::obstacle::is_smooth;
use crate::surface::Surface;
use crate::track::CameraTrack;

/// Edges between faces that meet at a larger angle stay sharp, degrees; as in pictures.
const CREASE: f32 = 60.0;

/// The same for shapes with flat sides.
const FLAT: f32 = 0.5;

/// Particles that no look tells the colour of.
const PLAIN: [u8; 3] = [200; 3];

/// The colliders and bodies of a world as they are exported: names, meshes and colours, which stay the same from frame to frame.
///
/// Colliders that are not visible are left out. Bodies are meshes, however they are drawn in pictures. Liquids are surfaces; particles in
/// scenes that draw them so.
pub struct Inventory {
    looks: Looks,
    colliders: Vec<(ColliderLook, String, Arc<ShadedMesh>)>,
    bodies: Vec<ExportedBody>,
    /// Name and mesh of each creature, as the looks list them.
    creatures: Vec<(String, Option<Arc<SkinnedMesh>>)>,
    /// Names of cloth and ropes, as the looks list them.
    sheets: Vec<String>,
    /// Names of the clouds of groups, by index.
    clouds: BTreeMap<u32, String>,
    /// The resolution of surfaces of liquids, diameters; nothing if these are clouds.
    liquid_resolution: Option<f32>,
}

struct ExportedBody {
    name: String,
    creased: Arc<Creased>,
    /// The mesh of its form.
    rest: Arc<ShadedMesh>,
}

impl Inventory {
    /// Of a world and its looks. Planes become squares, as large as this camera would see them.
    pub fn new(world: &World, looks: &Looks, camera: &Camera) -> Self {
        let mut names = Names::default();
        let seen = looks.colliders.iter();
        let seen = seen.filter(|look| look.visible && look.opacity > 0.0);
        let colliders = seen
            .filter_map(|look| {
                let collider = world.collider(look.collider)?;
                let name = names.unique(&collider.name, "collider");
                Some((*look, name, Arc::new(collider_mesh(collider, camera))))
            })
            .collect();
        let mut forms: Vec<(&Arc<BodyForm>, Arc<Creased>, Arc<ShadedMesh>)> = Vec::new();
        let mut bodies = Vec::new();
        for look in &looks.bodies {
            // Copies come one after the other.
            if !forms.last().is_some_and(|(form, _, _)| Arc::ptr_eq(form, &look.form)) {
                let creased = Creased::new(&look.form.mesh, CREASE);
                let rest = creased.shaded(&look.form.mesh.positions);
                forms.push((&look.form, Arc::new(creased), Arc::new(rest)));
            }
            let group = world.group(look.group).map_or("", |group| &group.name);
            let name = names.unique(group, "body");
            if let Some((_, creased, rest)) = forms.last() {
                bodies.push(ExportedBody {
                    name,
                    creased: creased.clone(),
                    rest: rest.clone(),
                });
            }
        }
        let mut last: Option<(&Arc<CreatureForm>, Option<Arc<SkinnedMesh>>)> = None;
        let mut creatures = Vec::new();
        for look in &looks.creatures {
            let known = last.take().filter(|(form, _)| Arc::ptr_eq(form, &look.form));
            let (_, mesh) = known.unwrap_or_else(|| (&look.form, SkinnedMesh::of_form(&look.form, CREASE).ok()));
            creatures.push((names.unique(&look.name, "creature"), mesh.clone()));
            last = Some((&look.form, mesh));
        }
        let sheets = looks.sheets.iter().map(|look| names.unique(&look.name, "cloth"));
        let sheets = sheets.collect();
        let groups = world.groups();
        let clouds = groups.map(|(id, group)| (id.index(), names.unique(&group.name, "grains")));
        let clouds = clouds.collect();
        Self {
            looks: looks.clone(),
            colliders,
            bodies,
            creatures,
            sheets,
            clouds,
            liquid_resolution: Some(0.5),
        }
    }

    /// Of a scene, whose camera tells how large planes are.
    pub fn of_scene(scene: &Scene, built: &Built) -> Self {
        let camera = CameraTrack::new(built).camera(scene, 0);
        let is_surface = scene.render.liquid == LiquidWord::Surface;
        Self {
            liquid_resolution: is_surface.then_some(scene.render.liquid_resolution),
            ..Self::new(&built.world, &built.looks, &camera)
        }
    }

    /// What there is of the world at present.
    pub fn snapshot(&self, world: &mut World) -> Snapshot {
        let mut objects = Vec::new();
        for (look, name, mesh) in &self.colliders {
            let is_on = world.is_collider_on(look.collider).unwrap_or(false);
            if let Some(pose) = world.collider_pose(look.collider).filter(|_| is_on) {
                objects.push(Object {
                    name: name.clone(),
                    paint: Paint {
                        opacity: look.opacity,
                        ..Paint::solid(look.color.0)
                    },
                    geometry: Geometry::Rigid(mesh.clone(), pose),
                });
            }
        }
        for (look, body) in self.looks.bodies.iter().zip(&self.bodies) {
            let geometry = match Surface::of(world, look) {
                Some(Surface::Rigid(pose)) => Geometry::Rigid(body.rest.clone(), pose),
                Some(Surface::Bent(vertices)) => Geometry::Changing(body.creased.shaded(&vertices)),
                None => continue,
            };
            objects.push(Object {
                name: body.name.clone(),
                paint: Paint::solid(look.color.0),
                geometry,
            });
        }
        for (look, (name, mesh)) in self.looks.creatures.iter().zip(&self.creatures) {
            if let (Some(poses), Some(mesh)) = (poses(world, look), mesh) {
                objects.push(Object {
                    name: name.clone(),
                    paint: Paint::solid(look.color.0),
                    geometry: Geometry::Skinned(mesh.clone(), poses),
                });
            }
        }
        let found = sheets(world, &self.looks).into_iter().zip(&self.sheets);
        objects.extend(found.map(|(sheet, name)| Object {
            name: name.clone(),
            ..sheet.object()
        }));
        if let Some(resolution) = self.liquid_resolution {
            let found = liquids(world, &self.looks, resolution);
            objects.extend(found.iter().map(|liquid| {
                let name = self.clouds.get(&liquid.group.index());
                liquid.object(name.unwrap_or(&liquid.name))
            }));
        }
        Snapshot {
            frame: world.frame(),
            objects,
            clouds: self.clouds(world),
        }
    }

    /// Numbers of the groups that are exported as surfaces of liquids.
    fn surfaces(&self, world: &World) -> Vec<u32> {
        match self.liquid_resolution {
            Some(_) => puddles(world).into_iter().flat_map(|puddle| puddle.groups).collect(),
            None => Vec::new(),
        }
    }

    /// The particles that are no part of a liquid's surface, of a sheet, or of a body that is there.
    fn clouds(&self, world: &mut World) -> Vec<Cloud> {
        let bodies = world.bodies();
        let whole = |look: &&BodyLook| bodies.place(look.body).is_some();
        let hidden: HashSet<u32> = { self.looks.bodies.iter().filter(whole) }
            .map(|look| look.group.index())
            .chain(self.looks.sheets.iter().map(|look| look.group.index()))
            .chain(self.looks.creatures.iter().map(|look| look.group.index()))
            .chain(self.surfaces(world))
            .collect();
        let groups = self.looks.groups.iter().map(|look| (look.group.index(), look.color.0));
        let bodies = self.looks.bodies.iter().map(|look| (look.group.index(), look.color.0));
        let colors: HashMap<u32, [u8; 3]> = groups.chain(bodies).collect();
        let radii = world.particle_radii();
        let particles = world.particles();
        let mut found: BTreeMap<u32, (f32, Vec<(u32, Vec3)>)> = BTreeMap::new();
        for (slot, &radius) in radii.iter().enumerate() {
            let group = particles.phases[slot].group();
            if !hidden.contains(&group) {
                let (_, rows) = found.entry(group).or_insert((radius, Vec::new()));
                rows.push((particles.ids()[slot].index, particles.positions[slot].xyz()));
            }
        }
        let cloud = |(group, (radius, mut rows)): (u32, (f32, Vec<(u32, Vec3)>))| {
            rows.sort_unstable_by_key(|row| row.0);
            let name = self.clouds.get(&group).cloned();
            Cloud {
                name: name.unwrap_or_else(|| format!("group {group}")),
                paint: Paint::solid(colors.get(&group).copied().unwrap_or(PLAIN)),
                radius,
                positions: rows.iter().map(|row| row.1).collect(),
                ids: rows.iter().map(|row| row.0).collect(),
            }
        };
        found.into_iter().map(cloud).collect()
    }
}

impl Timeline {
    /// That of a scene.
    pub fn of_scene(scene: &Scene) -> Self {
        Self {
            name: scene.name.clone(),
            frames_per_second: f64::from(scene.frame_rate),
            z_up: scene.up.vector() == Vec3::Z,
        }
    }
}

fn collider_mesh(collider: &Collider, camera: &Camera) -> ShadedMesh {
    if let Shape::Plane(plane) = &collider.shape {
        return square(plane, collider, camera);
    }
    let mesh = tessellate(&collider.shape, &Detail::default());
    let angle = if is_smooth(&collider.shape) { CREASE } else { FLAT };
    Creased::new(&mesh, angle).shaded(&mesh.positions)
}

/// The part of a plane that is before the camera; texture coordinates are metres.
fn square(plane: &Plane, collider: &Collider, camera: &Camera) -> ShadedMesh {
    let (middle, [across, along]) = board::layout(plane, &collider.initial_pose, camera);
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let (width, height) = (across.length(), along.length());
    ShadedMesh {
        positions: corners.map(|(x, y)| middle + x * across + y * along).to_vec(),
        normals: vec![plane.normal(); 4],
        uvs: corners.map(|(x, y)| Vec2::new(x * width, y * height)).to_vec(),
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    }
}

/// Names that are no other's.
#[derive(Default)]
struct Names(HashSet<String>);

impl Names {
    fn unique(&mut self, wanted: &str, otherwise: &str) -> String {
        let wanted = if wanted.is_empty() { otherwise } else { wanted };
        let numbered = (2..).map(|number| format!("{wanted} {number}"));
        let mut all = std::iter::once(wanted.to_owned()).chain(numbered);
        let name = all.find(|name| !self.0.contains(name)).unwrap_or_default();
        self.0.insert(name.clone());
        name
    }
}
