//! What a body promises, whatever the mesh.

use glam::{Affine3A, Quat};
use motes_core::constraints::inscribed::is_inscribed;
use proptest::prelude::*;

use super::*;
use crate::mesh::cuboid;
use crate::models;
use crate::solid::Solid;

fn model(name: &str) -> Mesh {
    models::by_name(name).unwrap().mesh(44).unwrap()
}

#[test]
fn every_model_keeps_mass_centre_and_inertia() {
    for name in models::NAMES {
        let mesh = model(name);
        for radius in [0.05, 0.02] {
            let options = BodyOptions::solid(radius);
            let body = body(&mesh, &options).unwrap();
            let expected = MassProperties::of_mesh(&mesh, options.density);
            let [mass, center, inertia] = body.mass_properties().difference(&expected);
            assert!(mass < 1e-4, "{name}: mass off by {mass}");
            assert!(
                center < 0.02 && inertia < 0.02,
                "{name} at {radius}: centre {center}, inertia {inertia}"
            );
        }
    }
}

#[test]
fn particles_lie_inside_with_unit_gradients_that_lead_out() {
    for name in ["octopus", "fish", "gear"] {
        let mesh = model(name);
        let body = body(&mesh, &BodyOptions::solid(0.02)).unwrap();
        let distance = MeshDistance::new(&mesh);
        for index in 0..body.len() {
            let (position, gradient) = (body.positions[index], body.gradients[index]);
            assert!(body.distances[index] <= 1e-4, "{name}: {}", body.distances[index]);
            assert!((gradient.length() - 1.0).abs() < 1e-4);
            let out = position + (0.003 - body.distances[index]) * gradient;
            assert!(
                distance.signed_distance(out) > -0.004,
                "{name}: {}",
                distance.signed_distance(out)
            );
            assert!(body.masses[index] > 0.0);
        }
        assert!(body.is_boundary.iter().any(|is| *is));
    }
    let deep = body(&cuboid(Vec3::ONE), &BodyOptions::solid(0.1)).unwrap();
    let inner = (0..deep.len()).filter(|&index| !deep.is_boundary[index]);
    assert!(inner.clone().count() > 0);
    assert!(
        inner
            .clone()
            .all(|index| deep.positions[index].abs().max_element() < 0.8)
    );
}

#[test]
fn a_box_is_filled_level_with_its_faces() {
    let brick = cuboid(Vec3::new(0.5, 0.3, 0.4));
    let body = body(&brick, &BodyOptions::solid(0.05)).unwrap();
    let bounds = motes_core::Bounds::of(body.positions.iter().copied());
    assert!(
        (bounds.max - Vec3::new(0.45, 0.25, 0.35)).length() < 1e-4,
        "{}",
        bounds.max
    );
    assert_eq!(body.len(), 11 * 7 * 9);
}

#[test]
fn bricks_of_a_few_diameters_are_tidy_lattices() {
    let radius = 0.05;
    for (diameters, counts) in [
        ([4.0, 2.0, 2.0], [4, 2, 2]),
        ([8.0, 4.0, 1.0], [9, 4, 1]),
        ([1.5, 1.5, 1.5], [2, 2, 2]),
        ([5.0, 2.5, 1.2], [5, 3, 2]),
        ([1.0, 1.0, 1.0], [1, 1, 1]),
    ] {
        let half = radius * Vec3::from(diameters);
        let brick = body(&cuboid(half), &BodyOptions::solid(radius)).unwrap();
        assert_eq!(brick.len(), counts.iter().product::<usize>(), "{diameters:?}");
        let level = |depth: f32| (depth / radius - 1.0).abs() < 0.15;
        let outermost = half
            - brick
                .positions
                .iter()
                .copied()
                .fold(Vec3::ZERO, |most, p| most.max(p.abs()));
        assert!(
            outermost.to_array().into_iter().all(level),
            "{diameters:?}: {outermost}"
        );
        let boundary = (0..brick.len()).filter(|&index| brick.is_boundary[index]);
        for index in boundary {
            assert!(
                level(-brick.distances[index]),
                "{diameters:?}: {}",
                brick.distances[index]
            );
        }
    }
}

#[test]
fn the_ends_of_a_cylinder_are_level() {
    let column = body(&Mesh::cylinder(0.2, 0.1, 48), &BodyOptions::solid(0.05)).unwrap();
    let top = column.positions.iter().map(|p| p.y).fold(0.0, f32::max);
    assert!((top - 0.05).abs() < 1e-4, "{top}");
}

#[test]
fn neighbours_overlap_a_little_and_never_coincide() {
    let body = body(&model("rabbit"), &BodyOptions::solid(0.03)).unwrap();
    for (index, a) in body.positions.iter().enumerate() {
        let gaps = body.positions.iter().enumerate().filter(|(other, _)| *other != index);
        let gap = gaps.map(|(_, b)| a.distance(*b)).fold(f32::INFINITY, f32::min);
        assert!(gap > 0.4 * 0.054 && gap < 2.0 * 0.06, "{gap}");
    }
}

#[test]
fn things_thinner_than_a_particle_still_get_some() {
    let options = BodyOptions::solid(0.05);
    let needle = cuboid(Vec3::new(1.0, 0.004, 0.004)).transformed(&Affine3A::from_quat(Quat::from_rotation_y(0.5)));
    let body_of = |mesh: &Mesh| body(mesh, &options).unwrap();
    let found = body_of(&needle);
    assert!(found.len() >= 10, "{}", found.len());
    assert_eq!(body_of(&cuboid(Vec3::splat(0.001))).len(), 1);
    let sheet = cuboid(Vec3::new(0.5, 0.003, 0.5)).transformed(&Affine3A::from_quat(Quat::from_rotation_x(0.7)));
    let covered = body_of(&sheet).len();
    assert!((50..260).contains(&covered), "{covered}");
    let mut handled = cuboid(Vec3::splat(0.3));
    handled.append(&cuboid(Vec3::new(0.2, 0.004, 0.004)).transformed(&Affine3A::from_translation(Vec3::X * 0.48)));
    let reach = body_of(&handled).positions.iter().map(|p| p.x).fold(0.0, f32::max);
    assert!(reach > 0.55, "{reach}");
}

#[test]
fn shells_lie_one_radius_deep_and_keep_mass_and_centre() {
    for name in ["rabbit", "torus"] {
        let mesh = model(name);
        let mut counts = Vec::new();
        for layers in [1, 2] {
            let options = BodyOptions {
                filling: Filling::Shell { layers },
                ..BodyOptions::solid(0.02)
            };
            let shell = body(&mesh, &options).unwrap();
            let expected = MassProperties::of_mesh(&mesh, options.density);
            let [mass, center, _] = shell.mass_properties().difference(&expected);
            assert!(mass < 1e-4 && center < 0.02, "{name}: {mass} {center}");
            assert!(shell.distances.iter().all(|&distance| distance < 0.0));
            counts.push(shell.len());
        }
        assert!(counts[1] > counts[0] * 3 / 2, "{counts:?}");
    }
}

#[test]
fn shells_of_boxes_are_as_deep_along_their_edges() {
    for layers in [1, 2] {
        let options = BodyOptions {
            filling: Filling::Shell { layers },
            ..BodyOptions::solid(0.05)
        };
        let shell = body(&cuboid(Vec3::splat(0.5)), &options).unwrap();
        let shallow = shell.distances.iter().copied().fold(f32::MIN, f32::max);
        assert!((-0.06..=-0.039).contains(&shallow), "{shallow} m below the surface");
    }
}

#[test]
fn a_body_far_from_the_origin_is_made_without_a_panic() {
    let far = cuboid(Vec3::ONE).transformed(&Affine3A::from_translation(Vec3::splat(3e6)));
    for filling in [Filling::Solid, Filling::Shell { layers: 1 }] {
        let options = BodyOptions {
            filling,
            ..BodyOptions::solid(0.2)
        };
        assert!(body(&far, &options).is_ok_and(|body| !body.is_empty()));
    }
    assert!(surface_points(&far, 0.3, 0).is_ok());
}

#[test]
fn surface_points_are_evenly_spaced_and_repeatable() {
    let mesh = model("teapot");
    let points = surface_points(&mesh, 0.03, 5).unwrap();
    assert_eq!(points, surface_points(&mesh, 0.03, 5).unwrap());
    assert_ne!(points, surface_points(&mesh, 0.03, 6).unwrap());
    let distance = MeshDistance::new(&mesh);
    let mut gaps: Vec<f32> = points
        .iter()
        .map(|a| {
            points
                .iter()
                .map(|b| a.position.distance(b.position))
                .filter(|&gap| gap > 0.0)
                .fold(f32::INFINITY, f32::min)
        })
        .collect();
    gaps.sort_by(f32::total_cmp);
    assert!(gaps[gaps.len() / 20] > 0.55 * 0.03, "{}", gaps[gaps.len() / 20]);
    assert!(gaps[gaps.len() - 1] < 1.5 * 0.03);
    assert!(points.iter().all(|point| distance.unsigned(point.position, 1.0) < 1e-5));
}

#[test]
fn meshes_without_volume_and_bad_numbers_are_refused() {
    let options = BodyOptions::solid(0.1);
    assert_eq!(body(&Mesh::default(), &options), Err(GeometryError::NoVolume));
    assert_eq!(
        body(&cuboid(Vec3::ONE).flipped(), &options),
        Err(GeometryError::InsideOut)
    );
    let turn = Affine3A::from_quat(Quat::from_scaled_axis(Vec3::new(0.3, 1.0, -2.0)));
    for thickness in [0.0, 1e-8] {
        let flat = cuboid(Vec3::new(1.0, thickness, 2.0)).transformed(&turn);
        for mesh in [flat.clone(), flat.flipped()] {
            assert_eq!(body(&mesh, &options), Err(GeometryError::NoVolume));
        }
    }
    let mut broken = cuboid(Vec3::ONE);
    broken.positions[3].y = f32::NAN;
    assert_eq!(body(&broken, &options), Err(GeometryError::NotFinite { index: 3 }));
    let mut torn = cuboid(Vec3::ONE);
    torn.triangles[7] = [0, 1, 99];
    assert_eq!(body(&torn, &options), Err(GeometryError::MissingVertex { triangle: 7 }));
    for bad in [0.0, -1.0, f32::NAN] {
        let refused = body(&cuboid(Vec3::ONE), &BodyOptions::solid(bad));
        assert!(matches!(refused, Err(GeometryError::BadSize { .. })));
    }
    let tiny = body(&cuboid(Vec3::ONE), &BodyOptions::solid(1e-4));
    assert!(matches!(tiny, Err(GeometryError::TooManyPoints { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn turned_bricks_of_any_shape_keep_their_mass_and_stay_inside(
        half in prop::array::uniform3(0.02f32..0.5),
        turn in prop::array::uniform3(-3.0f32..3.0),
        radius in 0.03f32..0.12,
    ) {
        let half = Vec3::from(half);
        let turn = Quat::from_scaled_axis(Vec3::from(turn));
        let mesh = cuboid(half).transformed(&Affine3A::from_quat(turn));
        let body = body(&mesh, &BodyOptions::solid(radius)).unwrap();
        prop_assert!(!body.is_empty());
        let expected = MassProperties::of_mesh(&mesh, 1000.0);
        let [mass, _, inertia] = body.mass_properties().difference(&expected);
        prop_assert!(mass < 1e-3);
        for &position in &body.positions {
            let local = turn.conjugate() * position;
            prop_assert!((local.abs() - half).max_element() < 1e-3);
        }
        if half.min_element() > 2.5 * radius {
            prop_assert!(inertia < 0.02, "{inertia}");
        }
    }

    #[test]
    fn bricks_of_any_size_are_level_with_their_faces(half in prop::array::uniform3(0.05f32..0.4)) {
        let (half, radius) = (Vec3::from(half), 0.05);
        let brick = body(&cuboid(half), &BodyOptions::solid(radius)).unwrap();
        for (&position, &distance) in brick.positions.iter().zip(&brick.distances) {
            prop_assert!(distance < -0.99 * radius, "{} at {}", distance, position);
        }
        let outermost = brick.positions.iter().copied().fold(Vec3::ZERO, |most, p| most.max(p.abs()));
        prop_assert!((half - outermost).max_element() < 1.16 * radius, "{}", half - outermost);
        let bricks = brick.positions.iter().enumerate();
        for (index, a) in bricks {
            let apart = |b: &Vec3| a.distance(*b) > 0.25 * radius;
            prop_assert!(brick.positions[..index].iter().all(apart));
        }
    }
}

#[test]
fn edges_know_all_their_faces_and_plates_both_sides() {
    let radius = 0.05;
    let cube = body(&Mesh::cuboid(Vec3::splat(0.2)), &BodyOptions::solid(radius)).unwrap();
    let faces_of = |place: Vec3, body: &Body| {
        let nearest = (0..body.len()).min_by(|&a, &b| {
            let distance = |index: usize| body.positions[index].distance(place);
            distance(a).total_cmp(&distance(b))
        });
        let index = nearest.unwrap();
        let more = body.faces[index].iter().filter(|face| **face != Vec3::ZERO).count();
        (1 + more, body.is_thin[index])
    };
    assert_eq!(faces_of(Vec3::splat(0.2), &cube), (3, false));
    assert_eq!(faces_of(Vec3::new(0.2, 0.2, 0.03), &cube), (2, false));
    assert_eq!(faces_of(Vec3::new(0.2, 0.03, 0.03), &cube), (1, false));
    let plate = body(&Mesh::cuboid(Vec3::new(0.3, 0.05, 0.3)), &BodyOptions::solid(radius)).unwrap();
    assert_eq!(faces_of(Vec3::ZERO, &plate), (1, true));
    assert_eq!(faces_of(Vec3::new(0.3, 0.0, 0.03), &plate), (2, true));
    let ball = body(&Mesh::ball(0.3, 48), &BodyOptions::solid(radius)).unwrap();
    assert!(
        ball.faces.iter().all(|faces| faces[0] == Vec3::ZERO),
        "nothing round has edges"
    );
}

#[test]
fn all_outer_particles_of_a_sphere_have_the_sphere_for_a_ball() {
    for across in [6.0, 16.0] {
        let radius = 0.05 * across;
        let body = body(&Mesh::ball(radius, 32), &BodyOptions::solid(0.05)).unwrap();
        let balls = body
            .inscribed
            .iter()
            .zip(&body.positions)
            .filter(|(ball, _)| ball.w >= 0.0);
        let outer = body.is_boundary.iter().filter(|is| **is).count();
        assert_eq!(balls.clone().count(), outer);
        for (ball, place) in balls {
            assert!((ball.w / radius - 0.99).abs() < 0.01, "{}", ball.w);
            assert!((ball.truncate() + *place).length() < 0.01 * radius);
        }
    }
}

#[test]
fn a_box_touches_with_its_corners_edges_and_faces() {
    let half = Vec3::new(0.2, 0.3, 0.4);
    let body = body(&cuboid(half), &BodyOptions::solid(0.05)).unwrap();
    let (mut corners, mut edges) = (0, 0);
    for (ball, place) in body.inscribed.iter().zip(&body.positions) {
        if ball.w < 0.0 {
            continue;
        }
        let reached = (*place + ball.truncate()).abs() + ball.w;
        let on_faces = (half - reached)
            .abs()
            .to_array()
            .iter()
            .filter(|far| **far < 1e-3)
            .count();
        assert!((reached - half).max_element() < 1e-4, "{place} reaches {reached}");
        assert!(on_faces > 0, "{place} reaches {reached}");
        corners += usize::from(ball.w == 0.0 && on_faces == 3);
        edges += usize::from(ball.w == 0.0 && on_faces == 2);
    }
    assert_eq!(corners, 8);
    assert!(edges > 20, "{edges}");
}

#[test]
fn inscribed_balls_lie_within_their_shape_and_touch_it_beside_their_particle() {
    for name in ["rabbit", "gear", "teapot"] {
        let mesh = model(name);
        let body = body(&mesh, &BodyOptions::solid(0.03)).unwrap();
        let distance = MeshDistance::new(&mesh);
        for (index, ball) in body.inscribed.iter().enumerate().filter(|(_, ball)| ball.w >= 0.0) {
            let center = body.positions[index] + ball.truncate();
            let inside = -distance.signed_distance(center);
            // Around particles of what is very thin they have half of a radius all the same.
            let is_thin = -body.distances[index] < 0.5 * 0.03 && *ball == Vec4::new(0.0, 0.0, 0.0, 0.5 * 0.03);
            assert!(is_thin || inside > ball.w - 0.1 * 0.03, "{name}: {ball} at {inside}");
            let surface = body.positions[index] - body.distances[index] * body.gradients[index];
            let beside = center.distance(surface) - ball.w;
            assert!(
                ball.w == 0.0 || beside < 0.1 * 0.03 + 0.013 * ball.w,
                "{name}: {beside}"
            );
        }
    }
}

#[test]
fn wheels_revolve_and_touch_alike_all_around() {
    let turned = Affine3A::from_rotation_translation(Quat::from_rotation_x(0.7), Vec3::new(0.3, -0.2, 0.1));
    for mesh in [
        Mesh::cylinder(0.4, 0.12, 48),
        Mesh::cylinder(0.4, 0.12, 48).transformed(&turned),
    ] {
        let body = body(&mesh, &BodyOptions::solid(0.05)).unwrap();
        let revolution = body.revolution.expect("a wheel revolves");
        let center = body.mass_properties().center.as_vec3();
        assert!((revolution.point - center).length() < 1e-3, "{}", revolution.point);
        let reaches: Vec<f32> = { body.positions.iter().zip(&body.inscribed) }
            .filter(|(_, ball)| is_inscribed(**ball) && ball.truncate() != Vec3::ZERO)
            .map(|(position, ball)| {
                let center = *position + ball.truncate() - revolution.point;
                center.reject_from_normalized(revolution.axis).length() + ball.w
            })
            .collect();
        let (least, most) = reaches
            .iter()
            .fold((f32::MAX, 0.0f32), |(a, b), &x| (a.min(x), b.max(x)));
        assert!(reaches.len() > 40 && least > 0.399 && most < 0.4, "{least} to {most}");
        assert!(most - least < 2e-4, "{least} to {most}");
    }
}

/// A wheel about y with five windows between its spokes, in a rim of that thickness.
fn spoked(rim: f32) -> Mesh {
    let wheel = |radius, half_height| Solid::Cylinder { radius, half_height };
    let window = 0.1;
    let windows = (0..5).map(|k| {
        let turn = Quat::from_rotation_y(0.4 * std::f32::consts::PI * k as f32);
        wheel(window, 1.0).translated(turn * Vec3::X * (0.4 - rim - window))
    });
    let solid = wheel(0.4, 0.12).minus(Solid::Union(windows.collect()));
    Mesh::from_solid(&solid, 96).unwrap()
}

#[test]
fn the_rim_of_a_wheel_with_spokes_touches_alike_all_around() {
    for rim in [0.06, 0.1] {
        let body = body(&spoked(rim), &BodyOptions::solid(0.05)).unwrap();
        let revolution = body.revolution.expect("its rim revolves");
        assert!(revolution.axis.y.abs() > 0.999 && revolution.point.length() < 2e-3);
        let balls = || { body.positions.iter().zip(&body.inscribed) }.filter(|(_, ball)| is_inscribed(**ball));
        let mut rims = Vec::new();
        for (position, ball) in balls().filter(|(_, ball)| ball.truncate() != Vec3::ZERO) {
            let center = *position + ball.truncate() - revolution.point;
            let reach = center.reject_from_normalized(revolution.axis).length() + ball.w;
            // A tenth of a particle's radius, within which a surface is taken for round.
            assert!(reach < 0.405, "{reach}");
            if reach > 0.395 {
                rims.push(center.x.atan2(center.z));
            }
        }
        rims.sort_by(f32::total_cmp);
        let gap = rims.windows(2).map(|two| two[1] - two[0]).fold(0.0, f32::max);
        assert!(rims.len() > 40 && gap < 0.5, "{} with gaps of {gap}", rims.len());
    }
}

#[test]
fn what_has_corners_and_what_is_a_ball_does_not_revolve() {
    let shapes = [
        Mesh::cuboid(Vec3::new(0.3, 0.2, 0.3)),
        Mesh::cylinder(0.4, 0.12, 6),
        Mesh::ball(0.4, 32),
        model("gear"),
        // A mug with a handle.
        Mesh::from_solid(
            &Solid::Union(vec![
                Solid::Cylinder {
                    radius: 0.3,
                    half_height: 0.3,
                },
                Solid::Cuboid {
                    half_extents: Vec3::new(0.08, 0.2, 0.08),
                }
                .translated(0.35 * Vec3::X),
            ]),
            64,
        )
        .unwrap(),
    ];
    for mesh in shapes {
        let body = body(&mesh, &BodyOptions::solid(0.05)).unwrap();
        assert_eq!(body.revolution, None);
    }
}
