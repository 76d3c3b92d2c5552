//! Spray, foam and bubbles: where they come from, where they go, and that liquids know nothing of them.

#[path = "common/tank.rs"]
mod tank;

use motes_core::glam::{Vec3, Vec4Swizzles};
use motes_core::{CpuEngine, Foam, Material, PassiveKind, Settings, Volume, World};
use tank::{DT, STEPS, block, liquid, settings, tank_on};

const RADIUS: f32 = 0.02;
const SIDES: [usize; 2] = [36, 6];

/// A column of water in a tank, which falls over.
fn dam(threads: usize, steps: [u32; 2], foam: impl Fn(Foam) -> Option<Foam>) -> World {
    let engine = Box::new(CpuEngine::with_threads(threads));
    let settings = settings(RADIUS, steps);
    let mut world = tank_on(engine, settings.clone(), SIDES);
    world.set_foam(foam(Foam::of(&settings))).expect("foam");
    let water = liquid(&mut world, "water", Material::WATER);
    let places = block([12, 24, SIDES[1]], 2.0 * RADIUS, Vec3::ZERO);
    world.add_particles(water, &places, Vec3::ZERO).expect("water");
    world
}

fn counts(world: &World) -> [usize; 3] {
    [PassiveKind::Spray, PassiveKind::Foam, PassiveKind::Bubble].map(|kind| world.passive().count_of(kind))
}

#[test]
fn still_water_does_not_foam() {
    for steps in STEPS {
        let settings = settings(RADIUS, steps);
        let mut world = tank_on(Box::new(CpuEngine::with_threads(2)), settings.clone(), [12, 10]);
        world.set_foam(Some(Foam::of(&settings))).expect("foam");
        let water = liquid(&mut world, "water", Material::WATER);
        let places = block([12, 10, 10], 2.0 * RADIUS, Vec3::ZERO);
        world.add_particles(water, &places, Vec3::ZERO).expect("water");
        tank::run(&mut world, 2.0);
        assert_eq!(world.passive_count(), 0, "{steps:?}");
    }
}

#[test]
fn a_breaking_dam_makes_spray_then_foam_and_it_goes() {
    for steps in [STEPS[0], STEPS[1]] {
        let mut world = dam(2, steps, |foam| Some(Foam { lifetime: 0.5, ..foam }));
        let mut first = [None; 3];
        let mut most = [0; 3];
        for frame in 0..150 {
            world.step(DT);
            for (kind, count) in counts(&world).into_iter().enumerate() {
                most[kind] = most[kind].max(count);
                if count > 20 {
                    first[kind].get_or_insert(frame);
                }
            }
        }
        assert!(most.iter().all(|&most| most > 100), "{steps:?}: {most:?}");
        assert!(first[0] < first[1], "{steps:?}: spray before foam, {first:?}");
        (0..240).for_each(|_| world.step(DT));
        let left = world.passive_count();
        assert!(left < most[1] / 50, "{steps:?}: {left} of {most:?}");
    }
}

#[test]
fn the_liquid_does_not_notice() {
    let [mut with, mut without] = [true, false].map(|foams| dam(2, STEPS[0], |foam| foams.then_some(foam)));
    for _ in 0..60 {
        with.step(DT);
        without.step(DT);
    }
    assert!(with.passive_count() > 100, "{}", with.passive_count());
    with.clear_passive();
    assert_eq!(with.digest(), without.digest());
}

#[test]
fn any_number_of_threads_foams_alike_and_so_does_a_restored_world() {
    let mut one = dam(1, STEPS[0], Some);
    (0..40).for_each(|_| one.step(DT));
    let saved = one.save();
    (0..20).for_each(|_| one.step(DT));
    assert!(one.passive_count() > 100);
    for threads in [2, 5] {
        let mut other = dam(threads, STEPS[0], Some);
        (0..60).for_each(|_| other.step(DT));
        assert_eq!(other.digest(), one.digest(), "{threads} threads");
    }
    let mut restored = World::restore(&saved, Box::new(CpuEngine::with_threads(3))).expect("state");
    (0..20).for_each(|_| restored.step(DT));
    assert_eq!(restored.digest(), one.digest());
    let mut sown = dam(2, STEPS[0], |foam| Some(Foam { seed: 1, ..foam }));
    (0..60).for_each(|_| sown.step(DT));
    assert_ne!(sown.digest(), one.digest(), "another seed");
}

#[test]
fn what_finds_no_room_is_reported() {
    let mut world = dam(2, STEPS[0], |foam| Some(Foam { most: 50, ..foam }));
    let mut told = 0;
    for _ in 0..60 {
        world.step(DT);
        assert!(world.passive_count() <= 50);
        told += usize::from(world.notice().is_some_and(|notice| notice.contains("50")));
    }
    assert!(told > 5, "{told}");
    assert_eq!(world.notice(), None, "once");
}

#[test]
fn spray_stays_within_walls() {
    let mut world = dam(2, STEPS[0], Some);
    let far = Vec3::new(SIDES[0] as f32, f32::INFINITY, SIDES[1] as f32) * 2.0 * RADIUS;
    let mut seen = 0;
    for _ in 0..90 {
        world.step(DT);
        for position in world.passive().positions() {
            let place = position.xyz();
            assert!(
                place.cmpge(Vec3::splat(-1e-4)).all() && place.cmple(far + 1e-4).all(),
                "{place}"
            );
            seen += 1;
        }
    }
    assert!(seen > 5_000, "{seen}");
}

#[test]
fn spray_lands_on_a_thin_shelf() {
    use motes_core::colliders::TriangleMesh;
    use motes_core::{Collider, Pose};
    let mut world = dam(2, STEPS[0], Some);
    let wood = world.add_material(Material::WOOD).expect("material");
    let corners = [[-9.0, -9.0], [9.0, -9.0], [9.0, 9.0], [-9.0, 9.0]].map(|[x, z]| Vec3::new(x, -0.3, z));
    let shelf = TriangleMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).expect("mesh");
    let shelf = Collider::new("shelf", shelf.into(), wood, Pose::IDENTITY);
    world.add_collider(shelf).expect("collider");
    // Below the floor of the tank there is nothing else to stop it.
    let floor = world.colliders().find(|(_, collider, _)| collider.name == "floor");
    let floor = floor.map(|(id, ..)| id).expect("floor");
    world.remove_collider(floor).expect("a collider");
    let mut landed = 0;
    for _ in 0..90 {
        world.step(DT);
        for position in world.passive().positions() {
            assert!(position.y > -0.3, "{position}");
            landed += usize::from(position.y < -0.28);
        }
    }
    assert!(landed > 100, "{landed}");
}

#[test]
fn kill_volumes_remove_foam() {
    let mut world = dam(2, STEPS[0], Some);
    let right = Volume::Below {
        point: Vec3::new(0.8, 0.0, 0.0),
        normal: Vec3::NEG_X,
    };
    world.kill_volumes_mut().push(right);
    (0..60).for_each(|_| world.step(DT));
    assert!(world.passive_count() > 0);
    let reached = world.passive().positions().iter().map(|p| p.x).fold(0.0, f32::max);
    assert!(reached < 0.8 + 0.2, "{reached}");
}

#[test]
fn thick_liquids_do_not_foam() {
    let mut world = dam(2, STEPS[0], |foam| {
        Some(Foam {
            most_viscosity: 1e-4,
            ..foam
        })
    });
    (0..60).for_each(|_| world.step(DT));
    assert_eq!(world.passive_count(), 0);
}

#[test]
fn nonsense_is_refused() {
    let mut world = World::new(Settings::default()).expect("settings");
    let wrong = Foam {
        lifetime: f32::NAN,
        ..Foam::of(world.settings())
    };
    assert!(world.set_foam(Some(wrong)).is_err());
    assert_eq!(world.foam(), None);
}
