//! Plumes of warm gas in the open.

use glam::{Vec3, Vec4Swizzles};
use motes_core::{Emitter, EmitterShape, Group, Material, Plume, Smoke, World};

use super::super::EngineMaker;
use super::super::lab::{DT, step};

/// Radius of the particles and of the opening, metres.
const PARTICLE: f32 = 0.05;
const OPENING: f32 = 0.3;

/// Share of the markers above which the front is: the highest few are strays.
const FRONT: f32 = 0.02;

#[derive(Clone, Copy)]
pub(super) struct Plumes {
    pub(super) drag: f32,
    pub(super) baroclinity: f32,
    /// °C.
    pub(super) temperature: f32,
    pub(super) seconds: f32,
    /// Whether the drag grows with the number of sub-steps.
    pub(super) grows: bool,
}

/// A plume that has risen.
pub(super) struct Risen {
    pub(super) world: World,
    /// Times, seconds, and heights of the front, metres.
    fronts: Vec<[f64; 2]>,
}

impl Plumes {
    /// Smoke that stays as hot as it is.
    pub(super) fn rising() -> Self {
        Self {
            drag: Material::SMOKE.air_drag,
            baroclinity: Material::SMOKE.baroclinity,
            temperature: 100.0,
            seconds: 8.0,
            grows: false,
        }
    }

    pub(super) fn run(self, engine: EngineMaker, numbers: [u32; 2]) -> Risen {
        let settings = step(numbers, PARTICLE);
        let mut world = World::with_engine(settings.clone(), engine()).expect("settings of an experiment");
        let growth = if self.grows { 0.5 * numbers[0] as f32 } else { 1.0 };
        let material = Material {
            air_drag: self.drag * growth,
            baroclinity: self.baroclinity,
            cooling: 0.0,
            ..Material::SMOKE
        };
        let material = world.add_material(material).expect("material");
        let group = world.add_group(Group::gas("smoke", material)).expect("group");
        let vent = Emitter {
            speed: 0.5,
            plume: Some(Plume {
                temperature: self.temperature,
                ..Plume::default()
            }),
            ..Emitter::new("vent", group, EmitterShape::Disc { radius: OPENING })
        };
        world.add_emitter(vent).expect("emitter");
        let smoke = Smoke {
            lifetime: f32::INFINITY,
            ..Smoke::of(&settings)
        };
        world.set_smoke(Some(smoke)).expect("smoke");
        let mut fronts = Vec::new();
        for frame in 1..=(self.seconds / DT).round() as usize {
            world.step(DT);
            if frame % 6 == 0 {
                fronts.push([f64::from(frame as f32 * DT), front(&world)]);
            }
        }
        Risen { world, fronts }
    }
}

/// A plume at three steps.
pub(super) fn at_steps(engine: EngineMaker, plumes: Plumes) -> [Risen; 3] {
    [[2, 4], [4, 4], [8, 8]].map(|numbers| plumes.run(engine, numbers))
}

/// Height that a few hundredths of the markers are above, metres.
fn front(world: &World) -> f64 {
    let mut heights: Vec<f32> = { world.passive().positions().iter() }
        .map(|place| place.xyz().dot(Vec3::Y))
        .collect();
    heights.sort_by(f32::total_cmp);
    let place = ((1.0 - FRONT) * heights.len() as f32) as usize;
    heights.get(place).map_or(0.0, |height| f64::from(*height))
}

impl Risen {
    /// Height of the front in the end, metres.
    pub(super) fn height(&self) -> f64 {
        self.fronts.last().map_or(f64::NAN, |[_, height]| *height)
    }

    /// Slope of the logarithm of the front's height against that of time, from 2 s on.
    pub(super) fn exponent(&self) -> f64 {
        let late = self.fronts.iter().filter(|[time, _]| *time >= 2.0);
        let logarithms: Vec<[f64; 2]> = late.map(|pair| pair.map(f64::ln)).collect();
        let count = logarithms.len() as f64;
        let mean = |axis: usize| logarithms.iter().map(|pair| pair[axis]).sum::<f64>() / count;
        let middle = [mean(0), mean(1)];
        let sum = |a: usize, b: usize| -> f64 {
            { logarithms.iter() }
                .map(|pair| (pair[a] - middle[a]) * (pair[b] - middle[b]))
                .sum()
        };
        sum(0, 1) / sum(0, 0)
    }
}
