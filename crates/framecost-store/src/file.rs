//! Single files of a folder: read whole but never past a limit, written through to the disk. Links are not followed.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::StoreError;
use crate::error::{Fault, show};

/// The bytes of the regular file at `path`, if there are at most `limit`.
///
/// A link is refused, since the folder may come from a stranger and the link lead anywhere; so is a pipe, which might
/// never end. The check comes before the opening, so it does not hold against someone who swaps files meanwhile: he
/// could as well write the capture.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Vec<u8>, StoreError> {
    check_regular(path)?;
    let file = File::open(path).map_err(StoreError::io("read", path))?;
    let mut bytes = Vec::new();
    // One byte past the limit tells a file that ends there from one that goes on.
    file.take(limit + 1).read_to_end(&mut bytes).map_err(StoreError::io("read", path))?;
    if bytes.len() as u64 > limit {
        return Err(Fault(format!("is longer than {limit} bytes")).at(path));
    }
    Ok(bytes)
}

/// Checks that a regular file is there.
pub(crate) fn check_regular(path: &Path) -> Result<(), StoreError> {
    let kind = fs::symlink_metadata(path).map_err(StoreError::io("read", path))?.file_type();
    if kind.is_file() {
        return Ok(());
    }
    let what = if kind.is_symlink() { "a link" } else { "no regular file" };
    Err(Fault(format!("is {what}; only regular files are read")).at(path))
}

/// A new file with these bytes, on the disk when this returns.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let mut file = File::create_new(path).map_err(StoreError::io("create", path))?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(StoreError::io("write", path))
}

/// Puts a file with these bytes at `path`, in place of one that is there: a reader finds the old bytes or the new ones, whole.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let (Some(name), Some(parent)) = (path.file_name(), path.parent()) else {
        return Err(StoreError::Refused(format!("`{}` names no file to write", show(path))));
    };
    let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
    fs::create_dir_all(parent).map_err(StoreError::io("create", parent))?;
    let own =
        format!(".{}.new-{}-{}", name.to_string_lossy(), process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let fresh = parent.join(own);
    let done = write(&fresh, bytes)
        .and_then(|()| fs::rename(&fresh, path).map_err(StoreError::io("write", path)))
        .and_then(|()| sync_folder(parent));
    if done.is_err() {
        // It may not even be there.
        let _ = fs::remove_file(&fresh);
    }
    done
}

/// Makes the folder's list of names durable; without it a crash may forget a rename that was reported as done.
pub(crate) fn sync_folder(path: &Path) -> Result<(), StoreError> {
    // Windows does not open folders, and its renames are durable without it.
    if cfg!(unix) {
        File::open(path).and_then(|folder| folder.sync_all()).map_err(StoreError::io("sync", path))?;
    }
    Ok(())
}
