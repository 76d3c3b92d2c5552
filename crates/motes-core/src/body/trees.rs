//! Trees of rigid bodies: who is held by whom, from the leaves to the root.
//!
//! A body is one level above the highest of those below it, and the root is the middle of the tree, so that a chain has half as
//! many levels as links.

use super::islands::{Driven, Edge, NONE};

/// Islands that are trees, island by island and level by level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trees {
    /// The bodies.
    pub nodes: Vec<Node>,
    /// What holds them, node by node.
    pub joints: Vec<TreeJoint>,
    /// The attachments, joint by joint.
    pub order: Vec<u32>,
    /// The first node of each level, and the end of the last one.
    pub levels: Vec<u32>,
    /// The first level of each island, and how many it has.
    pub islands: Vec<[u32; 2]>,
    /// In how many places each island is held by what does not yield.
    pub nails: Vec<u32>,
}

/// A body of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its place in the list of bodies.
    pub body: u32,
    /// The joint above it; none at the root.
    pub above: u32,
    /// The first of the joints below it or to what does not yield.
    pub first: u32,
    /// How many of them there are.
    pub count: u32,
}

/// All attachments between two bodies, or of a body to what does not yield; those of a driven joint are one of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeJoint {
    /// The first of its attachments in the order.
    pub first: u32,
    /// How many there are.
    pub count: u32,
    /// The node above.
    pub upper: u32,
    /// The node below; none if it does not yield.
    pub lower: u32,
    /// The joint of the world that acts on its axis; none if nothing does.
    pub drive: u32,
    /// Whether points are held.
    pub holds: bool,
}

/// Where a body is in its tree.
#[derive(Clone, Copy, Debug)]
struct Place {
    island: usize,
    level: u32,
    /// The body above.
    above: usize,
}

impl Trees {
    pub(super) fn new(edges: &[Edge], bodies: usize) -> Self {
        let places = Self::places(edges, bodies);
        let mut order: Vec<usize> = (0..bodies).filter(|&body| places[body].is_some()).collect();
        order.sort_by_key(|&body| places[body].map(|place| (place.island, place.level)));
        let mut trees = Self::default();
        let mut nodes = vec![NONE; bodies];
        let mut last = None;
        for (node, &body) in (0..).zip(&order) {
            nodes[body] = node;
            let here = places[body].map(|place| (place.island, place.level));
            if last.flatten().map(|(island, _)| island) != here.map(|(island, _)| island) {
                trees.islands.push([trees.levels.len() as u32, 0]);
            }
            if last != Some(here) {
                trees.levels.push(node);
                if let Some([_, levels]) = trees.islands.last_mut() {
                    *levels += 1;
                }
            }
            last = Some(here);
        }
        trees.levels.push(order.len() as u32);
        // By the node above, then by the one below; what does not yield comes last.
        let mut rows: Vec<([u32; 2], Driven, u32)> = edges
            .iter()
            .map(|edge| {
                let ends = ends(edge, &places).map(|body| body.map_or(NONE, |body| nodes[body]));
                (ends, edge.drive, edge.number)
            })
            .collect();
        rows.sort_unstable();
        trees.order = rows.iter().map(|&(.., number)| number).collect();
        trees.nodes = order
            .iter()
            .map(|&body| Node {
                body: body as u32,
                above: NONE,
                first: 0,
                count: 0,
            })
            .collect();
        for rows in rows.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let joint = trees.joints.len() as u32;
            let ([upper, lower], drive, _) = rows[0];
            let first = trees.joints.last().map_or(0, |joint| joint.first + joint.count);
            trees.joints.push(TreeJoint {
                first,
                count: rows.len() as u32,
                upper,
                lower,
                drive: drive.joint,
                holds: drive.holds,
            });
            let node = &mut trees.nodes[upper as usize];
            if node.count == 0 {
                node.first = joint;
            }
            node.count += 1;
            if let Some(node) = trees.nodes.get_mut(lower as usize) {
                node.above = joint;
            }
        }
        trees.nails = trees.islands.iter().map(|&island| trees.nails_of(island)).collect();
        trees
    }

    /// The nodes of an island.
    pub fn nodes_of(&self, [first, count]: [u32; 2]) -> std::ops::Range<usize> {
        self.levels[first as usize] as usize..self.levels[(first + count) as usize] as usize
    }

    /// The joints of some nodes that follow one another.
    pub fn joints_of(&self, nodes: std::ops::Range<usize>) -> std::ops::Range<usize> {
        let before = |node: usize| self.joints.partition_point(|joint| (joint.upper as usize) < node);
        before(nodes.start)..before(nodes.end)
    }

    /// The attachments of a joint.
    pub fn rows_of(&self, joint: &TreeJoint) -> &[u32] {
        &self.order[joint.first as usize..(joint.first + joint.count) as usize]
    }

    /// The bodies above and below a joint, by their places in the list.
    pub fn bodies_of(&self, joint: &TreeJoint) -> [Option<usize>; 2] {
        [joint.upper, joint.lower].map(|node| self.nodes.get(node as usize).map(|node| node.body as usize))
    }

    fn nails_of(&self, island: [u32; 2]) -> u32 {
        let is_nail = |joint: &&TreeJoint| joint.lower == NONE && joint.holds;
        let joints = self.joints_of(self.nodes_of(island));
        self.joints[joints].iter().filter(is_nail).count() as u32
    }

    /// Takes the leaves off again and again: each goes to the level of its round, and what it hangs on is above it.
    fn places(edges: &[Edge], bodies: usize) -> Vec<Option<Place>> {
        let mut neighbors: Vec<Vec<usize>> = vec![Vec::new(); bodies];
        let mut islands = vec![None; bodies];
        for edge in edges {
            for body in edge.moved.into_iter().flatten() {
                islands[body] = Some(edge.island);
            }
            if let [Some(a), Some(b)] = edge.moved {
                neighbors[a].push(b);
                neighbors[b].push(a);
            }
        }
        for around in &mut neighbors {
            around.sort_unstable();
            around.dedup();
        }
        let mut places: Vec<Option<Place>> = vec![None; bodies];
        let mut degrees: Vec<usize> = neighbors.iter().map(Vec::len).collect();
        let mut leaves: Vec<usize> = (0..bodies)
            .filter(|&body| islands[body].is_some() && degrees[body] <= 1)
            .collect();
        // Rounds in which something was found below a body.
        let mut held = vec![None; bodies];
        let mut level = 0;
        while !leaves.is_empty() {
            let mut next = Vec::new();
            for &leaf in &leaves {
                // Of the last two, the one that comes first is below the other.
                let is_last = held[leaf] == Some(level);
                let Some(island) = islands[leaf].filter(|_| !is_last) else {
                    continue;
                };
                let is_left = |&body: &usize| places[body].is_none();
                let above = neighbors[leaf].iter().copied().find(is_left);
                places[leaf] = Some(Place {
                    island,
                    level,
                    above: above.unwrap_or(usize::MAX),
                });
                if let Some(above) = above {
                    degrees[above] -= 1;
                    held[above] = Some(level);
                    next.push(above);
                }
            }
            next.retain(|&body| degrees[body] <= 1 && places[body].is_none());
            next.sort_unstable();
            next.dedup();
            leaves = next;
            level += 1;
        }
        places
    }
}

/// The bodies of an edge, the one above first.
fn ends(edge: &Edge, places: &[Option<Place>]) -> [Option<usize>; 2] {
    match edge.moved {
        [Some(a), Some(b)] if places[a].is_some_and(|place| place.above == b) => [Some(b), Some(a)],
        [None, b] => [b, None],
        moved => moved,
    }
}

#[cfg(test)]
mod tests {
    use super::super::islands::Islands;
    use super::*;

    fn trees(attachments: &[[Option<usize>; 2]], bodies: usize) -> Trees {
        Islands::new(attachments, bodies, |_| true).trees
    }

    #[test]
    fn a_chain_has_half_as_many_levels_as_links() {
        let chain: Vec<[Option<usize>; 2]> = (0..17_usize).map(|k| [Some(k), k.checked_sub(1)]).collect();
        let trees = trees(&chain, 17);
        assert_eq!((trees.islands, trees.nails), (vec![[0, 9]], vec![1]));
        assert_eq!(trees.nodes.last().map(|node| node.body), Some(8));
    }

    #[test]
    fn whatever_is_below_is_on_a_lower_level_and_every_attachment_is_in_one_joint() {
        let mut seed = 7_u64;
        let mut random = |most: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % most
        };
        for bodies in [1, 2, 3, 9, 40] {
            let mut attachments: Vec<[Option<usize>; 2]> = (1..bodies).map(|k| [Some(k), Some(random(k))]).collect();
            for _ in 0..bodies {
                let again = random(2 * attachments.len() + 1);
                attachments.push(match attachments.get(again) {
                    Some(&[a, b]) => [b, a],
                    None => [None, Some(random(bodies))],
                });
            }
            let trees = trees(&attachments, bodies);
            assert_eq!((trees.nodes.len(), trees.islands.len()), (bodies, 1));
            let level = |node: u32| trees.levels.partition_point(|&first| first <= node);
            let mut seen = vec![0; attachments.len()];
            for (number, joint) in (0..).zip(&trees.joints) {
                if joint.lower != NONE {
                    assert!(level(joint.lower) < level(joint.upper));
                    assert_eq!(trees.nodes[joint.lower as usize].above, number);
                }
                for row in joint.first..joint.first + joint.count {
                    let number = trees.order[row as usize] as usize;
                    let mut ends = [joint.upper, joint.lower]
                        .map(|node| trees.nodes.get(node as usize).map(|node| node.body as usize));
                    let mut moved = attachments[number];
                    ends.sort_unstable();
                    moved.sort_unstable();
                    assert_eq!(ends, moved);
                    seen[number] += 1;
                }
            }
            assert!(seen.iter().all(|&times| times == 1));
            let joints: u32 = trees.nodes.iter().map(|node| node.count).sum();
            assert_eq!(joints as usize, trees.joints.len());
        }
    }
}
