//! The ring of frames in flight: the one place where stamps are handed out, brought back and judged, for every GPU API.
//! In: frames as they are recorded, and a [`Backend`] that owns the queries. Out: [`Delivered`], once for each frame,
//! in the order in which the frames began, with every stamp measured or missing with its reason.
//!
//! The life of a frame:
//!
//! ```text
//! begin ---> recording ---> in flight ---> returning ---> settled ---> delivered
//!   |        pairs are      its last       its batch is    each stamp
//!   |        handed out     submission     on the way to   has a value
//!   |                       must complete  the host        or a reason
//!   '---> dropped (no slot free) ----------------------------^
//! ```
//!
//! - Queries are copied towards the host only after the submissions that wrote them have completed. Metal resolves before
//!   it samples otherwise; see also gfx-rs/wgpu issue 9414.
//! - Frames travel in batches: one copy and one mapping serve several frames, which is what makes stamping cheap.
//! - A slot is used again only after all its queries were read, or, where a frame was given up, after its submissions have
//!   completed and the backend renewed the queries.
//! - Everything is bounded. Once the first frames have gone round, nothing is allocated but by the addition of a slot.
//! - [`Ring::collect`] never waits. [`Ring::finish`] waits up to its deadline, by the backend's clock.

mod entry;
mod pairs;
mod ring;
mod slots;
mod travel;

use std::time::Duration;

use framecost_sample::{Reading, Reason, Stamp, Ticks, ValidBits};

pub use entry::Refusal;
pub use pairs::{ALIGNMENT, Copy, Pair};
pub use ring::Ring;

/// Which of the ring's slots: the queries of a few frames in a row.
pub type SlotIndex = usize;

/// Which of the ring's batches: one buffer on its way to the host.
pub type BatchIndex = usize;

/// What the ring needs of a GPU API.
pub trait Backend {
    /// Names a submission. Copied into the ring when a frame's work is submitted.
    type Ticket;

    /// Whether a submission's completion implies that of all earlier ones. False with several queues.
    const ORDERED: bool;

    /// Time since some fixed moment, for deadlines.
    fn now(&self) -> Duration;

    /// Whether the submission has completed, waiting for it no longer than `wait`.
    fn poll(&mut self, ticket: &Self::Ticket, wait: Duration) -> Progress;

    /// Makes the queries of one more slot, which gets the next index.
    fn add_slot(&mut self);

    /// Makes a slot's queries new, so that nothing of an earlier use can be read from them. Its submissions have completed.
    fn renew(&mut self, slot: SlotIndex);

    /// Starts to copy these queries, all of completed submissions, into the batch's buffer. The ticket completes when
    /// the copy has arrived.
    ///
    /// # Errors
    /// Why the copy could not be started; the batch is free again.
    fn bring_back(&mut self, batch: BatchIndex, copies: &[Copy]) -> Result<Self::Ticket, Reason>;

    /// Fills `words` from the batch's buffer: at each copy's [`Copy::first_word`] its queries, none where a query is not
    /// available. Leaves the batch free, whatever comes of it.
    ///
    /// # Errors
    /// Why the buffer could not be read.
    fn read(&mut self, batch: BatchIndex, copies: &[Copy], words: &mut [Option<u64>]) -> Result<(), Reason>;
}

/// How far a submission is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It has completed.
    Done,
    /// It has not.
    Pending,
    /// It never will: the device is lost.
    Lost,
}

/// How large the ring is and how patient. All counts are per ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RingOptions {
    /// Query pairs of a frame, beside its bracket: runs of passes beyond them are missing as exhausted.
    pub pairs: u16,
    /// Frames in a row that share a slot: one copy brings them back together.
    pub frames_per_slot: u16,
    /// Frames that may be submitted and unfinished when the next one starts: the number of slots starts from it.
    pub frames_in_flight: u32,
    /// Frames that travel together.
    pub batch: u32,
    /// Slots are added for up to this many frames while none is free: the ring grows to the latency that it meets.
    pub most_frames: u32,
    /// Frames that may begin after a frame before it is given up as not available.
    pub patience: u32,
    /// Queues that a frame's submissions may go to.
    pub queues: u8,
    /// Width of the stamps' clocks.
    pub valid_bits: ValidBits,
}

impl RingOptions {
    /// Sizes for a run: `passes` is the number of passes that a frame may consist of.
    #[must_use]
    pub fn for_run(passes: u16, frames_in_flight: u32) -> Self {
        // A copy and a mapping cost about as much as stamping a frame does; a batch shares them among this many.
        let batch = 32;
        // Room for a pass or two that runs once per cascade or per mip level.
        let pairs = passes.saturating_add(3 + passes / 8);
        Self {
            pairs,
            // wgpu looks through a whole query set after each render pass, which outweighs the copy saved beyond this.
            frames_per_slot: (72 / pairs.saturating_add(1)).clamp(1, 4),
            frames_in_flight,
            batch,
            most_frames: frames_in_flight.saturating_add(4 * batch),
            patience: frames_in_flight.saturating_add(6 * batch),
            queues: 1,
            valid_bits: ValidBits::ALL,
        }
    }

    /// Batches that may be on their way at once.
    pub const BATCHES: usize = 3;
}

/// What the ring hands over of one frame.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Delivered<'a> {
    /// The frame's index.
    pub frame: u64,
    /// What the caller of [`Ring::begin`] noted about the frame.
    pub tag: u8,
    /// A row for each run of a pass, by submission, then in the order of recording. A pass without a row did not run.
    pub stamps: &'a [Stamp],
    /// The stamps before the frame's first and after its last work; missing as not executed where none were asked for.
    pub bracket: [Reading<Ticks>; 2],
    /// Frames begun from this one up to the reading of its stamps.
    pub readback_frames: u64,
    /// Runs of passes that got no row, since there was not even room to note them.
    pub unlisted: u32,
}

/// What the ring has seen since it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RingCounts {
    /// Frames begun.
    pub begun: u64,
    /// Frames delivered, whether measured or not.
    pub delivered: u64,
    /// Frames that no slot was free for.
    pub dropped: u64,
    /// Frames given up because their stamps did not come back in time.
    pub given_up: u64,
    /// Frames whose batch could not be copied or mapped.
    pub map_failed: u64,
    /// Frames that a lost device took with it.
    pub device_lost: u64,
    /// Runs of passes that no query pair was left for.
    pub exhausted: u64,
    /// Frames that were never delivered because nobody collected for too long.
    pub unreported: u64,
    /// Slots in the ring now.
    pub slots: u64,
}
