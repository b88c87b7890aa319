//! What runs inside the measured program and needs no GPU API.
//!
//! - [`inflight`]: the ring of frames in flight, which every GPU source shares;
//! - [`overhead`]: what measuring costs the CPU;
//! - [`alloc`]: counting of allocations.

pub mod alloc;
pub mod inflight;
pub mod overhead;
#[doc(hidden)]
pub mod sim;
