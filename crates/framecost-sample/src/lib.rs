//! The record of what frames cost: what every source writes and every later stage reads.
//!
//! The words, in the order in which they build on each other:
//!
//! - a [`Ticks`] is a raw reading of one [`Clock`]; [`Nanos`] is time;
//! - a [`Reading`] is a value that was measured, or missing with a [`Reason`]; nothing here is ever zero for want of a value;
//! - a **pass** ([`PassDef`]) is a named stretch of GPU work; its [`Stamp`] holds the ticks at its start and end,
//!   and its [`Semantics`] say what those two moments are;
//! - a **frame** is one trip through the renderer, named by its index on the scene's path: the same index is the same
//!   work in every run. Passes handed to a queue together form a **submission**;
//! - a [`Metric`] is a quantity with a name, a unit and a better direction; a [`Sample`] is its reading in one frame;
//! - a [`Capture`] is one run: its [`Key`], its [`Environment`], its clocks and passes, and all raw stamps and samples.
//!
//! ```text
//!  GPU sources, CPU probes, files of other tools  --->  Capture  --->  accounting, statistics, judgement, reports
//! ```

mod bounds;
mod capture;
mod clock;
mod context;
mod logged;
mod metric;
mod moment;
mod pairing;
mod pass;
mod reading;
mod unit;
pub mod wire;

pub use capture::{Capture, CaptureError, CaptureParts, Counts, Figure, Remark, Sample, Stamp};
pub use clock::{Clock, ClockError, ClockId, Period, Sharing, ValidBits};
pub use context::{AdapterClass, Environment, Fact, Instrumentation, Key, Size, Switches};
pub use logged::{Coverage, Logged};
pub use metric::{BUILT_IN, Better, Metric, MetricId, names as metric_names};
pub use moment::is_moment;
pub use pairing::{Pairing, Side};
pub use pass::{GateDef, PassDef, PassId, Queue, QueueId, Semantics};
pub use reading::{Reading, Reason};
pub use unit::{Bytes, Count, Nanos, ParseUnitError, Ratio, Ticks, Unit};
