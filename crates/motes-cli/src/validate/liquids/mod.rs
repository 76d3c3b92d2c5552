//! Liquids: still water, a breaking dam, what floats, layers, viscosity, a cup that must not leak, drops, and solvers to compare with.

mod crowd;
mod dam;
mod drops;
mod floating;
mod flows;
mod forced;
mod layers;
mod leaks;
mod still;
mod tank;

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
        forced::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
