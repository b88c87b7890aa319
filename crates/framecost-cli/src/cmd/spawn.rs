//! Measuring by a program in a process of its own: another build of framecost, somebody's benchmark with its commands, or this
//! program again. In: the program and the arguments of its `bench`. Out: the captures that it left, or its own last words.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use framecost_sample::Capture;

use crate::capture::is_capture;
use crate::exit::WrongUse;
use crate::interrupt;
use crate::output::{clean, quoted};

/// How often a running program is looked at.
const LOOK: Duration = Duration::from_millis(50);
/// How long a program may take to end by itself once somebody asked us to end.
const GRACE: Duration = Duration::from_secs(10);
/// What is kept of a program's stderr.
const WORDS: usize = 4096;
const LINES: usize = 8;

/// A capture by the name that the program gave it.
pub(super) struct Named {
    pub(super) stem: String,
    pub(super) capture: Capture,
}

/// Refuses arguments that the caller's own stand in for.
pub(super) fn check_arguments(args: &[OsString], own: &[&str]) -> Result<()> {
    for arg in args.iter().map(|arg| arg.to_string_lossy()) {
        let name = arg.split('=').next().unwrap_or_default();
        if own.contains(&name) {
            bail!(WrongUse(format!(
                "`{}` behind `--`: each run has its own, which this command sets",
                clean(name)
            )));
        }
    }
    Ok(())
}

/// The program's whole path, so that what is run does not hang on where things are searched for.
pub(super) fn program(path: &Path) -> Result<PathBuf> {
    match fs::canonicalize(path) {
        Ok(found) if found.is_file() => Ok(found),
        Ok(_) => bail!(WrongUse(format!("{} is no program", quoted(path)))),
        Err(error) => bail!(WrongUse(format!("{} is no program: {error}", quoted(path)))),
    }
}

/// A folder that is gone when this is.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// An empty folder of our own under that one.
    pub(super) fn under(folder: &Path) -> Result<Self> {
        let path = folder.join(format!(".framecost-runs-{}", std::process::id()));
        let scratch = Self(path);
        scratch.clear()?;
        Ok(scratch)
    }

    fn clear(&self) -> Result<()> {
        let Self(path) = self;
        if path.exists() {
            fs::remove_dir_all(path).with_context(|| format!("cannot clear {}", quoted(path)))?;
        }
        fs::create_dir_all(path).with_context(|| format!("cannot create {}", quoted(path)))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A remnant that cannot be removed harms nobody: its name is hidden and no capture's.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs `PROGRAM bench ARGS --out SCRATCH` to its end and reads what it left there; none where somebody asked to end. `look` is
/// called while it runs.
pub(super) fn measure(
    program: &Path,
    args: &[OsString],
    scratch: &Scratch,
    mut look: impl FnMut(),
) -> Result<Option<Vec<Named>>> {
    scratch.clear()?;
    let mut child = Command::new(program)
        .arg("bench")
        .args(args)
        .arg("--out")
        .arg(&scratch.0)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", quoted(program)))?;
    let words = child.stderr.take().map(|stderr| thread::spawn(move || last_words(stderr)));
    let ended =
        wait(&mut child, &mut look).with_context(|| format!("cannot wait for {}", quoted(program)))?;
    // A program that was ended may leave others behind that hold its stderr: nobody waits for those.
    let Some(status) = ended else { return Ok(None) };
    let words = words.and_then(|thread| thread.join().ok()).unwrap_or_default();
    let fault = |what: String| anyhow!("{} {what}{}", quoted(program), said(&words));
    if !status.success() {
        return Err(fault(format!("failed ({status})")));
    }
    let named = read(&scratch.0)?;
    if named.is_empty() {
        return Err(fault("left no capture".into()));
    }
    Ok(Some(named))
}

/// Until the program ends; none where we are to end first, after which it is gone too.
fn wait(child: &mut Child, look: &mut impl FnMut()) -> std::io::Result<Option<ExitStatus>> {
    let mut asked: Option<Instant> = None;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(asked.is_none().then_some(status).filter(|_| !interrupt::asked()));
        }
        if interrupt::asked() {
            // A terminal tells it too. Captures appear whole or not at all, so that it may be killed at any time.
            let since = *asked.get_or_insert_with(Instant::now);
            if since.elapsed() > GRACE {
                child.kill()?;
            }
        }
        look();
        thread::sleep(LOOK);
    }
}

/// The end of what a program writes to stderr, however much that is.
fn last_words(mut stderr: ChildStderr) -> String {
    let mut tail: VecDeque<u8> = VecDeque::with_capacity(2 * WORDS);
    let mut chunk = [0; WORDS];
    while let Ok(read @ 1..) = stderr.read(&mut chunk) {
        tail.extend(&chunk[..read]);
        tail.drain(..tail.len().saturating_sub(WORDS));
    }
    String::from_utf8_lossy(tail.make_contiguous()).into_owned()
}

/// The last lines, each on a line of its own below the error; nothing where there are none.
fn said(words: &str) -> String {
    let lines: Vec<&str> = words.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(LINES)..].iter().map(|line| format!("\n  {}", clean(line))).collect()
}

/// The captures in a folder, by name.
fn read(folder: &Path) -> Result<Vec<Named>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot list {}", quoted(folder)))?;
    let mut paths = Vec::new();
    for entry in entries {
        paths.push(entry.with_context(|| format!("cannot list {}", quoted(folder)))?.path());
    }
    paths.retain(|path| is_capture(path));
    paths.sort();
    let named = |path: &PathBuf| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Named { stem, capture: framecost_store::read(path)? })
    };
    paths.iter().map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_words_the_last_are_shown_and_none_acts_on_a_terminal() {
        let many: String = (0..20).map(|i| format!("line {i}\n\n")).collect();
        assert_eq!(said(&many).lines().skip(1).count(), LINES);
        assert!(said(&many).ends_with("\n  line 19"));
        assert_eq!(said("\u{1b}[2Joops"), "\n  \\u{1b}[2Joops");
        assert_eq!(said(" \n"), "");
    }

    #[test]
    fn arguments_that_the_command_sets_itself_are_refused() {
        let check =
            |arg: &str| check_arguments(&[OsString::from(arg)], &["--out"]).map_err(|it| it.to_string());
        assert_eq!(check("--size"), Ok(()));
        for arg in ["--out", "--out=here"] {
            let expected = "`--out` behind `--`: each run has its own, which this command sets";
            assert_eq!(check(arg), Err(expected.to_owned()));
        }
    }
}
