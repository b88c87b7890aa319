//! What a scene did with its frames that it cannot have meant, as remarks of the run's capture. In: the timer's counts over
//! the measured frames. Out: remarks, which every report of the capture shows as findings.

use framecost_sample::Remark;
use framecost_wgpu::Oddities;

use crate::SceneInfo;

/// The remarks, at most one for each name that is kept and a few more.
pub(crate) fn remarks(info: &SceneInfo, frames: u64, seen: Oddities) -> Vec<Remark> {
    let Oddities { unknown_passes, more_unknown, empty_frames, dropped_submissions } = seen;
    let place = format!("scene `{}`", info.name);
    let remark = |cause: String, remedy: String, times| Remark { place: place.clone(), cause, remedy, times };
    let passes = info.passes.join(", ");
    let unknown = |(name, times): (String, u64)| {
        let cause = format!("it asked for a pass `{name}` that it did not declare, and so got none");
        remark(cause, format!("ask for one that it declared, which are {passes}; or declare it"), times)
    };
    let mut remarks: Vec<Remark> = unknown_passes.into_iter().map(unknown).collect();
    if more_unknown > 0 {
        let cause = "it asked for further passes that it did not declare".into();
        remarks.push(remark(cause, "mend the first ones, then measure again".into(), more_unknown));
    }
    if dropped_submissions > 0 {
        let cause = "a submission was dropped without `submit`, so nothing of it ran";
        let remedy =
            "call `submit` at the end of each, or `submitted` for command buffers submitted elsewhere";
        remarks.push(remark(cause.into(), remedy.into(), dropped_submissions));
    }
    if empty_frames > 0 {
        let cause = format!("it submitted nothing in {empty_frames} of {frames} frames");
        let remedy =
            "submit each frame's work through its `submission`; without any, there is no time to measure";
        remarks.push(remark(cause, remedy.into(), empty_frames));
    }
    remarks
}
