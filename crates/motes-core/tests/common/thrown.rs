//! What is thrown at a sheet so fast that it would be on its other side after a sub-step, on either engine.

use motes_core::glam::Vec3;
use motes_core::{Change, Group, GroupId, Material, ParticleId, World};

use crate::sheet::{self, PITCH, RADIUS};

/// Particles along a side of the sheet.
pub(crate) const SIDE: usize = 14;

/// How fast, m/s: three diameters in a hundred and twentieth of a second.
pub(crate) const SPEED: f32 = 36.0;

/// A sheet that lies at height 0, all of whose particles are pinned; and its group.
pub(crate) fn pinned(world: &mut World, radius: Option<f32>) -> GroupId {
    let (group, ids) = sheet::sheet(world, SIDE, radius);
    let pins: Vec<_> = ids.iter().map(|&id| (id, Change::InverseMass(0.0))).collect();
    world.edit(&pins).expect("alive");
    group
}

/// Grains that are about to fall on the middle of it.
pub(crate) fn grains(world: &mut World) -> Vec<ParticleId> {
    let sand = world.add_material(Material::default()).expect("material");
    let group = world.add_group(Group::grains("grains", sand)).expect("group");
    let place = |i: usize| {
        Vec3::new(
            0.25 + 0.11 * (i % 3) as f32,
            0.15 + 0.007 * i as f32,
            0.25 + 0.1 * (i / 3) as f32,
        )
    };
    let places: Vec<Vec3> = (0..9).map(place).collect();
    world.add_particles(group, &places, -SPEED * Vec3::Y).expect("grains")
}

/// A sheet that is about to fall on it.
pub(crate) fn sheet(world: &mut World) -> Vec<ParticleId> {
    let side = SIDE - 6;
    let (_, ids) = sheet::sheet(world, side, None);
    let corner = Vec3::new(3.1 * PITCH, 2.5 * RADIUS, 2.7 * PITCH);
    let places: Vec<_> = ids
        .iter()
        .zip(sheet::places(side))
        .map(|(&id, place)| (id, corner + place))
        .collect();
    world.set_positions(&places).expect("alive");
    let fast: Vec<_> = ids.iter().map(|&id| (id, Change::Velocity(-SPEED * Vec3::Y))).collect();
    world.edit(&fast).expect("alive");
    ids
}

/// The lowest of some particles, metres.
pub(crate) fn lowest(world: &World, ids: &[ParticleId]) -> f32 {
    let heights = world.positions(ids).into_iter().map(|place| place.expect("alive").y);
    heights.fold(f32::INFINITY, f32::min)
}
