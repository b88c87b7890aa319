//! How far an adapter's runs of the same work lie apart. In: runs of the same work. Out: a profile, which stands in where a
//! baseline has too few runs to say so itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::contrast::{Contrast, Values};
use super::{Asked, Place};
use crate::Analysis;
use crate::judge::{Config, Scale};
use crate::stats::{FigureId, Statistic, Subject, Summary};

/// How far runs of the same work lie apart in one figure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Noise {
    /// How `spread` is to be read.
    pub scale: Scale,
    /// Standard deviation from run to run: a part of the figure, or in its unit.
    pub spread: f64,
    /// Degrees of freedom behind it: runs less one.
    pub freedom: u64,
}

/// The noise of every judged figure, by the figure's and statistic's names.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NoiseProfile {
    /// Runs of the same work behind it.
    pub runs: u64,
    figures: BTreeMap<String, Noise>,
}

impl NoiseProfile {
    /// Of runs of one key. Figures that some run lacks are left out.
    #[must_use]
    pub fn of(runs: &[Analysis], config: &Config) -> Self {
        let mut figures = BTreeMap::new();
        let judged = runs.first().into_iter().flat_map(|run| &run.summaries.rows);
        for (figure, statistic) in judged.flat_map(|it| config.judged(it).into_iter().map(move |s| (it, s))) {
            if let Some(noise) = of_figure(runs, config, figure, statistic) {
                figures.insert(name(&figure.id(), statistic), noise);
            }
        }
        Self { runs: runs.len() as u64, figures }
    }

    /// The noise of that statistic of that figure.
    #[must_use]
    pub fn find(&self, figure: &FigureId, statistic: Statistic) -> Option<&Noise> {
        self.figures.get(&name(figure, statistic))
    }

    /// Every figure's noise, by the names of figure and statistic.
    pub fn figures(&self) -> impl Iterator<Item = (&str, &Noise)> {
        self.figures.iter().map(|(name, noise)| (name.as_str(), noise))
    }
}

fn name(figure: &FigureId, statistic: Statistic) -> String {
    format!("{figure} {statistic}")
}

#[expect(clippy::cast_precision_loss, reason = "a handful of runs")]
fn of_figure(runs: &[Analysis], config: &Config, figure: &Summary, statistic: Statistic) -> Option<Noise> {
    let freedom = (runs.len() as u64).checked_sub(1).filter(|freedom| *freedom > 0)?;
    let id = figure.id();
    let places: Vec<Place<'_>> = runs.iter().map(|run| place(run, &id)).collect::<Option<_>>()?;
    let values = Values::of(&[], &places);
    let limits = config.limits(figure).ok()?;
    let asked = Asked { statistic, better: figure.metric.better, limits, quantum: 0.0, aligned: true };
    let contrast = Contrast::of(&values.stored[..1], &values.stored, &asked).ok()?;
    let spread = (contrast.squares_stored / freedom as f64).sqrt();
    Some(Noise { scale: contrast.scale, spread, freedom })
}

/// Where a run's values of a figure stand.
pub(in crate::judge) fn place<'a>(run: &'a Analysis, figure: &FigureId) -> Option<Place<'a>> {
    let row = run.summaries.find(figure)?;
    let frames = (row.subject != Subject::Run).then_some(run.summaries.frames.as_slice());
    Some(Place { frames, values: &row.values })
}
