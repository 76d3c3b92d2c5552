//! Turning without loss: what shape matching alone gives away.
//!
//! Particles that fly straight along the tangents of a turn are matched to a smaller angle, and chords are shorter than
//! arcs: a body at 10 rad/s would lose a quarter per cent of its spin in each sub-step of 1/120 s. Here a body turns by
//! its angular momentum, with the inertia of the middle of the sub-step, and the same momentum is read off its turn
//! afterwards; without contacts nothing is lost.

use glam::{Mat3, Mat3A, Quat, Vec3, Vec3A};

use crate::space::pose::Pose;

/// How a body turns in a sub-step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spin {
    /// Angular momentum, kg·m²/s.
    pub angular_momentum: Vec3,
    /// Angular velocity at the start, rad/s.
    pub velocity: Vec3,
    /// The turn, axis times angle.
    pub turn: Vec3,
}

impl Spin {
    /// The turn of a body with that rotation, inverse inertia in its own frame and angular momentum, in `h` seconds.
    pub fn new(rotation: Quat, inverse_inertia: &Mat3, angular_momentum: Vec3, h: f32) -> Self {
        let velocity = turned(inverse_inertia, rotation) * angular_momentum;
        let mut middle = velocity;
        for _ in 0..4 {
            let half = Quat::from_scaled_axis(0.5 * h * middle);
            middle = turned(inverse_inertia, half * rotation) * angular_momentum;
        }
        Self {
            angular_momentum,
            velocity,
            turn: h * middle,
        }
    }
}

/// Angular velocity, rad/s, at the end of `h` seconds in which a body turned from one rotation to another.
pub fn angular_velocity(rotations: [Quat; 2], inertia: &Mat3, inverse_inertia: &Mat3, h: f32) -> Vec3 {
    let [from, to] = rotations;
    let turn = arc(to * from.conjugate());
    let middle = Quat::from_scaled_axis(0.5 * turn) * from;
    let angular_momentum = turned(inertia, middle) * (turn / h);
    turned(inverse_inertia, to) * angular_momentum
}

/// Angular momentum times time, kg·m², that turns a body from one rotation to another.
pub fn angular_impulse(rotations: [Quat; 2], inertia: &Mat3) -> Vec3 {
    let [from, to] = rotations;
    let turn = arc(to * from.conjugate());
    turned(inertia, Quat::from_scaled_axis(0.5 * turn) * from) * turn
}

/// Where that turns a body to.
pub fn turned_by(rotation: Quat, inverse_inertia: &Mat3, angular_impulse: Vec3) -> Quat {
    let spin = Spin::new(rotation, inverse_inertia, angular_impulse, 1.0);
    (Quat::from_scaled_axis(spin.turn) * rotation).normalize()
}

/// A pose moved by a distance, metres, and turned by axis times angle.
pub fn moved(pose: Pose, distance: Vec3, turn: Vec3) -> Pose {
    Pose {
        position: pose.position + distance,
        rotation: (Quat::from_scaled_axis(turn) * pose.rotation).normalize(),
    }
}

/// What rounding does to a number that several operations lead to, compared with it: four units in the last place.
pub const ROUNDING: f32 = 4.0 * f32::EPSILON;

/// How far something is from where a rigid body has it; zero if not further than rounding numbers of that `size` takes it.
#[inline]
pub fn beyond_rounding(off: Vec3, size: f32) -> Vec3 {
    if off.abs().max_element() > ROUNDING * size {
        off
    } else {
        Vec3::ZERO
    }
}

/// A tensor of the body's frame along the axes of the world.
pub fn turned(tensor: &Mat3, rotation: Quat) -> Mat3 {
    let rotation = Mat3::from_quat(rotation);
    rotation * *tensor * rotation.transpose()
}

/// Axis times angle of a rotation, by the shorter way; exact for small angles too.
pub fn arc(rotation: Quat) -> Vec3 {
    let rotation = if rotation.w < 0.0 { -rotation } else { rotation };
    let axis = Vec3::new(rotation.x, rotation.y, rotation.z);
    let length = axis.length();
    if length < 1e-12 {
        return 2.0 * axis;
    }
    axis * (2.0 * length.atan2(rotation.w) / length)
}

/// Moves of a rigid body per impulse, summed over its contacts: `M⁻¹ Σ JᵀJ` with `J = (n, r × n)`, as four blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mobility {
    blocks: [Mat3A; 3],
}

impl Mobility {
    /// That of no contacts.
    pub const ZERO: Self = Self {
        blocks: [Mat3A::ZERO; 3],
    };

    /// Adds contacts at a place that is `arm` from the centre; their normals add up to `Σ n nᵀ`.
    #[inline]
    pub fn add(&mut self, arm: Vec3A, normals: &Mat3A) {
        let cross = Mat3A::from_cols(arm.cross(Vec3A::X), arm.cross(Vec3A::Y), arm.cross(Vec3A::Z));
        let turning = cross * *normals;
        self.blocks[0] += *normals;
        self.blocks[1] += turning;
        self.blocks[2] += turning * cross.transpose();
    }

    /// A sum of this and another, each taken so many times.
    pub fn mixed(&self, times: f32, other: &Self, times_other: f32) -> Self {
        let block = |k: usize| self.blocks[k] * times + other.blocks[k] * times_other;
        Self {
            blocks: [block(0), block(1), block(2)],
        }
    }

    /// Effective inverse mass of each of the contacts, 1/kg, with which all together do not overshoot: the largest
    /// eigenvalue, at most a quarter high, of a body with that inverse mass and inverse inertia.
    pub fn largest(&self, inverse_mass: f32, inverse_inertia: &Mat3A) -> f32 {
        let [along, turning, about] = self.blocks;
        let whole = [
            along * inverse_mass,
            turning.transpose() * inverse_mass,
            *inverse_inertia * turning,
            *inverse_inertia * about,
        ];
        let size = whole[0].x_axis.x + whole[0].y_axis.y + whole[0].z_axis.z;
        if size <= 0.0 {
            return 0.0;
        }
        // Powers get out of the range of numbers quickly.
        let whole = whole.map(|block| block * (1.0 / size));
        let squared = product(&whole, &whole);
        let [a, b, c, d] = product(&squared, &squared);
        let trace_of = |x: &Mat3A, y: &Mat3A| {
            let y = y.transpose();
            x.x_axis.dot(y.x_axis) + x.y_axis.dot(y.y_axis) + x.z_axis.dot(y.z_axis)
        };
        let eighth = trace_of(&a, &a) + 2.0 * trace_of(&b, &c) + trace_of(&d, &d);
        size * eighth.max(0.0).sqrt().sqrt().sqrt()
    }
}

fn product(a: &[Mat3A; 4], b: &[Mat3A; 4]) -> [Mat3A; 4] {
    [
        a[0] * b[0] + a[1] * b[2],
        a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3],
    ]
}

/// Eigenvalues of a tensor that are smaller than this, compared with the largest, count as zero.
pub const LEAST_INERTIA: f32 = 1e-4;

/// The inverse of a symmetric tensor without negative eigenvalues; zero along axes where it is next to nothing.
pub fn pseudo_inverse(tensor: &Mat3) -> Mat3 {
    let (values, axes) = eigen(tensor);
    let least = LEAST_INERTIA * values.max_element();
    let inverse = values
        .to_array()
        .map(|value| if value > least { 1.0 / value } else { 0.0 });
    axes * Mat3::from_diagonal(Vec3::from_array(inverse)) * axes.transpose()
}

/// Inertia tensor of a mass, kg, at the end of an arm, metres.
pub fn point_inertia(mass: f32, arm: Vec3) -> Mat3 {
    let products = Mat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
    (Mat3::from_diagonal(Vec3::splat(arm.length_squared())) - products) * mass
}

/// Eigenvalues and unit eigenvectors, as columns, of a symmetric matrix, by Jacobi's rotations.
pub fn eigen(matrix: &Mat3) -> (Vec3, Mat3) {
    let mut rows = matrix.to_cols_array_2d().map(|column| column.map(f64::from));
    let mut axes = glam::DMat3::IDENTITY;
    for _ in 0..8 {
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            if rows[i][j] == 0.0 {
                continue;
            }
            let theta = (rows[j][j] - rows[i][i]) / (2.0 * rows[i][j]);
            let tangent = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
            let sine = tangent * cosine;
            for row in &mut rows {
                let (a, b) = (row[i], row[j]);
                (row[i], row[j]) = (cosine * a - sine * b, sine * a + cosine * b);
            }
            let (a, b) = (rows[i], rows[j]);
            rows[i] = [0, 1, 2].map(|k| cosine * a[k] - sine * b[k]);
            rows[j] = [0, 1, 2].map(|k| sine * a[k] + cosine * b[k]);
            let (a, b) = (axes.col(i), axes.col(j));
            *axes.col_mut(i) = cosine * a - sine * b;
            *axes.col_mut(j) = sine * a + cosine * b;
        }
    }
    let values = Vec3::new(rows[0][0] as f32, rows[1][1] as f32, rows[2][2] as f32);
    (values, axes.as_mat3())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvectors_rebuild_the_matrix() {
        let matrix = Mat3::from_cols(
            Vec3::new(2.0, -1.0, 0.5),
            Vec3::new(-1.0, 3.0, 0.2),
            Vec3::new(0.5, 0.2, -1.0),
        );
        let (values, axes) = eigen(&matrix);
        let rebuilt = axes * Mat3::from_diagonal(values) * axes.transpose();
        assert!(rebuilt.abs_diff_eq(matrix, 1e-5));
        assert!(
            pseudo_inverse(&Mat3::from_diagonal(Vec3::new(2.0, 4.0, 0.0)))
                .abs_diff_eq(Mat3::from_diagonal(Vec3::new(0.5, 0.25, 0.0)), 1e-6)
        );
    }

    #[test]
    fn contacts_share_a_body_as_its_stiffest_motion_demands() {
        // A plate of 8 kg with inertia 0.04 kg·m² on four feet: lifting it takes 4/8, tilting it 4 · 0.05² / 0.04.
        let mut mobility = Mobility::ZERO;
        let upright = Mat3A::from_diagonal(Vec3::Y);
        for (x, z) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
            mobility.add(0.05 * Vec3A::new(x, -1.0, z), &upright);
        }
        let found = mobility.largest(1.0 / 8.0, &Mat3A::from_diagonal(Vec3::splat(25.0)));
        assert!((0.5..0.52).contains(&found), "{found}");
        let mut one = Mobility::ZERO;
        one.add(Vec3A::new(0.05, -0.05, 0.05), &upright);
        let found = one.largest(1.0 / 8.0, &Mat3A::from_diagonal(Vec3::splat(25.0)));
        assert!((found - (1.0 / 8.0 + 25.0 * 0.005)).abs() < 1e-5, "{found}");
    }

    #[test]
    fn a_free_body_keeps_its_angular_momentum_and_energy() {
        let inertia = Mat3::from_diagonal(Vec3::new(1.0, 2.0, 3.5));
        let inverse = inertia.inverse();
        let momentum = Vec3::new(3.0, 40.0, 5.0);
        let (mut rotation, mut kept, h) = (Quat::from_rotation_x(0.4), momentum, 1.0 / 120.0);
        let energy = |rotation: Quat, l: Vec3| 0.5 * l.dot(turned(&inverse, rotation) * l);
        let before = energy(rotation, momentum);
        for _ in 0..1200 {
            let spin = Spin::new(rotation, &inverse, kept, h);
            let next = (Quat::from_scaled_axis(spin.turn) * rotation).normalize();
            let velocity = angular_velocity([rotation, next], &inertia, &inverse, h);
            kept = turned(&inertia, next) * velocity;
            rotation = next;
        }
        assert!((kept - momentum).length() < 2e-3 * momentum.length(), "{kept}");
        assert!((energy(rotation, kept) / before - 1.0).abs() < 5e-3);
    }

    #[test]
    fn small_and_large_arcs_come_back() {
        for turn in [
            Vec3::new(1e-7, 0.0, 0.0),
            Vec3::new(0.1, -0.2, 0.3),
            Vec3::new(0.0, 3.0, 0.0),
        ] {
            assert!((arc(Quat::from_scaled_axis(turn)) - turn).length() < 1e-6 * turn.length().max(0.3));
            assert!((arc(-Quat::from_scaled_axis(turn)) - turn).length() < 1e-6 * turn.length().max(0.3));
        }
    }
}
