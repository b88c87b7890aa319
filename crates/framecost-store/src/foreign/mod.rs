//! Captures that other tools wrote, from a file. In: a path, and how to read. Out: a [`Log`] of it, whatever its compression and
//! however large: tables are read in parts by all processors, and what is kept of them is what the caller asks for.

mod parts;
mod source;

use std::path::Path;

use framecost::read::{self, Encoding, Keep, Log, Options, Plan};
use framecost_sample::Capture;

use crate::StoreError;
use crate::error::Fault;
use source::Source;

/// The longest text that is read as a whole: JSON, UTF-16, dumps.
const MOST_WHOLE: u64 = 1 << 29;

/// Reads somebody's capture. Gzip and Zstandard are undone on the way.
///
/// # Errors
/// The file cannot be read or unpacked, or is none that is read: the text names the line, column and value.
pub fn read_foreign(path: &Path, options: &Options) -> Result<Log, StoreError> {
    let mut source = Source::open(path)?;
    let mut head = Vec::new();
    source.fill(&mut head, read::HEAD_BYTES)?;
    let at = |error: read::ReadError| Fault(format!("{error}{}", allowed(&error, options))).at(path);
    let format = match options.format {
        Some(format) => format,
        None => read::detect(&head).map_err(at)?,
    };
    let encoding = Encoding::of(&head);
    if !format.is_table() || !matches!(encoding, Encoding::Plain | Encoding::Marked) {
        let limit = MOST_WHOLE;
        source.fill_all(&mut head, limit)?;
        return read::read(&head, options).map_err(at);
    }
    source.fill(&mut head, read::PART_BYTES)?;
    let (text, _) = read::decode(&head).map_err(at)?;
    let plan = Plan::new(&text, encoding, options).map_err(at)?;
    let rows = text[plan.body()..].to_vec();
    // What is kept by row is for a capture, which holds no more frames; what is only added up may be of any length.
    let most = if options.keep == Keep::LEAST { u64::MAX } else { Capture::MOST_FRAMES };
    let part = parts::read(&plan, rows, &mut source, most)?;
    if part.rows() > most {
        let text = format!(
            "holds more than {most} rows; allowed: up to there, or --list-streams, which adds up a file of any length"
        );
        return Err(Fault(text).at(path));
    }
    plan.finish(part).map_err(at)
}

/// How much damage a file may have that was refused for it; nothing of other errors, and of a file whose rows are all damaged, which
/// no share allows.
fn allowed(error: &read::ReadError, options: &Options) -> String {
    match error {
        read::ReadError::Damaged { rows, of, .. } if rows < of => format!(
            "; allowed: {}% of the rows, {} where that is fewer; --most-damaged PERCENT allows more",
            (options.most_damaged * 1e6).round() / 1e4,
            Options::FEW_DAMAGED
        ),
        _ => String::new(),
    }
}
