//! The program `motes`.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Where there is no desktop, a layer of Mesa's drivers that looks for one complains on stderr each time.
    if cfg!(target_os = "linux") && std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        // SAFETY: no other thread runs yet.
        #[allow(unsafe_code)]
        unsafe {
            std::env::set_var("NODEVICE_SELECT", "1");
        }
    }
    motes_cli::main()
}
