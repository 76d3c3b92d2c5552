//! The GPUs of this machine, and which of them to use.

use std::cmp::Reverse;

use crate::device::{required_features, required_limits};
use crate::error::GpuError;

/// What to look for among the adapters.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Take only adapters whose name contains this, ignoring case.
    pub name: Option<String>,
    /// Take a driver that computes on the CPU if there is nothing better. Default true.
    pub software: bool,
    /// Interfaces to look through. Default all.
    pub backends: wgpu::Backends,
}

impl Default for Choice {
    fn default() -> Self {
        Self {
            name: None,
            software: true,
            backends: wgpu::Backends::all(),
        }
    }
}

/// One adapter, and what became of it in the choice.
#[derive(Clone, Debug)]
pub struct AdapterReport {
    /// Name of the hardware.
    pub name: String,
    /// Interface it is reached through: `vulkan`, `metal`, `dx12` or `webgpu`.
    pub backend: &'static str,
    /// Driver and its version.
    pub driver: String,
    /// `discrete`, `integrated`, `virtual`, `software` or `other`.
    pub kind: &'static str,
    /// Whether this is the one that would be used.
    pub chosen: bool,
    /// Why it is chosen, or why not.
    pub reason: String,
}

/// All adapters of this machine, best first, with what `choice` makes of them.
#[cfg(not(target_family = "wasm"))]
pub fn adapters(choice: &Choice) -> Vec<AdapterReport> {
    pollster::block_on(adapters_async(choice))
}

/// The same as [`adapters`], for where blocking is not possible.
pub async fn adapters_async(choice: &Choice) -> Vec<AdapterReport> {
    survey(choice).await.0
}

/// The best adapter for `choice`.
pub(crate) async fn choose(choice: &Choice) -> Result<wgpu::Adapter, GpuError> {
    let (considered, adapter) = survey(choice).await;
    adapter.ok_or(GpuError::NoAdapter { considered })
}

/// Whether a driver computes on the CPU.
pub(crate) fn is_software(info: &wgpu::AdapterInfo) -> bool {
    let name = info.name.to_lowercase();
    info.device_type == wgpu::DeviceType::Cpu
        || ["llvmpipe", "lavapipe", "swiftshader", "basic render driver"]
            .iter()
            .any(|software| name.contains(software))
}

async fn survey(choice: &Choice) -> (Vec<AdapterReport>, Option<wgpu::Adapter>) {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    // Every indirect dispatch would get a second one that checks its arguments; the kernels here write valid ones.
    descriptor.flags.remove(wgpu::InstanceFlags::VALIDATION_INDIRECT_CALL);
    descriptor.backends &= choice.backends;
    let instance = wgpu::Instance::new(descriptor);
    let mut found = instance.enumerate_adapters(choice.backends).await;
    found.sort_by_key(|adapter| Reverse(rank(&adapter.get_info())));

    let mut chosen = None;
    let reports = found
        .into_iter()
        .map(|adapter| {
            let info = adapter.get_info();
            let reason = match objection(&adapter, choice) {
                Some(objection) => objection,
                None if chosen.is_none() => praise(&info),
                None => "usable, but another one is preferred".to_owned(),
            };
            let taken = chosen.is_none() && objection(&adapter, choice).is_none();
            let report = AdapterReport {
                kind: kind(&info),
                backend: info.backend.to_str(),
                driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
                name: info.name,
                chosen: taken,
                reason,
            };
            if taken {
                chosen = Some(adapter);
            }
            report
        })
        .collect();
    (reports, chosen)
}

/// Real before software, discrete before integrated, the leaner interface before the other.
fn rank(info: &wgpu::AdapterInfo) -> (bool, u32, u32) {
    let kind = match info.device_type {
        wgpu::DeviceType::DiscreteGpu => 4,
        wgpu::DeviceType::IntegratedGpu => 3,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 1,
        wgpu::DeviceType::Cpu => 0,
    };
    let backend = match info.backend {
        wgpu::Backend::Vulkan | wgpu::Backend::Metal => 2,
        wgpu::Backend::Dx12 | wgpu::Backend::BrowserWebGpu => 1,
        _ => 0,
    };
    (!is_software(info), kind, backend)
}

fn objection(adapter: &wgpu::Adapter, choice: &Choice) -> Option<String> {
    let info = adapter.get_info();
    if let Some(name) = &choice.name
        && !info.name.to_lowercase().contains(&name.to_lowercase())
    {
        return Some(format!("its name does not contain '{name}'"));
    }
    if !choice.software && is_software(&info) {
        return Some("it computes on the CPU, where the CPU engine is faster".to_owned());
    }
    let downlevel = adapter.get_downlevel_capabilities();
    if !downlevel.flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS) {
        return Some("it has no compute shaders".to_owned());
    }
    let mut lacking = None;
    required_limits(&adapter.limits()).check_limits_with_fail_fn(&adapter.limits(), false, |limit, wanted, given| {
        lacking.get_or_insert(format!("its {limit} is {given}, and {wanted} is needed"));
    });
    lacking
}

fn praise(info: &wgpu::AdapterInfo) -> String {
    match info.device_type {
        _ if is_software(info) => "nothing better was found; it computes on the CPU, slowly".to_owned(),
        wgpu::DeviceType::DiscreteGpu => "a graphics card of its own".to_owned(),
        _ => "the fastest one found".to_owned(),
    }
}

fn kind(info: &wgpu::AdapterInfo) -> &'static str {
    match info.device_type {
        _ if is_software(info) => "software",
        wgpu::DeviceType::DiscreteGpu => "discrete",
        wgpu::DeviceType::IntegratedGpu => "integrated",
        wgpu::DeviceType::VirtualGpu => "virtual",
        _ => "other",
    }
}

/// Opens a device on an adapter.
pub(crate) async fn open(adapter: &wgpu::Adapter) -> Result<(wgpu::Device, wgpu::Queue), GpuError> {
    adapter
        .request_device(&wgpu::DeviceDescriptor {
            label: Some("motes"),
            required_features: required_features(adapter.features()),
            required_limits: required_limits(&adapter.limits()),
            memory_hints: wgpu::MemoryHints::Performance,
            ..Default::default()
        })
        .await
        .map_err(|error| GpuError::RequestFailed {
            adapter: adapter.get_info().name,
            reason: error.to_string(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(name: &str, device_type: wgpu::DeviceType) -> wgpu::AdapterInfo {
        let mut info = wgpu::AdapterInfo::new(device_type, wgpu::Backend::Vulkan);
        info.name = name.to_owned();
        info
    }

    #[test]
    fn software_drivers_are_recognised_whatever_they_call_themselves() {
        assert!(is_software(&info(
            "llvmpipe (LLVM 15.0.6, 256 bits)",
            wgpu::DeviceType::Other
        )));
        assert!(is_software(&info(
            "SwiftShader Device (LLVM 16)",
            wgpu::DeviceType::VirtualGpu
        )));
        assert!(is_software(&info("any", wgpu::DeviceType::Cpu)));
        assert!(!is_software(&info("NVIDIA H200", wgpu::DeviceType::DiscreteGpu)));
    }

    #[test]
    fn a_discrete_card_comes_before_an_integrated_one_and_both_before_software() {
        let discrete = rank(&info("card", wgpu::DeviceType::DiscreteGpu));
        let integrated = rank(&info("chip", wgpu::DeviceType::IntegratedGpu));
        let software = rank(&info("llvmpipe", wgpu::DeviceType::DiscreteGpu));
        assert!(discrete > integrated && integrated > software);
    }

    #[test]
    fn a_name_that_no_adapter_has_is_an_error_that_lists_what_was_looked_at() {
        let choice = Choice {
            name: Some("no such card".to_owned()),
            ..Choice::default()
        };
        let Err(GpuError::NoAdapter { considered }) = pollster::block_on(choose(&choice)) else {
            panic!("an adapter was chosen");
        };
        assert!(considered.iter().all(|adapter| adapter.reason.contains("no such card")));
    }
}
