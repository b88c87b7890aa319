//! Captures, baselines and noise profiles on disk. In: a [`Capture`](framecost_sample::Capture), or a folder that anybody may have
//! written. Out: the other, or a [`StoreError`] that names the file, the row, the column and the value at fault.
//!
//! A capture is a folder of four files, defined in `docs/format.md`:
//!
//! ```text
//!  NAME.framecost/
//!    capture.json      what the run was, its clocks and passes, its counts   (framecost_sample::wire)
//!    stamps.parquet    a row per run of a pass in a frame
//!    samples.parquet   a row per metric and frame
//!    SHA256SUMS        what the other three must hash to; `sha256sum -c` reads it
//! ```
//!
//! Folders are written beside their place and renamed into it, so that none is ever half there. What is read is
//! untrusted: sizes are checked before anything is allocated for them, and no link is followed out of the folder.

pub mod baseline;
mod capture;
mod error;
mod file;
mod folder;
mod footer;
mod foreign;
pub mod noise;
mod page;
mod partial;
mod samples;
mod stamps;
mod sums;
mod table;
mod thrift;

#[cfg(test)]
#[path = "../tests/common/mod.rs"]
mod fixture;

pub use capture::{read, write};
pub use error::StoreError;
pub use foreign::read_foreign;
pub use partial::{Opened, Tables, open};

/// The ending of a capture folder's name.
pub const EXTENSION: &str = "framecost";
