//! The program `motes`: simulate scenes, draw them, check them, measure the solver and validate its physics.

/// Prints a line to stdout.
macro_rules! say {
    ($($arguments:tt)*) => {
        $crate::print_line(format_args!($($arguments)*))
    };
}

/// Prints a line to stderr, if that can be written.
macro_rules! tell {
    ($($arguments:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($arguments)*);
    }};
}

/// Prints part of a line to stderr, if that can be written.
macro_rules! tell_part {
    ($($arguments:tt)*) => {{
        use std::io::Write as _;
        let _ = write!(std::io::stderr(), $($arguments)*);
    }};
}

mod args;
mod bench;
mod check;
mod engine;
mod interrupt;
mod list;
mod mesh;
mod news;
mod outputs;
mod plot;
mod progress;
mod restore;
mod rig;
mod run;
mod scenes;
pub mod validate;

use std::process::ExitCode;

use args::{Arguments, Command};
use clap::Parser;
use motes_geometry::ReadError;
use motes_scene::SceneError;

/// Everything went well.
const SUCCESS: u8 = 0;
/// The run itself failed: a file could not be written, a check or a validation did not pass.
const FAILURE: u8 = 1;
/// The command line or the scene makes no sense.
const USAGE: u8 = 2;
/// Stopped by Ctrl-C, with whole files left behind.
const INTERRUPTED: u8 = 130;

/// Parses the command line, does what it says and returns the exit code.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match arguments.command.unwrap_or_default() {
        Command::Run(options) => run::run(&options),
        Command::List(options) => list::list(&options),
        Command::Check(options) => check::check(&options),
        Command::Bench(options) => bench::bench(&options),
        Command::Validate(options) => validate::command(&options),
        Command::Mesh(options) => mesh::mesh(&options),
        Command::Rig(options) => rig::rig(&options),
        Command::Plot(options) => plot::plot(&options),
        Command::Info(options) => engine::info(&options),
        Command::Schema(options) => check::schema(options.rig),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            tell!("{error:#}");
            let code = if error.is::<SceneError>() || error.is::<args::Misuse>() || error.is::<ReadError>() {
                USAGE
            } else {
                FAILURE
            };
            ExitCode::from(code)
        }
    }
}

/// Prints a line to stdout. A reader that has gone away misses the rest and changes nothing else; a full disk ends the
/// program.
fn print_line(line: std::fmt::Arguments) {
    use std::io::{ErrorKind, Write};
    if let Err(error) = writeln!(std::io::stdout(), "{line}")
        && error.kind() != ErrorKind::BrokenPipe
    {
        tell!("cannot write to stdout: {error}");
        std::process::exit(i32::from(FAILURE));
    }
}
