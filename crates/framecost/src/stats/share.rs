//! Shares: which part of the frames' GPU time went to which pass. Sums over frames in integer ticks, one division at the end.

use framecost_sample::{Capture, Reading, Reason};

use super::accounted::ratio;
use super::whole::Losses;
use crate::account::{FrameAccount, Ledger};

/// Which part of the frames' GPU work each pass had.
///
/// A frame's work is the union of its passes and its untimed moments, wherever they lie: `busy + hidden + untimed`.
/// A pass's share is its attributed time over that work, both summed over the whole frames, those that lost no stamp; a
/// pass that was not executed in a frame had no work in it. So all shares and the untimed one add up to 1. No such sum
/// exists of durations: passes run side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Shares {
    /// Each pass, in the capture's order.
    pub passes: Vec<Reading<f64>>,
    /// The moments in which no timed pass ran.
    pub untimed: Reading<f64>,
    /// `busy` over `gpu_total`, both summed over the whole frames: how much of the total the passes explain.
    pub coverage: Reading<f64>,
}

/// The shares of a capture's passes.
pub(super) fn of(capture: &Capture, ledger: &Ledger, losses: &Losses) -> Shares {
    let mut attributed = vec![0u128; capture.passes.len()];
    let mut why: Vec<Option<Reason>> = vec![None; capture.passes.len()];
    let (mut all, mut untimed, mut busy, mut gpu_total) = (0u128, 0u128, 0u128, 0u128);
    let mut frames = 0u64;
    for frame in &ledger.frames {
        let whole = losses.in_frame(frame).is_none();
        let account = frame.account.measured().filter(|_| whole);
        if let Some(account) = account {
            frames += 1;
            all += work(account);
            untimed += u128::from(account.untimed.0);
            busy += u128::from(account.busy.0);
            gpu_total += u128::from(account.gpu_total.0);
        }
        for (id, reading) in &frame.passes {
            let pass = usize::from(id.0);
            match (reading, attributed.get_mut(pass), why.get_mut(pass)) {
                (Reading::Measured(of_pass), Some(sum), _) if account.is_some() => {
                    *sum += u128::from(of_pass.attributed.0);
                }
                (Reading::Missing(reason), _, Some(why)) if why.is_none() => *why = Some(reason.clone()),
                _ => {}
            }
        }
    }
    let of_all =
        |part, whole| if frames == 0 { Reading::Missing(Reason::NotAvailable) } else { ratio(part, whole) };
    let share = |(pass, (sum, why)): (usize, (u128, Option<Reason>))| {
        if losses.never(pass) {
            Reading::Missing(why.unwrap_or(Reason::NotExecuted))
        } else {
            of_all(sum, all)
        }
    };
    Shares {
        untimed: of_all(untimed, all),
        coverage: of_all(busy, gpu_total),
        passes: attributed.into_iter().zip(why).enumerate().map(share).collect(),
    }
}

/// The union of a frame's passes and its untimed moments. `pass_sum - overlap` is the union by definition.
fn work(account: &FrameAccount) -> u128 {
    let union = u128::from(account.pass_sum.0).saturating_sub(account.overlap.0.into());
    union + u128::from(account.untimed.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::testing::{capture, frame, ledger};

    fn shares(frames: Vec<crate::account::FrameLedger>) -> Shares {
        let capture = capture(&["a", "b"], frames.len() as u64);
        let ledger = ledger(frames);
        let losses = Losses::of(&ledger, capture.passes.len());
        of(&capture, &ledger, &losses)
    }

    #[test]
    fn shares_of_passes_and_untimed_moments_add_up_to_one() {
        // Union 10 + 30, untimed 10 and 0; 5 of the first frame's 10 are hidden.
        let first = frame(0, Some((5, 10, 5)), &[Ok(4), Ok(6)]);
        let second = frame(1, Some((30, 0, 0)), &[Ok(16), Ok(14)]);
        let shares = shares(vec![first, second]);
        assert_eq!(shares.passes, [Reading::Measured(0.4), Reading::Measured(0.4)]);
        assert_eq!(shares.untimed, Reading::Measured(0.2));
        assert_eq!(shares.coverage, Reading::Measured(35.0 / 45.0), "busy over busy and untimed");
    }

    #[test]
    fn a_pass_that_did_not_run_in_a_frame_had_no_work_in_it() {
        let with = frame(0, Some((10, 0, 0)), &[Ok(4), Ok(6)]);
        let without = frame(1, Some((10, 0, 0)), &[Ok(10), Err(Reason::NotExecuted)]);
        assert_eq!(shares(vec![with, without]).passes, [Reading::Measured(0.7), Reading::Measured(0.3)]);
    }

    #[test]
    fn frames_that_lost_a_pass_enter_no_share() {
        let whole = frame(0, Some((10, 0, 0)), &[Ok(4), Ok(6)]);
        let lossy = frame(1, Some((4, 96, 0)), &[Ok(4), Err(Reason::Stale)]);
        let shares = shares(vec![whole, lossy]);
        assert_eq!(shares.passes, [Reading::Measured(0.4), Reading::Measured(0.6)]);
        assert_eq!(shares.untimed, Reading::Measured(0.0));
    }

    #[test]
    fn a_pass_that_no_frame_has_gives_its_reason_and_the_others_are_still_shared() {
        let lossy = |index| frame(index, Some((4, 6, 0)), &[Ok(4), Err(Reason::Unreliable)]);
        let shares = shares(vec![lossy(0), lossy(1)]);
        assert_eq!(shares.passes, [Reading::Measured(0.4), Reading::Missing(Reason::Unreliable)]);
        assert_eq!(shares.untimed, Reading::Measured(0.6));
    }

    #[test]
    fn without_a_frame_nothing_is_shared() {
        let nothing = shares(vec![frame(0, None, &[])]);
        assert_eq!(nothing.untimed, Reading::Missing(Reason::NotAvailable));
        assert_eq!(nothing.passes[0], Reading::Missing(Reason::NotExecuted));
        let no_tick = shares(vec![frame(0, Some((0, 0, 0)), &[Ok(0), Ok(0)])]);
        assert_eq!(no_tick.untimed, Reading::Missing(Reason::BelowResolution));
    }
}
