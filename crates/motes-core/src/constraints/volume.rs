//! The volume inside a surface of triangles, and the pressure of what it is filled with (Macklin et al. 2014, §8; compliance after
//! Macklin, Müller & Chentanez 2016, eq. 18).
//!
//! The volume is `V = Σ a·(b×c) / 6` over the triangles, and the force of a pressure on a corner is a third of the area vectors of its
//! triangles, times that pressure: of a closed surface just the gradient of `V`. So the multiplier of the constraint is the pressure above that
//! of the surroundings, times the square of the sub-step. What the filling is says how it follows from the volume; one answer for
//! the whole surface closes in on that, as Newton's method does.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::softness::Response;

/// Pressure around a balloon, pascals: that of the air at sea level.
pub const AMBIENT_PRESSURE: f32 = 101_325.0;
/// Density of the gas that leaves through a hole, kg/m³: air.
pub const GAS_DENSITY: f32 = 1.2;
/// How much of the area of a hole with a sharp edge a jet fills.
pub const DISCHARGE: f32 = 0.61;
/// A gas is taken to be no further compressed than to this share of the volume that it has without pressure.
pub const DENSEST: f32 = 0.125;
/// So little of a gas, m³, that it is as good as none.
pub const TRACE: f32 = 1e-30;
/// Volume of a ball over the power 3/2 of its area: 1 / (6 √π).
pub const ROUNDEST: f32 = 0.094_031_6;

/// How much further than in equilibrium a pump stretches a skin, as a share of how far that is, and of its size. Threads that have not
/// come to their forces within a sub-step hold no pressure, and what grows catches more of it: without an end, balloons of silk fly apart.
const FURTHER: [f32; 2] = [0.5, 0.05];

/// What a surface is like at rest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Skin {
    /// Its area, m²; infinite if nobody knows.
    pub area: f32,
    /// How it answers to being stretched in all directions: `Σ l² / c` over its threads, with their lengths and compliances, N·m.
    pub stiffness: f32,
}

impl Skin {
    /// A surface of which nothing is known.
    pub const UNKNOWN: Self = Self {
        area: f32::INFINITY,
        stiffness: 0.0,
    };

    /// The volume up to which a pump at a pressure, pascals, fills it, m³. A ball of threads stretched by λ presses back with
    /// `p = S (λ − 1) / (3 V λ²)`, which is greatest at λ = 2.
    pub fn room(&self, pressure: f32) -> f32 {
        if !self.area.is_finite() {
            return f32::INFINITY;
        }
        let volume = roundest(self.area);
        let load = 3.0 * pressure.max(0.0) * volume / self.stiffness.max(f32::MIN_POSITIVE);
        let stretch = 2.0 / (1.0 + (1.0 - 4.0 * load).max(0.0).sqrt());
        let [more, always] = FURTHER;
        let most = stretch + more * (stretch - 1.0) + always;
        volume * most * most * most
    }
}

/// What is inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Content {
    /// What has a volume of its own, m³, and yields as softness says, a compliance in m³/Pa or a stiffness below zero.
    Volume {
        /// Its volume without pressure, m³.
        volume: f32,
        /// See [`crate::Softness::encode`].
        softness: f32,
    },
    /// A pump that keeps this pressure above that of the surroundings, pascals.
    Pressure(f32),
    /// So much of a gas that at the pressure of the surroundings it would have this volume, m³.
    Gas(f32),
}

/// What is known of a surface in an iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    /// Volume inside, m³.
    pub volume: f32,
    /// Area of its triangles, m².
    pub area: f32,
    /// How much the volume grows with the impulse, `Σ w |∂V/∂x|²`, m⁴/kg.
    pub yielding: f32,
    /// The volume up to which a pump fills it ([`Skin::room`]), m³.
    pub room: f32,
}

/// A third of a triangle's area vector, m²: what a pressure of a pascal pushes each corner with, newtons.
#[inline(always)]
pub fn slope([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a) / 6.0
}

/// Volume of the ball that has an area, m³: the most that fits into a surface.
#[inline(always)]
pub fn roundest(area: f32) -> f32 {
    ROUNDEST * area * area.sqrt()
}

impl Content {
    /// What an iteration changes the impulse by, Pa·s², that has been `impulse` so far in a sub-step of `h` seconds; `part` is its length in
    /// sixtieths of a second ([`super::softness::iteration_part`]). No iteration makes a surface larger or smaller by more than
    /// what fits into it.
    #[inline(always)]
    pub fn change(self, found: Measured, impulse: f32, h: f32, part: f32) -> f32 {
        if found.yielding <= 0.0 {
            return 0.0;
        }
        let (softness, error) = match self {
            Self::Pressure(pressure) => {
                let fits = (found.room - found.volume) / found.yielding;
                return (pressure * h * h - impulse).min(fits.max(-impulse.max(0.0)));
            }
            Self::Volume { volume, softness } => (softness, found.volume - volume),
            // p = p₀ (N/V − 1), made linear around V.
            Self::Gas(amount) => {
                let volume = found.volume.max(DENSEST * amount);
                let share = volume / amount.max(TRACE);
                (volume * share / AMBIENT_PRESSURE, volume * (share - 1.0))
            }
        };
        let change = Response::new(softness, found.yielding, h, part).change(error, impulse);
        let most = roundest(found.area) / found.yielding;
        change.clamp(-most, most)
    }
}

/// Volume of gas that leaves through a hole of an area, m², at a pressure above that of the surroundings, pascals, in `h` seconds, m³ (Torricelli).
/// Below zero what comes in. It never does more than level out the pressure, for which `all` has to leave.
#[inline(always)]
pub fn leak(pressure: f32, hole: f32, all: f32, h: f32) -> f32 {
    let speed = (2.0 * pressure.abs() / GAS_DENSITY).sqrt();
    let flow = (DISCHARGE * hole * speed * h).min(all.abs());
    if pressure > 0.0 { flow } else { -flow }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Corners of a tetrahedron of 1/6 m³, seen from outside.
    const FACES: [[Vec3; 3]; 4] = [
        [Vec3::ZERO, Vec3::Y, Vec3::X],
        [Vec3::ZERO, Vec3::X, Vec3::Z],
        [Vec3::ZERO, Vec3::Z, Vec3::Y],
        [Vec3::X, Vec3::Y, Vec3::Z],
    ];

    #[test]
    fn slopes_of_a_closed_surface_give_its_volume_from_anywhere_and_add_up_to_nothing() {
        for from in [Vec3::ZERO, Vec3::new(0.2, -3.0, 1.0)] {
            let volume: f32 = FACES.iter().map(|face| (face[0] - from).dot(slope(*face))).sum();
            assert!((volume - 1.0 / 6.0).abs() < 1e-6, "{volume}");
        }
        let sum: Vec3 = FACES.iter().map(|&face| slope(face)).sum();
        assert!(sum.length() < 1e-7);
        // The corner at the origin: the volume grows by a sixth for each metre that it goes back along the diagonal's axes.
        let at_origin: Vec3 = FACES[..3].iter().map(|&face| slope(face)).sum();
        assert!((at_origin + Vec3::splat(1.0 / 6.0)).length() < 1e-7);
    }

    fn found(volume: f32) -> Measured {
        Measured {
            room: f32::INFINITY,
            volume,
            area: 6.0,
            yielding: 0.5,
        }
    }

    #[test]
    fn a_stiff_volume_is_reached_at_once_and_a_soft_one_has_its_pressure() {
        let stiff = Content::Volume {
            volume: 1.1,
            softness: 0.0,
        };
        let change = stiff.change(found(1.0), 0.0, 0.01, 1.0);
        assert!((0.5 * change - 0.1).abs() < 1e-6);
        // A litre for each hectopascal: at rest 100 Pa keep it a litre small.
        let soft = Content::Volume {
            volume: 1.1,
            softness: 1e-5,
        };
        assert!(soft.change(found(1.099), 100.0 * 1e-4, 0.01, 1.0).abs() < 1e-5);
    }

    #[test]
    fn a_pump_keeps_its_pressure_and_a_gas_that_of_its_volume() {
        let h = 0.01;
        assert!((Content::Pressure(300.0).change(found(1.0), 0.01, h, 1.0) - 0.02).abs() < 1e-7);
        let gas = Content::Gas(1.1);
        let pressure = 0.1 * AMBIENT_PRESSURE;
        assert!(gas.change(found(1.0), pressure * h * h, h, 1.0).abs() < 1e-6);
        assert!(gas.change(found(1.1), 0.0, h, 1.0).abs() < 1e-6);
        assert!(gas.change(found(1.2), 0.0, h, 1.0) < 0.0, "too large: it is sucked in");
        assert!(gas.change(found(-1.0), 0.0, h, 1.0).is_finite());
    }

    #[test]
    fn no_iteration_blows_up_by_more_than_a_ball_of_its_area() {
        let much = Content::Volume {
            volume: 1e9,
            softness: 0.0,
        };
        let change = much.change(found(0.0), 0.0, 0.01, 1.0);
        let ball = (6.0f32 / (4.0 * std::f32::consts::PI)).powf(1.5) * 4.0 / 3.0 * std::f32::consts::PI;
        assert!((0.5 * change / ball - 1.0).abs() < 1e-5);
    }

    #[test]
    fn a_hole_lets_out_what_torricelli_says_and_never_too_much() {
        // √(2 · 60 / 1.2) = 10 m/s.
        assert!((leak(60.0, 0.01, 1.0, 0.1) - 0.61 * 0.01).abs() < 1e-7);
        assert!((leak(-60.0, 0.01, 1.0, 0.1) + 0.61 * 0.01).abs() < 1e-7);
        assert_eq!(leak(60.0, 0.01, 1e-6, 0.1), 1e-6);
        assert_eq!(leak(0.0, 0.01, 0.0, 0.1), 0.0);
    }

    #[test]
    fn a_pump_fills_a_skin_little_further_than_it_bears() {
        let soft = Skin {
            area: 2.0,
            stiffness: 3000.0 * roundest(2.0),
        };
        let stretch = |skin: Skin, pressure: f32| (skin.room(pressure) / roundest(skin.area)).cbrt();
        // A stretch of 1.25 takes 160 Pa.
        assert!((stretch(soft, 160.0) - 1.425).abs() < 1e-3);
        // Of 250 Pa, the most that it bears, and above.
        assert!((stretch(soft, 250.0) - 2.55).abs() < 1e-2);
        assert!((stretch(soft, 1e4) - 2.55).abs() < 1e-2);
        let unyielding = Skin {
            stiffness: f32::INFINITY,
            ..soft
        };
        assert!((stretch(unyielding, 1e4) - 1.05).abs() < 1e-5);
        assert_eq!(Skin::UNKNOWN.room(1e4), f32::INFINITY);
    }

    #[test]
    fn a_pump_stops_where_there_is_no_more_room() {
        let pumped = |room: f32, impulse: f32| {
            Content::Pressure(300.0).change(Measured { room, ..found(1.0) }, impulse, 0.01, 1.0)
        };
        assert!(pumped(f32::INFINITY, 0.01) > pumped(1.0, 0.01) && pumped(1.0, 0.01) == 0.0);
        assert_eq!(pumped(0.5, 0.01), -0.01, "it does not draw in what it has not given");
    }
}
