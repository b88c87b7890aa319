//! What goes wrong while a scene is loaded and drawn: complaints of the device, panics of the scene's code. In: wgpu's
//! error callback, which otherwise ends the program, and calls into the scene. Out: the first fault, as the run's error.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

/// Holds the first complaint since it was last asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faults(Arc<Mutex<Option<String>>>);

impl Faults {
    /// From now on, errors of this device come here.
    pub(crate) fn watch(device: &wgpu::Device) -> Self {
        let faults = Self::default();
        let sink = faults.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| sink.put(&error.to_string())));
        faults
    }

    fn put(&self, error: &str) {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert_with(|| error.split_whitespace().collect::<Vec<_>>().join(" "));
    }

    /// The first complaint, if there was one.
    pub(crate) fn take(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// What the scene's code gives, or the words of its panic. A run ends with the panic, so nothing that it left half done is
/// used again.
pub(crate) fn guarded<T>(scene: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(scene)).map_err(|payload| {
        let words = payload.downcast_ref::<&str>().map(ToString::to_string);
        words.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
    })
}
