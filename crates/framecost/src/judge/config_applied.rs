//! Which limits hold for which figure of a run, and where each was said. In: a run and a configuration. Out: a row per figure.

use framecost_sample::{Better, Unit};

use super::{Config, Limits, Source};
use crate::Analysis;
use crate::stats::{FigureId, Statistic};

/// What holds for one figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Applied {
    /// The figure.
    pub figure: FigureId,
    /// Its unit, which is the floor's.
    pub unit: Unit,
    /// Which way it improves.
    pub better: Better,
    /// The statistics that are judged; none of a figure that is only shown.
    pub statistics: Vec<Statistic>,
    /// Where they were said.
    pub judged_from: Source,
    /// Growth past which it fails, as a part of the baseline.
    pub fail: (f64, Source),
    /// Growth past which it warns; never past `fail`.
    pub warn: (f64, Source),
    /// Growth up to which it is never judged.
    pub floor: (f64, Source),
}

impl Applied {
    /// The changes at which it fails and warns, as reports print them.
    #[must_use]
    pub fn changes(&self) -> (f64, f64) {
        let limits = Limits { fail: self.fail.0, warn: self.warn.0, floor: self.floor.0 };
        limits.changes(Some(self.better))
    }
}

/// What holds for each figure of a run. A figure whose floor is written in a unit that is not its own is left out: judging
/// refuses it, with the reason.
#[must_use]
pub fn applied(run: &Analysis, config: &Config) -> Vec<Applied> {
    let config = config.for_run(run);
    let of = |figure: &crate::stats::Summary| {
        let (mut statistics, judged_from) = config.judged_from(figure);
        if figure.metric.better == Better::Neither {
            // Shown beside those that are judged, whatever its value: no limit is held against it.
            statistics.clear();
        }
        let fail = config.fail_from(figure);
        let (warn, from) = config.warn_from(figure);
        Some(Applied {
            figure: figure.id(),
            unit: figure.metric.unit,
            better: figure.metric.better,
            floor: config.floor_from(figure).ok()?,
            warn: (warn.min(fail.0), from),
            statistics,
            judged_from,
            fail,
        })
    };
    run.summaries.rows.iter().filter_map(of).collect()
}
