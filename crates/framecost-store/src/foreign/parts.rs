//! A table's rows in parts, on all processors. In: a plan, the rows that were read already, and the rest of the file. Out: one
//! part that holds all rows, the same however many processors there are.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

use framecost::read::{MOST_LINE, PART_BYTES, Part, Plan, whole_lines};

use super::source::Source;
use crate::StoreError;

/// Parts that wait for a processor, for each: enough that none waits for the disk, few enough to be no weight.
const WAITING: usize = 2;

/// Reads `begun` and what follows it, up to the part in which there are more than `most` rows.
pub(super) fn read(plan: &Plan, begun: Vec<u8>, source: &mut Source, most: u64) -> Result<Part, StoreError> {
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    let (to_read, tasks) = sync_channel::<(usize, Vec<u8>)>(workers * WAITING);
    let (done, parts) = channel::<(usize, Part)>();
    let (used, free) = channel::<Vec<u8>>();
    let tasks = Mutex::new(tasks);
    thread::scope(|scope| {
        for _ in 0..workers {
            let (tasks, done, used) = (&tasks, done.clone(), used.clone());
            scope.spawn(move || work(plan, tasks, &done, &used));
        }
        drop(done);
        let mut merged = Merged::default();
        let fresh = || free.try_recv().unwrap_or_default();
        let merge = || {
            parts.try_iter().for_each(|(at, part)| merged.take(at, part));
            merged.whole.rows() <= most && !merged.whole.is_ended()
        };
        let cut = cut(begun, source, &to_read, fresh, merge);
        drop(to_read);
        parts.iter().for_each(|(at, part)| merged.take(at, part));
        cut?;
        Ok(merged.whole)
    })
}

/// Reads one part after another until there are no more.
fn work(
    plan: &Plan,
    tasks: &Mutex<Receiver<(usize, Vec<u8>)>>,
    done: &Sender<(usize, Part)>,
    used: &Sender<Vec<u8>>,
) {
    loop {
        let task = tasks.lock().map_or(None, |tasks| tasks.recv().ok());
        let Some((at, lines)) = task else { break };
        // Whoever does not listen any more has given up as a whole.
        if done.send((at, plan.part(&lines))).is_err() {
            break;
        }
        // The memory serves a later part: new pages for each cost as much as reading into them.
        let _ = used.send(lines);
    }
}

/// Cuts the file at ends of lines and hands the parts out, each in memory that `fresh` gives, as long as `goes_on` says so.
fn cut(
    begun: Vec<u8>,
    source: &mut Source,
    to_read: &SyncSender<(usize, Vec<u8>)>,
    fresh: impl Fn() -> Vec<u8>,
    mut goes_on: impl FnMut() -> bool,
) -> Result<(), StoreError> {
    let mut text = begun;
    for at in 0.. {
        // A part ends where it does when all of the file is in memory: at the last line end of so many bytes.
        let mut more = source.fill(&mut text, PART_BYTES + 1)?;
        let mut length = whole_lines(&text, PART_BYTES);
        // A line longer than a part is longer than any may be: no more of it is needed to say so.
        while more && length == text.len() && text.len() <= PART_BYTES + MOST_LINE {
            let wanted = text.len() + PART_BYTES;
            more = source.fill(&mut text, wanted)?;
            length = whole_lines(&text, PART_BYTES);
        }
        if text.is_empty() {
            break;
        }
        let mut rest = fresh();
        rest.clear();
        rest.reserve(PART_BYTES + 2);
        rest.extend_from_slice(&text[length..]);
        text.truncate(length);
        if to_read.send((at, text)).is_err() {
            break;
        }
        text = rest;
        if !goes_on() {
            break;
        }
    }
    Ok(())
}

/// Parts merged in the order of the file, as soon as those before them are there.
#[derive(Default)]
struct Merged {
    whole: Part,
    next: usize,
    early: BTreeMap<usize, Part>,
}

impl Merged {
    fn take(&mut self, at: usize, part: Part) {
        self.early.insert(at, part);
        while let Some(part) = self.early.remove(&self.next) {
            let before = std::mem::take(&mut self.whole);
            self.whole = before.then(part);
            self.next += 1;
        }
    }
}
