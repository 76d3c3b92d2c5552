//! A kernel: one WGSL file of `kernels/`, compiled, bound to buffers and launched.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernels::shared;

/// The text of a kernel. Written with `kernel!`, listed in [`crate::kernels::ALL`].
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// Name of the file in `kernels/`, without its ending.
    pub name: &'static str,
    /// The shared files of `kernels/lib/` that come before it.
    pub libs: &'static [&'static str],
    /// Its constants and what they are unless a launcher says otherwise. `WORKGROUP`, 256, need not be listed.
    pub constants: &'static [(&'static str, u32)],
    /// All of the text but the constants.
    pub wgsl: &'static str,
    /// Whether every loop is known to end.
    trusted: bool,
    /// Whether it knows the constants that kernels share with Rust.
    shares: bool,
}

/// A kernel as a device has it: which text, and the values of its constants.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct KernelKey {
    name: &'static str,
    /// Where the text without the constants is in memory, where it stays, and how long it is.
    wgsl: (usize, usize),
    checks: [bool; 2],
    values: Vec<u32>,
}

/// With subgroup operations or without: two ways to the same result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Workgroup memory and barriers only.
    Plain,
    /// Subgroup operations, of any subgroup size.
    Subgroup,
}

impl Variant {
    /// Every variant that a device can run.
    pub fn available(gpu: &Gpu) -> &'static [Self] {
        match gpu.capabilities().subgroups {
            Some(_) => &[Self::Subgroup, Self::Plain],
            None => &[Self::Plain],
        }
    }

    /// The faster variant that a device can run.
    pub fn best(gpu: &Gpu) -> Self {
        Self::available(gpu)[0]
    }
}

/// The source of a kernel: `kernel!("name", "shared", "files")`, with constants `kernel!("name", "shared"; ITEMS = 4)`.
macro_rules! kernel {
    ($name:literal $(, $lib:literal)* $(; $($constant:ident = $value:literal),+)?) => {
        $crate::kernel::Source::ours(
            $name,
            &[$($lib),*],
            &[$($((stringify!($constant), $value)),+)?],
            concat!(
                $(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/kernels/lib/", $lib, ".wgsl")), "\n",)*
                include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/kernels/", $name, ".wgsl"))
            ),
        )
    };
}
pub(crate) use kernel;

/// Threads of a workgroup, unless the constant `WORKGROUP` says otherwise.
pub(crate) const WORKGROUP: u32 = 256;

impl Source {
    /// A kernel of this crate, whose loops all end.
    pub(crate) const fn ours(
        name: &'static str,
        libs: &'static [&'static str],
        constants: &'static [(&'static str, u32)],
        wgsl: &'static str,
    ) -> Self {
        Self {
            name,
            libs,
            constants,
            wgsl,
            trusted: true,
            shares: true,
        }
    }

    /// A kernel from elsewhere. The driver is made to end its loops, which costs time.
    pub const fn foreign(name: &'static str, constants: &'static [(&'static str, u32)], wgsl: &'static str) -> Self {
        Self {
            name,
            libs: &[],
            constants,
            wgsl,
            trusted: false,
            shares: false,
        }
    }

    /// The same with the constants declared that kernels of this crate share with Rust, as files of `kernels/lib/` expect.
    pub const fn with_shared_constants(self) -> Self {
        Self { shares: true, ..self }
    }

    /// The whole text, with `constants` in place of the usual ones; kernels of this crate know what they share with Rust.
    ///
    /// Constants are written into the text rather than overridden in the pipeline, so that they can size any array.
    pub fn text(&self, constants: &[(&str, u32)]) -> String {
        let mut text = String::new();
        if cfg!(target_family = "wasm") && self.uses_subgroups() {
            // Browsers want the extension named; naga knows subgroups without it and not the name.
            text.push_str("enable subgroups;\ndiagnostic(off, subgroup_uniformity);\n");
        }
        for (name, usual) in [("WORKGROUP", WORKGROUP)].iter().chain(self.constants) {
            let value = find(constants, name).unwrap_or(*usual);
            text.push_str(&format!("const {name} = {value}u;\n"));
        }
        if self.shares {
            text.push_str(&shared::declarations());
        }
        if self.libs.contains(&"sections") {
            text.push_str(&shared::accessors());
        }
        text.push_str(self.wgsl);
        text
    }

    /// What tells the text that comes of constants from all others, without writing it.
    fn key(&self, constants: &[(&str, u32)]) -> KernelKey {
        let all = [("WORKGROUP", WORKGROUP)];
        let value = |&(name, usual): &(&str, u32)| find(constants, name).unwrap_or(usual);
        KernelKey {
            name: self.name,
            wgsl: (self.wgsl.as_ptr() as usize, self.wgsl.len()),
            checks: [self.trusted, self.shares],
            values: all.iter().chain(self.constants).map(value).collect(),
        }
    }

    /// Whether the kernel needs subgroups.
    pub fn uses_subgroups(&self) -> bool {
        self.libs.contains(&"subgroup")
    }
}

impl Source {
    #[allow(unsafe_code)]
    fn module(&self, gpu: &Gpu, text: &str) -> wgpu::ShaderModule {
        let descriptor = wgpu::ShaderModuleDescriptor {
            label: Some(self.name),
            source: wgpu::ShaderSource::Wgsl(text.into()),
        };
        let checks = wgpu::ShaderRuntimeChecks {
            force_loop_bounding: !self.trusted,
            ..wgpu::ShaderRuntimeChecks::checked()
        };
        // SAFETY: the only check left out is that loops end. A loop that does not would let the driver assume anything;
        // those of trusted kernels count up to a fixed bound. Drivers unroll loops only without the check: sorting
        // 100 000 pairs takes 50 µs instead of 95 on an H200. Accesses stay checked.
        unsafe { gpu.device().create_shader_module_trusted(descriptor, checks) }
    }

    fn failed(&self, reason: &str) -> GpuError {
        GpuError::Kernel {
            kernel: self.name.to_owned(),
            reason: reason.to_owned(),
        }
    }
}

fn find(constants: &[(&str, u32)], wanted: &str) -> Option<u32> {
    let found = constants.iter().find(|(name, _)| *name == wanted);
    found.map(|(_, value)| *value)
}

/// A compiled kernel, with entry point `main`.
#[derive(Clone, Debug)]
pub struct Kernel {
    name: &'static str,
    workgroup: u32,
    /// Filled when it is compiled.
    made: Arc<OnceLock<Result<Made, GpuError>>>,
}

/// What compiling makes.
#[derive(Debug)]
struct Made {
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
}

impl Kernel {
    /// Compiles a kernel unless the device has it already; `constants` replace the usual values of its constants and of
    /// `WORKGROUP`, its threads.
    pub fn new(gpu: &Gpu, source: &Source, constants: &[(&str, u32)]) -> Result<Self, GpuError> {
        let (kernel, job) = Self::find(gpu, source, constants);
        job.into_iter().for_each(|job| job());
        kernel.check()?;
        Ok(kernel)
    }

    /// The same on another thread. Whoever binds or launches the kernel waits for it; nothing comes of that if it cannot be
    /// compiled, which [`Self::check`] tells.
    pub(crate) fn begin(gpu: &Gpu, source: &Source, constants: &[(&str, u32)]) -> Self {
        let (kernel, job) = Self::find(gpu, source, constants);
        if let Some(job) = job {
            gpu.compilers().spawn(Box::new(job));
        }
        kernel
    }

    /// Waits until it is compiled, and says whether it could be.
    pub(crate) fn check(&self) -> Result<(), GpuError> {
        self.made.wait().as_ref().map(|_| ()).map_err(GpuError::clone)
    }

    /// The kernel, and what compiles it unless somebody does.
    fn find(gpu: &Gpu, source: &Source, constants: &[(&str, u32)]) -> (Self, Option<impl FnOnce() + Send + use<>>) {
        let key = source.key(constants);
        let (kernel, is_new) = gpu.known(&key, || Self {
            name: source.name,
            workgroup: find(constants, "WORKGROUP").unwrap_or(WORKGROUP),
            made: Arc::default(),
        });
        if !is_new {
            return (kernel, None);
        }
        let (gpu, source, made) = (gpu.clone(), *source, Arc::clone(&kernel.made));
        let text = source.text(constants);
        let job = move || {
            let compile = AssertUnwindSafe(|| Made::new(&gpu, &source, &text));
            let compiled = catch_unwind(compile).unwrap_or_else(|_| Err(source.failed("the compiler gave up")));
            if compiled.is_err() {
                gpu.forget(&key);
            }
            let _ = made.set(compiled);
        };
        (kernel, Some(job))
    }

    /// Name of the kernel.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Threads of a workgroup.
    pub(crate) fn workgroup(&self) -> u32 {
        self.workgroup
    }

    fn made(&self) -> Option<&Made> {
        self.made.wait().as_ref().ok()
    }

    /// Binds resources to `@group(0) @binding(0)`, `@binding(1)` and so on. Valid as long as none of them is replaced.
    pub fn bind(&self, gpu: &Gpu, resources: &[wgpu::BindingResource<'_>]) -> wgpu::BindGroup {
        let entries: Vec<_> = (0..)
            .zip(resources)
            .map(|(binding, resource)| wgpu::BindGroupEntry {
                binding,
                resource: resource.clone(),
            })
            .collect();
        let Some(made) = self.made() else {
            return nothing(gpu);
        };
        gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(self.name),
            layout: &made.layout,
            entries: &entries,
        })
    }

    /// Launches at least `threads` threads. In the kernel, `thread_index` numbers them and must be compared with the count.
    pub fn launch(&self, pass: &mut wgpu::ComputePass<'_>, bindings: &wgpu::BindGroup, threads: u32) {
        self.launch_groups(pass, bindings, threads.div_ceil(self.workgroup));
    }

    /// Launches at least `groups` workgroups. In the kernel, `group_index` numbers them.
    pub fn launch_groups(&self, pass: &mut wgpu::ComputePass<'_>, bindings: &wgpu::BindGroup, groups: u32) {
        let [x, y, z] = grid(groups);
        if groups > 0 && self.prepare(pass, bindings) {
            pass.dispatch_workgroups(x, y, z);
        }
    }

    /// Launches as many workgroups as the three numbers at byte `offset` of `counts` say: what `grid_of` gives in a kernel.
    pub fn launch_indirect(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        bindings: &wgpu::BindGroup,
        counts: &wgpu::Buffer,
        offset: u64,
    ) {
        if self.prepare(pass, bindings) {
            pass.dispatch_workgroups_indirect(counts, offset);
        }
    }

    /// Says whether there is anything to launch.
    fn prepare(&self, pass: &mut wgpu::ComputePass<'_>, bindings: &wgpu::BindGroup) -> bool {
        let Some(made) = self.made() else {
            return false;
        };
        pass.set_pipeline(&made.pipeline);
        pass.set_bind_group(0, bindings, &[]);
        true
    }
}

impl Made {
    fn new(gpu: &Gpu, source: &Source, text: &str) -> Result<Self, GpuError> {
        let made = gpu.catch(|| {
            let module = source.module(gpu, text);
            let pipeline = gpu.device().create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(source.name),
                layout: None,
                module: &module,
                entry_point: Some("main"),
                compilation_options: wgpu::PipelineCompilationOptions {
                    zero_initialize_workgroup_memory: false,
                    ..Default::default()
                },
                cache: None,
            });
            let layout = pipeline.get_bind_group_layout(0);
            Self { pipeline, layout }
        });
        made.map_err(|error| source.failed(&error.to_string()))
    }
}

/// A bind group for a kernel that there is not.
fn nothing(gpu: &Gpu) -> wgpu::BindGroup {
    let layout = gpu.device().create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: None,
        entries: &[],
    });
    gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &layout,
        entries: &[],
    })
}

/// Workgroups along x of a dispatch that needs more than one row.
pub(crate) const GROUPS_PER_ROW: u32 = 32768;

/// Most workgroups along any side of a dispatch that WebGPU promises.
pub(crate) const MAX_GROUPS: u32 = 65535;

/// Extent of a dispatch of at least `groups` workgroups, none of its sides above 65535. The last row may be longer than
/// needed, so a kernel compares its index with its count.
pub fn grid(groups: u32) -> [u32; 3] {
    if groups <= MAX_GROUPS {
        [groups, 1, 1]
    } else {
        [GROUPS_PER_ROW, groups.div_ceil(GROUPS_PER_ROW), 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_has_enough_groups_and_no_side_above_the_limit() {
        for groups in [0, 1, 65535, 65536, 65537, 1 << 20, u32::MAX] {
            let [x, y, z] = grid(groups);
            assert!(x <= 65535 && y <= 131_072 && z == 1);
            assert!(u64::from(x) * u64::from(y) >= u64::from(groups));
            assert!(y == 1 || x == GROUPS_PER_ROW);
        }
    }
}
