//! Masses of the particles, changed as little as possible so that mass, centre and inertia are those of the mesh.

use glam::{DMat3, DVec3, Vec3};

use super::MassProperties;

/// What the masses are made to match, beyond the total.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Match {
    Center,
    /// Centre and inertia, with no mass changed by more than a factor.
    Inertia(f64),
}

impl Match {
    /// For particles that lie as they like.
    pub(super) const FREELY: Self = Self::Inertia(4.0);
    /// For the even lattice of a box, in which a light particle would be a weak spot of a stack.
    pub(super) const MILDLY: Self = Self::Inertia(2.0);
}

/// Terms that a mass may depend on: constant, linear and quadratic in the position.
const TERMS: usize = 10;

/// Attempts at the moments within the bounds on the factors.
const ATTEMPTS: usize = 12;

/// Scales the masses to the expected total, and adjusts each by a factor that is a quadratic function of its place, the
/// smallest change that gives the expected moments (least squares with Lagrange multipliers).
pub(super) fn adjust(positions: &[Vec3], shares: &[f64], expected: &MassProperties, wanted: Match) -> Vec<f32> {
    let base: Vec<f64> = scaled(shares, expected).into_iter().map(f64::from).collect();
    let gyration = (expected.inertia.x_axis.x + expected.inertia.y_axis.y + expected.inertia.z_axis.z) / expected.mass;
    let unit = gyration.sqrt().max(f64::MIN_POSITIVE);
    let terms: Vec<[f64; TERMS]> = positions
        .iter()
        .map(|position| terms((position.as_dvec3() - expected.center) / unit))
        .collect();
    let (count, most) = match wanted {
        Match::Center => (4, 4.0),
        Match::Inertia(most) => (TERMS, most),
    };
    let targets = targets(expected, unit);
    let mut masses = base.clone();
    for _ in 0..ATTEMPTS {
        let mut missing = targets;
        for (mass, terms) in masses.iter().zip(&terms) {
            (0..count).for_each(|k| missing[k] -= mass * terms[k]);
        }
        if missing[..count].iter().all(|part| part.abs() < 1e-9 * expected.mass) {
            break;
        }
        let weights = solve(&masses, &terms, &missing, count);
        for (index, mass) in masses.iter_mut().enumerate() {
            let change: f64 = (0..count).map(|k| weights[k] * terms[index][k]).sum();
            let (low, high) = (base[index] / most, base[index] * most);
            *mass = (*mass * (1.0 + change)).clamp(low, high);
        }
    }
    let scale = expected.mass / masses.iter().sum::<f64>();
    masses.iter().map(|mass| (mass * scale) as f32).collect()
}

/// The masses that shares of the volume give, none of them nothing.
pub(super) fn scaled(shares: &[f64], expected: &MassProperties) -> Vec<f32> {
    let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
    // Particles in needles that no line met have no share; if that is all of them, they are alike.
    let least = if mean > 0.0 { 0.1 * mean } else { 1.0 };
    let total: f64 = shares.iter().map(|share| share.max(least)).sum();
    let scale = expected.mass / total;
    shares.iter().map(|share| (share.max(least) * scale) as f32).collect()
}

fn terms(p: DVec3) -> [f64; TERMS] {
    [
        1.0,
        p.x,
        p.y,
        p.z,
        p.x * p.x,
        p.y * p.y,
        p.z * p.z,
        p.y * p.z,
        p.z * p.x,
        p.x * p.y,
    ]
}

/// What the masses times their terms must add up to.
fn targets(expected: &MassProperties, unit: f64) -> [f64; TERMS] {
    let DMat3 { x_axis, y_axis, z_axis } = expected.inertia;
    let half_trace = 0.5 * (x_axis.x + y_axis.y + z_axis.z);
    let moment = |value: f64| value / (unit * unit);
    [
        expected.mass,
        0.0,
        0.0,
        0.0,
        moment(half_trace - x_axis.x),
        moment(half_trace - y_axis.y),
        moment(half_trace - z_axis.z),
        moment(-y_axis.z),
        moment(-z_axis.x),
        moment(-x_axis.y),
    ]
}

/// Solves the normal equations by elimination with pivoting; directions that the particles do not span are left alone.
fn solve(masses: &[f64], terms: &[[f64; TERMS]], missing: &[f64; TERMS], count: usize) -> [f64; TERMS] {
    let mut matrix = [[0.0; TERMS + 1]; TERMS];
    for (mass, terms) in masses.iter().zip(terms) {
        for row in 0..count {
            for column in 0..count {
                matrix[row][column] += mass * terms[row] * terms[column];
            }
        }
    }
    let mass: f64 = masses.iter().sum();
    for row in 0..count {
        matrix[row][row] += 1e-10 * mass;
        matrix[row][TERMS] = missing[row];
    }
    for pivot in 0..count {
        let largest = (pivot..count).max_by(|&a, &b| matrix[a][pivot].abs().total_cmp(&matrix[b][pivot].abs()));
        matrix.swap(pivot, largest.unwrap_or(pivot));
        let head = matrix[pivot];
        for row in matrix.iter_mut().take(count).skip(pivot + 1) {
            let factor = row[pivot] / head[pivot];
            (pivot..=TERMS).for_each(|column| row[column] -= factor * head[column]);
        }
    }
    let mut weights = [0.0; TERMS];
    for row in (0..count).rev() {
        let known: f64 = (row + 1..count)
            .map(|column| matrix[row][column] * weights[column])
            .sum();
        weights[row] = (matrix[row][TERMS] - known) / matrix[row][row];
    }
    weights.map(|weight| if weight.is_finite() { weight } else { 0.0 })
}
