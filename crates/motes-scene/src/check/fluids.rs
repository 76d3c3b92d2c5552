//! Liquids and gases that cannot flow as they should.

use glam::Vec3;
use motes_core::constraints::tension;
use motes_core::{Bounds, Liquids, Material};

use super::{Subject, sph};
use crate::issues::Issues;

/// A sub-step carries this much viscosity at most, in ρ d²/h for particles of a diameter d.
const CARRIED: f32 = 5.0;

/// A liquid that is thinner than this is a film of single particles, in diameters.
const THIN: f32 = 2.5;

/// Smoothing radii in which particles have too few neighbours to know how dense they are, or more than is worth it, in diameters.
const SMOOTHING: [f32; 2] = [1.5, 3.0];

/// Densities further apart than this let liquids that lie on each other tremble.
const CONTRAST: f32 = 20.0;

pub(super) fn check(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    solids_of_liquids(subject, issues);
    let plan = &subject.plan;
    for planned in &plan.fluids {
        let path = planned.path();
        let name = &subject.scene.fluid[planned.index].material;
        viscosity(subject, (name, &planned.material), planned.radius, &path, issues);
        tension(subject, (name, &planned.material), planned.radius, &path, issues);
        let count = planned.centers.len();
        if count == 0 && planned.carved > 0 {
            let message = "all of it lies inside something else, and `carve` leaves nothing";
            issues.warning_with_help(
                &format!("{path}.shape"),
                message,
                "a box is solid: a tank is a `vessel`",
            );
        } else if count == 0 {
            let message = format!("no particle of radius {} m has a place in the shape", planned.radius);
            issues.warning_with_help(&format!("{path}.shape"), message, "make it thicker than a particle");
        } else {
            thickness(planned.centers.iter().copied(), planned.radius, &path, issues);
            sph::depth(subject, planned.centers.iter().copied(), &path, issues);
        }
    }
    for planned in plan.emitters.iter().filter(|planned| planned.is_liquid()) {
        let name = &subject.scene.emitter[planned.index].material;
        let path = format!("emitter[{}]", planned.index);
        viscosity(subject, (name, &planned.material), planned.radius, &path, issues);
        tension(subject, (name, &planned.material), planned.radius, &path, issues);
    }
    for planned in &plan.bodies {
        if let Some((name, liquid, _)) = &planned.liquid {
            let path = format!("{}.melting", planned.path());
            viscosity(subject, (name, liquid), planned.radius, &path, issues);
        }
    }
    let poured = plan.emitters.iter().filter(|planned| planned.is_liquid());
    let filled = plan.fluids.iter().filter(|planned| !planned.material.is_gas);
    let materials: Vec<Material> = { filled.map(|planned| planned.material) }
        .chain(poured.map(|planned| planned.material))
        .collect();
    if materials.is_empty() {
        return;
    }
    smoothing(subject, issues);
    let densities = materials.iter().map(|material| material.density);
    let lightest = densities.clone().fold(f32::MAX, f32::min);
    let heaviest = densities.fold(0.0, f32::max);
    if heaviest > CONTRAST * lightest {
        let message = format!("liquids of {lightest} and {heaviest} kg/m³: where they touch, the light one trembles");
        issues.warning_with_help("", message, format!("keep them within a factor of {CONTRAST}"));
    }
}

/// More viscosity than sub-steps carry is not there.
fn viscosity(
    subject: &Subject<'_>,
    (name, material): (&str, &Material),
    radius: f32,
    path: &str,
    issues: &mut Issues<'_>,
) {
    if !subject.timing_known {
        return;
    }
    if let Liquids::Sph(sph) = subject.plan.settings.liquids {
        sph::substeps(subject, (name, material), radius, (sph, path), issues);
        return;
    }
    let step = subject.scene.dt() / subject.scene.solver.substeps as f32;
    let carried = CARRIED * material.density * (2.0 * radius).powi(2) / step;
    if material.viscosity > carried {
        let message = format!(
            "sub-steps of {step:.2e} s carry a viscosity of {carried:.2} Pa·s: `{}` flows as if that were all it had of {} Pa·s",
            name.escape_debug(),
            material.viscosity
        );
        issues.warning_with_help(
            &format!("{path}.material"),
            message,
            "raise `solver.substeps` or the radius",
        );
    }
}

/// Nor is more surface tension.
fn tension(
    subject: &Subject<'_>,
    (name, material): (&str, &Material),
    radius: f32,
    path: &str,
    issues: &mut Issues<'_>,
) {
    if !subject.timing_known {
        return;
    }
    let step = subject.scene.dt() / subject.scene.solver.substeps as f32;
    let carried = tension::carried(material, 2.0 * radius, step);
    if material.surface_tension > carried {
        let message = format!(
            "sub-steps of {step:.2e} s carry a surface tension of {carried:.2e} N/m: `{}` contracts as if that were all it had of {} N/m",
            name.escape_debug(),
            material.surface_tension
        );
        issues.warning_with_help(
            &format!("{path}.material"),
            message,
            "raise `solver.substeps` or the radius",
        );
    }
}

fn thickness(centers: impl Iterator<Item = Vec3>, radius: f32, path: &str, issues: &mut Issues<'_>) {
    let size = Bounds::of(centers).size() + 2.0 * radius;
    let across = size.min_element() / (2.0 * radius);
    if across < THIN {
        let message = format!(
            "is only {across:.0} particle{} thick: it hardly flows",
            if across < 1.5 { "" } else { "s" }
        );
        issues.warning_with_help(
            &format!("{path}.shape"),
            message,
            "make the particles smaller with `particle_radius` or `radius`",
        );
    }
}

fn smoothing(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    let smoothing = subject.scene.solver.smoothing_radius;
    let what = match smoothing {
        few if few < SMOOTHING[0] => "too few neighbours count for a liquid to know how dense it is",
        many if many > SMOOTHING[1] => "hundreds of neighbours count in each density, which takes its time",
        _ => return,
    };
    let message = format!("with {smoothing} diameters, {what}");
    issues.warning_with_help("solver.smoothing_radius", message, "2 does for liquids");
}

/// Grains of water are not water.
fn solids_of_liquids(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    let grains = subject.plan.grains.iter().filter(|planned| planned.material.is_fluid());
    let paths: Vec<String> = grains
        .map(|planned| format!("grains[{}].material", planned.index))
        .collect();
    for path in paths {
        issues.warning_with_help(
            &path,
            "is a liquid or a gas, but these are grains: balls without friction",
            "say `[[fluid]]` instead",
        );
    }
}
