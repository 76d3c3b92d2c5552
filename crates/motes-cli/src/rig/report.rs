//! What `motes rig` prints.

use motes_geometry::has_inside;
use serde_json::{Value, json};

use super::Outcome;

/// Edges of a particle from which a rig is slow for what it is.
const CROWDED: f32 = 12.0;

pub(super) fn to_json(outcome: &Outcome) -> Value {
    let (mesh, rig) = (&outcome.mesh, &outcome.rig);
    let (shortest, longest) = radii(outcome);
    let files: Vec<String> = outcome.files.iter().map(|file| file.display().to_string()).collect();
    json!({
        "source": outcome.source,
        "mesh": {
            "vertices": mesh.positions.len(),
            "triangles": mesh.triangles.len(),
            "parts": rig.parts,
            "closed": mesh.is_watertight(),
        },
        "repaired": outcome.repaired,
        "rig": {
            "particles": rig.particles.len(),
            "edges": rig.edges.len(),
            "pieces": rig.pieces,
            "spacing": rig.spacing,
            "shortest_radius": shortest,
            "longest_radius": longest,
        },
        "warnings": warnings(outcome),
        "seconds": outcome.seconds,
        "files": files,
    })
}

pub(super) fn print(outcome: &Outcome, quiet: bool) {
    let (mesh, rig) = (&outcome.mesh, &outcome.rig);
    if !quiet {
        say!(
            "{}: {} vertices, {} triangles, {} part(s)",
            outcome.source,
            mesh.positions.len(),
            mesh.triangles.len(),
            rig.parts
        );
        outcome.repaired.iter().for_each(|done| say!("repaired: {done}"));
        let (shortest, longest) = radii(outcome);
        say!(
            "{} particles about {:.4} m from each other, radii {shortest:.4} to {longest:.4} m, {} edges, {:.2} s",
            rig.particles.len(),
            rig.spacing,
            rig.edges.len(),
            outcome.seconds
        );
    }
    warnings(outcome).iter().for_each(|warning| tell!("warning: {warning}"));
    if !quiet {
        outcome.files.iter().for_each(|file| say!("{}", file.display()));
    }
}

fn radii(outcome: &Outcome) -> (f32, f32) {
    let particles = &outcome.rig.particles;
    particles.iter().fold((f32::INFINITY, 0.0), |(low, high), particle| {
        (
            particle.radii.min_element().min(low),
            particle.radii.max_element().max(high),
        )
    })
}

fn warnings(outcome: &Outcome) -> Vec<String> {
    let rig = &outcome.rig;
    let mut warnings = Vec::new();
    if rig.pieces > 1 {
        warnings.push(format!(
            "the model is in {} pieces that nothing holds together: parts of the mesh lie apart; a larger --gap joins those that are near",
            rig.pieces
        ));
    }
    if !has_inside(&outcome.mesh) {
        warnings.push(
            "the mesh is not closed: particles are joined along its surface only, and share the mass by area".into(),
        );
    }
    let crowd = 2.0 * rig.edges.len() as f32 / rig.particles.len().max(1) as f32;
    if crowd > CROWDED {
        warnings.push(format!(
            "a particle is joined with {crowd:.0} others on average: a smaller value of --edges is faster and bends more"
        ));
    }
    warnings
}
