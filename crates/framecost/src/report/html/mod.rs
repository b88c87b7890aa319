//! The report to look at: one HTML file that opens offline. In: reports with the runs and baselines behind them. Out: a page
//! that holds its data, its charts' library and its own script, and may load nothing.
//!
//! ```text
//!  Page -> data (texts made visible, numbers in few digits) -> inert JSON --.
//!  assets/report.css, assets/echarts, assets/report*.js --------------------+-> one HTML file; policy.rs says what may run
//! ```

mod change;
mod column;
mod frames;
mod lanes;
mod past;
mod placed;
mod policy;
mod run;
mod section;
mod spread;
mod tables;
mod text;
mod verdict;

use super::escape::json_inert;
use super::{OfVariants, Report};
use crate::Analysis;
use crate::history::HistoryReport;
use crate::judge::Overall;

/// What a page shows.
#[derive(Clone, Debug)]
pub struct Page<'a> {
    /// What all sections come to, where they were judged together.
    pub overall: Option<&'a Overall>,
    /// A section per capture, or per set of captures of one key.
    pub sections: Vec<Section<'a>>,
    /// What switches add; a section each.
    pub differences: &'a [OfVariants],
    /// What scenes did from revision to revision; a section each.
    pub histories: &'a [HistoryReport],
}

/// A section of a page.
#[derive(Clone, Debug)]
pub struct Section<'a> {
    /// What is said of the runs.
    pub report: &'a Report,
    /// The runs, the report's own first. Their values in the report's unit, times in nanoseconds.
    pub runs: &'a [Analysis],
    /// Where each run came from, for people.
    pub names: Vec<String>,
    /// The runs of the baseline; drawn where the report has ratios to it.
    pub baseline: &'a [Analysis],
    /// What the baseline is called.
    pub baseline_name: Option<&'a str>,
}

/// The page as one HTML file.
///
/// The same page gives the same bytes. Names from captures stand in it as text alone: they are data of a script that hands
/// them to `textContent`, controls in them are written out, and the page's policy lets no script run but the ones whose hashes it
/// lists. Values are rounded to five or six digits of their column's largest; of runs longer than 4,000 frames some frames are
/// left out by a rule that the page states.
#[must_use]
pub fn html(page: &Page<'_>) -> String {
    let data = section::data(page);
    let json = serde_json::to_string(&data)
        .unwrap_or_else(|fault| unreachable!("plain data with text keys always serialises: {fault}"));
    policy::shell(&inert(&json))
}

/// JSON text that no HTML parser reads as anything but text: what could end its element or open another is written as
/// `\u003c`, and so is whatever [`json_inert`] finds to act.
fn inert(json: &str) -> String {
    json_inert(json).replace('&', "\\u0026").replace('<', "\\u003c").replace('>', "\\u003e")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn inert_json_keeps_its_meaning_and_holds_no_markup(text: String) {
            for text in [text.as_str(), "</script><!--<script>", "]]>&lt;"] {
                let inert = inert(&serde_json::to_string(text).unwrap());
                prop_assert!(!inert.contains(['<', '>', '&']), "{inert}");
                prop_assert_eq!(&serde_json::from_str::<String>(&inert).unwrap(), text);
            }
        }
    }
}
