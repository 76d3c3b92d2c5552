//! All joints of a tree of rigid bodies solved at once, in a time that grows with their number (articulated bodies,
//! Featherstone 1983; Baraff 1996).
//!
//! From the leaves to the root, each joint takes away from the mobility of the body above it what the bodies below do not follow;
//! from the root to the leaves, each then learns its impulse. It is elimination on the matrix of the joints, `J M⁻¹ Jᵀ`, without
//! any fill-in. Mobilities rather than inertias: what does not yield is zero, and a tree may be held at any number of places.
//!
//! What acts on the axis that a joint leaves free is one row more, eliminated after those that hold: it is on some piece of its
//! [`Law`], a place that it is held at or a slope, as long as that is where it ends up; otherwise the tree is solved again with the
//! piece where it does (a primal–dual active set, Hintermüller et al. 2002).

use glam::{Mat3, Vec3};

use super::axis::{Law, Piece};
use super::rigid::pseudo_inverse;
use super::spatial::{Spatial, SpatialTensor};

/// A body of a tree with all that hangs below it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Articulated {
    /// The displacement of its centre by an impulse there.
    pub mobility: SpatialTensor,
    /// How far it moves if nothing above it acts on it.
    pub free: Spatial,
}

/// A joint of a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// From the centre of the body above to the joint, and from that below, metres.
    pub arms: [Vec3; 2],
    /// How far the body above has to move against the one below.
    pub gap: Spatial,
    /// Projection on the axes about which it holds; zero for a ball joint.
    pub held: Mat3,
    /// Projection on the directions along which it holds; all but for a slider, or where only an axis acts.
    pub points: Mat3,
    /// What is added to the mobility about the axes that it holds, 1/(kg·m²): where they are dampers.
    pub yielding: f32,
    /// An impulse that it has in any case.
    pub given: Spatial,
    /// What acts on its axis.
    pub axis: Option<Axis>,
    /// What is added to the linear mobility so that what cannot move at all has an inverse too, 1/kg, and the same of the
    /// angular one as a share of it.
    sure: [f32; 2],
    /// Its impulse if nothing above acts, what that of its held rows is per displacement, and the mobility above before it acts.
    target: Spatial,
    stiffness: SpatialTensor,
    above: SpatialTensor,
    /// What it does to the body above, and the opposite to the one below.
    pub impulse: Spatial,
}

/// The free axis of a joint while it is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// How the body above moves against the one below.
    pub direction: Spatial,
    /// What acts on it.
    pub law: Law,
    /// How far it has moved in the sub-step, and with which impulse.
    pub displacement: f32,
    /// All of it so far, kg·m or kg·m².
    pub impulse: f32,
    /// The piece of the law that it is on; where it would be with nothing above, before it is known.
    pub piece: Option<Piece>,
    /// How far an impulse along it moves the bodies, that impulse with what the held rows do against it, its mobility with those,
    /// how far it moves without an impulse, its impulse if nothing above acts, and how much of that a displacement by what
    /// does takes away.
    across: Spatial,
    reaction: Spatial,
    mobility: f32,
    free: f32,
    given: f32,
    yields: f32,
    /// What is added to its displacement and its impulse.
    pub found: [f32; 2],
}

impl Axis {
    /// One that has moved and acted so far.
    pub fn new(direction: Spatial, law: Law, [displacement, impulse]: [f32; 2]) -> Self {
        Self {
            direction,
            law,
            displacement,
            impulse,
            piece: None,
            across: Spatial::ZERO,
            reaction: Spatial::ZERO,
            mobility: 0.0,
            free: 0.0,
            given: 0.0,
            yields: 0.0,
            found: [0.0; 2],
        }
    }

    /// Eliminates the row, given the mobility of the joint and the inverse of what is held.
    fn eliminate(&mut self, whole: &SpatialTensor, held: &SpatialTensor, share: f32) {
        self.across = whole.times(self.direction);
        self.reaction = self.direction - held.times(self.across);
        self.mobility = self
            .across
            .dot(self.reaction)
            .max(share * self.across.dot(self.direction));
    }

    /// Finds its impulse if nothing above acts, from those of what is held, and how far the bodies move without any.
    fn aim(&mut self, target: Spatial, free: Spatial) {
        self.free = self.direction.dot(free) + self.across.dot(target);
        if self.mobility <= 0.0 {
            (self.given, self.yields) = (0.0, 0.0);
            return;
        }
        let piece = *self.piece.get_or_insert_with(|| {
            self.law
                .meet(self.displacement + self.free, self.impulse, self.mobility)
                .0
        });
        let reached = self.displacement + self.free;
        (self.given, self.yields) = match piece {
            Piece::Hold(place) => ((place - reached) / self.mobility, 1.0 / self.mobility),
            Piece::Slide(extra) => {
                let slope = self.law.slope(self.mobility);
                let stiff = 1.0 / (1.0 + slope.stiffness * self.mobility);
                let wanted = slope.base + extra - self.impulse - slope.stiffness * reached;
                (stiff * wanted, stiff * slope.stiffness)
            }
        };
    }

    /// What comes of it when the body above is moved besides; says whether it stays on its piece.
    fn release(&mut self, moved: Spatial) -> bool {
        if self.mobility <= 0.0 {
            self.found = [0.0; 2];
            return true;
        }
        let besides = self.reaction.dot(moved);
        let impulse = self.given - self.yields * besides;
        self.found = [self.free + besides + self.mobility * impulse, impulse];
        let [further, more] = self.found;
        let (piece, _) = self
            .law
            .meet(self.displacement + further, self.impulse + more, self.mobility);
        self.piece.replace(piece) == Some(piece)
    }
}

impl Joint {
    /// One that does nothing.
    pub const NONE: Self = Self {
        arms: [Vec3::ZERO; 2],
        gap: Spatial::ZERO,
        held: Mat3::ZERO,
        points: Mat3::IDENTITY,
        yielding: 0.0,
        given: Spatial::ZERO,
        axis: None,
        sure: [0.0; 2],
        target: Spatial::ZERO,
        stiffness: SpatialTensor::ZERO,
        above: SpatialTensor::ZERO,
        impulse: Spatial::ZERO,
    };

    /// Closes a gap about the axes that a projection leaves, between bodies whose inverse masses have that sum, 1/kg. A share
    /// of mobility is added: `SURE`, or `SPARE` in a tree that is held in several places.
    pub fn new(gap: Spatial, held: Mat3, inverse_masses: f32, share: f32) -> Self {
        Self {
            gap,
            held,
            sure: [share * inverse_masses, share],
            ..Self::NONE
        }
    }

    /// On the way up: what the body above is with this joint and all below it.
    pub fn attach(&mut self, upper: &mut Articulated, lower: Option<&Articulated>) {
        let [arm, below] = self.arms;
        let own = upper.mobility.at(arm);
        let mut rest = lower.map_or(SpatialTensor::ZERO, |lower| lower.mobility.at(below));
        rest.along += Mat3::from_diagonal(Vec3::splat(self.sure[0]));
        self.above = own;
        let whole = own + rest;
        let mut held = whole;
        held.turning += Mat3::from_diagonal(Vec3::splat(self.yielding));
        self.stiffness = held.inverse(&self.points, &self.held, self.sure[1]);
        if let Some(axis) = &mut self.axis {
            axis.eliminate(&whole, &self.stiffness, self.sure[1]);
        }
        let counter = match self.given == Spatial::ZERO {
            true => Spatial::ZERO,
            false => whole.times(self.given),
        };
        self.aim(&mut upper.free, lower.map(|lower| lower.free), counter);
        let axis = self.axis.filter(|axis| axis.yields != 0.0);
        let is_point = self.held == Mat3::ZERO && self.points == Mat3::IDENTITY && axis.is_none();
        upper.mobility = if is_point {
            yielding(&own, &self.stiffness.along, &rest.along)
        } else {
            let stiffness = axis.map(|axis| self.stiffness.plus_outer(axis.reaction, axis.yields));
            reduced(&own, &stiffness.unwrap_or(self.stiffness))
        }
        .at(-arm);
    }

    /// The same where it was attached before and only its gap has changed: how far the body above moves with it.
    pub fn attach_again(&mut self, upper: &mut Spatial, lower: Option<Spatial>) {
        self.aim(upper, lower, Spatial::ZERO);
    }

    /// Its impulse if nothing above acts, with how far the bodies above and below move without it, and how far the impulse that
    /// it is given moves them.
    fn aim(&mut self, upper: &mut Spatial, lower: Option<Spatial>, counter: Spatial) {
        let [arm, below] = self.arms;
        let mut free = upper.displacement_at(arm);
        if let Some(lower) = lower {
            free = free - lower.displacement_at(below);
        }
        self.target = self.stiffness.times(self.gap - free - counter) + self.given;
        if let Some(axis) = &mut self.axis {
            axis.aim(self.target, free);
            self.target += axis.reaction.scaled(axis.given);
        }
        *upper += self.above.times(self.target).displacement_at(-arm);
    }

    /// On the way down: its impulse, from what acts on the body above besides it and the joints that were attached before it.
    /// Says whether its axis stays on the piece of its law that it was taken to be on.
    pub fn release(&mut self, acting: &mut Spatial) -> bool {
        let arm = self.arms[0];
        let moved = self.above.times(acting.impulse_from(-arm));
        self.impulse = self.target - self.stiffness.times(moved);
        if let Some(axis) = &self.axis {
            self.impulse += axis.reaction.scaled(-axis.yields * axis.reaction.dot(moved));
        }
        *acting += self.impulse.impulse_from(arm);
        self.axis.as_mut().is_none_or(|axis| axis.release(moved))
    }
}

/// `W − W S⁻¹ W` for the linear motion of one point, as `R S⁻¹ W` with `S = W + R`, which does not subtract what is nearly equal.
fn yielding(own: &SpatialTensor, stiffness: &Mat3, rest: &Mat3) -> SpatialTensor {
    let follows = *rest * *stiffness;
    let along = follows * own.along;
    SpatialTensor {
        along: (along + along.transpose()) * 0.5,
        cross: own.cross * follows.transpose(),
        turning: own.turning - own.cross * *stiffness * own.cross.transpose(),
    }
}

/// `W − W S⁻¹ W` with all blocks.
fn reduced(own: &SpatialTensor, stiffness: &SpatialTensor) -> SpatialTensor {
    let (across, back) = (own.cross.transpose(), stiffness.cross.transpose());
    let follows = [
        stiffness.along * own.along + back * own.cross,
        stiffness.along * across + back * own.turning,
        stiffness.cross * own.along + stiffness.turning * own.cross,
        stiffness.cross * across + stiffness.turning * own.turning,
    ];
    SpatialTensor {
        along: own.along - (own.along * follows[0] + across * follows[2]),
        cross: own.cross - (own.cross * follows[0] + own.turning * follows[2]),
        turning: own.turning - (own.cross * follows[1] + own.turning * follows[3]),
    }
}

/// How points that are held together share a torque: those of one joint, relative to their middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// `(Σ |s|² − s sᵀ)⁺` over the points, 1/m².
    inverse: Mat3,
    /// Projection on the axes about which they hold: none for one point, all but their line for two.
    pub held: Mat3,
}

impl Spread {
    /// That of a single point, which bears no torque.
    pub const POINT: Self = Self {
        inverse: Mat3::ZERO,
        held: Mat3::ZERO,
    };

    /// Of points relative to their middle, metres.
    pub fn new(points: impl Iterator<Item = Vec3>) -> Self {
        let mut spread = Mat3::ZERO;
        for point in points {
            let square = Mat3::from_diagonal(Vec3::splat(point.length_squared()));
            spread += square - Mat3::from_cols(point * point.x, point * point.y, point * point.z);
        }
        if spread.x_axis.x + spread.y_axis.y + spread.z_axis.z < SAME_POINT {
            return Self::POINT;
        }
        let inverse = pseudo_inverse(&spread);
        Self {
            inverse,
            held: inverse * spread,
        }
    }

    /// The turn that moves points at `s` by `d`, nearly, from the sum of `s × d`.
    pub fn turn(&self, moment: Vec3) -> Vec3 {
        self.inverse * moment
    }

    /// The part of a torque that a point at `s` bears.
    pub fn part(&self, torque: Vec3, point: Vec3) -> Vec3 {
        (self.inverse * torque).cross(point)
    }
}

/// Times that a tree is solved at once until what acts on the axes of its joints is on the right pieces of their laws. Most are
/// after one or two; the next iteration goes on from where it is.
pub const PASSES: u32 = 4;

/// Cosine of half of how far a body may turn, 0.05 radians, before the mobilities of its tree are worked out anew. Until then
/// joints close what gaps there are with those that they have: the gap that is left is smaller by as much, and the
/// next iteration has it.
pub const SAME_TURN: f32 = 0.999_687_5;

/// How far joints turn a body at once, radians: they are worked out for small turns.
pub const LARGEST_TURN: f32 = 1.0;

/// The share of its mobility that is added to a joint in a tree that is held in several places. Such a tree may be held more
/// often than it needs to be; joints would then pull against each other with all that rounding leaves between them.
pub const SPARE: f32 = 1e-2;

/// Points that are no further apart, squared metres, hold like one.
pub const SAME_POINT: f32 = 1e-10;

#[cfg(test)]
mod tests {
    use super::*;

    /// Bodies in a row, joined at their ends, the first one to the world; ends are to move by these gaps.
    fn solve_chain(held: Mat3, gaps: &[Spatial]) -> Vec<Spatial> {
        let inertia = Mat3::from_diagonal(Vec3::new(30.0, 20.0, 25.0));
        let start = Articulated {
            mobility: SpatialTensor::of_body(0.5, inertia),
            free: Spatial::ZERO,
        };
        let mut bodies = vec![start; gaps.len()];
        let arm = Vec3::new(0.3, 0.05, 0.0);
        let joint = |&gap| Joint {
            arms: [arm, -arm],
            ..Joint::new(gap, held, 1.0, 1e-6)
        };
        // The last body is the root; joint k has body k below it, joint 0 the world.
        let mut joints: Vec<Joint> = gaps.iter().map(joint).collect();
        joints[0].arms[0] = -arm;
        for k in 0..gaps.len() {
            if k == 0 {
                joints[0].attach(&mut bodies[0], None);
            } else {
                let lower = bodies[k - 1];
                joints[k].attach(&mut bodies[k], Some(&lower));
            }
        }
        let mut moved = vec![Spatial::ZERO; gaps.len()];
        for k in (0..gaps.len()).rev() {
            let mut acting = joints
                .get(k + 1)
                .map_or(Spatial::ZERO, |above| (-above.impulse).impulse_from(above.arms[1]));
            joints[k].release(&mut acting);
            moved[k] = start.mobility.times(acting);
        }
        let point = |k: usize, arm| moved[k].displacement_at(arm);
        (0..gaps.len())
            .map(|k| match k {
                0 => point(0, -arm),
                _ => point(k, arm) - point(k - 1, -arm),
            })
            .collect()
    }

    #[test]
    fn all_gaps_of_a_chain_are_closed_at_once() {
        let gaps: Vec<Spatial> = (0..8)
            .map(|k| Spatial {
                linear: Vec3::new(0.01, -0.02, 0.005 * k as f32),
                angular: Vec3::new(0.0, 0.01, -0.003 * k as f32),
            })
            .collect();
        let hinge = Mat3::from_diagonal(Vec3::new(1.0, 1.0, 0.0));
        for held in [Mat3::ZERO, hinge, Mat3::IDENTITY] {
            for (gap, closed) in gaps.iter().zip(solve_chain(held, &gaps)) {
                let left = *gap - closed;
                assert!(left.linear.length() < 1e-4, "{held}: {left:?}");
                assert!((held * left.angular).length() < 1e-3, "{held}: {left:?}");
            }
        }
    }

    #[test]
    fn two_points_hold_about_all_axes_but_their_own_and_share_the_torque() {
        let points = [Vec3::new(0.2, 0.0, 0.0), Vec3::new(-0.2, 0.0, 0.0)];
        let hinge = Spread::new(points.into_iter());
        assert!(
            hinge
                .held
                .abs_diff_eq(Mat3::from_diagonal(Vec3::new(0.0, 1.0, 1.0)), 1e-5)
        );
        let torque = Vec3::new(0.0, 3.0, -1.0);
        let sum: Vec3 = points.iter().map(|&point| point.cross(hinge.part(torque, point))).sum();
        assert!((sum - torque).length() < 1e-4);
        assert_eq!(Spread::new([Vec3::ZERO].into_iter()), Spread::POINT);
    }
}
