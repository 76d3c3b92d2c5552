//! `motes mesh`: what a mesh becomes as particles.

mod report;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use glam::{Affine3A, Vec3};
use motes_drawing::{export, specimen};
use motes_geometry::body::Filling;
use motes_geometry::{
    Body, BodyOptions, Format, GeometryError, MassProperties, Mesh, NotFinite, ReadOptions, Repairs, Up, body,
    first_not_finite, models, read_mesh, repair, write,
};
use motes_render::{write_file, write_file_with, write_png};
use motes_scene::nearest;

use crate::args::{MeshOptions, Misuse, UpAxis};

/// All there is to tell.
struct Outcome {
    source: String,
    mesh: Mesh,
    repairs: Repairs,
    /// The first vertex of the file that is not finite.
    not_finite: Option<NotFinite>,
    color: [u8; 3],
    options: BodyOptions,
    body: Body,
    expected: MassProperties,
    files: Vec<PathBuf>,
    seconds: f64,
}

/// Colour of meshes that do not come with one.
const PLAIN: [u8; 3] = [178, 182, 190];

/// The default radius, as a share of the longest side.
const DEFAULT_RADIUS: f32 = 1.0 / 50.0;

pub(crate) fn mesh(options: &MeshOptions) -> Result<u8> {
    let format = options.export.as_deref().map(export_format).transpose()?;
    let started = Instant::now();
    let (mesh, color) = load(options)?;
    let (mesh, repairs) = repair(&mesh);
    let not_finite = match repairs.before.not_finite_vertices {
        0 => None,
        _ => first_not_finite(Path::new(&options.source)),
    };
    let body_options = body_options(options, &mesh)?;
    let body = body(&mesh, &body_options).map_err(|error| explained(error, &options.source))?;
    let expected = MassProperties::of_mesh(&mesh, options.density);
    let mut outcome = Outcome {
        source: options.source.clone(),
        repairs,
        not_finite,
        color,
        options: body_options,
        body,
        expected,
        mesh,
        files: Vec::new(),
        seconds: started.elapsed().as_secs_f64(),
    };
    write_files(&mut outcome, options, format)?;
    if options.json {
        say!("{}", serde_json::to_string_pretty(&report::to_json(&outcome))?);
    } else {
        report::print(&outcome);
    }
    Ok(crate::SUCCESS)
}

/// A word with a dot or a slash in it is a file, any other a model.
fn load(options: &MeshOptions) -> Result<(Mesh, [u8; 3])> {
    let name = &options.source;
    if name.contains(['.', '/', '\\']) {
        if options.resolution.is_some() {
            let message = format!("--resolution is for models; the triangles of {name} are taken as they are");
            return Err(Misuse(message).into());
        }
        let read = ReadOptions {
            up: match options.up {
                None | Some(UpAxis::Y) => Up::Y,
                Some(UpAxis::Z) => Up::Z,
            },
            scale: options.scale,
        };
        let mesh = read_mesh(Path::new(name), &read).map_err(|error| named(error, name))?;
        let color = mesh.main_color().unwrap_or(PLAIN);
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
    if options.up.is_some() {
        return Err(Misuse(format!("--up is for files; the model `{name}` has y up")).into());
    }
    let mesh = model.mesh(options.resolution.unwrap_or(models::DEFAULT_RESOLUTION))?;
    let scaled = mesh.transformed(&Affine3A::from_scale(Vec3::splat(options.scale)));
    Ok((scaled, model.color()))
}

/// The error with the file it is about, if it does not say so itself.
pub(crate) fn named(error: motes_geometry::ReadError, file: &str) -> anyhow::Error {
    let says_so = error.to_string().contains(file);
    let error = anyhow::Error::from(error);
    if says_so { error } else { error.context(file.to_owned()) }
}

/// Sizes of meshes and particles, metres: masses and moments of inertia stay within the range of numbers.
const SIZES: std::ops::RangeInclusive<f32> = 1e-5..=1e6;

fn body_options(options: &MeshOptions, mesh: &Mesh) -> Result<BodyOptions> {
    let size = mesh.bounds().size().max_element();
    let radius = options.radius.unwrap_or(DEFAULT_RADIUS * size);
    if !(radius.is_finite() && radius > 0.0) {
        return Err(Misuse(format!("{}: the mesh has no size", options.source)).into());
    }
    if !SIZES.contains(&size) {
        let message = format!(
            "{}: the mesh is {size:e} m large; 1e-5 to 1e6 m are possible, see --scale",
            options.source
        );
        return Err(Misuse(message).into());
    }
    if !SIZES.contains(&radius) {
        return Err(Misuse(format!("a radius of {radius:e} m: 1e-5 to 1e6 m are possible")).into());
    }
    Ok(BodyOptions {
        radius,
        spacing: options.spacing,
        density: options.density,
        filling: options.shell.map_or(Filling::Solid, |layers| Filling::Shell { layers }),
        seed: 0,
    })
}

fn explained(error: GeometryError, source: &str) -> anyhow::Error {
    match error {
        GeometryError::TooManyPoints { .. } | GeometryError::BadSize { .. } => {
            Misuse(format!("{source}: {error}")).into()
        }
        other => anyhow::Error::from(other).context(source.to_owned()),
    }
}

fn export_format(path: &Path) -> Result<Format, Misuse> {
    match Format::of_path(path) {
        Some(format @ (Format::Obj | Format::Ply | Format::Stl)) => Ok(format),
        _ => Err(Misuse(format!(
            "--export {}: expected a name that ends with .obj, .ply or .stl",
            path.display()
        ))),
    }
}

fn write_files(outcome: &mut Outcome, options: &MeshOptions, format: Option<Format>) -> Result<()> {
    let stem = Path::new(&options.source)
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy();
    let stem = crate::outputs::file_stem(&stem);
    if options.ply || !options.no_picture {
        let folder = &options.out;
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    if !options.no_picture {
        let path = options.out.join(format!("{stem}-mesh.png"));
        write_png(&path, &specimen(&outcome.mesh, &outcome.body, outcome.color))?;
        outcome.files.push(path);
    }
    if options.ply {
        let path = options.out.join(format!("{stem}-particles.ply"));
        write_file_with(&path, |out| export::write_body_ply(out, &outcome.body))?;
        outcome.files.push(path);
    }
    if let (Some(path), Some(format)) = (&options.export, format) {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        }
        let bytes = match format {
            Format::Obj => write::obj(&outcome.mesh),
            Format::Stl => write::stl(&outcome.mesh),
            Format::Ply | Format::Gltf => write::ply(&outcome.mesh),
        };
        write_file(path, &bytes)?;
        outcome.files.push(path.clone());
    }
    Ok(())
}
