//! What can go wrong when a world is built, changed or read back.

use thiserror::Error;

/// A world was given something it cannot use.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum WorldError {
    /// A value is out of range.
    #[error("{what}: {field} is {found}, expected {expected}")]
    Value {
        /// The object.
        what: String,
        /// Its field.
        field: String,
        /// The value found.
        found: String,
        /// What would do.
        expected: String,
    },
    /// A handle names nothing that is alive.
    #[error("{0} does not exist, or no longer")]
    Gone(&'static str),
    /// Particles are too different in size for one world.
    #[error("radii from {smallest} to {largest} m in one world; the largest may be {most} times the smallest")]
    SizesTooDifferent {
        /// Smallest radius, metres.
        smallest: f32,
        /// Largest radius, metres.
        largest: f32,
        /// How many times larger it may be.
        most: f32,
    },
    /// The engine of the world does not know such things.
    #[error("the {engine} engine does not simulate {what}")]
    Unsupported {
        /// What it does not know.
        what: &'static str,
        /// Name of the engine.
        engine: &'static str,
    },
    /// More groups than the phase bits can tell apart.
    #[error("a world holds at most {limit} groups")]
    TooManyGroups {
        /// The limit.
        limit: u32,
    },
}

/// Particles stopped being finite numbers during a frame; they were put back to where the sub-step began and stopped.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{count} particle(s) of \"{group}\" left the range of numbers in frame {frame}, first particle {particle}")]
pub struct Exploded {
    /// Name of the first particle's group.
    pub group: String,
    /// Id index of the first particle.
    pub particle: u32,
    /// Number of particles.
    pub count: usize,
    /// The frame.
    pub frame: u64,
}

/// A saved state could not be read.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum StateError {
    /// It does not begin as a state does.
    #[error("not a motes state: it does not begin with \"MOTESTAT\"")]
    Foreign,
    /// It was written by another version.
    #[error("state format {found}, this program reads {expected}")]
    Version {
        /// Version of the file.
        found: u32,
        /// Version of this program.
        expected: u32,
    },
    /// It ends too early.
    #[error("state is cut short: {found} bytes of {expected}")]
    Truncated {
        /// Bytes found.
        found: u64,
        /// Bytes announced.
        expected: u64,
    },
    /// Its bytes changed since it was written.
    #[error("state is damaged: its checksum does not match")]
    Damaged,
    /// It holds what the engine does not know.
    #[error("the state holds {what}, which the {engine} engine does not simulate")]
    Unsupported {
        /// What it holds.
        what: &'static str,
        /// Name of the engine.
        engine: &'static str,
    },
    /// Its contents contradict each other.
    #[error("state is inconsistent: {0}")]
    Inconsistent(String),
}
