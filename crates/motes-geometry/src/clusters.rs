//! Overlapping clusters of a soft body's particles: each keeps its shape (shape matching), and where they overlap they hold
//! together (Müller et al. 2005, "Meshless deformations based on shape matching", §4.4; §5.3 of the paper).

use std::collections::VecDeque;

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use crate::error::{GeometryError, positive};
use crate::links::Neighbors;

/// Most members that all clusters have together.
const MAX_MEMBERS: usize = 100_000_000;

/// Clusters that are made before their members are counted.
const CHUNK: usize = 1024;

/// How a body is divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClusterOptions {
    /// Least distance of the centres of two clusters, metres; a wider one makes fewer clusters and a stiffer body.
    pub spacing: f32,
    /// Distance of the centre within which particles are members, metres; at least the spacing is taken.
    pub radius: f32,
    /// Whether one more cluster has all particles, which pulls the body back into its shape as a whole.
    pub whole: bool,
}

impl ClusterOptions {
    /// Clusters of a soft body whose particles are `pitch` metres apart: a spacing of 4 pitches and a radius of 5, so that
    /// a particle is in about eight clusters, and no cluster of all.
    pub fn new(pitch: f32) -> Self {
        Self {
            spacing: 4.0 * pitch,
            radius: 5.0 * pitch,
            whole: false,
        }
    }

    /// Clusters that resolve how a body bends, so that it is as stiff as a modulus says: a spacing of 2 pitches and a radius
    /// of 2.5.
    pub fn fine(pitch: f32) -> Self {
        Self {
            spacing: 2.0 * pitch,
            radius: 2.5 * pitch,
            whole: false,
        }
    }
}

/// Clusters, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clusters {
    /// Where the members of each cluster begin, and where the last ones end.
    pub starts: Vec<u32>,
    /// Indices of the particles in each cluster, ascending.
    pub members: Vec<u32>,
}

impl Clusters {
    /// Number of clusters.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are no clusters.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The members of every cluster.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let ranges = self.starts.windows(2);
        ranges.map(|range| &self.members[range[0] as usize..range[1] as usize])
    }
}

impl<'a> FromIterator<&'a [u32]> for Clusters {
    fn from_iter<T: IntoIterator<Item = &'a [u32]>>(lists: T) -> Self {
        let (mut starts, mut members) = (vec![0], Vec::new());
        for list in lists {
            members.extend_from_slice(list);
            starts.push(members.len() as u32);
        }
        Self { starts, members }
    }
}

/// Divides particles at rest positions, metres, into clusters that overlap.
///
/// Clusters are balls around some of the particles, as far as they can be walked through along [`links`](crate::links());
/// limbs that are near but not linked stay apart. Every particle is in a cluster, and both ends of every link are in one
/// together, so that the clusters of a connected body hang together. The same particles give the same clusters.
pub fn clusters(positions: &[Vec3], links: &[[u32; 2]], options: &ClusterOptions) -> Result<Clusters, GeometryError> {
    let spacing = positive("cluster spacing", options.spacing)?;
    let radius = positive("cluster radius", options.radius)?.max(spacing);
    if let Some(index) = positions.iter().position(|position| !position.is_finite()) {
        return Err(GeometryError::NotFinite { index });
    }
    let neighbors = Neighbors::new(positions.len(), links)?;
    let (centers, owners) = choose(positions, &neighbors, spacing);
    let walk = || Walk::new(positions, &neighbors);
    let mut lists: Vec<Vec<u32>> = Vec::with_capacity(centers.len());
    let mut total = 0;
    for chunk in centers.chunks(CHUNK) {
        let ball = |walk: &mut Walk, center: &u32| walk.ball(*center, radius).to_vec();
        lists.par_extend(chunk.par_iter().with_min_len(16).map_init(walk, ball));
        total += lists.iter().rev().take(chunk.len()).map(Vec::len).sum::<usize>();
        if total > MAX_MEMBERS {
            return Err(GeometryError::TooMany {
                what: "members of clusters",
                limit: MAX_MEMBERS,
            });
        }
    }
    hold_links(&mut lists, &owners, links);
    lists.par_iter_mut().for_each(|list| {
        list.sort_unstable();
        list.dedup();
    });
    let is_whole = |list: &Vec<u32>| list.len() == positions.len();
    if options.whole && !lists.iter().any(is_whole) && !positions.is_empty() {
        lists.push((0..positions.len() as u32).collect());
    }
    Ok(lists.iter().map(Vec::as_slice).collect())
}

/// Centres of clusters, and the cluster that each particle is near: in waves from the middle of the body, every particle
/// that no centre is near becomes one.
fn choose(positions: &[Vec3], neighbors: &Neighbors, spacing: f32) -> (Vec<u32>, Vec<u32>) {
    const NOBODY: u32 = u32::MAX;
    let mut owners = vec![NOBODY; positions.len()];
    let mut centers = Vec::new();
    let mut walk = Walk::new(positions, neighbors);
    for particle in outward(positions, neighbors) {
        if owners[particle as usize] == NOBODY {
            let near = walk.ball(particle, spacing).iter().map(|&member| member as usize);
            near.for_each(|member| owners[member] = owners[member].min(centers.len() as u32));
            centers.push(particle);
        }
    }
    (centers, owners)
}

/// All particles, breadth first from the one nearest to the middle; parts without a link to it follow.
fn outward(positions: &[Vec3], neighbors: &Neighbors) -> Vec<u32> {
    let sum: DVec3 = positions.iter().map(|position| position.as_dvec3()).sum();
    let middle = (sum / positions.len().max(1) as f64).as_vec3();
    let gap = |index: &u32| positions[*index as usize].distance_squared(middle);
    let all = 0..positions.len() as u32;
    let first = all.clone().min_by(|a, b| gap(a).total_cmp(&gap(b)));
    let mut order = Vec::with_capacity(positions.len());
    let mut is_known = vec![false; positions.len()];
    for start in first.into_iter().chain(all) {
        let mut next = order.len();
        if !std::mem::replace(&mut is_known[start as usize], true) {
            order.push(start);
        }
        while let Some(&here) = order.get(next) {
            next += 1;
            for &other in neighbors.of(here) {
                if !std::mem::replace(&mut is_known[other as usize], true) {
                    order.push(other);
                }
            }
        }
    }
    order
}

/// Where the ends of a link have no cluster in common, each joins the cluster that the other is near.
fn hold_links(lists: &mut [Vec<u32>], owners: &[u32], links: &[[u32; 2]]) {
    let mut homes: Vec<Vec<u32>> = vec![Vec::new(); owners.len()];
    for (cluster, list) in lists.iter().enumerate() {
        list.iter()
            .for_each(|&member| homes[member as usize].push(cluster as u32));
    }
    let is_loose = |&&[a, b]: &&[u32; 2]| {
        let (a, b) = (&homes[a as usize], &homes[b as usize]);
        !a.iter().any(|home| b.binary_search(home).is_ok())
    };
    let loose: Vec<[u32; 2]> = links.par_iter().filter(is_loose).copied().collect();
    for [a, b] in loose {
        lists[owners[a as usize] as usize].push(b);
        lists[owners[b as usize] as usize].push(a);
    }
}

/// Walks over linked particles, with memory that serves many walks.
struct Walk<'a> {
    positions: &'a [Vec3],
    neighbors: &'a Neighbors,
    /// Number of the walk that last came by.
    visits: Vec<u32>,
    count: u32,
    open: VecDeque<u32>,
    found: Vec<u32>,
}

impl<'a> Walk<'a> {
    fn new(positions: &'a [Vec3], neighbors: &'a Neighbors) -> Self {
        Self {
            positions,
            neighbors,
            visits: vec![0; positions.len()],
            count: 0,
            open: VecDeque::new(),
            found: Vec::new(),
        }
    }

    /// The particles within a distance of one of them that a walk from it reaches without leaving the ball.
    fn ball(&mut self, center: u32, distance: f32) -> &[u32] {
        let middle = self.positions[center as usize];
        self.count += 1;
        self.found.clear();
        self.visits[center as usize] = self.count;
        self.open.push_back(center);
        while let Some(here) = self.open.pop_front() {
            self.found.push(here);
            for &other in self.neighbors.of(here) {
                let visit = &mut self.visits[other as usize];
                let is_near = self.positions[other as usize].distance_squared(middle) < distance * distance;
                if *visit != self.count && is_near {
                    *visit = self.count;
                    self.open.push_back(other);
                }
            }
        }
        &self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{BodyOptions, body};
    use crate::distance::MeshDistance;
    use crate::links::links;
    use crate::mesh::cuboid;
    use crate::models;
    use glam::Affine3A;
    use proptest::prelude::*;
    use std::time::Instant;

    fn block(counts: [usize; 3]) -> Vec<Vec3> {
        let [width, height, depth] = counts;
        let place =
            |index: usize| [index % width, index / width % height, index / width / height].map(|step| step as f32);
        (0..width * height * depth)
            .map(|index| Vec3::from(place(index)))
            .collect()
    }

    /// Number of groups of things that pairs join.
    fn groups<'a>(count: usize, joined: impl Iterator<Item = &'a [u32]>) -> usize {
        let mut heads: Vec<usize> = (0..count).collect();
        let find = |heads: &[usize], mut thing: usize| {
            while heads[thing] != thing {
                thing = heads[thing];
            }
            thing
        };
        for pair in joined.flat_map(|list| list.windows(2)) {
            let [a, b] = [pair[0], pair[1]].map(|thing| find(&heads, thing as usize));
            heads[a.max(b)] = a.min(b);
        }
        heads.iter().enumerate().filter(|(thing, head)| thing == *head).count()
    }

    /// The clusters of every particle.
    fn homes(count: usize, clusters: &Clusters) -> Vec<Vec<u32>> {
        let mut homes = vec![Vec::new(); count];
        for (index, list) in clusters.iter().enumerate() {
            list.iter()
                .for_each(|&member| homes[member as usize].push(index as u32));
        }
        homes
    }

    #[test]
    fn clusters_of_a_connected_body_hang_together() {
        for name in ["octopus", "rabbit", "gear"] {
            let mesh = models::by_name(name).unwrap().mesh(44).unwrap();
            let options = BodyOptions::solid(0.02);
            let positions = body(&mesh, &options).unwrap().positions;
            let links = links(&positions, 1.6 * options.pitch(), None).unwrap();
            assert_eq!(groups(positions.len(), links.iter().map(|link| &link[..])), 1, "{name}");
            for radius in [4.0, 5.0] {
                let options = ClusterOptions {
                    radius: radius * options.pitch(),
                    ..ClusterOptions::new(options.pitch())
                };
                let found = clusters(&positions, &links, &options).unwrap();
                let homes = homes(positions.len(), &found);
                assert!(homes.iter().all(|homes| !homes.is_empty()));
                assert_eq!(groups(found.len(), homes.iter().map(Vec::as_slice)), 1, "{name}");
                let mean = found.members.len() as f32 / positions.len() as f32;
                assert!((2.0..14.0).contains(&mean), "{name}: {mean}");
                assert!(
                    found.len() > 10 && found.len() < positions.len() / 10,
                    "{name}: {}",
                    found.len()
                );
            }
        }
    }

    #[test]
    fn limbs_that_lie_beside_each_other_share_no_cluster() {
        let mut mesh = cuboid(Vec3::new(0.5, 0.04, 0.04));
        mesh.append(&mesh.clone().transformed(&Affine3A::from_translation(Vec3::Z * 0.09)));
        let options = BodyOptions::solid(0.02);
        let positions = body(&mesh, &options).unwrap().positions;
        let mut pairs = links(&positions, 2.0 * options.pitch(), None).unwrap();
        let all = pairs.len();
        let distance = MeshDistance::new(&mesh);
        pairs.retain(|link| {
            let [a, b] = link.map(|end| positions[end as usize]);
            distance.is_clear(a, b)
        });
        assert!(pairs.len() < all);
        let found = clusters(&positions, &pairs, &ClusterOptions::new(options.pitch())).unwrap();
        let side = |member: &u32| positions[*member as usize].z > 0.045;
        assert!(
            found
                .iter()
                .all(|list| list.iter().all(|member| side(member) == side(&list[0])))
        );
    }

    #[test]
    fn centres_keep_their_distance_and_members_are_within_the_radius() {
        let positions = block([30, 10, 8]);
        let links = links(&positions, 1.6, None).unwrap();
        let neighbors = Neighbors::new(positions.len(), &links).unwrap();
        let (centers, owners) = choose(&positions, &neighbors, 3.5);
        let at = |index: u32| positions[index as usize];
        for (index, &a) in centers.iter().enumerate() {
            assert!(centers[..index].iter().all(|&b| at(a).distance(at(b)) >= 3.5));
        }
        assert!(
            owners
                .iter()
                .enumerate()
                .all(|(index, &owner)| { positions[index].distance(at(centers[owner as usize])) < 3.5 })
        );
        let options = ClusterOptions {
            spacing: 3.5,
            radius: 5.2,
            whole: false,
        };
        let found = clusters(&positions, &links, &options).unwrap();
        for (list, &center) in found.iter().zip(&centers) {
            let within = |index: &u32| at(*index).distance(at(center)) < 5.2;
            let expected: Vec<u32> = (0..positions.len() as u32).filter(within).collect();
            assert_eq!(list, expected);
        }
    }

    #[test]
    fn the_smallest_bodies_are_one_cluster_and_whole_adds_one_of_all() {
        let options = ClusterOptions {
            whole: true,
            ..ClusterOptions::new(1.0)
        };
        let none = clusters(&[], &[], &options).unwrap();
        assert!(none.is_empty() && none.members.is_empty());
        for positions in [vec![Vec3::ONE], vec![Vec3::ZERO, Vec3::X]] {
            let links = links(&positions, 1.6, None).unwrap();
            let found = clusters(&positions, &links, &options).unwrap();
            assert_eq!(found.len(), 1);
            assert_eq!(found.members.len(), positions.len());
        }
        let positions = block([20, 3, 3]);
        let pairs = links(&positions, 1.6, None).unwrap();
        let parts = clusters(&positions, &pairs, &ClusterOptions::new(1.0)).unwrap();
        let whole = clusters(&positions, &pairs, &options).unwrap();
        assert_eq!(whole.len(), parts.len() + 1);
        assert_eq!(whole.iter().last().map(<[u32]>::len), Some(180));
    }

    #[test]
    fn bad_numbers_are_refused() {
        let positions = block([3, 3, 3]);
        for bad in [0.0, -1.0, f32::NAN] {
            assert!(clusters(&positions, &[], &ClusterOptions::new(bad)).is_err());
        }
        let lost = clusters(&[Vec3::ZERO, Vec3::NAN], &[], &ClusterOptions::new(1.0));
        assert_eq!(lost, Err(GeometryError::NotFinite { index: 1 }));
        let missing = clusters(&positions, &[[0, 27]], &ClusterOptions::new(1.0));
        assert_eq!(missing, Err(GeometryError::MissingParticle { link: 0 }));
    }

    #[test]
    fn a_hundred_thousand_particles_take_well_under_a_second_and_the_same_clusters_on_any_threads() {
        let positions = block([100, 50, 20]);
        let make = || {
            let links = links(&positions, 1.6, None).unwrap();
            clusters(&positions, &links, &ClusterOptions::new(1.0)).unwrap()
        };
        let started = Instant::now();
        let found = make();
        let seconds = started.elapsed().as_secs_f32();
        assert!(seconds < 3.0, "{seconds}");
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(found, alone.install(make));
    }

    proptest! {
        #[test]
        fn every_particle_is_covered_and_every_link_is_held(
            points in prop::collection::vec(prop::array::uniform3(-1.0f32..1.0), 1..120),
            (spacing, radius, distance) in (0.05f32..1.0, 0.05f32..1.0, 0.1f32..0.8),
        ) {
            let points: Vec<Vec3> = points.into_iter().map(Vec3::from).collect();
            let links = links(&points, distance, None).unwrap();
            let found = clusters(&points, &links, &ClusterOptions { spacing, radius, whole: false }).unwrap();
            let homes = homes(points.len(), &found);
            prop_assert!(homes.iter().all(|homes| !homes.is_empty()));
            for [a, b] in links {
                let (a, b) = (&homes[a as usize], &homes[b as usize]);
                prop_assert!(a.iter().any(|home| b.contains(home)));
            }
        }
    }
}
