//! Grains and liquids that leave room for what stands in them.

use std::collections::HashMap;

use glam::{IVec3, Vec3};
use motes_core::Pose;

use super::fluid::PlannedFluid;
use super::{PlannedBodies, PlannedCollider, PlannedGrains, PlannedSheet, Surroundings};

/// What particles may overlap by, as a share of the distance at which they touch: as much as rounding makes of touching.
const TOUCHING: f32 = 1e-3;

/// What is there when others are asked to leave room for it.
pub(super) struct Standing<'a> {
    pub(super) sheets: &'a [PlannedSheet],
    pub(super) bodies: &'a [PlannedBodies],
    pub(super) colliders: &'a [PlannedCollider],
}

/// Takes out the grains that overlap bodies or colliders, of the tables that say so, and the liquid that overlaps these, cloth, grains
/// or liquids before it.
pub(super) fn carve(
    around: &Surroundings<'_>,
    grains: &mut [PlannedGrains],
    fluids: &mut [PlannedFluid],
    standing: &Standing<'_>,
) {
    let scene = around.scene;
    let poured = fluids.iter().any(|planned| scene.fluid[planned.index].carve);
    if !poured && !scene.grains.iter().any(|table| table.carve) {
        return;
    }
    let mut room = Room::new(grains, fluids, standing);
    for planned in standing.bodies {
        room.take(planned.centers().map(|(_, center)| center), planned.radius);
    }
    for planned in grains.iter_mut() {
        let table = &scene.grains[planned.index];
        if table.carve {
            let solid = Solid::new(standing.colliders, table.channels.0);
            let radius = planned.radius;
            planned
                .centers
                .retain(|&center| !room.is_taken(center, radius) && !solid.has(center, radius));
        }
    }
    if !poured {
        return;
    }
    for planned in standing.sheets {
        room.take(planned.centers.iter().copied(), planned.radius);
    }
    for planned in grains.iter() {
        room.take(planned.centers.iter().copied(), planned.radius);
    }
    for planned in fluids {
        let table = &scene.fluid[planned.index];
        let before = planned.centers.len();
        if table.carve {
            let solid = Solid::new(standing.colliders, table.channels.0);
            let radius = planned.radius;
            planned
                .centers
                .retain(|&center| !room.is_taken(center, radius) && !solid.has(center, radius));
        }
        planned.carved = before - planned.centers.len();
        room.take(planned.centers.iter().copied(), planned.radius);
    }
}

/// The colliders that are there at the start and stop particles of some channels.
struct Solid<'a>(Vec<(&'a PlannedCollider, Pose)>);

impl<'a> Solid<'a> {
    fn new(colliders: &'a [PlannedCollider], channels: u8) -> Self {
        let there = { colliders.iter() }
            .filter(|obstacle| obstacle.switches.starts_on() && !obstacle.collider.trigger)
            .filter(|obstacle| obstacle.collider.channels & channels != 0)
            .map(|obstacle| {
                let collider = &obstacle.collider;
                (obstacle, collider.motion.pose(&collider.initial_pose, 0.0))
            });
        Self(there.collect())
    }

    fn has(&self, center: Vec3, radius: f32) -> bool {
        self.0.iter().any(|(obstacle, pose)| {
            let shape = &obstacle.collider.shape;
            let (local, reach) = (pose.local_point(center), radius * (1.0 - TOUCHING));
            shape.bounds().expanded(reach).contains(local) && shape.contains(local, reach)
        })
    }
}

/// Particles, by cell.
struct Room {
    cell: f32,
    taken: HashMap<IVec3, Vec<(Vec3, f32)>>,
}

impl Room {
    /// Cells as wide as two of the largest particles.
    fn new(grains: &[PlannedGrains], fluids: &[PlannedFluid], standing: &Standing<'_>) -> Self {
        let radii = { grains.iter().map(|planned| planned.radius) }
            .chain(fluids.iter().map(|planned| planned.radius))
            .chain(standing.bodies.iter().map(|planned| planned.radius))
            .chain(standing.sheets.iter().map(|planned| planned.radius));
        Self {
            cell: 2.0 * radii.fold(f32::MIN_POSITIVE, f32::max),
            taken: HashMap::new(),
        }
    }

    fn take(&mut self, centers: impl Iterator<Item = Vec3>, radius: f32) {
        for center in centers {
            let place = (center / self.cell).floor().as_ivec3();
            self.taken.entry(place).or_default().push((center, radius));
        }
    }

    fn is_taken(&self, center: Vec3, radius: f32) -> bool {
        if self.taken.is_empty() {
            return false;
        }
        let middle = (center / self.cell).floor().as_ivec3();
        let around = (-1..=1).flat_map(|x| (-1..=1).flat_map(move |y| (-1..=1).map(move |z| IVec3::new(x, y, z))));
        let near = around.filter_map(|offset| self.taken.get(&middle.saturating_add(offset)));
        { near.flatten() }.any(|&(other, size)| center.distance(other) < (radius + size) * (1.0 - TOUCHING))
    }
}
