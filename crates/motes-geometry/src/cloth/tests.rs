//! Sheets under strains and curvatures whose energies are known.

use std::f32::consts::FRAC_PI_4;

use glam::{DVec2, DVec3};
use motes_core::random::unit_at;

use super::*;

pub(crate) fn square(cells: u32, size: f32) -> ClothShape {
    let grid = ClothGrid {
        size: [size, size],
        resolution: [cells + 1; 2],
    };
    ClothShape::grid(&grid).unwrap()
}

/// A square cut into triangles anyhow: vertices moved by up to a quarter of a cell, diagonals by chance or all rising.
pub(crate) fn irregular(cells: u32, size: f32, moved: f32, seed: Option<u64>) -> ClothShape {
    let flat = square(cells, size);
    let (columns, step) = (cells + 1, size / cells as f32);
    let inner = |index: u32| {
        [index % columns, index / columns]
            .iter()
            .all(|&place| place > 0 && place < cells)
    };
    let shift = |index: u32| {
        let number = |part: u64| 2.0 * unit_at(seed.unwrap_or(0), 2 * u64::from(index) + part) - 1.0;
        Vec2::new(number(0), number(1)) * moved * step * f32::from(u8::from(inner(index)))
    };
    let positions: Vec<Vec3> = (0..)
        .zip(&flat.positions)
        .map(|(index, place)| *place + shift(index).extend(0.0))
        .collect();
    let mut triangles = Vec::new();
    for cell in 0..cells * cells {
        let a = cell / cells * columns + cell % cells;
        let [b, c, d] = [a + 1, a + columns + 1, a + columns];
        let rises = seed.is_none_or(|seed| unit_at(seed + 1, u64::from(cell)) < 0.5);
        triangles.extend(if rises {
            [[a, b, c], [a, c, d]]
        } else {
            [[a, b, d], [b, c, d]]
        });
    }
    let uvs = triangles
        .iter()
        .map(|corners: &[u32; 3]| corners.map(|corner| positions[corner as usize].truncate()));
    let uvs = uvs.collect();
    ClothShape::new(Mesh::new(positions, triangles), uvs, None).unwrap()
}

/// Force per strain of springs in a homogeneous strain, over the area: rows and columns ε₁₁, ε₂₂, γ.
fn moduli(shape: &ClothShape, springs: &[ClothSpring]) -> [[f64; 3]; 3] {
    let mut sum = [[0.0; 3]; 3];
    for spring in springs {
        let [a, b] = spring.ends.map(|end| shape.positions[end as usize].as_dvec3());
        let along = (b - a).normalize();
        let strains = [along.x * along.x, along.y * along.y, along.x * along.y];
        let weight = f64::from(spring.stiffness) * (b - a).length_squared() / f64::from(shape.area());
        for row in 0..3 {
            for column in 0..3 {
                sum[row][column] += weight * strains[row] * strains[column];
            }
        }
    }
    sum
}

const COTTON: Membrane = Membrane {
    warp: 8000.0,
    weft: 5000.0,
    shear: 60.0,
};

#[test]
fn a_grid_stretches_and_shears_like_the_membrane_it_stands_for() {
    for membrane in [COTTON, Membrane::uniform(750.0)] {
        for (size, crossed) in [
            ([1.0, 1.0], true),
            ([1.0, 1.0], false),
            ([1.0, 0.8], true),
            ([1.0, 1.3], false),
        ] {
            let grid = ClothGrid {
                size,
                resolution: [9, 9],
            };
            let shape = ClothShape::grid(&grid).unwrap();
            let springs = shape.springs(&membrane, crossed);
            let c = moduli(&shape, &springs);
            let near = |found: f64, wanted: f32| {
                assert!((found / f64::from(wanted) - 1.0).abs() < 1e-4, "{found} for {wanted}");
            };
            // Sides free: the strain across is −C₁₂/C₂₂ of that along.
            near(c[0][0] - c[0][1] * c[0][1] / c[1][1], membrane.warp);
            near(c[1][1] - c[0][1] * c[0][1] / c[0][0], membrane.weft);
            near(c[2][2], membrane.shear);
            // Cauchy's relation, which no springs escape.
            near(c[0][1], membrane.shear);
            assert!(
                c[0][2].abs() + c[1][2].abs() < 1e-6 * c[0][0],
                "a stretch does not shear it"
            );
            let crossings = springs
                .iter()
                .filter(|spring| spring.kind == SpringKind::Crossing)
                .count();
            assert_eq!(crossings, if crossed { 64 } else { 0 });
        }
    }
}

#[test]
fn springs_of_an_even_sheet_have_equal_sides_and_one_diagonal_is_softer() {
    let shape = square(4, 0.4);
    let springs = shape.springs(&COTTON, true);
    let stiffness = |a: u32, b: u32| {
        let joins = |spring: &&ClothSpring| spring.ends == [a, b] || spring.ends == [b, a];
        springs.iter().find(joins).unwrap().stiffness
    };
    // C₁₁ is 8000 (1 + √(1 + 4·60²/(8000·5000)))/2 = 8000.72, and G of it are the diagonals'.
    assert!((stiffness(6, 7) - 7940.72).abs() < 0.05, "{}", stiffness(6, 7));
    assert!((stiffness(0, 1) - 3970.36).abs() < 0.05);
    assert!((stiffness(6, 11) - 4940.45).abs() < 0.05, "{}", stiffness(6, 11));
    assert!((stiffness(6, 12) - 60.0).abs() < 1e-3 && (stiffness(7, 11) - 60.0).abs() < 1e-3);
}

#[test]
fn diagonals_that_all_rise_one_way_make_a_cloth_that_shears_when_it_is_pulled() {
    let one_way = irregular(12, 1.0, 0.0, None);
    let skew = |crossed| {
        let c = moduli(&one_way, &one_way.springs(&Membrane::uniform(750.0), crossed));
        c[0][2].abs() / c[0][0]
    };
    let (plain, crossed) = (skew(false), skew(true));
    println!("γ for ε, of C₁₁: {plain:.4} with one diagonal, {crossed:.4} with both");
    assert!(plain > 0.05 && crossed < 0.002);
}

/// Modulus that a test of materials finds: `held` components of vertices are moved as a homogeneous strain would, all others go
/// where forces vanish. Twice the energy over the area.
fn measured(shape: &ClothShape, springs: &[ClothSpring], strain: [DVec2; 2], held: impl Fn(Vec3) -> [bool; 2]) -> f64 {
    let free: Vec<DVec2> = shape
        .positions
        .iter()
        .map(|&place| held(place).map(|is| f64::from(u8::from(!is))).into())
        .collect();
    let force = |moves: &[DVec2]| {
        let mut forces = vec![DVec2::ZERO; moves.len()];
        for spring in springs {
            let [a, b] = spring.ends.map(|end| end as usize);
            let along = (shape.positions[b] - shape.positions[a])
                .truncate()
                .as_dvec2()
                .normalize();
            let pull = f64::from(spring.stiffness) * (moves[b] - moves[a]).dot(along) * along;
            forces[a] += pull;
            forces[b] -= pull;
        }
        forces
    };
    let dot = |a: &[DVec2], b: &[DVec2]| a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum::<f64>();
    let masked =
        |forces: Vec<DVec2>| -> Vec<DVec2> { forces.iter().zip(&free).map(|(force, free)| *force * *free).collect() };
    let moved = |place: &Vec3| f64::from(place.x) * strain[0] + f64::from(place.y) * strain[1];
    let mut moves: Vec<DVec2> = shape.positions.iter().map(moved).collect();
    let mut rest = masked(force(&moves));
    let mut direction = rest.clone();
    let mut size = dot(&rest, &rest);
    let start = size;
    for _ in 0..20_000 {
        if size <= 1e-16 * start {
            break;
        }
        let answer = masked(force(&direction));
        let step = -size / dot(&direction, &answer);
        moves
            .iter_mut()
            .zip(&direction)
            .for_each(|(place, more)| *place += step * *more);
        rest.iter_mut()
            .zip(&answer)
            .for_each(|(rest, less)| *rest += step * *less);
        let next = dot(&rest, &rest);
        direction
            .iter_mut()
            .zip(&rest)
            .for_each(|(old, rest)| *old = *rest + next / size * *old);
        size = next;
    }
    -dot(&moves, &force(&moves)) / f64::from(shape.area())
}

#[test]
fn an_irregular_sheet_pulled_and_sheared_is_nearly_as_stiff_as_asked_for() {
    let rim = |value: f32| value.abs() > 0.499;
    for (name, membrane, [low, high]) in [
        ("cotton", COTTON, [0.6, 1.02]),
        ("uniform", Membrane::uniform(750.0), [0.9, 1.02]),
    ] {
        for seed in [1, 2] {
            let shape = irregular(14, 1.0, 0.25, Some(seed));
            for crossed in [false, true] {
                let springs = shape.springs(&membrane, crossed);
                let warp = measured(&shape, &springs, [DVec2::X, DVec2::ZERO], |place| {
                    [rim(place.x), rim(place.x) && rim(place.y)]
                });
                let weft = measured(&shape, &springs, [DVec2::ZERO, DVec2::Y], |place| {
                    [rim(place.x) && rim(place.y), rim(place.y)]
                });
                let shear = measured(&shape, &springs, [0.5 * DVec2::Y, 0.5 * DVec2::X], |place| {
                    [rim(place.x) || rim(place.y); 2]
                });
                let shares = [
                    warp / f64::from(membrane.warp),
                    weft / f64::from(membrane.weft),
                    shear / f64::from(membrane.shear),
                ];
                println!(
                    "{name}, seed {seed}, crossed {crossed}: warp, weft, shear {shares:.3?} of what was asked for"
                );
                if crossed {
                    assert!(
                        shares[..2].iter().all(|share| (low..high).contains(share)),
                        "{shares:?}"
                    );
                }
            }
        }
    }
}

/// ½ κ² times the area is 1; what the hinges have of it when the sheet is rolled up around an axis at an angle to u.
fn rolled(shape: &ClothShape, radius: f32, angle: f32) -> f64 {
    let across = Vec2::from_angle(angle);
    let roll = |place: &Vec3| {
        let flat = place.truncate().as_dvec2();
        let (along, across) = (flat.dot(across.as_dvec2()), flat.dot(across.perp().as_dvec2()));
        let radius = f64::from(radius);
        let (sine, cosine) = (across / radius).sin_cos();
        DVec3::new(along, radius * sine, radius * (1.0 - cosine))
    };
    let places: Vec<DVec3> = shape.positions.iter().map(roll).collect();
    let energy = |hinge: &Hinge| {
        let bend: DVec3 = hinge
            .vertices
            .iter()
            .zip(hinge.weights)
            .map(|(&vertex, weight)| f64::from(weight) * places[vertex as usize])
            .sum();
        0.5 * bend.length_squared() / f64::from(hinge.compliance_times_rigidity)
    };
    let wanted = 0.5 * f64::from(shape.area()) / f64::from(radius * radius);
    shape.hinges.iter().map(energy).sum::<f64>() / wanted
}

#[test]
fn a_rolled_up_grid_has_the_energy_of_a_cylinder_but_for_half_a_cell_at_its_ends() {
    for cells in [8, 16, 32] {
        let shape = square(cells, 1.0);
        let missing = 1.0 / f64::from(cells);
        let shares = [0.0, 2.0 * FRAC_PI_4, FRAC_PI_4, 3.0 * FRAC_PI_4].map(|angle| rolled(&shape, 1.0, angle));
        println!("{cells} cells: axis along u, v, 45°, 135°: {shares:.4?} of ½ B κ² A");
        for share in &shares[..2] {
            assert!((share - (1.0 - missing)).abs() < 0.2 * missing * missing, "{share}");
        }
        for share in &shares[2..] {
            assert!(
                (share - (1.0 - 0.5 * missing)).abs() < 0.2 * missing * missing,
                "{share}"
            );
        }
    }
}

#[test]
fn with_the_stiffness_of_the_paper_a_cylinder_would_be_several_times_too_stiff() {
    let mut shape = square(32, 1.0);
    let cell = 1.0f32 / 32.0;
    shape.grid = None;
    shape.hinges = super::bend::hinges(&shape);
    // The two triangles of every hinge are half a cell each: 3/(A₂ + A₃) for all of them.
    shape
        .hinges
        .iter_mut()
        .for_each(|hinge| hinge.compliance_times_rigidity = cell * cell / 3.0);
    let [along, askew] = [0.0, FRAC_PI_4].map(|angle| rolled(&shape, 1.0, angle));
    println!("with 3 B/(A₂ + A₃): {along:.3} along the threads, {askew:.3} askew, of ½ B κ² A");
    assert!((2.8..3.0).contains(&along) && (4.2..4.5).contains(&askew));
}

#[test]
fn cells_need_not_be_square_to_bend_alike() {
    let grid = ClothGrid {
        size: [1.5, 1.0],
        resolution: [33, 33],
    };
    let shape = ClothShape::grid(&grid).unwrap();
    for angle in [0.0, 0.4, 1.0, 1.5, 2.5] {
        let share = rolled(&shape, 2.0, angle);
        assert!((0.96..1.0).contains(&share), "{share} at {angle}");
    }
}

#[test]
fn an_irregular_sheet_bends_alike_in_all_directions() {
    for cells in [8, 16, 32] {
        for seed in [1, 2, 3] {
            let shape = irregular(cells, 1.0, 0.25, Some(seed));
            let shares = [0.0, 2.0 * FRAC_PI_4, FRAC_PI_4, 3.0 * FRAC_PI_4].map(|angle| rolled(&shape, 1.0, angle));
            println!("{cells} cells, seed {seed}: axis along u, v, 45°, 135°: {shares:.3?} of ½ B κ² A");
            let missing = 1.0 / f64::from(cells);
            assert!(shares.iter().all(|share| (0.88 - missing..1.12).contains(share)));
        }
    }
}

#[test]
fn a_flat_sheet_has_no_bend_wherever_it_lies_and_a_fold_has_twice_the_sine_of_its_half() {
    let shape = irregular(4, 1.0, 0.25, Some(5));
    let turn = glam::Affine3A::from_rotation_translation(
        glam::Quat::from_euler(glam::EulerRot::XYZ, 0.4, 1.1, -0.7),
        Vec3::ONE,
    );
    for hinge in &shape.hinges {
        assert!(hinge.weights.iter().sum::<f32>().abs() < 1e-5);
        assert_eq!(hinge.rest, 0.0);
        let bend: Vec3 = hinge
            .vertices
            .iter()
            .zip(hinge.weights)
            .map(|(&vertex, weight)| weight * turn.transform_point3(shape.positions[vertex as usize]))
            .sum();
        assert!(bend.length() < 1e-5, "{bend}");
    }
    for fold in [0.3f32, 1.0, -2.0] {
        let (sine, cosine) = fold.sin_cos();
        // The right triangle hangs down by the fold, away from the normal of the left one.
        let positions = vec![
            Vec3::ZERO,
            Vec3::new(0.0, 2.0, 0.0),
            Vec3::new(-1.0, 0.7, 0.0),
            Vec3::new(1.5 * cosine, 1.2, -1.5 * sine),
        ];
        let mesh = Mesh::new(positions, vec![[0, 1, 2], [1, 0, 3]]);
        let shape = ClothShape::new(mesh, vec![[Vec2::ZERO, Vec2::Y, Vec2::NEG_X]; 2], None).unwrap();
        let [hinge] = shape.hinges[..] else { panic!() };
        assert_eq!(hinge.vertices, [0, 1, 2, 3]);
        assert!(
            (hinge.rest - 2.0 * 2.0 * (0.5 * fold).sin()).abs() < 1e-5,
            "{}",
            hinge.rest
        );
        // By hand: cot α₁ = 1.3/1, cot α₀ = 0.7/1; on the right 0.8/1.5 and 1.2/1.5.
        let expected = [1.3 + 0.8 / 1.5, 0.7 + 1.2 / 1.5, -2.0, -2.0 / 1.5];
        assert!(
            hinge
                .weights
                .iter()
                .zip(expected)
                .all(|(found, wanted): (_, f32)| (found - wanted).abs() < 1e-5)
        );
    }
}

#[test]
fn a_clamped_strip_bends_from_the_row_that_holds_it() {
    let shape = square(8, 1.0);
    let mut hinges = shape.hinges.clone();
    let layout = shape.grid.unwrap();
    clamp_hinges(&mut hinges, |vertex| vertex % layout.columns < 2);
    let changed: Vec<[u32; 4]> = { hinges.iter().zip(&shape.hinges) }
        .filter(|(after, before)| after != before)
        .map(|(after, _)| after.vertices)
        .collect();
    assert_eq!(changed.len(), 9);
    assert!(changed.iter().all(|[a, b, c, _]| [a % 9, b % 9, c % 9] == [0, 1, 2]));
}
