//! Which engine to run on.

use std::sync::OnceLock;

use anyhow::{Result, bail};
use motes_core::{CpuEngine, Engine, World};
use motes_gpu::{Choice, Gpu, GpuEngine, GpuError, adapters};
use motes_scene::Scene;
use serde_json::json;

use crate::args::{EngineChoice, EngineOptions, InfoOptions};

impl EngineOptions {
    /// A new engine of the chosen kind.
    pub(crate) fn create(&self) -> Result<Box<dyn Engine>> {
        match self.engine {
            EngineChoice::Cpu => Ok(self.cpu()),
            EngineChoice::Gpu => Ok(Box::new(GpuEngine::new(&gpu(true)?)?)),
            // Threads are asked for where there is a choice of them.
            EngineChoice::Auto if self.threads.is_some() => Ok(self.cpu()),
            EngineChoice::Auto => match gpu(false).and_then(|gpu| GpuEngine::new(&gpu)) {
                Ok(engine) => Ok(Box::new(engine)),
                Err(_) => Ok(self.cpu()),
            },
        }
    }

    /// The same, but for a scene: where the choice is free, one that knows all there is in it. Creatures that dent are for the CPU.
    pub(crate) fn for_scene(&self, scene: &Scene) -> Self {
        let dents = scene.creature.iter().any(|creature| creature.denting.is_some());
        let engine = match self.engine {
            EngineChoice::Auto if dents => EngineChoice::Cpu,
            chosen => chosen,
        };
        Self { engine, ..self.clone() }
    }

    fn cpu(&self) -> Box<dyn Engine> {
        match self.threads {
            Some(threads) => Box::new(CpuEngine::with_threads(usize::from(threads))),
            None => Box::new(CpuEngine::new()),
        }
    }
}

/// What `--engine auto` asks for, and `--engine gpu`, which takes a software driver for want of a better.
fn choice(software: bool) -> Choice {
    Choice {
        software,
        ..Choice::default()
    }
}

/// The one device that all engines of a run share.
fn gpu(software: bool) -> Result<Gpu, GpuError> {
    static GPUS: [OnceLock<Result<Gpu, GpuError>>; 2] = [OnceLock::new(), OnceLock::new()];
    let gpu = GPUS[usize::from(software)].get_or_init(|| Gpu::pick(&choice(software)));
    if let Ok(gpu) = gpu
        && gpu.is_software()
    {
        static SAID: OnceLock<()> = OnceLock::new();
        SAID.get_or_init(|| {
            tell!(
                "note: {} computes on the CPU; it shows nothing of a GPU's speed",
                gpu.description()
            );
        });
    }
    gpu.clone()
}

/// Fails when the device has failed, and passes on what else it has to say.
pub(crate) fn check_device(world: &mut World) -> Result<()> {
    if let Some(notice) = world.notice() {
        tell!("note: {notice}");
    }
    match world.fault() {
        Some(fault) => bail!("{fault} (--engine cpu needs no GPU)"),
        None => Ok(()),
    }
}

/// `motes info`: the adapters of this machine, and which would be chosen.
pub(crate) fn info(options: &InfoOptions) -> Result<u8> {
    let found = adapters(&choice(false));
    let automatic = if found.iter().any(|adapter| adapter.chosen) {
        "gpu"
    } else {
        "cpu"
    };
    if options.json {
        let list: Vec<_> = found
            .iter()
            .map(|adapter| {
                json!({
                    "name": adapter.name, "backend": adapter.backend, "driver": adapter.driver,
                    "kind": adapter.kind, "chosen": adapter.chosen, "reason": adapter.reason,
                })
            })
            .collect();
        let info = json!({ "auto": automatic, "threads": rayon::current_num_threads(), "adapters": list });
        say!("{}", serde_json::to_string_pretty(&info)?);
        return Ok(crate::SUCCESS);
    }
    say!("--engine auto runs on the {automatic}");
    say!("cpu  {} threads", rayon::current_num_threads());
    if found.is_empty() {
        say!("gpu  none found (no Vulkan, Metal or DirectX 12 driver)");
    }
    for adapter in found {
        let mark = if adapter.chosen { "*" } else { " " };
        say!(
            "gpu {mark}{} ({}, {}; {}): {}",
            adapter.name,
            adapter.backend,
            adapter.kind,
            adapter.driver,
            adapter.reason
        );
    }
    Ok(crate::SUCCESS)
}
