//! Captures of other tools as the commands take them. In: a file and which of its streams. Out: the file read and typed, and the
//! stream that was meant; or a list of what there is.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use framecost::counted;
use framecost::read::{Format, Keep, Log, Options, Quantity, Stream};

use crate::args::percentage;
use crate::exit::WrongUse;
use crate::output::{clean, quoted};

/// Which file, of which format, and which of its streams.
#[derive(Debug, clap::Args)]
pub(crate) struct Source {
    /// The format [default: told from the file's beginning]
    #[arg(long = "as", value_name = "FORMAT", value_parser = written_as)]
    pub(crate) written_as: Option<Format>,
    /// Which stream: its application, process number, swap chain as 0x..., or the whole text that --list-streams prints
    #[arg(long, value_name = "TEXT")]
    pub(crate) stream: Option<String>,
    /// The share of damaged rows past which a file is refused
    #[arg(long, value_name = "PERCENT", default_value = "1%", value_parser = percent)]
    pub(crate) most_damaged: f64,
}

fn written_as(text: &str) -> Result<Format, String> {
    let names = || Format::all().map(Format::name).collect::<Vec<_>>().join(", ");
    Format::from_name(text).ok_or_else(|| format!("write one of {}", names()))
}

fn percent(text: &str) -> Result<f64, String> {
    percentage(text, 100.0, "1%")
}

impl Source {
    /// Reads a file as far as `keep` says.
    pub(crate) fn read(&self, path: &Path, keep: Keep) -> Result<Log> {
        let options = Options { format: self.written_as, keep, most_damaged: self.most_damaged };
        Ok(framecost_store::read_foreign(path, &options)?)
    }

    /// Reads a file with all that a capture of it holds.
    pub(crate) fn read_for_capture(&self, path: &Path) -> Result<Log> {
        self.read(path, Keep::Only(Quantity::ALL.to_vec()))
    }

    /// The stream that is meant. None is chosen silently.
    pub(crate) fn choose<'a>(&self, path: &Path, log: &'a Log) -> Result<&'a Stream> {
        if log.streams.is_empty() {
            bail!("{} holds figures and no frames", quoted(path));
        }
        log.choose(self.stream.as_deref())
            .map_err(|error| anyhow!(WrongUse(format!("{}: {error}; --stream TEXT names one", quoted(path)))))
    }
}

/// The files of a command, each once.
pub(crate) fn distinct(files: &[PathBuf]) -> Result<()> {
    match files.iter().enumerate().find(|(at, file)| files[..*at].contains(file)) {
        None => Ok(()),
        Some((_, twice)) => bail!(WrongUse(format!("{} is named twice", quoted(twice)))),
    }
}

/// What the reading of a file found odd, and what it set aside: lines that belong together stand together.
pub(crate) fn remarks(log: &Log) -> Vec<Vec<String>> {
    let finding = |it: &framecost::Finding| {
        let times = if it.times > 1 { format!(" ({} times)", it.times) } else { String::new() };
        format!("{}: {}{times}; {}", clean(&it.place), clean(&it.cause), clean(&it.remedy))
    };
    let mut remarks: Vec<Vec<String>> = log.findings.iter().map(|it| vec![finding(it)]).collect();
    let quarantine = &log.quarantine;
    if quarantine.total() > 0 {
        let of = log.rows() + quarantine.total();
        let mut lines = vec![format!("{} of {of} set aside as damaged:", counted(quarantine.total(), "row"))];
        const MOST: usize = 5;
        lines.extend(quarantine.rows.iter().take(MOST).map(|row| format!("  {}", clean(&row.to_string()))));
        let more = quarantine.total().saturating_sub(MOST as u64);
        lines.extend((more > 0).then(|| format!("  and {more} more")));
        remarks.push(lines);
    }
    remarks
}

/// The remarks of several files as notes: one that holds of several stands once, with their number; of the others each names its
/// file.
pub(crate) fn notes(of_files: &[(&Path, Vec<Vec<String>>)]) -> Vec<String> {
    let mut found: Vec<(&Vec<String>, Vec<&Path>)> = Vec::new();
    for (path, remarks) in of_files {
        for remark in remarks {
            match found.iter_mut().find(|(known, _)| *known == remark) {
                Some((_, paths)) => paths.push(path),
                None => found.push((remark, vec![path])),
            }
        }
    }
    let mut notes = Vec::new();
    for (remark, paths) in found {
        let mut lines = remark.iter();
        let first = lines.next().map(String::as_str).unwrap_or_default();
        notes.push(match paths.as_slice() {
            _ if of_files.len() == 1 => format!("note: {first}"),
            [only] => format!("note: {}: {first}", quoted(only)),
            several => format!("note: in {}: {first}", counted(several.len() as u64, "file")),
        });
        notes.extend(lines.map(|line| format!("note: {line}")));
    }
    notes
}

/// A name for the capture of a stream: of the file, and of the stream where the file has several.
pub(crate) fn name(path: &Path, log: &Log, stream: &Stream) -> Result<String> {
    let file = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let file = file.with_context(|| format!("{} names no file", quoted(path)))?;
    let mut stem = file.as_str();
    for ending in [".gz", ".zst", ".csv", ".json", ".txt", ".log", ".hml"] {
        stem = stem.strip_suffix(ending).unwrap_or(stem);
    }
    let of_stream = if log.streams.len() > 1 {
        let id = &stream.id;
        // As listings write them: a process by its number, a swap chain by its address.
        let parts = [id.process.map(|it| format!("-p{it}")), id.swap_chain.map(|it| format!("-s{it:x}"))];
        format!("-{}{}", id.application, parts.into_iter().flatten().collect::<String>())
    } else {
        String::new()
    };
    let plain = |c: char| if c.is_alphanumeric() || "._-=+".contains(c) { c } else { '_' };
    Ok(format!("{stem}{of_stream}").chars().take(120).map(plain).collect())
}
