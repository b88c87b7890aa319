//! What a device can stamp, decided once, with the reason where it cannot. In: a device. Out: [`Support`].

use framecost_sample::{Clock, Period, Reading, Reason, Semantics, Sharing, ValidBits};

use crate::vulkan;

/// Whether something can be done, or why not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Able {
    /// It can.
    Yes,
    /// It cannot, for this reason.
    No(String),
}

/// What the device can stamp. Decided when it is opened; nothing later asks the device again.
#[derive(Clone, Debug, PartialEq)]
pub struct Support {
    /// Stamps at the start and end of passes.
    pub pass_stamps: Able,
    /// Stamps between passes.
    pub encoder_stamps: Able,
    /// Stamps inside passes. Tiling GPUs cannot; framecost does not use them.
    pub inside_passes: Able,
    /// A start stamp that does not wait for earlier work.
    pub top_of_pipe: Able,
    /// Stamps before a frame's first and after its last work.
    pub bracket: Able,
    /// What a pass's two attachment stamps are on this backend.
    pub semantics: Semantics,
    /// The clock that the queue's stamps are read from.
    pub clock: Clock,
    /// Where the number of valid bits comes from.
    pub valid_bits_from: &'static str,
}

impl Able {
    /// Whether it can be done.
    #[must_use]
    pub const fn is_yes(&self) -> bool {
        matches!(self, Self::Yes)
    }

    fn when(able: bool, otherwise: &str) -> Self {
        if able { Self::Yes } else { Self::No(otherwise.into()) }
    }

    /// This, if `other` can be done too; else why not.
    fn and(self, other: &Self) -> Self {
        if self.is_yes() { other.clone() } else { self }
    }
}

/// What is asked of Vulkan about the queue's clock.
struct ClockFacts {
    period: Result<Period, String>,
    valid_bits: ValidBits,
    valid_bits_from: &'static str,
    sharing: Sharing,
}

impl Support {
    pub(crate) fn decide(device: &wgpu::Device, queue: &wgpu::Queue, backend: wgpu::Backend) -> Self {
        let facts = ClockFacts::of(device, queue);
        let feature = |feature, name| {
            Able::when(device.features().contains(feature), &format!("the device has no feature {name}"))
        };
        let period = match &facts.period {
            Ok(_) => Able::Yes,
            Err(fault) => Able::No(fault.clone()),
        };
        let clock_works = period
            .and(&Able::when(facts.valid_bits.can_stamp(), "the queue's timestamps have no valid bits"));
        let pass_stamps = feature(wgpu::Features::TIMESTAMP_QUERY, "TIMESTAMP_QUERY").and(&clock_works);
        let encoder_stamps =
            feature(wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS, "TIMESTAMP_QUERY_INSIDE_ENCODERS")
                .and(&not_on_metal(backend))
                .and(&clock_works);
        let inside_passes =
            feature(wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES, "TIMESTAMP_QUERY_INSIDE_PASSES");
        let is_vulkan = Able::when(
            vulkan::RawDevice::of(device).is_some(),
            "only Vulkan's command buffers can be reached past wgpu",
        );
        Self {
            top_of_pipe: is_vulkan.and(&clock_works),
            bracket: encoder_stamps.clone(),
            pass_stamps,
            encoder_stamps,
            inside_passes,
            semantics: semantics_of(backend),
            clock: Clock {
                name: "gpu".into(),
                period: facts.period.unwrap_or(Period::NANOSECOND),
                valid_bits: facts.valid_bits,
                // The proof on known work finds it.
                step: Reading::Missing(Reason::NotExecuted),
                sharing: facts.sharing,
            },
            valid_bits_from: facts.valid_bits_from,
        }
    }
}

impl ClockFacts {
    fn of(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        let period = Period::from_f32(queue.get_timestamp_period()).map_err(|fault| fault.to_string());
        let Some((bits, extension)) = vulkan::clock_facts(device) else {
            return Self {
                period,
                valid_bits: ValidBits::ALL,
                valid_bits_from: "assumed: only Vulkan tells",
                sharing: Sharing::WithinSubmission,
            };
        };
        let sharing = match extension {
            Some(extension) => Sharing::AcrossSubmissions { promise: format!("{extension} enabled") },
            None => Sharing::WithinSubmission,
        };
        let (valid_bits, valid_bits_from) = match ValidBits::new(bits.into()) {
            Ok(bits) => (bits, "the queue family's properties"),
            Err(_) => (ValidBits::ALL, "assumed: the driver names a width that Vulkan forbids"),
        };
        Self { period, valid_bits, valid_bits_from, sharing }
    }
}

/// Stamps from the encoder hang or flicker on macOS 26 (gfx-rs/wgpu-native 624, bevy 22257), and come back zero from
/// encoders without work (wgpu-native 625).
fn not_on_metal(backend: wgpu::Backend) -> Able {
    Able::when(backend != wgpu::Backend::Metal, "Metal drops or hangs on stamps outside of passes")
}

/// What the two stamps of a pass are on a backend, by wgpu-hal's source.
const fn semantics_of(backend: wgpu::Backend) -> Semantics {
    match backend {
        // Both at BOTTOM_OF_PIPE; D3D12's timestamps are bottom-of-pipe by definition.
        wgpu::Backend::Vulkan | wgpu::Backend::Dx12 => Semantics::BottomBottom,
        // Start of the vertex stage to end of the fragment stage.
        wgpu::Backend::Metal => Semantics::StageBoundary,
        _ => Semantics::Unstated,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_wins() {
        let no = |why: &str| Able::No(why.into());
        assert_eq!(Able::Yes.and(&Able::Yes), Able::Yes);
        assert_eq!(Able::Yes.and(&no("b")), no("b"));
        assert_eq!(no("a").and(&no("b")), no("a"));
    }

    // Research items 2.17, 2.30, 2.35: stamps outside of passes are not used where they hang, flicker or trap.
    #[test]
    fn metal_gets_no_stamps_outside_of_passes() {
        assert!(!not_on_metal(wgpu::Backend::Metal).is_yes());
        assert!(not_on_metal(wgpu::Backend::Vulkan).is_yes());
    }

    // Finding 1c.9: the same word means two things.
    #[test]
    fn backends_differ_in_what_a_pass_time_is() {
        assert_eq!(semantics_of(wgpu::Backend::Vulkan), Semantics::BottomBottom);
        assert_eq!(semantics_of(wgpu::Backend::Metal), Semantics::StageBoundary);
    }
}
