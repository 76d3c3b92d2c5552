//! Cells around the surface of a mesh, each with the triangles that a particle in it may touch: one look-up where the hierarchy
//! would take a walk. Queries that reach further than the lists do take the walk.

use motes_core::Bounds;
use motes_core::colliders::{Triangle, TriangleMesh};
use motes_core::glam::{UVec3, Vec3};

/// How far from a cell its list reaches, in radii of particles: a particle at rest looks two radii far, and one in motion one
/// radius around its path, which may then be two radii long.
const REACH: f32 = 2.05;
/// Width of a cell, in radii: lists of wide cells are long, narrow cells are many.
const WIDTH: f32 = 1.5;
/// Most cells along all sides together, as a product; cells are wider where there would be more.
const MOST_CELLS: f32 = (1 << 20) as f32;
/// Most triangles in all lists.
const MOST_ENTRIES: usize = 1 << 21;
/// Bits of a word that say where a list begins; those above say how far the nearest list that is not empty is.
pub(crate) const LIST_BITS: u32 = 28;
/// The most cells that it is away as far as these bits know: no path is that long.
const FURTHEST: u32 = (1 << (u32::BITS - LIST_BITS)) - 1;
/// Most triangles in a list, on average of those that have any. The walk is better among triangles much finer than particles.
const LONG: usize = 128;
/// Distances are this much larger, as a fraction, than they need be, so that rounding leaves nothing out.
const ROUNDING: f32 = 1e-3;

/// The cells of a mesh for particles up to some radius.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MeshCells {
    /// Lower corner of the first cell, metres.
    pub(super) low: Vec3,
    /// Width of a cell, metres.
    pub(super) width: f32,
    /// How far half the length of a query's path and its reach may go together, metres.
    pub(super) reach: f32,
    /// Cells along each side.
    pub(super) sides: UVec3,
    /// Where the list of each cell begins, x fastest, and where the last one ends.
    pub(super) starts: Vec<u32>,
    /// Triangles, those of a cell in the order of the hierarchy.
    pub(super) triangles: Vec<u32>,
}

impl MeshCells {
    /// None where the walk through the hierarchy is better.
    pub(super) fn new(mesh: &TriangleMesh, radius: f32) -> Option<Self> {
        let reach = REACH * radius;
        let bounds = mesh.bounds().expanded(reach * (1.0 + ROUNDING));
        let size = bounds.max - bounds.min;
        let cells = |width: f32| (size / width).floor() + Vec3::ONE;
        let mut width = WIDTH * radius;
        while cells(width).element_product() > MOST_CELLS {
            width *= 1.25;
        }
        if !(width.is_finite() && width > 0.0) {
            return None;
        }
        let mut made = Self {
            low: bounds.min,
            width,
            reach,
            sides: cells(width).as_uvec3(),
            starts: Vec::new(),
            triangles: Vec::new(),
        };
        let entries = made.entries(mesh)?;
        made.list(&entries);
        (!made.is_long()).then_some(made)
    }

    /// Cell and triangle for each entry, in the order of the hierarchy; none if there are too many.
    fn entries(&self, mesh: &TriangleMesh) -> Option<Vec<[u32; 2]>> {
        let half = 0.5 * self.width;
        let far = (self.reach + 3.0_f32.sqrt() * half) * (1.0 + ROUNDING);
        let last = (self.sides - UVec3::ONE).as_vec3();
        let cell_of = |point: Vec3| {
            ((point - self.low) / self.width)
                .floor()
                .clamp(Vec3::ZERO, last)
                .as_uvec3()
        };
        let mut entries = Vec::new();
        for &triangle in mesh.bvh().order() {
            let corners = mesh.triangles()[triangle as usize].map(|index| mesh.vertices()[index as usize]);
            let shape = Triangle { corners };
            let around = Bounds::of(corners).expanded(far - half);
            let (first, end) = (cell_of(around.min), cell_of(around.max));
            for z in first.z..=end.z {
                for y in first.y..=end.y {
                    for x in first.x..=end.x {
                        let center = self.low + self.width * (UVec3::new(x, y, z).as_vec3() + 0.5);
                        let (nearest, _) = shape.closest(center);
                        if center.distance_squared(nearest) <= far * far {
                            entries.push([x + self.sides.x * (y + self.sides.y * z), triangle]);
                        }
                    }
                }
            }
            if entries.len() > MOST_ENTRIES {
                return None;
            }
        }
        Some(entries)
    }

    /// A stable counting sort by cell.
    fn list(&mut self, entries: &[[u32; 2]]) {
        self.starts = vec![0; self.sides.element_product() as usize + 1];
        for &[cell, _] in entries {
            self.starts[cell as usize + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        let mut next = self.starts.clone();
        self.triangles = vec![0; entries.len()];
        for &[cell, triangle] in entries {
            let place = &mut next[cell as usize];
            self.triangles[*place as usize] = triangle;
            *place += 1;
        }
    }

    /// Where lists begin, and above how many cells away the nearest is that is not empty, each step along any sides: a particle so far from
    /// the surface need not look at any list.
    pub(super) fn packed_starts(&self) -> Vec<u32> {
        let mut away: Vec<u32> = { self.starts.windows(2) }
            .map(|ends| if ends[0] < ends[1] { 0 } else { FURTHEST })
            .collect();
        let sides = self.sides.as_usizevec3().to_array();
        let strides = [1, sides[0], sides[0] * sides[1]];
        for axis in 0..3 {
            for first in (0..away.len()).filter(|cell| (cell / strides[axis]).is_multiple_of(sides[axis])) {
                spread(&mut away, first, strides[axis], sides[axis]);
            }
        }
        away.push(0);
        let packed = away.iter().zip(&self.starts);
        packed.map(|(away, start)| away << LIST_BITS | start).collect()
    }

    /// Whether lists are so long that the hierarchy is better.
    fn is_long(&self) -> bool {
        let some = self.starts.windows(2).filter(|ends| ends[0] < ends[1]).count();
        self.triangles.len() > LONG * some
    }

    /// Words that the cells take in a pool, besides those of the header.
    pub(super) fn words(&self) -> usize {
        self.starts.len() + self.triangles.len()
    }
}

/// Makes the larger of numbers along a line of cells no larger than the largest of steps and number of any other, both ways.
fn spread(away: &mut [u32], first: usize, stride: usize, count: usize) {
    let line: Vec<u32> = (0..count).map(|k| away[first + k * stride]).collect();
    if line.iter().all(|&value| value == line[0]) {
        return;
    }
    for k in 0..count {
        let mut least = line[k];
        let mut steps = 1;
        while steps < count && (steps as u32) < least {
            for other in [k.checked_sub(steps), Some(k + steps)].into_iter().flatten() {
                if let Some(&value) = line.get(other) {
                    least = least.min(value.max(steps as u32));
                }
            }
            steps += 1;
        }
        away[first + k * stride] = least;
    }
}

/// An edge that belongs to one triangle only: `NONE` in kernels.
const BORDER: u32 = u32::MAX;
/// One that belongs to more than two.
pub(crate) const CROWDED: u32 = u32::MAX - 1;

/// The triangle across each edge, three for each triangle, and its corner that is not on the edge.
pub(super) fn across(mesh: &TriangleMesh) -> Vec<(u32, Vec3)> {
    let (starts, fans) = mesh.fans();
    let mut found = Vec::with_capacity(3 * mesh.triangles().len());
    for (triangle, indices) in (0..).zip(mesh.triangles()) {
        for edge in 0..3 {
            let (pivot, other) = (indices[edge], indices[(edge + 1) % 3]);
            let fan = &fans[starts[pivot as usize] as usize..starts[pivot as usize + 1] as usize];
            let corners = |neighbor: u32| mesh.triangles()[neighbor as usize];
            let shares = |neighbor: &&u32| **neighbor != triangle && corners(**neighbor).contains(&other);
            let mut neighbors = fan.iter().filter(shares);
            found.push(match (neighbors.next(), neighbors.next()) {
                (None, _) => (BORDER, Vec3::ZERO),
                (Some(&neighbor), None) => {
                    let apex = corners(neighbor)
                        .into_iter()
                        .find(|&index| index != pivot && index != other);
                    (
                        neighbor,
                        apex.map_or(Vec3::ZERO, |index| mesh.vertices()[index as usize]),
                    )
                }
                _ => (CROWDED, Vec3::ZERO),
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use motes_core::random::Random;

    use super::*;

    /// A wavy sheet of two triangles to a square, 0.1 m wide.
    fn sheet(side: u32) -> TriangleMesh {
        let vertex = |k: u32| {
            let (x, z) = (0.1 * (k % (side + 1)) as f32, 0.1 * (k / (side + 1)) as f32);
            Vec3::new(x, 0.2 * (3.0 * x).sin() * (2.0 * z).cos(), z)
        };
        let vertices = (0..(side + 1) * (side + 1)).map(vertex).collect();
        let squares = (0..side * side).flat_map(|k| {
            let a = k % side + (side + 1) * (k / side);
            let b = a + side + 1;
            [[a, b, b + 1], [a, b + 1, a + 1]]
        });
        TriangleMesh::new(vertices, squares.collect()).expect("a mesh")
    }

    #[test]
    fn the_list_of_a_cell_has_every_triangle_within_reach_of_it() {
        let mesh = sheet(8);
        let cells = MeshCells::new(&mesh, 0.05).expect("cells");
        let mut random = Random::new(7, 0);
        let mut near = 0;
        for _ in 0..2000 {
            let share = Vec3::from_array([0; 3].map(|_| random.unit()));
            let cell = (share * cells.sides.as_vec3()).as_uvec3().min(cells.sides - 1);
            let point = cells.low + cells.width * share * cells.sides.as_vec3();
            let index = (cell.x + cells.sides.x * (cell.y + cells.sides.y * cell.z)) as usize;
            let list = &cells.triangles[cells.starts[index] as usize..cells.starts[index + 1] as usize];
            for (triangle, indices) in (0..).zip(mesh.triangles()) {
                let corners = indices.map(|index| mesh.vertices()[index as usize]);
                let (nearest, _) = Triangle { corners }.closest(point);
                if nearest.distance(point) <= cells.reach {
                    near += 1;
                    assert!(list.contains(&triangle), "{point} is near triangle {triangle}");
                }
            }
        }
        assert!(near > 1000, "{near} triangles were near");
    }

    #[test]
    fn who_is_some_cells_from_every_list_is_that_far_from_every_triangle() {
        let mesh = sheet(8);
        let cells = MeshCells::new(&mesh, 0.02).expect("cells");
        let starts = cells.packed_starts();
        let mut random = Random::new(8, 0);
        let mut furthest = 0;
        for _ in 0..2000 {
            let share = Vec3::from_array([0; 3].map(|_| random.unit()));
            let cell = (share * cells.sides.as_vec3()).as_uvec3().min(cells.sides - 1);
            let point = cells.low + cells.width * share * cells.sides.as_vec3();
            let index = (cell.x + cells.sides.x * (cell.y + cells.sides.y * cell.z)) as usize;
            let away = starts[index] >> LIST_BITS;
            assert_eq!(away == 0, cells.starts[index] < cells.starts[index + 1]);
            let lists = (0..starts.len() - 1).filter(|&other| cells.starts[other] < cells.starts[other + 1]);
            let place = |index: usize| {
                let [x, y] = [cells.sides.x as usize, cells.sides.y as usize];
                UVec3::new((index % x) as u32, (index / x % y) as u32, (index / (x * y)) as u32)
            };
            let steps = lists.map(|other| place(other).as_ivec3() - cell.as_ivec3());
            let nearest = steps.map(|step| step.abs().max_element()).min();
            assert_eq!(nearest.map(|steps| steps.min(FURTHEST as i32)), Some(away as i32));
            furthest = furthest.max(away);
            for indices in mesh.triangles().iter().filter(|_| away > 0) {
                let corners = indices.map(|index| mesh.vertices()[index as usize]);
                let (nearest, _) = Triangle { corners }.closest(point);
                let clear = cells.reach + (away - 1) as f32 * cells.width;
                assert!(nearest.distance(point) >= clear, "{point} is nearer than {clear}");
            }
        }
        assert!(furthest > 2, "{furthest}");
    }

    #[test]
    fn meshes_much_finer_than_particles_have_no_cells() {
        assert!(MeshCells::new(&sheet(8), 0.05).is_some());
        assert!(MeshCells::new(&sheet(16), 2.0).is_none());
    }

    #[test]
    fn an_edge_knows_the_triangle_across_it() {
        let [a, b, c, d, e] = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE];
        let fin = vec![[0, 1, 2], [1, 0, 3], [0, 4, 2]];
        let mesh = TriangleMesh::new(vec![a, b, c, d, e], fin).expect("a mesh");
        assert_eq!(across(&mesh)[..3], [(1, d), (BORDER, Vec3::ZERO), (2, e)]);
        let crowded = vec![[0, 1, 2], [1, 0, 3], [0, 1, 4]];
        let mesh = TriangleMesh::new(vec![a, b, c, d, e], crowded).expect("a mesh");
        assert_eq!(
            across(&mesh)[..3],
            [CROWDED, BORDER, BORDER].map(|number| (number, Vec3::ZERO))
        );
    }
}
