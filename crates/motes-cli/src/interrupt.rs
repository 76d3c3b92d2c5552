//! Ctrl-C, or SIGTERM, ends the program at once, without unfinished files. While a command has something to bring to an end, the first one
//! only asks it to.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static HAS_AN_END: AtomicBool = AtomicBool::new(false);
static ASKED: AtomicBool = AtomicBool::new(false);
static LISTENING: OnceLock<()> = OnceLock::new();

/// Starts to listen for Ctrl-C, SIGTERM and SIGHUP.
pub(crate) fn listen() {
    LISTENING.get_or_init(|| {
        // Without a handler Ctrl-C simply kills the program, as it always did.
        let _ = ctrlc::set_handler(|| {
            if !HAS_AN_END.load(Ordering::Relaxed) || ASKED.swap(true, Ordering::Relaxed) {
                motes_render::abandon_unfinished();
                std::process::exit(i32::from(crate::INTERRUPTED));
            }
        });
    });
}

/// From now on the command asks whether it is to end, and ends well.
pub(crate) fn end_well() {
    HAS_AN_END.store(true, Ordering::Relaxed);
}

/// Whether the command was asked to end.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
