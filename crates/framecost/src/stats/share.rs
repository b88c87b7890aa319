//! Shares: which part of the frames' GPU time went to which pass. Sums over frames in integer ticks, one division at the end.

use framecost_sample::{Capture, Reading, Reason};

use super::accounted::ratio;
use crate::account::{FrameAccount, Ledger};

/// Which part of the frames' GPU work each pass had.
///
/// A frame's work is the union of its passes and its untimed moments, wherever they lie: `busy + hidden + untimed`.
/// A pass's share is its attributed time over that work, both summed over the frames in which the pass was measured or
/// was not executed (which is no work); frames that lost its stamps are left out of both sums. So all shares and the
/// untimed one add up to 1 where no stamp was lost. No such sum exists of durations: passes run side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Shares {
    /// Each pass, in the capture's order.
    pub passes: Vec<Reading<f64>>,
    /// The moments in which no timed pass ran.
    pub untimed: Reading<f64>,
    /// `busy` over `gpu_total`, both summed over the frames: how much of the total the passes explain.
    pub coverage: Reading<f64>,
}

/// Sums of one pass over the frames.
#[derive(Clone, Default)]
struct Pass {
    attributed: u128,
    /// Work of the frames that lost the pass's stamps.
    lost: u128,
    measured: bool,
    /// Why it was lost, of the first frame that lost it.
    reason: Option<Reason>,
}

/// The shares of a capture's passes.
pub(super) fn of(capture: &Capture, ledger: &Ledger) -> Shares {
    let mut passes = vec![Pass::default(); capture.passes.len()];
    let (mut all, mut untimed, mut busy, mut gpu_total) = (0u128, 0u128, 0u128, 0u128);
    let mut frames = 0u64;
    for frame in &ledger.frames {
        let account = frame.account.measured();
        let work = account.map_or(0, work);
        if let Some(account) = account {
            frames += 1;
            all += work;
            untimed += u128::from(account.untimed.0);
            busy += u128::from(account.busy.0);
            gpu_total += u128::from(account.gpu_total.0);
        }
        for (id, reading) in &frame.passes {
            let Some(pass) = passes.get_mut(usize::from(id.0)) else { continue };
            match reading {
                Reading::Measured(of_pass) => {
                    pass.attributed += u128::from(of_pass.attributed.0);
                    pass.measured = true;
                }
                Reading::Missing(Reason::NotExecuted) => {}
                Reading::Missing(reason) => {
                    pass.lost += work;
                    pass.reason.get_or_insert_with(|| reason.clone());
                }
            }
        }
    }
    let some = |part, whole| {
        if frames == 0 { Reading::Missing(Reason::NotAvailable) } else { ratio(part, whole) }
    };
    Shares {
        untimed: some(untimed, all),
        coverage: some(busy, gpu_total),
        passes: passes.into_iter().map(|pass| pass.share(all)).collect(),
    }
}

impl Pass {
    fn share(self, all: u128) -> Reading<f64> {
        if self.measured {
            ratio(self.attributed, all.saturating_sub(self.lost))
        } else {
            Reading::Missing(self.reason.unwrap_or(Reason::NotExecuted))
        }
    }
}

/// The union of a frame's passes and its untimed moments. `pass_sum - overlap` is the union by definition.
fn work(account: &FrameAccount) -> u128 {
    let union = u128::from(account.pass_sum.0).saturating_sub(account.overlap.0.into());
    union + u128::from(account.untimed.0)
}
