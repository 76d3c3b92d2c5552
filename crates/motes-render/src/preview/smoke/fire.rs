//! The light that hot smoke throws on all else, as that of a few soft lamps.

use super::super::lookup::{BATCH, Column, Points};
use glam::{Vec3, Vec3A};
use std::collections::BTreeMap;
use std::f32::consts::PI;

/// Lamps along the longest side of what glows.
const LAMPS: f32 = 3.0;

/// Smoke that glows: where it is in camera space, and its radiance times the area that is seen of it from around, m².
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ember {
    pub(crate) place: Vec3,
    pub(crate) light: Vec3A,
}

/// A soft lamp.
#[derive(Clone, Copy, Debug)]
struct Lamp {
    place: Vec3,
    light: Vec3A,
    /// Square of the distance within which light does not get stronger, m².
    softness: f32,
}

/// All lamps of a picture.
#[derive(Debug, Default)]
pub(crate) struct Fire {
    lamps: Vec<Lamp>,
}

impl Fire {
    /// Gathers embers into lamps, each in the middle of the light of a cube. `least` is the smallest side of these, metres.
    pub(crate) fn gather(&mut self, embers: &[Ember], least: f32) {
        self.lamps.clear();
        let mut range = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        for ember in embers {
            range = [range[0].min(ember.place), range[1].max(ember.place)];
        }
        let side = ((range[1] - range[0]).max_element() / LAMPS).max(least);
        let mut cubes: BTreeMap<[i32; 3], (f32, Vec3, Vec3A)> = BTreeMap::new();
        for ember in embers {
            let cube = ((ember.place - range[0]) / side)
                .as_ivec3()
                .min(glam::IVec3::splat(LAMPS as i32 - 1));
            let weight = ember.light.element_sum();
            let sums = cubes.entry(cube.to_array()).or_default();
            sums.0 += weight;
            sums.1 += ember.place * weight;
            sums.2 += ember.light;
        }
        let lit = cubes.values().filter(|(weight, ..)| *weight > 0.0);
        self.lamps.extend(lit.map(|&(weight, place, light)| Lamp {
            place: place / weight,
            light: light / PI,
            softness: 0.25 * side * side,
        }));
    }

    pub(crate) fn is_out(&self) -> bool {
        self.lamps.is_empty()
    }

    /// Light that arrives at a point from all sides.
    pub(crate) fn around(&self, point: Vec3A) -> Vec3A {
        let lights = self.lamps.iter().map(|lamp| {
            let square = Vec3A::from(lamp.place).distance_squared(point);
            lamp.light / (square + lamp.softness)
        });
        lights.sum()
    }

    /// Light on surfaces, by channel, where 1 is as much as a key light of strength 1 that they face.
    #[inline(always)]
    pub(crate) fn on(&self, points: &Points) -> [Column; 3] {
        let mut lights = [[0.0; BATCH]; 3];
        let Points { place, normal } = points;
        for lamp in &self.lamps {
            for i in 0..BATCH {
                let (x, y, z) = (
                    lamp.place.x - place[0][i],
                    lamp.place.y - place[1][i],
                    lamp.place.z - place[2][i],
                );
                let square = x * x + y * y + z * z + lamp.softness;
                let towards = x * normal[0][i] + y * normal[1][i] + z * normal[2][i];
                let towards = if towards > 0.0 { towards } else { 0.0 };
                let share = towards / (square * square.sqrt());
                for (channel, light) in lights.iter_mut().enumerate() {
                    light[i] += share * lamp.light[channel];
                }
            }
        }
        lights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fire() -> Fire {
        let ember = |x: f32| Ember {
            place: Vec3::new(x, 0.0, 0.0),
            light: Vec3A::new(2.0, 1.0, 0.0),
        };
        let embers: Vec<Ember> = (0..100).map(|i| ember(i as f32 * 0.001)).collect();
        let mut fire = Fire::default();
        fire.gather(&embers, 0.01);
        fire
    }

    #[test]
    fn light_falls_off_with_the_square_of_the_distance_and_is_that_of_all_embers() {
        let fire = fire();
        assert_eq!(fire.lamps.len(), 3);
        let [near, far] = [1.0, 2.0].map(|away| fire.around(Vec3A::new(0.05, away, 0.0)));
        assert!((near.x / far.x - 4.0).abs() < 0.02, "{near} {far}");
        assert!((near.x * PI / 200.0 - 1.0).abs() < 0.01 && near.x == 2.0 * near.y);
    }

    #[test]
    fn surfaces_that_face_away_are_not_lit() {
        let mut points = Points::new();
        for (i, normal) in [Vec3A::NEG_Y, Vec3A::Y, Vec3A::X].into_iter().enumerate() {
            points.set(i, Vec3A::new(0.05, 2.0, 0.0), normal);
        }
        points.pad(3);
        let [red, green, blue] = fire().on(&points);
        assert!((red[0] * PI * 4.0 / 200.0 - 1.0).abs() < 0.01 && red[1] == 0.0 && red[2] < 0.1 * red[0]);
        assert!((red[0] - 2.0 * green[0]).abs() < 1e-3 && blue[0] == 0.0);
        let mut none = Fire::default();
        none.gather(&[], 1.0);
        assert!(none.is_out());
    }
}
