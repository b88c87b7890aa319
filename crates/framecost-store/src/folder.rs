//! A folder that is there whole or not at all: filled beside its place, made durable, renamed into it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::StoreError;
use crate::error::show;
use crate::file;

/// How often a place may be taken by somebody else between two steps before that is an error.
const TRIES: u32 = 8;

/// Puts a folder at `dest`, with what `fill` writes into the path that it is given.
///
/// What was at `dest` is replaced if it holds a file named `mark`; anything else there is left alone and an error.
/// The earlier folder stays until the new one is whole. A process killed between the two renames leaves the earlier
/// one, whole, under a name of the form `.NAME.old-...` beside its place.
pub(crate) fn replace(
    dest: &Path,
    mark: &str,
    fill: impl FnOnce(&Path) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let parent = parent_of(dest);
    fs::create_dir_all(parent).map_err(StoreError::io("create", parent))?;
    check_replaceable(dest, mark)?;
    let fresh = Scratch::new(dest, "new")?;
    fs::create_dir(&fresh.0).map_err(StoreError::io("create", &fresh.0))?;
    fill(&fresh.0)?;
    file::sync_folder(&fresh.0)?;
    for _ in 0..TRIES {
        let old = move_aside(dest, mark)?;
        match fs::rename(&fresh.0, dest) {
            Ok(()) => return file::sync_folder(parent),
            Err(error) if is_taken(&error) => {} // another process was quicker: its folder is replaced like any other
            Err(error) => {
                if let Some(old) = old {
                    old.put_back(dest)?;
                }
                return Err(StoreError::io("write", dest)(error));
            }
        }
    }
    Err(StoreError::Refused(format!("`{}` is being written by other processes", show(dest))))
}

/// Removes the folder at `dest`, all at once as far as any reader can tell. It must hold a file named `mark`.
pub(crate) fn remove(dest: &Path, mark: &str) -> Result<(), StoreError> {
    match move_aside(dest, mark)? {
        Some(_removed_when_dropped) => file::sync_folder(parent_of(dest)),
        None => Err(StoreError::Missing { path: dest.into() }),
    }
}

fn parent_of(dest: &Path) -> &Path {
    dest.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn is_taken(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty)
}

/// What stands at `dest` may go only if it is what we would write: a real folder with `mark` in it.
fn check_replaceable(dest: &Path, mark: &str) -> Result<(), StoreError> {
    match fs::symlink_metadata(dest) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(StoreError::io("write", dest)(error)),
        Ok(found) if found.is_dir() && dest.join(mark).is_file() => Ok(()),
        Ok(_) => Err(StoreError::Refused(format!(
            "`{}` exists and holds no `{mark}`; it is not replaced",
            show(dest)
        ))),
    }
}

fn move_aside(dest: &Path, mark: &str) -> Result<Option<Scratch>, StoreError> {
    check_replaceable(dest, mark)?;
    let aside = Scratch::new(dest, "old")?;
    match fs::rename(dest, &aside.0) {
        Ok(()) => Ok(Some(aside)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::io("replace", dest)(error)),
    }
}

/// A folder beside `dest` with a name of its own, removed when dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new(dest: &Path, what: &str) -> Result<Self, StoreError> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let Some(name) = dest.file_name() else {
            return Err(StoreError::Refused(format!("`{}` names no folder to write", show(dest))));
        };
        let (process, count) = (process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let own = format!(".{}.{what}-{process}-{count}", name.to_string_lossy());
        Ok(Self(parent_of(dest).join(own)))
    }

    /// Undoes the moving aside.
    fn put_back(self, dest: &Path) -> Result<(), StoreError> {
        fs::rename(&self.0, dest).map_err(StoreError::io("restore", dest))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Renamed into place, there is nothing left to remove; a remnant that cannot be removed harms nobody.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn put(dest: &Path, text: &str) -> Result<(), StoreError> {
        replace(dest, "mark", |folder| file::write(&folder.join("mark"), text.as_bytes()))
    }

    #[test]
    fn a_folder_is_replaced_whole_and_nothing_is_left_beside_it() {
        let root = tempfile::tempdir().unwrap();
        let dest = root.path().join("deep").join("a.framecost");
        put(&dest, "first").unwrap();
        put(&dest, "second").unwrap();
        assert_eq!(fs::read_to_string(dest.join("mark")).unwrap(), "second");
        assert_eq!(names(dest.parent().unwrap()), ["a.framecost"]);
    }

    #[test]
    fn a_fill_that_fails_leaves_the_earlier_folder() {
        let root = tempfile::tempdir().unwrap();
        let dest = root.path().join("a.framecost");
        put(&dest, "first").unwrap();
        let failed = replace(&dest, "mark", |folder| {
            file::write(&folder.join("mark"), b"half")?;
            Err(StoreError::Refused("interrupted".into()))
        });
        assert_eq!(failed.unwrap_err().to_string(), "interrupted");
        assert_eq!(fs::read_to_string(dest.join("mark")).unwrap(), "first");
        assert_eq!(names(root.path()), ["a.framecost"]);
    }

    #[test]
    fn a_folder_of_other_things_is_never_replaced_or_removed() {
        let root = tempfile::tempdir().unwrap();
        let dest = root.path().join("holiday");
        fs::create_dir(&dest).unwrap();
        fs::write(dest.join("photo"), "x").unwrap();
        assert!(put(&dest, "mine").unwrap_err().to_string().ends_with("it is not replaced"));
        assert!(remove(&dest, "mark").is_err(), "no mark, no removal");
        assert_eq!(names(&dest), ["photo"]);
    }

    #[test]
    fn removing_what_is_not_there_says_so() {
        let root = tempfile::tempdir().unwrap();
        let error = remove(&root.path().join("nothing"), "mark").unwrap_err();
        assert!(matches!(error, StoreError::Missing { .. }), "{error}");
    }

    #[test]
    fn writers_of_one_folder_leave_one_of_theirs() {
        let root = tempfile::tempdir().unwrap();
        let dest = root.path().join("a.framecost");
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let dest = &dest;
                scope.spawn(move || {
                    // Losing a race eight times over is an error, which is allowed; half a folder is not.
                    let _ = put(dest, &format!("writer {writer}"));
                });
            }
        });
        assert!(fs::read_to_string(dest.join("mark")).unwrap().starts_with("writer "));
        assert_eq!(names(root.path()), ["a.framecost"]);
    }
}
