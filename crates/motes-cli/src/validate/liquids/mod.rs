//! Liquids: still water, a breaking dam, what floats, layers, viscosity, a cup that must not leak, drops, the papers' drop of a liquid rabbit and
//! splash, and solvers to compare with.

pub(super) mod crowd;
mod dam;
mod drop;
mod drops;
mod floating;
mod flows;
mod forced;
mod layers;
mod leaks;
mod splash;
mod still;
pub(super) mod tank;

use super::Case;

pub(super) fn cases() -> Vec<Case> {
    [
        still::cases(),
        dam::cases(),
        floating::cases(),
        flows::cases(),
        layers::cases(),
        leaks::cases(),
        drops::cases(),
        drop::cases(),
        splash::cases(),
        forced::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
