//! Rows one after the other, as in a rope, tightened all at once: the tension that runs along all of it is the error that iterations
//! find slowest, and a chain of equations finds it in one pass.
//!
//! What each row lacks is known, and each shares a particle with the next, so that the impulses which close all of them together solve a tridiagonal
//! system (the direct solve of Goldenthal et al. 2007, fast projection, along one line). Two things are not as linear as that:
//!
//! * Ropes pull and do not push. What would push keeps what it has, and the others are solved once more without it.
//! * The impulses also pull every particle towards the line between its neighbours, and on what is light and taut far beyond it: sideways a tension T
//!   holds the particles of a rope as springs of stiffness T over the length of a segment do, and a sub-step may be too long for these. So
//!   what moves particles sideways is found by an implicit step of these springs (the geometric stiffness of Tournier et al. 2015, evened out over directions),
//!   another tridiagonal system, which keeps momentum.

use std::ops::{Add, Mul};

use glam::Vec3;

use super::distance::SAME_PLACE;

/// A row of a strand, between a particle and the next.
#[derive(Clone, Copy, Debug, Default)]
pub struct Link {
    /// From the first to the second, metres.
    pub way: Vec3,
    /// What its length should be, metres.
    pub rest: f32,
    /// Compliance divided by the square of the sub-step, 1/kg; below zero for a row that does nothing.
    pub compliance: f32,
    /// What it has done so far in the sub-step, kg·m. Positive impulses push apart.
    pub impulse: f32,
}

impl Link {
    /// How long it is or should be, metres.
    fn reach(&self) -> f32 {
        self.rest.max(self.way.length())
    }

    /// How much longer it should be, metres.
    fn lacks(&self) -> f32 {
        self.rest - self.way.length() - self.compliance * self.impulse
    }
}

/// An equation of a tridiagonal system: `(sum + before + after) x = wanted + before · x of the one before + after · x of the one after`.
///
/// The sum of the row is kept and not its diagonal. It is what a heavy weight adds to a long and light strand, far below the rounding of a diagonal, and elimination makes
/// sums of it that lose nothing.
#[derive(Clone, Copy, Debug, Default)]
struct Equation<T> {
    sum: f32,
    before: f32,
    after: f32,
    wanted: T,
}

/// Solves the equations from first to last and back, and leaves the answers in `wanted`.
fn eliminate<T>(equations: &mut [Equation<T>])
where
    T: Copy + Add<Output = T> + Mul<f32, Output = T>,
{
    for i in 0..equations.len() {
        if i > 0 {
            let above = equations[i - 1];
            let equation = &mut equations[i];
            let part = equation.before / (above.sum + above.after);
            equation.sum += part * above.sum;
            equation.wanted = equation.wanted + above.wanted * part;
        }
    }
    for i in (0..equations.len()).rev() {
        let below = equations.get(i + 1).map(|below| below.wanted);
        let equation = &mut equations[i];
        if let Some(below) = below {
            equation.wanted = equation.wanted + below * equation.after;
        }
        equation.wanted = equation.wanted * (1.0 / (equation.sum + equation.after));
    }
}

/// What tightening a strand takes and comes to; kept from one to the next.
#[derive(Clone, Debug, Default)]
pub struct Strand {
    /// One row after the other.
    pub links: Vec<Link>,
    /// Inverse masses of its particles, one more than links, 1/kg.
    pub mobilities: Vec<f32>,
    /// Changes of the impulses of links, kg·m.
    pub changes: Vec<f32>,
    /// Where the particles move, metres.
    pub moves: Vec<Vec3>,
    units: Vec<Vec3>,
    /// The links whose changes are not asked for.
    is_held: Vec<bool>,
    along: Vec<Equation<f32>>,
    sideways: Vec<Equation<Vec3>>,
}

/// What keeps the tension of a straight strand between two pins, of which nothing can move, from being infinite: links count on so much more than
/// their masses.
pub const YIELDS: f32 = 1e-8;

/// By how many of its lengths a link would move its own particles at most, if these were not held by others: what cancels beyond is rounding.
pub const MOST: f32 = 1e4;

/// How far the ends of a link move past each other at once, over its length.
pub const TURN: f32 = 0.5;

/// The part of what is asked for that may be had.
fn part_of(most: f32, asked: f32) -> f32 {
    if asked > most { most / asked } else { 1.0 }
}

impl Strand {
    /// Makes room for some links, and has them all do nothing.
    pub fn resize(&mut self, links: usize) {
        let idle = Link {
            compliance: -1.0,
            ..Link::default()
        };
        self.links.clear();
        self.links.resize(links, idle);
        self.mobilities.clear();
        self.mobilities.resize(links + 1, 0.0);
    }

    /// Finds `changes` and `moves` of the links as they are.
    pub fn tighten(&mut self) {
        let count = self.links.len();
        self.units.clear();
        let unit = |link: &Link| link.way / link.way.length().max(SAME_PLACE);
        self.units.extend(self.links.iter().map(unit));
        self.changes.clear();
        self.changes.resize(count, 0.0);
        self.moves.clear();
        self.moves.resize(count + 1, Vec3::ZERO);
        self.is_held.clear();
        for (link, pair) in self.links.iter().zip(self.mobilities.windows(2)) {
            let yields = pair[0] + pair[1] + link.compliance > 0.0;
            self.is_held
                .push(link.compliance < 0.0 || !yields || link.way.length() <= SAME_PLACE);
        }
        if self.solve() {
            self.solve();
        }
        if self.changes.iter().all(|&change| change == 0.0) {
            return;
        }
        let part = self.tellable();
        self.scale(part);
        self.move_along();
        self.even_out();
        let part = self.straight();
        self.scale(part);
        self.moves.iter_mut().for_each(|moved| *moved *= part);
    }

    /// Solves for the changes of all links that are not held at theirs, and holds those that would push. Says whether there are any.
    fn solve(&mut self) -> bool {
        let mut equations = std::mem::take(&mut self.along);
        equations.clear();
        equations.extend((0..self.links.len()).map(|i| self.equation(i)));
        eliminate(&mut equations);
        let mut pushes = false;
        for (i, equation) in equations.iter().enumerate() {
            if self.is_held[i] {
                continue;
            }
            let most = (-self.links[i].impulse).max(0.0);
            self.changes[i] = equation.wanted.min(most);
            if equation.wanted > most {
                // What is too long itself may pull once those beside it do not push.
                self.is_held[i] = self.links[i].lacks() >= 0.0;
                pushes = true;
            }
        }
        self.along = equations;
        pushes
    }

    fn scale(&mut self, part: f32) {
        self.changes.iter_mut().for_each(|change| *change *= part);
    }

    /// How far to go with all changes so that numbers can tell their differences.
    fn tellable(&self) -> f32 {
        let mobilities = self.mobilities.windows(2).map(|pair| pair[0] + pair[1]);
        let each = self.links.iter().zip(&self.changes).zip(mobilities);
        each.map(|((link, change), mobility)| part_of(MOST * link.reach(), change.abs() * mobility))
            .fold(1.0, f32::min)
    }

    /// How far to go with all moves so that no link is turned around, of which equations that are straight know nothing: what is folded would fly apart.
    fn straight(&self) -> f32 {
        let each = self.links.iter().zip(&self.units).zip(self.moves.windows(2));
        each.map(|((link, unit), moves)| {
            let apart = moves[1] - moves[0];
            let along = apart.dot(*unit);
            let aside = (apart - along * *unit).length();
            let room = TURN * link.reach();
            part_of(room, aside).min(part_of(link.way.length() + room, -along))
        })
        .fold(1.0, f32::min)
    }

    /// What closes a link, by the changes of it and of those beside it.
    fn equation(&self, i: usize) -> Equation<f32> {
        if self.is_held[i] {
            return Equation {
                sum: 1.0,
                wanted: self.changes[i],
                ..Equation::default()
            };
        }
        let link = &self.links[i];
        let [w, next] = [self.mobilities[i], self.mobilities[i + 1]];
        let mut equation = Equation {
            sum: link.compliance + YIELDS * (w + next),
            wanted: link.lacks(),
            ..Equation::default()
        };
        let mut meet = |beside: Option<usize>, mobility: f32| {
            let Some(beside) = beside.filter(|&beside| beside < self.links.len()) else {
                equation.sum += mobility;
                return 0.0;
            };
            let (unit, other) = (self.units[i], self.units[beside]);
            let shared = mobility * unit.dot(other);
            if self.is_held[beside] {
                equation.sum += mobility;
                equation.wanted += shared * self.changes[beside];
                return 0.0;
            }
            // 1 − cos, without losing it where they are nearly in line.
            equation.sum += 0.5 * mobility * unit.distance_squared(other);
            shared
        };
        let before = meet(i.checked_sub(1), w);
        let after = meet(Some(i + 1), next);
        (equation.before, equation.after) = (before, after);
        equation
    }

    /// Moves the particles as the impulses would.
    fn move_along(&mut self) {
        for (i, (unit, change)) in self.units.iter().zip(&self.changes).enumerate() {
            let push = *change * *unit;
            self.moves[i] -= self.mobilities[i] * push;
            self.moves[i + 1] += self.mobilities[i + 1] * push;
        }
    }

    /// Evens out what moves particles sideways, by an implicit step of springs as stiff as the links are taut.
    fn even_out(&mut self) {
        let count = self.links.len();
        let stiffness = |i: usize| {
            let (link, change) = (&self.links[i], self.changes[i]);
            let tension = (-link.impulse).max(-link.impulse - change).max(0.0);
            tension / link.way.length().max(SAME_PLACE)
        };
        let mut equations = std::mem::take(&mut self.sideways);
        equations.clear();
        let mut before = 0.0;
        for (i, moved) in self.moves.iter_mut().enumerate() {
            let after = if i < count { stiffness(i) } else { 0.0 };
            let w = self.mobilities[i];
            let units = [i.checked_sub(1), Some(i)].map(|link| self.units.get(link?));
            let way: Vec3 = units.into_iter().flatten().sum();
            let along = moved.project_onto_normalized(way.normalize_or_zero());
            equations.push(Equation {
                sum: 1.0,
                before: w * before,
                after: w * after,
                wanted: *moved - along,
            });
            *moved = along;
            before = after;
        }
        eliminate(&mut equations);
        for (moved, equation) in self.moves.iter_mut().zip(&equations) {
            *moved += equation.wanted;
        }
        self.sideways = equations;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A strand through some places, between particles of some inverse masses, whose links should be as long as that.
    fn strand(places: &[Vec3], mobilities: &[f32], rest: f32) -> Strand {
        let mut strand = Strand::default();
        strand.resize(places.len() - 1);
        strand.mobilities.copy_from_slice(mobilities);
        for (link, pair) in strand.links.iter_mut().zip(places.windows(2)) {
            (link.way, link.rest, link.compliance) = (pair[1] - pair[0], rest, 0.0);
        }
        strand
    }

    fn row_of(count: usize, spacing: f32) -> Vec<Vec3> {
        (0..count).map(|i| spacing * i as f32 * Vec3::X).collect()
    }

    #[test]
    fn a_weight_ten_thousand_times_as_heavy_is_held_at_once() {
        let mut places = row_of(101, 1.0);
        places[100].x += 0.5;
        let mut mobilities = [1e4; 101];
        (mobilities[0], mobilities[100]) = (0.0, 1.0);
        let mut strand = strand(&places, &mobilities, 1.0);
        strand.tighten();
        assert!((strand.moves[100].x + 0.5).abs() < 0.01, "{}", strand.moves[100]);
        assert!(
            strand.changes.iter().all(|change| (change + 0.5).abs() < 0.01),
            "{:?}",
            strand.changes
        );
    }

    #[test]
    fn momentum_stays_whatever_the_shape() {
        let places: Vec<Vec3> = (0..40)
            .map(|i| Vec3::new((0.7 * i as f32).sin(), (1.3 * i as f32).cos(), 0.1 * i as f32))
            .collect();
        let mobilities: Vec<f32> = (0..40).map(|i| 1.0 + (i % 7) as f32).collect();
        let mut strand = strand(&places, &mobilities, 0.6);
        strand.tighten();
        let momentum: Vec3 = strand.moves.iter().zip(&mobilities).map(|(moved, w)| *moved / *w).sum();
        let size: f32 = strand
            .moves
            .iter()
            .zip(&mobilities)
            .map(|(moved, w)| moved.length() / w)
            .sum();
        assert!(size > 1.0 && momentum.length() < 1e-5 * size, "{momentum} of {size}");
    }

    #[test]
    fn nothing_pushes_and_what_pulled_lets_go() {
        let mut slack = strand(&row_of(10, 0.9), &[1.0; 10], 1.0);
        slack.tighten();
        assert!(
            slack.changes.iter().all(|&change| change == 0.0) && slack.moves.iter().all(|&moved| moved == Vec3::ZERO)
        );
        slack.links[4].impulse = -0.001;
        slack.tighten();
        let changes: Vec<f32> = slack.changes.clone();
        assert_eq!(changes[4], 0.001);
        assert!(
            changes.iter().enumerate().all(|(i, &change)| i == 4 || change <= 0.0),
            "{changes:?}"
        );
        // One that is too long among those that are too short moves none but its own particles.
        let mut places = row_of(10, 0.9);
        places.iter_mut().skip(5).for_each(|place| place.x += 0.5);
        let mut one = strand(&places, &[1.0; 10], 1.0);
        one.tighten();
        let moved: Vec<usize> = (0..10).filter(|&i| one.moves[i] != Vec3::ZERO).collect();
        assert_eq!(moved, [4, 5]);
    }

    /// A taut string that is plucked does not gain, however long the sub-step: explicit springs would double within a few of them.
    #[test]
    fn what_is_taut_does_not_overshoot_sideways() {
        let mut places = row_of(21, 1.0);
        for (i, place) in places.iter_mut().enumerate() {
            place.y = if i % 2 == 1 && i < 20 { 1e-3 } else { 0.0 };
        }
        places[20].x += 0.2;
        let mut mobilities = [1000.0; 21];
        (mobilities[0], mobilities[20]) = (0.0, 1.0);
        let mut strand = strand(&places, &mobilities, 1.0);
        strand.tighten();
        for (i, (moved, place)) in strand.moves.iter().zip(&places).enumerate() {
            assert!(
                (moved.y + place.y).abs() <= 1e-3,
                "{i}: {} to {}",
                place.y,
                place.y + moved.y
            );
        }
    }

    #[test]
    fn between_two_pins_where_nothing_helps_all_stays_finite() {
        let mut mobilities = [1.0; 30];
        (mobilities[0], mobilities[29]) = (0.0, 0.0);
        let mut strand = strand(&row_of(30, 1.1), &mobilities, 1.0);
        strand.tighten();
        assert!(
            strand.moves.iter().all(|moved| moved.length() < 0.1),
            "{:?}",
            strand.moves
        );
        assert!(strand.changes.iter().all(|change| change.is_finite()));
    }

    #[test]
    fn rows_that_do_nothing_part_a_strand() {
        let mut mobilities = [1.0; 10];
        mobilities[0] = 0.0;
        let mut parted = strand(&row_of(10, 1.1), &mobilities, 1.0);
        parted.links[4].compliance = -1.0;
        parted.tighten();
        assert_eq!(parted.changes[4], 0.0);
        assert!((parted.moves[4].x + 0.4).abs() < 1e-3, "{:?}", parted.moves);
        let second: Vec3 = parted.moves[5..].iter().sum();
        assert!(second.length() < 1e-5);
    }

    #[test]
    fn a_strand_of_no_links_or_at_one_place_does_nothing() {
        let mut strand = Strand::default();
        for links in [0, 5] {
            strand.resize(links);
            strand
                .links
                .iter_mut()
                .for_each(|link| (link.compliance, link.rest) = (0.0, 1.0));
            strand.mobilities.fill(1.0);
            strand.tighten();
            assert!(strand.moves.iter().all(|&moved| moved == Vec3::ZERO));
        }
    }
}
