//! Whole frames on both engines: the same worlds, particle by particle.

use motes_core::colliders::{Cuboid, Plane, Sphere};
use motes_core::glam::{DVec3, Quat, Vec3};
use motes_core::random::Random;
use motes_core::{
    Collider, CpuEngine, Engine, FieldKind, ForceField, FrictionModel, Group, Material, ParticleId, Pose, Settings,
    Shape, Volume, World,
};
use motes_gpu::{Gpu, GpuEngine};

use crate::moments::nudge;

const DT: f32 = 1.0 / 60.0;

/// A world of two materials, a pinned particle, several colliders and a field.
pub(crate) fn build(engine: Box<dyn Engine>, settings: Settings, side: usize) -> (World, Vec<ParticleId>) {
    let mut world = World::with_engine(settings, engine).expect("settings");
    let sand = world.add_material(Material::FAST_SAND).expect("material");
    let wet = world.add_material(Material::WET_SAND).expect("material");
    let bouncy = world
        .add_material(Material {
            restitution: 0.6,
            ..Material::FAST_SAND
        })
        .expect("material");
    let groups = [sand, wet, bouncy].map(|material| world.add_group(Group::grains("grains", material)).expect("group"));
    let floor = Shape::Plane(Plane::new(Vec3::Y, 0.0).expect("plane"));
    let ball = Shape::Sphere(Sphere::new(0.3).expect("sphere"));
    let block = Shape::Cuboid(Cuboid::new(Vec3::new(0.3, 0.1, 0.3)).expect("box"));
    let turned = Pose {
        position: Vec3::new(0.9, 0.2, 0.5),
        rotation: Quat::from_rotation_z(0.4),
    };
    for (name, shape, pose) in [
        ("floor", floor, Pose::IDENTITY),
        ("ball", ball, Pose::at(Vec3::new(0.2, 0.1, 0.2))),
        ("block", block, turned),
    ] {
        world
            .add_collider(Collider::new(name, shape, sand, pose))
            .expect("collider");
    }
    world.fields_mut().push(ForceField {
        kind: FieldKind::Vortex {
            center: Vec3::new(0.5, 0.0, 0.5),
            axis: Vec3::Y,
            swirl: 3.0,
            pull: 1.0,
            lift: 0.5,
            range: 2.0,
        },
        volume: Volume::Sphere {
            center: Vec3::ZERO,
            radius: 3.0,
        },
    });
    let mut ids = Vec::new();
    for (layer, group) in groups.into_iter().enumerate() {
        let positions: Vec<Vec3> = (0..side * side * side)
            .map(|i| {
                let (x, y, z) = (i % side, i / side % side, i / side / side);
                let shift = 0.013 * (y % 3) as f32 + 0.007 * (x % 2) as f32;
                0.102 * Vec3::new(x as f32 + shift, (y + layer * side) as f32 + 6.0, z as f32 + shift)
            })
            .collect();
        ids.extend(
            world
                .add_particles(group, &positions, Vec3::new(0.3, -1.0, 0.1))
                .expect("particles"),
        );
    }
    world.set_inverse_masses(&[(ids[7], 0.0)]).expect("alive");
    (world, ids)
}

fn engines(gpu: &Gpu) -> [Box<dyn Engine>; 2] {
    [
        Box::new(CpuEngine::new()),
        Box::new(GpuEngine::new(gpu).expect("engine")),
    ]
}

/// Mean and largest distance between the particles of two worlds.
fn differences(worlds: &mut [(World, Vec<ParticleId>); 2]) -> (f32, f32) {
    let [a, b] = worlds.each_mut().map(|(world, ids)| {
        let ids = ids.clone();
        world.positions(&ids)
    });
    let distances: Vec<f32> = a
        .iter()
        .zip(&b)
        .map(|(a, b)| a.expect("alive").distance(b.expect("alive")))
        .collect();
    let mean = distances.iter().sum::<f32>() / distances.len() as f32;
    (mean, distances.iter().copied().fold(0.0, f32::max))
}

/// Centre of a world's particles, and how far they are from it (root mean square), metres.
fn heap((world, ids): &mut (World, Vec<ParticleId>)) -> (DVec3, f64) {
    let places: Vec<DVec3> = world.positions(ids).into_iter().flatten().map(Vec3::as_dvec3).collect();
    let count = places.len() as f64;
    let center = places.iter().sum::<DVec3>() / count;
    let squares: f64 = places.iter().map(|place| place.distance_squared(center)).sum();
    (center, (squares / count).sqrt())
}

/// Distance between the centres of two worlds' particles.
fn centers(worlds: &mut [(World, Vec<ParticleId>); 2]) -> f32 {
    let [a, b] = worlds.each_mut().map(heap);
    a.0.distance(b.0) as f32
}

/// What two worlds may differ by after so many frames, metres: particles on average and at most, centres, and sizes.
///
/// Until grains collide engines agree to rounding; then every collision doubles what they differ by, so that after sixty
/// frames only the heap as a whole can be compared, and that no closer than twice what the CPU engine drifts from itself if
/// every coordinate is rounded up or down in every frame: by 4e-7 m at most after 1 frame, 5e-6 m after 8, 6e-4 m after 10
/// and 0.7 m after 60, when centres are 0.06 m apart.
const BOUNDS: [(usize, [f32; 4]); 3] = [
    (1, [1e-6, 5e-6, 1e-6, 1e-6]),
    (8, [1e-5, 1e-4, 1e-5, 1e-5]),
    (LAST, [f32::INFINITY, f32::INFINITY, 0.1, 0.1]),
];

/// The last frame that is compared.
const LAST: usize = 60;

/// Differences between two worlds in the order of [`BOUNDS`], while both are stepped.
fn drift(worlds: &mut [(World, Vec<ParticleId>); 2], mut disturb: impl FnMut(&mut World)) -> Vec<[f32; 4]> {
    let mut drift = Vec::new();
    for frame in 1..=LAST {
        disturb(&mut worlds[1].0);
        for (world, _) in worlds.iter_mut() {
            world.step(DT);
        }
        if BOUNDS.iter().any(|&(checked, _)| checked == frame) {
            for (world, _) in worlds.iter_mut() {
                world.health().expect("finite");
            }
            let (mean, most) = differences(worlds);
            let [a, b] = worlds.each_mut().map(heap);
            drift.push([mean, most, a.0.distance(b.0) as f32, (a.1 - b.1).abs() as f32]);
        }
    }
    drift
}

fn compare(settings: &Settings, side: usize) {
    let Some(gpu) = crate::gpu() else { return };
    let mut worlds = engines(&gpu).map(|engine| build(engine, settings.clone(), side));
    let drift = drift(&mut worlds, |_| {});
    for ((frame, bounds), found) in BOUNDS.into_iter().zip(drift) {
        println!("frame {frame}: {found:?} m");
        let within = |bounds: &[f32; 4]| found.iter().zip(bounds).all(|(found, bound)| found < bound);
        if !within(&bounds) {
            let rounded = rounding(settings, side, frame).map(|found| 2.0 * found);
            assert!(
                frame == LAST && within(&rounded),
                "frame {frame}: {found:?} m, expected less than {bounds:?} or, by rounding, {rounded:?}"
            );
        }
    }
}

/// What the CPU engine drifts from itself by if every coordinate is rounded up or down in every frame, at most.
fn rounding(settings: &Settings, side: usize, frame: usize) -> [f32; 4] {
    let place = BOUNDS
        .iter()
        .position(|&(checked, _)| checked == frame)
        .expect("checked");
    (0..4).fold([0.0; 4], |most, seed| {
        let mut random = Random::new(seed, 0);
        let mut worlds = [(); 2].map(|()| build(Box::new(CpuEngine::new()), settings.clone(), side));
        let found = drift(&mut worlds, |world| nudge(world, &mut random))[place];
        println!("frame {frame}: {found:?} m by rounding");
        [0, 1, 2, 3].map(|k: usize| f32::max(most[k], found[k]))
    })
}

#[test]
fn both_engines_agree_on_a_falling_heap() {
    compare(&Settings::default(), 4);
}

pub(crate) fn turned() -> Settings {
    Settings {
        substeps: 3,
        iterations: 6,
        stabilization_iterations: 2,
        averaging: motes_core::Averaging::Count,
        acceleration: false,
        mass_scaling: 0.4,
        sleep_speed: 0.01,
        max_speed: 8.0,
        max_acceleration: 4000.0,
        friction: FrictionModel::Velocity,
        contact_memory: 0.3,
        ..Settings::default()
    }
}

fn without_stabilization() -> Settings {
    Settings {
        stabilization_iterations: 0,
        ..Settings::default()
    }
}

#[test]
fn both_engines_agree_with_every_setting_turned() {
    compare(&turned(), 3);
}

#[test]
fn both_engines_agree_without_stabilization() {
    compare(&without_stabilization(), 3);
}

#[test]
fn both_engines_agree_without_iterations() {
    let settings = Settings {
        iterations: 0,
        ..Settings::default()
    };
    compare(&settings, 3);
}

#[test]
fn both_engines_agree_when_the_step_changes_its_length() {
    let Some(gpu) = crate::gpu() else { return };
    let mut worlds = engines(&gpu).map(|engine| build(engine, Settings::default(), 3));
    for (world, _) in &mut worlds {
        (0..240).for_each(|_| world.step(DT));
    }
    let [a, b] = [[DT; 4], [0.5 * DT, DT, 2.0 * DT, 0.7 * DT]].map(|steps| {
        let rest = worlds.each_mut().map(heap);
        for dt in steps {
            worlds.iter_mut().for_each(|(world, _)| world.step(dt));
        }
        let moved = rest.iter().zip(worlds.each_mut().map(heap));
        moved.map(|(rest, heap)| rest.0.distance(heap.0)).fold(0.0, f64::max)
    });
    assert!(b < a + 1e-4, "what rests goes on resting: {a} m, then {b} m");
}

#[test]
fn rounding_alone_stays_within_the_bounds_until_the_heap_has_fallen() {
    for (settings, side) in [(Settings::default(), 4), (without_stabilization(), 3), (turned(), 3)] {
        for (frame, bounds) in BOUNDS.into_iter().filter(|&(frame, _)| frame < LAST) {
            let found = rounding(&settings, side, frame);
            let within = found.iter().zip(&bounds).all(|(found, bound)| 2.0 * found < *bound);
            assert!(within, "frame {frame}: {found:?} m");
        }
    }
}

#[test]
fn both_engines_agree_when_mass_scaling_ends() {
    let Some(gpu) = crate::gpu() else { return };
    let settings = |mass_scaling| Settings {
        mass_scaling,
        ..Settings::default()
    };
    let mut worlds = engines(&gpu).map(|engine| build(engine, settings(0.4), 3));
    for frame in 1..=40 {
        for (world, _) in &mut worlds {
            if frame == 20 {
                world.set_settings(settings(0.0)).expect("settings");
            }
            world.step(DT);
        }
    }
    let center = centers(&mut worlds);
    assert!(center < 0.05, "{center}");
}

#[test]
fn both_engines_agree_on_grains_in_one_heap_of_overlaps() {
    let Some(gpu) = crate::gpu() else { return };
    for (side, spacing) in [(4, 0.03), (6, 0.015)] {
        let mut worlds = engines(&gpu).map(|engine| {
            let mut world = World::with_engine(Settings::default(), engine).expect("settings");
            let sand = world.add_material(Material::SAND).expect("material");
            let group = world.add_group(Group::grains("crowd", sand)).expect("group");
            let positions: Vec<Vec3> = (0..side * side * side)
                .map(|i| {
                    let (x, y, z) = (i % side, i / side % side, i / side / side);
                    let shift = 0.003 * (y % 3) as f32 + 0.002 * (x % 2) as f32;
                    spacing * Vec3::new(x as f32 - 1.7, y as f32, z as f32 - 1.3) + Vec3::splat(shift)
                })
                .collect();
            let ids = world.add_particles(group, &positions, Vec3::ZERO).expect("particles");
            crate::cells::press(&mut world, &ids, &positions);
            world.step(DT / 10.0);
            assert_eq!(world.notice(), None);
            (world, ids)
        });
        let contacts = worlds.each_mut().map(|(world, _)| world.particle_contacts().len());
        let (mean, most) = differences(&mut worlds);
        println!("{side}: {contacts:?} contacts, mean {mean:.1e} m, largest {most:.1e} m");
        assert!(contacts[0] > 5 * side * side * side && contacts[0] == contacts[1]);
        assert!(mean < 1e-5 && most < 1e-4, "{side}: {mean} {most}");
    }
}

#[test]
fn both_engines_agree_while_particles_come_and_spread_out() {
    let Some(gpu) = crate::gpu() else { return };
    let mut worlds = engines(&gpu).map(|engine| {
        let mut world = World::with_engine(Settings::default(), engine).expect("settings");
        let sand = world.add_material(Material::SAND).expect("material");
        let group = world.add_group(Group::grains("grains", sand)).expect("group");
        let mut ids = Vec::new();
        for side in 2..9 {
            let block = (0..side * side * side)
                .map(|i| Vec3::new((i % side) as f32, (i / side % side) as f32, (i / side / side) as f32));
            let corner = Vec3::new(1.5 * side as f32, 0.3 * side as f32, 0.0);
            let positions: Vec<Vec3> = block.map(|place| corner + 0.1 * place).collect();
            ids.extend(world.add_particles(group, &positions, Vec3::ZERO).expect("particles"));
            world.step(DT);
        }
        (world, ids)
    });
    let (mean, most) = differences(&mut worlds);
    assert!(mean < 1e-6 && most < 1e-5, "{mean} {most}");
}

#[test]
fn a_frame_is_the_same_each_time() {
    let Some(gpu) = crate::gpu() else { return };
    let mut digests = [0; 2].map(|_| {
        let (mut world, _) = build(Box::new(GpuEngine::new(&gpu).expect("engine")), Settings::default(), 4);
        for _ in 0..30 {
            world.step(DT);
        }
        world.digest()
    });
    digests.sort_unstable();
    assert_eq!(digests[0], digests[1]);
}

#[test]
fn nothing_and_one_particle_are_no_trouble() {
    let Some(gpu) = crate::gpu() else { return };
    let mut world =
        World::with_engine(Settings::default(), Box::new(GpuEngine::new(&gpu).expect("engine"))).expect("world");
    world.step(DT);
    let sand = world.add_material(Material::SAND).expect("material");
    let group = world.add_group(Group::grains("one", sand)).expect("group");
    let ids = world.add_particles(group, &[Vec3::Y], Vec3::ZERO).expect("particle");
    world.step(DT);
    let fallen = world.positions(&ids)[0].expect("alive");
    assert!((fallen.y - (1.0 - 0.5 * 9.81 * DT * DT)).abs() < 1e-5, "{fallen}");
    world.remove_particles(&ids);
    world.step(DT);
    assert_eq!(world.particle_count(), 0);
}

#[test]
fn a_state_saved_on_one_engine_goes_on_on_the_other() {
    let Some(gpu) = crate::gpu() else { return };
    for order in [[0, 1], [1, 0]] {
        let [first, second] = order.map(|which| {
            let [cpu, on_gpu] = engines(&gpu);
            if which == 0 { cpu } else { on_gpu }
        });
        let (mut world, ids) = build(first, Settings::default(), 3);
        for _ in 0..30 {
            world.step(DT);
        }
        let saved = world.save();
        let mut restored = World::restore(&saved, second).expect("state");
        for _ in 0..5 {
            world.step(DT);
            restored.step(DT);
        }
        let mut worlds = [(world, ids.clone()), (restored, ids)];
        let (mean, most) = differences(&mut worlds);
        assert!(mean < 1e-4 && most < 1e-2, "{order:?}: {mean} {most}");
    }
}

/// More contacts than there is room for at first.
#[test]
fn a_first_frame_that_lacks_room_is_done_again() {
    let Some(gpu) = crate::gpu() else { return };
    let settings = Settings {
        gravity: Vec3::ZERO,
        substeps: 1,
        iterations: 1,
        stabilization_iterations: 0,
        ..Settings::default()
    };
    let crowd = |engine: Box<dyn Engine>| {
        let mut world = World::with_engine(settings.clone(), engine).expect("settings");
        let sand = world.add_material(Material::SAND).expect("material");
        let group = world.add_group(Group::grains("crowd", sand)).expect("group");
        let places: Vec<Vec3> = (0..300)
            .map(|i| 1e-3 * Vec3::new((i % 8) as f32, (i / 8 % 8) as f32, (i / 64) as f32))
            .collect();
        let ids = world.add_particles(group, &places, Vec3::ZERO).expect("particles");
        crate::cells::press(&mut world, &ids, &places);
        world.step(DT);
        world
    };
    let parties = |world: &mut World| {
        let mut parties: Vec<_> = world
            .particle_contacts()
            .iter()
            .map(|contact| (contact.particle, format!("{:?}", contact.other)))
            .collect();
        parties.sort_unstable();
        parties
    };
    let [on_cpu, mut on_gpu] = engines(&gpu).map(crowd);
    let again = crowd(Box::new(GpuEngine::new(&gpu).expect("engine")));
    assert_eq!(on_gpu.notice(), None);
    assert_eq!(on_gpu.digest(), again.digest());
    let [mut a, mut b] = [on_cpu, on_gpu];
    let (a, b) = (parties(&mut a), parties(&mut b));
    assert_eq!(a.len(), 300 * 299);
    assert!(a == b, "contacts between others");
}

#[test]
fn reports_of_both_engines_agree() {
    let Some(gpu) = crate::gpu() else { return };
    let mut worlds = engines(&gpu).map(|engine| {
        let (mut world, _) = build(engine, Settings::default(), 2);
        let zone = Collider {
            trigger: true,
            ..Collider::new(
                "zone",
                Shape::Sphere(Sphere::new(0.5).expect("sphere")),
                motes_core::MaterialId(0),
                Pose::at(Vec3::new(0.1, 0.6, 0.1)),
            )
        };
        world.add_collider(zone).expect("trigger");
        for _ in 0..12 {
            world.step(DT);
        }
        world
    });
    let [cpu, on_gpu] = &mut worlds;
    assert_eq!(cpu.trigger_overlaps(), on_gpu.trigger_overlaps());
    assert!(!cpu.trigger_overlaps().is_empty());
    let (a, b) = (cpu.collider_forces(), on_gpu.collider_forces());
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(&b) {
        assert_eq!((a.collider, a.contacts), (b.collider, b.contacts));
        assert!(
            a.force.distance(b.force) <= 1e-2 * a.force.length() + 1e-3,
            "{a:?} {b:?}"
        );
    }
    for read in [World::collider_contacts, World::particle_contacts] {
        let [mut a, mut b] = [read(cpu), read(on_gpu)];
        for contacts in [&mut a, &mut b] {
            contacts.sort_by_key(|contact| (contact.particle, format!("{:?}", contact.other)));
        }
        let parties = |contacts: &[motes_core::Contact]| -> Vec<_> {
            contacts
                .iter()
                .map(|contact| (contact.particle, contact.other))
                .collect()
        };
        assert_eq!(parties(&a), parties(&b));
    }
}
