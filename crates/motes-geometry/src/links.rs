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

/// What [`join_parts`] found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Parts that no link led to, and that have links across a gap instead.
    pub joined: usize,
    /// Parts that are too far away for that.
    pub apart: usize,
}

/// Links the parts of a body that no link leads to with those that are nearest, if they are no further away than
/// `farthest`, metres: by the shortest link that there can be, and all that are longer by less than half of `reach`.
pub fn join_parts(
    positions: &[Vec3],
    links: &mut Vec<[u32; 2]>,
    reach: f32,
    farthest: f32,
) -> Result<Parts, GeometryError> {
    let mut heads: Vec<u32> = (0..positions.len() as u32).collect();
    let mut parts = positions.len();
    for &[a, b] in links.iter() {
        parts -= usize::from(join(&mut heads, a, b));
    }
    if parts <= 1 {
        return Ok(Parts::default());
    }
    let labels: Vec<u32> = (0..positions.len() as u32)
        .map(|particle| find(&mut heads, particle))
        .collect();
    let length = |&[a, b]: &[u32; 2]| positions[a as usize].distance(positions[b as usize]);
    let ends = |[a, b]: [u32; 2]| {
        let (a, b) = (labels[a as usize], labels[b as usize]);
        [a.min(b), a.max(b)]
    };
    let mut bridges = self::links(positions, farthest, None)?;
    bridges.retain(|&link| labels[link[0] as usize] != labels[link[1] as usize]);
    bridges.sort_by(|a, b| length(a).total_cmp(&length(b)).then(a.cmp(b)));
    let mut found = Parts::default();
    let mut spans: Vec<([u32; 2], f32)> = Vec::new();
    for &link in &bridges {
        let between = ends(link);
        if join(&mut heads, between[0], between[1]) {
            found.joined += 1;
            spans.push((between, length(&link) + 0.5 * reach));
        }
    }
    let is_part_of = |link: &&[u32; 2]| {
        let between = ends(**link);
        spans
            .iter()
            .any(|(pair, span)| *pair == between && length(link) <= *span)
    };
    links.extend(bridges.iter().filter(is_part_of));
    links.sort_unstable();
    found.apart = parts - 1 - found.joined;
    Ok(found)
}

/// The first of all things that are one with a thing.
pub(crate) fn find(heads: &mut [u32], mut thing: u32) -> u32 {
    while heads[thing as usize] != thing {
        heads[thing as usize] = heads[heads[thing as usize] as usize];
        thing = heads[thing as usize];
    }
    thing
}

/// Makes two things one; says whether they were two.
pub(crate) fn join(heads: &mut [u32], a: u32, b: u32) -> bool {
    let (a, b) = (find(heads, a), find(heads, b));
    heads[a.max(b) as usize] = a.min(b);
    a != b
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

    #[test]
    fn parts_across_a_gap_are_joined_and_those_far_away_are_not() {
        let mut positions = cube(3);
        positions.extend(cube(2).iter().map(|place| *place + Vec3::new(4.5, 0.0, 0.0)));
        positions.push(Vec3::new(50.0, 0.0, 0.0));
        let mut pairs = links(&positions, 1.6, None).unwrap();
        let before = pairs.len();
        let found = join_parts(&positions, &mut pairs, 1.6, 4.0).unwrap();
        assert_eq!(found, Parts { joined: 1, apart: 1 });
        let across = |link: &&[u32; 2]| link[0] < 27 && link[1] >= 27;
        assert!(pairs.iter().filter(across).count() >= 4, "a hinge would not hold");
        assert_eq!(pairs.iter().filter(across).count(), pairs.len() - before);
        let same = pairs.clone();
        assert_eq!(
            join_parts(&positions[..35], &mut pairs, 1.6, 4.0).unwrap(),
            Parts::default()
        );
        assert_eq!(pairs, same);
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
