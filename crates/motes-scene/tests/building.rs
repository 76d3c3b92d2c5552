//! What a scene file says is what the world contains.
#![allow(clippy::unwrap_used)]

use glam::{Quat, Vec3};
use motes_core::{CpuEngine, MaterialId, Motion, Shape, Softness, Volume, World};
use motes_scene::{Built, Scene};

fn build(text: &str) -> Built {
    let scene = Scene::from_toml(text, "test.toml").unwrap_or_else(|error| panic!("{error}"));
    scene
        .build(Box::new(CpuEngine::new()))
        .unwrap_or_else(|error| panic!("{error}"))
}

fn extent(built: &mut Built) -> (Vec3, Vec3) {
    let positions = &built.world.particles().positions;
    let points = || positions.iter().map(|position| position.truncate());
    (points().reduce(Vec3::min).unwrap(), points().reduce(Vec3::max).unwrap())
}

#[test]
fn a_cylinder_stands_along_the_axis_that_is_up() {
    for (up, axis) in [("y", 1), ("z", 2)] {
        let text = format!(
            "up = \"{up}\"\n[[grains]]\nshape = {{ cylinder = {{ radius = 0.5, height = 3, base = [1, 2, 3] }} }}\n"
        );
        let mut built = build(&text);
        let (low, high) = extent(&mut built);
        assert!(
            (low[axis] - Vec3::new(1.0, 2.0, 3.0)[axis] - 0.05).abs() < 1e-4,
            "{low}"
        );
        assert!((high - low)[axis] > 2.7 && (high - low).x < 1.0, "{low} {high}");
        assert!((built.world.settings().gravity[axis] + 9.81).abs() < 1e-5);
    }
}

#[test]
fn a_box_stays_where_its_corners_say_whatever_is_up() {
    for up in ["y", "z"] {
        let text = format!("up = \"{up}\"\n[[grains]]\nshape = {{ box = {{ min = [0, 1, 2], max = [1, 3, 5] }} }}\n");
        let (low, high) = extent(&mut build(&text));
        assert!((low - Vec3::new(0.05, 1.05, 2.05)).abs().max_element() < 0.06, "{low}");
        assert!(
            (high - Vec3::new(0.95, 2.95, 4.95)).abs().max_element() < 0.09,
            "{high}"
        );
    }
}

#[test]
fn the_lattice_turns_with_its_shape() {
    for up in ["y", "z"] {
        let grains = |rotation: &str| {
            let text = format!(
                "up = \"{up}\"\n[[grains]]\nshape = {{ box = {{ min = [0, 0, 0], max = [0.61, 0.41, 0.52] }} }}\nposition = [1, 2, 3]\nrotation = {rotation}\n"
            );
            let built = build(&text);
            let positions = &built.world.particles().positions;
            positions.iter().map(|position| position.truncate()).collect::<Vec<_>>()
        };
        let (straight, turned) = (grains("[0, 0, 0]"), grains("[0, 0, 30]"));
        assert!(straight.len() > 50 && straight.len() == turned.len());
        let (at, turn) = (Vec3::new(1.0, 2.0, 3.0), Quat::from_rotation_z(30f32.to_radians()));
        for (before, after) in straight.iter().zip(&turned) {
            assert!((at + turn * (*before - at)).distance(*after) < 1e-5, "{before} {after}");
        }
    }
}

#[test]
fn a_count_is_met_by_spreading_the_grains() {
    let built = build("[[grains]]\ncount = 1000\nshape = { sphere = { radius = 1 } }\n");
    assert!(
        built.world.particle_count().abs_diff(1000) < 60,
        "{}",
        built.world.particle_count()
    );
}

#[test]
fn pinned_grains_have_no_inverse_mass() {
    let built = build("[[grains]]\npinned = true\nshape = { sphere = { radius = 0.3 } }\n");
    assert!(built.world.particle_count() > 10);
    assert!(
        built
            .world
            .particles()
            .positions
            .iter()
            .all(|position| position.w == 0.0)
    );
}

#[test]
fn materials_build_on_each_other() {
    let text = "[material.a]\nbase = \"glass\"\nfriction = 0.3\n[material.b]\nbase = \"a\"\ndensity = 99\n[[grains]]\nmaterial = \"b\"\nshape = { sphere = { radius = 1 } }\n";
    let built = build(text);
    let material = built.world.materials().as_slice()[0];
    assert_eq!(
        (material.density, material.static_friction, material.restitution),
        (99.0, 0.3, 0.7)
    );
}

#[test]
fn a_pair_of_materials_concerns_no_other_of_the_same_values() {
    let text = "[material.runner]\nbase = \"steel\"\n[[material_pair]]\nbetween = [\"ice\", \"runner\"]\nfriction = 0.02\nstatic_friction = 0.03\n\
        [[grains]]\nmaterial = \"runner\"\nshape = { sphere = { radius = 0.2 } }\n\
        [[grains]]\nmaterial = \"steel\"\nposition = [2, 0, 0]\nshape = { sphere = { radius = 0.2 } }\n\
        [[collider]]\nmaterial = \"ice\"\nshape = { plane = { normal = [0, 1, 0], offset = -1 } }\n";
    let built = build(text);
    let world = &built.world;
    let materials: Vec<MaterialId> = world.groups().map(|(_, group)| group.material).collect();
    let ice = world.colliders().next().unwrap().1.material;
    let pair = world.materials().pair(materials[0], ice);
    assert_eq!(
        (pair.static_friction, pair.kinetic_friction, pair.restitution),
        (0.03, 0.02, 0.5)
    );
    let plain = world.materials().pair(materials[1], ice);
    assert_eq!(plain.static_friction, (0.4f32 * 0.05).sqrt());
}

#[test]
fn a_path_moves_a_collider_from_key_to_key() {
    let text = "[[collider]]\nshape = { box = { min = [0, 0, 0], max = [2, 2, 2] } }\n[collider.motion.path]\nkeys = [{ time = 0 }, { time = 1, position = [5, 0, 0] }]\n";
    let built = build(text);
    let (_, collider, pose) = built.world.colliders().next().unwrap();
    assert_eq!(pose.position, Vec3::ONE, "the middle of the box");
    assert!(matches!(&collider.motion, Motion::Path { keys, .. } if keys[1].pose.position == Vec3::new(6.0, 1.0, 1.0)));
}

#[test]
fn angles_are_degrees() {
    let text =
        "[[collider]]\nshape = { sphere = { radius = 1 } }\nmotion = { steady = { angular_velocity = [0, 180, 0] } }\n";
    let built = build(text);
    let (_, collider, _) = built.world.colliders().next().unwrap();
    let Motion::Steady { angular_velocity, .. } = collider.motion else {
        panic!("{collider:?}")
    };
    assert!((angular_velocity.y - std::f32::consts::PI).abs() < 1e-5);
}

#[test]
fn what_turns_or_swings_does_so_about_the_origin_of_its_shape() {
    let turning = "motion = { steady = { angular_velocity = [0, 0, 90] } }";
    let swinging = "motion = { swing = { rotation = [0, 0, 90], period = 4 } }";
    for motion in [turning, swinging] {
        let shape = "shape = { box = { min = [0, -1, -1], max = [4, 1, 1] } }";
        let built = build(&format!("[[collider]]\n{shape}\nposition = [5, 0, 0]\n{motion}\n"));
        let (_, collider, pose) = built.world.colliders().next().unwrap();
        assert!(pose.position.distance(Vec3::new(7.0, 0.0, 0.0)) < 1e-5);
        let upright = collider.motion.pose(&collider.initial_pose, 1.0);
        assert!(
            upright.position.distance(Vec3::new(5.0, 2.0, 0.0)) < 1e-4,
            "{motion}: {}",
            upright.position
        );
    }
}

#[test]
fn a_region_of_a_soft_body_can_be_clamped() {
    let beam = "particle_radius = 0.05\n[[soft]]\nshape = { box = { size = [1, 0.2, 0.2] } }\nposition = [0, 2, 0]\n";
    let clamp = "youngs_modulus = 1e6\nclamp = { box = { min = [-1, 0, -1], max = [-0.3, 3, 1] } }\n";
    let mut built = build(&format!("{beam}{clamp}"));
    let ids = built.world.bodies().particles.clone();
    let places = |world: &mut World| -> Vec<Vec3> { world.positions(&ids).into_iter().flatten().collect() };
    let before = places(&mut built.world);
    for _ in 0..30 {
        built.world.step(1.0 / 60.0);
    }
    let moved: Vec<(f32, f32)> = { before.iter().zip(places(&mut built.world)) }
        .map(|(before, now)| (before.x, before.distance(now)))
        .collect();
    assert!(moved.iter().all(|&(x, moved)| (x > -0.3) == (moved > 0.0)));
    assert!(moved.iter().filter(|(x, _)| *x < -0.3).count() >= 4);
    let tip = moved
        .iter()
        .filter(|(x, _)| *x > 0.4)
        .map(|(_, moved)| *moved)
        .fold(0.0, f32::max);
    assert!(tip > 0.001 && tip < 0.6, "{tip}");
}

#[test]
fn an_emitter_points_where_it_should() {
    let opening = "shape = { disc = { radius = 1 } }\nlimit = 5\n";
    for (up, extra, expected) in [
        ("y", "", Vec3::NEG_Y),
        ("z", "", Vec3::NEG_Z),
        ("z", "rotation = [0, 0, 0]", Vec3::Z),
        ("y", "rotation = [0, 0, 90]", Vec3::NEG_X),
        ("y", "direction = [0, 0, 3]", Vec3::Z),
    ] {
        let built = build(&format!("up = \"{up}\"\n[[emitter]]\n{opening}{extra}\n"));
        let pose = built.world.emitters()[0].pose;
        assert!(
            (pose.direction(Vec3::Y) - expected).length() < 1e-5,
            "{up} {extra}: {}",
            pose.direction(Vec3::Y)
        );
    }
}

#[test]
fn terrain_is_centred_and_stands_up() {
    let shape = "[[collider]]\nshape = { heightfield = { grid = { cell_size = 2, heights = [[0, 0, 0], [0, 4, 0], [0, 0, 0]] } } }\n";
    for (up, top) in [("y", Vec3::new(0.0, 4.1, 0.0)), ("z", Vec3::new(0.0, 0.0, 4.1))] {
        let built = build(&format!("up = \"{up}\"\n{shape}"));
        let (_, collider, pose) = built.world.colliders().next().unwrap();
        let distance = |point: Vec3| collider.shape.signed_distance(pose.local_point(point)).0;
        assert!(distance(top) > 0.0 && distance(0.9 * top) < 0.0, "{up}");
    }
}

#[test]
fn kill_volumes_and_looks_arrive() {
    let text = "[[kill]]\nbelow = { height = -2 }\n[[grains]]\ncolor = \"#102030\"\nshape = { sphere = { radius = 1 } }\n[[collider]]\nshape = { plane = {} }\nvisible = false\nopacity = 0.5\n";
    let mut built = build(text);
    let expected = Volume::Below {
        point: Vec3::new(0.0, -2.0, 0.0),
        normal: Vec3::Y,
    };
    assert_eq!(*built.world.kill_volumes_mut(), [expected]);
    assert_eq!(built.looks.groups[0].color.0, [0x10, 0x20, 0x30]);
    assert!(!built.looks.colliders[0].visible && built.looks.colliders[0].opacity == 0.5);
}

#[test]
fn assignments_change_what_is_built() {
    let mut scene = Scene::from_toml("[[grains]]\nshape = { sphere = { radius = 1 } }\n", "test.toml").unwrap();
    scene
        .set(&["grains[0].material=ice", "solver.iterations=9", "particle_radius=0.2"])
        .unwrap();
    assert_eq!((scene.grains[0].material.as_str(), scene.solver.iterations), ("ice", 9));
    let before = scene.particle_radius;
    assert!(scene.set(&["particle_radius=0.3", "frames=-1"]).is_err());
    assert_eq!(scene.particle_radius, before, "all or nothing");
}

#[test]
fn bodies_have_the_mass_of_their_shape_and_stand_where_they_should() {
    for up in ["y", "z"] {
        let text = format!(
            "up = \"{up}\"\n[[rigid]]\ndensity = 500\nposition = [1, 2, 3]\nshape = {{ box = {{ min = [0, 0, 0], max = [1, 0.6, 0.4] }} }}\n\
             [[rigid]]\nshape = {{ cylinder = {{ radius = 0.3, height = 2 }} }}\nposition = [5, 0, 0]\n"
        );
        let built = build(&text);
        let [brick, pillar] = [0, 1].map(|body| built.looks.bodies[body].body);
        let motion = built.world.body_motion(brick).unwrap();
        assert!((motion.mass - 120.0).abs() < 0.01, "{}", motion.mass);
        assert!(
            motion.center.distance(Vec3::new(1.5, 2.3, 3.2)) < 1e-3,
            "{}",
            motion.center
        );
        let upright = if up == "y" { Vec3::Y } else { Vec3::Z };
        let center = built.world.body_motion(pillar).unwrap().center;
        assert!(center.distance(Vec3::X * 5.0 + upright) < 1e-3, "{center}");
    }
}

#[test]
fn a_rigid_body_may_touch_with_its_particles_instead_of_its_shape() {
    let rolled = |touches_with: &str| {
        let mut built = build(&format!(
            "gravity = [3.36, -9.22, 0]\n[[rigid]]\nshape = {{ sphere = {{ radius = 0.5 }} }}\nposition = [0, 0.5, 0]\n{touches_with}\n\
             [[collider]]\nshape = {{ plane = {{}} }}\n"
        ));
        for _ in 0..60 {
            built.world.step(1.0 / 60.0);
        }
        built.world.body_motion(built.looks.bodies[0].body).unwrap().center.x
    };
    let [shape, usual, particles] = ["touches_with = \"shape\"", "", "touches_with = \"particles\""].map(rolled);
    assert_eq!(shape, usual);
    let ideal = 0.5 * 3.36 * 5.0 / 7.0;
    assert!((shape / ideal - 1.0).abs() < 0.03, "{shape} m, {ideal} expected");
    assert!(
        particles < 0.9 * shape,
        "{particles} m on its bumps, {shape} m as a ball"
    );
}

#[test]
fn a_model_is_scaled_to_its_size() {
    let built = build("particle_radius = 0.1\n[[rigid]]\nmodel = \"rabbit\"\nsize = 3\n");
    let bounds = built.looks.bodies[0].form.mesh.bounds();
    assert!((bounds.size().max_element() - 3.0).abs() < 1e-3, "{bounds:?}");
    assert!(bounds.min.y.abs() < 0.05, "{bounds:?}");
}

#[test]
fn a_mesh_lies_beside_the_scene_and_may_have_another_axis_up() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = motes_geometry::Mesh::cuboid(Vec3::new(10.0, 20.0, 40.0));
    std::fs::write(folder.path().join("part.ply"), motes_geometry::write::ply(&mesh)).unwrap();
    let path = folder.path().join("scene.toml");
    let text = "particle_radius = 0.1\n[[rigid]]\nmesh = \"part.ply\"\nmesh_up = \"z\"\nmesh_scale = 0.01\n";
    std::fs::write(&path, text).unwrap();
    let scene = Scene::load(&path).unwrap();
    let built = scene
        .build(Box::new(CpuEngine::new()))
        .unwrap_or_else(|error| panic!("{error}"));
    let size = built.looks.bodies[0].form.mesh.bounds().size();
    assert!(size.distance(Vec3::new(0.2, 0.8, 0.4)) < 1e-4, "{size}");
    assert!(scene.camera_at(0).position.is_finite());
}

#[test]
fn grains_come_to_rest_on_mesh_files_be_they_triangles_or_grids() {
    let folder = tempfile::tempdir().unwrap();
    let block = motes_geometry::Mesh::cuboid(Vec3::new(60.0, 60.0, 20.0));
    std::fs::write(folder.path().join("block.ply"), motes_geometry::write::ply(&block)).unwrap();
    let mut open = block;
    open.triangles.truncate(10);
    std::fs::write(folder.path().join("open.ply"), motes_geometry::write::ply(&open)).unwrap();
    let path = folder.path().join("scene.toml");
    let load = |file: &str, more: &str| {
        let text = format!(
            "[[grains]]\nshape = {{ box = {{ size = [0.4, 0.2, 0.4] }} }}\nposition = [0, 0.4, 0]\n\
             [[collider]]\nshape = {{ file = {{ path = \"{file}\", up = \"z\", scale = 0.01 {more} }} }}\n"
        );
        std::fs::write(&path, text).unwrap();
        Scene::load(&path).unwrap()
    };
    for more in ["", ", cell_size = 0.05"] {
        let scene = load("block.ply", more);
        let mut built = scene.build(Box::new(CpuEngine::new())).unwrap();
        assert_eq!(
            matches!(built.world.colliders().next().unwrap().1.shape, Shape::SdfGrid(_)),
            !more.is_empty()
        );
        (0..120).for_each(|_| built.world.step(scene.dt()));
        let lowest = built.world.particles().positions.iter().map(|grain| grain.y);
        let lowest = lowest.fold(f32::INFINITY, f32::min);
        assert!((lowest - 0.25).abs() < 0.01, "{more}: {lowest}");
    }
    assert!(load("open.ply", "").build(Box::new(CpuEngine::new())).is_ok());
    let refused = |file: &str, more: &str| match load(file, more).build(Box::new(CpuEngine::new())) {
        Ok(_) => panic!("{file} {more} was built"),
        Err(error) => error.to_string(),
    };
    assert!(refused("open.ply", ", cell_size = 0.05").contains("is not closed"));
    assert!(refused("none.ply", "").contains("none.ply"));
    assert!(refused("block.ply", ", cell_size = 0.0001").contains("too many"));
}

#[test]
fn copies_stand_in_rows_and_turn_about_their_middle() {
    let text = "[[rigid]]\nname = \"ring\"\nmodel = \"torus\"\nposition = [0, 1, 0]\ncopies = { count = [2, 3, 4], spacing = [2, 3, 4], turn = \"random\" }\n";
    let built = build(text);
    assert_eq!(built.looks.bodies.len(), 24);
    let groups: Vec<String> = built.world.groups().map(|(_, group)| group.name.clone()).collect();
    assert_eq!((groups[0].as_str(), groups[23].as_str()), ("ring 0", "ring 23"));
    let mut rotations = Vec::new();
    for (number, look) in built.looks.bodies.clone().iter().enumerate() {
        let (x, z, y) = (number % 2, number / 2 % 4, number / 8);
        let place = Vec3::new(2.0 * x as f32, 1.15 + 3.0 * y as f32, 4.0 * z as f32);
        let motion = built.world.body_motion(look.body).unwrap();
        assert!(motion.center.distance(place) < 0.02, "{} {place}", motion.center);
        rotations.push(motion.pose.rotation);
    }
    assert!(rotations.windows(2).all(|pair| pair[0].angle_between(pair[1]) > 0.01));
}

#[test]
fn copies_follow_a_line() {
    let text = "[[rigid]]\nshape = { box = { size = [0.1, 1, 0.4] } }\nposition = [0, 0.5, 0]\ncopies = { along = [[0, 0, 0], [0, 0, -4]], distance = 0.5 }\n";
    let built = build(text);
    assert_eq!(built.looks.bodies.len(), 9);
    let last = built.looks.bodies[8].body;
    let motion = built.world.body_motion(last).unwrap();
    assert!(
        motion.center.distance(Vec3::new(0.0, 0.5, -4.0)) < 1e-3,
        "{}",
        motion.center
    );
    assert!((motion.pose.rotation * Vec3::X - Vec3::NEG_Z).length() < 1e-3);
}

#[test]
fn soft_and_plastic_bodies_get_their_settings() {
    let text = "[[soft]]\nstiffness = 0.3\nmodel = \"torus\"\nclusters = { whole = 0.1 }\n[[soft]]\nmodel = \"torus\"\nclusters = false\nposition = [3, 0, 0]\n\
        [[plastic]]\nmodel = \"torus\"\nposition = [6, 0, 0]\ncreep = 0.7\n[[rigid]]\nmodel = \"torus\"\nposition = [9, 0, 0]\n";
    let built = build(text);
    let list = &built.world.bodies().list;
    // Rigid bodies come first, then soft, then plastic ones.
    assert!(list[0].is_rigid() && !list[1].is_rigid());
    assert!(list[1].cluster_count > 1 && list[1].cluster_stiffness == 0.3 && list[1].stiffness == 0.1);
    assert!(list[2].cluster_count == 0 && list[2].stiffness == 0.5);
    let plasticity = list[3].plasticity.unwrap();
    assert_eq!((plasticity.creep, plasticity.limit), (0.7, f32::INFINITY));
    assert!((plasticity.threshold - 0.005).abs() < 1e-6);
    assert!(built.looks.bodies[0].form.skin.is_none() && built.looks.bodies[1].form.skin.is_some());
}

#[test]
fn soft_bodies_are_linked_if_they_are_told_to() {
    let text = "[[soft]]\nmodel = \"torus\"\nstretch = inf\n\
        [[soft]]\nmodel = \"torus\"\nposition = [3, 0, 0]\nlinks = true\nstretch = inf\n\
        [[soft]]\nmodel = \"torus\"\nposition = [6, 0, 0]\nclusters = false\nstiffness = 0\nstretch = inf\nlinks = { reach = 0.1, compliance = 1e-4 }\n";
    let built = build(text);
    let list = &built.world.bodies().list;
    let (bodies, count) = ([0, 1, 2].map(|k| list[k].id), list[2].count as usize);
    let constraints = built.world.constraints();
    let links = bodies.map(|body| constraints.of_body(body).count());
    assert_eq!(links[0], 0);
    assert!(links[1] > links[2] && links[2] > count);
    let softness = |body| {
        let link = constraints.of_body(body).next()?;
        Some(constraints.get(link)?.softness)
    };
    assert_eq!(softness(bodies[1]), Some(Softness::Compliance(0.0)));
    assert_eq!(softness(bodies[2]), Some(Softness::Compliance(1e-4)));
}

#[test]
fn neighbours_in_bodies_that_bend_are_tethered_and_hang_together() {
    let text = "particle_radius = 0.05\n[[soft]]\nmodel = \"octopus\"\n[[plastic]]\nmodel = \"fish\"\nposition = [3, 0, 0]\nstretch = 2.5\n";
    let built = build(text);
    let (bodies, constraints) = (built.world.bodies(), built.world.constraints());
    for (body, stretch) in bodies.list.iter().zip([1.5, 2.5]) {
        let mut piece: Vec<usize> = (0..bodies.particles.len()).collect();
        let rows = constraints.of_body(body.id).filter_map(|id| constraints.get(id));
        let mut count = 0;
        for row in rows {
            let members = [0, 1].map(|end| {
                { bodies.particles.iter() }
                    .position(|id| *id == row.particles[end])
                    .unwrap()
            });
            let [a, b] = members.map(|member| bodies.rest[member].truncate());
            assert!(
                (row.rest + stretch * a.distance(b)).abs() < 1e-5,
                "below zero: a tether"
            );
            let [a, b] = members.map(|member| piece[member]);
            piece
                .iter_mut()
                .filter(|piece| **piece == a)
                .for_each(|piece| *piece = b);
            count += 1;
        }
        let first = piece[body.members().start];
        assert!(body.members().all(|member| piece[member] == first), "one piece");
        assert!(count < 8 * body.count as usize);
    }
}

#[test]
fn kinematic_bodies_follow_their_motion() {
    let text = "[[rigid]]\nmodel = \"torus\"\nposition = [1, 2, 3]\nmotion = { steady = { velocity = [0, 0, 2] } }\n[[rigid]]\nmodel = \"torus\"\nkinematic = true\nposition = [9, 2, 3]\n";
    let mut built = build(text);
    for _ in 0..60 {
        built.world.step(1.0 / 60.0);
    }
    let [moved, still] = [0, 1].map(|body| built.looks.bodies[body].body);
    let place = built.world.body_motion(moved).unwrap().pose.position;
    assert!(place.distance(Vec3::new(1.0, 2.0, 5.0)) < 1e-3, "{place}");
    let place = built.world.body_motion(still).unwrap().pose.position;
    assert!(place.distance(Vec3::new(9.0, 2.0, 3.0)) < 1e-4, "{place}");
}

#[test]
fn a_restored_world_goes_on_without_its_scene() {
    let text = "particle_radius = 0.1\n[[grains]]\nshape = { box = { min = [-0.6, 0, -0.6], max = [0.6, 0.6, 0.6] } }\n\
        [[rigid]]\nmodel = \"torus\"\nposition = [-1.5, 0.3, 0]\nmotion = { steady = { velocity = [1, 0, 0] } }\n\
        [[rigid]]\nmodel = \"torus\"\nposition = [0, 1.2, 0]\nmotion = { swing = { offset = [0, 0.5, 0], period = 1 } }\n\
        [[rigid]]\nmodel = \"torus\"\nposition = [2, 1, 0]\nmotion = { path = { keys = [{ time = 0.2 }, { time = 0.8, position = [1, 1, 0] }] } }\n\
        [[collider]]\nshape = { plane = {} }\n\
        [[collider]]\nshape = { sphere = { radius = 0.4 } }\nposition = [0, 0.5, 2]\nmotion = { steady = { velocity = [0, 0, -1] } }\n";
    let mut world = build(text).world;
    (0..20).for_each(|_| world.step(1.0 / 60.0));
    let state = world.save();
    let mut restored = motes_core::World::restore(&state, Box::new(CpuEngine::new())).unwrap();
    for world in [&mut world, &mut restored] {
        (0..40).for_each(|_| world.step(1.0 / 60.0));
    }
    assert_eq!(world.digest(), restored.digest());
    assert!(world.save() == restored.save(), "byte for byte");
}

#[test]
fn copies_draw_lots_for_their_colours() {
    let text = "[[rigid]]\nmodel = \"torus\"\ncolor = [\"#ff0000\", \"#00ff00\"]\ncopies = { count = [9, 1, 1], spacing = [2, 0, 0] }\n";
    let built = build(text);
    let red = built
        .looks
        .bodies
        .iter()
        .filter(|look| look.color.0 == [255, 0, 0])
        .count();
    assert!((1..9).contains(&red), "{red}");
}

const CHAIN: &str = "[[rigid]]\nname = \"link\"\nshape = { box = { size = [0.4, 0.1, 0.1] } }\nposition = [0, 5, 0]\n\
    copies = { along = [[0, 0, 0], [0, -2, 0]], distance = 0.5, turn = \"along\", twist = 90, joined = {} }\n\
    [[joint]]\nbody = \"link 0\"\nat = [0, 5.25, 0]\n";

#[test]
fn joined_copies_hang_from_the_world() {
    let mut built = build(CHAIN);
    assert_eq!(built.world.bodies().attachments.len(), 5);
    let links: Vec<_> = built.looks.bodies.iter().map(|look| look.body).collect();
    let down = built.world.body_motion(links[1]).unwrap().pose.rotation;
    assert!((down * Vec3::X - Vec3::NEG_Y).length() < 1e-5);
    let before = built.world.body_motion(links[0]).unwrap().pose.rotation;
    assert!((down.angle_between(before) - std::f32::consts::FRAC_PI_2).abs() < 1e-4);
    for _ in 0..60 {
        built.world.step(1.0 / 60.0);
    }
    let last = built.world.body_motion(links[4]).unwrap().center;
    assert!(last.distance(Vec3::new(0.0, 3.0, 0.0)) < 0.02, "{last}");
}

#[test]
fn joints_find_bodies_and_colliders_by_name() {
    let text = format!(
        "{CHAIN}[[rigid]]\nname = \"ball\"\nshape = {{ sphere = {{ radius = 0.3 }} }}\nposition = [0, 2.4, 0]\n\
         [[joint]]\nbody = \"ball\"\nto = \"link last\"\nat = [0, 2.75, 0]\nbreaking_force = 900\n\
         [[rigid]]\nname = \"door\"\nshape = {{ box = {{ size = [1, 0.2, 0.2] }} }}\nposition = [5, 1, 0]\n\
         [[collider]]\nname = \"post\"\nshape = {{ box = {{ size = [0.2, 3, 0.2] }} }}\nposition = [4.2, 1, 0]\n\
         [[joint]]\nbody = \"door\"\nto = \"post\"\nkind = \"hinge\"\nat = [4.4, 1, 0]\naxis = [0, 0, 2]\n"
    );
    let built = build(&text);
    let attached = built.world.bodies().attachments.clone();
    let (ball, hinge) = (attached[5].attachment, [attached[6].attachment, attached[7].attachment]);
    assert_eq!(ball.body, built.looks.bodies[5].body);
    assert!(matches!(ball.anchor, motes_core::Anchor::Body(link, _) if link == built.looks.bodies[4].body));
    assert_eq!(ball.breaking_force, 900.0);
    for end in hinge {
        assert!(matches!(end.anchor, motes_core::Anchor::Collider(..)));
        assert!(
            (end.point - Vec3::new(-0.6, 0.0, end.point.z)).length() < 1e-5,
            "{}",
            end.point
        );
    }
}

#[test]
fn machines_of_a_scene_are_in_radians_and_switched_when_it_says() {
    let text = "[[rigid]]\nname = \"door\"\nshape = { box = { size = [1, 0.2, 0.2] } }\nposition = [0.5, 2, 0]\n\
        [[rigid]]\nname = \"lift\"\nshape = { box = { size = [0.4, 0.2, 0.4] } }\nposition = [3, 2, 0]\n\
        [[joint]]\nbody = \"door\"\nkind = \"hinge\"\nat = [0, 2, 0]\naxis = [0, 0, 1]\nlimits = [-90, 45]\n\
        stiffness = 10\nrest = -30\ndamping = 2\nfriction = 3\nmotor = { speed = 180, torque = 40 }\n\
        [[joint]]\nbody = \"lift\"\nkind = \"slider\"\naxis = [0, 1, 0]\nmotor = { target = 1, speed = 0.5, force = 1e4 }\n\
        off_at = 0.5\n\
        [[collider]]\nname = \"gate\"\nshape = { plane = {} }\non_at = 0.2\noff_at = 0.4\n";
    let mut world = build(text).world;
    let joints = world.joints().to_vec();
    let close = |a: f32, b: f32| (a - b).abs() < 1e-6;
    let [least, most] = joints[0].axis.limits;
    assert!(close(least, -90_f32.to_radians()) && close(most, 45_f32.to_radians()));
    assert!(close(joints[0].axis.rest.unwrap(), -30_f32.to_radians()));
    assert_eq!(
        (
            joints[0].axis.stiffness,
            joints[0].axis.damping,
            joints[0].axis.friction
        ),
        (10.0, 2.0, 3.0)
    );
    let motor = motes_core::JointMotor::Speed {
        speed: std::f32::consts::PI,
        most: 40.0,
    };
    assert_eq!(joints[0].axis.motor, Some(motor));
    let gate = world.colliders().map(|(id, ..)| id).next().unwrap();
    let mut seen = Vec::new();
    for _ in 0..36 {
        world.step(1.0 / 60.0);
        seen.push((
            world.is_collider_on(gate).unwrap(),
            world.joint_state(joints[1].id, 1.0 / 60.0).unwrap().is_on,
        ));
    }
    assert_eq!(
        (seen[11], seen[12], seen[23], seen[24]),
        ((false, true), (true, true), (true, true), (false, true))
    );
    assert_eq!((seen[29].1, seen[30].1), (true, false));
    let restored = motes_core::World::restore(&world.save(), Box::new(motes_core::CpuEngine::new())).unwrap();
    assert_eq!(restored.is_collider_on(gate), Some(false));
}

#[test]
fn each_copy_has_a_joint_of_its_own() {
    let text = "[[rigid]]\nname = \"axle\"\nshape = { box = { size = [0.4, 0.4, 0.4] } }\n\
        copies = { count = [3, 1, 1], spacing = [2, 0, 0] }\n\
        [[rigid]]\nname = \"wheel\"\nshape = { box = { size = [0.4, 0.4, 0.4] } }\nposition = [0, 0, 1]\n\
        copies = { count = [3, 1, 1], spacing = [2, 0, 0] }\n\
        [[joint]]\nbody = \"wheel each\"\nto = \"axle each\"\nkind = \"hinge\"\naxis = [0, 0, 1]\nfriction = 1\n\
        [[joint]]\nbody = \"axle each\"\n";
    let built = build(text);
    let attached = &built.world.bodies().attachments;
    assert_eq!((attached.len(), built.world.joints().len()), (9, 6));
    let middle = attached[2].attachment;
    assert_eq!(middle.body, built.looks.bodies[4].body);
    assert!(matches!(middle.anchor, motes_core::Anchor::Body(axle, _) if axle == built.looks.bodies[1].body));
}

#[test]
fn nets_and_rings_are_joined_all_around() {
    let of = |copies: &str| {
        let text = format!("[[rigid]]\nshape = {{ sphere = {{ radius = 0.1 }} }}\ncopies = {{ {copies} }}\n");
        build(&text).world.bodies().attachments.len()
    };
    assert_eq!(of("count = [4, 1, 3], spacing = [0.3, 0, 0.3], joined = {}"), 9 + 8);
    let ring = "along = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 0.3, 0]], distance = 0.3";
    let open = of(&format!("{ring}, joined = {{}}"));
    assert_eq!(of(&format!("{ring}, joined = {{ closed = true }}")), open + 1);
}

#[test]
fn every_table_of_particles_may_have_its_own_radius() {
    let text = "particle_radius = 0.05\n[[grains]]\nradius = 0.1\nshape = { sphere = { radius = 0.5 } }\n\
                [[rigid]]\nradius = 0.03\nshape = { box = { size = [0.3, 0.3, 0.3] } }\nposition = [2, 0, 0]\n\
                [[emitter]]\nradius = 0.2\nshape = { disc = { radius = 0.5 } }\nposition = [0, 5, 0]\n\
                [[grains]]\nshape = { sphere = { radius = 0.3 } }\nposition = [5, 0, 0]\n";
    let mut built = build(text);
    let world = &built.world;
    let radii: Vec<f32> = world
        .groups()
        .map(|(id, _)| world.particle_radius(id).unwrap())
        .collect();
    assert_eq!(radii, [0.1, 0.05, 0.03, 0.2]);
    built.world.step(1.0 / 60.0);
    let (positions, radii) = (built.world.particles().positions.clone(), built.world.particle_radii());
    for (position, radius) in positions.iter().zip(radii) {
        if position.y > 2.0 {
            assert_eq!(radius, 0.2, "born");
        }
    }
}

#[test]
fn carved_grains_leave_room_for_what_stands_in_them() {
    let grains = "particle_radius = 0.05\n[[grains]]\nshape = { box = { size = [2, 2, 2], center = [0, 1, 0] } }\n";
    let things = "[[rigid]]\nmodel = \"rabbit\"\nposition = [-0.4, 0.3, 0]\n\
                  [[collider]]\nshape = { sphere = { radius = 0.3, center = [0.6, 1.2, 0] } }\n\
                  [[collider]]\nshape = { plane = { offset = 0.2 } }\n\
                  [[collider]]\nshape = { sphere = { radius = 0.2, center = [0, 1.8, 0] } }\non_at = 1\n\
                  [[collider]]\nshape = { sphere = { radius = 0.2, center = [0, 1.8, 0] } }\ntrigger = true\n";
    let carved = build(&format!("{grains}carve = true\n{things}"));
    let whole = build(&format!("{grains}{things}"));
    let (fewer, more) = (carved.world.particle_count(), whole.world.particle_count());
    assert!(fewer < more - 300 && fewer > more / 2, "{fewer} of {more}");
    let particles = carved.world.particles();
    let is_grain = |slot: usize| {
        carved
            .looks
            .bodies
            .iter()
            .all(|look| look.group.index() != particles.phases[slot].group())
    };
    let (loose, body): (Vec<usize>, Vec<usize>) = (0..particles.len()).partition(|&slot| is_grain(slot));
    for &slot in &loose {
        let place = particles.positions[slot].truncate();
        assert!(place.y >= 0.25 - 1e-3, "{place} is below the ground");
        assert!(place.distance(Vec3::new(0.6, 1.2, 0.0)) >= 0.35 - 1e-3, "{place}");
        let apart = body
            .iter()
            .map(|&other| particles.positions[other].truncate().distance(place));
        assert!(
            apart.fold(f32::INFINITY, f32::min) >= 0.1 - 1e-3,
            "{place} is in the body"
        );
    }
    let hollow = loose
        .iter()
        .filter(|&&slot| particles.positions[slot].truncate().distance(Vec3::new(0.0, 1.8, 0.0)) < 0.2);
    assert!(hollow.count() > 10, "what is off or only notices leaves no room");
    let checked = |text: &str| -> Vec<String> {
        let problems = motes_scene::check(&Scene::from_toml(text, "x").unwrap());
        problems.iter().map(ToString::to_string).collect()
    };
    // The third is switched on while grains are in it.
    let inside = |said: &[String]| said.iter().filter(|line| line.contains("inside collider")).count();
    assert_eq!(inside(&checked(&format!("{grains}carve = true\n{things}"))), 1);
    let said = checked(&format!("{grains}{things}"));
    assert_eq!(inside(&said), 3);
    assert!(said.iter().any(|line| line.contains("`carve = true`")), "{said:#?}");
}

#[test]
fn a_camera_knows_what_it_follows() {
    let text = "[camera]\nposition = [0, 1, 9]\nfollow = \"toy\"\n[[rigid]]\nname = \"toy\"\nmodel = \"rabbit\"\n\
                copies = { count = [3, 1, 1], spacing = [2, 0, 0] }\n[[rigid]]\nname = \"other\"\nmodel = \"torus\"\nposition = [50, 0, 0]\n";
    let followed = build(text).stage.follow.expect("followed");
    assert_eq!(followed.groups.len(), 3);
    assert!((1.5..2.5).contains(&followed.start.x), "{}", followed.start);
    let one = build(&text.replace("\"toy\"\n[[rigid]]", "\"toy 2\"\n[[rigid]]"))
        .stage
        .follow
        .expect("followed");
    assert_eq!(one.groups.len(), 1);
    assert!((3.5..4.5).contains(&one.start.x), "{}", one.start);
}

#[test]
fn what_is_clamped_goes_where_its_motion_or_its_collider_leads_it_and_the_rest_follows() {
    let beam = "shape = { box = { size = [1, 0.2, 0.2] } }\nposition = [0, 2, 0]\nclamp = { box = { min = [-1, 0, -1], max = [-0.3, 3, 1] } }\n";
    let up = "{ path = { keys = [{ time = 0 }, { time = 1, position = [-0.35, 2.5, 0], rotation = [0, 90, 0] }] } }";
    let lift = "[[collider]]\nname = \"lift\"\nshape = { sphere = { radius = 0.1 } }\nposition = [-3, 2, 0]\nmotion = { steady = { velocity = [0, 0.5, 0] } }\n";
    for (kind, extra, turned) in [
        ("soft", format!("youngs_modulus = 1e6\nclamp_motion = {up}\n"), true),
        ("plastic", format!("clamp_motion = {up}\n"), true),
        (
            "soft",
            format!("youngs_modulus = 1e6\nclamp_to = \"lift\"\n{lift}"),
            false,
        ),
    ] {
        let mut built = build(&format!(
            "particle_radius = 0.05\ngravity = 0\n[[{kind}]]\n{beam}{extra}"
        ));
        let ids = built.world.bodies().particles.clone();
        let places = |world: &mut World| -> Vec<Vec3> { world.positions(&ids).into_iter().flatten().collect() };
        let before = places(&mut built.world);
        let held: Vec<Vec3> = before.iter().copied().filter(|place| place.x < -0.3).collect();
        let middle = held.iter().sum::<Vec3>() / held.len() as f32;
        for _ in 0..90 {
            built.world.step(1.0 / 60.0);
        }
        let lifted = Vec3::Y * if turned { 0.5 } else { 0.75 };
        for (before, now) in before.iter().zip(places(&mut built.world)) {
            let arm = match turned {
                true => glam::Quat::from_rotation_y(std::f32::consts::FRAC_PI_2) * (before - middle),
                false => before - middle,
            };
            let expected = match turned {
                true => Vec3::new(-0.35, 2.5, 0.0) + arm,
                false => middle + lifted + arm,
            };
            // What is free still swings.
            let most = if before.x < -0.3 { 1e-4 } else { 0.25 };
            assert!(
                now.distance(expected) < most,
                "{kind}: {before} at {now}, not {expected}"
            );
        }
    }
}
