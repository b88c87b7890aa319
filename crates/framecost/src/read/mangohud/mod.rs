//! MangoHud's logs and summaries, all versions. In: a file's first lines. Out: how its rows are read, and what the data says of
//! units afterwards; a summary's figures.
//!
//! One name has had two units: `frametime` was in microseconds up to 0.6.8 and is in milliseconds since, `elapsed` was in
//! microseconds up to 0.5 and is in nanoseconds since. The data decides, never the version alone.

mod finish;
mod header;
mod summary;

pub(super) use header::{matches, plan};
pub(super) use summary::{matches as matches_summary, read as read_summary};

#[cfg(test)]
mod tests;
