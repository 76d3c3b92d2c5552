//! Bodies that hang together, and the order in which many threads can solve what holds them.
//!
//! An island is bodies that attachments join, directly or by others; islands have nothing to do with each other. One whose
//! bodies are all rigid, more than rows of particles and joined without a loop is a tree, which [`constraints::articulated`](crate::constraints::articulated)
//! solves at once. The attachments of any other are gone through one after the other, or in levels with the same result.

use crate::body::attachment::{Anchor, Attached};
use crate::body::bodies::Bodies;
use crate::body::joint::JointKind;
use crate::body::trees::Trees;

/// No such thing: a node without a joint above it, a joint without a body below it.
pub const NONE: u32 = u32::MAX;

/// What holds the bodies of a world, by how it is solved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Islands {
    /// Islands that are trees of rigid bodies.
    pub trees: Trees,
    /// All others.
    pub loops: Levels,
}

/// Attachments by island and level.
///
/// An attachment is one level above the highest of those before it that move one of its bodies. Attachments of a level have no
/// body in common, and of two that have, the earlier is in the lower level; so level by level, upwards or downwards, every
/// one sees what it would see in turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    /// The attachments, island by island and level by level.
    pub order: Vec<u32>,
    /// Where each level begins in the order, and where the last one ends.
    pub levels: Vec<u32>,
    /// The first level of each island, and how many it has.
    pub islands: Vec<[u32; 2]>,
}

impl Levels {
    /// Where the attachments of each island begin and end in the order.
    pub fn ranges(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        { self.islands.iter() }.map(|&[first, count]| [first, first + count].map(|level| self.levels[level as usize]))
    }
}

/// An attachment as a graph sees it: its number, its island, and the bodies that it moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) number: u32,
    pub(super) island: usize,
    pub(super) moved: [Option<usize>; 2],
    pub(super) drive: Driven,
}

/// What acts on the axis of the joint that an attachment belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Driven {
    /// The place of the joint in the list; none if nothing acts.
    pub joint: u32,
    /// Whether points are held: all but springs between two do.
    pub holds: bool,
}

impl Driven {
    /// Nothing but a point that is held.
    pub const NOT: Self = Self {
        joint: NONE,
        holds: true,
    };

    fn of(attached: &Attached, bodies: &Bodies) -> Self {
        let place = attached.joint.and_then(|id| bodies.joint_place(id));
        match place {
            Some(place) if bodies.joints[place].is_driven() => Self {
                joint: place as u32,
                holds: bodies.joints[place].kind != JointKind::Distance,
            },
            _ => Self::NOT,
        }
    }
}

impl Islands {
    /// Of all attachments of a world.
    pub fn of(bodies: &Bodies) -> Self {
        let moved: Vec<_> = bodies.attachments.iter().map(|one| moved_by(one, bodies)).collect();
        let drives: Vec<_> = bodies.attachments.iter().map(|one| Driven::of(one, bodies)).collect();
        Self::with_drives(&moved, &drives, bodies.len(), |body| {
            let body = &bodies.list[body];
            body.is_rigid() && !body.is_a_row()
        })
    }

    /// Of attachments that each move up to two of so many bodies.
    pub fn new(attachments: &[[Option<usize>; 2]], bodies: usize, is_rigid: impl Fn(usize) -> bool) -> Self {
        Self::with_drives(attachments, &vec![Driven::NOT; attachments.len()], bodies, is_rigid)
    }

    /// The same with what acts on the joints that they belong to. Two joints between the same bodies are a loop if something
    /// acts on one of them.
    pub fn with_drives(
        attachments: &[[Option<usize>; 2]],
        drives: &[Driven],
        bodies: usize,
        is_rigid: impl Fn(usize) -> bool,
    ) -> Self {
        let mut leaders: Vec<usize> = (0..bodies).collect();
        for moved in attachments {
            if let [Some(a), Some(b)] = *moved {
                let (a, b) = (leader(&mut leaders, a), leader(&mut leaders, b));
                leaders[a.max(b)] = a.min(b);
            }
        }
        let edges = (0..)
            .zip(attachments.iter().zip(drives))
            .map(|(number, (&moved, &drive))| Edge {
                drive,
                number,
                // What moves nothing is an island of its own.
                island: match moved.iter().flatten().next() {
                    Some(&body) => leader(&mut leaders, body),
                    None => bodies + number as usize,
                },
                moved,
            });
        let edges: Vec<Edge> = edges.collect();
        let mut is_tree = find_trees(&edges, bodies);
        for body in edges.iter().flat_map(|edge| edge.moved).flatten() {
            is_tree[leader(&mut leaders, body)] &= is_rigid(body);
        }
        let (trees, loops): (Vec<Edge>, Vec<Edge>) = edges
            .into_iter()
            .partition(|edge| is_tree.get(edge.island).copied().unwrap_or(false));
        Self {
            trees: Trees::new(&trees, bodies),
            loops: Levels::new(&loops, bodies),
        }
    }
}

/// Of each island, by the body that leads it, whether its bodies are joined without a loop.
fn find_trees(edges: &[Edge], bodies: usize) -> Vec<bool> {
    let mut joined: Vec<(usize, [usize; 2], u32)> = edges
        .iter()
        .filter_map(|edge| match edge.moved {
            [Some(a), Some(b)] => Some((edge.island, [a.min(b), a.max(b)], edge.drive.joint)),
            _ => None,
        })
        .collect();
    joined.sort_unstable();
    joined.dedup();
    let mut members: Vec<(usize, usize)> = edges
        .iter()
        .flat_map(|edge| edge.moved.into_iter().flatten().map(|body| (edge.island, body)))
        .collect();
    members.sort_unstable();
    members.dedup();
    // As many bodies as joints and one more, since all hang together.
    let mut surplus = vec![0_isize; bodies];
    members.iter().for_each(|&(island, _)| surplus[island] += 1);
    joined.iter().for_each(|&(island, ..)| surplus[island] -= 1);
    surplus.into_iter().map(|surplus| surplus == 1).collect()
}

/// The bodies that an attachment moves.
fn moved_by(attached: &Attached, bodies: &Bodies) -> [Option<usize>; 2] {
    let other = match attached.attachment.anchor {
        Anchor::Body(other, _) => Some(other),
        Anchor::World(_) | Anchor::Collider(..) => None,
    };
    let moved = |id| bodies.place(id).filter(|&place| bodies.list[place].path.is_none());
    [moved(attached.attachment.body), other.and_then(moved)]
}

impl Levels {
    fn new(edges: &[Edge], bodies: usize) -> Self {
        let mut reached = vec![0; bodies];
        let mut places: Vec<(usize, u32, u32)> = Vec::with_capacity(edges.len());
        for edge in edges {
            let moved = || edge.moved.into_iter().flatten();
            let level = moved().map(|body| reached[body]).max().unwrap_or(0);
            moved().for_each(|body| reached[body] = level + 1);
            places.push((edge.island, level, edge.number));
        }
        places.sort_unstable();
        let mut sorted = Self {
            order: places.iter().map(|&(.., number)| number).collect(),
            ..Self::default()
        };
        let mut before = None;
        for (place, &(island, level, _)) in (0..).zip(&places) {
            if before.map(|(island, _)| island) != Some(island) {
                sorted.islands.push([sorted.levels.len() as u32, 0]);
            }
            if before != Some((island, level)) {
                sorted.levels.push(place);
                if let Some([_, levels]) = sorted.islands.last_mut() {
                    *levels += 1;
                }
            }
            before = Some((island, level));
        }
        sorted.levels.push(places.len() as u32);
        sorted
    }
}

fn leader(leaders: &mut [usize], mut body: usize) -> usize {
    while leaders[body] != body {
        leaders[body] = leaders[leaders[body]];
        body = leaders[body];
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Something that depends on the order in which it is done.
    fn act(number: usize, moved: [Option<usize>; 2], bodies: &mut [u64]) {
        let mix = |value: u64| {
            (value ^ number as u64)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(23)
        };
        let seen = moved.iter().flatten().fold(1, |sum, &body| mix(sum ^ bodies[body]));
        for &body in moved.iter().flatten() {
            bodies[body] = mix(seen.wrapping_add(body as u64));
        }
    }

    /// There and back, one by one.
    fn in_turn(attachments: &[[Option<usize>; 2]], bodies: usize) -> Vec<u64> {
        let mut state: Vec<u64> = (0..bodies as u64).collect();
        let there = 0..attachments.len();
        for number in there.clone().chain(there.rev()) {
            act(number, attachments[number], &mut state);
        }
        state
    }

    /// The same by levels, the last island first, and the last of a level first.
    fn by_levels(attachments: &[[Option<usize>; 2]], bodies: usize) -> Vec<u64> {
        let mut state: Vec<u64> = (0..bodies as u64).collect();
        let sorted = Islands::new(attachments, bodies, |_| false).loops;
        for &[first, count] in sorted.islands.iter().rev() {
            let there = first as usize..(first + count) as usize;
            for level in there.clone().chain(there.rev()) {
                let range = sorted.levels[level] as usize..sorted.levels[level + 1] as usize;
                for &number in sorted.order[range].iter().rev() {
                    act(number as usize, attachments[number as usize], &mut state);
                }
            }
        }
        state
    }

    #[test]
    fn levels_do_what_attachments_do_in_turn() {
        let mut seed = 1_u64;
        let mut random = |most: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % most
        };
        for bodies in [1, 2, 5, 20, 60] {
            for count in [0, 1, 4, 30, 100] {
                let attachments: Vec<[Option<usize>; 2]> = (0..count)
                    .map(|_| {
                        [
                            (random(8) > 0).then(|| random(bodies)),
                            (random(3) > 0).then(|| random(bodies)),
                        ]
                    })
                    .map(|[a, b]| [a, b.filter(|_| a != b)])
                    .collect();
                assert_eq!(
                    in_turn(&attachments, bodies),
                    by_levels(&attachments, bodies),
                    "{attachments:?}"
                );
            }
        }
    }

    #[test]
    fn a_chain_has_a_level_for_each_link_and_loose_bodies_an_island_each() {
        let chain: Vec<[Option<usize>; 2]> = (0..4_usize).map(|k| [Some(k), k.checked_sub(1)]).collect();
        let sorted = Islands::new(&chain, 4, |_| false).loops;
        assert_eq!((sorted.islands, sorted.levels), (vec![[0, 4]], vec![0, 1, 2, 3, 4]));
        let loose: Vec<[Option<usize>; 2]> = (0..3).map(|k| [Some(k), None]).collect();
        let sorted = Islands::new(&loose, 3, |_| false).loops;
        assert_eq!(sorted.islands, [[0, 1], [1, 1], [2, 1]]);
        assert_eq!(sorted.order, [0, 1, 2]);
    }

    #[test]
    fn rigid_bodies_without_a_loop_are_trees() {
        let ring = [[Some(0), Some(1)], [Some(1), Some(2)], [Some(2), Some(0)]];
        let sorted = Islands::new(&ring, 3, |_| true);
        assert_eq!((sorted.trees.nodes.len(), sorted.loops.order.len()), (0, 3));
        // A chain with two attachments to the link, held at both ends.
        let chain = [[Some(0), None], [Some(0), Some(1)], [Some(1), Some(0)], [None, Some(1)]];
        let sorted = Islands::new(&chain, 2, |_| true);
        assert_eq!((sorted.trees.order.len(), sorted.loops.order.len()), (4, 0));
        let sorted = Islands::new(&chain, 2, |body| body == 0);
        assert_eq!((sorted.trees.order.len(), sorted.loops.order.len()), (0, 4));
    }

    #[test]
    fn a_driven_joint_is_one_of_its_own_and_a_second_beside_it_closes_a_loop() {
        let drive = |joint| Driven { joint, holds: true };
        let hinge = [[Some(0), None], [Some(0), None], [Some(0), None], [Some(0), Some(1)]];
        let drives = [drive(0), Driven::NOT, drive(0), drive(1)];
        let sorted = Islands::with_drives(&hinge, &drives, 2, |_| true);
        let joints: Vec<(u32, u32)> = sorted
            .trees
            .joints
            .iter()
            .map(|joint| (joint.drive, joint.count))
            .collect();
        assert_eq!(joints, [(0, 2), (NONE, 1), (1, 1)]);
        let beside = [[Some(0), Some(1)], [Some(1), Some(0)]];
        let sorted = Islands::with_drives(&beside, &[drive(0), Driven::NOT], 2, |_| true);
        assert_eq!((sorted.trees.order.len(), sorted.loops.order.len()), (0, 2));
    }
}
