//! `motes rig`: any mesh as oriented particles, in a file that people can edit and scenes can read.

mod options;
mod report;

use std::path::{Component, Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use motes_drawing::rig_sheet;
use motes_geometry::{GeometryError, Mesh, ReadOptions, Rig, Up, models, read_mesh, repair};
use motes_render::{check_writable, write_file, write_png};
use motes_scene::rig_file::{MODEL_RESOLUTION, rig_json, rig_toml, scaled};
use motes_scene::{RigModel, RigTable, model, nearest};

use crate::args::{Misuse, UpAxis};

pub(crate) use options::RigArguments;

/// All there is to tell.
struct Outcome {
    source: String,
    mesh: Mesh,
    repaired: Vec<String>,
    rig: Rig,
    files: Vec<PathBuf>,
    seconds: f64,
}

/// Colour of meshes that do not come with one.
const PLAIN: [u8; 3] = [178, 182, 190];

pub(crate) fn rig(options: &RigArguments) -> Result<u8> {
    options.check()?;
    let out = out_file(options)?;
    let picture = picture_file(options, &out);
    for file in std::iter::once(&out).chain(&picture) {
        make_folder(file)?;
        check_writable(file)?;
    }
    let started = Instant::now();
    let (mesh, color) = load(options)?;
    let (mesh, repairs) = repair(&mesh);
    let mesh = scaled(mesh, options.size);
    let rig = motes_geometry::rig(&mesh, &options.rig_options()).map_err(|error| explained(error, &options.source))?;
    let mut table = RigTable {
        stiffness: options.stiffness,
        torsion: options.torsion,
        size: options.size,
        ..RigTable::of_rig(&rig)
    };
    if options.no_weights {
        table.weights.clear();
    }
    name_source(&mut table, options, &out)?;
    let text = if is_json(&out) {
        rig_json(&table)
    } else {
        rig_toml(&table)
    };
    write_file(&out, text.as_bytes())?;
    let mut files = vec![out];
    if let Some(picture) = picture {
        let model = RigModel::of_rig(mesh.clone(), color, rig.clone());
        write_png(&picture, &rig_sheet(&model, PLAIN))?;
        files.push(picture);
    }
    let outcome = Outcome {
        source: options.source.clone(),
        mesh,
        repaired: repairs.done(),
        rig,
        files,
        seconds: started.elapsed().as_secs_f64(),
    };
    if options.json {
        say!("{}", serde_json::to_string_pretty(&report::to_json(&outcome))?);
    } else {
        report::print(&outcome, options.quiet);
    }
    Ok(crate::SUCCESS)
}

fn is_json(file: &Path) -> bool {
    file.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

fn out_file(options: &RigArguments) -> Result<PathBuf> {
    let Some(out) = &options.out else {
        let stem = Path::new(&options.source)
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy();
        return Ok(Path::new("out").join(format!("{}.toml", crate::outputs::file_stem(&stem))));
    };
    let is_toml = out
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    if !is_toml && !is_json(out) {
        let message = format!("--out {}: expected a name that ends with .toml or .json", out.display());
        return Err(Misuse(message).into());
    }
    Ok(out.clone())
}

fn picture_file(options: &RigArguments, out: &Path) -> Option<PathBuf> {
    if options.no_picture {
        return None;
    }
    let beside = || {
        let stem = out.file_stem().unwrap_or_default().to_string_lossy();
        out.with_file_name(format!("{stem}-rig.png"))
    };
    Some(options.picture.clone().unwrap_or_else(beside))
}

fn make_folder(file: &Path) -> Result<()> {
    match file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display())),
        None => Ok(()),
    }
}

fn load(options: &RigArguments) -> Result<(Mesh, Option<[u8; 3]>)> {
    let name = &options.source;
    if options.is_file() {
        let read = ReadOptions {
            up: match options.up {
                None | Some(UpAxis::Y) => Up::Y,
                Some(UpAxis::Z) => Up::Z,
            },
            scale: options.scale.unwrap_or(1.0),
        };
        let mesh = read_mesh(Path::new(name), &read).map_err(|error| crate::mesh::named(error, name))?;
        let color = mesh.main_color();
        return Ok((mesh, color));
    }
    let Some(model) = models::by_name(name) else {
        let help = match nearest(name, models::NAMES) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "a file has its ending in its name".into(),
        };
        let all = models::NAMES.join(", ");
        return Err(Misuse(format!("no model is called `{name}`; {help} Models: {all}")).into());
    };
    let mesh = model.mesh(options.resolution.unwrap_or(MODEL_RESOLUTION))?;
    Ok((mesh, Some(model.color())))
}

/// Notes in the table which mesh it is about, by a path from the file's folder.
fn name_source(table: &mut RigTable, options: &RigArguments, out: &Path) -> Result<()> {
    if !options.is_file() {
        table.model = Some(options.source.clone());
        table.resolution = options.resolution;
        return Ok(());
    }
    table.mesh = Some(path_from(out, Path::new(&options.source))?);
    table.mesh_scale = options.scale;
    table.mesh_up = options.up.map(|up| match up {
        UpAxis::Y => model::Up::Y,
        UpAxis::Z => model::Up::Z,
    });
    Ok(())
}

/// The way from the folder of one file to another, with slashes on every system.
fn path_from(file: &Path, target: &Path) -> Result<String> {
    let absolute = |path: &Path| std::fs::canonicalize(path).with_context(|| format!("cannot find {}", path.display()));
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = absolute(folder.unwrap_or(Path::new(".")))?;
    let target = absolute(target)?;
    let shared = folder
        .components()
        .zip(target.components())
        .take_while(|(a, b)| a == b)
        .count();
    if shared == 0 {
        return Ok(target.to_string_lossy().into_owned());
    }
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    let steps: Vec<_> = up.chain(target.components().skip(shared)).collect();
    let mut words = Vec::new();
    for step in steps {
        match step.as_os_str().to_str() {
            Some(word) => words.push(word),
            None => bail!(
                "{}: the path is not UTF-8, and cannot be written to a file",
                target.display()
            ),
        }
    }
    Ok(words.join("/"))
}

fn explained(error: GeometryError, source: &str) -> anyhow::Error {
    match error {
        GeometryError::TooMany { .. } | GeometryError::TooManyPoints { .. } | GeometryError::BadSize { .. } => {
            Misuse(format!("{source}: {error}")).into()
        }
        other => anyhow::Error::from(other).context(source.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_to_a_mesh_goes_up_and_down() {
        let root = tempfile::tempdir().expect("a file");
        let mesh = root.path().join("meshes/a b.obj");
        let folder = root.path().join("models/big");
        std::fs::create_dir_all(mesh.parent().expect("a folder")).expect("a file");
        std::fs::create_dir_all(&folder).expect("a file");
        std::fs::write(&mesh, "").expect("a file");
        assert_eq!(
            path_from(&folder.join("x.toml"), &mesh).expect("a file"),
            "../../meshes/a b.obj"
        );
        assert_eq!(
            path_from(&mesh.with_extension("toml"), &mesh).expect("a file"),
            "a b.obj"
        );
        assert!(path_from(&folder.join("x.toml"), &root.path().join("none.obj")).is_err());
    }
}
