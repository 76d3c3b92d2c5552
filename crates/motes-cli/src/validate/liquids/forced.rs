//! SPH and PCISPH, the references: figure 4 of *Position Based Fluids*, and what SPH makes of still water and a breaking dam.

use glam::Vec3;
use motes_core::{Liquids, Settings, Sph};

use super::super::lab::{DT, RADIUS, step};
use super::super::{Case, EngineMaker};
use super::dam;
use super::tank::{IDEAL, Tank, block};

/// Particles along a pool and deep, and across the ball of the same liquid that falls into it.
const POOL: [usize; 2] = [20, 6];
const BALL: usize = 12;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "liquids/density of a falling drop by PCISPH",
            source: "Macklin and Mueller 2013, fig. 4: mean density error for 2 s at their 10 x 4",
            reference: 0.0,
            band: [0.0, 0.01],
            unit: "",
            quick: false,
            measure: |engine| falling(engine, Liquids::Pcisph, [10, 4]),
            control_name: "1 x 4",
            control: |engine| falling(engine, Liquids::Pcisph, [1, 4]),
        },
        Case {
            name: "liquids/density at fewer sub-steps than PCISPH",
            source: "Macklin and Mueller 2013, fig. 4: mean density error at 4 x 10 over that of PCISPH at 10 x 4",
            reference: 1.0,
            band: [0.0, 1.25],
            unit: "",
            quick: false,
            measure: |engine| against(engine, [4, 10], [10, 4]),
            control_name: "1 x 4 against 10 x 4",
            control: |engine| against(engine, [1, 4], [10, 4]),
        },
        Case {
            name: "liquids/density at the steps of PCISPH",
            source: "mean density error at 4 x 10 over that of PCISPH at 4 x 10",
            reference: 1.0,
            band: [0.0, 1.0],
            unit: "",
            quick: false,
            measure: |engine| against(engine, [4, 10], [4, 10]),
            control_name: "4 x 1 against 4 x 10",
            control: |engine| against(engine, [4, 1], [4, 10]),
        },
        Case {
            name: "liquids/energy of a falling drop at one sub-step",
            source: "Macklin and Mueller 2013, section 8: the most over that at the start, 1 x 10, at which PCISPH is not stable",
            reference: 1.0,
            band: [0.0, 1.01],
            unit: "",
            quick: false,
            measure: |engine| gained(engine, Liquids::Chebyshev),
            control_name: "PCISPH",
            control: |engine| gained(engine, Liquids::Pcisph),
        },
        Case {
            name: "liquids/still by SPH, speed",
            source: "exact: root mean square after 20 s, 20 m/s of sound, at the longest sub-steps",
            reference: 0.0,
            band: [0.0, 0.01],
            unit: "m/s",
            quick: false,
            measure: |engine| still(engine, Sph::default()).1,
            control_name: "no artificial viscosity",
            control: |engine| {
                let thin = Sph {
                    artificial_viscosity: 0.0,
                    ..Sph::default()
                };
                still(engine, thin).1
            },
        },
        Case {
            name: "liquids/still by SPH, level",
            source: "exact: level after 20 s over that of its volume, 60 m/s of sound",
            reference: 1.0,
            band: [0.97, 1.01],
            unit: "",
            quick: false,
            measure: |engine| still(engine, sounding(60.0)).0,
            control_name: "10 m/s of sound",
            control: |engine| still(engine, sounding(10.0)).0,
        },
        Case {
            name: "liquids/dam break by SPH, front",
            source: "Martin and Moyce 1952: root mean square of the relative error, 60 m/s of sound",
            reference: 0.0,
            band: [0.0, 0.10],
            unit: "",
            quick: false,
            measure: |engine| dam::front_error(&front(engine, Sph::default().artificial_viscosity)),
            control_name: "an artificial viscosity of 2",
            control: |engine| dam::front_error(&front(engine, 2.0)),
        },
    ]
}

fn sounding(speed_of_sound: f32) -> Sph {
    Sph {
        speed_of_sound,
        ..Sph::default()
    }
}

/// At the longest sub-steps that `check` leaves alone.
fn by_forces(sph: Sph, radius: f32) -> Settings {
    let start = step([1, 2], radius);
    let longest = sph.longest_substep(start.smoothing_distance(), 0.0, IDEAL.density);
    Settings {
        substeps: (DT / longest).ceil() as u32,
        liquids: Liquids::Sph(sph),
        ..start
    }
}

/// A ball of water above a pool.
fn drop_over_a_pool(engine: EngineMaker, liquids: Liquids, numbers: [u32; 2]) -> Tank {
    let settings = Settings {
        liquids,
        ..step(numbers, 0.02)
    };
    let [length, height] = POOL;
    let mut tank = Tank::new(engine, settings, [length; 2]);
    let water = tank.liquid(IDEAL);
    tank.fill(water, [length, height], 0);
    let aside = 0.5 * (length - BALL) as f32;
    let corner = Vec3::new(aside, (height + BALL) as f32, aside);
    let middle = tank.diameter * (corner + 0.5 * BALL as f32);
    let mut places = block([BALL; 3], tank.diameter, tank.diameter * corner);
    places.retain(|place| place.distance(middle) < 0.5 * BALL as f32 * tank.diameter);
    tank.world.add_particles(water, &places, Vec3::ZERO).expect("drop");
    tank
}

/// Mean density error while it falls in.
fn falling(engine: EngineMaker, liquids: Liquids, numbers: [u32; 2]) -> f64 {
    let mut tank = drop_over_a_pool(engine, liquids, numbers);
    let frames = (2.0 / DT) as usize;
    let errors = (0..frames).map(|_| {
        tank.run(DT);
        tank.excess()[0]
    });
    errors.sum::<f64>() / frames as f64
}

/// The most energy there is in the meantime, over that at the start.
fn gained(engine: EngineMaker, liquids: Liquids) -> f64 {
    let mut tank = drop_over_a_pool(engine, liquids, [1, 10]);
    let before = energy(&tank);
    let after = (0..120).map(|_| {
        tank.run(DT);
        energy(&tank)
    });
    after.fold(0.0, f64::max) / before
}

/// Kinetic and potential, joules.
fn energy(tank: &Tank) -> f64 {
    let particles = tank.world.particles();
    let gravity = f64::from(tank.world.settings().gravity.length());
    { particles.positions.iter().zip(&particles.velocities) }
        .map(|(place, velocity)| {
            let speed = velocity.truncate().as_dvec3();
            (0.5 * speed.length_squared() + gravity * f64::from(place.y)) / f64::from(place.w)
        })
        .sum()
}

fn against(engine: EngineMaker, ours: [u32; 2], theirs: [u32; 2]) -> f64 {
    falling(engine, Liquids::Chebyshev, ours) / falling(engine, Liquids::Pcisph, theirs)
}

/// Level over that of the volume, and root mean square of all speeds, m/s, of water that stands twelve particles deep.
fn still(engine: EngineMaker, sph: Sph) -> (f64, f64) {
    const SIDE: usize = 6;
    let mut tank = Tank::new(engine, by_forces(sph, RADIUS), [SIDE; 2]);
    let water = tank.liquid(IDEAL);
    tank.fill(water, [SIDE, 2 * SIDE], 0);
    tank.run(20.0);
    let expected = SIDE as f32 * tank.diameter;
    (f64::from(tank.mean_height(water) / expected), tank.mean_speed())
}

fn front(engine: EngineMaker, artificial_viscosity: f32) -> dam::Run {
    let sph = Sph {
        artificial_viscosity,
        ..sounding(60.0)
    };
    let settings = dam::settings([1, 2]);
    dam::collapse(engine, by_forces(sph, settings.particle_radius), IDEAL)
}
