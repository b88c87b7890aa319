//! The table of samples of one run. In: readings, by frame and metric, in any order. Out: rows in the capture's order.
//! It has its full size from the start, so that a frame allocates nothing.

use framecost_sample::{Metric, MetricId, Reading, Reason, Sample, metric_names};

/// Where a scene leaves what it counted: instances, triangles, metrics of its own.
#[derive(Debug)]
pub struct FrameSamples<'a> {
    table: &'a mut Table,
    frame: Option<u64>,
}

impl<'a> FrameSamples<'a> {
    /// For the measured frame of that index; none outside measured frames.
    pub(crate) const fn new(table: &'a mut Table, frame: Option<u64>) -> Self {
        Self { table, frame }
    }

    /// Whether this frame is measured. Readings of other frames are dropped, so their making may be saved.
    #[must_use]
    pub const fn wanted(&self) -> bool {
        self.frame.is_some()
    }

    /// Instances that this frame handed to the rasteriser.
    pub fn instances(&mut self, count: u64) {
        self.count(metric_names::INSTANCES, count);
    }

    /// Triangles that this frame handed to the rasteriser.
    pub fn triangles(&mut self, count: u64) {
        self.count(metric_names::TRIANGLES, count);
    }

    /// This frame's reading of a metric: one of framecost's for scenes, or one that the scene declared.
    pub fn set(&mut self, metric: &str, reading: Reading<f64>) {
        if let Some(frame) = self.frame {
            self.table.set(frame, metric, reading);
        }
    }

    /// The reading of a metric in an earlier measured frame, for what comes back from the GPU later.
    pub fn set_for(&mut self, frame: u64, metric: &str, reading: Reading<f64>) {
        if self.wanted() {
            self.table.set(frame, metric, reading);
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of a frame are far below 2^53")]
    fn count(&mut self, metric: &str, count: u64) {
        self.set(metric, Reading::Measured(count as f64));
    }
}

/// Readings by metric and frame; frames are those of one run, consecutive from 0.
#[derive(Debug)]
pub(crate) struct Table {
    metrics: Vec<Metric>,
    frames: usize,
    /// Metric by metric, one cell for each frame.
    cells: Vec<Option<Reading<f64>>>,
    unknown: Option<String>,
}

impl Table {
    pub(crate) fn new(metrics: Vec<Metric>, frames: u64) -> Self {
        let frames = usize::try_from(frames).unwrap_or(usize::MAX);
        Self { cells: vec![None; metrics.len() * frames], metrics, frames, unknown: None }
    }

    pub(crate) fn set(&mut self, frame: u64, metric: &str, reading: Reading<f64>) {
        let Some(row) = self.metrics.iter().position(|known| known.name == metric) else {
            self.unknown.get_or_insert_with(|| metric.to_owned());
            return;
        };
        let reading = match reading {
            // A quotient of nothing, say: a value that was not measured after all.
            Reading::Measured(value) if !value.is_finite() => Reading::Missing(Reason::Unreliable),
            other => other,
        };
        if let Ok(frame) = usize::try_from(frame)
            && frame < self.frames
        {
            self.cells[row * self.frames + frame] = Some(reading);
        }
    }

    /// A metric that was set and that nobody declared, and those that are declared.
    pub(crate) fn unknown(&self) -> Option<(String, String)> {
        let known = || self.metrics.iter().map(|metric| metric.name.as_str()).collect::<Vec<_>>().join(", ");
        self.unknown.clone().map(|metric| (metric, known()))
    }

    /// The metrics that were set at least once, and their samples by frame, then metric. A cell that nobody set is
    /// missing as not available.
    pub(crate) fn into_samples(self) -> (Vec<Metric>, Vec<Sample>) {
        let row = |metric: usize| &self.cells[metric * self.frames..(metric + 1) * self.frames];
        let used: Vec<usize> =
            (0..self.metrics.len()).filter(|&metric| row(metric).iter().any(Option::is_some)).collect();
        let mut samples = Vec::with_capacity(used.len() * self.frames);
        for frame in 0..self.frames {
            for (id, &metric) in used.iter().enumerate() {
                let reading = row(metric)[frame].clone().unwrap_or(Reading::Missing(Reason::NotAvailable));
                let metric = MetricId(u16::try_from(id).unwrap_or(u16::MAX));
                samples.push(Sample { frame: frame as u64, metric, reading });
            }
        }
        (used.iter().map(|&metric| self.metrics[metric].clone()).collect(), samples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use framecost_sample::{Better, Unit};

    fn table() -> Table {
        let metric = |name: &str| Metric {
            name: name.into(),
            unit: Unit::Count,
            better: Better::Neither,
            about: String::new(),
        };
        Table::new(["instances", "triangles", "own"].map(metric).to_vec(), 3)
    }

    #[test]
    fn rows_come_out_by_frame_then_metric_and_unset_cells_are_missing() {
        let mut table = table();
        FrameSamples::new(&mut table, Some(2)).set_for(1, "own", Reading::Measured(5.0));
        FrameSamples::new(&mut table, Some(0)).instances(7);
        let (metrics, samples) = table.into_samples();
        let names: Vec<&str> = metrics.iter().map(|metric| metric.name.as_str()).collect();
        assert_eq!(names, ["instances", "own"], "a metric that nobody set is left out");
        let shown: Vec<String> = samples
            .iter()
            .map(|s| format!("{}/{} {:?}", s.frame, s.metric.0, s.reading.measured()))
            .collect();
        insta::assert_snapshot!(shown.join(", "), @"0/0 Some(7.0), 0/1 None, 1/0 None, 1/1 Some(5.0), 2/0 None, 2/1 None");
    }

    #[test]
    fn what_does_not_belong_is_kept_out() {
        let mut table = table();
        FrameSamples::new(&mut table, None).instances(7);
        FrameSamples::new(&mut table, Some(0)).set_for(3, "own", Reading::Measured(1.0));
        FrameSamples::new(&mut table, Some(0)).set("owns", Reading::Measured(1.0));
        FrameSamples::new(&mut table, Some(1)).set("own", Reading::Measured(f64::NAN));
        assert_eq!(table.unknown(), Some(("owns".into(), "instances, triangles, own".into())));
        let (metrics, samples) = table.into_samples();
        assert_eq!(metrics.len(), 1, "warm-up frames and frames past the end leave nothing");
        assert_eq!(samples[1].reading, Reading::Missing(Reason::Unreliable), "no value is NaN");
    }
}
