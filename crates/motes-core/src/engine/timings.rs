//! Time spent in each stage of the step, always measured.

use std::time::Duration;

/// The stages of a step, by the names that both engines and all reports use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Stage {
    /// Emitters, kill volumes and lifetimes.
    Population,
    /// Forces and predicted positions.
    Predict,
    /// Sorting and neighbour lists.
    FindNeighbors,
    /// Lists of what is within the smoothing radius of fluids.
    FindFluidNeighbors,
    /// Contacts with colliders.
    FindContacts,
    /// Pre-stabilisation.
    Stabilize,
    /// Constraints between particles.
    SolveRows,
    /// Densities of liquids.
    SolveDensities,
    /// Contacts between particles and with colliders.
    SolveContacts,
    /// Shapes of bodies.
    MatchShapes,
    /// Velocities from positions, restitution.
    UpdateVelocities,
    /// Passive particles.
    AdvectDiffuse,
    /// Drag and other forces between particles.
    InternalForces,
    /// Accepting positions, sleeping.
    Finish,
}

impl Stage {
    /// Every stage, in the order of the step.
    pub const ALL: [Self; 14] = [
        Self::Population,
        Self::Predict,
        Self::FindNeighbors,
        Self::FindFluidNeighbors,
        Self::FindContacts,
        Self::Stabilize,
        Self::SolveRows,
        Self::SolveDensities,
        Self::SolveContacts,
        Self::MatchShapes,
        Self::UpdateVelocities,
        Self::AdvectDiffuse,
        Self::InternalForces,
        Self::Finish,
    ];

    /// Name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Population => "population",
            Self::Predict => "predict",
            Self::FindNeighbors => "find_neighbors",
            Self::FindFluidNeighbors => "find_fluid_neighbors",
            Self::FindContacts => "find_contacts",
            Self::Stabilize => "stabilize",
            Self::SolveRows => "solve_rows",
            Self::SolveDensities => "solve_densities",
            Self::SolveContacts => "solve_contacts",
            Self::MatchShapes => "match_shapes",
            Self::UpdateVelocities => "update_velocities",
            Self::AdvectDiffuse => "advect_diffuse",
            Self::InternalForces => "internal_forces",
            Self::Finish => "finish",
        }
    }
}

/// Time per stage of the last frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timings {
    stages: [Duration; Stage::ALL.len()],
}

impl Timings {
    /// Runs a stage and adds its time.
    pub fn measure<T>(&mut self, stage: Stage, work: impl FnOnce() -> T) -> T {
        let started = Clock::now();
        let result = work();
        self.stages[stage as usize] += started.elapsed();
        result
    }

    /// Says how long a stage took that was measured elsewhere.
    pub fn set(&mut self, stage: Stage, time: Duration) {
        self.stages[stage as usize] = time;
    }

    /// Time of one stage.
    pub fn get(&self, stage: Stage) -> Duration {
        self.stages[stage as usize]
    }

    /// Time of all stages together.
    pub fn total(&self) -> Duration {
        self.stages.iter().sum()
    }

    /// Stage names and milliseconds, in the order of the step.
    pub fn milliseconds(&self) -> impl Iterator<Item = (&'static str, f64)> + '_ {
        Stage::ALL
            .iter()
            .map(|&stage| (stage.name(), self.get(stage).as_secs_f64() * 1e3))
    }

    /// Starts a new frame.
    pub fn clear(&mut self) {
        self.stages = Default::default();
    }
}

/// A clock where there is one; the bare web target has none.
struct Clock {
    #[cfg(not(target_family = "wasm"))]
    started: std::time::Instant,
}

impl Clock {
    fn now() -> Self {
        Self {
            #[cfg(not(target_family = "wasm"))]
            started: std::time::Instant::now(),
        }
    }

    fn elapsed(&self) -> Duration {
        #[cfg(not(target_family = "wasm"))]
        return self.started.elapsed();
        #[cfg(target_family = "wasm")]
        Duration::ZERO
    }
}
