//! Wheels on axles are round: a cart rolls as fast as its inertia lets it, and rests where it is blocked.

use std::f32::consts::{FRAC_PI_2, PI};

use glam::{Quat, Vec3};
use motes_core::{BodyId, Joint, NewBody, Partner, Pose};
use motes_geometry::{Mesh, Solid};

use super::lab::Lab;
use super::round::{RADIUS, STEPS, Touching, furthest, slope, solid};
use super::{Case, EngineMaker};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "round/wheels on an axle roll",
            source: "exact: acceleration of a cart over g sin θ / (1 + ΣI/(M r²)), what is furthest from it of 5° and 20°, 2 x 4, 4 x 4 and 8 x 8",
            reference: 1.0,
            band: [0.95, 1.05],
            unit: "",
            quick: false,
            measure: |engine| rolling(engine, disc, Touching::Shape),
            control_name: "contacts of the particles' balls",
            control: |engine| rolling(engine, disc, Touching::Particles),
        },
        Case {
            name: "round/wheels with spokes roll",
            source: "exact: the same of wheels with five windows between spokes",
            reference: 1.0,
            band: [0.95, 1.05],
            unit: "",
            quick: false,
            measure: |engine| rolling(engine, spoked, Touching::Shape),
            control_name: "a rim of ten corners",
            control: |engine| rolling(engine, cornered, Touching::Shape),
        },
        Case {
            name: "round/a cart rests against a chock",
            source: "exact: how far a cart that leans against a wall on 10° goes from 3 s to 63 s, the most of the same steps",
            reference: 0.0,
            band: [0.0, 1.0],
            unit: "mm",
            quick: false,
            measure: |engine| resting(engine, true),
            control_name: "no wall",
            control: |engine| resting(engine, false),
        },
    ]
}

/// Eight particles across.
const WHEEL: f32 = 8.0 * RADIUS;
const CHASSIS: Vec3 = Vec3::new(0.5, 0.1, 0.25);
/// Where axles are, from the middle of the chassis: three of them, so that each wheel has its share of the load.
const AXLES: [Vec3; 3] = [
    Vec3::new(-0.43, 0.0, -0.42),
    Vec3::new(-0.43, 0.0, 0.42),
    Vec3::new(1.0, 0.0, 0.0),
];

const HALF_WIDTH: f32 = 0.12;

fn disc() -> Mesh {
    Mesh::cylinder(WHEEL, HALF_WIDTH, 48)
}

/// A wheel whose rim is a quarter of its radius thick, with five round windows.
fn spoked() -> Mesh {
    windowed(Solid::Cylinder {
        radius: WHEEL,
        half_height: HALF_WIDTH,
    })
}

fn cornered() -> Mesh {
    windowed(Solid::of_mesh(&Mesh::cylinder(WHEEL, HALF_WIDTH, 10)))
}

fn windowed(wheel: Solid) -> Mesh {
    let window = Solid::Cylinder {
        radius: 0.25 * WHEEL,
        half_height: 2.0 * HALF_WIDTH,
    };
    let places = (0..5).map(|k| Quat::from_rotation_y(0.4 * PI * k as f32) * Vec3::X * 0.5 * WHEEL);
    let windows = places.map(|place| window.clone().translated(place)).collect();
    Mesh::from_solid(&wheel.minus(Solid::Union(windows)), 96).expect("a mesh")
}

struct Cart {
    lab: Lab,
    chassis: BodyId,
    tilt: Quat,
    /// Acceleration down the slope that it should have, m/s².
    exact: f32,
}

/// A box on three wheels that turn freely, on a slope.
fn cart(engine: EngineMaker, steps: [u32; 2], degrees: f32, wheel: fn() -> Mesh, touching: Touching) -> Cart {
    let tilt = Quat::from_rotation_z(-degrees.to_radians());
    let mut lab = slope(engine, steps, 0.5, tilt);
    let middle = WHEEL * Vec3::Y;
    let chassis = NewBody {
        pose: Pose {
            position: tilt * middle,
            rotation: tilt,
        },
        ..solid(&lab, &Mesh::cuboid(CHASSIS), touching)
    };
    let chassis = lab.world.add_body(chassis).expect("chassis");
    let new = solid(&lab, &wheel(), touching);
    let (mut mass, mut inertia) = (lab.world.body_motion(chassis).expect("alive").mass, 0.0);
    for (number, axle) in (0..).zip(AXLES) {
        let at = tilt * (middle + axle);
        let new = NewBody {
            pose: Pose {
                position: at,
                rotation: Quat::from_rotation_z(0.1 + 0.3 * number as f32) * Quat::from_rotation_x(FRAC_PI_2),
            },
            ..new.clone()
        };
        let wheel = lab.world.add_body(new).expect("wheel");
        let joint = Joint::Hinge(at, Vec3::Z);
        let joined = lab.world.join(wheel, Partner::Body(chassis), joint, f32::INFINITY);
        joined.expect("joint");
        let motion = lab.world.body_motion(wheel).expect("alive");
        mass += motion.mass;
        inertia += motion.inertia.z_axis.z;
    }
    Cart {
        lab,
        chassis,
        tilt,
        exact: 9.81 * degrees.to_radians().sin() / (1.0 + inertia / (mass * WHEEL * WHEEL)),
    }
}

/// Acceleration of a cart over what it should be, from half a second to two seconds after it was let go.
fn rolling(engine: EngineMaker, wheel: fn() -> Mesh, touching: Touching) -> f64 {
    let trials = STEPS
        .into_iter()
        .flat_map(|steps| [5.0, 20.0].map(|degrees| (steps, degrees)));
    let found = trials.map(|(steps, degrees)| {
        let mut cart = cart(engine, steps, degrees, wheel, touching);
        let speeds = [0.5, 1.5].map(|seconds| {
            cart.lab.run(seconds);
            let motion = cart.lab.world.body_motion(cart.chassis).expect("alive");
            motion.velocity.dot(cart.tilt * Vec3::X)
        });
        f64::from((speeds[1] - speeds[0]) / (1.5 * cart.exact))
    });
    furthest(found, 1.0)
}

/// How far a cart on 10° goes in a minute, after the first three seconds, millimetres.
fn resting(engine: EngineMaker, is_blocked: bool) -> f64 {
    let found = STEPS.map(|steps| {
        let mut cart = cart(engine, steps, 10.0, disc, Touching::Shape);
        if is_blocked {
            let down = cart.tilt * Vec3::X;
            cart.lab.wall((AXLES[2].x + WHEEL) * down, -down);
        }
        let places = [3.0, 60.0].map(|seconds| {
            cart.lab.run(seconds);
            cart.lab.world.body_motion(cart.chassis).expect("alive").center
        });
        f64::from(1000.0 * places[0].distance(places[1]))
    });
    furthest(found.into_iter(), 0.0)
}
