//! Links: pairs of particles of a body that keep their distance.

use glam::{Vec3, Vec3Swizzles, Vec4, Vec4Swizzles};
use serde::{Deserialize, Serialize};

use crate::constraints::relaxation::{Averaging, divisor};

/// Pairs of particles of a body that are held at the distance they have in the rest shape.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Links {
    /// Numbers of two particles each.
    pub pairs: Vec<[u32; 2]>,
    /// How far a force stretches or shortens each, metres per newton; 0 is as stiff as the iterations get it.
    pub compliance: f32,
}

impl Links {
    /// What is wrong with them for a body of so many particles, if anything.
    pub(crate) fn problem(&self, count: usize) -> Option<&'static str> {
        let leads_somewhere = |&[a, b]: &[u32; 2]| a != b && (a.max(b) as usize) < count;
        if !self.pairs.iter().all(leads_somewhere) {
            Some("pairs of two different particles that exist")
        } else if !(self.compliance >= 0.0 && self.compliance.is_finite()) {
            Some("a compliance of 0 or more, metres per newton")
        } else {
            None
        }
    }
}

/// The links of every member, as both engines gather them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinkEnds {
    /// Where those of each member begin among `ends`; there is one more entry than members.
    pub starts: Vec<u32>,
    /// Twice the number of a link, and one more at its second member.
    pub ends: Vec<u32>,
    /// What the mass of each member is divided by, because all of its links count on it.
    pub divisors: Vec<f32>,
}

impl LinkEnds {
    /// Lists them; `rest` has the rest positions of all members.
    pub fn new(links: &[[u32; 2]], rest: &[Vec4]) -> Self {
        let mut starts = vec![0; rest.len() + 1];
        for &member in links.iter().flatten() {
            starts[member as usize + 1] += 1;
        }
        for member in 0..rest.len() {
            starts[member + 1] += starts[member];
        }
        let mut next = starts.clone();
        let mut ends = vec![0; 2 * links.len()];
        for (end, &member) in (0..).zip(links.iter().flatten()) {
            ends[next[member as usize] as usize] = end;
            next[member as usize] += 1;
        }
        let mut sums = vec![(Vec3::ZERO, Vec3::ZERO); rest.len()];
        for &link in links {
            let [a, b] = link.map(|member| rest[member as usize].xyz());
            let n = (b - a).normalize_or_zero();
            for member in link {
                let (diagonal, mixed) = &mut sums[member as usize];
                *diagonal += n * n;
                *mixed += n * n.yzx();
            }
        }
        let counts = starts.windows(2).map(|bounds| (bounds[1] - bounds[0]) as f32);
        let divisors = counts
            .zip(&sums)
            .map(|(count, &(diagonal, mixed))| divisor(Averaging::Directional, count, diagonal, mixed))
            .collect();
        Self { starts, ends, divisors }
    }

    /// The ends of the links of a member.
    pub fn of(&self, member: usize) -> &[u32] {
        &self.ends[self.starts[member] as usize..self.starts[member + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_member_finds_its_ends() {
        let rest = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].map(|place| place.extend(1.0));
        let ends = LinkEnds::new(&[[0, 1], [2, 0]], &rest);
        assert_eq!(ends.of(0), [0, 3]);
        assert_eq!(ends.of(1), [1]);
        assert_eq!(ends.of(2), [2]);
        assert!(ends.of(3).is_empty());
    }

    #[test]
    fn links_in_one_direction_share_the_mass_and_perpendicular_ones_do_not() {
        let rest = [Vec3::ZERO, Vec3::X, -Vec3::X, Vec3::Y].map(|place| place.extend(1.0));
        let divisor = |links: &[[u32; 2]]| LinkEnds::new(links, &rest).divisors[0];
        assert!((2.0..2.4).contains(&divisor(&[[0, 1], [0, 2]])));
        assert!(divisor(&[[0, 1], [0, 3]]) < 1.2);
    }
}
