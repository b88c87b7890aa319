//! Small ledgers and captures by hand, for the tests of this stage.

use framecost_sample::{
    AdapterClass, Capture, CaptureParts, Clock, ClockId, Counts, Environment, GateDef, Instrumentation, Key,
    PassDef, PassId, Period, Queue, Reading, Reason, Semantics, Sharing, Switches, Ticks, ValidBits,
};

use crate::account::{Floor, FrameAccount, FrameLedger, Ledger, PassAccount};

/// A clock of 500/3 ns a tick.
pub(super) fn clock() -> Clock {
    Clock {
        name: "gpu".into(),
        period: Period::new(500, 3).unwrap(),
        valid_bits: ValidBits::ALL,
        step: Reading::Measured(Ticks(1)),
        sharing: Sharing::AcrossSubmissions { promise: "a test".into() },
    }
}

/// A capture with those passes and without stamps: ledgers come by hand. One gate spans all passes.
pub(super) fn capture(passes: &[&str], frames: u64) -> Capture {
    let last = u16::try_from(passes.len() - 1).unwrap();
    Capture::new(CaptureParts {
        key: Key {
            benchmark: "test".into(),
            scene: "test".into(),
            switches: Switches::default(),
            adapter: "test".into(),
            adapter_class: AdapterClass::Other,
            backend: "test".into(),
            size: None,
            settings_hash: String::new(),
            instrumentation: Instrumentation(String::new()),
            frames_in_flight: None,
        },
        environment: Environment::default(),
        producer: "test".into(),
        started_at: None,
        clocks: vec![clock()],
        queues: vec![Queue { name: "main".into(), clock: ClockId(0) }],
        passes: passes
            .iter()
            .map(|name| PassDef { name: (*name).into(), semantics: Semantics::TopBottom })
            .collect(),
        gates: vec![GateDef { name: "all".into(), from: PassId(0), to: PassId(last) }],
        metrics: Vec::new(),
        counts: Counts { measured: frames, ..Counts::default() },
        frames: (0..frames).collect(),
        stamps: Vec::new(),
        samples: Vec::new(),
        figures: Vec::new(),
        remarks: Vec::new(),
        defaults: Switches::default(),
    })
    .unwrap()
}

/// A frame's ledger from its busy, untimed and hidden ticks and its passes' attributed ones.
pub(super) fn frame(
    index: u64,
    account: Option<(u64, u64, u64)>,
    passes: &[Result<u64, Reason>],
) -> FrameLedger {
    let account = account.map_or(Reading::Missing(Reason::NotExecuted), |(busy, untimed, hidden)| {
        Reading::Measured(FrameAccount {
            owned: Ticks(busy + untimed),
            gpu_total: Ticks(busy + untimed),
            busy: Ticks(busy),
            untimed: Ticks(untimed),
            waits: Reading::Measured(Ticks(0)),
            hidden: Reading::Measured(Ticks(hidden)),
            overlap: Ticks(0),
            pass_sum: Ticks(busy + hidden),
        })
    });
    let pass = |(id, ticks): (u16, &Result<u64, Reason>)| {
        let of = |ticks: u64| PassAccount {
            attributed: Ticks(ticks),
            duration: Ticks(ticks),
            ..PassAccount::default()
        };
        (PassId(id), Reading::from(ticks.clone().map(of)))
    };
    FrameLedger { frame: index, account, passes: (0..).zip(passes).map(pass).collect(), gates: Vec::new() }
}

/// The ledger of those frames.
pub(super) fn ledger(frames: Vec<FrameLedger>) -> Ledger {
    Ledger { floor: Floor::LastPass, clock: Some(clock()), frames, findings: Vec::new() }
}
