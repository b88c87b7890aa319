//! The configuration with the file that it came from. In: `--config`, or the folder that the program runs in. Out: the
//! configuration, captures under its names and with its gates, and errors that name the file.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use framecost::judge::{Config, ConfigError, Known, Renamed};
use framecost_sample::Capture;
use framecost_store::baseline;

use crate::App;
use crate::capture::Group;
use crate::exit::WrongUse;
use crate::output::quoted;
use crate::reference::Reference;

/// The name under which it is looked for.
pub(crate) const CONFIG: &str = "framecost.toml";

/// A configuration and where it was read.
#[derive(Debug, Default)]
pub(crate) struct Configured {
    pub(crate) config: Config,
    /// None where there is no file: then all is as by default.
    pub(crate) file: Option<PathBuf>,
}

impl Configured {
    /// The configuration in that file, or in the nearest `framecost.toml` from the working folder upwards, or the defaults.
    pub(crate) fn read(file: Option<&Path>) -> Result<Self> {
        let file = file.map_or_else(|| nearest(CONFIG), |path| Ok(Some(path.to_path_buf())))?;
        let Some(path) = &file else { return Ok(Self::default()) };
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) => bail!(WrongUse(format!("cannot read {}: {error}", quoted(path)))),
        };
        let config = Config::from_toml(&text).with_context(|| quoted(path))?;
        Ok(Self { config, file })
    }

    /// The capture under the names that hold now, with the gates that are declared for it.
    pub(crate) fn prepare(&self, capture: Capture) -> Result<(Capture, Vec<Renamed>)> {
        let (capture, renamed) = self.placed(self.config.renames.apply(capture))?;
        Ok((self.placed(self.config.with_gates(capture))?, renamed))
    }

    /// Checks the names that the configuration mentions against those that are known.
    pub(crate) fn check_names(&self, known: &Known) -> Result<()> {
        self.placed(self.config.check_names(known))
    }

    fn placed<T>(&self, found: Result<T, ConfigError>) -> Result<T> {
        found.with_context(|| self.file.as_deref().map_or_else(|| CONFIG.to_owned(), quoted))
    }
}

/// Every name that exists as far as can be told: of the runs, of what they are compared with, of whatever is stored, and of
/// the program's own scenes.
pub(crate) fn known(
    app: &App<'_>,
    configured: &Configured,
    groups: &[Group],
    references: &[Option<Reference>],
    root: &Path,
) -> Known {
    let mut known = Known::default();
    groups.iter().for_each(|group| known.extend(&group.known));
    references.iter().flatten().for_each(|reference| known.extend(&reference.known));
    known.gates.extend(configured.config.gates.iter().map(|gate| gate.name.clone()));
    // A damaged baseline is an error where it is compared with; here it merely names nothing.
    for listed in baseline::list(root).unwrap_or_default() {
        if let Ok(stored) = listed.baseline {
            known.add_key(&stored.key.key);
        }
    }
    for info in app.benchmarks.iter().map(|benchmark| benchmark.info()) {
        known.scenes.insert(info.name);
        known.passes.extend(info.passes);
        known.gates.extend(info.gates.into_iter().map(|gate| gate.name));
        known.metrics.extend(info.metrics.into_iter().map(|metric| metric.name));
        known.switches.extend(info.switches.into_iter().map(|switch| switch.name));
    }
    known
}

fn nearest(name: &str) -> Result<Option<PathBuf>> {
    let here = std::env::current_dir().context("cannot tell the working folder")?;
    Ok(here.ancestors().map(|folder| folder.join(name)).find(|path| path.is_file()))
}
