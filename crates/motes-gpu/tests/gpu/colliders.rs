//! Colliders on the device against those on the CPU.

mod bench;
mod contacts;
mod forces;
mod overlaps;
mod shapes;
