//! Spray, foam and bubbles on the device: alike those on the CPU, and the same again and again.

use motes_core::colliders::TriangleMesh;
use motes_core::glam::{Vec3, Vec4Swizzles};
use motes_core::{Collider, CpuEngine, Engine, Foam, Material, PassiveKind, Pose, World};
use motes_gpu::{Gpu, GpuEngine};

use crate::tank::{DT, block, liquid, settings, tank_on};

const RADIUS: f32 = 0.02;
const SIDES: [usize; 2] = [30, 6];

fn on_gpu(gpu: &Gpu) -> Box<dyn Engine> {
    Box::new(GpuEngine::new(gpu).expect("engine"))
}

/// A column of water that falls over.
fn dam(engine: Box<dyn Engine>, foam: impl Fn(Foam) -> Option<Foam>) -> World {
    let settings = settings(RADIUS, [2, 4]);
    let mut world = tank_on(engine, settings.clone(), SIDES);
    let more = Foam {
        air_rate: 120.0,
        crest_rate: 240.0,
        ..Foam::of(&settings)
    };
    world.set_foam(foam(more)).expect("foam");
    let water = liquid(&mut world, "water", Material::WATER);
    let places = block([10, 20, SIDES[1]], 2.0 * RADIUS, Vec3::ZERO);
    world.add_particles(water, &places, Vec3::ZERO).expect("water");
    world
}

pub(crate) fn breaking(engine: Box<dyn Engine>) -> World {
    dam(engine, Some)
}

fn counts(world: &World) -> [usize; 3] {
    [PassiveKind::Spray, PassiveKind::Foam, PassiveKind::Bubble].map(|kind| world.passive().count_of(kind))
}

#[test]
fn a_frame_foams_as_it_does_on_the_cpu() {
    let Some(gpu) = crate::gpu() else { return };
    let mut world = breaking(Box::new(CpuEngine::with_threads(2)));
    let mut given_off = 0;
    for moment in 0..6 {
        (0..8).for_each(|_| world.step(DT));
        let mut other = World::restore(&world.save(), on_gpu(&gpu)).expect("state");
        // Those who die are the same; then come those given off.
        world.step(DT);
        other.step(DT);
        let (expected, found) = (world.passive(), other.passive());
        let born = |position: &motes_core::glam::Vec4| position.w == 0.0;
        let old = expected.positions().iter().take_while(|p| !born(p)).count();
        assert_eq!(
            old,
            found.positions().iter().take_while(|p| !born(p)).count(),
            "moment {moment}"
        );
        let new = [expected, found].map(|passive| passive.len() - old);
        given_off += new[0];
        assert!(new[0].abs_diff(new[1]) <= 1 + new[0] / 100, "moment {moment}: {new:?}");
        let pairs = expected.positions()[..old].iter().zip(&found.positions()[..old]);
        // Who is at the edge of being another kind may go another way.
        let astray = pairs.filter(|(a, b)| (**a - **b).abs().max_element() > 1e-4);
        let astray = astray.count();
        assert!(astray <= old / 200, "moment {moment}: {astray} of {old}");
        let kinds = expected.kinds()[..old].iter().zip(&found.kinds()[..old]);
        let other_kind = kinds.filter(|(a, b)| a != b).count();
        assert!(other_kind <= old / 200, "moment {moment}: {other_kind} of {old}");
        assert_eq!(other.fault(), None);
    }
    assert!(given_off > 100, "{given_off}");
}

#[test]
fn dams_of_both_engines_foam_about_as_much() {
    let Some(gpu) = crate::gpu() else { return };
    let engines: [Box<dyn Engine>; 2] = [Box::new(CpuEngine::with_threads(2)), on_gpu(&gpu)];
    let [cpu, gpu] = engines.map(|engine| {
        let mut world = breaking(engine);
        let mut sums = [0; 3];
        for _ in 0..70 {
            world.step(DT);
            for (sum, count) in sums.iter_mut().zip(counts(&world)) {
                *sum += count;
            }
            assert_eq!(world.fault(), None);
        }
        sums
    });
    println!("{cpu:?} on the CPU, {gpu:?} on the GPU");
    for (kind, (&cpu, &gpu)) in cpu.iter().zip(&gpu).enumerate() {
        let ratio = gpu as f32 / cpu as f32;
        assert!((0.8..1.25).contains(&ratio), "kind {kind}: {cpu} and {gpu}");
    }
}

#[test]
fn foam_is_the_same_again_and_the_liquid_does_not_notice() {
    let Some(gpu) = crate::gpu() else { return };
    let [mut first, mut again, mut without] =
        [true, true, false].map(|foams| dam(on_gpu(&gpu), |foam| foams.then_some(foam)));
    for frame in 0..50 {
        for world in [&mut first, &mut again, &mut without] {
            world.step(DT);
        }
        // Looking at one of them changes nothing.
        if frame % 7 == 0 {
            again.passive_count();
        }
    }
    assert!(first.passive_count() > 100);
    assert_eq!(first.digest(), again.digest());
    first.clear_passive();
    assert_eq!(first.digest(), without.digest());
}

#[test]
fn foam_that_finds_no_room_is_reported() {
    let Some(gpu) = crate::gpu() else { return };
    let mut world = dam(on_gpu(&gpu), |foam| Some(Foam { most: 60, ..foam }));
    let mut told = 0;
    for _ in 0..50 {
        world.step(DT);
        assert!(world.passive_count() <= 60);
        told += usize::from(world.notice().is_some_and(|notice| notice.contains("60")));
    }
    assert!(told > 5, "{told}");
    world.set_foam(None).expect("none");
    (0..900).for_each(|_| world.step(1.0 / 30.0));
    assert_eq!(world.passive_count(), 0, "all of it goes");
}

#[test]
fn spray_stays_above_a_thin_shelf_and_within_walls() {
    let Some(gpu) = crate::gpu() else { return };
    let mut world = breaking(on_gpu(&gpu));
    let wood = world.add_material(Material::WOOD).expect("material");
    let corners = [[-9.0, -9.0], [9.0, -9.0], [9.0, 9.0], [-9.0, 9.0]].map(|[x, z]| Vec3::new(x, 0.02, z));
    let shelf = TriangleMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).expect("mesh");
    // Where the water is it does not matter.
    let shelf = Collider::new("shelf", shelf.into(), wood, Pose::at(Vec3::new(0.0, -0.03, 0.0)));
    world.add_collider(shelf).expect("collider");
    let floor = world.colliders().find(|(_, collider, _)| collider.name == "floor");
    let floor = floor.map(|(id, ..)| id).expect("floor");
    world.remove_collider(floor).expect("a collider");
    let far = Vec3::new(SIDES[0] as f32, f32::INFINITY, SIDES[1] as f32) * 2.0 * RADIUS;
    let mut seen = 0;
    for _ in 0..60 {
        world.step(DT);
        for position in world.passive().positions() {
            let place = position.xyz();
            assert!(place.cmpge(Vec3::new(-1e-4, -0.01, -1e-4)).all(), "{place}");
            assert!(place.cmple(far + 1e-4).all(), "{place}");
            seen += 1;
        }
    }
    assert!(seen > 1000, "{seen}");
}

#[test]
fn what_is_dead_is_not_looked_at() {
    let Some(gpu) = crate::gpu() else { return };
    let [plain, filled] = [false, true].map(|fills| {
        let mut engine = GpuEngine::new(&gpu).expect("engine");
        if fills {
            engine.fill_dead().expect("the device works");
        }
        let mut world = breaking(Box::new(engine));
        (0..25).for_each(|_| world.step(DT));
        assert!(world.passive_count() > 20);
        world.digest()
    });
    assert_eq!(plain, filled);
}
