//! Pictures of particles and meshes, drawn on the CPU, and PNG and MP4 files of them.
//!
//! MP4 is the feature `video`, on by default; without it the crate compiles for browsers.

pub mod color;
mod drawing;
mod error;
mod fabric;
mod image;
mod liquid;
mod mesh;
mod png;
mod preview;
mod puff;
mod quality;
mod unfinished;
#[cfg(feature = "video")]
mod video;

pub use self::drawing::{Camera, Drawing, Ground, Lighting, MeshInstance, Spheres};
pub use self::error::RenderError;
pub use self::fabric::{Fabric, Pattern};
pub use self::image::Image;
pub use self::liquid::Liquid;
pub use self::mesh::Mesh;
pub use self::png::{encode_png, write_png};
pub use self::preview::Preview;
pub use self::puff::Puff;
pub use self::quality::Quality;
pub use self::unfinished::{Claim, abandon_unfinished, check_writable, write_file, write_file_with};
#[cfg(feature = "video")]
pub use self::video::VideoWriter;
