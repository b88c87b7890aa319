//! What a column of somebody's capture is. In: nothing. Out: the one table of quantities, each with its metric's name, its
//! unit, which way is better and a sentence.

use framecost_sample::{Better, Metric, Unit};

/// Declares the quantities: the enum, the list of all and the row of each, from one table.
macro_rules! quantities {
    ($($variant:ident, $name:literal, $unit:ident, $better:ident, $about:literal;)*) => {
        /// A quantity of a frame, whoever measured it. Columns of two formats that hold the same quantity have the same one here,
        /// and columns that differ in definition have different ones.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Quantity {
            $(#[doc = $about] $variant,)*
        }

        impl Quantity {
            /// Every quantity, in the order in which captures list them.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            const fn row(self) -> (&'static str, Unit, Better, &'static str) {
                match self {
                    $(Self::$variant => ($name, Unit::$unit, Better::$better, $about),)*
                }
            }
        }
    };
}

quantities! {
    FrameInterval, "frame_interval", Nanos, Lower, "wall time from this frame's start to the next frame's";
    PresentedInterval, "presented_interval", Nanos, Lower, "from the previous present call of the swap chain to this one";
    SimulationInterval, "simulation_interval", Nanos, Lower, "from the previous frame's simulation start to this one's";
    DisplayedInterval, "displayed_interval", Nanos, Lower, "from the previous frame's first showing to this one's, as software sees it";
    DisplayedTime, "displayed_time", Nanos, Neither, "from this frame's first showing to the next frame's, as software sees it";
    InPresentApi, "in_present_api", Nanos, Neither, "time inside the present call: work of the driver, and waiting for the display or the queue";
    UntilRenderStart, "until_render_start", Nanos, Neither, "from the present call to the GPU's start on the frame; below 0 where the GPU started before";
    UntilRenderComplete, "until_render_complete", Nanos, Lower, "from the present call to the GPU's end of the frame; below 0 where the GPU was done before";
    UntilDisplayed, "until_displayed", Nanos, Lower, "from the present call to the frame's first showing";
    DisplayLatency, "display_latency", Nanos, Lower, "from the frame's start on the CPU to its first showing";
    CpuFrame, "cpu_frame_time", Nanos, Lower, "time of the frame on the CPU, as the tool defines it";
    CpuBusy, "cpu_busy", Nanos, Lower, "from the frame's start on the CPU to its present call";
    CpuWait, "cpu_wait", Nanos, Neither, "time in which the CPU waited in the present call";
    GpuLatency, "gpu_latency", Nanos, Lower, "from the frame's start on the CPU to the GPU's start on it";
    GpuTime, "gpu_time", Nanos, Lower, "from the GPU's start on the frame to its end: busy and waiting";
    GpuBusy, "gpu_busy", Nanos, Lower, "time in which at least one engine of the GPU worked for the frame's process";
    GpuWait, "gpu_wait", Nanos, Neither, "time between the GPU's start and end on the frame in which it did not work for it";
    VideoBusy, "video_busy", Nanos, Lower, "time in which the video engines worked for the frame's process";
    FlipDelay, "flip_delay", Nanos, Neither, "delay of the flip that the driver added to pace frames";
    AnimationError, "animation_error", Nanos, Neither, "the step of the simulation less the step of the display; a frame too early or too late on the screen";
    AnimationTime, "animation_time", Nanos, Neither, "simulation time since the first frame";
    SinceInput, "since_input", Nanos, Neither, "from the last input to the present call";
    AllInputToPhoton, "all_input_to_photon", Nanos, Lower, "from an input of any kind to the first showing of the frame that took it, without what software cannot see";
    ClickToPhoton, "click_to_photon", Nanos, Lower, "from a mouse click to the first showing of the frame that took it, without what software cannot see";
    PcLatency, "pc_latency", Nanos, Lower, "from a marker's ping to the frame's showing: smoothed over frames by the tool";
    InstrumentedLatency, "instrumented_latency", Nanos, Lower, "from the end of the application's sleep or its simulation start to the frame's first showing";
    RenderQueueDepth, "render_queue_depth", Count, Neither, "frames between the CPU's work and the display";
    DriverLag, "driver_lag", Nanos, Lower, "delay of the frame in the driver, as the tool estimates it";
    GpuFrame, "gpu_frame_time", Nanos, Lower, "GPU time of the frame, as the tool defines it";
    VsyncInterval, "vsync_interval", Nanos, Lower, "from the vsync meant for the previous frame to the one meant for this, idle time included";
    FrameTotal, "frame_total", Nanos, Lower, "from the vsync meant for the frame to its completion";
    GpuCompletion, "gpu_completion", Nanos, Lower, "from the submission of the frame's commands to the GPU's completion of them";
    DeadlineMargin, "deadline_margin", Nanos, Higher, "time left to the frame's deadline at its completion; below 0 where it was missed";
    ScopeDuration, "scope_duration", Nanos, Lower, "from the beginning of a named stretch of work to its end";
    PipelineLatency, "pipeline_latency", Nanos, Lower, "from the frame's begin in the compositor to its end there: shown or given up";
    FramesPerSecond, "frames_per_second", Ratio, Higher, "frame rate as the tool prints it, averaged as it pleases";
}

impl Quantity {
    /// The name of its metric.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// The quantity whose metric has that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|quantity| quantity.name() == name)
    }

    /// The unit of its metric in a capture, whatever unit the file has.
    #[must_use]
    pub const fn unit(self) -> Unit {
        self.row().1
    }

    /// What it is, in a sentence without its full stop.
    #[must_use]
    pub const fn about(self) -> &'static str {
        self.row().3
    }

    /// Its metric in a capture.
    #[must_use]
    pub fn metric(self) -> Metric {
        let (name, unit, better, about) = self.row();
        Metric::new(name, unit, better, about)
    }

    /// Whether a 0 is no value: between two presents some time passes, so that it stands for a generated frame or for a time that
    /// the tool does not know, and a rate of 0 for such a time.
    #[must_use]
    pub const fn is_never_zero(self) -> bool {
        matches!(
            self,
            Self::FrameInterval
                | Self::PresentedInterval
                | Self::SimulationInterval
                | Self::DisplayedInterval
                | Self::FramesPerSecond
        )
    }

    /// Whether a value below 0 is an ordinary one.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        matches!(
            self,
            Self::UntilRenderStart
                | Self::UntilRenderComplete
                | Self::AnimationError
                | Self::DriverLag
                | Self::DeadlineMargin
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantity_of_a_built_in_metric_is_that_metric() {
        for quantity in Quantity::ALL {
            let built_in = Metric::built_in(quantity.name());
            assert_eq!(built_in.unwrap_or_else(|| quantity.metric()), quantity.metric());
        }
    }

    #[test]
    fn each_quantity_has_a_name_of_its_own() {
        for &quantity in Quantity::ALL {
            assert_eq!(Quantity::from_name(quantity.name()), Some(quantity));
            assert!(!quantity.about().ends_with('.'), "{}", quantity.name());
        }
    }
}
