//! Launching kernels of any size, directly and by counts that a kernel wrote.

use motes_gpu::{Buffer, Gpu, GpuError, Kernel, Source};

use crate::{gpu, run};

/// Every thread below the count marks its own element.
const MARK: Source = Source::foreign(
    "mark",
    &[("COUNT", 0)],
    concat!(
        include_str!("../../src/kernels/lib/grid.wgsl"),
        include_str!("../../src/kernels/lib/thread.wgsl"),
        "@group(0) @binding(0) var<storage, read_write> marks: array<u32>;
        @compute @workgroup_size(WORKGROUP) fn main(thread: Thread) {
            let i = thread_index(thread);
            if i < COUNT { marks[i] += i + 1u; }
        }"
    ),
)
.with_shared_constants();

/// Writes how many workgroups the kernel above needs.
const COUNT_GROUPS: Source = Source::foreign(
    "count_groups",
    &[("COUNT", 0), ("THREADS", 1)],
    concat!(
        include_str!("../../src/kernels/lib/grid.wgsl"),
        include_str!("../../src/kernels/lib/thread.wgsl"),
        "@group(0) @binding(0) var<storage, read_write> counts: array<u32>;
        @compute @workgroup_size(1) fn main(thread: Thread) {
            let extent = grid_of((COUNT + THREADS - 1u) / THREADS);
            counts[1] = extent.x;
            counts[2] = extent.y;
            counts[3] = extent.z;
        }"
    ),
)
.with_shared_constants();

fn expect_marks(marks: &Buffer<u32>, count: u32) {
    let marks = marks.read(0..marks.capacity()).expect("a read").wait().expect("data");
    let (marked, rest) = marks.split_at(count as usize);
    assert!(marked.iter().copied().eq(1..=count));
    assert!(rest.iter().all(|&mark| mark == 0));
}

fn mark(gpu: &Gpu, workgroup: u32, count: u32) -> (Kernel, Buffer<u32>, wgpu::BindGroup) {
    let kernel = Kernel::new(gpu, &MARK, &[("WORKGROUP", workgroup), ("COUNT", count)]).expect("a kernel");
    let marks = Buffer::new(gpu, "marks", count as usize + 5).expect("a buffer");
    let bindings = kernel.bind(gpu, &[marks.binding()]);
    (kernel, marks, bindings)
}

const LAUNCHES: [(u32, u32); 5] = [(64, 1), (64, 1000), (256, 100_000), (1, 65_536), (2, 170_001)];

#[test]
fn every_thread_runs_once_however_many_there_are() {
    let Some(gpu) = gpu() else { return };
    for (workgroup, count) in LAUNCHES {
        let (kernel, marks, bindings) = mark(&gpu, workgroup, count);
        run(&gpu, |pass| {
            kernel.launch(pass, &bindings, count);
            kernel.launch(pass, &bindings, 0);
        });
        expect_marks(&marks, count);
    }
}

#[test]
fn a_kernel_decides_how_many_threads_the_next_one_has() {
    let Some(gpu) = gpu() else { return };
    for (workgroup, count) in LAUNCHES {
        let (kernel, marks, bindings) = mark(&gpu, workgroup, count);
        let constants = [("COUNT", count), ("THREADS", workgroup)];
        let counter = Kernel::new(&gpu, &COUNT_GROUPS, &constants).expect("a kernel");
        let counts = Buffer::<u32>::new(&gpu, "counts", 4).expect("a buffer");
        let counter_bindings = counter.bind(&gpu, &[counts.binding()]);
        run(&gpu, |pass| {
            counter.launch_groups(pass, &counter_bindings, 1);
            kernel.launch_indirect(pass, &bindings, counts.raw(), 4);
        });
        expect_marks(&marks, count);
    }
}

#[test]
fn a_kernel_that_does_not_compile_is_an_error_that_names_it() {
    let Some(gpu) = gpu() else { return };
    let broken = Source::foreign("broken", &[], "fn main(");
    let error = Kernel::new(&gpu, &broken, &[]).expect_err("it is broken");
    assert!(
        matches!(&error, GpuError::Kernel { kernel, .. } if kernel == "broken"),
        "{error}"
    );
    gpu.check().expect("the device is none the worse");
}
