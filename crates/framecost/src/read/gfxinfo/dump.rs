//! Dumps as text: blocks of rows by window, frames of overlapping dumps joined. In: lines. Out: windows with their frames.

use std::collections::{BTreeMap, HashMap};

use super::columns::FIELDS;
use crate::read::document::{Field, cell, column, fact, narrow};
use crate::read::error::shown;
use crate::read::log::{Cell, Column, Missing, StreamId};
use crate::read::quarantine::{Damage, Quarantine};
use crate::read::{MOST_COLUMNS, MOST_STREAMS, ReadError, number};

pub(super) const MARK: &[u8] = b"---PROFILEDATA---";
/// Columns without which there is no frame.
const WANTED: [&str; 3] = ["flags", "intendedvsync", "framecompleted"];

/// A frame, as its last dump has it.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) line: u32,
    /// By column of the log.
    pub(super) cells: Vec<Cell>,
    /// The moments in whole nanoseconds, by column; 0 for none. Differences are taken of these.
    pub(super) ticks: Vec<u64>,
    /// The tool itself says that the frame's times mean nothing.
    pub(super) flagged: bool,
    /// Frames may have been lost between this and the one before.
    pub(super) after_gap: bool,
}

/// A window's frames by intended vsync; of several with one vsync in one block, by their order.
#[derive(Debug, Default)]
pub(super) struct Window {
    pub(super) frames: BTreeMap<(u64, u32), Frame>,
    /// Frames met in several dumps.
    pub(super) again: u64,
}

/// A block's rows, and where in them stands what makes a frame.
#[derive(Debug, Default)]
struct Block {
    vsync: usize,
    flags: usize,
    window: usize,
    rows: Vec<(u64, Frame)>,
}

#[derive(Debug, Default)]
pub(super) struct Dumps {
    pub(super) columns: Vec<Column>,
    /// Names of the columns in lower case.
    pub(super) names: Vec<String>,
    pub(super) windows: Vec<(StreamId, Window)>,
    by_id: HashMap<StreamId, usize>,
    /// What was last said of where a block belongs.
    package: Option<(String, Option<u64>)>,
    window: Option<String>,
    block: Option<Block>,
    awaits_header: bool,
    /// The line of the first header; all others are the same.
    header_line: u64,
    /// Rows, those set aside and those with flags too.
    pub(super) rows: u64,
    pub(super) quarantine: Quarantine,
}

impl Dumps {
    pub(super) fn line(&mut self, line: u64, bytes: &[u8]) -> Result<(), ReadError> {
        let text = bytes.trim_ascii();
        if text == MARK {
            // One mark opens a block, the next one closes it.
            if self.awaits_header {
                self.awaits_header = false;
            } else if let Some(block) = self.block.take() {
                self.close(block);
            } else {
                self.awaits_header = true;
            }
        } else if self.awaits_header {
            self.awaits_header = false;
            self.block = Some(self.header(line, text)?);
        } else if let Some(mut block) = self.block.take() {
            if !text.is_empty() {
                self.row(line, text, &mut block);
            }
            self.block = Some(block);
        } else {
            self.context(text);
        }
        Ok(())
    }

    /// The file may end inside a block.
    pub(super) fn end(&mut self) -> bool {
        let block = self.block.take();
        let open = block.is_some();
        if let Some(block) = block {
            self.close(block);
        }
        open
    }

    /// Lines between blocks that say which process and window follows.
    fn context(&mut self, text: &[u8]) {
        let text = String::from_utf8_lossy(text);
        if let Some(rest) = text.strip_prefix("** Graphics info for pid ") {
            let (pid, rest) = rest.split_once(' ').unwrap_or((rest, ""));
            let package = rest.trim_start_matches('[').split(']').next().and_then(fact);
            self.package = Some((package.unwrap_or_default(), number::whole(pid.as_bytes())));
            self.window = None;
        } else if let Some(window) = text.strip_prefix("Window:") {
            self.window = fact(window);
        } else if let Some((window, _)) = text.split_once(" (visibility=") {
            // What stands above a window's statistics; releases that do not name it again have it there alone.
            self.window = fact(window);
        }
    }

    fn header(&mut self, line: u64, text: &[u8]) -> Result<Block, ReadError> {
        let text = text.strip_suffix(b",").unwrap_or(text);
        let names: Vec<String> = text
            .split(|byte| *byte == b',')
            .map(|name| String::from_utf8_lossy(name).trim().to_owned())
            .collect();
        let lower: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
        let missing: Vec<String> = WANTED
            .iter()
            .filter(|it| !lower.iter().any(|name| name == *it))
            .map(|it| (*it).to_owned())
            .collect();
        if !missing.is_empty() {
            let present = names.iter().take(40).map(|name| shown(name.as_bytes(), 40)).collect();
            return Err(ReadError::MissingColumns {
                format: format!("gfxinfo, line {line}"),
                missing,
                present,
            });
        }
        let mut block = Block { window: self.window_of(line)?, ..Block::default() };
        if self.columns.is_empty() {
            if names.len() > MOST_COLUMNS {
                let what = format!("line {line}: more than {MOST_COLUMNS} columns; allowed: {MOST_COLUMNS}");
                return Err(ReadError::TooMany(what));
            }
            self.columns =
                names.iter().map(|name| column(Field::of(FIELDS, name), name, Missing::NEVER)).collect();
            self.names = lower;
            self.header_line = line;
        } else if self.names != lower {
            let what = format!(
                "line {line}: the block's columns are not those of line {}; allowed: dumps of one device",
                self.header_line
            );
            return Err(ReadError::Undecided(what));
        }
        let place = |wanted: &str| self.names.iter().position(|name| name == wanted).unwrap_or_default();
        block.vsync = place("intendedvsync");
        block.flags = place("flags");
        Ok(block)
    }

    fn window_of(&mut self, line: u64) -> Result<usize, ReadError> {
        let (package, process) = self.package.clone().unwrap_or_default();
        let application =
            self.window.clone().or_else(|| fact(&package)).unwrap_or_else(|| "window not said".into());
        let id = StreamId { application, process, swap_chain: None };
        if let Some(place) = self.by_id.get(&id) {
            return Ok(*place);
        }
        if self.windows.len() >= MOST_STREAMS {
            return Err(ReadError::TooMany(format!(
                "line {line}: more than {MOST_STREAMS} windows; allowed: {MOST_STREAMS}"
            )));
        }
        self.by_id.insert(id.clone(), self.windows.len());
        self.windows.push((id, Window::default()));
        Ok(self.windows.len() - 1)
    }

    fn row(&mut self, line: u64, text: &[u8], block: &mut Block) {
        self.rows += 1;
        let text = text.strip_suffix(b",").unwrap_or(text);
        let fields: Vec<&[u8]> = text.split(|byte| *byte == b',').map(<[u8]>::trim_ascii).collect();
        let wanted = self.columns.len();
        if fields.len() != wanted {
            let damage = if fields.len() < wanted { Damage::TooFewFields } else { Damage::TooManyFields };
            return self
                .quarantine
                .add(line, None, damage, || format!("{} fields; allowed: {wanted}", fields.len()));
        }
        let mut frame = Frame {
            line: narrow(line),
            cells: Vec::with_capacity(wanted),
            ticks: Vec::with_capacity(wanted),
            flagged: number::whole(fields[block.flags]) != Some(0),
            after_gap: false,
        };
        for (place, (column, field)) in self.columns.iter().zip(&fields).enumerate() {
            let Some(cell) = cell(field, &column.missing) else {
                let found = || format!("{} is `{}`; allowed: a whole number", column.name, shown(field, 40));
                return self.quarantine.add(line, Some(narrow(place as u64 + 1)), Damage::Unparsable, found);
            };
            frame.cells.push(cell);
            frame.ticks.push(cell.value().and_then(|_| number::whole(field)).unwrap_or(0));
        }
        let vsync = frame.ticks[block.vsync];
        if vsync == 0 {
            let found =
                || format!("IntendedVsync is `{}`; allowed: a moment", shown(fields[block.vsync], 40));
            let column = Some(narrow(block.vsync as u64 + 1));
            return self.quarantine.add(line, column, Damage::Unparsable, found);
        }
        block.rows.push((vsync, frame));
    }

    /// Joins a block's frames with what earlier dumps of the window had. Where none is known from there, the ring of frames may
    /// have turned over in between.
    fn close(&mut self, block: Block) {
        let Some((_, window)) = self.windows.get_mut(block.window) else { return };
        let had_frames = !window.frames.is_empty();
        let mut nth: HashMap<u64, u32> = HashMap::new();
        let (mut known, mut first) = (0_u64, None);
        for (vsync, mut frame) in block.rows {
            let nth = nth.entry(vsync).or_default();
            let key = (vsync, *nth);
            *nth += 1;
            if let Some(old) = window.frames.get(&key) {
                known += 1;
                // The later dump knows of ends that had not come yet.
                frame.after_gap = old.after_gap;
                frame.line = old.line;
            }
            first = Some(first.map_or(key, |first: (u64, u32)| first.min(key)));
            window.frames.insert(key, frame);
        }
        window.again += known;
        if let Some(frame) =
            first.filter(|_| had_frames && known == 0).and_then(|first| window.frames.get_mut(&first))
        {
            frame.after_gap = true;
        }
    }
}
