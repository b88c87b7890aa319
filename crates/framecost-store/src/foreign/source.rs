//! A file's bytes, unpacked on the way. In: a path. Out: bytes as they are asked for, never more at once than that.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

use crate::StoreError;
use crate::error::Fault;

const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The most bytes that a packed file may unpack to: what somebody packed to fill a disk or a memory ends here.
const MOST_UNPACKED: u64 = 1 << 36;

/// An open file.
pub(super) struct Source {
    path: PathBuf,
    bytes: Box<dyn Read + Send>,
    packed: bool,
}

/// Zstandard frames one after the other, each held against its checksum: a changed bit is an error and no other number.
struct Zstd<R: BufRead> {
    frame: Option<StreamingDecoder<R, FrameDecoder>>,
    /// What follows the frame that ended.
    rest: Option<R>,
}

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(mut rest) = self.rest.take() {
                if rest.fill_buf()?.is_empty() {
                    self.rest = Some(rest);
                    return Ok(0);
                }
                self.frame = Some(StreamingDecoder::new(rest).map_err(io::Error::other)?);
            }
            let Some(frame) = &mut self.frame else { return Ok(0) };
            let read = frame.read(into)?;
            if read > 0 || into.is_empty() {
                return Ok(read);
            }
            let (written, found) =
                (frame.decoder.get_checksum_from_data(), frame.decoder.get_calculated_checksum());
            if written.is_some() && written != found {
                return Err(io::Error::other("what was unpacked does not hash to the file's checksum"));
            }
            self.rest = self.frame.take().map(StreamingDecoder::into_inner);
        }
    }
}

impl Source {
    /// Opens a file; folders are none.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        if path.is_dir() {
            return Err(Fault("is a folder; allowed: a file that a tool wrote".into()).at(path));
        }
        let mut file =
            BufReader::with_capacity(1 << 18, File::open(path).map_err(StoreError::io("read", path))?);
        let mut begin = [0; 4];
        let mut filled = 0;
        while filled < begin.len() {
            match file.read(&mut begin[filled..]).map_err(StoreError::io("read", path))? {
                0 => break,
                more => filled += more,
            }
        }
        let begin = begin[..filled].to_vec();
        let whole = io::Cursor::new(begin.clone()).chain(file);
        let (bytes, packed): (Box<dyn Read + Send>, bool) = match &begin[..] {
            [a, b, ..] if [*a, *b] == GZIP => (Box::new(MultiGzDecoder::new(whole)), true),
            four if four == ZSTD => (Box::new(Zstd { frame: None, rest: Some(whole) }), true),
            _ => (Box::new(whole), false),
        };
        let bytes: Box<dyn Read + Send> = if packed { Box::new(bytes.take(MOST_UNPACKED)) } else { bytes };
        Ok(Self { path: path.into(), bytes, packed })
    }

    /// Reads on until `into` holds that many bytes, or the file ends. Whether there may be more.
    pub(super) fn fill(&mut self, into: &mut Vec<u8>, length: usize) -> Result<bool, StoreError> {
        let missing = length.saturating_sub(into.len());
        let read = self.bytes.by_ref().take(missing as u64).read_to_end(into);
        let read = read.map_err(|error| self.fault(error))?;
        Ok(read == missing)
    }

    /// Reads all that is left, up to so many bytes in all.
    pub(super) fn fill_all(&mut self, into: &mut Vec<u8>, limit: u64) -> Result<(), StoreError> {
        let room = limit.saturating_sub(into.len() as u64);
        let read = self.bytes.by_ref().take(room + 1).read_to_end(into).map_err(|error| self.fault(error))?;
        if read as u64 > room {
            let text = format!("is longer than {limit} bytes, the most that a file of its kind may be");
            return Err(Fault(text).at(&self.path));
        }
        Ok(())
    }

    /// A fault of unpacking is one of the file, any other one of the system.
    fn fault(&self, error: io::Error) -> StoreError {
        if self.packed {
            return Fault(format!("cannot be unpacked: {error}")).at(&self.path);
        }
        StoreError::io("read", &self.path)(error)
    }
}
