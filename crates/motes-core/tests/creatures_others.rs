//! Physical claims about creatures that meet others, and about what they do besides keeping their shape.

use glam::{Quat, Vec3};
use motes_core::colliders::Plane;
use motes_core::{
    Collider, CreatureId, Denting, Edge, Group, Material, MaterialId, Muscle, NewBody, NewCreature, NewDistance,
    OrientedParticle, Pose, Settings, Shape, World,
};

const DT: f32 = 1.0 / 60.0;

struct Scene {
    world: World,
    material: MaterialId,
}

impl Scene {
    fn new(gravity: f32) -> Self {
        let mut world = World::new(Settings {
            gravity: Vec3::NEG_Y * gravity,
            ..Settings::default()
        })
        .expect("settings");
        let material = Material {
            restitution: 0.0,
            rolling_resistance: None,
            ..Material::RUBBER
        };
        let material = world.add_material(material).expect("material");
        Self { world, material }
    }

    fn on_floor() -> Self {
        let mut scene = Self::new(9.81);
        let plane = Shape::Plane(Plane::new(Vec3::Y, 0.0).expect("plane"));
        let floor = Collider::new("floor", plane, scene.material, Pose::IDENTITY);
        scene.world.add_collider(floor).expect("floor");
        scene
    }

    fn add(&mut self, particles: Vec<OrientedParticle>, change: impl FnOnce(&mut NewCreature)) -> CreatureId {
        let mut new = NewCreature::new("creature", self.material, particles, Vec::new());
        change(&mut new);
        self.world.add_creature(new).expect("sound")
    }

    fn run(&mut self, seconds: f32) {
        for _ in 0..(seconds * 60.0).round() as usize {
            self.world.step(DT);
        }
        self.world.health().expect("finite");
    }

    fn pose(&self, id: CreatureId, number: usize) -> Pose {
        self.world.creature(id).expect("there").particles[number]
            .pose
            .expect("alive")
    }
}

fn ellipsoid(position: Vec3, radii: Vec3) -> OrientedParticle {
    OrientedParticle::ellipsoid(Pose::at(position), radii, 1000.0 * OrientedParticle::volume(radii))
}

/// A block of balls with all that are near each other joined.
fn block(sides: [usize; 3], spacing: f32, corner: Vec3) -> (Vec<OrientedParticle>, Vec<Edge>) {
    let mut particles = Vec::new();
    for x in 0..sides[0] {
        for y in 0..sides[1] {
            for z in 0..sides[2] {
                let place = corner + spacing * Vec3::new(x as f32, y as f32, z as f32);
                particles.push(ellipsoid(place, Vec3::splat(0.5 * spacing)));
            }
        }
    }
    let mut edges = Vec::new();
    for a in 0..particles.len() {
        for b in a + 1..particles.len() {
            if particles[a].position.distance(particles[b].position) < 1.5 * spacing {
                edges.push(Edge::new(a as u32, b as u32));
            }
        }
    }
    (particles, edges)
}

#[test]
fn a_grain_rests_on_the_flat_side_of_an_ellipsoid() {
    for (turn, height) in [(0.0, 0.1), (std::f32::consts::FRAC_PI_2, 0.2)] {
        let mut scene = Scene::new(9.81);
        let mut particle = ellipsoid(Vec3::ZERO, Vec3::new(0.2, 0.1, 0.2));
        (particle.orientation, particle.pinned) = (Quat::from_rotation_z(turn), true);
        scene.add(vec![particle], |_| {});
        let grains = Group::grains("grains", scene.material).without_turning();
        let grains = scene.world.add_group(grains).expect("group");
        let ids = scene
            .world
            .add_particles(grains, &[Vec3::Y * 0.35], Vec3::ZERO)
            .expect("grain");
        scene.run(1.0);
        let place = scene.world.positions(&ids)[0].expect("alive");
        assert!(
            (place.y - height - 0.05).abs() < 2e-3 && place.x.abs() < 1e-3,
            "{place} on {height}"
        );
    }
}

#[test]
fn ellipsoids_that_collide_keep_momentum_and_gain_no_energy() {
    let mut scene = Scene::new(0.0);
    // Impulses act where contacts end, which is further from where they began in a longer sub-step.
    let fine = Settings {
        substeps: 16,
        ..scene.world.settings().clone()
    };
    scene.world.set_settings(fine).expect("settings");
    let radii = [Vec3::new(0.1, 0.05, 0.07), Vec3::new(0.06, 0.1, 0.05)];
    let mut ids = Vec::new();
    for (k, radii) in radii.into_iter().enumerate() {
        let mut particle = ellipsoid(Vec3::new(0.3 * k as f32, 0.06 * k as f32, 0.02 * k as f32), radii);
        particle.orientation = Quat::from_scaled_axis(Vec3::new(0.3, 0.5, -0.4) * (1.0 + k as f32));
        ids.push(scene.add(vec![particle], |new| {
            new.velocity = Vec3::X * if k == 0 { 1.0 } else { -0.5 };
            new.angular_velocity = Vec3::new(0.0, 3.0, 1.0);
        }));
    }
    let sums = |scene: &Scene| {
        let (mut push, mut turn, mut energy) = (Vec3::ZERO, Vec3::ZERO, 0.0);
        for (&id, radii) in ids.iter().zip(radii) {
            let own = scene.world.creature(id).expect("there").particles[0];
            let (pose, mass) = (own.pose.expect("alive"), 1000.0 * OrientedParticle::volume(radii));
            let squares = radii * radii;
            let inertia = 0.2 * mass * Vec3::new(squares.y + squares.z, squares.z + squares.x, squares.x + squares.y);
            let spin = pose.rotation * (inertia * (pose.rotation.conjugate() * own.angular_velocity));
            push += mass * own.velocity;
            turn += pose.position.cross(mass * own.velocity) + spin;
            energy += 0.5 * mass * own.velocity.length_squared() + 0.5 * spin.dot(own.angular_velocity);
        }
        (push, turn, energy)
    };
    let before = sums(&scene);
    scene.run(1.0);
    let after = sums(&scene);
    assert!((after.0 - before.0).length() < 1e-4 * before.0.length());
    assert!(
        (after.1 - before.1).length() < 0.02 * before.1.length(),
        "{} {}",
        before.1,
        after.1
    );
    assert!(after.2 < before.2, "{} {}", before.2, after.2);
    assert!(after.2 < 0.9 * before.2, "they did collide");
}

#[test]
fn a_spinning_ball_drives_off_at_two_sevenths_of_its_rim() {
    let mut scene = Scene::on_floor();
    let id = scene.add(vec![ellipsoid(Vec3::Y * 0.1, Vec3::splat(0.1))], |new| {
        new.angular_velocity = Vec3::NEG_Z * 20.0;
    });
    scene.run(2.0);
    let speed = scene.world.creature(id).expect("there").particles[0].velocity;
    assert!((speed.x / (2.0 / 7.0 * 2.0) - 1.0).abs() < 0.02, "{speed}");
}

#[test]
fn a_rigid_part_that_is_hit_hard_stays_dented_and_one_that_is_not_keeps_its_shape() {
    let dented = |denting: Option<Denting>, height: f32| {
        let mut scene = Scene::on_floor();
        let (particles, edges) = block([5, 3, 3], 0.1, Vec3::new(0.0, height, 0.0));
        let part = (0..particles.len() as u32).collect();
        let id = scene.add(particles, |new| {
            new.pose.rotation = Quat::from_rotation_z(0.6);
            (new.edges, new.parts, new.denting) = (edges, vec![part], denting);
        });
        scene.run(4.0);
        let state = scene.world.creature(id).expect("there").particles;
        let mut bent: f32 = 0.0;
        for a in &state {
            for b in &state {
                let now = a
                    .pose
                    .expect("alive")
                    .position
                    .distance(b.pose.expect("alive").position);
                bent = bent.max((now - a.bind.position.distance(b.bind.position)).abs());
            }
        }
        // It is rigid again: nothing in it moves.
        let before: Vec<Vec3> = state.iter().map(|own| own.pose.expect("alive").position).collect();
        scene.run(1.0);
        let after = scene.world.creature(id).expect("there").particles;
        let moved = |k: usize| after[k].pose.expect("alive").position - before[k];
        let drift = (0..before.len())
            .map(|k| (moved(k) - moved(0)).length())
            .fold(0.0, f32::max);
        (bent, drift)
    };
    let denting = Some(Denting {
        speed: 2.0,
        seconds: 0.1,
    });
    let (bent, drift) = dented(denting, 2.0);
    assert!(bent > 0.01 && drift < 1e-3, "{bent} {drift}");
    let (bent, _) = dented(denting, 0.25);
    assert!(bent < 1e-3, "too slow to dent, {bent}");
    let (bent, _) = dented(None, 2.0);
    assert!(bent < 1e-3, "does not dent, {bent}");
}

#[test]
fn muscles_pull_as_much_as_they_are_told() {
    let mut scene = Scene::new(0.0);
    let edge = Edge {
        muscle: Some(Muscle {
            amplitude: 0.3,
            frequency: 1.0,
            phase: 0.0,
        }),
        ..Edge::new(0, 1)
    };
    let mut particles = vec![
        ellipsoid(Vec3::ZERO, Vec3::splat(0.05)),
        ellipsoid(Vec3::X * 0.2, Vec3::splat(0.05)),
    ];
    particles.iter_mut().for_each(|particle| particle.stiffness = 0.0);
    let id = scene.add(particles, |new| new.edges = vec![edge]);
    let length = |scene: &Scene| scene.pose(id, 0).position.distance(scene.pose(id, 1).position);
    let (mut least, mut most) = (f32::INFINITY, 0.0f32);
    for _ in 0..120 {
        scene.world.step(DT);
        (least, most) = (least.min(length(&scene)), most.max(length(&scene)));
    }
    assert!(
        (least - 0.14).abs() < 0.004 && (most - 0.26).abs() < 0.004,
        "{least} {most}"
    );
    scene.world.set_creature_effort(id, 0.0).expect("there");
    scene.run(0.1);
    let begun = length(&scene);
    scene.run(0.5);
    assert!((length(&scene) - begun).abs() < 1e-3);
}

#[test]
fn what_floats_stays_and_what_is_lighter_rises() {
    let rise = |buoyancy: f32| {
        let mut scene = Scene::new(9.81);
        let mut particle = ellipsoid(Vec3::ZERO, Vec3::splat(0.05));
        particle.buoyancy = buoyancy;
        let id = scene.add(vec![particle], |_| {});
        scene.run(1.0);
        scene.pose(id, 0).position.y
    };
    assert!(rise(1.0).abs() < 0.03, "{}", rise(1.0));
    assert!((rise(1.5) - 0.25 * 9.81).abs() < 0.1, "{}", rise(1.5));
    assert!((rise(0.0) + 0.5 * 9.81).abs() < 0.05, "{}", rise(0.0));
}

#[test]
fn a_rope_folded_onto_itself_does_not_pass_through() {
    let mut scene = Scene::on_floor();
    let radii = Vec3::new(0.05, 0.04, 0.04);
    let place = |k: usize| match k {
        0..10 => Vec3::new(0.09 * k as f32, 0.04, 0.0),
        10 => Vec3::new(0.86, 0.1, 0.0),
        _ => Vec3::new(0.09 * (20 - k) as f32, 0.22, 0.0),
    };
    let particles: Vec<_> = (0..21)
        .map(|k| OrientedParticle {
            stiffness: 0.2,
            ..ellipsoid(place(k), radii)
        })
        .collect();
    let edges = (0..20).map(|k| Edge::new(k, k + 1)).collect();
    let id = scene.add(particles, |new| new.edges = edges);
    scene.run(4.0);
    let upper: f32 = (12..20)
        .map(|k| scene.pose(id, k).position.y)
        .fold(f32::INFINITY, f32::min);
    assert!(
        upper > 0.06 || (12..20).all(|k| scene.pose(id, k).position.z.abs() > 0.03),
        "{upper}"
    );
}

#[test]
fn creatures_grains_bodies_ropes_and_water_live_together() {
    let mut scene = Scene::on_floor();
    let (particles, edges) = block([4, 2, 3], 0.1, Vec3::new(-0.2, 0.4, -0.1));
    let part = vec![0, 1, 2, 3, 4, 5];
    let id = scene.add(particles, |new| (new.edges, new.parts) = (edges, vec![part]));
    let world = &mut scene.world;
    let sand = world.add_material(Material::SAND).expect("material");
    let water = world.add_material(Material::WATER).expect("material");
    let grid = |count: usize, step: f32, corner: Vec3| -> Vec<Vec3> {
        let at = |k: usize| Vec3::new((k % 5) as f32, (k / 25) as f32, (k / 5 % 5) as f32);
        (0..count).map(|k| corner + step * at(k)).collect()
    };
    let grains = world.add_group(Group::grains("sand", sand)).expect("group");
    world
        .add_particles(grains, &grid(75, 0.11, Vec3::new(-0.3, 0.06, -0.3)), Vec3::ZERO)
        .expect("grains");
    let liquid = world.add_group(Group::fluid("water", water)).expect("group");
    world
        .add_particles(liquid, &grid(75, 0.1, Vec3::new(-0.25, 1.0, -0.25)), Vec3::ZERO)
        .expect("water");
    let rope = world.add_group(Group::grains("rope", scene.material)).expect("group");
    let along: Vec<Vec3> = (0..12).map(|k| Vec3::new(-0.6 + 0.1 * k as f32, 0.8, 0.0)).collect();
    let ids = world.add_particles(rope, &along, Vec3::ZERO).expect("rope");
    let links: Vec<NewDistance> = ids
        .windows(2)
        .map(|two| NewDistance::new([two[0], two[1]], 0.1))
        .collect();
    world.add_distances(&links).expect("links");
    let block = grid(75, 0.1, Vec3::ZERO);
    let masses = vec![0.3; block.len()];
    world
        .add_body(NewBody {
            pose: Pose::at(Vec3::new(-0.2, 1.6, -0.2)),
            ..NewBody::new("box", sand, block, masses)
        })
        .expect("body");
    scene.run(5.0);
    let lowest = (0..24)
        .map(|k| scene.pose(id, k).position.y)
        .fold(f32::INFINITY, f32::min);
    let fastest = scene
        .world
        .creature(id)
        .expect("there")
        .particles
        .iter()
        .map(|own| own.velocity.length())
        .fold(0.0, f32::max);
    assert!(lowest > 0.02, "{lowest}");
    assert!(fastest < 1.0, "{fastest}");
}

#[test]
fn what_rebounds_comes_back_with_its_restitution() {
    let rebound = |rigid: bool| {
        let mut scene = Scene::on_floor();
        let material = *scene.world.materials().get(scene.material).expect("there");
        let bouncy = Material {
            restitution: 0.5,
            static_friction: 0.0,
            kinetic_friction: 0.0,
            ..material
        };
        scene.world.set_material(scene.material, bouncy).expect("there");
        let (particles, edges) = match rigid {
            true => block([3, 3, 3], 0.1, Vec3::new(0.0, 1.05, 0.0)),
            false => (vec![ellipsoid(Vec3::Y * 1.05, Vec3::new(0.1, 0.05, 0.1))], Vec::new()),
        };
        let count = particles.len() as u32;
        let id = scene.add(particles, |new| {
            (new.edges, new.parts) = (edges, vec![(0..count).collect()]);
        });
        scene.run(0.5);
        let mut highest = 0.0f32;
        for _ in 0..40 {
            scene.world.step(DT);
            highest = highest.max(scene.pose(id, 0).position.y);
        }
        highest - 0.05
    };
    // A quarter of one metre, but for the ways of a sub-step.
    assert!((rebound(false) - 0.25).abs() < 0.02, "{}", rebound(false));
    assert!((rebound(true) - 0.25).abs() < 0.03, "{}", rebound(true));
}

#[test]
fn ellipsoids_that_pass_each_other_do_not_rebound() {
    let mut scene = Scene::new(0.0);
    let material = *scene.world.materials().get(scene.material).expect("there");
    scene
        .world
        .set_material(
            scene.material,
            Material {
                restitution: 1.0,
                ..material
            },
        )
        .expect("there");
    // Their largest radii overlap on the way, they themselves do not.
    let flat = Vec3::new(0.1, 0.03, 0.1);
    let first = scene.add(vec![ellipsoid(Vec3::ZERO, flat)], |_| {});
    let second = scene.add(vec![ellipsoid(Vec3::new(0.5, 0.07, 0.0), flat)], |new| {
        new.velocity = Vec3::NEG_X;
    });
    scene.run(1.0);
    let velocity = |id| scene.world.creature(id).expect("there").particles[0].velocity;
    assert!(velocity(first).length() < 1e-6, "{}", velocity(first));
    assert!((velocity(second) + Vec3::X).length() < 1e-5, "{}", velocity(second));
}

#[test]
fn a_creature_that_makes_no_sense_is_refused() {
    let mut scene = Scene::new(9.81);
    let mut field = |change: &dyn Fn(&mut NewCreature)| {
        let (particles, edges) = block([3, 1, 1], 0.1, Vec3::ZERO);
        let mut new = NewCreature::new("c", scene.material, particles, edges);
        change(&mut new);
        let found = scene.world.add_creature(new);
        assert_eq!(scene.world.particle_count(), 0);
        match found {
            Err(motes_core::WorldError::Value { field, .. }) => field,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(field(&|new| new.particles.clear()), "particles");
    assert_eq!(field(&|new| new.particles[1].radii.x = 0.0), "particles[1].radii");
    assert_eq!(field(&|new| new.particles[2].mass = -1.0), "particles[2].mass");
    assert_eq!(field(&|new| new.edges[1].particles = [1, 9]), "edges[1].particles");
    assert_eq!(field(&|new| new.edges[1].particles = [1, 0]), "edges[1]");
    assert_eq!(field(&|new| new.parts = vec![vec![0, 0]]), "parts[0]");
}
