//! Shape matching (Müller et al. 2005; Unified §5, eq. 15–16): the rigid motion that brings a rest shape closest to where
//! its particles have gone.
//!
//! The rotation is the one that Newton's method on `tr(RᵀA)` reaches from a guess, mostly that of the sub-step before: one
//! or two steps. Where the problem is flat, linear or inverted, Newton's matrix is kept positive, so that every step
//! goes uphill and what the particles do not determine stays as it was.

use glam::{Mat3, Mat3A, Quat, Vec3, Vec3A};

use super::rigid::eigen;

/// Sums over particles from which their best rigid motion follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// Σ m, kg.
    pub mass: f32,
    /// Σ m x.
    pub places: Vec3A,
    /// Σ m r.
    pub rests: Vec3A,
    /// Σ m x rᵀ.
    pub products: Mat3A,
}

impl Moments {
    /// Those of nothing.
    pub const ZERO: Self = Self {
        mass: 0.0,
        places: Vec3A::ZERO,
        rests: Vec3A::ZERO,
        products: Mat3A::ZERO,
    };

    /// Adds a particle of a mass, kg, at a place, metres, whose rest position is `rest`. Places are best given relative
    /// to something near.
    #[inline(always)]
    pub fn add(&mut self, mass: f32, place: Vec3A, rest: Vec3A) {
        let weighted = mass * rest;
        self.mass += mass;
        self.places += mass * place;
        self.rests += weighted;
        self.products.x_axis += place * weighted.x;
        self.products.y_axis += place * weighted.y;
        self.products.z_axis += place * weighted.z;
    }

    /// Adds the sums of other particles.
    pub fn merge(&mut self, other: &Self) {
        self.mass += other.mass;
        self.places += other.places;
        self.rests += other.rests;
        self.products += other.products;
    }

    /// Centres of mass of the places and of the rest positions; zero where there is no mass.
    pub fn centers(&self) -> (Vec3, Vec3) {
        let per_mass = if self.mass > 0.0 { 1.0 / self.mass } else { 0.0 };
        ((self.places * per_mass).into(), (self.rests * per_mass).into())
    }

    /// A of eq. 16, about both centres.
    pub fn covariance(&self) -> Mat3 {
        let (center, _) = self.centers();
        let [x, y, z] = self.rests.to_array();
        Mat3::from(self.products) - Mat3::from_cols(center * x, center * y, center * z)
    }
}

/// Newton's matrix is kept this far, compared with its size, from losing its inverse.
pub const LEAST: f32 = 1e-4;
/// Steps at most; a guess that is 90° off takes five or six.
pub const STEPS: usize = 20;
/// A twist smaller than this, compared with the size of the matrix, is rounding.
pub const LEVEL: f32 = 1e-6;

/// The rotation Q that makes `tr(QᵀA)` largest, from a guess.
pub fn rotation(covariance: &Mat3, guess: Quat) -> Quat {
    let mut here = Slope::new(covariance, guess);
    for _ in 0..STEPS {
        let turn = match here.step() {
            Some(step) => step,
            None => match here.way_out() {
                Some(turn) => return Slope::new(covariance, here.rotation * turn).climb(covariance),
                None => return here.rotation,
            },
        };
        here = here.walk(covariance, turn);
    }
    here.rotation
}

/// A Newton step this small, radians, leaves less than rounding would.
pub const EXACT: f32 = 1e-3;
/// One this large may lead anywhere.
pub const FAR: f32 = 0.3;

/// The same from a guess that is mostly near, in less time: plain steps of Newton's method, unless they turn out to be long or not to lead upward.
#[inline]
pub fn rotation_near(covariance: &Mat3A, guess: Quat) -> Quat {
    let mut found = guess;
    for _ in 0..4 {
        let a = Mat3A::from_quat(found).transpose() * *covariance;
        let (x, y, z) = (a.x_axis, a.y_axis, a.z_axis);
        let twist = Vec3A::new(y.z - z.y, z.x - x.z, x.y - y.x);
        let both = a + a.transpose();
        let trace = x.x + y.y + z.z;
        let size = both.x_axis.length_squared() + both.y_axis.length_squared() + both.z_axis.length_squared();
        let size = 0.5 * size.sqrt();
        let leads_up = trace - size > LEAST * size;
        if !leads_up {
            break;
        }
        let newton = Mat3A::from_diagonal(Vec3::splat(trace)) - both * 0.5;
        let step = newton.inverse() * twist;
        let squared = step.length_squared();
        let is_near = squared < FAR * FAR;
        if !is_near {
            break;
        }
        let half = 0.5 * step;
        found = (found * Quat::from_xyzw(half.x, half.y, half.z, 1.0)).normalize();
        if squared < EXACT * EXACT {
            return found;
        }
    }
    rotation(&Mat3::from(*covariance), guess)
}

/// How `tr(QᵀA)` rises around a rotation.
struct Slope {
    rotation: Quat,
    trace: f32,
    /// The symmetric part of QᵀA: its diagonal and its elements xy, yz, zx.
    diagonal: Vec3,
    mixed: Vec3,
    /// Axis of the other part.
    twist: Vec3,
    size: f32,
}

impl Slope {
    fn new(covariance: &Mat3, rotation: Quat) -> Self {
        let rotation = rotation.normalize();
        let a = Mat3::from_quat(rotation).transpose() * *covariance;
        let (x, y, z) = (a.x_axis, a.y_axis, a.z_axis);
        let diagonal = Vec3::new(x.x, y.y, z.z);
        let mixed = 0.5 * Vec3::new(y.x + x.y, z.y + y.z, x.z + z.x);
        Self {
            rotation,
            trace: diagonal.element_sum(),
            diagonal,
            mixed,
            twist: Vec3::new(y.z - z.y, z.x - x.z, x.y - y.x),
            size: (diagonal.dot(diagonal) + 2.0 * mixed.dot(mixed)).sqrt(),
        }
    }

    fn scale(&self) -> f32 {
        self.size.max(self.twist.length())
    }

    fn matrix(diagonal: Vec3, mixed: Vec3) -> Mat3 {
        Mat3::from_cols(
            Vec3::new(diagonal.x, mixed.x, mixed.z),
            Vec3::new(mixed.x, diagonal.y, mixed.y),
            Vec3::new(mixed.z, mixed.y, diagonal.z),
        )
    }

    /// Newton's step, radians; none where it is level.
    fn step(&self) -> Option<Vec3> {
        let scale = self.scale();
        if !(scale > f32::MIN_POSITIVE && scale.is_finite() && self.twist.length() > LEVEL * scale) {
            return None;
        }
        let lift = (LEAST * scale - (self.trace - self.size)).max(0.0);
        let newton = Self::matrix(Vec3::splat(self.trace + lift) - self.diagonal, -self.mixed);
        Some((newton.inverse() * self.twist).clamp_length_max(2.0))
    }

    /// Goes a step, or as much of it as leads upward.
    fn walk(self, covariance: &Mat3, mut step: Vec3) -> Self {
        for _ in 0..4 {
            let half = 0.5 * step;
            let next = Self::new(covariance, self.rotation * Quat::from_xyzw(half.x, half.y, half.z, 1.0));
            if next.trace >= self.trace - LEVEL * self.scale() {
                return next;
            }
            step *= 0.25;
        }
        self
    }

    /// Half a turn that leads up from where it is level but not highest.
    fn way_out(&self) -> Option<Quat> {
        if self.trace >= self.size * (1.0 - LEVEL) || !self.size.is_finite() {
            return None;
        }
        let (values, axes) = eigen(&Self::matrix(self.diagonal, self.mixed));
        let others = Vec3::splat(self.trace) - values;
        let lowest = others.min_element();
        if lowest >= -1e-3 * self.size {
            return None;
        }
        let axis = if others.x == lowest {
            axes.x_axis
        } else if others.y == lowest {
            axes.y_axis
        } else {
            axes.z_axis
        };
        Some(Quat::from_xyzw(axis.x, axis.y, axis.z, 0.0))
    }

    /// Goes on until it is level.
    fn climb(mut self, covariance: &Mat3) -> Quat {
        for _ in 0..STEPS {
            match self.step() {
                Some(step) => self = self.walk(covariance, step),
                None => break,
            }
        }
        self.rotation
    }
}

/// Stiffness of a shape against its deformation (Müller et al. 2005) in a sub-step of `h` seconds, as a compliance (XPBD,
/// Macklin et al. 2016): each particle is drawn to its goal as by a spring with its own mass times a rate, 1/s². This is that
/// rate times h².
///
/// A stiffness between 0 and 1 is the share of a deformation that is undone in a sixtieth of a second: a rate of
/// `−2 ln(1 − stiffness)` per square of that, which undoes half of it times the square of the time to begin with. Below zero
/// it is a rate, 1/s², itself. 1 is [`FIRM`].
pub fn gain(stiffness: f32, h: f32) -> f32 {
    let gain = match stiffness {
        rate if rate < 0.0 => -rate * h * h,
        share if share < 1.0 => -2.0 * (-share).ln_1p() * (60.0 * h) * (60.0 * h),
        _ => FIRM,
    };
    gain.min(FIRM)
}

/// The share between 0 and 1 that a stiffness comes to.
pub fn as_share(stiffness: f32) -> f32 {
    if stiffness < 0.0 {
        -(stiffness / 7200.0).exp_m1()
    } else {
        stiffness
    }
}

/// The gain of what gives way to nothing: one more is the same number.
pub const FIRM: f32 = 1e9;

/// The largest gain of a body that bends, in sub-steps of so many iterations: what is stiffer is as stiff as that.
///
/// A sub-step begins with the forces that its start calls for. A mode of which a share λ is out of shape is moved by λ times
/// the gain by them; each iteration leaves at most 1 − λ of what is wrong with that. At its worst, with λ = 1/(n + 1), a step is
/// stable while what is left is below 4; this keeps to a quarter of it, because contacts come in between.
pub fn largest_gain(iterations: u32) -> f32 {
    let n = iterations as f32;
    (n + 1.0) * (1.0 + 1.0 / n.max(1.0)).powf(n)
}

/// How far the shape of a body, and those of its clusters, pull at its particles in a sub-step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Firmness {
    /// Gains of the whole and of the clusters.
    gains: [f32; 2],
}

impl Firmness {
    /// Of the stiffness of the whole and of the clusters, in sub-steps of `h` seconds.
    pub fn new(stiffness: [f32; 2], h: f32, iterations: u32) -> Self {
        let gains = stiffness.map(|stiffness| gain(stiffness, h));
        let most = largest_gain(iterations);
        let scale = match gains[0] < FIRM {
            true => most / (gains[0] + gains[1]).max(most),
            false => 1.0,
        };
        Self {
            gains: gains.map(|gain| scale * gain),
        }
    }

    /// How far a particle is pulled that is so far from the goals of the whole and of its clusters when a sub-step begins. A
    /// body at rest then stays as it is, however few the iterations.
    #[inline(always)]
    pub fn start(&self, gaps: [Vec3; 2]) -> Vec3 {
        self.gains[0] * gaps[0] + self.gains[1] * gaps[1]
    }

    /// What is missing of the pull at a particle that was pulled so far already: an iteration of implicit Euler, each particle
    /// for itself (XPBD, eq. 18). With the goals held, it is exact; as they are the best for where the particles are, it
    /// never leads to a higher energy, whatever the stiffness.
    #[inline(always)]
    pub fn change(&self, gaps: [Vec3; 2], pulled: Vec3) -> Vec3 {
        let [whole, clusters] = self.gains;
        let yields = 1.0 + whole + clusters;
        (whole / yields) * gaps[0] + (clusters / yields) * gaps[1] - pulled / yields
    }

    /// Whether it keeps its shape as a whole, whatever pulls at it.
    pub fn is_firm(&self) -> bool {
        self.gains[0] >= FIRM
    }
}

/// The share of a plastic deformation that becomes the shape in `h` seconds, if it is `creep` in a sixtieth of one.
pub fn share(creep: f32, h: f32) -> f32 {
    if creep >= 1.0 {
        return 1.0;
    }
    1.0 - (1.0 - creep).powf(60.0 * h)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use proptest::prelude::*;

    fn moments(rest: &[Vec3], places: &[Vec3]) -> Moments {
        let mut moments = Moments::ZERO;
        for (k, (&rest, &place)) in rest.iter().zip(places).enumerate() {
            moments.add(1.0 + 0.1 * k as f32, place.into(), rest.into());
        }
        moments
    }

    fn points(count: usize, stretch: Vec3, seed: u64) -> Vec<Vec3> {
        let mut random = Random::new(seed, 0);
        (0..count)
            .map(|_| stretch * Vec3::new(random.signed(), random.signed(), random.signed()))
            .collect()
    }

    /// How far the match of a rest shape is from where its particles are.
    fn miss(rest: &[Vec3], places: &[Vec3], guess: Quat) -> f32 {
        let moments = moments(rest, places);
        let (center, rest_center) = moments.centers();
        let rotation = rotation(&moments.covariance(), guess);
        rest.iter()
            .zip(places)
            .map(|(&r, &x)| (rotation * (r - rest_center) + center - x).length())
            .fold(0.0, f32::max)
    }

    fn any_rotation() -> impl Strategy<Value = Quat> {
        prop::array::uniform4(-1.0f32..1.0)
            .prop_filter("a direction", |q| q.iter().map(|x| x * x).sum::<f32>() > 0.01)
            .prop_map(|q| Quat::from_array(q).normalize())
    }

    proptest! {
        #[test]
        fn a_rigid_motion_is_found_from_any_guess(turn in any_rotation(), guess in any_rotation(), seed in 0u64..1000) {
            let rest = points(20, Vec3::new(1.0, 0.7, 0.4), seed);
            let places: Vec<_> = rest.iter().map(|&r| turn * r + Vec3::new(3.0, -2.0, 1.0)).collect();
            prop_assert!(miss(&rest, &places, guess) < 2e-4);
        }

        #[test]
        fn from_a_near_guess_it_is_the_same(turn in any_rotation(), off in prop::array::uniform3(-0.3f32..0.3), seed in 0u64..1000) {
            let rest = points(20, Vec3::new(1.0, 0.7, 0.4), seed);
            let places: Vec<_> = rest.iter().map(|&r| turn * r * 1.1).collect();
            let covariance = moments(&rest, &places).covariance();
            let guess = turn * Quat::from_scaled_axis(off.into());
            let found = rotation_near(&covariance.into(), guess);
            // The angle between them is rounded to this much.
            let apart = found.inverse() * rotation(&covariance, guess);
            prop_assert!(2.0 * apart.xyz().length() < 1e-3);
        }

        #[test]
        fn flat_and_linear_shapes_are_matched_too(turn in any_rotation(), guess in any_rotation(), seed in 0u64..1000) {
            for stretch in [Vec3::new(1.0, 0.7, 0.0), Vec3::new(1.0, 0.0, 0.0), Vec3::ZERO] {
                let rest = points(8, stretch, seed);
                let places: Vec<_> = rest.iter().map(|&r| turn * r).collect();
                prop_assert!(miss(&rest, &places, guess) < 5e-4, "{}", miss(&rest, &places, guess));
            }
        }

        #[test]
        fn whatever_the_matrix_the_rotation_is_one_and_no_worse_than_the_guess(
            columns in prop::array::uniform9(-1.0f32..1.0), guess in any_rotation()
        ) {
            let a = Mat3::from_cols_array(&columns);
            let found = rotation(&a, guess);
            prop_assert!((found.length() - 1.0).abs() < 1e-5);
            let gain = |q: Quat| (Mat3::from_quat(q).transpose() * a).to_cols_array().iter().step_by(4).sum::<f32>();
            prop_assert!(gain(found) >= gain(guess) - 1e-4);
        }
    }

    #[test]
    fn a_near_guess_takes_two_steps() {
        let rest = points(44, Vec3::new(0.3, 0.2, 0.25), 3);
        let turn = Quat::from_rotation_y(0.02);
        let places: Vec<_> = rest.iter().map(|&r| turn * r).collect();
        let a = moments(&rest, &places).covariance();
        let here = Slope::new(&a, Quat::IDENTITY);
        let step = here.step().expect("a slope");
        let near = here.walk(&a, step);
        assert!(near.rotation.angle_between(turn) < 1e-3);
        let step = near.step().expect("a slope");
        assert!(near.walk(&a, step).step().is_none());
        let single = Slope::new(&Mat3::ZERO, Quat::IDENTITY);
        assert!(single.step().is_none(), "a single particle has nothing to go by");
    }

    #[test]
    fn half_a_turn_is_found_though_the_slope_is_zero_there() {
        let rest = points(20, Vec3::new(1.0, 0.7, 0.4), 1);
        for turn in [Quat::from_rotation_x, Quat::from_rotation_y, Quat::from_rotation_z] {
            let turn = turn(std::f32::consts::PI);
            let places: Vec<_> = rest.iter().map(|&r| turn * r).collect();
            assert!(miss(&rest, &places, Quat::IDENTITY) < 1e-4);
        }
    }

    #[test]
    fn a_stiffness_is_the_same_rate_whatever_the_step() {
        let rate = |h: f32| gain(0.4, h) / (h * h);
        assert!((rate(1.0 / 60.0) / rate(1.0 / 480.0) - 1.0).abs() < 1e-5);
        // Half the rate times the square of the time, to begin with.
        assert!((0.5 * gain(0.01, 1.0 / 60.0) - 0.01).abs() < 1e-4);
        assert!((gain(-3600.0, 1.0 / 60.0) - 1.0).abs() < 1e-5);
        assert_eq!(gain(1.0, 0.01), FIRM);
        assert_eq!(FIRM / (1.0 + FIRM), 1.0);
        assert_eq!(gain(0.0, 0.01), 0.0);
    }

    #[test]
    fn a_particle_at_rest_under_a_load_is_left_alone() {
        for (stiffness, iterations) in [([0.0, 0.4], 1), ([0.2, 0.9], 4), ([0.0, 1.0], 8)] {
            let firmness = Firmness::new(stiffness, 1.0 / 120.0, iterations);
            let gaps = [Vec3::new(0.01, 0.0, 0.0), Vec3::new(0.0, 0.02, 0.01)];
            let pulled = firmness.start(gaps);
            assert!(firmness.change(gaps, pulled).length() < 1e-6);
        }
        let rigid = Firmness::new([1.0, 0.0], 0.01, 4);
        assert_eq!(rigid.change([Vec3::X; 2], Vec3::ZERO), Vec3::X);
    }

    #[test]
    fn a_spring_of_any_stiffness_comes_to_rest_where_its_load_is_carried() {
        // One particle, whose goal stays where it is: gaps are its own place.
        for (rate, substeps) in [(500.0, 2), (500.0, 16), (40_000.0, 4)] {
            let h = 1.0 / (60 * substeps) as f32;
            let firmness = Firmness::new([0.0, -rate], h, 4);
            let (mut place, mut velocity) = (Vec3::ZERO, Vec3::ZERO);
            for _ in 0..20 * 60 * substeps {
                let gap = |place: Vec3| [Vec3::ZERO, -place];
                let mut pulled = firmness.start(gap(place));
                let mut next = place + h * velocity - Vec3::Y * 9.81 * h * h + pulled;
                for _ in 0..4 {
                    let change = firmness.change(gap(next), pulled);
                    next += change;
                    pulled += change;
                }
                velocity = (next - place) / h;
                place = next;
            }
            assert!(
                (place.y * rate / -9.81 - 1.0).abs() < 0.01,
                "{place} at {rate}, {substeps}"
            );
        }
    }
}
