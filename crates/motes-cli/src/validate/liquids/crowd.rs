//! How dense a liquid is where its particles are, from their places alone, so that any engine can be asked.

use std::collections::HashMap;

use glam::{IVec3, Vec3};
use motes_core::constraints::density::{Lattice, WallPlane, walled, weight};

pub(super) struct Crowd {
    places: Vec<Vec3>,
    cells: HashMap<IVec3, Vec<usize>>,
    /// Distance within which particles count, metres.
    reach: f32,
    lattice: Lattice,
}

impl Crowd {
    /// Of particles of a diameter, metres, and a smoothing radius in diameters.
    pub(super) fn new(places: Vec<Vec3>, diameter: f32, smoothing: f32) -> Self {
        let reach = smoothing * diameter;
        let mut cells: HashMap<IVec3, Vec<usize>> = HashMap::new();
        for (index, place) in places.iter().enumerate() {
            cells.entry((place / reach).floor().as_ivec3()).or_default().push(index);
        }
        Self {
            places,
            cells,
            reach,
            lattice: Lattice::new(smoothing),
        }
    }

    /// By how much each particle is too dense, in a tank between the origin and a far corner, open above.
    pub(super) fn errors(&self, far: Vec3) -> impl Iterator<Item = f32> {
        self.places.iter().map(move |&place| {
            let home = (place / self.reach).floor().as_ivec3();
            let around = (0..27).map(|k| home + IVec3::new(k % 3, k / 3 % 3, k / 9) - 1);
            let near = around.filter_map(|cell| self.cells.get(&cell)).flatten();
            let sum: f32 = near
                .map(|&other| weight(self.places[other].distance(place) / self.reach))
                .sum();
            let wall = |gap: f32, normal: Vec3| WallPlane {
                q: (gap / self.reach).max(0.0),
                normal,
            };
            let planes = [
                wall(place.y, Vec3::Y),
                wall(place.x, Vec3::X),
                wall(far.x - place.x, Vec3::NEG_X),
                wall(place.z, Vec3::Z),
                wall(far.z - place.z, Vec3::NEG_Z),
            ];
            sum / self.lattice.sum + walled(planes.into_iter(), self.lattice.wall).w - 1.0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lattice_in_a_corner_is_at_rest_and_a_tighter_one_is_not() {
        for (spacing, low, high) in [(0.1, -0.02, 0.02), (0.095, 0.05, 0.25)] {
            let places = super::super::tank::block([8; 3], spacing, Vec3::ZERO);
            let crowd = Crowd::new(places.clone(), 0.1, 2.0);
            let far = Vec3::new(8.0 * spacing, f32::MAX, 8.0 * spacing);
            for (error, place) in crowd.errors(far).zip(&places) {
                let deep = place.y < 0.5;
                assert!(!deep || (low..high).contains(&error), "{error} at {place}");
            }
        }
    }
}
