//! Grains of two sizes: shaken, the large ones rise (the Brazil nut effect).

use glam::Vec3;
use motes_core::colliders::Plane;
use motes_core::{Collider, Group, GroupId, Material, Motion, Pose, Settings, Shape};

use super::lab::Lab;
use super::{Case, EngineMaker};

pub(super) fn cases() -> Vec<Case> {
    vec![Case {
        name: "sizes/shaken, large grains rise",
        source: "Rosato et al. 1987: from the bottom to the top; height above the middle of the small ones over theirs",
        reference: 1.0,
        band: [0.4, 2.0],
        unit: "",
        quick: false,
        measure: |engine| risen(engine, AMPLITUDE),
        control_name: "not shaken",
        control: |engine| risen(engine, 0.0),
    }]
}

const SMALL: f32 = 0.02;
const LARGE: f32 = 0.06;
/// Half the width of the box.
const WALL: f32 = 0.18;
/// How far and how often the box moves: five times the acceleration of gravity at most.
const AMPLITUDE: f32 = 0.05;
const PERIOD: f32 = 0.2;
/// Until they are up.
const SECONDS: f32 = 30.0;

/// How high the large grains are above the middle of the small ones, over the height of that middle, once they were
/// shaken from the bottom of a box.
fn risen(engine: EngineMaker, amplitude: f32) -> f64 {
    let settings = Settings {
        particle_radius: SMALL,
        substeps: 3,
        iterations: 6,
        ..Settings::default()
    };
    let mut lab = Lab::new(engine, settings, Material::SAND);
    for (normal, offset) in [
        (Vec3::Y, 0.0),
        (Vec3::X, -WALL),
        (Vec3::NEG_X, -WALL),
        (Vec3::Z, -WALL),
        (Vec3::NEG_Z, -WALL),
    ] {
        let plane = Shape::Plane(Plane::new(normal, offset).expect("normal"));
        let mut collider = Collider::new("box", plane, lab.material, Pose::IDENTITY);
        if amplitude > 0.0 {
            collider = collider.moving(Motion::Swing {
                offset: amplitude * Vec3::Y,
                rotation: Vec3::ZERO,
                period: PERIOD,
            });
        }
        lab.world.add_collider(collider).expect("collider");
    }
    let nuts = Group::grains("nuts", lab.material).with_radius(LARGE);
    let nuts = lab.world.add_group(nuts).expect("group");
    let large: Vec<Vec3> = (0..4)
        .map(|i| {
            Vec3::new(
                0.085 * ((i % 2) * 2 - 1) as f32,
                LARGE,
                0.085 * ((i / 2) * 2 - 1) as f32,
            )
        })
        .collect();
    lab.world.add_particles(nuts, &large, Vec3::ZERO).expect("grains");
    let small: Vec<Vec3> = (0..8 * 8 * 10)
        .map(|i| {
            let place = Vec3::new((i % 8) as f32, (i / 64) as f32, (i / 8 % 8) as f32);
            Vec3::new(-0.15, 2.0 * LARGE + SMALL, -0.15) + 2.1 * SMALL * place
        })
        .collect();
    lab.add(&small, Vec3::ZERO);
    lab.run(SECONDS);
    // Four nuts come and go at the top: over ten seconds of it.
    let (mut sum, mut count) = (0.0, 0);
    for _ in 0..100 {
        lab.run(0.1);
        let rice = mean_height(&mut lab, |lab| lab.group);
        let nuts = mean_height(&mut lab, |_| nuts);
        sum += (nuts - rice) / rice;
        count += 1;
    }
    sum / f64::from(count)
}

fn mean_height(lab: &mut Lab, group: impl Fn(&Lab) -> GroupId) -> f64 {
    let ids = lab.world.group_particles(group(lab));
    let places = lab.world.positions(&ids);
    places.iter().flatten().map(|place| f64::from(place.y)).sum::<f64>() / ids.len() as f64
}
