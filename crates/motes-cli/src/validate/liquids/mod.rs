//! Liquids: still water, a breaking dam, what floats, layers, viscosity, and a cup that must not leak.

mod crowd;
mod dam;
mod floating;
mod flows;
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
    ]
    .into_iter()
    .flatten()
    .collect()
}
