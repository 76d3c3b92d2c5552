//! Particles of several radii in one world: how large those of each group are, and the levels of the search.
//!
//! Particles are sorted into levels by their radius, each half as large as the next (hierarchical grids, as in Ogarko and
//! Luding 2012): the cells of a level are as wide as its largest particles reach. So a small one looks through three cells
//! a side on its own level and on those above, and only the few large ones look through more, further down.

/// Radii of the particles of a world that are not all the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Sizes {
    smallest: f32,
    largest: f32,
    of_group: Vec<f32>,
    /// Half the largest radius, a quarter of it and so on.
    halves: [f32; Sizes::LEVELS - 1],
    levels: usize,
    /// Levels that some particles are on, one bit each.
    used: u32,
}

impl Sizes {
    /// How many times larger than the smallest particles of a world the largest may be. Beyond it hundreds of small ones
    /// would bear one large one of a thousand times their mass, for which an iteration has too few contacts in a row.
    pub const MOST: f32 = 8.0;
    /// Most levels.
    pub const LEVELS: usize = 4;

    /// From the radius of each group, metres, by index; those at an index without a group are 0. `None` where all are the
    /// same.
    pub fn new(of_group: Vec<f32>) -> Option<Self> {
        let radii = || of_group.iter().copied().filter(|&radius| radius > 0.0);
        let smallest = radii().fold(f32::INFINITY, f32::min);
        let largest = radii().fold(0.0, f32::max);
        let mut sizes = Self {
            smallest,
            largest,
            of_group: Vec::new(),
            // Halving is exact.
            halves: [0.5, 0.25, 0.125].map(|part| part * largest),
            levels: 1,
            used: 0,
        };
        sizes.levels += sizes.below_top(smallest);
        sizes.used = radii().fold(0, |used, radius| used | 1 << sizes.level(radius));
        sizes.of_group = of_group;
        (smallest < largest).then_some(sizes)
    }

    /// Whether there are particles on a level.
    #[inline]
    pub fn is_used(&self, level: usize) -> bool {
        self.used >> level & 1 == 1
    }

    /// Smallest radius, metres.
    pub fn smallest(&self) -> f32 {
        self.smallest
    }

    /// Largest radius, metres.
    pub fn largest(&self) -> f32 {
        self.largest
    }

    /// Radius of the particles of each group, metres, by its index.
    pub fn of_group(&self) -> &[f32] {
        &self.of_group
    }

    /// Radius of the particles of a group, metres.
    #[inline]
    pub fn radius(&self, group: u32) -> f32 {
        self.of_group.get(group as usize).copied().unwrap_or(self.smallest)
    }

    /// How many levels there are.
    pub fn levels(&self) -> usize {
        self.levels
    }

    /// The level that particles of a radius are on, from 0 for the smallest.
    #[inline]
    pub fn level(&self, radius: f32) -> usize {
        self.levels - 1 - self.below_top(radius)
    }

    /// Largest radius on level 0, metres.
    pub fn finest(&self) -> f32 {
        self.largest / (1 << (self.levels() - 1)) as f32
    }

    /// How many times the largest can be halved and still be as large.
    #[inline]
    fn below_top(&self, radius: f32) -> usize {
        self.halves.iter().map(|&half| usize::from(radius <= half)).sum()
    }
}

/// How many cells of a level to look at on either side of one's own, coming from a level so many higher.
pub fn cells_aside(levels_below: usize) -> usize {
    match levels_below {
        0 => 1,
        below => (1 << (below - 1)) + 1,
    }
}

/// How many cells of a level to look at on either side of one's own for all particles within a multiple of the distance at
/// which they would touch; `reach` is that multiple, in widths of cells. Coming from a level so many higher, or lower.
pub fn cells_within(reach: f32, levels_below: i32) -> u32 {
    (reach * 0.5 * (1.0 + (levels_below as f32).exp2())).ceil() as u32
}

/// Radius that the area of a contact between two particles goes by, metres: the harmonic mean.
#[inline(always)]
pub fn contact_radius(a: f32, b: f32) -> f32 {
    2.0 * a * b / (a + b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_radii_are_no_sizes() {
        assert_eq!(Sizes::new(vec![0.1, 0.0, 0.1]), None);
        assert_eq!(Sizes::new(Vec::new()), None);
    }

    #[test]
    fn levels_halve_from_the_largest() {
        let sizes = Sizes::new(vec![0.4, 0.1, 0.2, 0.15]).expect("several");
        assert_eq!(sizes.levels(), 3);
        assert_eq!(
            [0.4, 0.21, 0.2, 0.15, 0.1].map(|radius| sizes.level(radius)),
            [2, 2, 1, 1, 0]
        );
        assert_eq!(sizes.finest(), 0.1);
        let two = Sizes::new(vec![0.4, 0.1]).expect("two");
        assert_eq!([0, 1, 2].map(|level| two.is_used(level)), [true, false, true]);
        let alike = Sizes::new(vec![0.1, 0.12]).expect("two");
        assert_eq!((alike.levels(), alike.level(0.1), alike.finest()), (1, 0, 0.12));
    }

    #[test]
    fn cells_aside_reach_the_furthest_partner() {
        for below in 1..Sizes::LEVELS {
            // In widths of the lower level's cells, which are as wide as its largest particles: twice their radius.
            let reach = ((1 << below) as f32 + 1.0) / 2.0;
            assert!(cells_aside(below) as f32 >= reach);
            assert!((cells_aside(below) - 1) as f32 <= reach, "no more than needed");
        }
    }

    #[test]
    fn two_cells_aside_hold_what_is_within_twice_their_width() {
        assert_eq!([-2, -1, 0, 1, 2].map(|below| cells_within(2.0, below)), [2, 2, 2, 3, 5]);
        assert_eq!([1.0, 1.01, 1.9, 2.01].map(|reach| cells_within(reach, 0)), [1, 2, 2, 3]);
    }

    #[test]
    fn contacts_of_equal_particles_have_their_radius() {
        assert_eq!(contact_radius(0.5, 0.5), 0.5);
        assert!((contact_radius(0.1, 0.4) - 0.16).abs() < 1e-7);
    }
}
