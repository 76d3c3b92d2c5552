//! A saved state in place of a scene's beginning.

use std::path::Path;

use anyhow::{Context, Result, bail};
use motes_core::World;
use motes_scene::{Built, Looks};

use crate::args::EngineOptions;

/// Puts a saved state in place of a scene's beginning. Settings stay those of the scene and the command line.
pub(crate) fn restore(path: &Path, built: &mut Built, engine: &EngineOptions) -> Result<()> {
    let shown = path.display();
    let bytes = std::fs::read(path).with_context(|| shown.to_string())?;
    let mut restored = World::restore(&bytes, engine.create()?).with_context(|| shown.to_string())?;
    let world = &built.world;
    if names(&restored) != names(world) {
        bail!("{shown}: a state of another scene: its objects have other names");
    }
    let (then, now) = (restored.settings().particle_radius, world.settings().particle_radius);
    if then != now {
        bail!("{shown}: a state of grains of radius {then} m, not {now} m");
    }
    if let Some(name) = changed_body(&restored, world, &built.looks) {
        bail!("{shown}: a state of another scene: the shape of `{name}` has changed since");
    }
    restored.set_settings(world.settings().clone())?;
    built.world = restored;
    Ok(())
}

/// Names of the groups and of the colliders.
fn names(world: &World) -> (Vec<String>, Vec<String>) {
    let colliders = world.colliders().map(|(_, collider, _)| collider.name.clone());
    (
        world.groups().map(|(_, group)| group.name.clone()).collect(),
        colliders.collect(),
    )
}

/// The first body that was made of something else in the one world than in the other.
fn changed_body(then: &World, now: &World, looks: &Looks) -> Option<String> {
    let (old, new) = (then.bodies(), now.bodies());
    let changed = looks.bodies.iter().find(|look| {
        let [old, new] = [old, new].map(|bodies| bodies.place(look.body).map(|place| &bodies.list[place]));
        // What dents, flows and wears keeps both its number of members and the size that it was made with.
        matches!((old, new), (Some(old), Some(new)) if (old.count, old.size) != (new.count, new.size))
    })?;
    let mut groups = now.groups();
    groups.find_map(|(id, group)| (id == changed.group).then(|| group.name.clone()))
}
