//! Grains that leave room for the bodies and colliders that stand in them.

use std::collections::HashMap;

use glam::{IVec3, Vec3};
use motes_core::Pose;

use super::{PlannedBodies, PlannedCollider, PlannedGrains, Surroundings};

/// What grains may overlap by, as a share of the distance at which they touch: as much as rounding makes of touching.
const TOUCHING: f32 = 1e-3;

/// Takes out the grains that overlap bodies or colliders, of the tables that say so.
pub(super) fn carve(
    around: &Surroundings<'_>,
    grains: &mut [PlannedGrains],
    bodies: &[PlannedBodies],
    colliders: &[PlannedCollider],
) {
    let tables = &around.scene.grains;
    let carved: Vec<&mut PlannedGrains> = { grains.iter_mut() }
        .filter(|planned| tables[planned.index].carve)
        .collect();
    let Some(widest) = carved.iter().map(|planned| planned.radius).reduce(f32::max) else {
        return;
    };
    let room = Room::of(bodies, widest);
    for planned in carved {
        let (radius, channels) = (planned.radius, tables[planned.index].channels.0);
        let standing: Vec<(&PlannedCollider, Pose)> = { colliders.iter() }
            .filter(|obstacle| obstacle.switches.starts_on() && !obstacle.collider.trigger)
            .filter(|obstacle| obstacle.collider.channels & channels != 0)
            .map(|obstacle| {
                let collider = &obstacle.collider;
                (obstacle, collider.motion.pose(&collider.initial_pose, 0.0))
            })
            .collect();
        planned.centers.retain(|&center| {
            let inside = |(obstacle, pose): &(&PlannedCollider, Pose)| {
                let shape = &obstacle.collider.shape;
                let (local, reach) = (pose.local_point(center), radius * (1.0 - TOUCHING));
                shape.bounds().expanded(reach).contains(local) && shape.contains(local, reach)
            };
            !room.is_taken(center, radius) && !standing.iter().any(inside)
        });
    }
}

/// The particles of bodies, by cell.
struct Room {
    cell: f32,
    taken: HashMap<IVec3, Vec<(Vec3, f32)>>,
}

impl Room {
    /// For grains up to a radius.
    fn of(bodies: &[PlannedBodies], widest: f32) -> Self {
        let largest = bodies.iter().map(|planned| planned.radius).fold(0.0, f32::max);
        let cell = widest + largest;
        let mut taken: HashMap<IVec3, Vec<(Vec3, f32)>> = HashMap::new();
        for planned in bodies {
            for (_, center) in planned.centers() {
                let place = (center / cell).floor().as_ivec3();
                taken.entry(place).or_default().push((center, planned.radius));
            }
        }
        Self { cell, taken }
    }

    fn is_taken(&self, center: Vec3, radius: f32) -> bool {
        if self.taken.is_empty() {
            return false;
        }
        let middle = (center / self.cell).floor().as_ivec3();
        let around = (-1..=1).flat_map(|x| (-1..=1).flat_map(move |y| (-1..=1).map(move |z| IVec3::new(x, y, z))));
        let near = around.filter_map(|offset| self.taken.get(&(middle + offset)));
        { near.flatten() }.any(|&(other, size)| center.distance(other) < (radius + size) * (1.0 - TOUCHING))
    }
}
