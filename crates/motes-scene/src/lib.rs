//! Scene files of motes (TOML), from text to a world ready to run, and the gallery.
//!
//! [`Scene::load`] reads a file and lists everything that is wrong with it at once, [`Scene::build`] makes a world,
//! [`check()`](check::check) doubts what is legal but strange, and [`gallery()`](gallery::gallery) holds the scenes that come with motes.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod build;
pub mod check;
mod compile;
mod decode;
pub mod gallery;
mod issues;
mod looks;
mod mesh_files;
pub mod model;
mod nearest;
pub mod problem;
pub mod random;
pub mod rig_file;
mod scene;
mod schema;
mod stage;
mod steps;
mod view;

use decode::choice::choice;
use decode::table::table;
use decode::words::words;

pub use build::Built;
pub use check::check;
pub use compile::{BodyForm, CreatureForm, SheetForm, SizeLimits};
pub use looks::{BodyLook, ClothLook, ColliderLook, CreatureLook, GroupLook, Looks, SheetLook};
pub use nearest::nearest;
pub use problem::{Place, Problem, SceneError, Severity};
pub use random::random_scene;
pub use rig_file::{RigModel, RigTable};
pub use scene::Scene;
pub use schema::schema;
pub use stage::{Followed, Stage};
pub use view::View;
