//! What bodies are made of: a mesh file, a model or a solid, as a mesh in the coordinates of the scene.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use glam::{Affine3A, DVec3, Vec3};
use motes_geometry::body::Filling;
use motes_geometry::{
    BodyOptions, GeometryError, Mesh, ReadError, ReadOptions, Solid, first_not_finite, models, read_mesh, repair,
};

use super::Surroundings;
use crate::compile::solid::solid;
use crate::decode::advice;
use crate::issues::Issues;
use crate::mesh_files::Repaired;
use crate::model::{BodyKeys, BodyKind, Color, SolidShape, Up};

/// A mesh, and what is known of it.
pub(super) struct Form {
    pub(super) mesh: Mesh,
    /// The key it comes from.
    pub(super) source: &'static str,
    /// What is wrong with a file that could not be repaired.
    pub(super) faults: Vec<String>,
    pub(super) color: Option<Color>,
}

/// Longest sides of bodies, metres: masses and moments of inertia stay within the range of numbers.
const SIZES: std::ops::RangeInclusive<f32> = 1e-5..=1e6;

/// Triangles that all copies of a model or solid have together, about.
const TRIANGLES: f32 = 1_000_000.0;

/// Triangles of a model per square of its resolution, about.
const TRIANGLES_PER_SQUARE: f32 = 4.2;

/// Resolutions that are chosen for models without being asked, and those for solids, which have less detail.
const MODELS: (f32, f32) = (16.0, 96.0);
const SOLIDS: (f32, f32) = (8.0, 32.0);

/// Finest resolution that is chosen so that particles are not smaller than triangles.
const FINEST: f32 = 192.0;

impl Form {
    /// The mesh of a table; notes what cannot be made.
    pub(super) fn make(
        kind: BodyKind,
        keys: &BodyKeys,
        path: &str,
        around: &Surroundings<'_>,
        issues: &mut Issues<'_>,
    ) -> Option<Self> {
        let given: Vec<&'static str> = [
            keys.mesh.as_ref().map(|_| "mesh"),
            keys.model.as_ref().map(|_| "model"),
            keys.shape.as_ref().map(|_| "shape"),
        ]
        .into_iter()
        .flatten()
        .collect();
        let source = match given[..] {
            [only] => only,
            [] => {
                issues.error(path, "expected one of `mesh`, `model` and `shape`");
                return None;
            }
            [first, second, ..] => {
                let message = format!("expected only one of `{first}` and `{second}`");
                issues.error(&format!("{path}.{second}"), message);
                return None;
            }
        };
        let strays = [
            ("mesh_up", keys.mesh_up.is_some(), source == "mesh", "mesh files"),
            ("mesh_scale", keys.mesh_scale.is_some(), source == "mesh", "mesh files"),
            ("size", keys.size.is_some(), source != "shape", "meshes and models"),
            (
                "resolution",
                keys.resolution.is_some(),
                source != "mesh",
                "models and shapes",
            ),
        ];
        let mut fine = true;
        for (key, given, belongs, kind) in strays {
            if given && !belongs {
                issues.error(
                    &format!("{path}.{key}"),
                    format!("is for {kind}, and this is a {source}"),
                );
                fine = false;
            }
        }
        let mut faults = Vec::new();
        let (mesh, color) = match (&keys.mesh, &keys.model, &keys.shape) {
            (Some(file), ..) => {
                let source = MeshSource {
                    file,
                    up: keys.mesh_up,
                    scale: keys.mesh_scale.unwrap_or(1.0),
                };
                let read = read_file(&source, &format!("{path}.mesh"), around, issues)?;
                let (mesh, repairs) = &*read;
                if !repairs.after.is_solid() {
                    faults = repairs.after.faults();
                }
                (mesh.clone(), mesh.main_color().map(Color))
            }
            (_, Some(name), _) => {
                let (mesh, color) = model(name, keys, path, around, issues)?;
                (repair(&mesh).0, Some(color))
            }
            (_, _, Some(shape)) => (repair(&of_solid(shape, kind, keys, path, around, issues)?).0, None),
            _ => return None,
        };
        if !fine {
            return None;
        }
        let mesh = scaled(mesh, keys.size, &format!("{path}.{source}"), issues)?;
        Some(Self {
            mesh: mesh.transformed(&Affine3A::from_quat(around.upright.rotation())),
            source,
            faults,
            color,
        })
    }

    /// Refuses bodies of which there would be more than the limits allow.
    pub(super) fn fits(
        &self,
        options: &BodyOptions,
        copies: usize,
        already: u64,
        path: &str,
        around: &Surroundings<'_>,
        issues: &mut Issues<'_>,
    ) -> bool {
        let source = format!("{path}.{}", self.source);
        let pitch = f64::from(options.pitch());
        let size = self.mesh.bounds().size().as_dvec3().max(DVec3::ZERO);
        let cells = (size / pitch + 1.0).element_product();
        let layers = |count: u32| f64::from(self.mesh.area()) / (pitch * pitch) * f64::from(count);
        let looked_at = match options.filling {
            Filling::Solid => cells,
            Filling::Shell { layers: count } => layers(count),
        };
        if looked_at > around.limits.places as f64 {
            let limit = around.limits.places;
            let message = format!("{looked_at:.1e} places for particles have to be looked at, the limit is {limit}");
            issues.error_with_help(&source, message, "raise `particle_radius`, or make the body smaller");
            return false;
        }
        let filled = f64::from(self.mesh.volume().max(0.0)) / pitch.powi(3);
        let expected = match options.filling {
            Filling::Solid => filled,
            Filling::Shell { layers: count } => layers(count).min(filled),
        };
        // What a mesh encloses is only an estimate of its particles, so that what is near the limit is tried.
        let all = 0.5 * expected * copies as f64;
        if all + already as f64 > around.limits.particles as f64 {
            refuse_count(2.0 * all, &source, around, issues);
            return false;
        }
        true
    }
}

/// Notes that there are too many particles.
pub(super) fn refuse_count(count: f64, source: &str, around: &Surroundings<'_>, issues: &mut Issues<'_>) {
    let limit = around.limits.particles;
    let message = format!("about {count:.2e} particles are too many: a scene holds at most {limit}");
    issues.error_with_help(
        source,
        message,
        "raise `particle_radius`, make the bodies smaller, or take fewer",
    );
}

/// A mesh file and how its coordinates are meant.
pub(in crate::compile) struct MeshSource<'a> {
    pub(in crate::compile) file: &'a str,
    pub(in crate::compile) up: Option<Up>,
    /// Metres per unit of the file.
    pub(in crate::compile) scale: f32,
}

impl MeshSource<'_> {
    /// How the file is read.
    pub(in crate::compile) fn options(&self) -> ReadOptions {
        ReadOptions {
            up: match self.up {
                None | Some(Up::Y) => motes_geometry::Up::Y,
                Some(Up::Z) => motes_geometry::Up::Z,
            },
            scale: self.scale,
        }
    }
}

/// The repaired mesh of a file, which is read once for a scene. `place` is the path of the key that names it.
pub(in crate::compile) fn read_file(
    source: &MeshSource<'_>,
    place: &str,
    around: &Surroundings<'_>,
    issues: &mut Issues<'_>,
) -> Option<Arc<Repaired>> {
    let options = source.options();
    let full = around.folder.join(source.file);
    let key = (
        full.clone(),
        options.up == motes_geometry::Up::Z,
        options.scale.to_bits(),
    );
    match around.mesh_files.get(key, || {
        around.steps.begin(format_args!("reading {}", full.display()));
        read_mesh(&full, &options)
    }) {
        Ok(read) => {
            let broken = read.1.dropped_broken;
            if broken > 0 {
                let mut message =
                    format!("triangles with corners that are missing or not finite are left out: {broken}");
                if let Some(found) = first_not_finite(&full) {
                    message += &format!("; {found}");
                }
                issues.warning_with_help(
                    place,
                    message,
                    "`motes mesh FILE` says what else is wrong with the mesh",
                );
            }
            Some(read)
        }
        Err(error) => {
            let text = error.to_string();
            let message = match &error {
                ReadError::File { .. } | ReadError::UnknownFormat { .. } => text,
                _ => format!("{}: {text}", full.display()),
            };
            match models::NAMES.contains(&source.file) {
                true => {
                    let help = format!("did you mean `model = \"{}\"`?", source.file);
                    issues.error_with_help(place, message, help);
                }
                false => issues.error(place, message),
            }
            None
        }
    }
}

fn model(
    name: &str,
    keys: &BodyKeys,
    path: &str,
    around: &Surroundings<'_>,
    issues: &mut Issues<'_>,
) -> Option<(Mesh, Color)> {
    let place = format!("{path}.model");
    let Some(&known) = models::NAMES.iter().find(|known| **known == name) else {
        let (help, _) = advice(name, &models::NAMES);
        issues.error_with_help(&place, format!("unknown model `{}`", name.escape_debug()), help);
        return None;
    };
    let resolution = resolution(keys.size.unwrap_or(1.0), MODELS, keys, around);
    issues.accept(&place, modelled(known, resolution))
}

/// A model and its resolution.
type ModelKey = (&'static str, u32);

/// Models that were meshed, because a scene is often checked and then built.
static MODELLED: Mutex<BTreeMap<ModelKey, (Mesh, Color)>> = Mutex::new(BTreeMap::new());

/// Most models that are kept.
const KEPT: usize = 16;

/// The mesh of a model, which is about a metre large, and its colour.
pub(in crate::compile) fn modelled(name: &'static str, resolution: u32) -> Result<(Mesh, Color), GeometryError> {
    let kept = || MODELLED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(made) = kept().get(&(name, resolution)) {
        return Ok(made.clone());
    }
    let Some(model) = models::by_name(name) else {
        return Err(GeometryError::NoVolume);
    };
    let made = (model.mesh(resolution)?, Color(model.color()));
    let mut kept = kept();
    if kept.len() >= KEPT {
        kept.clear();
    }
    kept.insert((name, resolution), made.clone());
    Ok(made)
}

fn of_solid(
    shape: &SolidShape,
    kind: BodyKind,
    keys: &BodyKeys,
    path: &str,
    around: &Surroundings<'_>,
    issues: &mut Issues<'_>,
) -> Option<Mesh> {
    let place = format!("{path}.shape");
    let solid = solid(shape, around.upright, &place, issues)?;
    let size = solid.bounds().size().max_element();
    // The long triangles of turned shapes would wrinkle; those of a union are even.
    let solid = match kind {
        BodyKind::Rigid => solid,
        BodyKind::Soft | BodyKind::Plastic => Solid::Union(vec![solid]),
    };
    issues.accept(&place, Mesh::from_solid(&solid, resolution(size, SOLIDS, keys, around)))
}

/// Cells along the longest side of a body of that size, metres: the more copies, the coarser; but not coarser than the
/// particles.
fn resolution(size: f32, (coarsest, finest): (f32, f32), keys: &BodyKeys, around: &Surroundings<'_>) -> u32 {
    let copies = keys.copies.as_ref().and_then(|copies| copies.count).unwrap_or([1; 3]);
    let copies: f32 = copies.iter().map(|count| *count as f32).product();
    let affordable = (TRIANGLES / TRIANGLES_PER_SQUARE / copies).sqrt();
    let across = size / (2.0 * around.scene.radius_or(keys.radius) * keys.spacing());
    let chosen = affordable.clamp(coarsest, finest).max(across.min(FINEST));
    let most = (0.25 * around.limits.samples as f32).cbrt();
    let wanted = keys.resolution.map_or(chosen, |wanted| wanted as f32);
    wanted.min(most).max(4.0) as u32
}

/// The mesh with its longest side as long as wanted.
fn scaled(mesh: Mesh, size: Option<f32>, place: &str, issues: &mut Issues<'_>) -> Option<Mesh> {
    let corners = mesh.triangles.iter().flatten();
    let used = corners.filter_map(|&corner| mesh.positions.get(corner as usize));
    let bounds = motes_core::Bounds::of(used.copied());
    let found = bounds.size().max_element();
    if !(found > 0.0 && found.is_finite()) {
        issues.error(place, "the mesh has no size");
        return None;
    }
    let factor = size.map_or(1.0, |size| size / found);
    let result = found * factor;
    if !SIZES.contains(&result) || !factor.is_normal() {
        let message = format!("the mesh is {result:e} m large; expected 1e-5 to 1e6 m");
        issues.error_with_help(place, message, "set `size` or `mesh_scale`");
        return None;
    }
    match size {
        None => Some(mesh),
        Some(_) => Some(mesh.transformed(&Affine3A::from_scale(Vec3::splat(factor)))),
    }
}
