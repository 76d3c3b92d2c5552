//! Ctrl-C, or SIGTERM, asks the running command to come to an end; a second one ends it at once, without unfinished files.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);
static LISTENING: OnceLock<()> = OnceLock::new();

/// Starts to listen for Ctrl-C, SIGTERM and SIGHUP.
pub(crate) fn listen() {
    LISTENING.get_or_init(|| {
        // Without a handler Ctrl-C simply kills the program, as it always did.
        let _ = ctrlc::set_handler(|| {
            if ASKED.swap(true, Ordering::Relaxed) {
                motes_render::abandon_unfinished();
                std::process::exit(i32::from(crate::INTERRUPTED));
            }
        });
    });
}

/// Whether the command was asked to end.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
