//! From the text of a model file to a model.

use std::path::Path;

use glam::{Affine3A, Vec3};
use motes_geometry::{Mesh, ReadOptions, VertexWeights, models, read_mesh, repair, rig_weights};

use super::check::check;
use super::{MODEL_RESOLUTION, ModelParticle, RigModel, RigTable};
use crate::decode::node::Node;
use crate::decode::{Context, Decoded, advice};
use crate::issues::Issues;
use crate::model::Up;
use crate::problem::{Problem, SceneError, Severity};
use crate::scene::read;

pub(super) fn load(path: &Path) -> Result<(RigModel, Vec<Problem>), SceneError> {
    let file = path.display().to_string();
    parse(&read(path, &file)?, &file)
}

pub(super) fn parse(text: &str, file: &str) -> Result<(RigModel, Vec<Problem>), SceneError> {
    let path = Path::new(file);
    let is_json = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    let document = if is_json {
        Node::parse_json(text, file).map_err(SceneError::from)?
    } else {
        Node::parse_document(text, file).map_err(SceneError::new)?
    };
    let Decoded {
        value: table,
        mut problems,
        doubts,
    } = Context::decode::<RigTable>(&document);
    let mut issues = Issues::new(&document, &doubts);
    let mesh = mesh(&table, path.parent().unwrap_or(Path::new("")), &mut issues);
    check(&table, mesh.as_ref().map(|(mesh, _)| mesh), &mut issues);
    let places: Vec<Vec3> = table.particles.iter().map(|particle| particle.position).collect();
    let weights = match &mesh {
        Some((mesh, _)) if table.weights.is_empty() && !places.is_empty() => {
            issues.accept("weights", rig_weights(mesh, &places, table.spacing))
        }
        _ => Some(given(&table)),
    };
    problems.extend(issues.into_sorted());
    let (errors, warnings): (Vec<Problem>, Vec<Problem>) = problems
        .into_iter()
        .partition(|problem| problem.severity == Severity::Error);
    match (mesh, weights) {
        (Some((mesh, color)), Some(weights)) if errors.is_empty() => Ok((model(table, mesh, color, weights), warnings)),
        _ => Err(SceneError::new(errors)),
    }
}

/// The mesh that a table names, repaired, and its colour.
fn mesh(table: &RigTable, folder: &Path, issues: &mut Issues<'_>) -> Option<(Mesh, Option<[u8; 3]>)> {
    let (mesh, color, source) = match (&table.mesh, &table.model) {
        (Some(file), None) => {
            if table.resolution.is_some() {
                issues.error("resolution", "is for models, and this is a mesh");
            }
            let options = ReadOptions {
                up: match table.mesh_up {
                    None | Some(Up::Y) => motes_geometry::Up::Y,
                    Some(Up::Z) => motes_geometry::Up::Z,
                },
                scale: table.mesh_scale.unwrap_or(1.0),
            };
            let full = folder.join(file);
            let found = read_mesh(&full, &options).map_err(|error| match error.to_string() {
                says if says.contains(&*full.to_string_lossy()) => says,
                says => format!("{}: {says}", full.display()),
            });
            let mesh = issues.accept("mesh", found)?;
            let color = mesh.main_color();
            (repair(&mesh).0, color, "mesh")
        }
        (None, Some(name)) => {
            for (key, given) in [
                ("mesh_up", table.mesh_up.is_some()),
                ("mesh_scale", table.mesh_scale.is_some()),
            ] {
                if given {
                    issues.error(key, "is for mesh files, and this is a model");
                }
            }
            let Some(model) = models::by_name(name) else {
                let (help, _) = advice(name, &models::NAMES);
                issues.error_with_help("model", format!("unknown model `{}`", name.escape_debug()), help);
                return None;
            };
            let made = model.mesh(table.resolution.unwrap_or(MODEL_RESOLUTION));
            (repair(&issues.accept("model", made)?).0, Some(model.color()), "model")
        }
        (Some(_), Some(_)) => {
            issues.error("model", "expected only one of `mesh` and `model`");
            return None;
        }
        (None, None) => {
            if issues.known("mesh") && issues.known("model") {
                issues.error("", "expected one of `mesh` and `model`");
            }
            return None;
        }
    };
    let found = mesh.bounds().size().max_element();
    if !(found > 0.0 && found.is_finite()) {
        issues.error(source, "the mesh has no size");
        return None;
    }
    Some((scaled(mesh, table.size), color))
}

/// The mesh with its longest side as long as wanted, metres.
pub fn scaled(mesh: Mesh, size: Option<f32>) -> Mesh {
    let found = mesh.bounds().size().max_element();
    match size {
        Some(size) if found > 0.0 => mesh.transformed(&Affine3A::from_scale(Vec3::splat(size / found))),
        _ => mesh,
    }
}

/// The weights of a table.
fn given(table: &RigTable) -> VertexWeights {
    let mut weights = VertexWeights::default();
    for row in &table.weights {
        let pulls: Vec<(u32, f32)> = row.chunks_exact(2).map(|pair| (pair[0] as u32, pair[1])).collect();
        weights.push(&pulls);
    }
    weights
}

fn model(table: RigTable, mesh: Mesh, color: Option<[u8; 3]>, weights: VertexWeights) -> RigModel {
    let total: f32 = table.particles.iter().map(|particle| particle.mass).sum();
    let particles = table.particles.iter().map(|particle| ModelParticle {
        position: particle.position,
        orientation: glam::Quat::from_array(particle.orientation).normalize(),
        radii: particle.radii,
        mass_share: particle.mass / total,
        stiffness: Some(particle.stiffness.unwrap_or(table.stiffness)),
        torsion: Some(particle.torsion.unwrap_or(table.torsion)),
        buoyancy: particle.buoyancy,
    });
    let mut edges: Vec<[u32; 2]> = table.edges.iter().map(|&[a, b]| [a.min(b), a.max(b)]).collect();
    edges.sort_unstable();
    RigModel {
        mesh,
        color,
        particles: particles.collect(),
        edges,
        groups: table.group,
        weights,
        spacing: table.spacing,
    }
}
