//! What an adapter can stamp, decided once, with the reason where it cannot. In: a device. Out: [`Support`].

use framecost_sample::{Clock, Period, Reading, Reason, Semantics, Sharing, ValidBits};

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

    pub(crate) fn when(able: bool, otherwise: &str) -> Self {
        if able { Self::Yes } else { Self::No(otherwise.into()) }
    }
}

impl Support {
    pub(crate) fn decide(device: &wgpu::Device, queue: &wgpu::Queue, info: &wgpu::AdapterInfo) -> Self {
        let has = |feature| device.features().contains(feature);
        let period = queue.get_timestamp_period();
        let (period, period_fault) = match Period::from_f32(period) {
            Ok(period) => (period, None),
            Err(fault) => (Period::NANOSECOND, Some(fault.to_string())),
        };
        let pass_stamps = match period_fault {
            Some(fault) => Able::No(fault),
            None => Able::when(
                has(wgpu::Features::TIMESTAMP_QUERY),
                "the adapter lacks the feature TIMESTAMP_QUERY",
            ),
        };
        Self {
            encoder_stamps: Able::when(
                has(wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS),
                "the adapter lacks the feature TIMESTAMP_QUERY_INSIDE_ENCODERS",
            ),
            inside_passes: Able::when(
                has(wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES),
                "the feature TIMESTAMP_QUERY_INSIDE_PASSES is not enabled",
            ),
            top_of_pipe: Able::No("not tried yet on this backend".into()),
            semantics: semantics_of(info.backend),
            clock: Clock {
                name: "gpu".into(),
                period,
                valid_bits: if pass_stamps.is_yes() {
                    ValidBits::ALL
                } else {
                    ValidBits::new(0).unwrap_or(ValidBits::ALL)
                },
                step: Reading::Missing(Reason::NotExecuted),
                sharing: Sharing::WithinSubmission,
            },
            valid_bits_from: "assumed",
            pass_stamps,
        }
    }
}

/// What the two stamps of a pass are on a backend, by wgpu-hal's source.
const fn semantics_of(backend: wgpu::Backend) -> Semantics {
    match backend {
        // Both at BOTTOM_OF_PIPE; D3D12's timestamps are bottom-of-pipe by definition.
        wgpu::Backend::Vulkan | wgpu::Backend::Dx12 => Semantics::BottomBottom,
        wgpu::Backend::Metal => Semantics::StageBoundary,
        _ => Semantics::Unstated,
    }
}
