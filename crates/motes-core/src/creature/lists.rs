//! What belongs to what in all creatures of a world, one array per thing, for engines to go by; made anew when the creatures change.

use std::ops::Range;

use glam::{Mat3A, Quat, Vec3, Vec3A};

use crate::creature::creatures::{Creature, Creatures};
use crate::particles::ParticleId;

/// No such member, or no such neighbourhood.
pub const NONE: u32 = u32::MAX;

/// The lists.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    /// Which state of the creatures they are of.
    changes: Option<u64>,
    /// The members of each creature.
    pub creatures: Vec<Range<usize>>,
    /// All of them, one by one.
    pub members: Vec<Known>,
    /// The neighbourhoods, in the order of their middles.
    pub neighborhoods: Vec<Neighborhood>,
    /// The members of each, the middle first.
    pub entries: Vec<u32>,
    /// Edges that resist twisting.
    pub edges: Vec<Twisting>,
    /// Whether any member floats.
    pub float: bool,
    /// Rigid parts.
    pub parts: Vec<Rigid>,
    /// Their members.
    pub part_entries: Vec<u32>,
    /// The part of each of these.
    pub part_numbers: Vec<u32>,
    /// Of the member with an index of a particle id, its number.
    numbers: Vec<u32>,
    /// The entries of each member.
    pub entries_of: Reverse,
    /// Its edges: two ends in a row are one.
    pub edges_of: Reverse,
    /// Its entries among those of parts.
    pub parts_of: Reverse,
}

/// What is known of a member.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Which particle it is.
    pub particle: ParticleId,
    /// Its place in the rest shape, metres.
    pub rest: Vec3A,
    /// Its axes there.
    pub rest_rotation: Quat,
    /// Mass, kg.
    pub mass: f32,
    /// Radii along its axes, metres.
    pub radii: Vec3,
    /// Its moment at rest: `m/5 diag(a², b², c²) R̄ᵀ`, kg·m².
    pub moment: Mat3A,
    /// Which part of its weight the surroundings bear.
    pub buoyancy: f32,
    /// The share of its mass that each of its neighbourhoods counts on; 0 without any.
    pub share: f32,
    /// The same of its rigid parts.
    pub part_share: f32,
    /// The neighbourhood of which it is the middle, or none.
    pub neighborhood: u32,
}

impl Known {
    /// Whether it looks the same however it is turned.
    pub fn is_ball(&self) -> bool {
        self.radii.min_element() == self.radii.max_element()
    }

    /// Whether it belongs to a rigid part.
    pub fn is_rigid(&self) -> bool {
        self.part_share > 0.0
    }
}

/// A particle and its neighbours.
#[derive(Clone, Copy, Debug)]
pub struct Neighborhood {
    /// The first of its entries.
    pub first: u32,
    /// How many it has.
    pub count: u32,
    /// Share of a deformation that is undone in a sixtieth of a second.
    pub stiffness: f32,
}

impl Neighborhood {
    /// Its entries.
    pub fn entries(&self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// An edge that resists twisting.
#[derive(Clone, Copy, Debug)]
pub struct Twisting {
    /// Its ends.
    pub members: [u32; 2],
    /// How much, as a stiffness.
    pub torsion: f32,
}

/// A part that is rigid at present.
#[derive(Clone, Copy, Debug)]
pub struct Rigid {
    /// The first of its entries.
    pub first: u32,
    /// How many it has.
    pub count: u32,
}

impl Rigid {
    /// Its entries.
    pub fn entries(&self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// For each member, in which entries of a list it is.
#[derive(Clone, Debug, Default)]
pub struct Reverse {
    /// Where those of each member begin; there is one more start than members.
    pub starts: Vec<u32>,
    /// They, one member after the other.
    pub entries: Vec<u32>,
}

impl Reverse {
    fn of(members: usize, list: impl Iterator<Item = u32> + Clone) -> Self {
        let mut starts = vec![0; members + 1];
        for member in list.clone() {
            starts[member as usize + 1] += 1;
        }
        for member in 0..members {
            starts[member + 1] += starts[member];
        }
        let mut ends = starts.clone();
        let mut entries = vec![0; starts.last().map_or(0, |&end| end as usize)];
        for (number, member) in (0..).zip(list) {
            let end = &mut ends[member as usize];
            entries[*end as usize] = number;
            *end += 1;
        }
        Self { starts, entries }
    }

    /// The entries of a member, in ascending order.
    #[inline]
    pub fn of_member(&self, member: usize) -> &[u32] {
        &self.entries[self.starts[member] as usize..self.starts[member + 1] as usize]
    }
}

impl Lists {
    /// Makes them anew if the creatures have changed; says whether they had.
    pub fn update(&mut self, creatures: &Creatures) -> bool {
        if self.changes == Some(creatures.changes) {
            return false;
        }
        *self = Self {
            changes: Some(creatures.changes),
            ..Self::default()
        };
        for creature in &creatures.list {
            self.add(creature);
        }
        let count = self.members.len();
        let indices = self.members.iter().map(|known| known.particle.index as usize + 1);
        self.numbers.resize(indices.max().unwrap_or(0), NONE);
        for (number, known) in (0..).zip(&self.members) {
            self.numbers[known.particle.index as usize] = number;
        }
        self.entries_of = Reverse::of(count, self.entries.iter().copied());
        self.edges_of = Reverse::of(count, self.edges.iter().flat_map(|edge| edge.members));
        self.parts_of = Reverse::of(count, self.part_entries.iter().copied());
        let share = |count: usize| if count > 0 { 1.0 / count as f32 } else { 0.0 };
        for (member, known) in self.members.iter_mut().enumerate() {
            known.share = share(self.entries_of.of_member(member).len());
            known.part_share = share(self.parts_of.of_member(member).len());
        }
        true
    }

    /// The member that is this particle, if any.
    #[inline]
    pub fn member(&self, id: ParticleId) -> u32 {
        let number = self.numbers.get(id.index as usize).copied().unwrap_or(NONE);
        match self.members.get(number as usize) {
            Some(known) if known.particle == id => number,
            _ => NONE,
        }
    }

    fn add(&mut self, creature: &Creature) {
        let base = self.members.len() as u32;
        let first = self.members.len();
        self.creatures.push(first..first + creature.members.len());
        let mut is_rigid = vec![false; creature.members.len()];
        for part in &creature.parts {
            if part.soft_for > 0.0 {
                continue;
            }
            self.parts.push(Rigid {
                first: self.part_entries.len() as u32,
                count: part.members.len() as u32,
            });
            for &member in &part.members {
                is_rigid[member as usize] = true;
                self.part_entries.push(base + member);
                self.part_numbers.push(self.parts.len() as u32 - 1);
            }
        }
        let mut neighbors = vec![Vec::new(); creature.members.len()];
        for edge in &creature.edges {
            let [a, b] = edge.members;
            neighbors[a as usize].push(b);
            neighbors[b as usize].push(a);
            let torsion = 0.5 * (creature.members[a as usize].torsion + creature.members[b as usize].torsion);
            // Parts of which both are members see to it themselves.
            let together = is_rigid[a as usize] && is_rigid[b as usize];
            if torsion > 0.0 && !together {
                let members = [base + a, base + b];
                self.edges.push(Twisting { members, torsion });
            }
        }
        for (number, member) in creature.members.iter().enumerate() {
            let is_rigid = is_rigid[number];
            let squares = 0.2 * member.mass * member.radii * member.radii;
            self.float |= member.buoyancy != 0.0;
            self.members.push(Known {
                particle: member.particle,
                rest: member.rest.position.into(),
                rest_rotation: member.rest.rotation,
                mass: member.mass,
                radii: member.radii,
                moment: Mat3A::from_diagonal(squares) * Mat3A::from_quat(member.rest.rotation).transpose(),
                buoyancy: member.buoyancy,
                share: 0.0,
                part_share: 0.0,
                neighborhood: match is_rigid {
                    true => NONE,
                    false => self.neighborhoods.len() as u32,
                },
            });
            if !is_rigid {
                self.neighborhoods.push(Neighborhood {
                    first: self.entries.len() as u32,
                    count: 1 + neighbors[number].len() as u32,
                    stiffness: member.stiffness,
                });
                self.entries.push(base + number as u32);
                self.entries
                    .extend(neighbors[number].iter().map(|&member| base + member));
            }
        }
    }

    /// Memory held, bytes.
    pub fn memory_bytes(&self) -> usize {
        let reverse = |list: &Reverse| list.starts.capacity() + list.entries.capacity();
        let words = self.entries.capacity() + 2 * self.part_entries.capacity() + self.numbers.capacity();
        size_of::<Known>() * self.members.capacity()
            + size_of::<Range<usize>>() * self.creatures.capacity()
            + size_of::<Neighborhood>() * self.neighborhoods.capacity()
            + size_of::<Twisting>() * self.edges.capacity()
            + size_of::<Rigid>() * self.parts.capacity()
            + 4 * (words + reverse(&self.entries_of) + reverse(&self.edges_of) + reverse(&self.parts_of))
    }
}
