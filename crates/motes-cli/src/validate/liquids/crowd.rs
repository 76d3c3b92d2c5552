//! How dense a liquid is where its particles are, from their places alone, so that any engine can be asked.

use std::collections::HashMap;

use glam::{IVec3, Vec3};
use motes_core::Liquids;
use motes_core::constraints::density::{self, Lattice, WallPlane, walled};
use motes_core::constraints::position_based::{self, Filled};

pub(in crate::validate) struct Crowd {
    places: Vec<Vec3>,
    cells: HashMap<IVec3, Vec<usize>>,
    /// Distance within which particles count, metres.
    reach: f32,
    measure: Measure,
}

/// How neighbours and walls are weighed.
struct Measure {
    weight: fn(f32) -> f32,
    /// Of all weights in the lattice.
    sum: f32,
    wall: f32,
}

impl Measure {
    /// As a liquid is weighed where its density is kept; what SPH makes is looked at as the default would.
    fn of(liquids: Liquids, smoothing: f32) -> Self {
        match liquids {
            Liquids::Chebyshev | Liquids::Pcisph | Liquids::Sph(_) => {
                let Lattice { sum, wall, .. } = Lattice::new(smoothing);
                let weight = density::weight;
                Self { weight, sum, wall }
            }
            Liquids::PositionBased(_) => {
                let Filled { sum, wall, .. } = Filled::new(smoothing);
                let weight = position_based::weight;
                Self { weight, sum, wall }
            }
        }
    }
}

impl Crowd {
    /// Of particles of a diameter, metres, and a smoothing radius in diameters, by the measure of whatever keeps their density.
    pub(in crate::validate) fn new(places: Vec<Vec3>, diameter: f32, smoothing: f32, liquids: Liquids) -> Self {
        let reach = smoothing * diameter;
        let mut cells: HashMap<IVec3, Vec<usize>> = HashMap::new();
        for (index, place) in places.iter().enumerate() {
            cells.entry((place / reach).floor().as_ivec3()).or_default().push(index);
        }
        Self {
            places,
            cells,
            reach,
            measure: Measure::of(liquids, smoothing),
        }
    }

    /// By how much each particle is too dense, in a tank between the origin and a far corner; open above, if that is endlessly high.
    pub(in crate::validate) fn errors(&self, far: Vec3) -> impl Iterator<Item = f32> {
        self.places.iter().map(move |&place| {
            let home = (place / self.reach).floor().as_ivec3();
            let around = (0..27).map(|k| home + IVec3::new(k % 3, k / 3 % 3, k / 9) - 1);
            let near = around.filter_map(|cell| self.cells.get(&cell)).flatten();
            let sum: f32 = near
                .map(|&other| (self.measure.weight)(self.places[other].distance(place) / self.reach))
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
            let lid = (far.y < f32::MAX).then(|| wall(far.y - place.y, Vec3::NEG_Y));
            sum / self.measure.sum + walled(planes.into_iter().chain(lid), self.measure.wall).w - 1.0
        })
    }
}

#[cfg(test)]
mod tests {
    use motes_core::PositionBased;

    use super::*;

    #[test]
    fn a_lattice_in_a_corner_is_at_rest_and_a_tighter_one_is_not() {
        for liquids in [Liquids::Chebyshev, Liquids::PositionBased(PositionBased::UNIFIED)] {
            for (spacing, low, high) in [(0.1, -0.02, 0.02), (0.095, 0.05, 0.25)] {
                let places = super::super::tank::block([8; 3], spacing, Vec3::ZERO);
                let crowd = Crowd::new(places.clone(), 0.1, 2.0, liquids);
                let far = Vec3::new(8.0 * spacing, f32::MAX, 8.0 * spacing);
                for (error, place) in crowd.errors(far).zip(&places) {
                    let deep = place.y < 0.5;
                    assert!(!deep || (low..high).contains(&error), "{error} at {place}");
                }
            }
        }
    }
}
