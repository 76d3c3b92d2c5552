use super::*;
use crate::mesh::Mesh;
use std::collections::HashMap;

fn made(points: &[Vec3], radius: f32, options: TubeOptions) -> ShadedMesh {
    Tube::new(options).mesh(points, &[radius])
}

fn line(count: usize) -> Vec<Vec3> {
    (0..count).map(|i| Vec3::X * i as f32).collect()
}

fn circle(count: usize, radius: f32) -> Vec<Vec3> {
    let angles = (0..count).map(|i| i as f32 / count as f32 * TAU);
    angles
        .map(|angle| radius * Vec3::new(angle.cos(), 0.0, angle.sin()))
        .collect()
}

/// A spring that winds about y.
fn helix(turns: f32) -> Vec<Vec3> {
    let angles = (0..80).map(|i| i as f32 / 79.0 * turns * TAU);
    angles
        .map(|angle| Vec3::new(angle.cos(), 0.1 * angle, angle.sin()))
        .collect()
}

/// The mesh with vertices of the same place made one.
fn welded(tube: &ShadedMesh) -> Mesh {
    let mut numbers = HashMap::new();
    let mut mesh = Mesh::default();
    let merged: Vec<u32> = tube
        .positions
        .iter()
        .map(|place| {
            *numbers.entry(place.to_array().map(f32::to_bits)).or_insert_with(|| {
                mesh.positions.push(*place);
                mesh.positions.len() as u32 - 1
            })
        })
        .collect();
    let corners = tube
        .triangles
        .iter()
        .map(|triangle| triangle.map(|corner| merged[corner as usize]));
    mesh.triangles = corners.collect();
    mesh
}

/// Whether all arrays fit together, all numbers are finite and all normals units.
fn check(tube: &ShadedMesh) {
    let count = tube.positions.len();
    assert_eq!((tube.normals.len(), tube.uvs.len()), (count, count));
    assert!(tube.positions.iter().all(|place| place.is_finite()));
    assert!(tube.normals.iter().all(|normal| (normal.length() - 1.0).abs() < 1e-4));
    assert!(tube.uvs.iter().all(|uv| uv.is_finite()));
    assert!(
        tube.triangles
            .as_flattened()
            .iter()
            .all(|&corner| (corner as usize) < count)
    );
}

/// The share of a circle that a polygon of so many corners covers.
fn polygon(corners: u32) -> f32 {
    let angle = TAU / corners as f32;
    angle.sin() / angle
}

#[test]
fn a_straight_tube_with_round_ends_is_a_capsule() {
    let options = TubeOptions {
        segments: 48,
        ..TubeOptions::default()
    };
    let tube = made(&line(4), 0.25, options);
    check(&tube);
    let mesh = welded(&tube);
    assert!(mesh.is_watertight());
    let expected = (PI * 0.0625 * 3.0 + 4.0 / 3.0 * PI * 0.25_f32.powi(3)) * polygon(48);
    assert!((mesh.volume() / expected - 1.0).abs() < 2e-3, "{}", mesh.volume());
    for (place, normal) in tube.positions.iter().zip(&tube.normals) {
        let middle = Vec3::X * place.x.clamp(0.0, 3.0);
        assert!(normal.distance((place - middle) / 0.25) < 1e-4);
    }
}

#[test]
fn the_middle_line_goes_through_all_points() {
    let points = [
        Vec3::ZERO,
        Vec3::new(1.0, 0.5, 0.0),
        Vec3::new(1.2, 2.0, 0.3),
        Vec3::new(4.0, 2.0, -1.0),
    ];
    let options = TubeOptions {
        caps: false,
        ..TubeOptions::default()
    };
    let tube = made(&points, 0.1, options);
    for (number, point) in points.iter().enumerate() {
        let ring = &tube.positions[number * 4 * 13..][..12];
        let middle = ring.iter().sum::<Vec3>() / 12.0;
        assert!(middle.distance(*point) < 1e-5, "{middle} instead of {point}");
        assert!(ring.iter().all(|place| (place.distance(*point) - 0.1).abs() < 1e-5));
    }
}

#[test]
fn sides_turn_no_more_than_the_line_does() {
    let mut tube = Tube::new(TubeOptions::default());
    let points = helix(3.0);
    let mut stations = tube.stations(&points, &[0.1; 80], false);
    tube.turn(&mut stations, false);
    let mut most = 0.0_f32;
    for pair in stations.windows(2) {
        assert!(pair[1].side.dot(pair[1].tangent).abs() < 1e-4);
        let bend = pair[0].tangent.angle_between(pair[1].tangent);
        most = most.max(pair[0].side.angle_between(pair[1].side) - bend);
    }
    assert!(most < 2e-3, "{most}");
}

#[test]
fn a_loop_is_a_ring_without_ends() {
    let options = TubeOptions {
        closed: true,
        segments: 24,
        ..TubeOptions::default()
    };
    let tube = made(&circle(24, 1.0), 0.2, options);
    check(&tube);
    let mesh = welded(&tube);
    assert!(mesh.is_watertight());
    let expected = 2.0 * PI * PI * 0.04 * polygon(24);
    assert!((mesh.volume() / expected - 1.0).abs() < 0.01, "{}", mesh.volume());
    assert_eq!(tube.uvs.last(), Some(&Vec2::new(1.0, 24.0)));
}

#[test]
fn the_ends_of_a_bent_loop_meet() {
    let bent: Vec<Vec3> = circle(40, 1.0)
        .into_iter()
        .enumerate()
        .map(|(i, point)| {
            let angle = i as f32 / 40.0 * TAU;
            point + Vec3::Y * (0.6 * (2.0 * angle + 1.0).sin() + 0.4 * (3.0 * angle).sin())
        })
        .collect();
    let mut tube = Tube::new(TubeOptions {
        closed: true,
        ..TubeOptions::default()
    });
    let mut stations = tube.stations(&bent, &[0.1; 40], true);
    tube.turn(&mut stations, true);
    let (first, last) = (stations[0], stations[stations.len() - 1]);
    assert!(first.side.distance(last.side) < 1e-3);
    assert!(tube.twist.abs() > 0.1, "{}", tube.twist);
    let mesh = welded(&tube.mesh(&bent, &[0.1]));
    assert!(mesh.is_watertight());
}

#[test]
fn vertices_do_not_jump_while_points_move() {
    for closed in [false, true] {
        let mut tube = Tube::new(TubeOptions {
            closed,
            ..TubeOptions::default()
        });
        let mut before: Option<ShadedMesh> = None;
        // Turned about all axes, so that the start points anywhere, and bent to and fro.
        for step in 0..600 {
            let time = step as f32 * 0.02;
            let turn = Quat::from_euler(glam::EulerRot::XYZ, 1.3 * time, 2.1 * time, 0.7 * time);
            let points: Vec<Vec3> = circle(24, 1.0)
                .into_iter()
                .enumerate()
                .map(|(i, point)| turn * (point + Vec3::Y * (3.0 * time + i as f32 * 0.8).sin()))
                .collect();
            let mesh = tube.mesh(&points, &[0.1]);
            check(&mesh);
            if let Some(before) = before {
                let moved = mesh.positions.iter().zip(&before.positions);
                let most = moved.map(|(here, there)| here.distance(*there)).fold(0.0, f32::max);
                assert!(most < 0.16, "{most} at step {step}, closed: {closed}");
                assert_eq!(mesh.triangles, before.triangles);
            }
            before = Some(mesh);
        }
    }
}

#[test]
fn a_tube_that_widens_has_normals_that_lean_back() {
    let mut tube = Tube::new(TubeOptions {
        caps: false,
        ..TubeOptions::default()
    });
    let mesh = tube.mesh(&line(3), &[0.1, 0.6, 1.1]);
    let slope = Vec2::new(-0.5, 1.0).normalize();
    for normal in &mesh.normals {
        assert!((normal.x - slope.x).abs() < 1e-3, "{normal}");
    }
}

#[test]
fn few_points_are_well_defined() {
    let usual = TubeOptions::default();
    assert_eq!(made(&[], 0.1, usual), ShadedMesh::default());
    let ball = welded(&made(&[Vec3::ONE], 0.5, TubeOptions { segments: 48, ..usual }));
    assert!(ball.is_watertight());
    let expected = 4.0 / 3.0 * PI * 0.125 * polygon(48);
    assert!((ball.volume() / expected - 1.0).abs() < 0.01, "{}", ball.volume());
    let open = TubeOptions { caps: false, ..usual };
    assert!(made(&[Vec3::ONE], 0.5, open).triangles.is_empty());
    let pair = made(&line(2), 0.1, TubeOptions { closed: true, ..usual });
    assert!(welded(&pair).is_watertight());
}

#[test]
fn odd_points_change_no_topology() {
    let usual = made(&line(5), 0.1, TubeOptions::default());
    let nan = Vec3::splat(f32::NAN);
    for points in [
        [Vec3::ONE; 5],
        [Vec3::ZERO, Vec3::ZERO, Vec3::X, Vec3::X, Vec3::X],
        [Vec3::ZERO, Vec3::X, Vec3::ZERO, Vec3::X, Vec3::ZERO],
        [nan, Vec3::X, nan, Vec3::Y, nan],
    ] {
        let tube = made(&points, 0.1, TubeOptions::default());
        check(&tube);
        assert_eq!(tube.triangles, usual.triangles);
        assert_eq!(tube.uvs, usual.uvs);
    }
    assert_eq!(made(&[nan; 3], 0.1, TubeOptions::default()), ShadedMesh::default());
    let odd = Tube::new(TubeOptions::default()).mesh(&line(3), &[f32::NAN, -1.0, f32::INFINITY]);
    check(&odd);
}
