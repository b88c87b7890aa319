//! `baseline.json`, the small file that says what a baseline is of and which captures it holds. In: a [`Baseline`], or
//! text. Out: the other.

use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::baseline::{Baseline, HardKey, Run};
use crate::error::{Fault, check_moment, quote};

/// The version that is written. Readers accept it and every one before it.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    framecost_baseline: u32,
    key: serde_json::Value,
    semantics: Vec<String>,
    measured_at: Option<String>,
    runs: Vec<WireRun>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireRun {
    /// The capture's folder beside the pointer.
    capture: String,
    /// What its SHA256SUMS must hash to.
    sha256: String,
}

/// The pointer file's text.
pub(super) fn to_json(baseline: &Baseline) -> Result<String, Fault> {
    let fault = |error: serde_json::Error| Fault(error.to_string());
    let (key, semantics) = baseline.key.to_wire().map_err(fault)?;
    let wire = Wire {
        framecost_baseline: VERSION,
        key,
        semantics,
        measured_at: baseline.measured_at.clone(),
        runs: baseline
            .runs
            .iter()
            .map(|run| WireRun { capture: run.capture.clone(), sha256: run.sha256.clone() })
            .collect(),
    };
    let mut text = serde_json::to_string_pretty(&wire).map_err(fault)?;
    text.push('\n');
    Ok(text)
}

/// The baseline in the folder `dir` by its pointer file's text.
pub(super) fn from_json(dir: PathBuf, text: &[u8]) -> Result<Baseline, Fault> {
    #[derive(Deserialize)]
    struct Versioned {
        framecost_baseline: u32,
    }
    let fault = |error: serde_json::Error| Fault(error.to_string());
    let Versioned { framecost_baseline: version } = serde_json::from_slice(text).map_err(fault)?;
    if version != VERSION {
        return Err(Fault(format!(
            "baseline version {version} is not known; this framecost reads versions 1 to {VERSION}"
        )));
    }
    let wire: Wire = serde_json::from_slice(text).map_err(fault)?;
    let key = HardKey::from_wire(&wire.key, &wire.semantics)?;
    check_moment(wire.measured_at.as_deref())?;
    let runs = wire.runs.into_iter().map(run_from).collect::<Result<Vec<_>, _>>()?;
    check_runs(&runs)?;
    Ok(Baseline { key, measured_at: wire.measured_at, runs, dir })
}

/// No run at all would compare with nothing, and a run that stands twice would count as two that agree.
fn check_runs(runs: &[Run]) -> Result<(), Fault> {
    if runs.is_empty() {
        return Err("runs is empty; a baseline holds at least one".into());
    }
    let twice = (1..runs.len()).find(|&i| {
        let same = |other: &Run| other.sha256 == runs[i].sha256 || other.capture == runs[i].capture;
        runs[..i].iter().any(same)
    });
    twice.map_or(Ok(()), |i| {
        Err(Fault(format!("runs[{i}], {}, is there already; a run counts once", quote(&runs[i].capture))))
    })
}

fn run_from(wire: WireRun) -> Result<Run, Fault> {
    // One plain name: a pointer from a stranger must not lead out of its folder.
    let mut parts = Path::new(&wire.capture).components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(name)), None) if name == wire.capture.as_str() => {
            Ok(Run { capture: wire.capture, sha256: wire.sha256 })
        }
        _ => Err(Fault(format!("run {} is not the name of a folder beside it", quote(&wire.capture)))),
    }
}
