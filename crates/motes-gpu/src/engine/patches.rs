//! Sheets cut into patches, each of which a workgroup solves in its own memory: curvatures, then distances, in one launch.
//!
//! A patch owns some particles. Where these go in an iteration follows from where they are and where those are that they share
//! rows with, once curvatures have moved both; so it also has a ring of partners, and around it all that bends with any of
//! them. What several patches have is worked out by each, to the same bits. Sums go in the order of the rows, so which
//! particle is in which patch decides about nothing but speed.

use bytemuck::{Pod, Zeroable};
use motes_core::glam::Vec3;

/// What a patch has room for in workgroup memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PatchRoom {
    /// Particles that it knows.
    pub(crate) locals: usize,
    /// Numbers that it notes of its rows, three of each curvature.
    pub(crate) notes: usize,
}

/// The less there is, the more patches are at work at a time. The last is what WebGPU promises: pins of many tethers need it.
pub(crate) const ROOMS: [PatchRoom; 2] = [
    PatchRoom {
        locals: 320,
        notes: 1632,
    },
    PatchRoom {
        locals: 480,
        notes: 2112,
    },
];

/// Patches that keep a large device busy; where there are fewer particles, each owns less of them.
const BUSY: usize = 128;
const LEAST_OWNED: usize = 32;
const MOST_OWNED: usize = 128;

/// One patch: `Patch` in `lib/patch.wgsl`. Its particles are first those it owns, then the ring, then the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Patch {
    /// Its particles among those of all patches, and how many it owns, how many of them with the ring, and all.
    pub(crate) first: u32,
    pub(crate) owned: u32,
    pub(crate) ring: u32,
    pub(crate) locals: u32,
    /// Its distances and curvatures among those of all patches.
    pub(crate) first_row: u32,
    pub(crate) rows: u32,
    pub(crate) first_bend: u32,
    pub(crate) bends: u32,
    /// Where in `lists` it is how many curvatures each particle of the ring has and, in the high 16 bits, how many distances if it
    /// is owned; where these are listed; and the most curvatures that one has.
    pub(crate) counts: u32,
    pub(crate) bend_list: u32,
    pub(crate) row_list: u32,
    pub(crate) most_bends: u32,
}

/// Who is joined to whom, by numbers of particles; rows with their places in the store, in ascending order.
#[derive(Default)]
pub(crate) struct Net {
    pub(crate) places: Vec<Vec3>,
    pub(crate) rows: Vec<(u32, [u32; 2])>,
    pub(crate) bends: Vec<(u32, [u32; 4])>,
    /// Of each curvature, the weights of its particles.
    pub(crate) weights: Vec<[f32; 4]>,
}

/// All patches of a net, one behind the other.
#[derive(Default)]
pub(crate) struct Partition {
    pub(crate) patches: Vec<Patch>,
    /// Numbers of particles.
    pub(crate) members: Vec<u32>,
    /// Place in the store, and the locals of both particles, 16 bits each.
    pub(crate) rows: Vec<[u32; 2]>,
    /// Place in the store, the locals of all four.
    pub(crate) bends: Vec<[u32; 4]>,
    /// Of each particle of a ring its curvatures and which of their particles it is, then with what weight; of each owned one its
    /// distances and their other ends. The row is in the low 16 bits. First what is first in each list, then what is second, and so
    /// on, so that threads side by side read what is side by side.
    pub(crate) lists: Vec<u32>,
}

/// What stays together while particles are divided among patches: one of them, or a small piece of its own.
#[derive(Clone, Copy)]
struct Piece {
    place: Vec3,
    /// Its particles, in the order of pieces.
    first: usize,
    count: usize,
}

/// Rows of each particle: `starts` has where those of each begin.
struct Ends {
    starts: Vec<u32>,
    rows: Vec<u32>,
}

impl Ends {
    fn new<const N: usize>(particles: usize, rows: &[(u32, [u32; N])]) -> Self {
        let mut starts = vec![0; particles + 1];
        for particle in rows.iter().flat_map(|(_, particles)| particles) {
            starts[*particle as usize + 1] += 1;
        }
        for i in 0..particles {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut listed = vec![0; N * rows.len()];
        for (row, (_, particles)) in (0..).zip(rows) {
            for &particle in particles {
                let place = &mut next[particle as usize];
                listed[*place as usize] = row;
                *place += 1;
            }
        }
        Self { starts, rows: listed }
    }

    fn of(&self, particle: u32) -> &[u32] {
        let [first, end] = [0, 1].map(|after| self.starts[particle as usize + after] as usize);
        &self.rows[first..end]
    }
}

impl Net {
    /// Cuts the net into patches, which fit into that. None if some particle has too many rows for any.
    pub(crate) fn partition(&self) -> Option<(PatchRoom, Partition)> {
        ROOMS.into_iter().find_map(|room| Some((room, self.cut_into(room)?)))
    }

    fn cut_into(&self, room: PatchRoom) -> Option<Partition> {
        let most = self.places.len().div_ceil(BUSY).clamp(LEAST_OWNED, MOST_OWNED);
        let (order, mut pieces) = self.pieces(most);
        let count = self.places.len();
        let mut cutter = Cutter {
            net: self,
            room,
            row_ends: Ends::new(count, &self.rows),
            bend_ends: Ends::new(count, &self.bends),
            local_of: vec![NOWHERE; count],
            row_of: vec![NOWHERE; self.rows.len()],
            bend_of: vec![NOWHERE; self.bends.len()],
            made: Partition::default(),
        };
        cutter.divide(&mut pieces, &order, most)?;
        Some(cutter.made)
    }

    /// The particles in an order in which small connected pieces are together, and what is to be divided.
    fn pieces(&self, most: usize) -> (Vec<u32>, Vec<Piece>) {
        let mut parents: Vec<u32> = (0..self.places.len() as u32).collect();
        let pairs = self.rows.iter().map(|(_, pair)| *pair);
        let bent = self
            .bends
            .iter()
            .flat_map(|(_, [a, b, c, d])| [[*a, *b], [*a, *c], [*a, *d]]);
        for [a, b] in pairs.chain(bent) {
            let [a, b] = [a, b].map(|particle| root(&mut parents, particle));
            // The lowest stands for all, whatever the order of rows.
            parents[a.max(b) as usize] = a.min(b);
        }
        let roots: Vec<u32> = (0..self.places.len() as u32).map(|i| root(&mut parents, i)).collect();
        let mut order: Vec<u32> = (0..self.places.len() as u32).collect();
        order.sort_by_key(|&particle| roots[particle as usize]);
        let mut pieces = Vec::new();
        let mut first = 0;
        for piece in order.chunk_by(|&a, &b| roots[a as usize] == roots[b as usize]) {
            let whole = piece.len() <= most;
            for part in piece.chunks(if whole { most } else { 1 }) {
                let sum: Vec3 = part.iter().map(|&particle| self.places[particle as usize]).sum();
                pieces.push(Piece {
                    place: sum / part.len() as f32,
                    first,
                    count: part.len(),
                });
                first += part.len();
            }
        }
        (order, pieces)
    }
}

fn root(parents: &mut [u32], mut particle: u32) -> u32 {
    while parents[particle as usize] != particle {
        let above = parents[parents[particle as usize] as usize];
        parents[particle as usize] = above;
        particle = above;
    }
    particle
}

const NOWHERE: u16 = u16::MAX;

/// Makes patches one after the other.
struct Cutter<'a> {
    net: &'a Net,
    room: PatchRoom,
    row_ends: Ends,
    bend_ends: Ends,
    /// Where particles, distances and curvatures are in the patch being made.
    local_of: Vec<u16>,
    row_of: Vec<u16>,
    bend_of: Vec<u16>,
    made: Partition,
}

impl Cutter<'_> {
    /// Halves the pieces across their longest side until patches can own them.
    fn divide(&mut self, pieces: &mut [Piece], order: &[u32], most: usize) -> Option<()> {
        let count: usize = pieces.iter().map(|piece| piece.count).sum();
        if count <= most {
            let members = pieces
                .iter()
                .flat_map(|piece| &order[piece.first..piece.first + piece.count]);
            let mut owned: Vec<u32> = members.copied().collect();
            owned.sort_unstable();
            if self.cut(&owned) {
                return Some(());
            }
        }
        if let [piece] = *pieces {
            let mut parts: Vec<Piece> = (piece.first..piece.first + piece.count)
                .map(|first| Piece {
                    place: self.net.places[order[first] as usize],
                    first,
                    count: 1,
                })
                .collect();
            return (parts.len() > 1).then(|| self.divide(&mut parts, order, most))?;
        }
        let places = || pieces.iter().map(|piece| piece.place);
        let low = places().reduce(Vec3::min).unwrap_or_default();
        let size = places().reduce(Vec3::max).unwrap_or_default() - low;
        let axis = (0..3).max_by(|&a, &b| size[a].total_cmp(&size[b])).unwrap_or_default();
        let middle = pieces.len() / 2;
        let along = |piece: &Piece| piece.place[axis];
        pieces.select_nth_unstable_by(middle, |a, b| along(a).total_cmp(&along(b)).then(a.first.cmp(&b.first)));
        let (below, above) = pieces.split_at_mut(middle);
        self.divide(below, order, most)?;
        self.divide(above, order, most)
    }

    /// Makes the patch that owns these particles, unless it would be too large.
    fn cut(&mut self, owned: &[u32]) -> bool {
        let (mut locals, mut rows, mut bends) = (Vec::new(), Vec::new(), Vec::new());
        join(&mut self.local_of, &mut locals, owned);
        for &row in owned.iter().flat_map(|&particle| self.row_ends.of(particle)) {
            if note(&mut self.row_of, &mut rows, row) {
                join(&mut self.local_of, &mut locals, &self.net.rows[row as usize].1);
            }
        }
        let ring = locals.len();
        for local in 0..ring {
            for &bend in self.bend_ends.of(locals[local]) {
                if note(&mut self.bend_of, &mut bends, bend) {
                    join(&mut self.local_of, &mut locals, &self.net.bends[bend as usize].1);
                }
            }
        }
        let fits = locals.len() <= self.room.locals && rows.len().max(3 * bends.len()) <= self.room.notes;
        if fits {
            self.write(owned.len(), ring, &locals, &rows, &bends);
        }
        locals.iter().for_each(|&i| self.local_of[i as usize] = NOWHERE);
        rows.iter().for_each(|&row| self.row_of[row as usize] = NOWHERE);
        bends.iter().for_each(|&bend| self.bend_of[bend as usize] = NOWHERE);
        fits
    }

    fn write(&mut self, owned: usize, ring: usize, locals: &[u32], rows: &[u32], bends: &[u32]) {
        let (net, made) = (self.net, &mut self.made);
        let (row_ends, bend_ends) = (&self.row_ends, &self.bend_ends);
        let (local_of, row_of, bend_of) = (&self.local_of, &self.row_of, &self.bend_of);
        let local = |particle: &u32| u32::from(local_of[*particle as usize]);
        // One that names a particle twice is in its list twice, one behind the other.
        let bent = |particle: u32| {
            let mut entries = Vec::new();
            for same in bend_ends.of(particle).chunk_by(|a, b| a == b) {
                let (bend, place) = (u32::from(bend_of[same[0] as usize]), same[0] as usize);
                let particles = (0..).zip(&net.bends[place].1).zip(net.weights[place]);
                let which = particles.filter(|&((_, &other), _)| other == particle);
                entries
                    .extend(which.map(|((which, _), weight): ((u32, _), f32)| [bend | which << 16, weight.to_bits()]));
            }
            entries
        };
        let drawn = |particle: u32| {
            let entries = row_ends.of(particle).iter().map(|&row| {
                let [a, b] = &net.rows[row as usize].1;
                let other = if *a == particle { b } else { a };
                u32::from(row_of[row as usize]) | local(other) << 16
            });
            entries.collect()
        };
        let mut patch = Patch {
            first: made.members.len() as u32,
            owned: owned as u32,
            ring: ring as u32,
            locals: locals.len() as u32,
            first_row: made.rows.len() as u32,
            rows: rows.len() as u32,
            first_bend: made.bends.len() as u32,
            bends: bends.len() as u32,
            ..Patch::default()
        };
        made.members.extend(locals);
        made.rows.extend(rows.iter().map(|&row| {
            let (place, [a, b]) = &net.rows[row as usize];
            [*place, local(a) | local(b) << 16]
        }));
        made.bends.extend(bends.iter().map(|&bend| {
            let (place, [a, b, c, d]) = &net.bends[bend as usize];
            [*place, local(a) | local(b) << 16, local(c) | local(d) << 16, 0]
        }));
        let bent: Vec<Vec<[u32; 2]>> = locals[..ring].iter().map(|&particle| bent(particle)).collect();
        let drawn: Vec<Vec<u32>> = locals[..owned].iter().map(|&particle| drawn(particle)).collect();
        patch.counts = made.lists.len() as u32;
        made.lists.extend((0..ring).map(|local| {
            let distances = drawn.get(local).map_or(0, Vec::len);
            bent[local].len() as u32 | (distances as u32) << 16
        }));
        patch.most_bends = bent.iter().map(Vec::len).max().unwrap_or(0) as u32;
        patch.bend_list = list(&mut made.lists, &bent, |[entry, _]| *entry);
        list(&mut made.lists, &bent, |[_, weight]| *weight);
        patch.row_list = list(&mut made.lists, &drawn, |entry| *entry);
        made.patches.push(patch);
    }
}

/// Numbers an element unless it has a number; says whether it is new.
fn note(numbers: &mut [u16], noted: &mut Vec<u32>, element: u32) -> bool {
    let number = &mut numbers[element as usize];
    let is_new = *number == NOWHERE;
    if is_new {
        // A patch with so many is given up.
        *number = noted.len().min(usize::from(NOWHERE) - 1) as u16;
        noted.push(element);
    }
    is_new
}

fn join(local_of: &mut [u16], locals: &mut Vec<u32>, particles: &[u32]) {
    for &particle in particles {
        note(local_of, locals, particle);
    }
}

/// Appends what is first in each of some lists, then what is second, and so on. Returns where that begins.
fn list<T>(appended: &mut Vec<u32>, lists: &[Vec<T>], word: impl Fn(&T) -> u32) -> u32 {
    let first = appended.len();
    for number in 0..lists.iter().map(Vec::len).max().unwrap_or(0) {
        appended.extend(lists.iter().map(|list| list.get(number).map_or(0, &word)));
    }
    first as u32
}

#[cfg(test)]
mod tests;
