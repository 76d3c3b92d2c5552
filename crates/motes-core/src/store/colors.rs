//! Colours of rows: rows of one colour share no particle, so that they can be solved at once and see all rows before them.
//!
//! A row takes the lowest colour that none of its particles has, when it is added: the same rows added in the same order
//! have the same colours, on any engine.

/// Colours there are.
pub const COLORS: usize = 64;
/// The last colour, of rows that found all others taken. They may share particles, and are solved one after the other.
pub const CROWDED: u8 = COLORS as u8 - 1;

/// The rows of one particle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Incidence {
    /// Generation of the particle's id.
    pub(super) generation: u32,
    /// How many there are.
    pub(super) count: u32,
    /// A bit for each of their colours.
    colors: u64,
}

impl Incidence {
    /// The lowest colour that is free at all particles of a row.
    pub(super) fn free_color(particles: impl Iterator<Item = Self>) -> u8 {
        let taken = particles.fold(0, |taken, particle| taken | particle.colors);
        (taken.trailing_ones() as u8).min(CROWDED)
    }

    /// Takes note of a row.
    pub(super) fn join(&mut self, generation: u32, color: u8) {
        self.generation = generation;
        self.count += 1;
        if color != CROWDED {
            self.colors |= 1 << color;
        }
    }

    /// Forgets a row.
    pub(super) fn leave(&mut self, color: u8) {
        self.count -= 1;
        self.colors &= !(1 << color);
    }
}
