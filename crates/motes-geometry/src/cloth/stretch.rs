//! Springs along the edges of a sheet that are together as stiff as a fabric.
//!
//! A triangle of springs under a homogeneous strain has the stiffness of a membrane in proportion to `A/l²` (Van Gelder
//! 1998, "Approximate simulation of elastic membranes by triangulated spring meshes"). A fabric is far stiffer along its
//! threads than across them, so edges get the share of their direction: on a grid exactly, on any other mesh by a fit of
//! the springs around each vertex. Diagonals of both directions (*crossings*) let the shear be as soft as that of a fabric.
//!
//! What no network of springs can do: its modulus across, C₁₂, is its shear modulus G (Cauchy's relation). Pulled along the
//! warp it narrows by Poisson's ratio `G/C₂₂`: near 0 for weaves, as it should be; 1/3 for a sheet that is equal in all directions, where
//! rubber has 1/2.

use super::ClothShape;
use super::bend;
use super::grid::GridLayout;
use super::quartic::{Element, Quartic, angle_to, fit};
use super::surface;

/// Stiffness of a sheet in its plane, force per width: Young's modulus times thickness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Membrane {
    /// Along the warp, u, with the sides free, N/m.
    pub warp: f32,
    /// Along the weft, v, with the sides free, N/m.
    pub weft: f32,
    /// Against shear, N/m: shear force per length over the change of the angle between warp and weft.
    pub shear: f32,
}

impl Membrane {
    /// A sheet that is equally stiff in all directions, N/m. Springs give it Poisson's ratio 1/3, so its shear is 3/8 of that.
    pub fn uniform(stretch: f32) -> Self {
        Self {
            warp: stretch,
            weft: stretch,
            shear: 0.375 * stretch,
        }
    }

    /// Force per strain along warp and weft with the sides held, C₁₁ and C₂₂, N/m: from `warp = C₁₁ − G²/C₂₂` and the same for
    /// the weft.
    fn held(&self) -> [f64; 2] {
        let [warp, weft, shear] = [self.warp, self.weft, self.shear].map(f64::from);
        let more = 0.5 * (1.0 + (1.0 + 4.0 * shear * shear / (warp * weft)).sqrt());
        [more * warp, more * weft]
    }

    /// Young's modulus times thickness in a direction at an angle to the warp, N/m.
    pub(super) fn along(&self, angle: f64) -> f64 {
        let [warp, weft, shear] = [self.warp, self.weft, self.shear].map(f64::from);
        let [c11, c22] = self.held();
        let (sine, cosine) = angle.sin_cos();
        let mixed = 1.0 / shear - 2.0 * shear / (c11 * c22 - shear * shear);
        1.0 / (cosine.powi(4) / warp + sine.powi(4) / weft + (sine * cosine).powi(2) * mixed)
    }
}

/// What a spring of a sheet runs along.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpringKind {
    /// The edge of a triangle.
    Edge,
    /// From one triangle to the next: between the vertices on either side of an edge.
    Crossing,
}

/// A spring of a sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClothSpring {
    /// Its two vertices.
    pub ends: [u32; 2],
    /// Their distance at rest, metres.
    pub length: f32,
    /// Force per elongation, N/m; one over it is the compliance.
    pub stiffness: f32,
    /// What it runs along.
    pub kind: SpringKind,
}

impl ClothShape {
    /// Springs that stretch and shear like a membrane.
    ///
    /// With `crossed`, each pair of triangles has a second diagonal: on a grid, both diagonals of each cell. A homogeneous strain
    /// of a grid gives the moduli exactly, either way, while its cells are at most about 1.5 times longer than wide.
    ///
    /// On irregular meshes springs give way to each other. Measured on sheets of 14 × 14 cells with vertices moved by up to a quarter of a
    /// cell: a uniform sheet has 98 % of its stretch and 96 % of its shear with crossings, 83 to 89 % and half without. Weaves
    /// ask for more than triangles can give, since three directions of springs are never softer in shear than a third of
    /// their stretch: cotton has 70 to 80 % of its stretch with crossings and 3.5 times its shear, without them 59 to 68 % and twice.
    pub fn springs(&self, membrane: &Membrane, crossed: bool) -> Vec<ClothSpring> {
        let kinds = self.edges.iter().map(|edge| (edge, SpringKind::Edge));
        let crossings = self.edges.iter().filter(|edge| crossed && edge.right.is_some());
        let crossings = crossings.filter(|edge| self.grid.is_none_or(|grid| grid.is_diagonal(edge.ends)));
        let all: Vec<_> = kinds
            .chain(crossings.map(|edge| (edge, SpringKind::Crossing)))
            .collect();
        let stiffness = match self.grid {
            Some(grid) => all
                .iter()
                .map(|(edge, kind)| {
                    let count = 1.0 + f64::from(u8::from(edge.right.is_some()));
                    grid_stiffness(&grid, edge.ends, *kind, 0.5 * count, membrane, crossed)
                })
                .collect(),
            None => self.fitted(&all, membrane, crossed),
        };
        let spring = |((edge, kind), stiffness): (&(&surface::SheetEdge, SpringKind), f64)| {
            let ends = spring_ends(edge, *kind);
            ClothSpring {
                ends,
                length: self.positions[ends[0] as usize].distance(self.positions[ends[1] as usize]),
                stiffness: stiffness as f32,
                kind: *kind,
            }
        };
        all.iter().zip(stiffness).map(spring).collect()
    }

    fn fitted(&self, all: &[(&surface::SheetEdge, SpringKind)], membrane: &Membrane, crossed: bool) -> Vec<f64> {
        let areas = surface::triangle_areas(&self.positions, &self.triangles);
        let frames = surface::frames(&self.positions, &self.triangles, &self.uvs);
        let element = |&(edge, kind): &(&surface::SheetEdge, SpringKind)| {
            let unfolded = bend::Unfolded::of(&self.positions, edge);
            let [squared, turn] = match (kind, &unfolded) {
                (SpringKind::Crossing, Some(unfolded)) => unfolded.crossing(),
                _ => {
                    let [a, b] = edge.ends.map(|end| self.positions[end as usize].as_dvec3());
                    [a.distance_squared(b), 0.0]
                }
            };
            let [a, b] = edge.ends.map(|end| self.positions[end as usize].as_dvec3());
            let mut guess = 0.0;
            let mut side = |triangle: u32| {
                let [normal, warp] = frames[triangle as usize];
                let angle = angle_to(warp, normal, b - a) + turn;
                guess += membrane.along(angle) * areas[triangle as usize] / squared;
                // The spring is (dᵀ m d)² with m of its own direction: half, and half of cos 2φ.
                (
                    triangle,
                    Quartic::square(0.5 * squared.sqrt(), 0.5 * squared.sqrt(), 0.0, angle),
                )
            };
            let mut triangles = edge.triangles();
            let sides = [triangles.next().map(&mut side), triangles.next().map(&mut side)];
            let share = match (crossed, kind) {
                (false, _) => 1.0,
                (true, SpringKind::Edge) => 0.6,
                (true, SpringKind::Crossing) => 0.4,
            };
            Element {
                sides,
                guess: share * guess,
            }
        };
        let elements: Vec<Element> = all.iter().map(element).collect();
        let [c11, c22] = membrane.held();
        let wanted = Quartic::orthotropic(c11, c22, 3.0 * f64::from(membrane.shear));
        fit(&self.triangles, &areas, self.positions.len(), wanted, &elements)
    }
}

fn spring_ends(edge: &surface::SheetEdge, kind: SpringKind) -> [u32; 2] {
    match (kind, edge.right) {
        (SpringKind::Crossing, Some((_, right))) => [edge.left.1, right],
        _ => edge.ends,
    }
}

impl GridLayout {
    /// Whether two neighbours lie across a cell from each other.
    pub(super) fn is_diagonal(&self, [a, b]: [u32; 2]) -> bool {
        a % self.columns != b % self.columns && a / self.columns != b / self.columns
    }
}

/// Stiffness of a spring of a grid of cells a × b: the diagonals carry the shear, `C₆₆ = Σ k a b / d²` over those of a cell, and with
/// it `G a²/b²` of C₁₁; what is missing of it is `k a/b` of the edges along the warp. Edges on the rim have half.
fn grid_stiffness(
    grid: &GridLayout,
    ends: [u32; 2],
    kind: SpringKind,
    sides: f64,
    membrane: &Membrane,
    crossed: bool,
) -> f64 {
    let [a, b] = grid.cell.map(f64::from);
    let shear = f64::from(membrane.shear);
    let [c11, c22] = membrane.held();
    if kind == SpringKind::Crossing || grid.is_diagonal(ends) {
        let diagonals = if crossed { 2.0 } else { 1.0 };
        return shear * (a * a + b * b) / (diagonals * a * b);
    }
    let along_warp = ends[0] / grid.columns == ends[1] / grid.columns;
    let (full, ratio) = if along_warp { (c11, a / b) } else { (c22, b / a) };
    // In very long cells the diagonals alone are too stiff along them.
    sides * (full - shear * ratio * ratio).max(0.01 * full) / ratio
}
