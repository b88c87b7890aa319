//! Beginnings and their ends. In: edges in any order. Out: whole scopes, compositor frames, and how many edges found no partner.

use std::collections::HashMap;
use std::hash::Hash;

use super::collect::{Collected, Edge, Entry, Streams, Text};
use super::frames::PIPELINE;

/// Edges that found no partner.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Unmatched {
    pub(super) begins: u64,
    pub(super) ends: u64,
}

/// Pairs all edges: whole scopes join the others, frames of the compositor's pipeline make streams of their own.
pub(super) fn pair(collected: &mut Collected) -> (Streams, Unmatched) {
    let mut unmatched = Unmatched::default();
    let mut frames = Streams::default();
    let edges = std::mem::take(&mut collected.edges);
    for (begin, end) in pairs(edges, |edge| (edge.key.pid, edge.key.tid), &mut unmatched) {
        let dur = collected.length(Some(end.ts - begin.ts));
        collected.scopes.push(begin.key, Entry { ts: begin.ts, dur, line: begin.line, state: None });
    }
    let asyncs = std::mem::take(&mut collected.asyncs);
    let name: fn(&Edge) -> Text = |edge| edge.key.name;
    for (begin, end) in pairs(asyncs, |edge| (edge.id, name(edge)), &mut unmatched) {
        let dur = collected.length(Some(end.ts - begin.ts));
        let state = begin.state.or(end.state);
        let key = super::collect::Key { host: begin.key.host.or(end.key.host), ..begin.key };
        let entry = Entry { ts: begin.ts, dur, line: begin.line, state };
        let is_frame = collected.texts.get(begin.key.name) == PIPELINE;
        let streams = if is_frame { &mut frames } else { &mut collected.scopes };
        streams.push(key, entry);
    }
    (frames, unmatched)
}

/// Each end with the latest beginning of its kind that is still open, in the order of time; equal times as they stand.
fn pairs<K: Eq + Hash>(
    mut edges: Vec<Edge>,
    kind: impl Fn(&Edge) -> K,
    unmatched: &mut Unmatched,
) -> Vec<(Edge, Edge)> {
    edges.sort_by(|a, b| a.ts.total_cmp(&b.ts));
    let mut open: HashMap<K, Vec<Edge>> = HashMap::new();
    let mut pairs = Vec::new();
    for edge in edges {
        if edge.begins {
            open.entry(kind(&edge)).or_default().push(edge);
        } else if let Some(begin) = open.get_mut(&kind(&edge)).and_then(Vec::pop) {
            pairs.push((begin, edge));
        } else {
            unmatched.ends += 1;
        }
    }
    unmatched.begins += open.values().map(|open| open.len() as u64).sum::<u64>();
    pairs
}
