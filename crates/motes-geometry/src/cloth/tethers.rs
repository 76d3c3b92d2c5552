//! Long-range attachments: how far each vertex may be from what holds the cloth (Kim, Chentanez and Müller 2012, "Long range
//! attachments – a method to simulate inextensible clothing in computer games").

use glam::Vec3;
use motes_core::Bounds;
use rayon::prelude::*;

use super::{ClothShape, geodesic};
use crate::error::GeometryError;
use crate::grid::Grid;

/// A distance from an anchor that a vertex is not to exceed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tether {
    /// The vertex that is held.
    pub vertex: u32,
    /// The pinned vertex that holds it.
    pub anchor: u32,
    /// Their distance in the rest shape, metres.
    pub length: f32,
}

/// How the distance of a tether is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    /// Along the sheet: exact where it is flat, within 0.2 % around a cylinder of 24 cells, within 2 % around the corner of a
    /// notch, at 20 cells. A vertex that no way leads to has no tether.
    #[default]
    Geodesic,
    /// Straight through space: the same on a flat sheet without holes, too short on one that is bent at rest.
    Straight,
}

impl ClothShape {
    /// Tethers of every vertex to the nearest of the anchors, at most `most` for each; anchors have none.
    pub fn tethers(&self, anchors: &[u32], most: usize, measure: Measure) -> Result<Vec<Tether>, GeometryError> {
        let mut anchors = anchors.to_vec();
        anchors.sort_unstable();
        anchors.dedup();
        let vertices = self.positions.len();
        if let Some(&vertex) = anchors.last().filter(|&&last| last as usize >= vertices) {
            return Err(GeometryError::NoSuchVertex { vertex, vertices });
        }
        if anchors.is_empty() || most == 0 {
            return Ok(Vec::new());
        }
        let near = match measure {
            Measure::Geodesic => geodesic::nearest(self, &anchors, most),
            Measure::Straight => self.nearest_straight(&anchors, most),
        };
        let mut tethers = Vec::new();
        for (vertex, list) in (0u32..).zip(near) {
            if anchors.binary_search(&vertex).is_err() {
                tethers.extend(list.into_iter().map(|(anchor, length)| Tether {
                    vertex,
                    anchor,
                    length: length as f32,
                }));
            }
        }
        Ok(tethers)
    }

    fn nearest_straight(&self, anchors: &[u32], most: usize) -> Vec<Vec<(u32, f64)>> {
        let places: Vec<_> = anchors.iter().map(|&anchor| self.positions[anchor as usize]).collect();
        let size = Bounds::of(self.positions.iter().copied()).size().length();
        let first = (size / (anchors.len() as f32).sqrt()).max(f32::MIN_POSITIVE);
        let grid = (anchors.len() > FEW).then(|| Grid::new(&places, first));
        let nearest = |place: &Vec3| {
            let mut near: Vec<(f32, u32)> = Vec::new();
            match &grid {
                None => near.extend(
                    places
                        .iter()
                        .map(|other| other.distance_squared(*place))
                        .zip(anchors.iter().copied()),
                ),
                Some(grid) => {
                    let mut reach = first;
                    while near.len() < most.min(anchors.len()) && reach < 4.0 * size {
                        near.clear();
                        grid.each_within(*place, reach, |index, squared| {
                            near.push((squared, anchors[index as usize]));
                        });
                        reach *= 2.0;
                    }
                }
            }
            let by_distance = |a: &(f32, u32), b: &(f32, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
            if near.len() > most {
                near.select_nth_unstable_by(most - 1, by_distance);
                near.truncate(most);
            }
            near.sort_unstable_by(by_distance);
            near.iter()
                .map(|&(squared, anchor)| (anchor, f64::from(squared).sqrt()))
                .collect()
        };
        self.positions.par_iter().map(nearest).collect()
    }
}

/// Anchors that are all looked at: with more, only those nearby.
const FEW: usize = 1000;

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::super::tests::{irregular, square};
    use super::*;
    use crate::mesh::Mesh;

    fn distance(shape: &ClothShape, tether: &Tether) -> f32 {
        shape.positions[tether.vertex as usize].distance(shape.positions[tether.anchor as usize])
    }

    #[test]
    fn along_a_flat_sheet_is_straight() {
        for shape in [
            square(16, 1.0),
            irregular(16, 1.0, 0.25, Some(3)),
            irregular(16, 1.0, 0.0, None),
        ] {
            let tethers = shape.tethers(&[0, 40], 2, Measure::Geodesic).unwrap();
            assert_eq!(tethers.len(), 2 * (17 * 17 - 2));
            let worst = tethers
                .iter()
                .map(|tether| (tether.length / distance(&shape, tether) - 1.0).abs());
            let worst = worst.fold(0.0, f32::max);
            println!("worst error of a distance on a flat sheet: {worst:.1e}");
            assert!(worst < 1e-4);
        }
    }

    #[test]
    fn a_row_of_pins_holds_what_hangs_below_it() {
        let shape = square(8, 1.0);
        let top = shape.grid.unwrap().named("top").unwrap();
        for measure in [Measure::Geodesic, Measure::Straight] {
            let tethers = shape.tethers(&top, 1, measure).unwrap();
            assert_eq!(tethers.len(), 72);
            for tether in tethers {
                assert_eq!(tether.anchor, 72 + tether.vertex % 9);
                let rows = 8 - tether.vertex / 9;
                assert!((tether.length - rows as f32 / 8.0).abs() < 1e-6);
            }
        }
        let shape = irregular(16, 1.0, 0.25, Some(3));
        let top: Vec<u32> = (17 * 16..17 * 17).collect();
        let [along, straight] =
            [Measure::Geodesic, Measure::Straight].map(|measure| shape.tethers(&top, 1, measure).unwrap());
        let worst = along
            .iter()
            .zip(&straight)
            .map(|(a, b)| a.length / b.length)
            .fold(0.0, f32::max);
        println!("a row of pins on an irregular sheet: at most {worst:.4} of the straight distance");
        assert!(worst < 1.01);
    }

    #[test]
    fn around_a_cylinder_and_around_a_corner() {
        // A sheet rolled up by three quarters of a turn is as long as it was.
        let mut rolled = irregular(24, 1.0, 0.25, Some(8));
        let flat = rolled.positions.clone();
        for place in &mut rolled.positions {
            let angle = 1.5 * std::f32::consts::PI * place.x;
            let radius = 1.0 / (1.5 * std::f32::consts::PI);
            *place = Vec3::new(radius * angle.cos(), place.y, radius * angle.sin());
        }
        let error = |tether: &Tether| {
            let wanted = flat[tether.vertex as usize].distance(flat[tether.anchor as usize]);
            (tether.length / wanted - 1.0).abs()
        };
        let tethers = rolled.tethers(&[0], 1, Measure::Geodesic).unwrap();
        let worst = tethers.iter().map(error).fold(0.0, f32::max);
        println!("worst error around a cylinder: {worst:.4}");
        assert!(worst < 0.01, "{worst}");
        // An L: the lower right quarter is missing, and ways from there to the lower left lead around its corner.
        let whole = irregular(20, 1.0, 0.2, Some(2));
        let missing = |corners: &[u32; 3]| {
            let middle: Vec3 = corners
                .iter()
                .map(|&corner| whole.positions[corner as usize] / 3.0)
                .sum();
            middle.x > 0.0 && middle.y < 0.0
        };
        let keep: Vec<[u32; 3]> = whole
            .triangles
            .iter()
            .copied()
            .filter(|corners| !missing(corners))
            .collect();
        let uvs = vec![[Vec2::ZERO, Vec2::X, Vec2::Y]; keep.len()];
        let ell = ClothShape::new(Mesh::new(whole.positions.clone(), keep), uvs, None).unwrap();
        let anchor = 8;
        let start = ell.positions[anchor as usize];
        let corner = ell.positions[10 * 21 + 10];
        let tethers = ell.tethers(&[anchor], 1, Measure::Geodesic).unwrap();
        let behind = |tether: &&Tether| {
            let place = ell.positions[tether.vertex as usize];
            place.x > 0.05 && (corner - start).perp_dot_xy(place - start) < 0.0
        };
        let (mut count, mut worst) = (0, 0.0f32);
        for tether in tethers.iter().filter(behind) {
            let wanted = start.distance(corner) + corner.distance(ell.positions[tether.vertex as usize]);
            worst = worst.max((tether.length / wanted - 1.0).abs());
            count += 1;
        }
        println!("worst error around a corner: {worst:.4}");
        assert!(count > 50 && worst < 0.03, "{worst}");
    }

    trait Cross {
        fn perp_dot_xy(self, other: Self) -> f32;
    }

    impl Cross for Vec3 {
        fn perp_dot_xy(self, other: Self) -> f32 {
            self.truncate().perp_dot(other.truncate())
        }
    }

    #[test]
    fn what_nothing_leads_to_has_no_tether_and_bad_anchors_are_refused() {
        let mut positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
        positions.extend([3.0, 4.0, 5.0].map(|x| Vec3::new(x, x * x, 0.0)));
        let mesh = Mesh::new(positions, vec![[0, 1, 2], [3, 4, 5]]);
        let apart = ClothShape::new(mesh, vec![[Vec2::ZERO, Vec2::X, Vec2::Y]; 2], None).unwrap();
        assert_eq!(apart.tethers(&[0], 1, Measure::Geodesic).unwrap().len(), 2);
        assert_eq!(apart.tethers(&[0], 1, Measure::Straight).unwrap().len(), 5);
        assert!(apart.tethers(&[], 1, Measure::Straight).unwrap().is_empty());
        assert!(apart.tethers(&[6], 1, Measure::Straight).is_err());
        // So many anchors that only those nearby are looked at.
        let wide = square(60, 1.0);
        let anchors: Vec<u32> = (0..61 * 61).filter(|vertex| vertex % 3 == 0).collect();
        let tethers = wide.tethers(&anchors, 2, Measure::Straight).unwrap();
        assert_eq!(tethers.len(), 2 * (61 * 61 - anchors.len()));
        for pair in tethers.chunks(2) {
            assert!(
                pair[0].length <= pair[1].length && pair[1].length < 1.5 / 60.0,
                "{pair:?}"
            );
        }
    }
}
