//! The definitions, each declared once: id, what it is, who uses it, how it is computed. Reports, budgets and the method's
//! chapter take it all from here.

use super::data::Data;
use super::value::{Figure, Share};
use super::{Method, average, deviation, display, low, pacing, percentile, stutter};

/// A definition in use of one figure about frames.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// Its name, by which budgets and reports know it.
    pub id: &'static str,
    /// What people call it.
    pub name: &'static str,
    /// Which question it answers.
    pub family: Family,
    /// The unit of its value.
    pub unit: Unit,
    /// How it is computed; `t` are the times of `N` frames, `T` their sum, `f = 1 / t`, `p` the share.
    pub rule: &'static str,
    /// Programs that print it.
    pub used_by: &'static str,
    /// The shares at which it is shown; none where it takes none.
    pub shares: &'static [Share],
    pub(super) input: Input,
    pub(super) least: Least,
    pub(super) compute: Compute,
}

impl PartialEq for Definition {
    /// There is one of each id.
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// Which question a definition answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// How fast the whole run was.
    Average,
    /// The single longest and shortest frame.
    Extreme,
    /// What a share of all frames keeps to.
    Percentile,
    /// How fast the slowest frames were.
    Low,
    /// How much of the run was frames far longer than others.
    Stutter,
    /// How far frames lie from their average.
    Deviation,
    /// How far each frame lies from the one before.
    Pacing,
    /// What reached the screen.
    Display,
    /// How much of the time the GPU worked.
    Gpu,
}

impl Family {
    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Average => "average",
            Self::Extreme => "extreme",
            Self::Percentile => "percentile",
            Self::Low => "low",
            Self::Stutter => "stutter",
            Self::Deviation => "deviation",
            Self::Pacing => "pacing",
            Self::Display => "display",
            Self::Gpu => "gpu",
        }
    }

    /// Whether a log that lacks frames still tells something of it.
    pub(super) const fn bears_sampling(self) -> bool {
        matches!(self, Self::Average | Self::Gpu)
    }
}

/// The unit of a definition's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Frames per second.
    Fps,
    /// Nanoseconds.
    Nanos,
    /// Nanoseconds per second.
    NanosPerSecond,
    /// A part of a whole.
    Ratio,
}

impl Unit {
    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fps => "fps",
            Self::Nanos => "ns",
            Self::NanosPerSecond => "ns/s",
            Self::Ratio => "ratio",
        }
    }
}

/// What a definition is computed of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Input {
    Times,
    Displayed,
    AnimationErrors,
    Gpu,
}

/// How many frames a definition takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Least {
    /// So many.
    Frames(u64),
    /// So many on the smaller side of its share.
    Tail(u64),
}

/// How a definition is computed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Compute {
    Whole(fn(&Data) -> Option<Figure>),
    Share(fn(&Data, Share) -> Option<Figure>),
}

/// A low says how slow the slowest frames are: ten of them at least, else it is an anecdote.
const LOW: Least = Least::Tail(10);
/// A percentile is hardly more than the extreme unless a frame lies beyond it: 20 frames for the 95th, 100 for the 99th, as
/// for every figure of framecost ([`crate::stats::P95_LEAST`]).
const PERCENTILE: Least = Least::Tail(1);

const NONE: &[Share] = &[];
const LOWS: &[Share] = &[Share::fixed(1000), Share::fixed(100)];
const TIMES: &[Share] = &[
    Share::fixed(1000),
    Share::fixed(5000),
    Share::fixed(50_000),
    Share::fixed(95_000),
    Share::fixed(99_000),
    Share::fixed(99_900),
];
const RATES: &[Share] =
    &[Share::fixed(5000), Share::fixed(50_000), Share::fixed(95_000), Share::fixed(99_000)];
const FAST: &[Share] = &[Share::fixed(97_000)];

/// A definition over the frames' times.
const fn of_times(
    id: &'static str,
    name: &'static str,
    family: Family,
    unit: Unit,
    least: Least,
    compute: Compute,
) -> Definition {
    let (rule, used_by) = ("", "");
    Definition { id, name, family, unit, rule, used_by, shares: NONE, input: Input::Times, least, compute }
}

impl Definition {
    const fn says(mut self, rule: &'static str, used_by: &'static str) -> Self {
        self.rule = rule;
        self.used_by = used_by;
        self
    }

    const fn at(mut self, shares: &'static [Share]) -> Self {
        self.shares = shares;
        self
    }

    const fn from(mut self, input: Input) -> Self {
        self.input = input;
        self
    }
}

const fn whole(
    id: &'static str,
    name: &'static str,
    family: Family,
    unit: Unit,
    least: u64,
    compute: fn(&Data) -> Option<Figure>,
) -> Definition {
    of_times(id, name, family, unit, Least::Frames(least), Compute::Whole(compute))
}

const fn percentile(
    id: &'static str,
    name: &'static str,
    unit: Unit,
    compute: fn(&Data, Share) -> Option<Figure>,
) -> Definition {
    of_times(id, name, Family::Percentile, unit, PERCENTILE, Compute::Share(compute))
}

const fn low(
    id: &'static str,
    name: &'static str,
    compute: fn(&Data, Share) -> Option<Figure>,
) -> Definition {
    of_times(id, name, Family::Low, Unit::Fps, LOW, Compute::Share(compute)).at(LOWS)
}

const fn step(id: &'static str, name: &'static str, compute: fn(&Data) -> Option<Figure>) -> Definition {
    whole(id, name, Family::Pacing, Unit::Ratio, 2, compute)
}

/// Every definition, in the order of reports.
pub const DEFINITIONS: &[Definition] = &[
    whole("avg.harmonic", "average fps", Family::Average, Unit::Fps, 1, average::harmonic)
        .says("N / T: frames over time", "PresentMon, OCAT, CapFrameX, FrameView, MangoHud from 0.7.1"),
    whole("avg.arithmetic", "mean of fps", Family::Average, Unit::Fps, 1, average::arithmetic).says(
        "mean of f: never below frames over time, since short frames count as much as long ones",
        "MangoHud up to 0.6.8, flightlesssomething at first",
    ),
    whole("time.mean", "mean frame time", Family::Average, Unit::Nanos, 1, average::mean_time)
        .says("T / N", "OCAT, MangoHud from 0.7.1"),
    whole("fps.min", "minimum fps", Family::Extreme, Unit::Fps, 1, average::lowest)
        .says("the rate of the longest frame: one frame", "PresentMon, CapFrameX, FrameView"),
    whole("fps.max", "maximum fps", Family::Extreme, Unit::Fps, 1, average::highest)
        .says("the rate of the shortest frame: one frame", "PresentMon, CapFrameX, FrameView"),
    percentile("time.pct.r7", "percentile of time", Unit::Nanos, |data, share| {
        percentile::of_times(data, share, Method::R7)
    })
    .at(TIMES)
    .says("Q7(t, p)", "OCAT, numpy, framecost"),
    percentile("fps.pct.r8", "percentile of fps", Unit::Fps, |data, share| {
        percentile::of_rates(data, share, Method::R8)
    })
    .at(RATES)
    .says("Q8(f, p): a high one is the fast end", "CapFrameX P5, median, P95, P99"),
    percentile("fps.pct.lower", "percentile of fps, lower", Unit::Fps, |data, share| {
        percentile::of_rates(data, share, Method::Lower)
    })
    .at(FAST)
    .says("f at index floor(p (N - 1)), from the lowest", "MangoHud up to 0.6.8, 97% Percentile FPS"),
    low("low.pct.r7.time", "low by percentile of time", |data, share| low::of_times(data, share, Method::R7))
        .says("1 / Q7(t, 1 - p)", "PresentMon, OCAT, FrameView 1% FPS, CapFrameX for Linux, numpy"),
    low("low.pct.r8.fps", "low by percentile of fps", |data, share| low::of_rates(data, share, Method::R8))
        .says("Q8(f, p)", "CapFrameX P1 and P0.1"),
    low("low.pct.r7.fps", "low by percentile of fps", |data, share| low::of_rates(data, share, Method::R7))
        .says("Q7(f, p)", "scripts"),
    low("low.pct.r6.time", "low by percentile of time", |data, share| low::of_times(data, share, Method::R6))
        .says("1 / Q6(t, 1 - p)", "spreadsheets, PERCENTILE.EXC"),
    low("low.pct.nearest", "low by nearest rank", |data, share| low::of_times(data, share, Method::R1))
        .says("1 / t of rank ceil(N (1 - p)), from the shortest", "scripts"),
    low("low.index.mangohud", "low by index", low::index)
        .says("1 / t at index floor(p N - 1), from the longest, in single precision", "MangoHud from 0.7.1"),
    low("low.worst.count", "low by mean of the worst", low::worst)
        .says("1 / mean(t of the floor(p N) longest)", "FrameView 1% Low, reviewers"),
    low("low.worst.atleast", "low by mean of the worst", low::at_least)
        .says("1 / mean(t of all t >= Q8(t, 1 - p))", "CapFrameX 1% low average"),
    low("low.worst.fpsmean", "low by mean fps of the worst", low::mean_rate)
        .says("mean(f of the floor(p N) longest): never below the rate of their mean time", "scripts"),
    low("low.worst.fpsmean.ceil", "low by mean fps of the worst", low::mean_rate_ceil)
        .says("mean(f of the ceil(p N) longest), in single precision", "MangoHud up to 0.6.8"),
    low("low.integral.time", "low by time integral", low::integral).says(
        "1 / t of the frame with which the longest frames come to p T",
        "RTSS and Afterburner, CapFrameX 1% low integral",
    ),
    whole(
        "stutter.time",
        "stutter, share of time",
        Family::Stutter,
        Unit::Ratio,
        2,
        stutter::by_moving_average,
    )
    .says(
        "sum of t > 2.5 m over T; m is the mean of the last round(10 sqrt(T/N in ms)) \
             frames, one longer than three times the one before it counted as that one",
        "CapFrameX",
    ),
    whole("stutter.global", "stutter, share of time", Family::Stutter, Unit::Ratio, 2, stutter::by_mean)
        .says("sum of t > 2.5 T/N, over T", "CapFrameX overlay"),
    whole("stutter.count", "stutter, share of frames", Family::Stutter, Unit::Ratio, 2, stutter::by_count)
        .says("number of t > 2.5 T/N, over N", "CapFrameX, another function"),
    whole(
        "deviation.population",
        "standard deviation of time",
        Family::Deviation,
        Unit::Nanos,
        1,
        deviation::population,
    )
    .says("sqrt(sum (t - T/N)^2 / N)", "OCAT, CapFrameX for Linux"),
    whole(
        "deviation.sample",
        "standard deviation of time",
        Family::Deviation,
        Unit::Nanos,
        2,
        deviation::sample,
    )
    .says("sqrt(sum (t - T/N)^2 / (N - 1))", "spreadsheets, scripts"),
    whole(
        "deviation.adaptive.coded",
        "adaptive deviation of fps",
        Family::Deviation,
        Unit::Fps,
        2,
        deviation::adaptive_as_coded,
    )
    .says("of f from the mean of the last f that add up to 500, over N - 1", "CapFrameX"),
    whole(
        "deviation.adaptive.meant",
        "adaptive deviation of fps",
        Family::Deviation,
        Unit::Fps,
        2,
        deviation::adaptive_as_meant,
    )
    .says(
        "of f from the frames over the time of the last 500 ms, over N - 1",
        "nobody; what CapFrameX means",
    ),
    step("pacing.step.0-2ms", "steps below 2 ms", |data| pacing::steps(data, 0.0, 2.0))
        .says("share of |t - t of the frame before| below 2 ms", "CapFrameX"),
    step("pacing.step.2-4ms", "steps of 2 to 4 ms", |data| pacing::steps(data, 2.0, 4.0))
        .says("share of |t - t of the frame before| from 2 to below 4 ms", "CapFrameX"),
    step("pacing.step.4-8ms", "steps of 4 to 8 ms", |data| pacing::steps(data, 4.0, 8.0))
        .says("share of |t - t of the frame before| from 4 to below 8 ms", "CapFrameX"),
    step("pacing.step.8-12ms", "steps of 8 to 12 ms", |data| pacing::steps(data, 8.0, 12.0))
        .says("share of |t - t of the frame before| from 8 to below 12 ms", "CapFrameX"),
    step("pacing.step.12ms", "steps of 12 ms and more", |data| pacing::steps(data, 12.0, f64::INFINITY))
        .says("share of |t - t of the frame before| of 12 ms and more", "CapFrameX"),
    whole("fps.displayed", "displayed fps", Family::Display, Unit::Fps, 1, display::displayed)
        .from(Input::Displayed)
        .says("displayed frames over the sum of their displayed intervals", "PresentMon, CapFrameX"),
    whole(
        "animation.error.mean",
        "animation error per frame",
        Family::Display,
        Unit::Nanos,
        1,
        display::animation_mean,
    )
    .from(Input::AnimationErrors)
    .says("mean of |e|", "PresentMon AnimationErrorPerFrame"),
    whole(
        "animation.error.rate",
        "animation error per second",
        Family::Display,
        Unit::NanosPerSecond,
        1,
        display::animation_rate,
    )
    .from(Input::AnimationErrors)
    .says("sum of |e| over the time of the frames that have one", "PresentMon AnimationErrorPerSecond"),
    whole("gpu.busy.gpu", "GPU busy in GPU time", Family::Gpu, Unit::Ratio, 1, display::busy_of_gpu_time)
        .from(Input::Gpu)
        .says("sum of GPU busy over sum of GPU time", "PresentMon's columns"),
    whole("gpu.busy.frame", "GPU busy in frame time", Family::Gpu, Unit::Ratio, 1, display::busy_of_frame)
        .from(Input::Gpu)
        .says("sum of GPU busy over sum of t", "PresentMon's columns"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{P95_LEAST, P99_LEAST};

    #[test]
    fn each_definition_stands_once_and_says_all_of_itself() {
        for (i, definition) in DEFINITIONS.iter().enumerate() {
            let Definition { id, name, rule, used_by, shares, compute, .. } = definition;
            assert!(DEFINITIONS[i + 1..].iter().all(|other| other.id != *id), "{id} stands twice");
            assert!(![name, rule, used_by].iter().any(|text| text.is_empty() || text.ends_with('.')), "{id}");
            assert!(shares.iter().all(|share| Share::from_text(&share.to_string()) == Some(*share)), "{id}");
            assert_eq!(matches!(compute, Compute::Share(_)), !shares.is_empty(), "{id}");
        }
    }

    #[test]
    fn percentiles_take_as_many_values_as_everywhere_in_framecost() {
        let Least::Tail(tail) = PERCENTILE else { panic!("a percentile's frames are counted beyond it") };
        assert_eq!(Share::fixed(95_000).frames_for(tail), P95_LEAST);
        assert_eq!(Share::fixed(99_000).frames_for(tail), P99_LEAST);
    }

    #[test]
    fn the_method_defines_each_definition() {
        // A definition is the row of a table whose first cell names it.
        let cells: Vec<&str> = include_str!("../../../../docs/method.md")
            .lines()
            .filter_map(|line| line.strip_prefix("| ")?.split(" | ").next())
            .collect();
        let defined =
            |id: &str| cells.iter().any(|cell| cell.split(", ").any(|it| it.trim() == format!("`{id}`")));
        let lacking: Vec<&str> = DEFINITIONS.iter().map(|it| it.id).filter(|id| !defined(id)).collect();
        assert!(lacking.is_empty(), "docs/method.md has no row for {}", lacking.join(", "));
    }
}
