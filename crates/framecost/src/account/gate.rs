//! Gates in one frame. In: the frame's passes and runs. Out: each gate's time, its covered part, the work before it.

use framecost_sample::{GateDef, Reading, Reason, Ticks};

use super::GateAccount;
use super::frame::Work;

/// The gate's account. Both passes that name it must be known: the opening pass has run with all its stamps, and the
/// closing pass, if it ran, has all its own. Passes between them may lack stamps: see [`lacks_a_pass`].
pub(super) fn account(gate: &GateDef, work: &Work<'_>) -> Reading<GateAccount> {
    measure(gate, work).into()
}

/// Whether a pass between the two that name the gate lacks stamps, so that it may have ended later than measured.
pub(super) fn lacks_a_pass(gate: &GateDef, work: &Work<'_>) -> bool {
    work.passes_between(gate.from, gate.to).iter().any(|pass| pass.is_invalid())
}

fn measure(gate: &GateDef, work: &Work<'_>) -> Result<GateAccount, Reason> {
    let passes = work.passes_between(gate.from, gate.to);
    let opening = passes.first().filter(|pass| pass.id == gate.from).ok_or(Reason::NotExecuted)?;
    let closing = passes.last().filter(|pass| pass.id == gate.to && pass.is_invalid());
    if let Some(reason) = opening.missing.as_ref().or(closing.and_then(|pass| pass.missing.as_ref())) {
        return Err(reason.clone());
    }
    if work.set_back() {
        return Err(Reason::CounterReset);
    }
    let runs = work.runs_between(gate.from, gate.to);
    // Runs stand by pass, so the opening pass's come first.
    let first = runs.first().ok_or(Reason::NotExecuted)?;
    if runs.iter().any(|run| run.line != first.line) {
        return Err(Reason::Unsupported);
    }
    let own = runs.iter().take_while(|run| run.pass == first.pass);
    let start = own.map(|run| run.start).min().unwrap_or(first.start);
    let end = runs.iter().map(|run| run.end).max().unwrap_or(first.end);
    let passes = &work.lines[first.line].passes;
    Ok(GateAccount {
        time: Ticks(end - start),
        covered: Ticks(passes.between(start, end)),
        before: Ticks(passes.before(start)),
    })
}
