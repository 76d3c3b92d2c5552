//! Places of cloth that have names: of rectangles and discs, and groups of the faces of mesh files.

use motes_geometry::cloth::{ClothShape, GridLayout};
use motes_geometry::{part_names, read_part};

use super::Surroundings;
use super::sheet_shapes::source;
use super::sheets::unknown;
use crate::issues::Issues;
use crate::model::ClothTable;

/// The particles of a rectangle or a disc that have a name.
pub(super) fn named_places(
    table: &ClothTable,
    shape: &ClothShape,
    name: &str,
    (place, around): (&str, &Surroundings<'_>),
    issues: &mut Issues<'_>,
) -> Option<Vec<u32>> {
    let (found, names): (_, &[&str]) = match (&shape.grid, table.disc) {
        (Some(layout), _) => (layout.named(name), &GridLayout::NAMES),
        (None, Some(_)) if name == "rim" => (shape.rims.first().cloned(), &[]),
        (None, Some(_)) if name == "center" => (Some(vec![0]), &[]),
        (None, Some(_)) => (None, &["rim", "center"]),
        (None, None) => return part_of_mesh(table, shape, name, (place, around), issues),
    };
    if found.is_none() {
        unknown("place of a cloth", name, names.iter().copied(), place, issues);
    }
    found
}

/// The particles on faces that have a name in the file of a mesh.
fn part_of_mesh(
    table: &ClothTable,
    shape: &ClothShape,
    name: &str,
    (place, around): (&str, &Surroundings<'_>),
    issues: &mut Issues<'_>,
) -> Option<Vec<u32>> {
    let source = source(table)?;
    let file = around.folder.join(source.file);
    let names = issues.accept(place, part_names(&file))?;
    if names.is_empty() {
        let help = "give points, `pins_at = [[x, y, z]]`, or a region, `pins_within`";
        issues.error_with_help(
            place,
            "no faces of the mesh have a name: only OBJ files have groups",
            help,
        );
        return None;
    }
    if !names.iter().any(|known| known == name) {
        unknown(
            "group of the mesh",
            name,
            names.iter().map(String::as_str),
            place,
            issues,
        );
        return None;
    }
    let part = issues.accept(place, read_part(&file, name, &source.options()))?;
    Some(shape.vertices_on(&part))
}
