//! What a creature is made of: its model, scaled and stood upright.

use std::sync::{Arc, LazyLock};

use glam::{Affine3A, Vec3};
use motes_core::{Bounds, Pose};
use motes_geometry::{Density, GeometryError, RigOptions, RigSkin, models, repair, rig};

use super::CreatureForm;
use crate::compile::Surroundings;
use crate::compile::bodies::{MeshSource, modelled, read_file};
use crate::decode::advice;
use crate::issues::Issues;
use crate::mesh_files::Rigs;
use crate::model::CreatureTable;
use crate::rig_file::{MODEL_RESOLUTION, RigModel};

/// Particles of a creature that says no number.
const PARTICLES: u32 = 300;

/// Most particles that are sprayed over one mesh.
const MOST_SPRAYED: f64 = 1e5;

/// Models that were rigged, because a scene is often checked and then built.
static RIGGED: LazyLock<Rigs> = LazyLock::new(Rigs::default);

/// The model of a table, and by how much it is scaled; notes what cannot be made.
pub(super) fn model(
    table: &CreatureTable,
    path: &str,
    around: &Surroundings<'_>,
    issues: &mut Issues<'_>,
) -> Option<(Arc<RigModel>, f32)> {
    let sources = [
        table.file.as_ref().map(|_| "file"),
        table.mesh.as_ref().map(|_| "mesh"),
        table.model.as_ref().map(|_| "model"),
    ];
    let given: Vec<&'static str> = sources.into_iter().flatten().collect();
    let source = match given[..] {
        [only] => only,
        [] => {
            issues.error(path, "expected one of `file`, `mesh` and `model`");
            return None;
        }
        [first, second, ..] => {
            issues.error(
                &format!("{path}.{second}"),
                format!("expected only one of `{first}` and `{second}`"),
            );
            return None;
        }
    };
    if !belongs(table, source, path, issues) {
        return None;
    }
    let model = match &table.file {
        Some(file) => from_file(file, path, around, issues)?,
        None => rigged(table, source, path, around, issues)?,
    };
    let found = model.mesh.bounds().size().max_element();
    let factor = table.size.map_or(1.0, |size| size / found);
    if !(factor.is_normal() && (found * factor).is_finite()) {
        issues.error(&format!("{path}.{source}"), "the mesh has no size");
        return None;
    }
    Some((model, factor))
}

/// Refuses keys that are for another source.
fn belongs(table: &CreatureTable, source: &str, path: &str, issues: &mut Issues<'_>) -> bool {
    let is_rigged = source != "file";
    let strays = [
        ("mesh_up", table.mesh_up.is_some(), source == "mesh", "mesh files"),
        ("mesh_scale", table.mesh_scale.is_some(), source == "mesh", "mesh files"),
        ("resolution", table.resolution.is_some(), source == "model", "models"),
        ("particles", table.particles.is_some(), is_rigged, "what is rigged here"),
        ("spacing", table.spacing.is_some(), is_rigged, "what is rigged here"),
        ("surface", table.surface.is_some(), is_rigged, "what is rigged here"),
        ("aspect", table.aspect.is_some(), is_rigged, "what is rigged here"),
    ];
    let mut fine = true;
    for (key, _, _, kind) in strays.iter().filter(|(_, given, belongs, _)| *given && !belongs) {
        issues.error(
            &format!("{path}.{key}"),
            format!("is for {kind}, and this is a {source}"),
        );
        fine = false;
    }
    if table.particles.is_some() && table.spacing.is_some() {
        issues.error(
            &format!("{path}.spacing"),
            "expected only one of `particles` and `spacing`",
        );
        fine = false;
    }
    fine
}

/// A model file; each of its mistakes comes with its own place.
fn from_file(file: &str, path: &str, around: &Surroundings<'_>, issues: &mut Issues<'_>) -> Option<Arc<RigModel>> {
    let full = around.folder.join(file);
    let key = format!("file {}", full.display());
    let place = format!("{path}.file");
    let read = || {
        around.steps.begin(format_args!("reading {}", full.display()));
        RigModel::load(&full).map(|(model, _)| model)
    };
    match around.rigs.get(key, read) {
        Ok(model) => Some(model),
        Err(error) => {
            let count = error.problems.len();
            let first = error.problems.first().map(ToString::to_string).unwrap_or_default();
            let message = match count {
                1 => first,
                _ => format!("{count} mistakes in the model; the first: {first}"),
            };
            issues.error(&place, message);
            None
        }
    }
}

fn rigged(
    table: &CreatureTable,
    source: &str,
    path: &str,
    around: &Surroundings<'_>,
    issues: &mut Issues<'_>,
) -> Option<Arc<RigModel>> {
    let place = format!("{path}.{source}");
    let (mesh, color) = match (&table.mesh, &table.model) {
        (Some(file), _) => {
            let source = MeshSource {
                file,
                up: table.mesh_up,
                scale: table.mesh_scale.unwrap_or(1.0),
            };
            let read = read_file(&source, &place, around, issues)?;
            (read.0.clone(), read.0.main_color())
        }
        (None, name) => {
            let name = name.as_deref().unwrap_or_default();
            let Some(&known) = models::NAMES.iter().find(|known| **known == name) else {
                let (help, _) = advice(name, &models::NAMES);
                issues.error_with_help(&place, format!("unknown model `{}`", name.escape_debug()), help);
                return None;
            };
            let finest = (0.25 * around.limits.samples as f32).cbrt() as u32;
            let resolution = table.resolution.unwrap_or(MODEL_RESOLUTION);
            let made = modelled(known, resolution.min(finest).max(4));
            let (mesh, color) = issues.accept(&place, made)?;
            (repair(&mesh).0, Some(color.0))
        }
    };
    let found = mesh.bounds().size().max_element();
    let factor = table.size.map_or(1.0, |size| size / found);
    let wanted = match table.spacing {
        Some(spacing) => f64::from(mesh.area()) * f64::from(factor * factor) / f64::from(spacing * spacing),
        None => f64::from(table.particles.unwrap_or(PARTICLES)),
    };
    if wanted > MOST_SPRAYED.min(around.limits.particles as f64) {
        let key = if table.spacing.is_some() {
            "spacing"
        } else {
            "particles"
        };
        let message = format!("about {wanted:.1e} particles would have to be sprayed, which are too many");
        issues.error(&format!("{path}.{key}"), message);
        return None;
    }
    let options = RigOptions {
        density: match table.spacing {
            Some(spacing) => Density::Spacing(spacing / factor),
            None => Density::Count(table.particles.unwrap_or(PARTICLES) as usize),
        },
        skeleton: !table.surface.unwrap_or(false),
        aspect: table.aspect.unwrap_or(RigOptions::default().aspect),
        seed: around.scene.seed,
        ..RigOptions::default()
    };
    let key = format!(
        "{:?} {:?} {:?} {:?} {} {options:?}",
        table.mesh,
        table.mesh_up,
        table.mesh_scale,
        table.model,
        mesh.positions.len()
    );
    let make = || {
        let name = table.model.as_deref().or(table.mesh.as_deref()).unwrap_or_default();
        around.steps.begin(format_args!("rigging {name}"));
        rig(&mesh, &options).map(|rig| RigModel::of_rig(mesh.clone(), color, rig))
    };
    let known = if source == "model" { &*RIGGED } else { around.rigs };
    match known.get(key, make) {
        Ok(model) => Some(model),
        Err(error) => {
            issues.error(&place, error.to_string());
            None
        }
    }
}

fn placed(factor: f32, around: &Surroundings<'_>) -> Affine3A {
    Affine3A::from_scale_rotation_translation(Vec3::splat(factor), around.upright.rotation(), Vec3::ZERO)
}

/// A box around the mesh of a model as it stands in the scene.
pub(super) fn upright_bounds(model: &RigModel, factor: f32, around: &Surroundings<'_>) -> Bounds {
    let turned = Pose {
        position: Vec3::ZERO,
        rotation: around.upright.rotation(),
    };
    let bounds = model.mesh.bounds();
    let scaled = Bounds {
        min: bounds.min * factor,
        max: bounds.max * factor,
    };
    scaled.transformed(&turned)
}

/// What a model looks like as it stands in the scene, and a box around that.
pub(super) fn form(
    model: &RigModel,
    factor: f32,
    around: &Surroundings<'_>,
) -> (Result<CreatureForm, GeometryError>, Bounds) {
    let mesh = model.mesh.clone().transformed(&placed(factor, around));
    let turn = around.upright.rotation();
    let bind: Vec<Pose> = model
        .particles
        .iter()
        .map(|particle| Pose {
            position: turn * (factor * particle.position),
            rotation: (turn * particle.orientation).normalize(),
        })
        .collect();
    let bounds = mesh.bounds();
    let skin = RigSkin::new(&mesh, model.weights.clone(), bind.len());
    let form = skin.map(|skin| CreatureForm {
        mesh,
        skin,
        bind,
        radii: model.particles.iter().map(|particle| factor * particle.radii).collect(),
        edges: model.edges.clone(),
    });
    (form, bounds)
}
