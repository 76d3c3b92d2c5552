//! Places and how they change: poses, motions, boxes around things, and regions of space.

pub mod bounds;
pub mod motion;
pub mod pose;
pub mod volume;
