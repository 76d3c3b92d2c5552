//! Worlds on a GPU by one word: `World::on_gpu` in place of `World::new`.

use motes_core::{Settings, StateError, World, WorldError};
use motes_gpu::{Choice, Gpu, GpuEngine, GpuError};

/// Why there is no world on a GPU.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NoGpu {
    /// The GPU is the reason: [`GpuError::NoAdapter`] where there is none.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// The settings are.
    #[error(transparent)]
    World(#[from] WorldError),
    /// The saved state is.
    #[error(transparent)]
    State(#[from] StateError),
}

/// Worlds on the best GPU of this machine.
///
/// Drivers that compute on the CPU do not count: the engine for CPUs is faster than any of them.
///
/// ```
/// use motes::prelude::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = match World::on_gpu(Settings::default()) {
///     Ok(world) => world,
///     Err(NoGpu::Gpu(reason)) => {
///         eprintln!("on the CPU: {reason}");
///         World::new(Settings::default())?
///     }
///     Err(error) => return Err(error.into()),
/// };
/// world.step(1.0 / 60.0);
/// # Ok(())
/// # }
/// ```
pub trait OnGpu: Sized {
    /// An empty world on a GPU.
    fn on_gpu(settings: Settings) -> Result<Self, NoGpu>;

    /// The same on a GPU of the caller's choice, be it a driver that computes on the CPU.
    fn on_chosen_gpu(settings: Settings, choice: &Choice) -> Result<Self, NoGpu>;

    /// A world as it was saved, on a GPU.
    fn restore_on_gpu(bytes: &[u8]) -> Result<Self, NoGpu>;
}

impl OnGpu for World {
    fn on_gpu(settings: Settings) -> Result<Self, NoGpu> {
        Self::on_chosen_gpu(settings, &hardware())
    }

    fn on_chosen_gpu(settings: Settings, choice: &Choice) -> Result<Self, NoGpu> {
        // Settings that make no sense do so on any machine.
        Self::new(settings.clone())?;
        let engine = GpuEngine::new(&Gpu::pick(choice)?)?;
        Ok(Self::with_engine(settings, Box::new(engine))?)
    }

    fn restore_on_gpu(bytes: &[u8]) -> Result<Self, NoGpu> {
        let engine = GpuEngine::new(&Gpu::pick(&hardware())?)?;
        Ok(Self::restore(bytes, Box::new(engine))?)
    }
}

fn hardware() -> Choice {
    Choice {
        software: false,
        ..Choice::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gpu_that_is_not_there_is_an_error_to_match_on_and_any_other_runs() {
        let nobody = Choice {
            name: Some("a GPU of no such name".into()),
            ..Choice::default()
        };
        let refused = World::on_chosen_gpu(Settings::default(), &nobody);
        assert!(matches!(refused, Err(NoGpu::Gpu(GpuError::NoAdapter { .. }))));
        match World::on_chosen_gpu(Settings::default(), &Choice::default()) {
            Ok(mut world) => {
                world.step(1.0 / 60.0);
                assert_eq!((world.engine().0, world.fault()), ("gpu", None));
            }
            Err(NoGpu::Gpu(GpuError::NoAdapter { .. })) if std::env::var_os("MOTES_REQUIRE_GPU").is_none() => {
                println!("not tested: no GPU here");
            }
            Err(error) => panic!("{error}"),
        }
    }
}
