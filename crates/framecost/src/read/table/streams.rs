//! Which stream a row is of. In: a row's fields. Out: the stream's place in the part, made where it is new.

use std::collections::HashMap;

use super::batch::Fault;
use super::fields::Fields;
use super::layout::{Layout, Rules};
use super::part::{Part, StreamRows, most_streams};
use crate::read::log::StreamId;
use crate::read::quarantine::Damage;
use crate::read::{MOST_STREAMS, number};

/// Bytes of an application's name that are read: more than any system allows.
const MOST_NAME: usize = 1024;
/// Streams among which a row's is looked for first.
const RECENT: usize = 4;

/// The streams met so far, in every spelling of their ids.
#[derive(Debug, Default)]
pub(super) struct Met {
    /// Streams by the bytes of their id's fields.
    aliases: HashMap<Vec<u8>, usize>,
    /// The streams met last: most rows are of one of these.
    recent: Vec<(Vec<u8>, usize)>,
    key: Vec<u8>,
}

impl Met {
    /// The stream that a row belongs to.
    #[inline]
    pub(super) fn stream(
        &mut self,
        fields: Fields<'_>,
        layout: &Layout,
        rules: &Rules,
        part: &mut Part,
    ) -> Result<usize, Fault> {
        let key = match rules.leading {
            Some(leading) => fields.span(0, leading - 1),
            None => {
                self.key.clear();
                for place in rules.key.into_iter().flatten() {
                    self.key.extend_from_slice(fields.get(place));
                    // No field holds a line's end, so no two keys run together.
                    self.key.push(b'\n');
                }
                &self.key
            }
        };
        if let Some((_, stream)) = self.recent.iter().find(|(known, _)| known == key) {
            return Ok(*stream);
        }
        let key = key.to_vec();
        let stream = match self.aliases.get(&key) {
            Some(stream) => *stream,
            None => look_up(fields, layout, rules, part)?,
        };
        // Spellings of a known stream are few; a file that pads one address in many ways is looked up anew each time.
        if self.aliases.len() < 2 * MOST_STREAMS && key.len() < MOST_NAME {
            self.aliases.insert(key.clone(), stream);
        }
        self.recent.truncate(RECENT - 1);
        self.recent.insert(0, (key, stream));
        Ok(stream)
    }
}

fn look_up(fields: Fields<'_>, layout: &Layout, rules: &Rules, part: &mut Part) -> Result<usize, Fault> {
    let id = id(fields, layout, rules, 0)?;
    match part.index.get(&id) {
        Some(stream) => Ok(*stream),
        None if part.streams.len() < most_streams(layout.columns.len()) => {
            part.index.insert(id.clone(), part.streams.len());
            part.streams.push(StreamRows::new(id, layout));
            Ok(part.streams.len() - 1)
        }
        None => Err(Fault { column: None, damage: Damage::TooManyStreams }),
    }
}

/// The stream's id, with `moved` fields too many in the application's name.
pub(super) fn id(
    fields: Fields<'_>,
    layout: &Layout,
    rules: &Rules,
    moved: usize,
) -> Result<StreamId, Fault> {
    let [application, process, swap_chain] = rules.key;
    let number = |place: Option<usize>, parse: fn(&[u8]) -> Option<u64>| {
        let fault = |column| Fault { column: Some(column), damage: Damage::Unparsable };
        place
            .map(|place| parse(fields.get(place + moved).trim_ascii()).ok_or_else(|| fault(place)))
            .transpose()
    };
    let name = application.map(|place| fields.span(place, place + moved));
    let name = if moved == 0 { application.map(|place| fields.get(place)) } else { name };
    let name = name.map(|name| {
        let name = name.trim_ascii();
        String::from_utf8_lossy(name.get(..MOST_NAME).unwrap_or(name)).into_owned()
    });
    Ok(StreamId {
        application: name.unwrap_or_else(|| layout.application.clone()),
        process: number(process, number::whole)?,
        swap_chain: number(swap_chain, number::address)?,
    })
}
