//! Every kernel, in one list.

use crate::kernel::{Source, kernel};

pub(crate) const SCAN_REDUCE: Source = kernel!("scan_reduce", "grid", "plain", "scan");
pub(crate) const SCAN_REDUCE_SUBGROUP: Source = kernel!("scan_reduce", "grid", "subgroup", "scan");
pub(crate) const SCAN_TILE: Source = kernel!("scan_tile", "grid", "plain", "scan");
pub(crate) const SCAN_TILE_SUBGROUP: Source = kernel!("scan_tile", "grid", "subgroup", "scan");

/// Every kernel, each of its variants apart. The tests validate what is listed here, and that nothing is missing.
pub const ALL: &[Source] = &[SCAN_REDUCE, SCAN_REDUCE_SUBGROUP, SCAN_TILE, SCAN_TILE_SUBGROUP];

#[cfg(test)]
#[path = "kernels/tests.rs"]
mod tests;
