//! What is wrong with a mesh, counted.

use std::borrow::Cow;
use std::fmt;

use rayon::prelude::*;

use crate::edges::{EdgeUse, Edges};
use crate::mesh::Mesh;
use crate::repair::inverted_parts;

/// Everything that keeps a mesh from being the surface of one solid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Diagnosis {
    /// Vertices with a coordinate that is infinite or not a number.
    pub not_finite_vertices: usize,
    /// Vertices that no triangle uses.
    pub unused_vertices: usize,
    /// Vertices at exactly the place of an earlier one.
    pub doubled_vertices: usize,
    /// Triangles with a corner that does not exist or is not finite.
    pub broken_triangles: usize,
    /// Triangles without area: two corners in one place, or all three on a line.
    pub degenerate_triangles: usize,
    /// Triangles with the corners of an earlier one, in any order.
    pub doubled_triangles: usize,
    /// Edges with one triangle: the rim of a hole.
    pub open_edges: usize,
    /// Edges with three triangles or more.
    pub crowded_edges: usize,
    /// Edges whose two triangles are turned against each other.
    pub twisted_edges: usize,
    /// Parts that share no vertex.
    pub parts: usize,
    /// Closed parts that are inside out although no other part surrounds them.
    pub inverted_parts: usize,
    /// Whether the triangles enclose no volume.
    pub no_volume: bool,
}

impl Diagnosis {
    /// Whether the mesh is closed, consistently turned and encloses a volume.
    pub fn is_solid(&self) -> bool {
        let faults = self.broken_triangles
            + self.degenerate_triangles
            + self.doubled_triangles
            + self.open_edges
            + self.crowded_edges
            + self.twisted_edges
            + self.inverted_parts;
        faults == 0 && !self.no_volume && self.parts > 0
    }

    /// Each fault with its number, as a sentence.
    pub fn faults(&self) -> Vec<String> {
        let counted = [
            (self.not_finite_vertices, "vertices that are not finite"),
            (self.unused_vertices, "vertices without a triangle"),
            (self.doubled_vertices, "vertices at the place of another"),
            (
                self.broken_triangles,
                "triangles with corners that are missing or not finite",
            ),
            (self.degenerate_triangles, "triangles without area"),
            (self.doubled_triangles, "triangles that exist twice"),
            (self.open_edges, "open edges, around holes"),
            (self.crowded_edges, "edges with more than two triangles"),
            (self.twisted_edges, "edges between triangles turned against each other"),
            (self.inverted_parts, "parts that are inside out"),
        ];
        let mut faults: Vec<String> = counted
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        if self.no_volume {
            faults.push("no volume inside".into());
        }
        faults
    }
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.faults() {
            faults if faults.is_empty() => f.write_str("closed, turned outward"),
            faults => f.write_str(&faults.join("; ")),
        }
    }
}

/// Looks at a mesh as it is; equal vertices are not taken for one.
pub fn diagnose(mesh: &Mesh) -> Diagnosis {
    let sound = sound_part(mesh);
    let of_vertices = || Diagnosis {
        not_finite_vertices: mesh.positions.iter().filter(|position| !position.is_finite()).count(),
        unused_vertices: unused_vertices(mesh),
        doubled_vertices: repeated(mesh.positions.par_iter().map(|&position| place_key(position))),
        ..Diagnosis::default()
    };
    let of_parts = || {
        let parts = sound.parts();
        (parts.len(), inverted_parts(&sound, &parts).len())
    };
    let (vertices, (of_edges, (parts, inverted_parts))) =
        rayon::join(of_vertices, || rayon::join(|| of_edges(&sound), of_parts));
    Diagnosis {
        broken_triangles: mesh.triangles.len() - sound.triangles.len(),
        degenerate_triangles: degenerate_triangles(&sound),
        doubled_triangles: of_edges.doubled_triangles,
        open_edges: of_edges.open_edges,
        twisted_edges: of_edges.twisted_edges,
        crowded_edges: of_edges.crowded_edges,
        parts,
        inverted_parts,
        no_volume: sound.integrals().volume == 0.0,
        ..vertices
    }
}

/// The mesh without triangles whose corners do not exist or are not finite.
fn sound_part(mesh: &Mesh) -> Cow<'_, Mesh> {
    let is_sound = |triangle: &&[u32; 3]| {
        let corners = triangle.iter().map(|&corner| mesh.positions.get(corner as usize));
        corners
            .into_iter()
            .all(|corner| corner.is_some_and(|place| place.is_finite()))
    };
    if mesh.triangles.par_iter().all(|triangle| is_sound(&triangle)) {
        return Cow::Borrowed(mesh);
    }
    let sound = mesh.triangles.iter().filter(is_sound);
    Cow::Owned(Mesh::new(mesh.positions.clone(), sound.copied().collect()))
}

fn degenerate_triangles(mesh: &Mesh) -> usize {
    let chunks = mesh.chunks();
    chunks
        .map(|chunk| mesh.corners_of(chunk).filter(is_degenerate).count())
        .sum()
}

fn unused_vertices(mesh: &Mesh) -> usize {
    let mut used = vec![false; mesh.positions.len()];
    for corner in mesh.triangles.as_flattened() {
        if let Some(used) = used.get_mut(*corner as usize) {
            *used = true;
        }
    }
    used.iter().filter(|used| !**used).count()
}

/// What edges tell: how many are faulty, and how many triangles are doubled.
fn of_edges(mesh: &Mesh) -> Diagnosis {
    let third = |edge: &EdgeUse| mesh.triangles[edge.triangle() as usize][(edge.side as usize + 2) % 3];
    let edges = Edges::of(mesh);
    let lists = edges.lists().map(|edges| {
        let mut found = Diagnosis::default();
        for uses in edges {
            match uses {
                [_] => found.open_edges += 1,
                [a, b] => {
                    found.twisted_edges += usize::from(a.forward == b.forward);
                    found.doubled_triangles += usize::from(third(a) == third(b));
                }
                more => {
                    found.crowded_edges += 1;
                    found.doubled_triangles += more.len();
                }
            }
        }
        found
    });
    let lists: Vec<Diagnosis> = lists.collect();
    let sum = |count: fn(&Diagnosis) -> usize| lists.iter().map(count).sum();
    // Triangles of the same corners meet at each of their edges: where no two do that, there are none to be counted.
    let doubted: usize = sum(|list| list.doubled_triangles);
    Diagnosis {
        open_edges: sum(|list| list.open_edges),
        twisted_edges: sum(|list| list.twisted_edges),
        crowded_edges: sum(|list| list.crowded_edges),
        doubled_triangles: match doubted {
            0 => 0,
            _ => repeated(mesh.triangles.par_iter().map(|&triangle| triangle_key(triangle))),
        },
        ..Diagnosis::default()
    }
}

/// What vertices at one place have in common: zero has one sign.
pub(crate) fn place_key(position: glam::Vec3) -> [u32; 3] {
    (position + 0.0).to_array().map(f32::to_bits)
}

/// What triangles of the same corners have in common.
pub(crate) fn triangle_key(mut corners: [u32; 3]) -> [u32; 3] {
    corners.sort_unstable();
    corners
}

/// How many keys are those of an earlier one.
fn repeated(keys: impl IndexedParallelIterator<Item = [u32; 3]> + Clone) -> usize {
    fn sorted<T: Ord + Send>(keys: impl IndexedParallelIterator<Item = T>) -> Vec<T> {
        let mut keys: Vec<T> = keys.collect();
        keys.par_sort_unstable();
        keys
    }
    fn count<T: PartialEq>(keys: &[T]) -> usize {
        keys.windows(2).filter(|pair| pair[0] == pair[1]).count()
    }
    // Short keys are quickly sorted, and where no two are equal, no two of the long ones are.
    match count(&sorted(keys.clone().map(mixed))) {
        0 => 0,
        _ => count(&sorted(keys)),
    }
}

/// A number that is the same for the same key, and most likely another for another.
fn mixed(key: [u32; 3]) -> u64 {
    let fold = |sum: u64, part: u32| {
        (sum ^ u64::from(part))
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(29)
    };
    key.into_iter().fold(0, fold)
}

/// Whether a triangle has no area to speak of: it is a hundred thousand times longer than wide.
pub(crate) fn is_degenerate(corners: &[glam::Vec3; 3]) -> bool {
    let [a, b, c] = corners.map(|corner| corner.as_dvec3());
    let longest = (b - a)
        .length_squared()
        .max((c - b).length_squared())
        .max((a - c).length_squared());
    (b - a).cross(c - a).length() <= 1e-5 * longest || longest == 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::cuboid;
    use glam::Vec3;

    fn brick() -> Mesh {
        cuboid(Vec3::ONE)
    }

    #[test]
    fn a_sound_mesh_has_no_faults() {
        let diagnosis = diagnose(&brick());
        assert!(diagnosis.is_solid());
        assert_eq!(diagnosis.to_string(), "closed, turned outward");
        assert_eq!(diagnosis.parts, 1);
    }

    #[test]
    fn every_fault_is_counted() {
        let mut mesh = brick();
        mesh.triangles.pop();
        assert_eq!(diagnose(&mesh).open_edges, 3);
        let mut mesh = brick();
        mesh.triangles[0].swap(0, 1);
        assert_eq!(diagnose(&mesh).twisted_edges, 3);
        let mut mesh = brick();
        mesh.triangles.push(mesh.triangles[4]);
        assert_eq!(
            (diagnose(&mesh).doubled_triangles, diagnose(&mesh).crowded_edges),
            (1, 3)
        );
        let mut mesh = brick();
        mesh.positions.extend([Vec3::NAN, Vec3::ONE]);
        mesh.triangles.extend([[0, 1, 8], [0, 1, 77], [0, 1, 1]]);
        let found = diagnose(&mesh);
        assert_eq!(found.not_finite_vertices, 1);
        assert_eq!((found.unused_vertices, found.doubled_vertices), (1, 1));
        assert_eq!((found.broken_triangles, found.degenerate_triangles), (2, 1));
        assert_eq!(diagnose(&brick().flipped()).inverted_parts, 1);
        assert!(diagnose(&cuboid(Vec3::new(1.0, 0.0, 1.0))).no_volume);
        assert!(!diagnose(&Mesh::default()).is_solid());
    }
}
