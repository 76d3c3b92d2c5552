//! Still water: as dense as it should be, as high, at rest, and as heavy on the floor, for a minute and at any step.

use motes_core::Material;

use super::super::lab::{RADIUS, furthest_from_one, step};
use super::super::{Case, EngineMaker};
use super::tank::{IDEAL, Tank};

/// Particles along each side, and in height.
const SIDE: usize = 6;
const HEIGHT: usize = 12;

/// What is found.
struct Found {
    excess: [f64; 2],
    /// Level over that of the lattice it was filled in, after 5 s and in the end.
    levels: [f64; 2],
    speed: f64,
    /// Force on the floor over the weight.
    load: f64,
}

/// How still water is looked at.
struct Trial {
    numbers: [u32; 2],
    material: Material,
    seconds: f32,
    /// Particles that are taken out after 5 s.
    taken: usize,
}

/// At the default step for a minute.
const MINUTE: Trial = Trial {
    numbers: [2, 4],
    material: IDEAL,
    seconds: 60.0,
    taken: 0,
};

/// Too coarse to hold it.
const COARSE: Trial = Trial {
    numbers: [1, 1],
    seconds: 10.0,
    ..MINUTE
};

pub(super) fn cases() -> Vec<Case> {
    let case = |name, source, band: [f64; 2]| Case {
        name,
        source,
        reference: if band[0] == 0.0 { 0.0 } else { 1.0 },
        band,
        unit: "",
        quick: false,
        measure: |_| f64::NAN,
        control_name: "one sub-step and iteration",
        control: |_| f64::NAN,
    };
    vec![
        Case {
            measure: |engine| MINUTE.run(engine).excess[0],
            control: |engine| COARSE.run(engine).excess[0],
            ..case(
                "liquids/still, mean density error",
                "exact: after 60 s, 2 x 4",
                [0.0, 0.01],
            )
        },
        Case {
            measure: |engine| MINUTE.run(engine).excess[1],
            control: |engine| COARSE.run(engine).excess[1],
            ..case(
                "liquids/still, largest density error",
                "exact: after 60 s, 2 x 4",
                [0.0, 0.03],
            )
        },
        Case {
            measure: |engine| MINUTE.run(engine).drift(),
            control_name: "a layer taken out",
            control: |engine| {
                let drained = Trial {
                    taken: SIDE * SIDE,
                    ..MINUTE
                };
                drained.run(engine).drift()
            },
            ..case(
                "liquids/still, volume for a minute",
                "exact: level after 60 s over that after 5 s, 2 x 4",
                [0.99, 1.01],
            )
        },
        Case {
            measure: |engine| MINUTE.run(engine).speed,
            unit: "m/s",
            control_name: "eddies kept up, 2",
            control: |engine| {
                let material = Material {
                    vorticity: 2.0,
                    ..IDEAL
                };
                Trial { material, ..MINUTE }.run(engine).speed
            },
            ..case(
                "liquids/still, speed",
                "exact: root mean square after 60 s, 2 x 4",
                [0.0, 0.01],
            )
        },
        Case {
            measure: |engine| at_any_step(engine, |found| found.levels[1]),
            control: |engine| COARSE.run(engine).levels[1],
            ..case(
                "liquids/still, level at any step",
                "exact: level over that of its volume after 10 s, the furthest off of 2 x 4, 4 x 4 and 8 x 8",
                [0.99, 1.01],
            )
        },
        Case {
            measure: |engine| at_any_step(engine, |found| found.load),
            control_name: "a tenth too dense",
            control: |engine| {
                let material = Material {
                    density: 1.1 * IDEAL.density,
                    ..IDEAL
                };
                let seconds = 10.0;
                let heavy = Trial {
                    material,
                    seconds,
                    ..MINUTE
                };
                heavy.run(engine).load
            },
            ..case(
                "liquids/still, load on the floor",
                "exact: force over rho g H after 10 s, the furthest off of three steps",
                [0.97, 1.03],
            )
        },
    ]
}

fn at_any_step(engine: EngineMaker, value: fn(&Found) -> f64) -> f64 {
    furthest_from_one([[2, 4], [4, 4], [8, 8]].map(|numbers| {
        let trial = Trial {
            numbers,
            seconds: 10.0,
            ..MINUTE
        };
        value(&trial.run(engine))
    }))
}

impl Found {
    /// Level in the end over that after 5 s.
    fn drift(&self) -> f64 {
        self.levels[1] / self.levels[0]
    }
}

impl Trial {
    fn run(&self, engine: EngineMaker) -> Found {
        let settings = step(self.numbers, RADIUS);
        let gravity = settings.gravity.length();
        let mut tank = Tank::new(engine, settings, [SIDE; 2]);
        let water = tank.liquid(self.material);
        let ids = tank.fill(water, [SIDE, HEIGHT], 0);
        let expected = 0.5 * HEIGHT as f32 * tank.diameter;
        let level = |tank: &Tank| f64::from(tank.mean_height(water) / expected);
        tank.run(5.0);
        let early = level(&tank);
        tank.world.remove_particles(&ids[..self.taken]);
        tank.run(self.seconds - 5.0);
        let forces = tank.world.collider_forces();
        let load = { forces.iter() }
            .find(|force| force.collider == tank.floor)
            .map_or(0.0, |force| -force.force.y);
        let weight = (SIDE * SIDE * HEIGHT) as f32 * tank.diameter.powi(3) * IDEAL.density * gravity;
        Found {
            excess: tank.excess(),
            levels: [early, level(&tank)],
            speed: tank.mean_speed(),
            load: f64::from(load / weight),
        }
    }
}
