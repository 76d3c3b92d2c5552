//! Hot loops compiled twice, for plain x86-64 and for AVX2, and the choice between them at run time. Both do the same
//! operations in the same order, so both give the same bits.

/// A loop worth compiling for wider registers. What it calls must be inlined to take part.
pub(super) trait Kernel {
    type Output;

    fn run(self) -> Self::Output;
}

/// Runs a kernel in the widest form the processor has.
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has been found to have what the function asks for.
        #[allow(unsafe_code)]
        return unsafe { run_avx2(kernel) };
    }
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}
