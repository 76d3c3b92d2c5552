//! What a user can set about the solver.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::constraints::chebyshev::Pace;
use crate::constraints::position_based::PositionBased;
use crate::constraints::relaxation::{self, Averaging};
use crate::constraints::solids::REACH;
use crate::constraints::sph::Sph;
#[cfg(doc)]
use crate::particles::phase::Phase;

/// Settings of the solver. Each default states why it is what it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Radius of every particle, metres, unless its group has one of its own. Default 0.05.
    pub particle_radius: f32,
    /// Acceleration of gravity, m/s². Default (0, −9.81, 0).
    pub gravity: Vec3,
    /// Sub-steps per frame. Default 2, as most scenes of the 2014 paper.
    pub substeps: u32,
    /// Solver iterations per sub-step. Default 4.
    pub iterations: u32,
    /// Contact iterations on the starting positions before the solve (§4.4). Default 1: removes most pops.
    pub stabilization_iterations: u32,
    /// Over-relaxation ω of eq. 13, between 0 and 2. Default 1.
    pub relaxation: f32,
    /// How a particle's corrections are combined (eq. 12). Default directional, which converges about three times
    /// faster in a pile than the plain average.
    pub averaging: Averaging,
    /// Whether iterations are carried on by the change of the one before: contacts by Nesterov acceleration, rows that are solved all
    /// at once by the semi-iteration of Chebyshev. Default on: news of a load
    /// crosses a pile in as many iterations as it is grains high, instead of the square of that.
    pub acceleration: bool,
    /// Mass scaling k of eq. 21, per particle diameter: of two particles on top of each other the lower acts e^k times
    /// heavier. Default 0 (off).
    pub mass_scaling: f32,
    /// The same between bodies, by the heights of their centres, per mean size of all bodies. Default 0.3: a stack of ten
    /// stands at the default sub-steps and iterations. More stiffens piles further, but takes weight off what stands only by
    /// the load above it.
    pub body_mass_scaling: f32,
    /// A particle in contact that moves slower than this stays exactly where it is (eq. 14), m/s. Default 0 (off).
    pub sleep_speed: f32,
    /// Speed limit, m/s. Default infinite.
    pub max_speed: f32,
    /// Limit on the acceleration by constraints, m/s². Default infinite.
    pub max_acceleration: f32,
    /// Extra distance at which contacts are looked for, as a fraction of the particle's diameter (§9). Default 0.05.
    pub collision_margin: f32,
    /// How far fluid particles count in each other's density, in distances at which they would touch: twice the radius, or the
    /// sum of two. Only particles with [`Phase::FLUID`] have a density. Default 2: about 30 neighbours where particles are a
    /// diameter apart.
    pub smoothing_radius: f32,
    /// Rate at which passive particles in free flight lose their speed to still air, 1/s. Default 1: they fall at 9.8 m/s in
    /// the end, as large drops of rain do.
    pub passive_drag: f32,
    /// Impacts slower than this do not rebound, m/s. Default 0.2: above what gravity adds in a sub-step.
    pub restitution_threshold: f32,
    /// How friction is applied. Default position-level.
    pub friction: FrictionModel,
    /// How much of a contact's impulse the next sub-step starts from (warm starting), between 0 and 1. Default 1: piles rest.
    /// What is forgotten a few iterations do not find again: with 0.9 heaps already creep, with 0, as in the paper, layers sink
    /// into each other.
    pub contact_memory: f32,
    /// How liquids keep their density. Default Chebyshev: nearest to the rest density for what it costs, and without gaining energy.
    pub liquids: Liquids,
    /// How constraints between particles are solved. Default Jacobi.
    pub constraint_solver: ConstraintSolver,
    /// Whether rows that follow one another, as those of ropes, are tightened all together after each iteration
    /// ([`constraints::strand`](crate::constraints::strand)). Default true: a rope carries ten thousand times what its particles weigh.
    pub direct_strands: bool,
    /// How many particles of sheets may be split by stress before a frame; 0 for none. Default 16: more than a tear needs to run on, and
    /// few enough that a sheet does not fall to pieces at once.
    pub tears_per_frame: u32,
}

/// How the rows of the [`store`](crate::store) are solved within an iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConstraintSolver {
    /// All rows at once, each counting on a share of its particles' masses: the least work, and the same for all rows.
    #[default]
    Jacobi,
    /// Rows of one colour at once, and each colour after what the one before did: about twice as far in an iteration, at
    /// a launch for each colour.
    GaussSeidel,
}

/// How liquids keep their density.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Liquids {
    /// All densities at once, each multiplier divided by a bound for what all of them together move, in iterations weighted by Chebyshev's
    /// rule ([`constraints::density`](crate::constraints::density)).
    #[default]
    Chebyshev,
    /// As in *Position Based Fluids*, which finds each multiplier by itself.
    PositionBased(PositionBased),
    /// Forces from densities, once a sub-step: weakly compressible SPH ([`constraints::sph`](crate::constraints::sph)). A reference, not what to
    /// use: it takes five to ten times the sub-steps.
    Sph(Sph),
    /// Pressures raised by the density errors of predicted places: PCISPH ([`constraints::pcisph`](crate::constraints::pcisph)), in as many
    /// iterations as [`Settings::iterations`]. A reference too.
    Pcisph,
}

impl Liquids {
    fn problem(&self) -> Option<(&'static str, String, &'static str)> {
        match self {
            Self::Chebyshev | Self::Pcisph => None,
            Self::PositionBased(settings) => settings.problem(),
            Self::Sph(sph) => sph.problem(),
        }
    }
}

/// Where in the step friction acts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum FrictionModel {
    /// On positions during the solve (eq. 23–24): static friction holds.
    #[default]
    Position,
    /// On velocities after the solve, as in the original position based dynamics: piles creep and collapse.
    Velocity,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            particle_radius: 0.05,
            gravity: Vec3::new(0.0, -9.81, 0.0),
            substeps: 2,
            iterations: 4,
            stabilization_iterations: 1,
            relaxation: 1.0,
            averaging: Averaging::Directional,
            acceleration: true,
            mass_scaling: 0.0,
            body_mass_scaling: 0.3,
            sleep_speed: 0.0,
            max_speed: f32::INFINITY,
            max_acceleration: f32::INFINITY,
            collision_margin: 0.05,
            smoothing_radius: 2.0,
            passive_drag: 1.0,
            restitution_threshold: 0.2,
            friction: FrictionModel::Position,
            contact_memory: 1.0,
            liquids: Liquids::Chebyshev,
            constraint_solver: ConstraintSolver::Jacobi,
            direct_strands: true,
            tears_per_frame: 16,
        }
    }
}

/// What radii of particles can be.
pub(crate) const RADII: &str = "a length between 1e-6 and 1e6, metres";

/// Whether particles can have a radius, metres: masses of those beyond, or what is summed up of them, leave the range of
/// numbers.
pub(crate) fn is_radius(radius: f32) -> bool {
    (1e-6..=1e6).contains(&radius)
}

impl Settings {
    /// Distance below which two particles touch, metres.
    pub fn contact_distance(&self) -> f32 {
        2.0 * self.particle_radius
    }

    /// Distance within which neighbours are listed, metres.
    pub fn neighbor_distance(&self) -> f32 {
        self.contact_distance() * (1.0 + self.collision_margin)
    }

    /// Distance within which fluid particles of one size count in each other's density, metres.
    pub fn smoothing_distance(&self) -> f32 {
        self.contact_distance() * self.smoothing_radius
    }

    /// How far apart particles are listed as pairs at most, in distances at which they touch: the margin, and further where
    /// rigid bodies touch each other with inscribed balls.
    pub fn pair_reach(&self, solids: bool) -> f32 {
        let near = 1.0 + self.collision_margin;
        if solids { near.max(REACH) } else { near }
    }

    /// Width of the cells that neighbours are looked for in, in distances at which particles touch. With fluids a cell is
    /// at least half the smoothing radius wide: contacts then look at one cell on either side, sums over neighbours at two. `solids` tells
    /// whether any body has inscribed balls.
    pub fn cell_width(&self, fluids: bool, solids: bool) -> f32 {
        let contacts = self.pair_reach(solids);
        if fluids {
            contacts.max(0.5 * self.smoothing_radius)
        } else {
            contacts
        }
    }

    /// Largest impulse by which a contact of a given tensile strength, pascals, pulls in a sub-step of `h` seconds, kg·m,
    /// of particles with a radius, metres.
    pub fn grip(strength: f32, radius: f32, h: f32) -> f32 {
        let area = std::f32::consts::PI * radius * radius;
        strength * area * h * h
    }

    /// How far the change of an iteration is carried on.
    pub fn momentum(&self, iteration: u32) -> f32 {
        if self.acceleration {
            relaxation::momentum(iteration, self.iterations)
        } else {
            0.0
        }
    }

    /// How the rows that are solved all at once are hastened in an iteration.
    pub fn pace(&self, iteration: u32) -> Pace {
        if self.acceleration {
            Pace::new(iteration, self.iterations)
        } else {
            Pace::PLAIN
        }
    }

    /// Unit vector against gravity; zero without gravity.
    pub fn up(&self) -> Vec3 {
        (-self.gravity).normalize_or_zero()
    }

    /// First setting whose value cannot be used, with what was expected of it.
    pub fn problem(&self) -> Option<(&'static str, String, &'static str)> {
        let positive = |value: f32| value > 0.0 && value.is_finite();
        let non_negative = |value: f32| value >= 0.0 && value.is_finite();
        let checks = [
            (
                "particle_radius",
                self.particle_radius.to_string(),
                is_radius(self.particle_radius),
                RADII,
            ),
            (
                "gravity",
                self.gravity.to_string(),
                self.gravity.is_finite(),
                "finite numbers",
            ),
            ("substeps", self.substeps.to_string(), self.substeps >= 1, "at least 1"),
            (
                "relaxation",
                self.relaxation.to_string(),
                positive(self.relaxation) && self.relaxation <= 2.0,
                "above 0 and at most 2",
            ),
            (
                "mass_scaling",
                self.mass_scaling.to_string(),
                non_negative(self.mass_scaling),
                "0 or more",
            ),
            (
                "body_mass_scaling",
                self.body_mass_scaling.to_string(),
                non_negative(self.body_mass_scaling),
                "0 or more",
            ),
            (
                "sleep_speed",
                self.sleep_speed.to_string(),
                non_negative(self.sleep_speed),
                "0 or more, m/s",
            ),
            (
                "max_speed",
                self.max_speed.to_string(),
                self.max_speed > 0.0,
                "a positive speed, m/s",
            ),
            (
                "max_acceleration",
                self.max_acceleration.to_string(),
                self.max_acceleration > 0.0,
                "a positive acceleration, m/s²",
            ),
            (
                "contact_memory",
                self.contact_memory.to_string(),
                (0.0..=1.0).contains(&self.contact_memory),
                "between 0 and 1",
            ),
            (
                "collision_margin",
                self.collision_margin.to_string(),
                non_negative(self.collision_margin) && self.collision_margin <= 1.0,
                "between 0 and 1",
            ),
            (
                "smoothing_radius",
                self.smoothing_radius.to_string(),
                self.smoothing_radius >= 1.0 && self.smoothing_radius <= 8.0,
                "between 1 and 8",
            ),
            (
                "passive_drag",
                self.passive_drag.to_string(),
                non_negative(self.passive_drag),
                "0 or more, 1/s",
            ),
            (
                "restitution_threshold",
                self.restitution_threshold.to_string(),
                non_negative(self.restitution_threshold),
                "0 or more, m/s",
            ),
        ];
        checks
            .into_iter()
            .find(|(_, _, fine, _)| !fine)
            .map(|(field, value, _, expected)| (field, value, expected))
            .or_else(|| self.liquids.problem())
    }
}
