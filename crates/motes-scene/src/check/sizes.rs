//! Sizes and speeds that do not fit the particles or the time step.

use motes_core::{Bounds, Motion};

use super::Subject;
use crate::issues::Issues;
use crate::model::{ColliderShape, Gravity};

/// Particles should not move further than this in a sub-step, in diameters.
const FAST: f32 = 4.0;

/// The same of cloth and ropes: a layer that is jumped over is on the wrong side for good.
const FAST_SHEETS: f32 = 2.0;

/// Gravity should not move a particle at rest further than this in a sub-step, in diameters.
const HEAVY: f32 = 0.25;

/// Grains jam in necks narrower than this, in diameters.
const NARROW: f32 = 3.0;

/// Neighbouring numbers should not be further apart than this where particles are, in radii.
const COARSE: f32 = 0.01;

/// Scenes with more particles than this need more memory than most machines have.
const MANY_PARTICLES: f64 = 2e7;

/// Memory of a particle, contacts included, bytes; `motes bench` measures it.
const BYTES_PER_PARTICLE: f64 = 600.0;

pub(super) fn check(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    emptiness(subject, issues);
    gravity(subject, issues);
    speeds(subject, issues);
    thin_colliders(subject, issues);
    necks(subject, issues);
    distance(subject, issues);
    memory(subject, issues);
}

fn emptiness(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    for planned in &subject.plan.grains {
        let path = format!("grains[{}]", planned.index);
        let found = planned.centers.len();
        if found == 0 {
            let radius = planned.radius;
            let message = format!("no grain of radius {radius} m has a place in the shape");
            issues.warning_with_help(&format!("{path}.shape"), message, "make it thicker than a grain");
        } else if let Some(count) = subject.scene.grains[planned.index].count
            && found.abs_diff(count as usize) > count as usize / 50
        {
            issues.warning(
                &format!("{path}.count"),
                format!("{count} grains are wanted, but {found} fit"),
            );
        }
    }
    let plan = &subject.plan;
    if subject.all_sources
        && plan.grains.is_empty()
        && plan.fluids.is_empty()
        && plan.sheets.is_empty()
        && plan.bodies.is_empty()
        && plan.creatures.is_empty()
        && plan.emitters.is_empty()
    {
        issues.warning("", "the scene has no particles");
    }
}

fn gravity(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    if let Gravity::Down(strength) = subject.scene.gravity
        && strength < 0.0
    {
        let help = format!("a number is how strongly things fall: `gravity = {}`", -strength);
        issues.warning_with_help("gravity", "everything falls upward", help);
    }
}

fn speeds(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    if !subject.timing_known {
        return;
    }
    let scene = subject.scene;
    let step = scene.dt() / scene.solver.substeps as f32;
    let fall = subject.plan.settings.gravity.length() * step * step / (2.0 * subject.smallest());
    let plan = &subject.plan;
    let has_piles = !plan.grains.is_empty() || !plan.bodies.is_empty() || !plan.fluids.is_empty();
    if fall > HEAVY && has_piles {
        let what = match plan.grains.is_empty() && plan.bodies.is_empty() {
            true => "liquids are squeezed",
            false => "piles collapse",
        };
        let message = format!("gravity moves a particle by {fall:.1} diameters in a sub-step of {step:.2e} s: {what}");
        issues.warning_with_help("particle_radius", message, "raise `solver.substeps` or `frame_rate`");
    }
    let smallest = subject.smallest();
    let mut slow = |path: String, speed: f32, radius: f32, most: f32| {
        let diameters = speed * step / (2.0 * radius);
        if diameters > most {
            let message = format!("{speed} m/s is {diameters:.1} particle diameters in a sub-step of {step:.2e} s");
            issues.warning_with_help(&path, message, "raise `solver.substeps` or `frame_rate`");
        }
    };
    for planned in &subject.plan.grains {
        let index = planned.index;
        slow(
            format!("grains[{index}].velocity"),
            scene.grains[index].velocity.length(),
            planned.radius,
            FAST,
        );
    }
    for planned in &subject.plan.fluids {
        let speed = scene.fluid[planned.index].velocity.length();
        slow(format!("{}.velocity", planned.path()), speed, planned.radius, FAST);
    }
    for planned in &subject.plan.sheets {
        slow(
            format!("{}.velocity", planned.path()),
            planned.velocity.length(),
            planned.radius,
            FAST_SHEETS,
        );
    }
    for planned in &subject.plan.bodies {
        let reach = 0.5 * planned.form.mesh.bounds().size().length();
        let radius = planned.radius;
        slow(
            format!("{}.velocity", planned.path()),
            planned.body.velocity.length(),
            radius,
            FAST,
        );
        let rim = planned.body.angular_velocity.length() * reach;
        slow(format!("{}.angular_velocity", planned.path()), rim, radius, FAST);
        slow(
            format!("{}.motion", planned.path()),
            top_speed(&planned.body.motion),
            radius,
            FAST,
        );
    }
    for planned in &subject.plan.colliders {
        let velocity = planned.collider.surface.velocity.length();
        slow(
            format!("collider[{}].surface_velocity", planned.index),
            velocity,
            smallest,
            FAST,
        );
    }
    for planned in &subject.plan.emitters {
        slow(
            format!("emitter[{}].speed", planned.index),
            planned.emitter.speed,
            planned.radius,
            FAST,
        );
    }
}

fn thin_colliders(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    if !subject.timing_known {
        return;
    }
    let radius = subject.smallest();
    for planned in &subject.plan.colliders {
        let collider = &planned.collider;
        let thickness = collider.shape.bounds().size().min_element();
        let step = top_speed(&collider.motion) * subject.scene.dt() / subject.scene.solver.substeps as f32;
        if thickness < radius && step > thickness.max(radius) {
            let message =
                format!("is {thickness} m thick and moves {step:.3} m in a sub-step: particles may pass through");
            issues.warning_with_help(
                &format!("collider[{}].motion", planned.index),
                message,
                "raise `solver.substeps`",
            );
        }
    }
}

/// Greatest speed of a collider's origin, m/s.
fn top_speed(motion: &Motion) -> f32 {
    match motion {
        Motion::Fixed => 0.0,
        Motion::Steady { velocity, .. } => velocity.length(),
        Motion::Swing { offset, period, .. } => offset.length() * std::f32::consts::TAU / period,
        Motion::Path { keys, .. } => keys
            .windows(2)
            .map(|pair| pair[0].pose.position.distance(pair[1].pose.position) / (pair[1].time - pair[0].time))
            .fold(0.0, f32::max),
        Motion::About { motion, .. } => top_speed(motion),
    }
}

fn necks(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    let Some(largest) = subject.grain_radii().reduce(f32::max) else {
        return;
    };
    let least = NARROW * largest;
    for planned in &subject.plan.colliders {
        let ColliderShape::Vessel(vessel) = &subject.scene.collider[planned.index].shape else {
            continue;
        };
        let Some((key, radius)) = vessel.neck() else {
            continue;
        };
        if radius < least && issues.sound("particle_radius") {
            let diameters = radius / largest;
            let message = format!("the passage is {diameters:.1} grain diameters wide: grains jam in it");
            let path = format!("collider[{}].shape.vessel.{key}", planned.index);
            issues.warning_with_help(
                &path,
                message,
                format!("a radius of {least} m or more lets them through"),
            );
        }
    }
}

fn distance(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    let mut judge = |path: String, bounds: Bounds, radius: f32| {
        let reach = bounds.min.abs().max(bounds.max.abs()).max_element();
        let apart = reach.next_up() - reach;
        if reach.is_finite() && apart > COARSE * radius && issues.sound("particle_radius") {
            let share = 100.0 * apart / radius;
            let message = format!(
                "{reach:.0} m from the origin, positions are known to {apart:.1e} m: {share:.1} % of a particle's radius"
            );
            issues.warning_with_help(&path, message, "move the scene nearer to the origin");
        }
    };
    for planned in &subject.plan.grains {
        let bounds = Bounds::of(planned.centers.iter().copied());
        judge(format!("grains[{}]", planned.index), bounds, planned.radius);
    }
    for planned in &subject.plan.fluids {
        let bounds = Bounds::of(planned.centers.iter().copied());
        judge(planned.path(), bounds, planned.radius);
    }
    for planned in &subject.plan.sheets {
        judge(
            planned.path(),
            Bounds::of(planned.centers.iter().copied()),
            planned.radius,
        );
    }
    for planned in &subject.plan.bodies {
        let bounds = Bounds::of(planned.poses.iter().map(|pose| pose.position));
        judge(planned.path(), bounds, planned.radius);
    }
    for planned in &subject.plan.emitters {
        let bounds = Bounds::of([planned.emitter.pose.position]);
        judge(format!("emitter[{}].position", planned.index), bounds, planned.radius);
    }
}

fn memory(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    let placed = subject.plan.grains.iter().map(|planned| planned.centers.len() as f64);
    let held = subject
        .plan
        .bodies
        .iter()
        .map(|planned| planned.particle_count() as f64);
    let emitted = subject.plan.emitters.iter().map(|planned| planned.most_alive);
    let flat = subject.plan.sheets.iter().map(|planned| planned.centers.len() as f64);
    let poured = subject.plan.fluids.iter().map(|planned| planned.centers.len() as f64);
    let particles: f64 = placed.chain(poured).chain(flat).chain(held).chain(emitted).sum();
    if particles > MANY_PARTICLES && subject.timing_known {
        let gigabytes = particles * BYTES_PER_PARTICLE / 1e9;
        let message = format!(
            "about {:.0} million particles need about {gigabytes:.0} GB of memory",
            particles / 1e6
        );
        issues.warning_with_help("", message, "raise `particle_radius`, or lower the rates of emitters");
    }
}
