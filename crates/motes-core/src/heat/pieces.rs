//! Which particles hang together.

use std::collections::BTreeMap;

use glam::{IVec3, Vec3};

/// The pieces of some particles, of which two belong together that are no further apart than `reach`, metres, or that others lead
/// between. Numbers ascend within each, and pieces by their first.
pub(crate) fn pieces(positions: &[Vec3], reach: f32) -> Vec<Vec<u32>> {
    let cell = |position: &Vec3| (position / reach).floor().as_ivec3();
    let mut cells: BTreeMap<[i32; 3], Vec<u32>> = BTreeMap::new();
    for (number, position) in positions.iter().enumerate() {
        cells.entry(cell(position).to_array()).or_default().push(number as u32);
    }
    let mut found = vec![false; positions.len()];
    let mut pieces = Vec::new();
    for first in 0..positions.len() as u32 {
        if std::mem::replace(&mut found[first as usize], true) {
            continue;
        }
        let mut piece = vec![first];
        let mut looked = 0;
        while let Some(&at) = piece.get(looked) {
            looked += 1;
            let position = positions[at as usize];
            for k in 0..27 {
                let aside = IVec3::new(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
                let others = cells.get(&cell(&position).saturating_add(aside).to_array());
                for &other in others.into_iter().flatten() {
                    let near = positions[other as usize].distance_squared(position) <= reach * reach;
                    if near && !std::mem::replace(&mut found[other as usize], true) {
                        piece.push(other);
                    }
                }
            }
        }
        piece.sort_unstable();
        pieces.push(piece);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_chain_is_one_piece_and_what_is_out_of_reach_another() {
        let places = [0.0, 5.0, 1.0, 2.0, 6.5, 3.0].map(|x| x * Vec3::X);
        assert_eq!(pieces(&places, 1.0), [vec![0, 2, 3, 5], vec![1], vec![4]]);
        assert_eq!(pieces(&[], 1.0), Vec::<Vec<u32>>::new());
    }

    proptest! {
        #[test]
        fn pieces_are_those_of_brute_force(places in prop::collection::vec((-3.0f32..3.0, -3.0f32..3.0, -3.0f32..3.0), 0..60)) {
            let places: Vec<Vec3> = places.into_iter().map(Vec3::from).collect();
            let mut of: Vec<usize> = (0..places.len()).collect();
            for (a, place) in places.iter().enumerate() {
                for b in 0..a {
                    if place.distance(places[b]) <= 1.0 {
                        let (from, to) = (of[a].max(of[b]), of[a].min(of[b]));
                        of.iter_mut().filter(|piece| **piece == from).for_each(|piece| *piece = to);
                    }
                }
            }
            let mut expected: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
            for (number, piece) in of.iter().enumerate() {
                expected.entry(*piece).or_default().push(number as u32);
            }
            prop_assert_eq!(pieces(&places, 1.0), expected.into_values().collect::<Vec<_>>());
        }
    }
}
