//! Ctrl-C and the system's request to end. In: signals. Out: a flag that is asked between frames, so that what is being
//! stored is stored whole and what is being measured leaves nothing.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Watches from now on; a second request while the first is heeded ends the process as it would without us.
pub(crate) fn watch() -> Result<()> {
    ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            // A driver that hangs must not hold the person. Captures appear whole or not at all, whenever this comes.
            std::process::exit(crate::exit::Exit::NotMeasured as i32);
        }
    })
    .context("cannot watch for interrupts")
}

/// Whether somebody asked to end.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
