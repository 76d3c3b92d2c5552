use super::*;
use crate::particles::sizes::Sizes;
use glam::Vec3;
use proptest::prelude::*;

/// Both slots of every pair; checks on the way that blocks know their own.
fn list(grid: &Grid, positions: &[Vec4], phases: &[Phase], distance: f32) -> Vec<(usize, usize)> {
    list_sized(grid, positions, phases, distance, None)
}

fn list_sized(
    grid: &Grid,
    positions: &[Vec4],
    phases: &[Phase],
    distance: f32,
    sizes: Option<SizedReach<'_>>,
) -> Vec<(usize, usize)> {
    let mut pairs = Pairs::default();
    for (axis, coordinates) in pairs.coordinates(positions.len()).into_iter().enumerate() {
        for (coordinate, position) in coordinates.iter_mut().zip(positions) {
            *coordinate = position[axis];
        }
    }
    pairs.build(grid, positions, phases, distance, sizes, |_| {});
    assert_eq!(pairs.particles(), positions.len());
    let mut all = Vec::new();
    for block in &pairs.blocks {
        let list = &block.list;
        let slots = list.slots();
        for place in 0..list.particles() {
            let partners = list.seconds(list.range(place)).iter();
            all.extend(partners.map(|&other| (slots.start + place, other as usize)));
        }
        assert!(
            list.iter()
                .all(|(i, j)| i < j && slots.contains(&i) && slots.contains(&j))
        );
        assert_eq!(all[all.len() - list.len()..], list.iter().collect::<Vec<_>>());
    }
    all
}

/// How many pairs each particle is part of.
fn counts(grid: &Grid, positions: &[Vec4], phases: &[Phase], distance: f32) -> Vec<usize> {
    let mut counts = vec![0; positions.len()];
    for (i, j) in list(grid, positions, phases, distance) {
        counts[i] += 1;
        counts[j] += 1;
    }
    counts
}

/// Pairs found through the grid, by index into `points`, and by looking at all pairs.
fn pairs(points: &[Vec3], distance: f32) -> [Vec<(u32, u32)>; 2] {
    let positions: Vec<Vec4> = points.iter().map(|p| p.extend(1.0)).collect();
    let mut grid = Grid::default();
    grid.sort(&positions, distance);
    let order = grid.order().to_vec();
    let sorted: Vec<Vec4> = order.iter().map(|&i| positions[i as usize]).collect();
    let phases = vec![Phase::grains(0); points.len()];
    let mut found = Vec::new();
    for (i, j) in list(&grid, &sorted, &phases, distance) {
        let (i, j) = (order[i], order[j]);
        found.extend([(i, j), (j, i)]);
    }
    found.sort_unstable();
    let mut expected = Vec::new();
    for (i, a) in points.iter().enumerate() {
        for (j, b) in points.iter().enumerate() {
            let d = *b - *a;
            let near = d.x * d.x + d.y * d.y + d.z * d.z < distance * distance;
            if i != j && near {
                expected.push((i as u32, j as u32));
            }
        }
    }
    [found, expected]
}

fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![
        8 => -2.0f32..2.0,
        1 => Just(0.0f32),
        1 => (-2.0f32..2.0).prop_map(|x| x + 1e5),
        1 => (-2.0f32..2.0).prop_map(|x| x - 1e5),
        1 => prop::num::f32::NORMAL,
    ]
}

proptest! {
    #[test]
    fn lists_equal_brute_force(
        points in prop::collection::vec([coordinate(), coordinate(), coordinate()], 0..300),
        distance in 0.05f32..1.5,
    ) {
        let points: Vec<Vec3> = points.into_iter().map(Vec3::from).collect();
        let [found, expected] = pairs(&points, distance);
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn many_particles_in_one_spot_are_all_neighbors() {
    let [found, expected] = pairs(&vec![Vec3::new(3.0, -7.0, 1e5); 1500], 0.1);
    assert_eq!(found.len(), 1500 * 1499);
    assert_eq!(found, expected);
}

#[test]
fn one_particle_and_none_have_no_neighbors() {
    assert_eq!(pairs(&[Vec3::ONE], 0.1)[0], []);
    assert_eq!(pairs(&[], 0.1)[0], []);
}

#[test]
fn a_lattice_a_hundred_kilometres_away_is_found_whole() {
    let points: Vec<Vec3> = (0..1000)
        .map(|i| Vec3::new((i % 10) as f32, (i / 10 % 10) as f32, (i / 100) as f32) + 1e5)
        .collect();
    let [found, expected] = pairs(&points, 1.01);
    assert_eq!(found.len(), 2 * 3 * 900);
    assert_eq!(found, expected);
}

#[test]
fn two_pinned_particles_are_no_neighbors() {
    let positions = vec![Vec4::ZERO, Vec4::ZERO, Vec4::W];
    let mut grid = Grid::default();
    grid.sort(&positions, 1.0);
    assert_eq!(counts(&grid, &positions, &[Phase::grains(0); 3], 1.0), [1, 1, 2]);
}

#[test]
fn particles_without_self_collision_are_left_out_of_their_own_lists() {
    let positions = vec![Vec4::ONE; 4];
    let phases = [
        Phase::new(1, 0, 0xff),
        Phase::new(1, 0, 0xff),
        Phase::grains(2),
        Phase::grains(2),
    ];
    let mut grid = Grid::default();
    grid.sort(&positions, 1.0);
    assert_eq!(counts(&grid, &positions, &phases, 1.0), [2, 2, 3, 3]);
}

/// Pairs of particles of several sizes, found through the levels of the grid and by looking at all pairs.
fn sized_pairs(points: &[Vec3], radii: &[f32], reach: f32) -> [Vec<(u32, u32)>; 2] {
    let mut of_group = radii.to_vec();
    of_group.sort_by(f32::total_cmp);
    let Some(sizes) = Sizes::new(of_group) else {
        return [Vec::new(), Vec::new()];
    };
    let positions: Vec<Vec4> = points.iter().map(|p| p.extend(1.0)).collect();
    let mut grid = Grid::default();
    grid.sort_sizes(&positions, &sizes, reach, |i| radii[i]);
    let order = grid.order().to_vec();
    let sorted: Vec<Vec4> = order.iter().map(|&i| positions[i as usize]).collect();
    let mut sorted_radii: Vec<f32> = order.iter().map(|&i| radii[i as usize]).collect();
    sorted_radii.extend([0.0; 3]);
    let sized = SizedReach {
        sizes: &sizes,
        radii: &sorted_radii,
        reach,
    };
    let mut found = Vec::new();
    for (i, j) in list_sized(&grid, &sorted, &vec![Phase::grains(0); points.len()], 0.0, Some(sized)) {
        let (i, j) = (order[i], order[j]);
        found.extend([(i, j), (j, i)]);
    }
    found.sort_unstable();
    let mut expected = Vec::new();
    for (i, a) in points.iter().enumerate() {
        for (j, b) in points.iter().enumerate() {
            let (d, distance) = (*b - *a, (radii[i] + radii[j]) * reach);
            if i != j && d.x * d.x + d.y * d.y + d.z * d.z < distance * distance {
                expected.push((i as u32, j as u32));
            }
        }
    }
    [found, expected]
}

proptest! {
    #[test]
    fn lists_of_particles_of_any_sizes_equal_brute_force(
        points in prop::collection::vec(([coordinate(), coordinate(), coordinate()], 0.0f32..1.0), 2..300),
        smallest in 0.02f32..0.1,
        ratio in 1.0f32..8.0,
    ) {
        let (points, sizes): (Vec<[f32; 3]>, Vec<f32>) = points.into_iter().unzip();
        let points: Vec<Vec3> = points.into_iter().map(Vec3::from).collect();
        // Mostly the smallest, a few of any other size up to the largest.
        let radius = |size: f32| smallest * (1.0 + (ratio - 1.0) * (size - 0.7).max(0.0) / 0.3);
        let radii: Vec<f32> = sizes.into_iter().map(radius).collect();
        let [found, expected] = sized_pairs(&points, &radii, 1.05);
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn large_grains_find_the_small_ones_around_them() {
    let mut points: Vec<Vec3> = (0..8000)
        .map(|i| 0.2 * Vec3::new((i % 20) as f32, (i / 20 % 20) as f32, (i / 400) as f32))
        .collect();
    let mut radii = vec![0.1; points.len()];
    for (k, radius) in [0.8, 0.4, 0.2, 0.15].into_iter().enumerate() {
        points.push(Vec3::splat(1.03 + 0.3 * k as f32));
        radii.push(radius);
    }
    let [found, expected] = sized_pairs(&points, &radii, 1.05);
    assert_eq!(found.len(), expected.len());
    assert_eq!(found, expected);
}
