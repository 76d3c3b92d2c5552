//! Liquids by forces whose sub-steps are too long, or that give way.

use glam::Vec3;
use motes_core::{Bounds, Liquids, Material, Sph};

use super::Subject;
use crate::issues::Issues;

/// A liquid that gives way by more than this under its own weight is seen to.
const GIVES_WAY: f32 = 0.04;

/// Sound and viscosity must not gain from one sub-step to the next.
pub(super) fn substeps(
    subject: &Subject<'_>,
    (name, material): (&str, &Material),
    radius: f32,
    (sph, path): (Sph, &str),
    issues: &mut Issues<'_>,
) {
    let frame = subject.scene.dt();
    let substeps = subject.scene.solver.substeps;
    let reach = 2.0 * radius * subject.scene.solver.smoothing_radius;
    let longest = sph.longest_substep(reach, material.viscosity, material.density);
    let step = frame / substeps as f32;
    if step <= longest {
        return;
    }
    let needed = (frame / longest).ceil();
    let message = format!(
        "sub-steps of {step:.2e} s are too long for the forces of SPH with a speed of sound of {} m/s and a viscosity of {} Pa·s: `{}` may burst",
        sph.speed_of_sound,
        material.viscosity,
        name.escape_debug()
    );
    let help = format!("it takes {needed:.0} of `solver.substeps`, or a lower `speed_of_sound`");
    issues.warning_with_help(&format!("{path}.material"), message, help);
}

/// What is deep has to be stiff.
pub(super) fn depth(subject: &Subject<'_>, centers: impl Iterator<Item = Vec3>, path: &str, issues: &mut Issues<'_>) {
    let settings = &subject.plan.settings;
    let Liquids::Sph(sph) = settings.liquids else { return };
    let gravity = settings.gravity;
    let depth = Bounds::of(centers).size().dot(gravity.normalize_or_zero().abs());
    let part = gravity.length() * depth / sph.speed_of_sound.powi(2);
    if part > GIVES_WAY {
        let message = format!(
            "with a speed of sound of {} m/s the liquid gives way by {:.0} % under its own weight",
            sph.speed_of_sound,
            100.0 * part
        );
        let enough = (gravity.length() * depth / GIVES_WAY).sqrt().ceil();
        let help = format!("{enough:.0} m/s holds it, at more `solver.substeps`");
        issues.warning_with_help(&format!("{path}.shape"), message, help);
    }
}
