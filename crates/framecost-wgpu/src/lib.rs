//! GPU time of wgpu passes, proven before it is believed. In: a scene's passes, recorded through [`Frame`] and
//! [`Submission`]. Out: [`FrameStamps`], the raw stamps of each frame, some frames later and in order.
//!
//! ```no_run
//! use framecost_wgpu::{FrameTimer, Gpu, OpenOptions, TimerOptions};
//!
//! let gpu = Gpu::open(&OpenOptions::default())?;
//! let mut timer = FrameTimer::new(&gpu, &["blur"], &TimerOptions::default())?;
//! let blur = timer.pass("blur").ok_or("blur is in the list above")?;
//! for index in 0..100 {
//!     let mut frame = timer.begin_frame(index);
//!     let mut submission = frame.submission();
//!     submission.compute_pass(blur, |_pass| { /* set a pipeline, dispatch */ });
//!     submission.submit();
//!     frame.end();
//!     timer.collect(&mut |frame| println!("{}: {:?}", frame.frame, frame.stamps));
//! }
//! timer.finish(std::time::Duration::from_secs(5), &mut |frame| println!("{}: {:?}", frame.frame, frame.stamps));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A pass of this crate is a wgpu pass. What its two stamps are depends on backend and driver, and is part of every
//! comparison: see [`FrameTimer::semantics`]. Whether they hold all of the pass's work is tried once for each device on
//! work of known size ([`Gpu::proof`]); stamps that leave work out are mended or missing, never shown.

mod backend;
mod frame;
mod gpu;
mod known_work;
mod oddity;
mod proof;
mod support;
mod timer;
#[cfg(not(target_vendor = "apple"))]
mod vulkan;
#[cfg(target_vendor = "apple")]
#[path = "no_vulkan.rs"]
mod vulkan;

pub use frame::{Frame, Submission};
pub use gpu::{AdapterReport, Gpu, OpenError, OpenOptions, adapters};
pub use oddity::Oddities;
pub use proof::{Method, ProofReport, Trial, TrialRow, Work};
pub use support::{Able, Support};
pub use timer::{Bracket, FrameStamps, FrameTimer, Stamping, TimerError, TimerOptions};
