//! Which values of a document could not be read, so that nothing is concluded from what stands in for them.

use std::collections::BTreeSet;

/// Paths of values that are not what the file meant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Doubts {
    paths: BTreeSet<String>,
}

impl Doubts {
    /// Notes that the value of a path, and all within it, is unknown.
    pub(crate) fn add(&mut self, path: impl Into<String>) {
        self.paths.insert(path.into());
    }

    /// Whether the value of a path was read, though perhaps not all that lies within it.
    pub(crate) fn known(&self, path: &str) -> bool {
        let above = path.char_indices().filter(|(_, letter)| matches!(letter, '.' | '['));
        let mut above = above.map(|(end, _)| &path[..end]);
        !self.paths.contains(path) && !above.any(|outer| self.paths.contains(outer))
    }

    /// Whether the value of a path and everything within it was read.
    pub(crate) fn sound(&self, path: &str) -> bool {
        if path.is_empty() {
            return self.paths.is_empty();
        }
        let within = |step: char| {
            let first = format!("{path}{step}");
            let next = self.paths.range(first.clone()..).next();
            next.is_some_and(|inner| inner.starts_with(&first))
        };
        self.known(path) && !within('.') && !within('[')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_doubt_spreads_inwards_and_outwards_but_not_sideways() {
        let mut doubts = Doubts::default();
        doubts.add("grains[1].shape.box");
        for unsound in [
            "",
            "grains",
            "grains[1]",
            "grains[1].shape.box",
            "grains[1].shape.box.min[2]",
        ] {
            assert!(!doubts.sound(unsound), "{unsound}");
        }
        for sound in [
            "grain",
            "grains[10]",
            "grains[1].name",
            "grains[1].shape.boxes",
            "collider",
        ] {
            assert!(doubts.sound(sound), "{sound}");
        }
        assert!(doubts.known("grains[1]") && !doubts.known("grains[1].shape.box.min"));
    }
}
