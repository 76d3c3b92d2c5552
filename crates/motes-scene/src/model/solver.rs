//! `[solver]`: how the equations are solved.

use motes_core::{Averaging, ConstraintSolver, Denominator, FrictionModel, Liquids, PositionBased, Settings, Sph};

use crate::decode::limits::{between, positive, speeds};

crate::words! {
    /// Where in the step friction acts.
    enum FrictionWord {
        /// On positions during the solve: static friction holds.
        "position" => Position,
        /// On velocities after the solve: piles creep.
        "velocity" => Velocity,
    }
}

crate::words! {
    /// How the corrections of several constraints on one particle are combined.
    enum AveragingWord {
        /// Divided, direction by direction, by the number of constraints that act in it.
        "directional" => Directional,
        /// Divided by the number of constraints.
        "count" => Count,
        /// Added up: plain Jacobi iteration, which may diverge.
        "none" => None,
    }
}

crate::words! {
    /// How constraints between particles are solved within an iteration.
    enum ConstraintSolverWord {
        /// All at once, each counting on a share of its particles' masses.
        "jacobi" => Jacobi,
        /// Colour by colour, each after what the one before did.
        "gauss-seidel" => GaussSeidel,
    }
}

crate::choice! {
    /// How liquids keep their density.
    enum LiquidsChoice {
        /// All densities at once, in iterations weighted by Chebyshev's rule.
        "chebyshev" => Chebyshev(ChebyshevTable),
        /// Each density by itself, as in Position Based Fluids (2013).
        "position_based" => PositionBased(PositionBasedTable),
        /// Forces from densities: weakly compressible SPH, a reference that takes many sub-steps.
        "sph" => Sph(SphTable),
        /// Pressures from the density errors of predicted places: PCISPH (2009), a reference.
        "pcisph" => Pcisph(PcisphTable),
    }
}

crate::words! {
    /// What the multipliers of densities are divided by.
    enum DenominatorWord {
        /// All slopes of the density where particles are.
        "exact" => Exact,
        /// Those in the lattice at rest.
        "precomputed" => Precomputed,
    }
}

crate::table! {
    /// The density constraints of Position Based Fluids.
    default struct PositionBasedTable {
        /// Whether particles that are too far apart are drawn together.
        bilateral: bool = true,
        /// Relaxation ε, in denominators of the lattice at rest: more is softer.
        relaxation: f32 = PositionBased::default().relaxation => between(0.0, 1000.0),
        /// What multipliers are divided by: "exact" or "precomputed".
        denominator: DenominatorWord = DenominatorWord::Exact,
        /// Artificial pressure k, as a part of the rest density: it keeps particles from clumping.
        artificial_pressure: f32 = PositionBased::default().artificial_pressure => between(0.0, 1.0),
        /// The distance at which the artificial pressure is k, in smoothing radii.
        artificial_distance: f32 = PositionBased::default().artificial_distance => between(0.0, 0.9),
        /// The exponent by which the artificial pressure falls with the weight of a neighbour.
        artificial_exponent: u32 = PositionBased::default().artificial_exponent => between(1.0, 16.0),
    }
}

impl PositionBasedTable {
    fn settings(&self) -> PositionBased {
        PositionBased {
            bilateral: self.bilateral,
            relaxation: self.relaxation,
            denominator: match self.denominator {
                DenominatorWord::Exact => Denominator::Exact,
                DenominatorWord::Precomputed => Denominator::Precomputed,
            },
            artificial_pressure: self.artificial_pressure,
            artificial_distance: self.artificial_distance,
            artificial_exponent: self.artificial_exponent,
        }
    }
}

crate::table! {
    /// Weakly compressible SPH.
    default struct SphTable {
        /// Speed of sound, m/s: ten times that of the fastest motion gives way by about a hundredth.
        speed_of_sound: f32 = Sph::default().speed_of_sound => between(1e-3, 1e4).of("m/s"),
        /// Viscosity besides that of materials, in tenths of the speed of sound times the smoothing radius.
        artificial_viscosity: f32 = Sph::default().artificial_viscosity => between(0.0, 10.0),
    }
}

crate::table! {
    /// PCISPH, which has nothing to set but `substeps` and `iterations`.
    default struct PcisphTable {}
}

crate::table! {
    /// The density solve of motes' own, which has nothing to set.
    default struct ChebyshevTable {}
}

crate::table! {
    /// Settings of the solver.
    default struct SolverTable {
        /// Sub-steps per frame.
        substeps: u32 = 2 => between(1.0, 1000.0),
        /// Solver iterations per sub-step.
        iterations: u32 = 4 => between(0.0, 1000.0),
        /// Contact iterations on the starting positions before the solve; they remove pops.
        stabilization_iterations: u32 = 1 => between(0.0, 1000.0),
        /// Over-relaxation of the corrections, above 0 and at most 2.
        relaxation: f32 = 1.0 => between(0.01, 2.0),
        /// How the corrections of a particle are combined: "directional", "count" or "none".
        averaging: AveragingWord = AveragingWord::Directional,
        /// Nesterov acceleration: each iteration is extrapolated by the change of the one before, so that deep piles converge sooner.
        acceleration: bool = true,
        /// Mass scaling for stacks: of two particles on top of each other the lower acts e^k times heavier.
        mass_scaling: f32 = 0.0 => between(0.0, 20.0),
        /// The same between bodies, whose stacks come to rest sooner with it.
        body_mass_scaling: f32 = 0.3 => between(0.0, 20.0),
        /// Particles in contact that move slower than this stay where they are, m/s; 0 is off.
        sleep_speed: f32 = 0.0 => speeds(),
        /// Speed limit, m/s.
        max_speed: f32 = f32::INFINITY => speeds().but_not_lowest().or_infinite(),
        /// Limit on the acceleration by constraints, m/s².
        max_acceleration: f32 = f32::INFINITY => positive(1e9).of("m/s²").or_infinite(),
        /// Extra distance at which contacts are looked for, in particle diameters.
        collision_margin: f32 = 0.05 => between(0.0, 1.0).of("diameters"),
        /// How far around a fluid particle others count in its density, and around a passive one carry it along, in diameters.
        smoothing_radius: f32 = 2.0 => between(1.0, 8.0).of("diameters"),
        /// Impacts slower than this do not rebound, m/s.
        restitution_threshold: f32 = 0.2 => speeds(),
        /// Where friction acts: "position" or "velocity".
        friction_model: FrictionWord = FrictionWord::Position,
        /// How much of a contact's impulse the next sub-step starts from, 0 to 1.
        contact_memory: f32 = 1.0 => between(0.0, 1.0),
        /// How liquids keep their density: `{ chebyshev = {} }`, or, for comparison, `{ position_based = { … } }`, `{ sph = { … } }` or `{ pcisph = {} }`.
        liquids: LiquidsChoice = LiquidsChoice::Chebyshev(ChebyshevTable {}),
        /// How links of soft bodies and other constraints between particles are solved: "jacobi" or "gauss-seidel".
        constraint_solver: ConstraintSolverWord = ConstraintSolverWord::Jacobi,
        /// Whether rows that follow one another, as those of ropes, are tightened all together after each iteration.
        direct_strands: bool = true,
        /// How many particles of cloth that tears may be split before a frame; 0 for none.
        tears_per_frame: u32 = 16 => between(0.0, 1e6),
    }
}

impl SphTable {
    fn settings(&self) -> Sph {
        Sph {
            speed_of_sound: self.speed_of_sound,
            artificial_viscosity: self.artificial_viscosity,
        }
    }
}

impl SolverTable {
    /// The settings of a world; what is not the solver's (radius, gravity) keeps its default.
    pub fn settings(&self) -> Settings {
        Settings {
            substeps: self.substeps,
            iterations: self.iterations,
            stabilization_iterations: self.stabilization_iterations,
            relaxation: self.relaxation,
            averaging: match self.averaging {
                AveragingWord::Directional => Averaging::Directional,
                AveragingWord::Count => Averaging::Count,
                AveragingWord::None => Averaging::None,
            },
            acceleration: self.acceleration,
            mass_scaling: self.mass_scaling,
            body_mass_scaling: self.body_mass_scaling,
            sleep_speed: self.sleep_speed,
            max_speed: self.max_speed,
            max_acceleration: self.max_acceleration,
            collision_margin: self.collision_margin,
            smoothing_radius: self.smoothing_radius,
            restitution_threshold: self.restitution_threshold,
            friction: match self.friction_model {
                FrictionWord::Position => FrictionModel::Position,
                FrictionWord::Velocity => FrictionModel::Velocity,
            },
            contact_memory: self.contact_memory,
            liquids: match &self.liquids {
                LiquidsChoice::Chebyshev(_) => Liquids::Chebyshev,
                LiquidsChoice::PositionBased(table) => Liquids::PositionBased(table.settings()),
                LiquidsChoice::Sph(table) => Liquids::Sph(table.settings()),
                LiquidsChoice::Pcisph(_) => Liquids::Pcisph,
            },
            constraint_solver: match self.constraint_solver {
                ConstraintSolverWord::Jacobi => ConstraintSolver::Jacobi,
                ConstraintSolverWord::GaussSeidel => ConstraintSolver::GaussSeidel,
            },
            direct_strands: self.direct_strands,
            tears_per_frame: self.tears_per_frame,
            ..Settings::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_those_of_the_solver() {
        assert_eq!(SolverTable::default().settings(), Settings::default());
        assert_eq!(PositionBasedTable::default().settings(), PositionBased::default());
        assert_eq!(SphTable::default().settings(), Sph::default());
    }
}
