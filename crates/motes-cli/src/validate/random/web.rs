//! How bodies hang together: rigid ones by their pose, others by neighbours that stay near each other.

use glam::Vec3;

use super::snapshot::Body;

/// Members closer than this many times the least distance of two are neighbours: in a hexagonal lattice the twelve next
/// ones, and the six after those.
const NEIGHBORS: f32 = 1.6;

/// Members further apart than this many of their diameters hold nothing together: another particle fits between them. Bodies of
/// fine detail have particles much closer than a diameter, and gaps between those are none.
const APART: f32 = 2.25;

/// How far a member of a rigid body is from where the pose of the body has it, in radii.
pub(super) fn strain(body: &Body) -> f64 {
    let mass: f32 = body.members.iter().map(|(.., mass)| mass).sum();
    let offset = |&(rest, place, mass): &(Vec3, Vec3, f32)| mass * (place - body.rotation * rest);
    let center = body.members.iter().map(offset).sum::<Vec3>() / mass;
    let errors = body.members.iter().map(|(rest, place, _)| {
        let error = (*place - body.rotation * *rest).distance(center);
        f64::from(error / body.radius)
    });
    errors.fold(0.0, greater)
}

/// The greater of two numbers; what is no number is the greatest.
pub(super) fn greater(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

/// Which members of a body are neighbours at the start.
pub(super) struct Web {
    /// Two members and their distance, metres.
    pairs: Vec<(u32, u32, f32)>,
    /// Distance at which two members are apart, metres.
    apart: f32,
    /// Pieces at the start.
    pieces: usize,
}

impl Web {
    pub(super) fn new(body: &Body) -> Self {
        let places: Vec<Vec3> = body.members.iter().map(|(rest, ..)| *rest).collect();
        let least = pairs(&places)
            .map(|(.., distance)| distance)
            .fold(f32::INFINITY, f32::min);
        let mut web = Self {
            pairs: pairs(&places)
                .filter(|(.., distance)| *distance <= NEIGHBORS * least)
                .collect(),
            apart: APART * 2.0 * body.radius,
            pieces: 0,
        };
        web.pieces = web.pieces(body);
        web
    }

    /// Greatest distance of two neighbours, over that at the start.
    pub(super) fn stretch(&self, body: &Body) -> f64 {
        let stretch = |&(a, b, rest): &(u32, u32, f32)| {
            let [a, b] = [a, b].map(|member| body.members.get(member as usize));
            a.zip(b).map_or(0.0, |(a, b)| f64::from(a.1.distance(b.1) / rest))
        };
        self.pairs.iter().map(stretch).fold(0.0, greater)
    }

    /// Pieces above those at the start.
    pub(super) fn more_pieces(&self, body: &Body) -> f64 {
        self.pieces(body) as f64 - self.pieces as f64
    }

    /// Number of pieces: members belong to one if there is a way between them over steps that are not too wide.
    fn pieces(&self, body: &Body) -> usize {
        let places: Vec<Vec3> = body.members.iter().map(|(_, place, _)| *place).collect();
        let mut piece: Vec<usize> = (0..places.len()).collect();
        let mut count = places.len();
        for (a, b, _) in pairs(&places).filter(|(.., distance)| *distance < self.apart) {
            let (a, b) = (root(&mut piece, a as usize), root(&mut piece, b as usize));
            if a != b {
                piece[a] = b;
                count -= 1;
            }
        }
        count
    }
}

/// All pairs of places and their distances.
fn pairs(places: &[Vec3]) -> impl Iterator<Item = (u32, u32, f32)> {
    places.iter().enumerate().flat_map(move |(k, a)| {
        let later = places.iter().enumerate().skip(k + 1);
        later.map(move |(l, b)| (k as u32, l as u32, a.distance(*b)))
    })
}

fn root(piece: &mut [usize], mut member: usize) -> usize {
    while piece[member] != member {
        piece[member] = piece[piece[member]];
        member = piece[member];
    }
    member
}
