//! A capture folder read as far as it is needed: what it is, then of its tables those that are asked for. In: a folder. Out: a
//! [`Capture`] that lacks the other tables. Whoever looks through thousands of folders does not read them whole.

use std::path::{Path, PathBuf};

use framecost_sample::{Capture, CaptureParts};

use crate::StoreError;
use crate::capture::{self, MOST_TABLE};
use crate::error::Fault;
use crate::{file, samples, stamps, sums};

/// A capture folder of which only the context was read.
#[derive(Clone, Debug)]
pub struct Opened {
    dir: PathBuf,
    /// Hashes of the context, the stamps and the samples.
    listed: [String; 3],
    id: String,
    context: CaptureParts,
}

/// Which tables to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tables {
    /// `stamps.parquet`.
    pub stamps: bool,
    /// `samples.parquet`.
    pub samples: bool,
}

/// Opens the capture in the folder `dir`: reads its list of hashes and its context, which must hash to what is listed.
///
/// # Errors
/// As [`crate::read`], but for the tables, which are not looked at.
pub fn open(dir: &Path) -> Result<Opened, StoreError> {
    let list = capture::read_list(dir)?;
    let listed = sums::listed(&list, &capture::NAMES).map_err(|fault| fault.at(&dir.join(sums::NAME)))?;
    let text = capture::read_context(dir)?;
    check(dir, capture::CONTEXT, &text, &listed[0])?;
    let context = capture::decode_context(text).map_err(|fault| fault.at(&dir.join(capture::CONTEXT)))?;
    Ok(Opened { dir: dir.into(), listed, id: sums::hash(&list), context })
}

fn check(dir: &Path, name: &str, bytes: &[u8], listed: &str) -> Result<(), StoreError> {
    sums::check_one(name, bytes, listed).map_err(|fault| fault.at(&dir.join(sums::NAME)))
}

impl Opened {
    /// What the run was; without stamps and samples.
    #[must_use]
    pub const fn context(&self) -> &CaptureParts {
        &self.context
    }

    /// The hash of the folder's list, and so of the whole capture: equal for copies.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The capture with these tables; those not asked for are there as files and empty in it.
    ///
    /// # Errors
    /// A table is not there, a link or too long; one that is asked for does not hash to what is listed, or holds what no capture
    /// can.
    pub fn read(self, tables: Tables) -> Result<Capture, StoreError> {
        let Self { dir, listed, context, .. } = self;
        let table = |name: &'static str, wanted: bool, listed: &str| {
            let path = dir.join(name);
            if !wanted {
                return file::check_regular(&path).map(|()| None);
            }
            let bytes = file::read(&path, MOST_TABLE)?;
            check(&dir, name, &bytes, listed).map(|()| Some(bytes))
        };
        let at = |name: &'static str| {
            let path = dir.join(name);
            move |fault: Fault| fault.at(&path)
        };
        let stamps = match table(stamps::NAME, tables.stamps, &listed[1])? {
            Some(bytes) => stamps::decode(bytes, &context).map_err(at(stamps::NAME))?,
            None => Vec::new(),
        };
        let samples = match table(samples::NAME, tables.samples, &listed[2])? {
            Some(bytes) => samples::decode(bytes, &context).map_err(at(samples::NAME))?,
            None => Vec::new(),
        };
        Capture::new(CaptureParts { stamps, samples, ..context })
            .map_err(|error| Fault(error.to_string()).at(&dir))
    }
}
