//! Particles sorted by cells as wide as they look around, so that what is near one lies in nine runs of memory.

use std::ops::Range;

use glam::{IVec3, Vec3};
use rayon::prelude::*;

use super::key::{key, limit_of};
use super::vector::{self, Kernel};
use crate::error::GeometryError;

/// Particles in order of their cells.
#[derive(Debug, Default)]
pub(super) struct Cells {
    /// Places, coordinate by coordinate, and room for the lanes past the last.
    pub(super) places: [Vec<f32>; 3],
    /// Of each its number among those given.
    pub(super) numbers: Vec<u32>,
    /// The keys of the cells that hold any, in rising order, and where their particles begin.
    cells: Vec<(u64, IVec3, u32)>,
}

/// Numbers that are worked on side by side.
pub(super) const LANES: usize = 8;

/// Places of a run of particles, coordinate by coordinate, and of `LANES` others behind it.
#[derive(Clone, Copy)]
pub(super) struct Run<'a> {
    pub(super) start: usize,
    pub(super) count: usize,
    pub(super) places: [&'a [f32]; 3],
}

impl Cells {
    /// Sorts finite points into cells of a width, metres.
    pub(super) fn new(points: &[Vec3], width: f32) -> Result<Self, GeometryError> {
        let limit = limit_of(width);
        if let Some(far) = points
            .iter()
            .map(|point| point.abs().max_element())
            .find(|far| *far > limit)
        {
            return Err(GeometryError::TooManyPoints {
                wanted: f64::from(far / width).powi(3),
                limit: f64::from(limit / width).powi(3),
            });
        }
        let cell_of = |point: Vec3| (point / width).floor().as_ivec3();
        let mut order: Vec<(u64, u32)> = points
            .par_iter()
            .map(|point| key(cell_of(*point)))
            .zip(0..points.len() as u32)
            .collect();
        order.par_sort_unstable();
        let mut cells: Vec<(u64, IVec3, u32)> = Vec::new();
        for (place, (key, number)) in (0_u32..).zip(&order) {
            if cells.last().is_none_or(|(last, _, _)| last != key) {
                cells.push((*key, cell_of(points[*number as usize]), place));
            }
        }
        let places = [0, 1, 2].map(|axis| {
            let mut places: Vec<f32> = order.iter().map(|(_, number)| points[*number as usize][axis]).collect();
            places.resize(points.len() + LANES, 0.0);
            places
        });
        let numbers = order.iter().map(|(_, number)| *number).collect();
        Ok(Self { places, numbers, cells })
    }

    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    pub(super) fn place(&self, slot: usize) -> Vec3 {
        Vec3::from_array([0, 1, 2].map(|axis| self.places[axis][slot]))
    }

    /// A value for each particle, in sorted order, given it and the runs that hold all within a cell's width of it.
    pub(super) fn map<P: PerParticle>(&self, of: &P) -> Vec<P::Output> {
        let numbers = (0..self.cells.len()).into_par_iter();
        let found: Vec<Vec<P::Output>> = numbers
            .map(|cell| {
                let runs = self.runs(self.cells[cell].1);
                let end = self
                    .cells
                    .get(cell + 1)
                    .map_or(self.len(), |(_, _, start)| *start as usize);
                let slots = self.cells[cell].2 as usize..end;
                vector::run(MapCell { slots, runs: &runs, of })
            })
            .collect();
        found.into_iter().flatten().collect()
    }

    /// The particles of a cell and those around it, row by row.
    fn runs(&self, cell: IVec3) -> Vec<Run<'_>> {
        let rows = (-1..=1).flat_map(|z| (-1..=1).map(move |y| IVec3::new(0, y, z)));
        rows.filter_map(|row| {
            let [first, last] = [-1, 1].map(|x| key(cell + row + IVec3::new(x, 0, 0)));
            let begin = self.cells.partition_point(|(key, _, _)| *key < first);
            let length = self.cells[begin..]
                .iter()
                .take_while(|(key, _, _)| *key <= last)
                .count();
            let bound = |cell: usize| self.cells.get(cell).map_or(self.len(), |(_, _, start)| *start as usize);
            let (start, end) = (bound(begin), bound(begin + length));
            (end > start).then(|| Run {
                start,
                count: end - start,
                places: [0, 1, 2].map(|axis| &self.places[axis][start..end + LANES]),
            })
        })
        .collect()
    }
}

/// Something that is found for every particle. Its function is to be inlined.
pub(super) trait PerParticle: Sync {
    type Output: Send;

    fn of(&self, slot: usize, runs: &[Run<'_>]) -> Self::Output;
}

/// The values of the particles of a cell.
struct MapCell<'a, P> {
    slots: Range<usize>,
    runs: &'a [Run<'a>],
    of: &'a P,
}

impl<P: PerParticle> Kernel for MapCell<'_, P> {
    type Output = Vec<P::Output>;

    #[inline(always)]
    fn run(self) -> Vec<P::Output> {
        let mut found = Vec::with_capacity(self.slots.len());
        for slot in self.slots {
            found.push(self.of.of(slot, self.runs));
        }
        found
    }
}
