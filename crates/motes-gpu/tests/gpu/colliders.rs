//! Colliders on the device against those on the CPU.

mod bench;
mod contacts;
mod forces;
mod overlaps;
mod shapes;

/// A shape of each kind that has an end, about two metres across.
pub(crate) fn solids() -> Vec<(&'static str, motes_core::Shape)> {
    let large = [
        ("hull", shapes::hull()),
        ("mesh", shapes::mesh()),
        ("grid", shapes::grid()),
        ("terrain", shapes::terrain()),
    ];
    let small = shapes::simple().into_iter().filter(|(name, _)| *name != "plane");
    small.chain(large).collect()
}
