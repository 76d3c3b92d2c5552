//! The program `motes`.

use std::process::ExitCode;

fn main() -> ExitCode {
    motes_cli::main()
}
