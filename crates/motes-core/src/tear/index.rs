//! Which rows a particle has: what the store knows row by row, the other way around.

use crate::particles::ParticleId;
use crate::store::batch::{Batch, NewRow};
use crate::store::{ConstraintKind, Constraints};

/// The rows of each particle. Made anew where others have changed the store since.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// In the order of [`ConstraintKind::ALL`].
    kinds: [RowsOf; ConstraintKind::ALL.len()],
}

/// The rows of one kind at each index of a particle's id, in ascending order.
#[derive(Clone, Debug, Default)]
struct RowsOf {
    rows: Vec<Vec<u32>>,
    /// What was known of the store.
    edits: Option<u64>,
}

impl RowsOf {
    fn review(&mut self, batch: &Batch) {
        if self.edits == Some(batch.edits()) {
            return;
        }
        self.rows.iter_mut().for_each(Vec::clear);
        for id in batch.ids() {
            self.note(id.index, batch.particles_of(id.index as usize));
        }
        self.edits = Some(batch.edits());
    }

    fn note(&mut self, row: u32, particles: &[ParticleId]) {
        for id in particles {
            let index = id.index as usize;
            if self.rows.len() <= index {
                self.rows.resize(index + 1, Vec::new());
            }
            if let Err(place) = self.rows[index].binary_search(&row) {
                self.rows[index].insert(place, row);
            }
        }
    }

    fn forget(&mut self, row: u32, particles: &[ParticleId]) {
        for id in particles {
            self.rows[id.index as usize].retain(|&known| known != row);
        }
    }
}

impl Index {
    /// The rows of a store as sheets.
    pub(crate) fn view<'a>(&'a mut self, store: &'a mut Constraints) -> Sheets<'a> {
        for (kind, rows) in ConstraintKind::ALL.into_iter().zip(&mut self.kinds) {
            rows.review(store.batch(kind));
        }
        Sheets { index: self, store }
    }
}

/// The rows of a store as sheets, to be looked up and changed.
pub(crate) struct Sheets<'a> {
    index: &'a mut Index,
    store: &'a mut Constraints,
}

impl Sheets<'_> {
    pub(super) fn batch(&self, kind: ConstraintKind) -> &Batch {
        self.store.batch(kind)
    }

    /// For values of a row: who belongs to it must not change.
    pub(super) fn batch_mut(&mut self, kind: ConstraintKind) -> &mut Batch {
        self.store.batch_mut(kind)
    }

    /// The rows of a particle.
    pub(super) fn rows_of(&self, kind: ConstraintKind, particle: ParticleId) -> Vec<u32> {
        let rows = self.index.kinds[kind as usize].rows.get(particle.index as usize);
        let batch = self.batch(kind);
        let names = |row: &u32| batch.particles_of(*row as usize).contains(&particle);
        rows.map_or(Vec::new(), |rows| rows.iter().copied().filter(names).collect())
    }

    /// The faces of a particle, each with its two other corners.
    pub(super) fn faces_of(&self, particle: ParticleId) -> impl Iterator<Item = (u32, [ParticleId; 2])> {
        let rows = self.rows_of(ConstraintKind::Face, particle).into_iter();
        rows.map(move |face| (face, self.others(face, particle)))
    }

    /// The corners of a face.
    pub(super) fn corners(&self, face: u32) -> [ParticleId; 3] {
        let corners = self.batch(ConstraintKind::Face).particles_of(face as usize);
        [corners[0], corners[1], corners[2]]
    }

    /// The corners of a face besides one.
    pub(super) fn others(&self, face: u32, particle: ParticleId) -> [ParticleId; 2] {
        match self.corners(face) {
            [a, b, c] if a == particle => [b, c],
            [a, b, c] if b == particle => [c, a],
            [a, b, _] => [a, b],
        }
    }

    /// Whether a face has two particles for corners.
    pub(super) fn is_edge(&self, a: ParticleId, b: ParticleId) -> bool {
        self.faces_of(a).any(|(_, corners)| corners.contains(&b))
    }

    /// The distances between two particles, without those that only pull.
    pub(super) fn springs(&self, a: ParticleId, b: ParticleId) -> Vec<u32> {
        let batch = self.batch(ConstraintKind::Distance);
        let joins = |row: &u32| batch.particles_of(*row as usize).contains(&b) && batch.rest()[*row as usize] >= 0.0;
        let rows = self.rows_of(ConstraintKind::Distance, a).into_iter();
        rows.filter(joins).collect()
    }

    /// Adds a row.
    pub(super) fn add(&mut self, kind: ConstraintKind, new: NewRow<'_>) {
        let particles = new.particles.to_vec();
        let row = self.store.batch_mut(kind).add(new).index;
        let rows = &mut self.index.kinds[kind as usize];
        rows.note(row, &particles);
        rows.edits = Some(self.store.batch(kind).edits());
    }

    /// Has a row name one particle in place of another.
    pub(super) fn replace(&mut self, kind: ConstraintKind, row: u32, from: ParticleId, to: ParticleId) {
        let batch = self.store.batch_mut(kind);
        batch.replace_particle(row as usize, from, to);
        let rows = &mut self.index.kinds[kind as usize];
        rows.forget(row, &[from]);
        rows.note(row, &[to]);
        rows.edits = Some(batch.edits());
    }

    /// Takes a row away.
    pub(super) fn retire(&mut self, kind: ConstraintKind, row: u32) {
        let batch = self.store.batch_mut(kind);
        let particles = batch.particles_of(row as usize).to_vec();
        batch.retire(row, 0);
        let rows = &mut self.index.kinds[kind as usize];
        rows.forget(row, &particles);
        rows.edits = Some(batch.edits());
    }

    /// Takes note that only values of rows have changed.
    pub(super) fn keep(&mut self, kind: ConstraintKind) {
        self.index.kinds[kind as usize].edits = Some(self.store.batch(kind).edits());
    }
}
