//! Which part of a shadow map something was lit by.

/// The texels of a shadow map that were looked up, as a rectangle, and the lowest of the places that they were
/// compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Footprint {
    pub(crate) first: [u32; 2],
    pub(crate) last: [u32; 2],
    pub(crate) lowest: f32,
}

impl Footprint {
    pub(crate) const NONE: Self = Self {
        first: [u32::MAX; 2],
        last: [0; 2],
        lowest: f32::INFINITY,
    };

    #[inline(always)]
    pub(crate) fn include(&mut self, other: &Self) {
        for axis in 0..2 {
            self.first[axis] = self.first[axis].min(other.first[axis]);
            self.last[axis] = self.last[axis].max(other.last[axis]);
        }
        self.lowest = if other.lowest < self.lowest {
            other.lowest
        } else {
            self.lowest
        };
    }
}
