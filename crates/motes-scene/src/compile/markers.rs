//! Markers of smoke: solids filled with points at random, and points among particles of a gas.

use glam::Vec3;
use motes_core::random::Random;
use motes_geometry::Solid;

use super::Surroundings;
use super::solid::solid;
use crate::issues::Issues;
use crate::model::MarkersTable;

/// The markers of one `[[markers]]`.
pub(crate) struct PlannedMarkers {
    pub(crate) index: usize,
    pub(crate) places: Vec<Vec3>,
}

/// Points of the bounds of a solid that are looked at for each marker that is wanted, at the most.
const ATTEMPTS: usize = 256;

/// The markers of every `[[markers]]`.
pub(super) fn all(around: &Surroundings<'_>, issues: &mut Issues<'_>) -> Vec<PlannedMarkers> {
    let mut planned = Vec::new();
    for (index, table) in around.scene.markers.iter().enumerate() {
        let path = format!("markers[{index}]");
        if !fits(u64::from(table.count), around, &format!("{path}.count"), issues) {
            continue;
        }
        let Some(solid) = solid(&table.shape, around.upright, &format!("{path}.shape"), issues) else {
            continue;
        };
        let mut random = Random::new(around.scene.seed, 5000 + index as u64);
        let places = scattered(&solid, table, &mut random);
        let turned = |place: Vec3| table.rotation.0 * around.upright.to_scene(place) + table.position;
        planned.push(PlannedMarkers {
            index,
            places: places.into_iter().map(turned).collect(),
        });
    }
    planned
}

/// Refuses more markers than a scene may have particles.
pub(super) fn fits(count: u64, around: &Surroundings<'_>, path: &str, issues: &mut Issues<'_>) -> bool {
    let most = around.limits.particles;
    if count > most && issues.sound(path) {
        issues.error(
            path,
            format!("{count} markers are too many: a scene holds at most {most}"),
        );
    }
    count <= most
}

fn scattered(solid: &Solid, table: &MarkersTable, random: &mut Random) -> Vec<Vec3> {
    let bounds = solid.bounds();
    let size = bounds.size();
    if !(size.is_finite() && size.min_element() > 0.0) {
        return Vec::new();
    }
    let count = table.count as usize;
    let mut places = Vec::new();
    for tried in 0..ATTEMPTS * count {
        // What hardly ever meets the solid will not meet it often enough.
        if places.len() == count || (tried > 100_000 && places.is_empty()) {
            break;
        }
        let share = Vec3::new(random.unit(), random.unit(), random.unit());
        let place = bounds.min + share * size;
        if solid.distance(place) <= 0.0 {
            places.push(place);
        }
    }
    places
}

/// So many markers for each particle of a gas, each within the cube of its particle.
pub(crate) fn among(centers: &[Vec3], radius: f32, markers: f32, seed: u64) -> Vec<Vec3> {
    let mut random = Random::new(seed, 6000);
    let mut owed = 0.0;
    let mut places = Vec::new();
    for &center in centers {
        owed += markers;
        while owed >= 1.0 {
            owed -= 1.0;
            places.push(center + radius * Vec3::new(random.signed(), random.signed(), random.signed()));
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_among_particles_are_as_many_as_said_and_in_their_cubes() {
        let centers: Vec<Vec3> = (0..100).map(|k| k as f32 * Vec3::X).collect();
        let places = among(&centers, 0.25, 2.5, 1);
        assert_eq!(places.len(), 250);
        assert!(
            places
                .iter()
                .all(|place| (place.x - place.x.round()).abs() <= 0.25 && place.y.abs() <= 0.25)
        );
    }
}
