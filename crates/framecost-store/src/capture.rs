//! One capture folder, whole. In: a [`Capture`] or a folder. Out: the other.

use std::path::Path;

use framecost_sample::{Capture, CaptureParts, wire};

use crate::StoreError;
use crate::error::Fault;
use crate::{file, folder, samples, stamps, sums};

/// The file that makes a folder a capture.
pub(crate) const CONTEXT: &str = "capture.json";

/// Sixteen times the context of a capture with ten thousand passes.
const MOST_CONTEXT: u64 = 1 << 24;
/// A billion bytes of Parquet hold a hundred million stamps.
pub(crate) const MOST_TABLE: u64 = 1 << 30;
const MOST_SUMS: u64 = 1 << 12;

/// The files that are listed, in their order.
pub(crate) const NAMES: [&str; 3] = [CONTEXT, stamps::NAME, samples::NAME];

/// The bytes of a capture's files, which hash to what its list says.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    context: Vec<u8>,
    stamps: Vec<u8>,
    samples: Vec<u8>,
}

/// Writes the capture as the folder `dir`, named `SOMETHING.framecost` by custom.
///
/// The folder appears whole or not at all, and an earlier capture there is replaced only once the new one is on the
/// disk. Equal captures give equal files.
///
/// # Errors
/// Something other than a capture is at `dir`, or the system refuses.
pub fn write(dir: &Path, capture: &Capture) -> Result<(), StoreError> {
    Files::encode(dir, capture)?.write(dir)
}

/// Reads the capture in the folder `dir`.
///
/// # Errors
/// The folder or a file of it is not there ([`StoreError::Missing`]); a file is too long, a link, damaged, of a newer
/// version, or holds what no capture can ([`StoreError::Corrupt`], with row and column where there are any).
pub fn read(dir: &Path) -> Result<Capture, StoreError> {
    Files::read(dir)?.decode(dir)
}

/// The bytes of the folder's list of hashes.
pub(crate) fn read_list(dir: &Path) -> Result<Vec<u8>, StoreError> {
    match file::read(&dir.join(sums::NAME), MOST_SUMS) {
        Err(StoreError::Missing { .. }) if !dir.exists() => Err(StoreError::Missing { path: dir.into() }),
        other => other,
    }
}

/// The bytes of the folder's context.
pub(crate) fn read_context(dir: &Path) -> Result<Vec<u8>, StoreError> {
    file::read(&dir.join(CONTEXT), MOST_CONTEXT)
}

/// What the bytes of a context say.
pub(crate) fn decode_context(bytes: Vec<u8>) -> Result<CaptureParts, Fault> {
    let text = String::from_utf8(bytes).map_err(|error| format!("is no UTF-8: {error}"))?;
    wire::context_from_json(&text).map_err(|error| error.to_string().into())
}

impl Files {
    fn encode(dir: &Path, capture: &Capture) -> Result<Self, StoreError> {
        let fault = |name: &'static str| {
            move |error: parquet::errors::ParquetError| {
                Fault(format!("cannot be written: {error}")).at(&dir.join(name))
            }
        };
        Ok(Self {
            context: wire::context_to_json(capture).into_bytes(),
            stamps: stamps::encode(capture).map_err(fault(stamps::NAME))?,
            samples: samples::encode(capture).map_err(fault(samples::NAME))?,
        })
    }

    /// The files of the folder, checked against its list.
    pub(crate) fn read(dir: &Path) -> Result<Self, StoreError> {
        let read = |name, limit| file::read(&dir.join(name), limit);
        let listed = read_list(dir)?;
        let files = Self {
            context: read_context(dir)?,
            stamps: read(stamps::NAME, MOST_TABLE)?,
            samples: read(samples::NAME, MOST_TABLE)?,
        };
        sums::check(&listed, &files.named()).map_err(|fault| fault.at(&dir.join(sums::NAME)))?;
        Ok(files)
    }

    fn named(&self) -> [(&str, &[u8]); 3] {
        [(CONTEXT, &self.context), (stamps::NAME, &self.stamps), (samples::NAME, &self.samples)]
    }

    fn sums(&self) -> String {
        sums::text(self.named())
    }

    /// One hash for the whole capture: that of its list.
    pub(crate) fn hash(&self) -> String {
        sums::hash(self.sums().as_bytes())
    }

    /// Writes the folder, whole or not at all.
    pub(crate) fn write(&self, dir: &Path) -> Result<(), StoreError> {
        folder::replace(dir, CONTEXT, |fresh| self.fill(fresh))
    }

    /// Writes the files into a folder that is there.
    pub(crate) fn fill(&self, dir: &Path) -> Result<(), StoreError> {
        for (name, bytes) in self.named() {
            file::write(&dir.join(name), bytes)?;
        }
        file::write(&dir.join(sums::NAME), self.sums().as_bytes())
    }

    /// The capture in the files; `dir` is for error texts.
    pub(crate) fn decode(self, dir: &Path) -> Result<Capture, StoreError> {
        let at = |name: &'static str| move |fault: Fault| fault.at(&dir.join(name));
        let context = decode_context(self.context).map_err(at(CONTEXT))?;
        let parts = CaptureParts {
            stamps: stamps::decode(self.stamps, &context).map_err(at(stamps::NAME))?,
            samples: samples::decode(self.samples, &context).map_err(at(samples::NAME))?,
            ..context
        };
        // What is wrong between the files names its row; the folder is the place.
        Capture::new(parts).map_err(|error| Fault(error.to_string()).at(dir))
    }
}
