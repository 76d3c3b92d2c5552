//! The order in which attachments can be gone through by many threads with the result of going through them one by one.
//!
//! An attachment is one level above the highest of those before it that move one of its bodies. Attachments of a level have no
//! body in common, and of two that have, the earlier is in the lower level; so level by level, upwards or downwards, every
//! one sees what it would see in turn. Bodies that hang together are an island, and islands have nothing to do with each other.

/// Attachments by island and level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Islands {
    /// The attachments, island by island and level by level.
    pub(super) order: Vec<u32>,
    /// Where each level begins in the order, and where the last one ends.
    pub(super) levels: Vec<u32>,
    /// The first level of each island, and how many it has.
    pub(super) islands: Vec<[u32; 2]>,
}

impl Islands {
    /// Of attachments that each move up to two of so many bodies.
    pub(super) fn new(attachments: &[[Option<usize>; 2]], bodies: usize) -> Self {
        let mut leaders: Vec<usize> = (0..bodies).collect();
        for moved in attachments {
            if let [Some(a), Some(b)] = *moved {
                let (a, b) = (leader(&mut leaders, a), leader(&mut leaders, b));
                leaders[a.max(b)] = a.min(b);
            }
        }
        let mut reached = vec![0; bodies];
        let mut places: Vec<(usize, u32, u32)> = Vec::with_capacity(attachments.len());
        for (number, moved) in (0..).zip(attachments) {
            let level = moved.iter().flatten().map(|&body| reached[body]).max().unwrap_or(0);
            for &body in moved.iter().flatten() {
                reached[body] = level + 1;
            }
            // What moves nothing is an island of its own.
            let island = match moved.iter().flatten().next() {
                Some(&body) => leader(&mut leaders, body),
                None => bodies + number as usize,
            };
            places.push((island, level, number));
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
        let sorted = Islands::new(attachments, bodies);
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
        let sorted = Islands::new(&chain, 4);
        assert_eq!((sorted.islands, sorted.levels), (vec![[0, 4]], vec![0, 1, 2, 3, 4]));
        let loose: Vec<[Option<usize>; 2]> = (0..3).map(|k| [Some(k), None]).collect();
        let sorted = Islands::new(&loose, 3);
        assert_eq!(sorted.islands, [[0, 1], [1, 1], [2, 1]]);
        assert_eq!(sorted.order, [0, 1, 2]);
    }
}
