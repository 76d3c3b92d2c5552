//! Hinges that resist bending, linear in the positions (Bergou, Wardetzky, Harmon, Zorin, Grinspun 2006, "A quadratic
//! bending model for inextensible surfaces").
//!
//! A hinge is an edge from x₀ to x₁ with the vertices x₂ and x₃ on either side. Let ν₂ and ν₃ be the unit vectors in the two triangles at right angles
//! to the edge, away from it. The edge's length times `ν₂ = (x₂ − foot)/height` is `(cot α₀ + cot α₁) x₂ − cot α₁ x₀ − cot α₀ x₁`, with the angles
//! αᵢ at xᵢ. So `v = −l (ν₂ + ν₃) = Σ wₖ xₖ` has weights of cotangents, which add up to 0; it vanishes where the triangles
//! lie in a plane, and is `2 l sin(θ/2)` long where they are folded by θ.
//!
//! A surface of the curvatures K, along (t) and across (n) the edge, has `v = l (mₜₜ Kₜₜ + 2 mₜₙ Kₜₙ + mₙₙ Kₙₙ)` with m of the triangles' shape.
//! The paper's stiffness, `3 B/(A₂ + A₃)`, weighs these as if they were equal in all directions, and a cylinder has
//! then 3 to 9 times the energy `½ B κ²` per area. So the stiffnesses here are those with which the hinges around each vertex
//! come nearest to `½ B κ²` for cylinders of all directions.
//!
//! That is the energy of a surface that is bent evenly, and a sheet of hinges need not be: its vertices move up and down in turn, and
//! it bends as if it were softer (on a grid by a quarter along the threads). So the threads of a grid resist as beams do, three vertices in a line
//! each, `x₀ − 2 x₁ + x₂ = a² κ`, and its cells resist being twisted by the hinge along their diagonal, which sees nothing else: the finite differences of a plate
//! without Poisson's ratio, `½ B (κᵤᵤ² + κᵥᵥ² + 2 κᵤᵥ²)`.

use glam::DVec3;

use super::quartic::{Element, Quartic, angle_to, fit};
use super::surface::{self, SheetEdge};
use super::{ClothShape, GridLayout};

/// Two triangles that share an edge and resist being folded along it, or three vertices in a line that is to stay straight: an energy
/// `½ (|v| − |rest|)²/compliance` of `v = Σ weights · positions`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hinge {
    /// The ends of the edge, then the vertex on its left and the one on its right. Of a line one end, the middle, and the other end
    /// twice.
    pub vertices: [u32; 4],
    /// Weight of each vertex; they add up to 0.
    pub weights: [f32; 4],
    /// Length of v in the rest shape, metres; above zero where v points along the normals, as on a ball that is closed and
    /// faces out.
    pub rest: f32,
    /// Compliance, m/N, times flexural rigidity, N·m: metres squared. Compliance is this over the rigidity.
    pub compliance_times_rigidity: f32,
}

impl Hinge {
    /// Whether it is a line of three.
    pub fn is_line(&self) -> bool {
        self.vertices[2] == self.vertices[3]
    }
}

/// Halves the compliance of hinges whose edge and one more vertex are held, and of lines whose middle and one end are: a clamp begins there, and only
/// the free half of the cloth around it bends. Without this a clamped strip is half a cell too long.
pub fn clamp_hinges(hinges: &mut [Hinge], is_held: impl Fn(u32) -> bool) {
    for hinge in hinges {
        let [a, b, left, right] = hinge.vertices.map(&is_held);
        let is_clamp = if hinge.is_line() {
            b && a != right
        } else {
            a && b && left != right
        };
        if is_clamp {
            hinge.compliance_times_rigidity *= 0.5;
        }
    }
}

/// All hinges of a sheet.
pub(super) fn hinges(shape: &ClothShape) -> Vec<Hinge> {
    let folds = shape
        .edges
        .iter()
        .filter_map(|edge| Unfolded::of(&shape.positions, edge));
    if let Some(grid) = shape.grid {
        let [a, b] = grid.cell.map(f64::from);
        let twist = (a * a + b * b).powi(2) / (2.0 * a * b);
        let diagonals = folds.filter(|fold| grid.is_diagonal(fold.edge.ends));
        return diagonals
            .map(|fold| fold.hinge(shape, twist))
            .chain(lines(&grid))
            .collect();
    }
    let folds: Vec<Unfolded> = folds.collect();
    let compliances = fitted(shape, &folds);
    let hinge = |(fold, compliance): (&Unfolded, f64)| fold.hinge(shape, compliance);
    folds.iter().zip(compliances).map(hinge).collect()
}

/// The threads of a grid, both ways; those on the rim have half a cell beside them.
fn lines(grid: &GridLayout) -> impl Iterator<Item = Hinge> + '_ {
    let [columns, rows] = [grid.columns, grid.rows];
    let along = (0..rows).flat_map(move |row| (1..columns - 1).map(move |column| [column, row]));
    let up = (0..columns).flat_map(move |column| (1..rows - 1).map(move |row| [column, row]));
    let line = move |[column, row]: [u32; 2], way: usize| {
        let [length, width] = [grid.cell[way], grid.cell[1 - way]].map(f64::from);
        let (place, last) = [(row, rows - 1), (column, columns - 1)][way];
        let beside = if place == 0 || place == last { 0.5 } else { 1.0 };
        let [before, after] = match way {
            0 => [grid.vertex(column - 1, row), grid.vertex(column + 1, row)],
            _ => [grid.vertex(column, row - 1), grid.vertex(column, row + 1)],
        };
        Hinge {
            vertices: [before, grid.vertex(column, row), after, after],
            weights: [1.0, -2.0, 1.0, 0.0],
            rest: 0.0,
            compliance_times_rigidity: (length.powi(3) / (beside * width)) as f32,
        }
    };
    along
        .map(move |middle| line(middle, 0))
        .chain(up.map(move |middle| line(middle, 1)))
}

fn fitted(shape: &ClothShape, folds: &[Unfolded]) -> Vec<f64> {
    let areas = surface::triangle_areas(&shape.positions, &shape.triangles);
    let frames = surface::frames(&shape.positions, &shape.triangles, &shape.uvs);
    let element = |fold: &Unfolded| {
        let [a, b] = fold.edge.ends.map(|end| shape.positions[end as usize].as_dvec3());
        let [mean, cosine, sine] = fold.moments();
        let side = |triangle: u32| {
            let [normal, warp] = frames[triangle as usize];
            let angle = angle_to(warp, normal, b - a);
            (triangle, Quartic::square(mean, cosine, sine, angle))
        };
        let mut triangles = fold.edge.triangles();
        Element {
            guess: 1.0
                / fold
                    .edge
                    .triangles()
                    .map(|triangle| areas[triangle as usize])
                    .sum::<f64>(),
            sides: [triangles.next().map(side), triangles.next().map(side)],
        }
    };
    let elements: Vec<Element> = folds.iter().map(element).collect();
    let wanted = Quartic::orthotropic(1.0, 1.0, 1.0);
    let stiffnesses = fit(&shape.triangles, &areas, shape.positions.len(), wanted, &elements);
    stiffnesses.into_iter().map(|stiffness| 1.0 / stiffness).collect()
}

/// The two triangles at an edge, laid flat: x along the edge from its middle, y across it.
pub(super) struct Unfolded<'a> {
    edge: &'a SheetEdge,
    length: f64,
    /// The vertex on the left and how far it is from the edge.
    left: [f64; 2],
    /// The vertex on the right and how far it is from the edge.
    right: [f64; 2],
    right_vertex: u32,
}

impl<'a> Unfolded<'a> {
    /// Those of an edge that has two triangles.
    pub(super) fn of(positions: &[glam::Vec3], edge: &'a SheetEdge) -> Option<Self> {
        let at = |vertex: u32| positions[vertex as usize].as_dvec3();
        let (_, right_vertex) = edge.right?;
        let [a, b] = edge.ends.map(at);
        let length = a.distance(b);
        let along = (b - a) / length;
        let flat = |vertex: u32| {
            let away = at(vertex) - 0.5 * (a + b);
            let x = away.dot(along);
            [x, (away - x * along).length()]
        };
        Some(Self {
            edge,
            length,
            left: flat(edge.left.1),
            right: flat(right_vertex),
            right_vertex,
        })
    }

    /// Squared length and angle to the edge of the line between the outer vertices.
    pub(super) fn crossing(&self) -> [f64; 2] {
        let x = self.left[0] - self.right[0];
        let y = self.left[1] + self.right[1];
        [x * x + y * y, y.atan2(x)]
    }

    /// v for a unit curvature at an angle φ to the edge is `mean + cosine cos 2φ + sine sin 2φ`.
    fn moments(&self) -> [f64; 3] {
        let quarter = 0.25 * self.length * self.length;
        let [[p, high], [q, low]] = [self.left, self.right];
        let along = 0.5 * ((p * p - quarter) / high + (q * q - quarter) / low);
        let across = 0.5 * (high + low);
        [0.5 * (along + across), 0.5 * (along - across), 0.5 * (p - q)].map(|number| self.length * number)
    }

    fn hinge(&self, shape: &ClothShape, compliance: f64) -> Hinge {
        let half = 0.5 * self.length;
        let cotangents = |[x, height]: [f64; 2]| [(half + x) / height, (half - x) / height];
        let [left, right] = [cotangents(self.left), cotangents(self.right)];
        let weights = [
            left[1] + right[1],
            left[0] + right[0],
            -(left[0] + left[1]),
            -(right[0] + right[1]),
        ];
        let vertices = [
            self.edge.ends[0],
            self.edge.ends[1],
            self.edge.left.1,
            self.right_vertex,
        ];
        let places = vertices.map(|vertex| shape.positions[vertex as usize].as_dvec3());
        let bend: DVec3 = weights
            .iter()
            .zip(places)
            .map(|(&weight, place)| weight * (place - places[0]))
            .sum();
        let normals = self.edge.triangles().map(|triangle| {
            let corners = &shape.triangles[triangle as usize];
            surface::doubled_normal(&shape.positions, corners).normalize_or_zero()
        });
        let side = bend.dot(normals.sum());
        // Below that it is the rounding of the positions.
        let largest = places.iter().map(|place| place.abs().max_element()).fold(0.0, f64::max);
        let noise = weights.iter().map(|weight| weight.abs()).sum::<f64>() * largest * f64::from(f32::EPSILON);
        let rest = if bend.length() <= noise {
            0.0
        } else {
            bend.length() * side.signum()
        };
        Hinge {
            vertices,
            weights: weights.map(|weight| weight as f32),
            rest: rest as f32,
            compliance_times_rigidity: compliance as f32,
        }
    }
}
