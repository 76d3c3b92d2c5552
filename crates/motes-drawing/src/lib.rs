//! A world as a drawing: what a program, a window, a browser and bindings share between scene and renderer.
//!
//! A [`Sketch`] holds what stays the same from frame to frame: meshes of colliders and bodies, colours, light. It
//! follows a world and gives a [`Drawing`](motes_render::Drawing) of it for any camera, which a renderer of
//! [`motes_render`] turns into a picture. [`export`] writes particles and bodies for other programs, into anything
//! that takes bytes. The crate opens no files and compiles for browsers.
//!
//! ```
//! use motes_core::CpuEngine;
//! use motes_drawing::{Sketch, camera_at, export};
//! use motes_render::{Preview, Quality, encode_png};
//! use motes_scene::Scene;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let scene = Scene::from_toml("[[grains]]\nshape = { sphere = { radius = 0.2 } }", "ball.toml")?;
//! let mut built = scene.build(Box::new(CpuEngine::new()))?;
//! let mut sketch = Sketch::of_scene(&scene, &built);
//! sketch.follow(&mut built.world);
//! let image = Preview::new().draw(&sketch.drawing(camera_at(&scene, 0)), 160, 90, &Quality::video());
//!
//! let mut png = Vec::new();
//! encode_png(&mut png, &image)?;
//! let mut ply = Vec::new();
//! export::write_ply(&mut ply, &export::particles(&mut built.world, &built.looks))?;
//! # Ok(())
//! # }
//! ```

mod board;
mod cloth;
mod creature;
pub mod export;
mod foam;
mod forms;
mod liquid;
mod liquid_look;
mod obstacle;
mod rig_sheet;
mod sheet;
mod sketch;
mod smoke;
mod specimen;
mod style;
mod surface;
mod track;

pub use cloth::sheets;
pub use liquid::{LiquidMesh, liquids};
pub use liquid_look::{Clarity, LiquidLook};
pub use rig_sheet::rig_sheet;
pub use sheet::{Sheet, SheetLook};
pub use sketch::Sketch;
pub use smoke::{SmokeMarker, smoke_markers};
pub use specimen::specimen;
pub use style::{Slice, Style};
pub use surface::Surface;
pub use track::{CameraTrack, camera_at};
