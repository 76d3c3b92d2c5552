//! Linked particles keep their distance, as firmly as they are told to.

use glam::Vec3;
use motes_core::colliders::Plane;
use motes_core::{
    Anchor, Attachment, BodyId, Collider, CpuEngine, Links, Material, NewBody, Plasticity, Pose, Settings, Shape,
    Tethers, World,
};

const DT: f32 = 1.0 / 60.0;
const RADIUS: f32 = 0.05;

fn world(change: impl Fn(&mut Settings)) -> World {
    let mut settings = Settings {
        particle_radius: RADIUS,
        ..Settings::default()
    };
    change(&mut settings);
    World::new(settings).expect("settings")
}

/// Particles of 1 kg that only links hold together.
fn linked(world: &mut World, positions: Vec<Vec3>, pairs: Vec<[u32; 2]>, compliance: f32) -> NewBody {
    let rubber = world.add_material(Material::default()).expect("material");
    let masses = vec![1.0; positions.len()];
    NewBody {
        stiffness: 0.0,
        links: Links { pairs, compliance },
        ..NewBody::new("net", rubber, positions, masses)
    }
}

/// A cube of particles, each linked to all within 1.6 distances.
fn cube(world: &mut World, side: usize) -> NewBody {
    let place = |index: usize| {
        let [x, y, z] = [index % side, index / side % side, index / side / side].map(|number| number as f32);
        2.0 * RADIUS * Vec3::new(x, y, z)
    };
    let positions: Vec<Vec3> = (0..side.pow(3)).map(place).collect();
    let mut pairs = Vec::new();
    for a in 0..positions.len() {
        for b in a + 1..positions.len() {
            if positions[a].distance(positions[b]) < 3.2 * RADIUS {
                pairs.push([a as u32, b as u32]);
            }
        }
    }
    linked(world, positions, pairs, 0.0)
}

fn run(world: &mut World, frames: usize) {
    for _ in 0..frames {
        world.step(DT);
    }
}

/// Positions of the particles of a body, in the order they were given in.
fn places(world: &mut World, body: BodyId) -> Vec<Vec3> {
    let bodies = world.bodies().clone();
    let members = bodies.list[bodies.place(body).expect("body")].members();
    let particles = world.particles();
    let place = |id| particles.positions[particles.slot(id).expect("alive")].truncate();
    bodies.particles[members].iter().map(|&id| place(id)).collect()
}

/// The largest change of length of a link, as a share of it.
fn strain(world: &mut World, body: BodyId, new: &NewBody) -> f32 {
    let now = places(world, body);
    let strain = |&[a, b]: &[u32; 2]| {
        let length = |of: &[Vec3]| of[a as usize].distance(of[b as usize]);
        (length(&now) / length(&new.positions) - 1.0).abs()
    };
    new.links.pairs.iter().map(strain).fold(0.0, f32::max)
}

#[test]
fn a_weight_stretches_its_link_by_its_force_times_the_compliance() {
    for (substeps, iterations) in [(1, 4), (4, 1), (4, 8)] {
        let mut world = world(|settings| (settings.substeps, settings.iterations) = (substeps, iterations));
        let compliance = 4e-3;
        let positions = vec![Vec3::ZERO, Vec3::new(0.0, -0.5, 0.0)];
        let new = linked(&mut world, positions, vec![[0, 1]], compliance);
        let body = world.add_body(new.clone()).expect("body");
        world
            .attach(Attachment {
                body,
                point: Vec3::ZERO,
                anchor: Anchor::World(Vec3::ZERO),
                breaking_force: f32::INFINITY,
            })
            .expect("attachment");
        let mut mean = 0.0;
        run(&mut world, 600);
        for _ in 0..120 {
            run(&mut world, 1);
            mean += (-places(&mut world, body)[1].y - 0.5) / 120.0;
        }
        let expected = 9.81 * compliance;
        assert!(
            (mean / expected - 1.0).abs() < 0.03,
            "{mean} for {expected} at {substeps} × {iterations}"
        );
    }
}

#[test]
fn a_cube_of_links_lands_and_keeps_its_shape_and_one_without_does_not() {
    let strain_of = |keep: bool| {
        let mut world = world(|settings| settings.iterations = 8);
        let stone = world.add_material(Material::default()).expect("material");
        let plane = Shape::Plane(Plane::new(Vec3::Y, 0.0).expect("plane"));
        world
            .add_collider(Collider::new("floor", plane, stone, Pose::IDENTITY))
            .expect("floor");
        let new = cube(&mut world, 4);
        let mut made = new.clone();
        if !keep {
            made.links = Links::default();
        }
        made.pose.position = Vec3::new(0.0, 0.3, 0.0);
        made.angular_velocity = Vec3::new(0.0, 0.0, 3.0);
        let body = world.add_body(made).expect("body");
        run(&mut world, 120);
        strain(&mut world, body, &new)
    };
    let (with, without) = (strain_of(true), strain_of(false));
    assert!(with < 0.1 && without > 0.3, "{with} {without}");
}

#[test]
fn links_keep_momentum() {
    let mut world = world(|settings| settings.gravity = Vec3::ZERO);
    let mut new = cube(&mut world, 3);
    (new.velocity, new.angular_velocity) = (Vec3::new(1.0, 2.0, -0.5), Vec3::new(2.0, 0.5, 1.0));
    world.add_body(new.clone()).expect("body");
    run(&mut world, 60);
    let particles = world.particles();
    let momentum: Vec3 = particles.velocities.iter().map(|velocity| velocity.truncate()).sum();
    assert!((momentum / 27.0).distance(new.velocity) < 1e-3, "{momentum}");
}

#[test]
fn links_stay_with_their_body_when_another_goes_and_through_a_saved_state() {
    let mut world = world(|_| {});
    let first = cube(&mut world, 2);
    let gone = world.add_body(first).expect("first");
    let mut second = cube(&mut world, 3);
    second.pose.position = Vec3::new(3.0, 0.0, 0.0);
    let kept = world.add_body(second.clone()).expect("second");
    world.remove_body(gone).expect("removed");
    assert_eq!(world.constraints().len(), second.links.pairs.len());
    assert_eq!(world.constraints().of_body(kept).count(), second.links.pairs.len());
    let mut other = World::restore(&world.save(), Box::new(CpuEngine::new())).expect("restored");
    run(&mut world, 20);
    run(&mut other, 20);
    assert_eq!(world.digest(), other.digest());
    assert!(strain(&mut world, kept, &second) < 1e-3);
}

#[test]
fn odd_links_are_refused() {
    let mut world = world(|_| {});
    let positions = vec![Vec3::ZERO, Vec3::X];
    for (pair, compliance) in [([0, 2], 0.0), ([1, 1], 0.0), ([0, 1], -1.0), ([0, 1], f32::NAN)] {
        let new = linked(&mut world, positions.clone(), vec![pair], compliance);
        let error = world.add_body(new).expect_err("refused").to_string();
        assert!(error.contains("links"), "{error}");
    }
}

/// The longest of a body's neighbours after a fall of 1.5 m onto a floor, over their distance at rest.
fn stretch_of_a_fall(change: impl Fn(&mut NewBody), tethered: bool) -> f32 {
    let mut world = world(|_| {});
    let mut new = cube(&mut world, 6);
    let pairs = std::mem::take(&mut new.links.pairs);
    new.links.compliance = 0.0;
    new.pose = Pose::at(Vec3::new(0.0, 1.5, 0.0));
    new.angular_velocity = Vec3::new(4.0, 1.0, 2.0);
    if tethered {
        new.tethers = Tethers {
            pairs: pairs.clone(),
            stretch: 1.5,
        };
    }
    change(&mut new);
    let floor = Shape::from(Plane::new(Vec3::Y, 0.0).expect("plane"));
    world
        .add_collider(Collider::new("floor", floor, new.material, Pose::IDENTITY))
        .expect("collider");
    let body = world.add_body(new.clone()).expect("body");
    let mut longest: f32 = 0.0;
    for _ in 0..90 {
        run(&mut world, 1);
        let places = places(&mut world, body);
        for &[a, b] in &pairs {
            let [a, b] = [a as usize, b as usize];
            let rest = new.positions[a].distance(new.positions[b]);
            longest = longest.max(places[a].distance(places[b]) / rest);
        }
    }
    longest
}

#[test]
fn the_softest_body_hangs_together_by_its_tethers() {
    let limp = |new: &mut NewBody| new.stiffness = 0.02;
    let held = stretch_of_a_fall(limp, true);
    assert!(held < 1.8, "{held}");
    let loose = stretch_of_a_fall(limp, false);
    assert!(loose > 2.2, "{loose}");
}

#[test]
fn tethers_of_a_body_that_flows_do_not_flow() {
    let clay = |new: &mut NewBody| {
        new.stiffness = 0.3;
        new.plasticity = Some(Plasticity {
            threshold: 0.0,
            creep: 1.0,
            limit: f32::INFINITY,
        });
    };
    let held = stretch_of_a_fall(clay, true);
    assert!(held < 1.8, "{held}");
}

#[test]
fn slack_tethers_change_nothing() {
    let firm = |new: &mut NewBody| new.stiffness = 0.9;
    assert_eq!(stretch_of_a_fall(firm, true), stretch_of_a_fall(firm, false));
}

#[test]
fn odd_tethers_are_refused() {
    let mut world = world(|_| {});
    for (pairs, stretch) in [
        (vec![[0, 0]], 2.0),
        (vec![[0, 9]], 2.0),
        (vec![[0, 1]], 0.5),
        (vec![[0, 1]], f32::NAN),
    ] {
        let mut new = linked(&mut world, vec![Vec3::ZERO, Vec3::X], Vec::new(), 0.0);
        new.tethers = Tethers { pairs, stretch };
        assert!(world.add_body(new).is_err());
    }
}
