//! A sheet of grains that lie closer together than they are thick, as cloth does, on either engine.

use motes_core::glam::Vec3;
use motes_core::{Group, GroupId, Material, NewDistance, ParticleId, World};

/// Of the particles, metres.
pub(crate) const RADIUS: f32 = 0.05;
/// Distance of neighbours in the sheet, metres: particles overlap by two fifths.
pub(crate) const PITCH: f32 = 1.2 * RADIUS;

/// The places of a flat square sheet.
pub(crate) fn places(side: usize) -> Vec<Vec3> {
    let place = |i: usize| PITCH * Vec3::new((i % side) as f32, 0.0, (i / side) as f32);
    (0..side * side).map(place).collect()
}

/// A sheet that is held together along its sides and diagonals; its rest positions are those of `places`.
pub(crate) fn sheet(world: &mut World, side: usize, radius: Option<f32>) -> (GroupId, Vec<ParticleId>) {
    let cotton = world.add_material(Material::default()).expect("material");
    let group = Group {
        radius,
        ..Group::grains("sheet", cotton).ignoring_rest_overlaps()
    };
    let group = world.add_group(group).expect("group");
    let places = places(side);
    let ids = world.add_particles(group, &places, Vec3::ZERO).expect("particles");
    let mut rows = Vec::new();
    for i in 0..side * side {
        for (dx, dz) in [(1, 0), (0, 1), (1, 1)] {
            if i % side + dx < side && i / side + dz < side {
                let j = i + dx + dz * side;
                rows.push(NewDistance::new([ids[i], ids[j]], places[i].distance(places[j])));
            }
        }
    }
    world.add_distances(&rows).expect("rows");
    (group, ids)
}

/// Lays one half of a sheet over the other, a third of a contact distance above it.
pub(crate) fn fold(world: &mut World, side: usize, ids: &[ParticleId]) {
    let folded = places(side).into_iter().zip(ids).map(|(place, &id)| {
        let beyond = place.x - PITCH * 0.5 * side as f32;
        let place = if beyond > 0.0 {
            Vec3::new(place.x - 2.0 * beyond, 0.66 * RADIUS, place.z)
        } else {
            place
        };
        (id, place)
    });
    world.set_positions(&folded.collect::<Vec<_>>()).expect("alive");
}
