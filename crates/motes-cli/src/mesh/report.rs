//! What `motes mesh` prints.

use glam::{DMat3, DVec3};
use motes_geometry::MassProperties;
use motes_geometry::body::Filling;
use serde_json::{Value, json};

use super::Outcome;

/// Shares of centre and inertia beyond which a warning is due.
const CLOSE: f64 = 0.02;

/// Bodies of more particles are slow to match.
const MANY: usize = 20_000;

pub(super) fn to_json(outcome: &Outcome) -> Value {
    let (mesh, body, options) = (&outcome.mesh, &outcome.body, &outcome.options);
    let bounds = mesh.bounds();
    let [mass, center, inertia] = body.mass_properties().difference(&outcome.expected);
    let (lightest, heaviest) = mass_range(outcome);
    let files: Vec<String> = outcome.files.iter().map(|file| file.display().to_string()).collect();
    json!({
        "source": outcome.source,
        "mesh": {
            "vertices": mesh.positions.len(),
            "triangles": mesh.triangles.len(),
            "parts": outcome.repairs.after.parts,
            "closed": outcome.repairs.after.is_solid(),
            "min": bounds.min.to_array(),
            "max": bounds.max.to_array(),
            "area": mesh.area(),
            "volume": mesh.integrals().volume,
            "mass_properties": properties(&outcome.expected),
        },
        "found": outcome.repairs.before.faults(),
        "repaired": outcome.repairs.done(),
        "remaining": outcome.repairs.after.faults(),
        "body": {
            "radius": options.radius,
            "spacing": options.spacing,
            "density": options.density,
            "layers": layers(outcome),
            "particles": body.len(),
            "boundary_particles": body.is_boundary.iter().filter(|is| **is).count(),
            "lightest": lightest,
            "heaviest": heaviest,
            "mass_properties": properties(&body.mass_properties()),
            "difference": { "mass": mass, "center": center, "inertia": inertia },
        },
        "warnings": warnings(outcome),
        "seconds": outcome.seconds,
        "files": files,
    })
}

pub(super) fn print(outcome: &Outcome) {
    let (mesh, body) = (&outcome.mesh, &outcome.body);
    let size = mesh.bounds().size();
    let found = body.mass_properties();
    let [mass, center, inertia] = found.difference(&outcome.expected);
    let (lightest, heaviest) = mass_range(outcome);
    say!(
        "{}: {} vertices, {} triangles, {} part(s), {:.3} x {:.3} x {:.3} m",
        outcome.source,
        mesh.positions.len(),
        mesh.triangles.len(),
        outcome.repairs.after.parts,
        size.x,
        size.y,
        size.z
    );
    say!("area {:.4} m², volume {:.6} m³", mesh.area(), mesh.integrals().volume);
    outcome.repairs.done().iter().for_each(|done| say!("repaired: {done}"));
    let kind = match outcome.options.filling {
        Filling::Solid => "solid".to_owned(),
        Filling::Shell { layers } => format!("shell of {layers} layer(s)"),
    };
    say!(
        "{kind}: {} particles of radius {} m, {} on the boundary, {:.3} s",
        body.len(),
        outcome.options.radius,
        body.is_boundary.iter().filter(|is| **is).count(),
        outcome.seconds
    );
    say!(
        "mass {:.4} kg, {lightest:.3e} to {heaviest:.3e} kg a particle",
        found.mass
    );
    let DVec3 { x, y, z } = found.center;
    say!("centre of mass ({x:.4}, {y:.4}, {z:.4}) m");
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        let row = found.inertia.row(axis);
        say!(
            "inertia {name}  {:>12.5e} {:>12.5e} {:>12.5e} kg m²",
            row.x,
            row.y,
            row.z
        );
    }
    say!(
        "off the mesh by: mass {:.4} %, centre {:.3} % of the radius of gyration, inertia {:.3} %",
        100.0 * mass,
        100.0 * center,
        100.0 * inertia
    );
    warnings(outcome).iter().for_each(|warning| say!("warning: {warning}"));
    outcome.files.iter().for_each(|file| say!("{}", file.display()));
}

fn warnings(outcome: &Outcome) -> Vec<String> {
    let body = &outcome.body;
    let remaining = outcome
        .repairs
        .after
        .faults()
        .into_iter()
        .map(|fault| format!("the mesh still has {fault}"));
    let mut warnings: Vec<String> = remaining.collect();
    let source = &outcome.source;
    warnings.extend(outcome.not_finite.as_ref().map(|found| format!("{source}, {found}")));
    let size = outcome.mesh.bounds().size().max_element();
    if size > 200.0 {
        warnings.push(format!(
            "the mesh is {size:.0} m large; for a file in millimetres give --scale 0.001"
        ));
    } else if size < 0.005 {
        warnings.push(format!(
            "the mesh is {:.3} mm large; for a file in metres give no --scale",
            1e3 * size
        ));
    }
    let [_, center, inertia] = body.mass_properties().difference(&outcome.expected);
    if matches!(outcome.options.filling, Filling::Shell { .. }) {
        if inertia > CLOSE {
            let share = 100.0 * inertia;
            warnings.push(format!(
                "a shell turns like a hollow body: its inertia is {share:.0} % off the solid's"
            ));
        }
    } else if center.max(inertia) > CLOSE {
        let coarse = "the particles are too few for the centre or the inertia of the mesh; use a smaller radius";
        warnings.push(coarse.into());
    }
    if body.len() > MANY {
        warnings.push(format!(
            "{} particles are many for one body; a shell has fewer",
            body.len()
        ));
    }
    warnings
}

fn layers(outcome: &Outcome) -> Option<u32> {
    match outcome.options.filling {
        Filling::Solid => None,
        Filling::Shell { layers } => Some(layers),
    }
}

fn mass_range(outcome: &Outcome) -> (f32, f32) {
    let masses = &outcome.body.masses;
    masses.iter().fold((f32::INFINITY, 0.0), |(low, high), &mass| {
        (mass.min(low), mass.max(high))
    })
}

fn properties(properties: &MassProperties) -> Value {
    let rows = |tensor: &DMat3| [0, 1, 2].map(|axis| tensor.row(axis).to_array());
    json!({
        "mass": properties.mass,
        "center": properties.center.to_array(),
        "inertia": rows(&properties.inertia),
    })
}
