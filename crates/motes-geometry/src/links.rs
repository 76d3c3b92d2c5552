//! Pairs of neighbouring particles: what distance constraints hold together, and what clusters are walked along.

use glam::Vec3;
use rayon::prelude::*;

use crate::error::{GeometryError, positive};
use crate::grid::Grid;

/// Most links that are made.
const MAX_LINKS: usize = 100_000_000;

/// Particles that are looked at before the links are counted.
const CHUNK: usize = 8192;

/// Pairs of particles within a distance, metres, the lower index first, in ascending order.
///
/// With `most`, a particle takes only that many of its nearest; others may still take it. A distance of 1.6 times that of
/// neighbours joins a particle of a lattice with its 18 neighbours across faces and edges. Where a body has limbs beside
/// each other, [`MeshDistance::is_clear`](crate::MeshDistance::is_clear) tells which links to drop.
pub fn links(positions: &[Vec3], distance: f32, most: Option<usize>) -> Result<Vec<[u32; 2]>, GeometryError> {
    let distance = positive("distance", distance)?;
    if let Some(index) = positions.iter().position(|position| !position.is_finite()) {
        return Err(GeometryError::NotFinite { index });
    }
    let grid = Grid::new(positions, distance);
    let of = |near: &mut Vec<(f32, u32)>, index: u32| -> Vec<[u32; 2]> {
        near.clear();
        grid.each_within(positions[index as usize], distance, |other, squared| {
            if most.is_some() && other != index || other > index {
                near.push((squared, other));
            }
        });
        if let Some(most) = most {
            near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            near.truncate(most);
        }
        let pair = |&(_, other): &(f32, u32)| [index.min(other), index.max(other)];
        near.iter().map(pair).collect()
    };
    let mut links = Vec::new();
    let count = positions.len() as u32;
    for first in (0..count).step_by(CHUNK) {
        let chunk = first..count.min(first.saturating_add(CHUNK as u32));
        let found: Vec<Vec<[u32; 2]>> = chunk.into_par_iter().map_init(Vec::new, of).collect();
        found.into_iter().for_each(|pairs| links.extend(pairs));
        if links.len() > MAX_LINKS {
            return Err(GeometryError::TooMany {
                what: "links",
                limit: MAX_LINKS,
            });
        }
    }
    links.par_sort_unstable();
    links.dedup();
    Ok(links)
}

/// The neighbours of every particle, one list after the other.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Neighbors {
    starts: Vec<u32>,
    others: Vec<u32>,
}

impl Neighbors {
    /// Those that links give; a link of a particle that does not exist is an error.
    pub(crate) fn new(count: usize, links: &[[u32; 2]]) -> Result<Self, GeometryError> {
        let exists = |link: &[u32; 2]| link.iter().all(|&end| (end as usize) < count);
        if let Some(link) = links.iter().position(|link| !exists(link)) {
            return Err(GeometryError::MissingParticle { link });
        }
        let mut starts = vec![0u32; count + 1];
        links.iter().flatten().for_each(|&end| starts[end as usize + 1] += 1);
        (0..count).for_each(|index| starts[index + 1] += starts[index]);
        let mut next = starts.clone();
        let mut others = vec![0; 2 * links.len()];
        for &[a, b] in links {
            for (from, to) in [(a, b), (b, a)] {
                others[next[from as usize] as usize] = to;
                next[from as usize] += 1;
            }
        }
        Ok(Self { starts, others })
    }

    pub(crate) fn of(&self, index: u32) -> &[u32] {
        let index = index as usize;
        &self.others[self.starts[index] as usize..self.starts[index + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cube(side: i32) -> Vec<Vec3> {
        let place = |index: i32| {
            Vec3::new(
                (index % side) as f32,
                (index / side % side) as f32,
                (index / side / side) as f32,
            )
        };
        (0..side.pow(3)).map(place).collect()
    }

    #[test]
    fn a_particle_inside_a_lattice_has_eighteen_neighbours() {
        let links = links(&cube(5), 1.6, None).unwrap();
        let middle = 2 + 5 * (2 + 5 * 2);
        assert_eq!(links.iter().flatten().filter(|&&end| end == middle).count(), 18);
        assert!(links.iter().all(|[a, b]| a < b) && links.is_sorted());
    }

    #[test]
    fn with_three_each_only_the_nearest_are_taken() {
        let positions = cube(4);
        let few = links(&positions, 1.6, Some(3)).unwrap();
        assert!(
            few.iter()
                .all(|&[a, b]| positions[a as usize].distance(positions[b as usize]) < 1.1)
        );
        assert!((0..64).all(|particle| few.iter().flatten().filter(|&&end| end == particle).count() >= 3));
    }

    #[test]
    fn bad_numbers_and_lone_particles() {
        assert_eq!(links(&[], 1.0, None), Ok(Vec::new()));
        assert_eq!(links(&[Vec3::ZERO], 1.0, Some(4)), Ok(Vec::new()));
        assert_eq!(links(&[Vec3::ZERO, Vec3::X], 1.5, Some(4)), Ok(vec![[0, 1]]));
        assert_eq!(
            links(&[Vec3::NAN], 1.0, None),
            Err(GeometryError::NotFinite { index: 0 })
        );
        assert!(links(&cube(2), f32::NAN, None).is_err());
        assert!(
            Neighbors::new(2, &[[0, 1], [1, 2]])
                .is_err_and(|error| error == GeometryError::MissingParticle { link: 1 })
        );
    }

    proptest! {
        #[test]
        fn links_are_all_pairs_within_the_distance(
            points in prop::collection::vec(prop::array::uniform3(-1.0f32..1.0), 0..50),
            distance in 0.05f32..1.5,
        ) {
            let points: Vec<Vec3> = points.into_iter().map(Vec3::from).collect();
            let mut expected = Vec::new();
            for a in 0..points.len() {
                for b in a + 1..points.len() {
                    if points[a].distance_squared(points[b]) <= distance * distance {
                        expected.push([a as u32, b as u32]);
                    }
                }
            }
            prop_assert_eq!(links(&points, distance, None).unwrap(), expected);
        }
    }
}
