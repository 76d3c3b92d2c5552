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
    let meeting = Meeting {
        distance,
        sizes,
        rests: None,
        solids: None,
        passing: None,
    };
    pairs.build(grid, positions, phases, &meeting, |_| {});
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

/// Neighbours of each particle within the smoothing radius, sorted and by index into `points`: found through cells of a
/// width, and by looking at all pairs.
fn summed(points: &[Vec3], phases: &[Phase], distance: f32, width: f32) -> [Vec<Vec<u32>>; 2] {
    let positions: Vec<Vec4> = points.iter().map(|p| p.extend(1.0)).collect();
    let mut grid = Grid::default();
    grid.sort(&positions, width);
    let order = grid.order().to_vec();
    let sorted: Vec<Vec4> = order.iter().map(|&i| positions[i as usize]).collect();
    let sorted_phases: Vec<Phase> = order.iter().map(|&i| phases[i as usize]).collect();
    let within = Within {
        distance,
        sizes: None,
        cells: distance / width,
    };
    [
        by_index(&grid, &sorted, &sorted_phases, &within),
        brute_force(points, phases, |_, _| distance),
    ]
}

/// Lists found through a grid, as indices before its sort.
fn by_index(grid: &Grid, sorted: &[Vec4], phases: &[Phase], within: &Within<'_>) -> Vec<Vec<u32>> {
    let mut pairs = Pairs::default();
    for (axis, coordinates) in pairs.coordinates(sorted.len()).into_iter().enumerate() {
        for (coordinate, position) in coordinates.iter_mut().zip(sorted) {
            *coordinate = position[axis];
        }
    }
    let mut neighbors = Neighbors::default();
    pairs.list_neighbors(grid, sorted, phases, within, &mut neighbors);
    assert_eq!(neighbors.particles(), sorted.len());
    let mut found = vec![Vec::new(); sorted.len()];
    for (slot, &index) in grid.order().iter().enumerate() {
        let list = neighbors.of(slot).iter().map(|&other| grid.order()[other as usize]);
        found[index as usize] = list.collect();
        found[index as usize].sort_unstable();
    }
    assert_eq!(neighbors.len(), found.iter().map(Vec::len).sum::<usize>());
    found
}

fn brute_force(points: &[Vec3], phases: &[Phase], distance: impl Fn(usize, usize) -> f32) -> Vec<Vec<u32>> {
    let near = |i: usize, j: usize| {
        let d = points[j] - points[i];
        let summed = i != j && phases[i].is_summed(phases[j]);
        summed && d.x * d.x + d.y * d.y + d.z * d.z < distance(i, j) * distance(i, j)
    };
    let all = 0..points.len();
    let list = |i| all.clone().filter(|&j| near(i, j)).map(|j| j as u32).collect();
    all.clone().map(list).collect()
}

fn water(group: u32) -> Phase {
    Phase::new(group, Phase::FLUID | Phase::SELF_COLLIDE, 0xff)
}

proptest! {
    #[test]
    fn neighbors_within_the_smoothing_radius_equal_brute_force(
        points in prop::collection::vec([coordinate(), coordinate(), coordinate()], 0..300),
        kinds in prop::collection::vec(0usize..4, 300),
        distance in 0.05f32..1.5,
        cells in 0.7f32..3.5,
    ) {
        let points: Vec<Vec3> = points.into_iter().map(Vec3::from).collect();
        let kinds_there = [water(0), water(1), Phase::grains(2), Phase::new(3, 0, 0xff)];
        let mixed: Vec<Phase> = kinds[..points.len()].iter().map(|&kind| kinds_there[kind]).collect();
        for phases in [mixed, vec![water(0); points.len()]] {
            let [found, expected] = summed(&points, &phases, distance, distance / cells);
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn neighbors_of_fluids_of_any_sizes_equal_brute_force(
        points in prop::collection::vec(([coordinate(), coordinate(), coordinate()], 0.0f32..1.0), 2..200),
        smallest in 0.02f32..0.1,
        ratio in 1.1f32..8.0,
        smoothing in 1.0f32..3.0,
    ) {
        let (points, parts): (Vec<[f32; 3]>, Vec<f32>) = points.into_iter().unzip();
        let points: Vec<Vec3> = points.into_iter().map(Vec3::from).collect();
        let radii: Vec<f32> = parts.into_iter().map(|part| smallest * (1.0 + (ratio - 1.0) * part)).collect();
        let Some(sizes) = Sizes::new(radii.clone()) else { return Ok(()) };
        let positions: Vec<Vec4> = points.iter().map(|p| p.extend(1.0)).collect();
        let width = 0.5 * smoothing.max(2.1);
        let mut grid = Grid::default();
        grid.sort_sizes(&positions, &sizes, width, |i| radii[i]);
        let sorted: Vec<Vec4> = grid.order().iter().map(|&i| positions[i as usize]).collect();
        let mut sorted_radii: Vec<f32> = grid.order().iter().map(|&i| radii[i as usize]).collect();
        sorted_radii.extend([0.0; 3]);
        let within = Within {
            distance: 0.0,
            sizes: Some(SizedReach { sizes: &sizes, radii: &sorted_radii, reach: smoothing }),
            cells: smoothing / width,
        };
        let phases = vec![water(0); points.len()];
        let found = by_index(&grid, &sorted, &phases, &within);
        // Sums in the order that the search has them, or rounding would decide.
        let distance = |i: usize, j: usize| (radii[j] + radii[i]) * smoothing;
        prop_assert_eq!(found, brute_force(&points, &phases, distance));
    }
}

#[test]
fn particles_of_a_cubic_lattice_have_26_neighbors_within_twice_its_spacing_and_32_a_hair_beyond() {
    for far in [0.0, 1e4] {
        let side = 9;
        let points: Vec<Vec3> = (0..side * side * side)
            .map(|i| Vec3::new((i % side) as f32, (i / side % side) as f32, (i / side / side) as f32) + far)
            .collect();
        let middle = (points.len() - 1) / 2;
        let phases = vec![water(0); points.len()];
        // 6 at distance 1, 12 at √2, 8 at √3; 6 more at 2. A corner has an eighth of the space: 3, 3, 1 and 3.
        for (distance, inside, corner) in [(1.01, 6, 3), (1.5, 18, 6), (1.99, 26, 7), (2.01, 32, 10)] {
            let [found, expected] = summed(&points, &phases, distance, 1.05);
            assert_eq!(
                (found[middle].len(), found[0].len()),
                (inside, corner),
                "within {distance}"
            );
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn solids_list_the_fluid_near_them_and_no_solids() {
    let points = [Vec3::ZERO, 0.1 * Vec3::X, 0.2 * Vec3::X, 0.3 * Vec3::X];
    let phases = [water(0), water(1), Phase::grains(2), Phase::grains(2)];
    let [found, expected] = summed(&points, &phases, 1.0, 0.5);
    assert_eq!(found, [vec![1, 2, 3], vec![0, 2, 3], vec![0, 1], vec![0, 1]]);
    assert_eq!(found, expected);
}

#[test]
fn nobody_one_and_two_have_as_many_neighbors_as_others() {
    let list = |points: &[Vec3]| summed(points, &vec![water(0); points.len()], 0.5, 0.3)[0].clone();
    assert_eq!(list(&[]), Vec::<Vec<u32>>::new());
    assert_eq!(list(&[Vec3::ONE]), [Vec::<u32>::new()]);
    assert_eq!(list(&[Vec3::ONE, Vec3::ONE]), [vec![1], vec![0]]);
    assert_eq!(list(&[Vec3::ONE, Vec3::ZERO]), [Vec::<u32>::new(), Vec::new()]);
}
