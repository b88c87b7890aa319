//! The device while a scene uses it: calling the scene, waiting with patience, and hearing what goes wrong.

use std::time::Duration;

use framecost_wgpu::Gpu;

use crate::RunError;
use crate::faults::{Faults, guarded};

/// A device in use by a scene: waiting for it, and hearing what it complains about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Device<'a> {
    pub(crate) gpu: &'a Gpu,
    pub(crate) faults: &'a Faults,
    pub(crate) scene: &'a str,
    pub(crate) patience: Duration,
}

impl Device<'_> {
    /// Calls into the scene: its panic is the run's error. `place` is asked for only then.
    pub(crate) fn call<T>(
        &self,
        place: impl FnOnce() -> String,
        scene: impl FnOnce() -> T,
    ) -> Result<T, RunError> {
        let panicked = |message| RunError::Panicked { scene: self.scene.to_owned(), place: place(), message };
        guarded(scene).map_err(panicked)
    }

    /// Waits for a submission, or for all of them.
    pub(crate) fn wait(
        &self,
        submission_index: Option<wgpu::SubmissionIndex>,
        place: &str,
    ) -> Result<(), RunError> {
        let poll = wgpu::PollType::Wait { submission_index, timeout: Some(self.patience) };
        match self.gpu.device.poll(poll) {
            Ok(_) => Ok(()),
            Err(wgpu::PollError::Timeout) => Err(RunError::Stuck {
                scene: self.scene.to_owned(),
                place: place.to_owned(),
                seconds: self.patience.as_secs(),
            }),
            Err(fault) => Err(self.error(place, fault.to_string())),
        }
    }

    /// `place` is asked for only where there is a complaint: a frame without one allocates nothing here.
    pub(crate) fn complain(&self, place: impl FnOnce() -> String) -> Result<(), RunError> {
        self.faults.take().map_or(Ok(()), |message| Err(self.error(&place(), message)))
    }

    fn error(&self, place: &str, message: String) -> RunError {
        RunError::Device { scene: self.scene.to_owned(), place: place.to_owned(), message }
    }
}
