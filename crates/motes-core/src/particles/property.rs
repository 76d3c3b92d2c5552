//! What a property of particles is, declared once.
//!
//! `properties!` takes one line per property and makes of it the array and everything that has to happen to it when
//! particles are added, moved to other slots, removed, saved or handed to a device. A property is
//!
//! - **hot**: one value per slot, `Vec<T>`. It follows every sort, so that loops over slots read it in order;
//! - **hot and optional**, with a usual value: the same, [`BySlot<T>`](super::optional::BySlot), but nothing is stored while all particles have the
//!   usual value;
//! - **cold**: one value per id, [`ById<T>`](super::optional::ById), and optional likewise. No sort touches it.
//!
//! Optional properties go to a device as words by id ([`OptionalWords`]), hot or not: nothing there sorts them.

use std::any::Any;

use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;

use super::ParticleId;
use super::optional::OptionalWords;
use crate::cpu::CHUNK;

/// Declares a struct of arrays: `hot name: Type = |new, id| value` or, if optional, `hot` or `cold name: Type =
/// |new, id| value, usual value`, each followed by `saved` or `unsaved`; those `+ digested` count in the fingerprint of a
/// world. `with` adds other fields.
macro_rules! properties {
    (
        $(#[$meta:meta])*
        $vis:vis struct $Name:ident from $New:ty, saved as $Saved:ident {
            $(
                $(#[$doc:meta])*
                $kind:ident $field_vis:vis $field:ident: $Type:ty = |$new:pat_param, $id:pat_param| $value:expr
                    $(, usual $usual:expr)?; $saved:ident $(+ $digested:ident)?
            )*
        }
        with { $($(#[$other_meta:meta])* $other:ident: $Other:ty,)* }
    ) => {
        $(#[$meta])*
        $vis struct $Name {
            $($(#[$doc])* $field_vis $field: properties!(@column $kind $Type $(, $usual)?),)*
            $($(#[$other_meta])* $other: $Other,)*
        }

        /// The saved properties, slot by slot.
        #[derive(serde::Serialize, serde::Deserialize)]
        struct $Saved {
            $($field: properties!(@saved $saved $Type),)*
        }

        impl Default for $Name {
            fn default() -> Self {
                Self {
                    $($field: properties!(@empty $kind $(, $usual)?),)*
                    $($other: Default::default(),)*
                }
            }
        }

        impl $Name {
            /// The values of one more particle, in the next slot.
            fn push_properties(&mut self, added: &$New, id: ParticleId) {
                let slot = self.ids.len();
                $({
                    let value = |$new: &$New, $id: ParticleId| $value;
                    Column::push(&mut self.$field, (slot, id), value(added, id));
                })*
            }

            fn move_properties(&mut self, from: usize, to: usize) {
                $(Column::move_slot(&mut self.$field, from, to);)*
            }

            fn truncate_properties(&mut self, count: usize) {
                $(Column::truncate(&mut self.$field, count);)*
            }

            /// Brings what is kept by slot into another order: for every new slot, the old one.
            pub(crate) fn sort_properties(&mut self, order: &[u32], spares: &mut Spares) {
                $(Column::sort(&mut self.$field, order, spares);)*
            }

            /// Whether there are values for so many particles.
            fn properties_are_for(&self, count: usize) -> bool {
                true $(&& Column::is_for(&self.$field, count))*
            }

            fn property_bytes(&self) -> usize {
                0 $(+ Column::memory_bytes(&self.$field))*
            }

            /// Adds what makes up the fingerprint of a world.
            pub(crate) fn digest_properties(&self, hasher: &mut impl std::hash::Hasher) {
                $($(properties!(@digested $digested self.$field, hasher);)?)*
            }

            /// The optional properties with their names, in the order of declaration.
            $vis fn optional(&self) -> Vec<(&'static str, &dyn OptionalWords)> {
                let all = [$((stringify!($field), Column::optional(&self.$field))),*];
                all.into_iter().filter_map(|(name, column)| Some((name, column?))).collect()
            }

            /// The same, to change.
            $vis fn optional_mut(&mut self) -> Vec<&mut dyn OptionalWords> {
                [$(Column::optional_mut(&mut self.$field)),*].into_iter().flatten().collect()
            }

            fn save_properties(self) -> $Saved {
                let ids = self.ids.clone();
                $Saved { $($field: properties!(@save $saved self.$field, &ids),)* }
            }

            /// Takes over saved values for particles of these ids.
            fn load_properties(saved: $Saved, ids: &[ParticleId]) -> Result<Self, String> {
                let mut loaded = Self::default();
                $(properties!(@load $saved saved.$field, loaded.$field, ids, stringify!($field));)*
                Ok(loaded)
            }
        }
    };
    (@column hot $Type:ty) => { Vec<$Type> };
    (@column hot $Type:ty, $usual:expr) => { BySlot<$Type> };
    (@column cold $Type:ty, $usual:expr) => { ById<$Type> };
    (@empty hot) => { Vec::new() };
    (@empty hot, $usual:expr) => { BySlot::new($usual) };
    (@empty cold, $usual:expr) => { ById::new($usual) };
    (@digested digested $column:expr, $hasher:ident) => { $hasher.write(Column::bytes(&$column)) };
    (@saved saved $Type:ty) => { Vec<$Type> };
    (@saved unsaved $Type:ty) => { () };
    (@save saved $column:expr, $ids:expr) => { Column::save($column, $ids) };
    (@save unsaved $column:expr, $ids:expr) => { () };
    (@load $saved:ident $from:expr, $to:expr, $ids:expr, $name:expr) => {
        if let Err(length) = Column::load(&mut $to, properties!(@kept $saved $from), $ids) {
            return Err(format!("{} particles and {length} {}", $ids.len(), $name));
        }
    };
    (@kept saved $from:expr) => { Some($from) };
    (@kept unsaved $from:expr) => { None };
}
pub(super) use properties;

/// An array of values of particles, by slot or by id.
pub(super) trait Column {
    type Value;
    /// The value of one more particle, with its slot and id.
    fn push(&mut self, place: (usize, ParticleId), value: Self::Value);
    fn move_slot(&mut self, from: usize, to: usize);
    fn truncate(&mut self, count: usize);
    fn sort(&mut self, order: &[u32], spares: &mut Spares);
    fn is_for(&self, count: usize) -> bool;
    fn memory_bytes(&self) -> usize;
    fn bytes(&self) -> &[u8];
    fn optional(&self) -> Option<&dyn OptionalWords>;
    fn optional_mut(&mut self) -> Option<&mut dyn OptionalWords>;
    /// The values slot by slot; none where all are the usual one.
    fn save(self, ids: &[ParticleId]) -> Vec<Self::Value>;
    /// Takes them over, unless there are too many or too few: then says how many. What was not saved begins anew.
    fn load(&mut self, saved: Option<Vec<Self::Value>>, ids: &[ParticleId]) -> Result<(), usize>;
}

impl<T: Pod + PartialEq + Send + Sync> Column for Vec<T> {
    type Value = T;

    fn push(&mut self, _: (usize, ParticleId), value: T) {
        Vec::push(self, value);
    }

    fn move_slot(&mut self, from: usize, to: usize) {
        self[to] = self[from];
    }

    fn truncate(&mut self, count: usize) {
        Vec::truncate(self, count);
    }

    /// Small values are mostly the same for all particles, and then stay where they are.
    fn sort(&mut self, order: &[u32], spares: &mut Spares) {
        let first = self.first().copied();
        if size_of::<T>() > 4 || self.par_iter().with_min_len(CHUNK).any(|&value| Some(value) != first) {
            let spare = spares.of::<T>();
            spare.resize(self.len(), T::zeroed());
            let places = spare.par_iter_mut().zip(order).with_min_len(CHUNK);
            places.for_each(|(to, &from)| *to = self[from as usize]);
            std::mem::swap(self, spare);
        }
    }

    fn is_for(&self, count: usize) -> bool {
        self.len() == count
    }

    fn memory_bytes(&self) -> usize {
        size_of::<T>() * self.capacity()
    }

    fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(self)
    }

    fn optional(&self) -> Option<&dyn OptionalWords> {
        None
    }

    fn optional_mut(&mut self) -> Option<&mut dyn OptionalWords> {
        None
    }

    fn save(self, _: &[ParticleId]) -> Self {
        self
    }

    fn load(&mut self, saved: Option<Self>, ids: &[ParticleId]) -> Result<(), usize> {
        *self = saved.unwrap_or_else(|| vec![T::zeroed(); ids.len()]);
        if self.len() == ids.len() {
            Ok(())
        } else {
            Err(self.len())
        }
    }
}

/// Spare arrays that others are rearranged through, one for each type of value.
#[derive(Default)]
pub(crate) struct Spares {
    arrays: Vec<Box<dyn Spare>>,
}

trait Spare: Any + Send + Sync {
    fn bytes(&self) -> usize;
    fn as_any(&mut self) -> &mut dyn Any;
}

impl<T: Any + Send + Sync> Spare for Vec<T> {
    fn bytes(&self) -> usize {
        size_of::<T>() * self.capacity()
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
}

impl Spares {
    /// The spare array of a type.
    pub(crate) fn of<T: Zeroable + Any + Send + Sync>(&mut self) -> &mut Vec<T> {
        let is_it = |array: &mut Box<dyn Spare>| (**array).as_any().is::<Vec<T>>();
        let place = self.arrays.iter_mut().position(is_it).unwrap_or_else(|| {
            self.arrays.push(Box::new(Vec::<T>::new()));
            self.arrays.len() - 1
        });
        match (*self.arrays[place]).as_any().downcast_mut() {
            Some(array) => array,
            None => unreachable!("found by its type"),
        }
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.arrays.iter().map(|array| array.bytes()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::optional::{ById, BySlot};
    use super::*;

    properties! {
        #[derive(Clone, Debug, PartialEq)]
        struct Sample from f32, saved as SavedSample {
            hot heats: f32 = |new, _| *new; saved + digested
            hot ids: ParticleId = |_, id| id; saved
            hot marks: u64 = |_, _| 7; unsaved
            hot turns: [f32; 2] = |new, _| [*new, 1.0], usual [0.0, 1.0]; saved + digested
            cold spins: [f32; 3] = |new, _| [*new, 0.0, 0.0], usual [0.0; 3]; saved
        }
        with {}
    }

    fn id(index: u32) -> ParticleId {
        ParticleId { index, generation: 0 }
    }

    #[test]
    fn one_line_is_enough() {
        let mut sample = Sample::default();
        for index in 0..4 {
            sample.push_properties(&(index as f32), id(index));
        }
        sample.sort_properties(&[3, 1, 0, 2], &mut Spares::default());
        assert_eq!(sample.heats, [3.0, 1.0, 0.0, 2.0]);
        sample.move_properties(3, 1);
        sample.truncate_properties(2);
        assert_eq!(sample.heats, [3.0, 2.0]);
        assert!(sample.properties_are_for(2) && !sample.properties_are_for(4));
        assert_eq!(sample.spins.get(sample.ids[1]), [2.0, 0.0, 0.0]);
        assert_eq!([0, 1].map(|slot| sample.turns.get(slot)), [[3.0, 1.0], [2.0, 1.0]]);
        assert!(sample.property_bytes() >= 2 * (4 + 8 + 8 + 8) + 4 * 12);
        let digest = |sample: &Sample| {
            let mut hasher = std::hash::DefaultHasher::new();
            sample.digest_properties(&mut hasher);
            std::hash::Hasher::finish(&hasher)
        };
        let mut whole = sample.clone();
        whole.marks[0] = 0;
        assert_eq!(digest(&whole), digest(&sample), "not digested");
        whole.heats[0] = 0.0;
        assert_ne!(digest(&whole), digest(&sample));
        let ids = sample.ids.clone();
        let saved = sample.clone().save_properties();
        let loaded = Sample::load_properties(saved, &ids).expect("sound");
        assert_eq!(loaded.heats, sample.heats);
        assert_eq!(loaded.spins.get(id(3)), [3.0, 0.0, 0.0]);
        assert_eq!(loaded.turns, sample.turns);
        assert_eq!(loaded.marks, [0, 0], "not saved");
    }

    #[test]
    fn the_words_of_a_device_are_all_there_is_to_an_optional_property() {
        let mut sample = Sample::default();
        for index in 0..4 {
            sample.push_properties(&(index as f32), id(index));
        }
        sample.sort_properties(&[3, 1, 0, 2], &mut Spares::default());
        let names: Vec<_> = sample.optional().iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["turns", "spins"]);
        let mut back = Sample::default();
        for _ in 0..4 {
            back.push_properties(&0.0, id(9));
        }
        for (place, (_, column)) in sample.optional().into_iter().enumerate() {
            let mut words = vec![0; 4 * column.words_each()];
            for (slot, &id) in sample.ids.iter().enumerate() {
                let first = id.index as usize * column.words_each();
                words[first..first + column.words_each()].copy_from_slice(column.words_of(slot, id));
            }
            back.optional_mut()[place].set_words(&words, &sample.ids);
        }
        assert_eq!(back.turns, sample.turns);
        assert_eq!([0, 1, 2, 3].map(|k| back.spins.get(id(k))[0]), [0.0, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn what_nobody_has_takes_no_room() {
        let mut sample = Sample::default();
        sample.push_properties(&0.0, id(0));
        sample.sort_properties(&[0], &mut Spares::default());
        assert!(!sample.spins.is_stored() && !sample.turns.is_stored());
        let saved = sample.clone().save_properties();
        assert!(saved.spins.is_empty() && saved.turns.is_empty());
        sample.push_properties(&5.0, id(1));
        assert_eq!((sample.spins.get(id(0))[0], sample.spins.get(id(1))[0]), (0.0, 5.0));
        assert_eq!((sample.turns.get(0)[0], sample.turns.get(1)[0]), (0.0, 5.0));
    }

    #[test]
    fn an_index_that_is_used_again_begins_with_the_usual_value() {
        let mut sample = Sample::default();
        sample.push_properties(&5.0, id(0));
        sample.push_properties(
            &0.0,
            ParticleId {
                index: 0,
                generation: 1,
            },
        );
        assert_eq!(sample.spins.get(id(0)), [0.0; 3]);
    }

    #[test]
    fn saved_arrays_of_another_length_are_refused() {
        let mut sample = Sample::default();
        sample.push_properties(&1.0, id(0));
        let mut saved = sample.clone().save_properties();
        saved.spins.push([0.0; 3]);
        assert!(Sample::load_properties(saved, &[id(0)]).is_err());
        let mut saved = sample.save_properties();
        saved.heats.clear();
        assert!(Sample::load_properties(saved, &[id(0)]).is_err());
    }
}
