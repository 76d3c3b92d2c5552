//! The shapes of cloth: rectangles, discs, balls, and the surfaces of meshes and models.

use glam::{Affine3A, Vec3};
use motes_geometry::cloth::{ClothGrid, ClothShape, SheetOptions};
use motes_geometry::{GeometryError, Mesh, models};

use super::Surroundings;
use super::bodies::{MeshSource, modelled, read_file};
use crate::decode::advice;
use crate::issues::Issues;
use crate::model::ClothTable;

/// Triangles of a sphere's radius over its particles', squared, about: what limits hold it to.
const PARTICLES_OF_BALL: f64 = 4.0;

pub(super) fn source(table: &ClothTable) -> Option<MeshSource<'_>> {
    let file = table.mesh.as_deref()?;
    Some(MeshSource {
        file,
        scale: table.scale,
        up: table.mesh_up,
    })
}

/// The shape of a cloth, before it is turned and placed; notes what cannot be made.
pub(super) fn shape(
    table: &ClothTable,
    path: &str,
    radius: f32,
    around: &Surroundings<'_>,
    issues: &mut Issues<'_>,
) -> Option<ClothShape> {
    let given = [
        ("size", table.size.is_some()),
        ("disc", table.disc.is_some()),
        ("sphere", table.sphere.is_some()),
        ("mesh", table.mesh.is_some()),
        ("model", table.model.is_some()),
    ];
    let given: Vec<&str> = given
        .into_iter()
        .filter(|&(_, given)| given)
        .map(|(key, _)| key)
        .collect();
    let key = match given[..] {
        [key] => key,
        [] => {
            issues.error(path, "missing key `size`, `disc`, `sphere`, `mesh` or `model`");
            return None;
        }
        [first, second, ..] => {
            let message = format!("give a `{first}` or a `{second}`, not both");
            issues.error(&format!("{path}.{second}"), message);
            return None;
        }
    };
    if table.resolution.is_some() && key != "size" {
        let message = "only rectangles have rows and columns: the edges of others are divided down to two radii";
        issues.error(&format!("{path}.resolution"), message);
        return None;
    }
    let place = format!("{path}.{key}");
    if table.inflate.is_some() && (table.size.is_some() || table.disc.is_some()) {
        let what = if table.size.is_some() { "rectangle" } else { "disc" };
        let message = format!("a {what} is open and holds no air");
        let help = "give a `sphere`, a `model` or a closed `mesh`";
        issues.error_with_help(&format!("{path}.inflate"), message, help);
        return None;
    }
    if let Some(size) = table.size {
        return rectangle(size, table, path, radius, around, issues);
    }
    if let Some(diameter) = table.disc {
        return issues.accept(&place, ClothShape::disc(diameter, 2.0 * radius));
    }
    if let Some(size) = table.sphere {
        let count = PARTICLES_OF_BALL * f64::from(size / radius).powi(2);
        if count > around.limits.particles as f64 {
            let message = format!("about {count:.0} particles are too many");
            issues.error_with_help(&place, message, "raise `radius`, or make it smaller");
            return None;
        }
        return issues.accept(&place, ClothShape::ball(size, 2.0 * radius));
    }
    let mesh = match (source(table), &table.model) {
        (Some(source), _) => read_file(&source, &place, around, issues)?.0.clone(),
        (_, Some(name)) => model(name, table.scale, radius, &place, issues)?,
        (None, None) => return None,
    };
    let options = SheetOptions {
        longest_edge: Some(2.0 * radius),
        ..SheetOptions::default()
    };
    let made = match table.inflate.is_some() {
        true => ClothShape::from_closed_mesh(&mesh, &options),
        false => ClothShape::from_mesh(&mesh, &options),
    };
    match made {
        Err(error @ GeometryError::OpenEdge { .. }) => {
            let message = format!("{error}: what is open holds no air");
            issues.error_with_help(&place, message, "close the mesh, or leave out `inflate`");
            None
        }
        made => issues.accept(&place, made).map(|(shape, _)| shape),
    }
}

fn rectangle(
    size: [f32; 2],
    table: &ClothTable,
    path: &str,
    radius: f32,
    around: &Surroundings<'_>,
    issues: &mut Issues<'_>,
) -> Option<ClothShape> {
    let place = format!("{path}.size");
    let grid = match table.resolution {
        Some(resolution) => ClothGrid { size, resolution },
        None => issues.accept(&place, ClothGrid::with_spacing(size, 2.0 * radius))?,
    };
    let [columns, rows] = grid.resolution.map(u64::from);
    if columns * rows > around.limits.particles {
        let message = format!("{columns} × {rows} particles are too many");
        issues.error_with_help(path, message, "raise `radius`, or give a `resolution`");
        return None;
    }
    issues.accept(&place, ClothShape::grid(&grid))
}

/// Finest and coarsest cells along a model.
const CELLS: (f32, f32) = (16.0, 160.0);

fn model(name: &str, scale: f32, radius: f32, path: &str, issues: &mut Issues<'_>) -> Option<Mesh> {
    let Some(&known) = models::NAMES.iter().find(|known| **known == name) else {
        let (help, _) = advice(name, &models::NAMES);
        issues.error_with_help(path, format!("unknown model `{}`", name.escape_debug()), help);
        return None;
    };
    let cells = (scale / (2.0 * radius)).clamp(CELLS.0, CELLS.1);
    let (mesh, _) = issues.accept(path, modelled(known, cells as u32))?;
    Some(mesh.transformed(&Affine3A::from_scale(Vec3::splat(scale))))
}
