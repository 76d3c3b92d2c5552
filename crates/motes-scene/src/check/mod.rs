//! Doubts about a scene that is legal: overlaps, particles outside, bad sizes, names used twice, poor pictures.

mod bodies;
mod distances;
mod emitters;
mod fluids;
mod foam;
mod joints;
mod melting;
mod names;
mod overlaps;
mod pictures;
mod sheets;
mod sizes;
mod smoke;
mod sph;
mod starts;
mod surfaces;
mod triggers;

use std::path::Path;

use crate::compile::{Plan, SizeLimits, compile};
use crate::issues::Issues;
use crate::problem::{Problem, SceneError};
use crate::scene::{Draft, Scene};

/// Everything doubtful or impossible about a scene, in order of place.
pub fn check(scene: &Scene) -> Vec<Problem> {
    check_within(scene, SizeLimits::default())
}

/// Everything doubtful or impossible about a scene that must stay within limits.
pub fn check_within(scene: &Scene, limits: SizeLimits) -> Vec<Problem> {
    let mut issues = scene.issues();
    let plan = compile(scene, limits, &mut issues);
    examine(scene, plan, &mut issues);
    issues.into_sorted()
}

/// Notes everything doubtful about what a scene is planned to become, and returns that without what was not read in full.
pub(crate) fn examine(scene: &Scene, plan: Plan, issues: &mut Issues<'_>) -> Plan {
    let subject = Subject::new(scene, plan, issues);
    names::check(scene, issues);
    sheets::check(&subject, issues);
    sizes::check(&subject, issues);
    emitters::check(&subject, issues);
    fluids::check(&subject, issues);
    foam::check(&subject, issues);
    smoke::check(&subject, issues);
    bodies::check(&subject, issues);
    joints::check(&subject, issues);
    distances::check(&subject, issues);
    melting::check(&subject, issues);
    starts::check(&subject, issues);
    surfaces::check(&subject, issues);
    triggers::check(&subject, issues);
    overlaps::check(&subject, issues);
    pictures::check(&subject, issues);
    subject.plan
}

/// Everything wrong with or doubtful about a scene file.
pub fn check_file(path: impl AsRef<Path>) -> Vec<Problem> {
    check_draft(Scene::load_draft(path.as_ref(), &[] as &[&str]), SizeLimits::default())
}

/// Everything wrong with or doubtful about the text of a scene that must stay within limits; `file` is its name in
/// messages.
pub fn check_text(text: &str, file: &str, limits: SizeLimits) -> Vec<Problem> {
    check_draft(Scene::draft(text, file, &[] as &[&str]), limits)
}

/// What was wrong when a scene was read, and all that can be said of the rest.
pub(crate) fn check_draft(draft: Result<Draft, SceneError>, limits: SizeLimits) -> Vec<Problem> {
    match draft {
        Ok(Draft { scene, mut problems }) => {
            problems.extend(check_within(&scene, limits));
            SceneError::new(problems).problems
        }
        Err(error) => error.problems,
    }
}

/// A scene, and of the world it would become all that is as the file means it.
struct Subject<'a> {
    scene: &'a Scene,
    plan: Plan,
    /// Whether the plan has all grains, bodies and emitters of the file.
    all_sources: bool,
    /// Whether sizes of particles and lengths of time are as the file means them.
    timing_known: bool,
    /// Whether the plan has every `[[collider]]` of the file.
    all_colliders: bool,
}

impl Subject<'_> {
    /// Radii of all particles, metres.
    fn radii(&self) -> impl Iterator<Item = f32> {
        let loose = self.plan.grains.iter().map(|planned| planned.radius);
        let poured = self.plan.fluids.iter().map(|planned| planned.radius);
        let held = self.plan.bodies.iter().map(|planned| planned.radius);
        let flat = self.plan.sheets.iter().map(|planned| planned.radius);
        let alive = self.plan.creatures.iter().map(|planned| planned.radius);
        loose
            .chain(poured)
            .chain(flat)
            .chain(held)
            .chain(alive)
            .chain(self.plan.emitters.iter().map(|planned| planned.radius))
    }

    /// Radii of all particles but those of liquids, metres.
    fn grain_radii(&self) -> impl Iterator<Item = f32> {
        let loose = self.plan.grains.iter().map(|planned| planned.radius);
        let held = self.plan.bodies.iter().map(|planned| planned.radius);
        let flat = self.plan.sheets.iter().map(|planned| planned.radius);
        let born = self.plan.emitters.iter().filter(|planned| !planned.is_fluid);
        let alive = self.plan.creatures.iter().map(|planned| planned.radius);
        { loose.chain(held).chain(flat).chain(alive) }.chain(born.map(|planned| planned.radius))
    }

    /// Whether there is any gas, in blocks or from emitters.
    fn has_gas(&self) -> bool {
        let poured = { self.plan.emitters.iter() }.any(|planned| planned.is_fluid && planned.material.is_gas);
        poured || self.plan.fluids.iter().any(|planned| planned.material.is_gas)
    }

    /// Radius of the smallest particles, metres.
    fn smallest(&self) -> f32 {
        self.radii().reduce(f32::min).unwrap_or(self.scene.particle_radius)
    }

    /// Radius of the largest particles, metres.
    fn largest(&self) -> f32 {
        self.radii().reduce(f32::max).unwrap_or(self.scene.particle_radius)
    }
}

impl<'a> Subject<'a> {
    fn new(scene: &'a Scene, mut plan: Plan, issues: &Issues<'_>) -> Self {
        plan.grains
            .retain(|planned| issues.sound(&format!("grains[{}]", planned.index)));
        plan.fluids.retain(|planned| issues.sound(&planned.path()));
        plan.markers
            .retain(|planned| issues.sound(&format!("markers[{}]", planned.index)));
        plan.sheets.retain(|planned| issues.sound(&planned.path()));
        plan.bodies.retain(|planned| issues.sound(&planned.path()));
        plan.creatures.retain(|planned| issues.sound(&planned.path()));
        plan.emitters
            .retain(|planned| issues.sound(&format!("emitter[{}]", planned.index)));
        plan.colliders
            .retain(|planned| issues.sound(&format!("collider[{}]", planned.index)));
        plan.joints.retain(|planned| issues.sound(&planned.path));
        plan.distances.retain(|planned| issues.sound(&planned.path));
        plan.triggers
            .retain(|planned| issues.sound(&format!("trigger[{}]", planned.index)));
        plan.kill_volumes
            .retain(|planned| issues.sound(&format!("kill[{}]", planned.index)));
        let known = |keys: &[&str]| keys.iter().all(|key| issues.known(key));
        Self {
            all_sources: known(&[
                "grains", "fluid", "markers", "cloth", "rope", "rigid", "soft", "plastic", "creature", "emitter",
            ]) && plan.markers.len() == scene.markers.len()
                && plan.grains.len() == scene.grains.len()
                && plan.fluids.len() == scene.fluid.len()
                && plan.sheets.len() == scene.cloth.len() + scene.rope.len()
                && plan.bodies.len() == scene.bodies().count()
                && plan.creatures.len() == scene.creature.len()
                && plan.emitters.len() == scene.emitter.len(),
            all_colliders: known(&["collider", "up"]) && plan.colliders.len() == scene.collider.len(),
            timing_known: ["particle_radius", "frames", "frame_rate", "solver.substeps"]
                .iter()
                .all(|key| issues.sound(key)),
            scene,
            plan,
        }
    }
}

/// A count with its noun.
fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
