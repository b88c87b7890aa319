//! "Criterion for frames": the run protocol for anybody's scene. In: a [`Benchmark`], a [`Plan`]. Out: one
//! [`Capture`](framecost_sample::Capture) for each variant and repeat. It prints nothing: an [`Observer`] is told.
//!
//! A scene of one's own, whole:
//!
//! ```no_run
//! use framecost_harness::{Benchmark, Frame, FrameSamples, Gpu, Plan, Scene, SceneError, SceneInfo, Setup, run};
//!
//! struct Clear;
//!
//! struct Loaded {
//!     view: wgpu::TextureView,
//! }
//!
//! impl Benchmark for Clear {
//!     fn info(&self) -> SceneInfo {
//!         SceneInfo::new("clear", &["clear"])
//!     }
//!
//!     fn load(&self, gpu: &Gpu, setup: &Setup) -> Result<Box<dyn Scene>, SceneError> {
//!         let format = wgpu::TextureFormat::Rgba8Unorm;
//!         let view = setup.target(gpu, format).create_view(&wgpu::TextureViewDescriptor::default());
//!         Ok(Box::new(Loaded { view }))
//!     }
//! }
//!
//! impl Scene for Loaded {
//!     fn frame(&mut self, _index: u64, frame: &mut Frame<'_>, _samples: &mut FrameSamples<'_>) {
//!         let Some(clear) = frame.pass("clear") else { return };
//!         let target = Some(wgpu::RenderPassColorAttachment {
//!             view: &self.view,
//!             depth_slice: None,
//!             resolve_target: None,
//!             ops: wgpu::Operations::default(),
//!         });
//!         let descriptor = wgpu::RenderPassDescriptor { color_attachments: &[target], ..Default::default() };
//!         let mut submission = frame.submission();
//!         submission.render_pass(clear, &descriptor, |_pass| { /* set a pipeline, draw */ });
//!         submission.submit();
//!     }
//! }
//!
//! let records = run(&Clear, &Plan::default(), &mut ())?;
//! println!("{} frames measured", records[0].capture.frames.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What happens in a run, in order: the scene is loaded; one frame creates what is created once (start-up); warm-up
//! frames draw frame 0; a few more pairs of frames, stamped and bracketed in turn, show what stamping costs; then
//! frames `0..n` of the path are measured, at most so many of them in flight. The environment is read before the first
//! and after the last. Variants take turns, forth and back (A B B A), so that a drift of the machine meets all alike; two of them
//! may take turns frame by frame instead ([`Interleave::Frames`]), which hides far more of what the machine does.

mod calibration;
mod course;
mod device;
mod difference;
mod environment;
mod error;
mod faults;
mod injected;
mod interleaved;
mod marginal;
mod observe;
mod pictures;
mod plan;
mod recorder;
mod remarks;
mod run;
mod samples;
mod scene;
mod switch;
mod throttle;
mod time;
mod work;
mod yardstick;

pub use difference::Difference;
pub use error::RunError;
pub use framecost_sample::{Better, Metric, Reading, Unit};
pub use framecost_wgpu::{Frame, Gpu, Stamping, Submission};
pub use injected::Injected;
pub use marginal::{Marginal, MarginalKind};
pub use observe::{Event, Observer, Phase};
pub use pictures::{Apart, Picture, PictureObserver, PicturePlan, draw, picture, pictures};
pub use plan::{Interleave, Plan, PlanError, order};
pub use run::{RunRecord, Session, run};
pub use samples::FrameSamples;
pub use scene::{Benchmark, Gate, Image, Scene, SceneError, SceneInfo, Setup, Without};
pub use switch::{Allowed, SwitchDef, SwitchError, resolve};
pub use yardstick::Yardstick;

/// FNV-1a over 64 bits: the hash of a scene's settings and of generated buffers. The same on every machine and in every
/// version; it notices change, it does not resist attack.
#[must_use]
pub fn stable_hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(super::stable_hash(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(super::stable_hash(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
