//! Metrics: every quantity that framecost measures or derives, declared once: name, unit, which way is better, a sentence.

use crate::Unit;

/// Which of a capture's metrics: an index into its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MetricId(pub u16);

/// A quantity. Sources of other tools and users' scenes may declare their own beside [`BUILT_IN`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Unique in a capture; lower case with underscores.
    pub name: String,
    /// The unit of its values.
    pub unit: Unit,
    /// Which way an improvement goes.
    pub better: Better,
    /// What it is, in one sentence.
    pub about: String,
}

/// Which way a metric improves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Better {
    /// Less is better: times, bytes, errors.
    Lower,
    /// More is better: rates.
    Higher,
    /// Neither: a description of the work, such as a number of triangles. A change of it is worth knowing, not judging.
    Neither,
}

impl Better {
    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lower => "lower",
            Self::Higher => "higher",
            Self::Neither => "neither",
        }
    }

    /// The direction of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Lower, Self::Higher, Self::Neither].into_iter().find(|better| better.name() == name)
    }
}

/// The name of each built-in metric, so that no other place spells one.
pub mod names {
    /// Union of the frame's submissions' spans.
    pub const GPU_TOTAL: &str = "gpu_total";
    /// Union of the frame's passes.
    pub const BUSY: &str = "busy";
    /// Inside a submission, no timed pass running.
    pub const UNTIMED: &str = "untimed";
    /// Between the frame's submissions.
    pub const WAITS: &str = "waits";
    /// Beside the frame before.
    pub const HIDDEN: &str = "hidden";
    /// Passes beside each other.
    pub const OVERLAP: &str = "overlap";
    /// A pass, raw.
    pub const DURATION: &str = "duration";
    /// A pass past the floor.
    pub const EXPOSED: &str = "exposed";
    /// A pass with nothing beside it.
    pub const ALONE: &str = "alone";
    /// A pass's share of the union.
    pub const ATTRIBUTED: &str = "attributed";
    /// A gate's time.
    pub const GATE: &str = "gate";
    /// Busy share of a gate.
    pub const GATE_COVERAGE: &str = "gate_coverage";
    /// The frame's work before a gate.
    pub const GATE_BEFORE: &str = "gate_before";
    /// A frame with a switch's one value less the same frame with its other.
    pub const DIFFERENCE: &str = "difference";
    /// CPU time of a frame.
    pub const CPU_FRAME: &str = "cpu_frame";
    /// Wall time from frame to frame.
    pub const FRAME_INTERVAL: &str = "frame_interval";
    /// Drawn instances.
    pub const INSTANCES: &str = "instances";
    /// Drawn triangles.
    pub const TRIANGLES: &str = "triangles";
    /// From submission to read.
    pub const READBACK_FRAMES: &str = "readback_frames";
    /// Time to the first frame.
    pub const START_UP: &str = "start_up";
    /// CPU cost of stamping.
    pub const STAMP_CPU_PER_PASS: &str = "stamp_cpu_per_pass";
    /// GPU time of stamped frames.
    pub const STAMPED_GPU: &str = "stamped_gpu";
    /// GPU time of bracketed frames.
    pub const BRACKET_GPU: &str = "bracket_gpu";
    /// GPU cost of stamping.
    pub const STAMP_GPU_PER_FRAME: &str = "stamp_gpu_per_frame";
    /// The clock's step as time.
    pub const CLOCK_STEP: &str = "clock_step";
}

/// Name, unit, which way is better, a sentence without its full stop.
type Row = (&'static str, Unit, Better, &'static str);

const NS: Unit = Unit::Nanos;
const LESS: Better = Better::Lower;

/// The metrics that framecost derives from stamps. No capture declares one: a source's own figure must not pass for what
/// the accounting found.
pub(crate) const DERIVED: &[Row] = {
    use names::*;
    &[
        (
            GPU_TOTAL,
            NS,
            LESS,
            "time in which the GPU had work of this frame's submissions, each moment counted once",
        ),
        (BUSY, NS, LESS, "time in which at least one timed pass of this frame ran, past the frame before"),
        (UNTIMED, NS, LESS, "time inside this frame's submissions in which no timed pass of it ran"),
        (WAITS, NS, LESS, "time between this frame's submissions"),
        (HIDDEN, NS, Better::Neither, "time of this frame's passes that ran beside the frame before"),
        (
            OVERLAP,
            NS,
            Better::Neither,
            "what the passes' durations add up to beyond the time that they covered",
        ),
        (DURATION, NS, LESS, "from a pass's start stamp to its end stamp, as stamped"),
        (EXPOSED, NS, LESS, "what of a pass sticks out past the end of the frame before"),
        (ALONE, NS, Better::Neither, "time in which this pass ran and no other timed pass of the frame did"),
        (
            ATTRIBUTED,
            NS,
            LESS,
            "a pass's share of the frame's timed work, each moment split among the passes that ran",
        ),
        (GATE, NS, LESS, "from a gate's opening pass's start to the latest end among its passes"),
        (
            GATE_COVERAGE,
            Unit::Ratio,
            Better::Neither,
            "share of a gate in which a timed pass of the frame ran",
        ),
        (GATE_BEFORE, NS, Better::Neither, "the frame's timed work before the gate opened"),
        (
            DIFFERENCE,
            NS,
            LESS,
            "gpu_total of a frame with a switch's one value less that of the same frame with its other",
        ),
    ]
};

/// The metrics that framecost measures beside stamps: samples of a frame and figures of a run. A capture that declares
/// one means this one.
pub(crate) const RECORDED: &[Row] = {
    use names::*;
    &[
        (CPU_FRAME, NS, LESS, "host time to record and submit the frame"),
        (FRAME_INTERVAL, NS, LESS, "wall time from this frame's start to the next frame's"),
        (INSTANCES, Unit::Count, Better::Neither, "instances handed to the rasteriser"),
        (TRIANGLES, Unit::Count, Better::Neither, "triangles handed to the rasteriser"),
        (
            READBACK_FRAMES,
            Unit::Count,
            Better::Neither,
            "frames from a frame's submission to the reading of its stamps",
        ),
        (START_UP, NS, LESS, "from opening the device to the end of the first frame"),
        (STAMP_CPU_PER_PASS, NS, LESS, "host time that stamping adds to each pass"),
        (
            STAMPED_GPU,
            NS,
            Better::Neither,
            "median GPU time between the frame's brackets with every pass stamped",
        ),
        (
            BRACKET_GPU,
            NS,
            LESS,
            "GPU time from before a frame's first work to after its last, no pass stamped; of a run, calibration's median",
        ),
        (
            STAMP_GPU_PER_FRAME,
            NS,
            LESS,
            "GPU time that stamping adds to a frame: median of paired differences",
        ),
        (CLOCK_STEP, NS, LESS, "smallest step that the GPU's clock was seen to take"),
    ]
};

/// Every metric that framecost itself derives or measures.
pub const BUILT_IN: &[Row] = &{
    let mut all = [DERIVED[0]; DERIVED.len() + RECORDED.len()];
    let mut i = 1;
    while i < all.len() {
        all[i] = if i < DERIVED.len() { DERIVED[i] } else { RECORDED[i - DERIVED.len()] };
        i += 1;
    }
    all
};

impl Metric {
    /// A metric of a source's own.
    #[must_use]
    pub fn new(name: &str, unit: Unit, better: Better, about: &str) -> Self {
        Self { name: name.into(), unit, better, about: about.into() }
    }

    /// The built-in metric of that name: one of [`names`].
    #[must_use]
    pub fn built_in(name: &str) -> Option<Self> {
        let row = BUILT_IN.iter().find(|row| row.0 == name);
        row.map(|&(name, unit, better, about)| Self::new(name, unit, better, about))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_method_defines_each_built_in_metric() {
        // A definition is the row of a table whose first cell names it.
        let cells: Vec<&str> = include_str!("../../../docs/method.md")
            .lines()
            .filter_map(|line| line.strip_prefix("| ")?.split(" | ").next())
            .collect();
        let defined =
            |name: &str| cells.iter().any(|cell| cell.split(", ").any(|it| it == format!("`{name}`")));
        let lacking: Vec<&str> = BUILT_IN.iter().map(|row| row.0).filter(|name| !defined(name)).collect();
        assert!(lacking.is_empty(), "docs/method.md has no row for {}", lacking.join(", "));
    }

    #[test]
    fn each_built_in_metric_stands_once() {
        for (i, row) in BUILT_IN.iter().enumerate() {
            assert!(BUILT_IN[i + 1..].iter().all(|other| other.0 != row.0), "{} stands twice", row.0);
            assert!(!row.3.ends_with('.'), "{}: a sentence without its full stop", row.0);
        }
    }
}
