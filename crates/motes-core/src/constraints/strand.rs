//! Rows one after the other, as in a rope, tightened all at once: the tension that runs along all of it is the error that iterations
//! find slowest, and a chain of equations finds it in one pass.
//!
//! What each row lacks is known, and each shares a particle with the next, so that the impulses which close all of them together solve a tridiagonal
//! system (the direct solve of Goldenthal et al. 2007, fast projection, along one line). Three things are not as linear as that:
//!
//! * Ropes pull and do not push. What would push keeps what it has, and the others are solved once more without it.
//! * The impulses also pull every particle towards the line between its neighbours, and on what is light and taut far beyond it: sideways a tension T
//!   holds the particles of a rope as springs of stiffness T over the length of a segment do, and a sub-step may be too long for these. So
//!   what moves particles sideways is found by an implicit step of these springs (the geometric stiffness of Tournier et al. 2015, evened out over directions),
//!   another tridiagonal system, which keeps momentum.
//! * What is taken back of a length within a sub-step becomes speed, and links may be turned around on the way: [`shortest`] and [`TURN`] bound both.
//!
//! Eight strands are worked on side by side, each for itself, for vector code.

use std::array::from_fn;

use super::distance::SAME_PLACE;

/// Strands side by side.
pub const SIDE: usize = 8;

/// A number of each of the strands side by side.
pub type Side = [f32; SIDE];

/// A vector of each.
pub type Sides = [Side; 3];

/// A row of each of some strands, between a particle and the next.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// From the first to the second, metres.
    pub way: Sides,
    /// What its length should be, metres.
    pub rest: Side,
    /// Compliance divided by the square of the sub-step, 1/kg; below zero for a row that does nothing.
    pub compliance: Side,
    /// What it has done so far in the sub-step, kg·m. Positive impulses push apart.
    pub impulse: Side,
    /// What it is not shortened below, metres: see [`shortest`].
    pub shortest: Side,
}

/// What a link is not shortened below in a sub-step of `h` seconds, that started so long and with its ends parting at a speed, metres. A length that is too
/// great without the tension for it was not paid for with work: taken back at once it would come as speed, and throw a load up again that a slack rope has caught. So
/// links shorten as fast as their ends part or close already, or as [`CLOSING`] has it.
#[inline(always)]
pub fn shortest(rest: f32, length_at_start: f32, parting: f32, h: f32) -> f32 {
    let over = (length_at_start - rest).max(0.0);
    length_at_start - h * parting.abs().max(CLOSING * over)
}

/// How much of what is too long a link takes back in a second. What swings on a rope that yields may have up to as many radians per second.
pub const CLOSING: f32 = 20.0;

impl Link {
    /// Rows that do nothing.
    pub const IDLE: Self = Self {
        way: [[0.0; SIDE]; 3],
        rest: [0.0; SIDE],
        compliance: [-1.0; SIDE],
        impulse: [0.0; SIDE],
        shortest: [0.0; SIDE],
    };
}

/// What is made of a link to begin with.
#[derive(Clone, Copy, Debug)]
struct Made {
    unit: Sides,
    length: Side,
    /// How much longer it should be, metres, and the compliance with which that is found, 1/kg.
    lacks: Side,
    compliance: Side,
    /// How long it is or should be, metres.
    reach: Side,
    /// Its change is not asked for.
    is_held: [bool; SIDE],
}

/// An equation of a tridiagonal system: `(sum + before + after) x = wanted + before · x of the one before + after · x of the one after`.
///
/// The sum of the row is kept and not its diagonal. It is what a heavy weight adds to a long and light strand, far below the rounding of a diagonal, and elimination makes
/// sums of it that lose nothing.
#[derive(Clone, Copy, Debug)]
struct Equation<const N: usize> {
    sum: Side,
    before: Side,
    after: Side,
    wanted: [Side; N],
}

/// Solves the equations from first to last and back, and leaves the answers in `wanted`.
#[inline(always)]
fn eliminate<const N: usize>(equations: &mut [Equation<N>]) {
    for i in 1..equations.len() {
        let above = equations[i - 1];
        let equation = &mut equations[i];
        let part: Side = from_fn(|k| equation.before[k] / (above.sum[k] + above.after[k]));
        equation.sum = from_fn(|k| equation.sum[k] + part[k] * above.sum[k]);
        for (wanted, above) in equation.wanted.iter_mut().zip(&above.wanted) {
            *wanted = from_fn(|k| wanted[k] + part[k] * above[k]);
        }
    }
    let mut below = [[0.0; SIDE]; N];
    for equation in equations.iter_mut().rev() {
        let inverse: Side = from_fn(|k| 1.0 / (equation.sum[k] + equation.after[k]));
        for (wanted, below) in equation.wanted.iter_mut().zip(&below) {
            *wanted = from_fn(|k| (wanted[k] + equation.after[k] * below[k]) * inverse[k]);
        }
        below = equation.wanted;
    }
}

#[inline(always)]
fn dot(a: &Sides, b: &Sides) -> Side {
    from_fn(|k| a[0][k] * b[0][k] + a[1][k] * b[1][k] + a[2][k] * b[2][k])
}

#[inline(always)]
fn difference(a: &Sides, b: &Sides) -> Sides {
    from_fn(|axis| from_fn(|k| a[axis][k] - b[axis][k]))
}

/// What keeps the tension of a straight strand between two pins, of which nothing can move, from being infinite: links count on so much more than
/// their masses.
pub const YIELDS: f32 = 1e-8;

/// By how many of its lengths a link would move its own particles at most, if these were not held by others: what cancels beyond is rounding.
pub const MOST: f32 = 1e4;

/// How far the ends of a link move past each other at once, over its length.
pub const TURN: f32 = 0.5;

/// The part of what is asked for that may be had.
#[inline(always)]
fn part_of(most: f32, asked: f32) -> f32 {
    if asked > most { most / asked } else { 1.0 }
}

/// Some strands side by side: what tightening them takes and comes to, kept from one time to the next. Shorter ones end in links that do nothing.
#[derive(Clone, Debug, Default)]
pub struct Strands {
    /// One row after the other.
    pub links: Vec<Link>,
    /// Inverse masses of their particles, one more than links, 1/kg.
    pub mobilities: Vec<Side>,
    /// Changes of the impulses of links, kg·m.
    pub changes: Vec<Side>,
    /// Where the particles move, metres.
    pub moves: Vec<Sides>,
    made: Vec<Made>,
    along: Vec<Equation<1>>,
    sideways: Vec<Equation<3>>,
}

impl Strands {
    /// Makes room for strands of at most so many links, which do nothing.
    pub fn resize(&mut self, links: usize) {
        self.links.clear();
        self.links.resize(links, Link::IDLE);
        self.mobilities.clear();
        self.mobilities.resize(links + 1, [0.0; SIDE]);
    }

    /// Memory, bytes.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Link>() * self.links.capacity()
            + size_of::<Side>() * (self.mobilities.capacity() + self.changes.capacity())
            + size_of::<Sides>() * self.moves.capacity()
            + size_of::<Made>() * self.made.capacity()
            + size_of::<Equation<1>>() * self.along.capacity()
            + size_of::<Equation<3>>() * self.sideways.capacity()
    }

    /// Finds `changes` and `moves` of the links as they are.
    #[inline(always)]
    pub fn tighten(&mut self) {
        let count = self.links.len();
        self.changes.clear();
        self.changes.resize(count, [0.0; SIDE]);
        self.moves.clear();
        self.moves.resize(count + 1, [[0.0; SIDE]; 3]);
        self.make();
        if self.solve() {
            self.solve();
        }
        if self.changes.iter().flatten().all(|&change| change == 0.0) {
            return;
        }
        let part = self.tellable();
        self.scale(&part);
        self.move_along();
        self.even_out();
        let part = self.straight();
        self.scale(&part);
        for moved in self.moves.iter_mut().flatten() {
            *moved = from_fn(|k| moved[k] * part[k]);
        }
    }

    #[inline(always)]
    fn make(&mut self) {
        self.made.clear();
        let pairs = self.mobilities.windows(2);
        self.made.extend(self.links.iter().zip(pairs).map(|(link, pair)| {
            let squared = dot(&link.way, &link.way);
            let length: Side = from_fn(|k| squared[k].sqrt());
            let inverse: Side = from_fn(|k| 1.0 / length[k].max(SAME_PLACE));
            let yields: Side = from_fn(|k| pair[0][k] + pair[1][k] + link.compliance[k]);
            Made {
                unit: from_fn(|axis| from_fn(|k| link.way[axis][k] * inverse[k])),
                length,
                lacks: from_fn(|k| link.rest[k] - length[k] - link.compliance[k] * link.impulse[k]),
                compliance: link.compliance,
                reach: from_fn(|k| link.rest[k].max(length[k])),
                is_held: from_fn(|k| (link.compliance[k] < 0.0) | (yields[k] <= 0.0) | (length[k] <= SAME_PLACE)),
            }
        }));
    }

    /// Solves for the changes of all links that are not held at theirs; holds those that would push, and has those no shorter than they may be that would be. Says whether there are any.
    #[inline(always)]
    fn solve(&mut self) -> bool {
        let mut equations = std::mem::take(&mut self.along);
        equations.clear();
        equations.extend((0..self.links.len()).map(|i| self.equation(i)));
        eliminate(&mut equations);
        let mut again = false;
        for (i, equation) in equations.iter().enumerate() {
            let (link, made, changes) = (&self.links[i], &mut self.made[i], &mut self.changes[i]);
            for (k, change) in changes.iter_mut().enumerate() {
                let (found, most) = (equation.wanted[0][k], (-link.impulse[k]).max(0.0));
                let was_held = made.is_held[k];
                let pushes = !was_held & (found > most);
                *change = if was_held { *change } else { found.min(most) };
                // What is too long itself may pull once those beside it do not push.
                made.is_held[k] = was_held | (pushes & (made.lacks[k] >= 0.0));
                // Where its tension would have it shorter than that it is as long as that.
                let yields = made.compliance[k].max(0.0) * (link.impulse[k] + *change);
                let shortens = !was_held & !pushes & (link.rest[k] - yields < link.shortest[k]);
                made.lacks[k] = if shortens {
                    link.shortest[k] - made.length[k]
                } else {
                    made.lacks[k]
                };
                made.compliance[k] = if shortens { 0.0 } else { made.compliance[k] };
                again |= pushes | shortens;
            }
        }
        self.along = equations;
        again
    }

    /// What closes a link, by the changes of it and of those beside it.
    #[inline(always)]
    fn equation(&self, i: usize) -> Equation<1> {
        let made = &self.made[i];
        let [w, next] = [&self.mobilities[i], &self.mobilities[i + 1]];
        let own: Side = from_fn(|k| made.compliance[k] + YIELDS * (w[k] + next[k]));
        let [sum_before, wanted_before, before] = self.meet(i, i.checked_sub(1), w);
        let [sum_after, wanted_after, after] = self.meet(i, Some(i + 1), next);
        let sum: Side = from_fn(|k| own[k] + sum_before[k] + sum_after[k]);
        let wanted: Side = from_fn(|k| made.lacks[k] + wanted_before[k] + wanted_after[k]);
        let (held, changes) = (&made.is_held, &self.changes[i]);
        Equation {
            sum: from_fn(|k| if held[k] { 1.0 } else { sum[k] }),
            before: from_fn(|k| if held[k] { 0.0 } else { before[k] }),
            after: from_fn(|k| if held[k] { 0.0 } else { after[k] }),
            wanted: [from_fn(|k| if held[k] { changes[k] } else { wanted[k] })],
        }
    }

    /// What the particle between a link and another means for the equation of the one: for the sum of its row, for what it wants, and what it takes of the other.
    #[inline(always)]
    fn meet(&self, link: usize, beside: Option<usize>, mobility: &Side) -> [Side; 3] {
        let Some(beside) = beside.filter(|&beside| beside < self.made.len()) else {
            return [*mobility, [0.0; SIDE], [0.0; SIDE]];
        };
        let (made, other, changes) = (&self.made[link], &self.made[beside], &self.changes[beside]);
        let along = dot(&made.unit, &other.unit);
        // 1 − cos, without losing it where they are nearly in line.
        let apart = difference(&made.unit, &other.unit);
        let bent = dot(&apart, &apart);
        let held = &other.is_held;
        let sum = from_fn(|k| mobility[k] * if held[k] { 1.0 } else { 0.5 * bent[k] });
        let crossing: Side = from_fn(|k| mobility[k] * along[k]);
        let wanted = from_fn(|k| if held[k] { crossing[k] * changes[k] } else { 0.0 });
        [sum, wanted, from_fn(|k| if held[k] { 0.0 } else { crossing[k] })]
    }

    #[inline(always)]
    fn scale(&mut self, part: &Side) {
        for change in &mut self.changes {
            *change = from_fn(|k| change[k] * part[k]);
        }
    }

    /// How far to go with all changes so that numbers can tell their differences.
    #[inline(always)]
    fn tellable(&self) -> Side {
        let mut part = [1.0f32; SIDE];
        for ((made, change), pair) in self.made.iter().zip(&self.changes).zip(self.mobilities.windows(2)) {
            let asked: Side = from_fn(|k| change[k].abs() * (pair[0][k] + pair[1][k]));
            part = from_fn(|k| part[k].min(part_of(MOST * made.reach[k], asked[k])));
        }
        part
    }

    /// How far to go with all moves so that no link is turned around, of which equations that are straight know nothing: what is folded would fly apart.
    #[inline(always)]
    fn straight(&self) -> Side {
        let mut part = [1.0f32; SIDE];
        for ((made, link), moves) in self.made.iter().zip(&self.links).zip(self.moves.windows(2)) {
            let apart = difference(&moves[1], &moves[0]);
            let along = dot(&apart, &made.unit);
            let aside: Sides = from_fn(|axis| from_fn(|k| apart[axis][k] - along[k] * made.unit[axis][k]));
            let squared = dot(&aside, &aside);
            for k in 0..SIDE {
                let room = TURN * made.reach[k];
                let sideways = part_of(room, squared[k].sqrt());
                let most = sideways.min(part_of(made.length[k] + room, -along[k]));
                part[k] = part[k].min(if link.compliance[k] < 0.0 { 1.0 } else { most });
            }
        }
        part
    }

    /// Moves the particles as the impulses would.
    #[inline(always)]
    fn move_along(&mut self) {
        let mut before = [[0.0; SIDE]; 3];
        for (i, moved) in self.moves.iter_mut().enumerate() {
            let after: Sides = match (self.made.get(i), self.changes.get(i)) {
                (Some(made), Some(change)) => from_fn(|axis| from_fn(|k| change[k] * made.unit[axis][k])),
                _ => [[0.0; SIDE]; 3],
            };
            let w = &self.mobilities[i];
            *moved = from_fn(|axis| from_fn(|k| w[k] * (before[axis][k] - after[axis][k])));
            before = after;
        }
    }

    /// Evens out what moves particles sideways, by an implicit step of springs as stiff as the links are taut.
    #[inline(always)]
    fn even_out(&mut self) {
        let count = self.links.len();
        let mut equations = std::mem::take(&mut self.sideways);
        equations.clear();
        let (mut before, mut unit_before) = ([0.0; SIDE], [[0.0; SIDE]; 3]);
        for i in 0..=count {
            let (mut after, mut unit) = ([0.0; SIDE], [[0.0; SIDE]; 3]);
            if i < count {
                let (impulse, made, change) = (&self.links[i].impulse, &self.made[i], &self.changes[i]);
                let tension: Side = from_fn(|k| (-impulse[k]).max(-impulse[k] - change[k]).max(0.0));
                after = from_fn(|k| tension[k] / made.length[k].max(SAME_PLACE));
                unit = made.unit;
            }
            let sum: Sides = from_fn(|axis| from_fn(|k| unit_before[axis][k] + unit[axis][k]));
            let squared = dot(&sum, &sum);
            let moved = &mut self.moves[i];
            let forward = dot(moved, &sum);
            // Along the middle of both links.
            let share: Side = from_fn(|k| forward[k] / squared[k].max(SAME_PLACE));
            let along: Sides = from_fn(|axis| from_fn(|k| share[k] * sum[axis][k]));
            let w = &self.mobilities[i];
            equations.push(Equation {
                sum: [1.0; SIDE],
                before: from_fn(|k| w[k] * before[k]),
                after: from_fn(|k| w[k] * after[k]),
                wanted: difference(moved, &along),
            });
            *moved = along;
            (before, unit_before) = (after, unit);
        }
        eliminate(&mut equations);
        for (moved, equation) in self.moves.iter_mut().zip(&equations) {
            *moved = from_fn(|axis| from_fn(|k| moved[axis][k] + equation.wanted[axis][k]));
        }
        self.sideways = equations;
    }
}

#[cfg(test)]
mod tests;
