//! A trace as Chrome's trace events in JSON, for `chrome://tracing` and every viewer that took the format over. In: a
//! [`Trace`]. Out: JSON text, an event a line.
//! Format: "Trace Event Format", Google, 2016 (`X` complete, `C` counter and `M` metadata events; `ts` and `dur` in
//! microseconds, to the nanosecond).

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Arg, Counter, RunTrace, Slice, Trace, Track};
use crate::report::escape::json_inert;

/// Where the numbers of threads begin: viewers take the thread that is called as its process for the main one.
const FIRST_THREAD: u64 = 1_000_000;

/// The trace as JSON text, with a newline at its end.
#[must_use]
pub fn chrome(trace: &Trace) -> String {
    let mut out = Lines { text: "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[".into(), first: true };
    let mut thread = FIRST_THREAD;
    for (run, process) in trace.runs.iter().zip(1..) {
        out.process(run, process);
        for track in &run.tracks {
            out.track(track, process, thread);
            thread += 1;
        }
        for counter in &run.counters {
            out.counter(counter, process);
        }
    }
    out.text.push_str("\n]}\n");
    out.text
}

struct Lines {
    text: String,
    first: bool,
}

impl Lines {
    fn push(&mut self, event: &impl Serialize) {
        self.text.push_str(if self.first { "\n" } else { ",\n" });
        self.first = false;
        let line = serde_json::to_string(event)
            .unwrap_or_else(|fault| unreachable!("plain data with text keys always serialises: {fault}"));
        self.text.push_str(&json_inert(&line));
    }

    fn process(&mut self, run: &RunTrace, pid: u64) {
        self.meta("process_name", pid, None, ("name", &Value::Text(&run.name)));
        self.meta("process_labels", pid, None, ("labels", &Value::Text(&run.notes.join("; "))));
        self.meta("process_sort_index", pid, None, ("sort_index", &Value::Whole(pid)));
    }

    fn track(&mut self, track: &Track, pid: u64, tid: u64) {
        self.meta("thread_name", pid, Some(tid), ("name", &Value::Text(&track.name)));
        self.meta("thread_sort_index", pid, Some(tid), ("sort_index", &Value::Whole(tid)));
        for slice in &track.slices {
            self.push(&Complete {
                ph: "X",
                pid,
                tid,
                cat: slice.kind.name(),
                name: &slice.name,
                ts: micros(slice.start),
                dur: micros(slice.end - slice.start),
                args: args(slice),
            });
        }
    }

    fn counter(&mut self, counter: &Counter, pid: u64) {
        for &(at, value) in &counter.points {
            let args = BTreeMap::from([(counter.unit.name(), value)]);
            self.push(&Sampled { ph: "C", pid, name: &counter.name, ts: micros(at), args });
        }
    }

    fn meta(&mut self, name: &'static str, pid: u64, tid: Option<u64>, arg: (&'static str, &Value<'_>)) {
        self.push(&Meta { ph: "M", pid, tid, name, args: BTreeMap::from([arg]) });
    }
}

/// Whole nanoseconds as microseconds. Below 2^51 ns the nearest `f64` is an eighth of a nanosecond away, so that every
/// nanosecond is still told from the next.
#[expect(clippy::cast_precision_loss, reason = "at most 2^51")]
fn micros(nanos: u64) -> f64 {
    nanos as f64 / 1e3
}

fn args(slice: &Slice) -> BTreeMap<&'static str, Value<'_>> {
    slice.args.iter().map(|(name, arg)| (*name, Value::from(arg))).collect()
}

#[derive(Serialize)]
#[serde(untagged)]
enum Value<'a> {
    Number(f64),
    Whole(u64),
    Text(&'a str),
}

impl<'a> From<&'a Arg> for Value<'a> {
    fn from(arg: &'a Arg) -> Self {
        match arg {
            Arg::Nanos(nanos) => Self::Number(*nanos),
            Arg::Whole(number) => Self::Whole(*number),
            Arg::Text(text) => Self::Text(text),
        }
    }
}

#[derive(Serialize)]
struct Meta<'a> {
    ph: &'static str,
    pid: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    tid: Option<u64>,
    name: &'static str,
    args: BTreeMap<&'static str, &'a Value<'a>>,
}

#[derive(Serialize)]
struct Complete<'a> {
    ph: &'static str,
    pid: u64,
    tid: u64,
    cat: &'static str,
    name: &'a str,
    ts: f64,
    dur: f64,
    args: BTreeMap<&'static str, Value<'a>>,
}

#[derive(Serialize)]
struct Sampled<'a> {
    ph: &'static str,
    pid: u64,
    name: &'a str,
    ts: f64,
    args: BTreeMap<&'static str, f64>,
}
