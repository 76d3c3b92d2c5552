//! Quartic forms of a direction, and stiffnesses whose forms add up to a wanted one.
//!
//! The energy of a spring under a uniaxial strain, and of a hinge under a uniaxial curvature, is a quartic of the
//! direction: `(dᵀ m d)²`. A fabric has such a quartic per area, and a mesh is as stiff as its fabric in all directions
//! where those of its springs or hinges add up to that. Uniaxial strains of all directions fix the tensor of a network of
//! springs, whose shear and whose cross modulus are one number (Cauchy's relation).

use glam::DVec3;

/// A quartic of a direction at the angle φ to the warp: coefficients of 1, cos 2φ, sin 2φ, cos 4φ and sin 4φ, all but the
/// first over √2, so that the product of two is the mean of their product over all directions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Quartic([f64; 5]);

impl Quartic {
    /// The square of `mean + cosine cos 2(φ − angle) + sine sin 2(φ − angle)`.
    pub(super) fn square(mean: f64, cosine: f64, sine: f64, angle: f64) -> Self {
        let (turned_sine, turned_cosine) = (2.0 * angle).sin_cos();
        let (x, y) = (
            cosine * turned_cosine - sine * turned_sine,
            cosine * turned_sine + sine * turned_cosine,
        );
        let root = std::f64::consts::FRAC_1_SQRT_2;
        Self([
            mean * mean + 0.5 * (x * x + y * y),
            2.0 * root * mean * x,
            2.0 * root * mean * y,
            0.5 * root * (x * x - y * y),
            root * x * y,
        ])
    }

    /// `warp cos⁴ φ + weft sin⁴ φ + 2 mixed cos² φ sin² φ`.
    pub(super) fn orthotropic(warp: f64, weft: f64, mixed: f64) -> Self {
        let root = std::f64::consts::FRAC_1_SQRT_2;
        Self([
            (3.0 * (warp + weft) + 2.0 * mixed) / 8.0,
            root * (warp - weft) / 2.0,
            0.0,
            root * (warp + weft - 2.0 * mixed) / 8.0,
            0.0,
        ])
    }

    fn scaled(self, factor: f64) -> Self {
        Self(self.0.map(|number| factor * number))
    }

    fn add(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, more)| *sum += more);
    }

    fn dot(&self, other: &Self) -> f64 {
        self.0.iter().zip(other.0).map(|(a, b)| a * b).sum()
    }

    #[cfg(test)]
    pub(super) fn at(&self, angle: f64) -> f64 {
        let root = std::f64::consts::SQRT_2;
        let [mean, a, b, c, d] = self.0;
        let (double, fourfold) = (2.0 * angle, 4.0 * angle);
        mean + root * (a * double.cos() + b * double.sin() + c * fourfold.cos() + d * fourfold.sin())
    }
}

/// A spring or a hinge whose stiffness is wanted.
pub(super) struct Element {
    /// Its triangles, one or two, each with the form of its energy at stiffness 1, relative to the warp there.
    pub(super) sides: [Option<(u32, Quartic)>; 2],
    /// A first guess of the stiffness.
    pub(super) guess: f64,
}

/// Rounds of the fit. More bring the forms nearer, but leave single springs so soft that irregular sheets as a whole are no stiffer.
const SWEEPS: usize = 15;

/// How strongly the guess is kept, as a share of an element's own weight.
const KEPT: f64 = 0.02;

/// Least share of the guess that is left to an element: without any, a mesh could give way there.
const LEAST: f64 = 0.1;

/// Stiffnesses with which the forms around each vertex come as near to that of the fabric as they can.
///
/// Least squares over all directions and vertices, each vertex with a third of its triangles, bounded from below; solved
/// element after element. Around a vertex, not in a triangle, since what triangles have too much in a direction, others
/// beside them have too little.
pub(super) fn fit(
    triangles: &[[u32; 3]],
    areas: &[f64],
    vertices: usize,
    wanted: Quartic,
    elements: &[Element],
) -> Vec<f64> {
    let mut missing = vec![Quartic::default(); vertices];
    for (corners, area) in triangles.iter().zip(areas) {
        let third = wanted.scaled(area / 3.0);
        corners.iter().for_each(|&corner| missing[corner as usize].add(third));
    }
    let columns: Vec<Column> = elements.iter().map(|element| Column::new(triangles, element)).collect();
    let mut factors = vec![1.0; elements.len()];
    for column in &columns {
        column.add_to(&mut missing, -1.0);
    }
    for _ in 0..SWEEPS {
        for (factor, column) in factors.iter_mut().zip(&columns) {
            let weight = column.weight;
            if weight <= 0.0 {
                continue;
            }
            let slope = column.dot(&missing) - KEPT * weight * (*factor - 1.0);
            let next = (*factor + slope / (weight * (1.0 + KEPT))).max(LEAST);
            column.add_to(&mut missing, *factor - next);
            *factor = next;
        }
    }
    elements
        .iter()
        .zip(factors)
        .map(|(element, factor)| factor * element.guess)
        .collect()
}

/// What an element gives to the vertices of its triangles.
struct Column {
    entries: [(u32, Quartic); 4],
    count: usize,
    weight: f64,
}

impl Column {
    fn new(triangles: &[[u32; 3]], element: &Element) -> Self {
        let sides = element.sides.iter().flatten();
        let share = element.guess / (3.0 * sides.clone().count().max(1) as f64);
        let mut column = Self {
            entries: [(u32::MAX, Quartic::default()); 4],
            count: 0,
            weight: 0.0,
        };
        for (triangle, form) in sides {
            for vertex in triangles[*triangle as usize] {
                let place = column.entries[..column.count]
                    .iter()
                    .position(|entry| entry.0 == vertex);
                let place = place.unwrap_or_else(|| {
                    column.entries[column.count].0 = vertex;
                    column.count += 1;
                    column.count - 1
                });
                column.entries[place].1.add(form.scaled(share));
            }
        }
        column.weight = column.entries().iter().map(|(_, form)| form.dot(form)).sum();
        column
    }

    fn entries(&self) -> &[(u32, Quartic)] {
        &self.entries[..self.count]
    }

    fn dot(&self, missing: &[Quartic]) -> f64 {
        self.entries()
            .iter()
            .map(|(vertex, form)| form.dot(&missing[*vertex as usize]))
            .sum()
    }

    fn add_to(&self, missing: &mut [Quartic], factor: f64) {
        for (vertex, form) in self.entries() {
            missing[*vertex as usize].add(form.scaled(factor));
        }
    }
}

/// The angle of a direction to the warp of a triangle, counter-clockwise about its normal.
pub(super) fn angle_to(warp: DVec3, normal: DVec3, direction: DVec3) -> f64 {
    direction.dot(normal.cross(warp)).atan2(direction.dot(warp))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_the_quartics_that_they_stand_for() {
        for angle in [0.0, 0.3, 1.2, 2.9f64] {
            let (sine, cosine) = angle.sin_cos();
            let form = Quartic::orthotropic(5.0, 2.0, 0.7);
            let expected = 5.0 * cosine.powi(4) + 2.0 * sine.powi(4) + 1.4 * (sine * cosine).powi(2);
            assert!((form.at(angle) - expected).abs() < 1e-12);
            let spring = Quartic::square(0.5, 0.5, 0.0, 0.8);
            assert!((spring.at(angle) - (angle - 0.8).cos().powi(4)).abs() < 1e-12);
            let bent = Quartic::square(1.1, 0.4, -0.6, 0.8);
            let turn = 2.0 * (angle - 0.8);
            assert!((bent.at(angle) - (1.1 + 0.4 * turn.cos() - 0.6 * turn.sin()).powi(2)).abs() < 1e-12);
        }
        let (a, b) = (Quartic::square(0.5, 0.5, 0.0, 0.8), Quartic::orthotropic(5.0, 2.0, 0.7));
        let mean = (0..64).map(|step| f64::from(step) * std::f64::consts::PI / 64.0);
        let mean = mean.map(|angle| a.at(angle) * b.at(angle)).sum::<f64>() / 64.0;
        assert!((a.dot(&b) - mean).abs() < 1e-12);
    }
}
