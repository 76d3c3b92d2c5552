//! What a world has: a bit for each thing that its kernels and launches have to know of, so that worlds without it do not pay
//! for it.

use motes_core::engine::Frame;
use motes_core::{Bodies, ConstraintKind, ConstraintSolver, Constraints, FrictionModel};

/// A set of features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Features(u32);

impl Features {
    /// Bodies: a constant of kernels about particles and pairs.
    pub(crate) const BODIES: Self = Self(1);
    /// Masses are scaled by height: a constant of kernels that move particles by their pairs.
    pub(crate) const SCALED: Self = Self(2);
    /// Overlaps are undone more than once a sub-step.
    pub(crate) const RESTABILIZED: Self = Self(4);
    /// Velocities after the solve are kept before anything rebounds: bodies need it, and particles that rebound.
    pub(crate) const REBOUNDS: Self = Self(8);
    /// Rows, solved all at once.
    pub(crate) const ROWS: Self = Self(16);
    /// Rows, solved colour by colour.
    pub(crate) const COLORS: Self = Self(32);
    /// Rows that can break.
    pub(crate) const FRAGILE: Self = Self(64);
    /// Curvatures.
    pub(crate) const BENDS: Self = Self(1 << 14);
    /// Rows of all kinds are solved colour by colour.
    pub(crate) const BY_COLOR: Self = Self(1 << 15);
    /// Faces in the air: a constant of `finish`.
    pub(crate) const FACES: Self = Self(1 << 16);
    /// Balloons.
    pub(crate) const BALLOONS: Self = Self(1 << 20);
    /// Balloons that have holes.
    pub(crate) const LEAKS: Self = Self(1 << 21);
    /// Springs that draw particles.
    pub(crate) const PULLS: Self = Self(1 << 22);
    /// Liquids: a constant of kernels about contacts with colliders and velocities.
    pub(crate) const FLUIDS: Self = Self(1 << 23);
    /// Particles that are not liquid: a constant of kernels that find pairs.
    pub(crate) const SOLIDS: Self = Self(1 << 24);
    /// Links of bodies that flow.
    pub(crate) const FOLLOWING: Self = Self(128);
    /// Particles of several sizes: a constant of kernels about particles and pairs.
    pub(crate) const SIZES: Self = Self(256);
    /// Passive particles, which go by velocities and cells at the end of a sub-step: a constant of `finish`.
    pub(crate) const PASSIVE: Self = Self(512);

    /// Particles have rest positions, which the search for pairs goes by: sheets, nets and ropes, of which the constant `SWEEPS` tells kernels about
    /// pairs.
    pub(crate) const RESTS: Self = Self(2048);

    /// Particles change each other's velocities after the solve.
    pub(crate) const IMPACTS: Self = Self(1024);

    /// Bodies that touch colliders with inscribed balls, or would if they were stiff enough: a constant of kernels about contacts
    /// with colliders and about bodies.
    pub(crate) const INSCRIBED: Self = Self(4096);

    /// Grains that turn: a constant of kernels about pairs and contacts with colliders.
    pub(crate) const TURNS: Self = Self(8192);

    /// Gas.
    pub(crate) const GAS: Self = Self(1 << 25);
    /// Gas that is not all as warm as the surroundings: a constant of kernels about kicks and passive particles.
    pub(crate) const WARM: Self = Self(1 << 26);

    /// Sheets in patches: a constant of the kernel that moves particles out of contacts.
    pub(crate) const PATCHES: Self = Self(1 << 27);

    /// Creatures, some particles of which are ellipsoids: a constant of kernels about particles and pairs.
    pub(crate) const ORIENTED: Self = Self(1 << 28);

    /// Those of a frame.
    pub(crate) fn of(frame: &Frame, bodies: &Bodies, constraints: &Constraints, fragile: bool) -> Self {
        let settings = &frame.settings;
        let has_bodies = !bodies.is_empty();
        let rows = !constraints.batch(ConstraintKind::Distance).is_empty();
        let faces = !constraints.batch(ConstraintKind::Face).is_empty() && frame.air.density > 0.0;
        let bends = !constraints.batch(ConstraintKind::Bending).is_empty();
        let colored = settings.constraint_solver == ConstraintSolver::GaussSeidel;
        let plastic = || bodies.list.iter().any(|body| body.plasticity.is_some());
        let velocities = settings.friction == FrictionModel::Velocity || frame.materials.pairs_rebound();
        Self::of_memory(frame, bodies)
            .with(Self::SCALED, settings.mass_scaling > 0.0 || bodies.scale(settings))
            .with(Self::RESTABILIZED, settings.stabilization_iterations > 1)
            .with(Self::REBOUNDS, has_bodies || velocities)
            .with(Self::IMPACTS, velocities)
            .with(Self::ROWS, rows && !colored)
            .with(Self::COLORS, rows && colored)
            .with(Self::BENDS, bends)
            .with(Self::FACES, faces)
            .with(Self::BY_COLOR, colored)
            .with(Self::FRAGILE, rows && fragile)
            .with(Self::FOLLOWING, rows && plastic())
    }

    /// Those of them that decide how much is kept of every particle.
    pub(crate) fn of_memory(frame: &Frame, bodies: &Bodies) -> Self {
        Self::default()
            .with(Self::BODIES, !bodies.is_empty())
            .with(Self::INSCRIBED, bodies.are_inscribed())
            .with(Self::SIZES, frame.sizes.is_some())
            .with(Self::FLUIDS, frame.fluids)
            .with(Self::SOLIDS, frame.solids)
            .with(Self::GAS, frame.gas)
    }

    pub(crate) fn with(self, feature: Self, has: bool) -> Self {
        if has { Self(self.0 | feature.0) } else { self }
    }

    /// Whether velocities after the solve say whose they are: there are liquids, and not all is liquid.
    pub(crate) fn are_mixed(self) -> bool {
        self.has(Self::FLUIDS) && (self.has(Self::SOLIDS) || self.has(Self::GAS))
    }

    /// Whether it has a feature.
    pub(crate) fn has(self, feature: Self) -> bool {
        self.0 & feature.0 == feature.0
    }

    /// Those that are constants of kernels.
    pub(crate) fn constants(self) -> [(&'static str, u32); 13] {
        [
            ("BODIES", u32::from(self.has(Self::BODIES))),
            ("SCALED", u32::from(self.has(Self::SCALED))),
            ("INSCRIBED", u32::from(self.has(Self::INSCRIBED))),
            ("SIZES", u32::from(self.has(Self::SIZES))),
            ("TURNS", u32::from(self.has(Self::TURNS))),
            ("FACES", u32::from(self.has(Self::FACES))),
            ("FLUIDS", u32::from(self.has(Self::FLUIDS))),
            ("SOLIDS", u32::from(self.has(Self::SOLIDS))),
            ("WARM", u32::from(self.has(Self::WARM))),
            ("MIXED", u32::from(self.are_mixed())),
            ("SWEEPS", u32::from(self.has(Self::RESTS))),
            ("PATCHES", u32::from(self.has(Self::PATCHES))),
            ("ORIENTED", u32::from(self.has(Self::ORIENTED))),
        ]
    }
}
