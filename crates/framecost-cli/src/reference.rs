//! What runs are compared with, and by which limits. In: `--baseline`, `--baselines`, `--config`, or their absence. Out:
//! analyses to stand as the baseline, and the configuration.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use framecost::Analysis;
use framecost::account::Floor;
use framecost::judge::{Across, Config, Variant, Variants};
use framecost_store::baseline::{self, HardKey};

use crate::capture::{Group, analyse, is_capture};
use crate::exit::WrongUse;
use crate::output::quoted;

/// Where baselines are looked for unless another folder is named.
pub(crate) const BASELINES: &str = "bench/baselines";
const CONFIG: &str = "framecost.toml";

/// A baseline for one group of runs.
pub(crate) struct Reference {
    /// What it is, for people: its name or path.
    pub(crate) name: String,
    pub(crate) runs: Vec<Analysis>,
    /// Which differences of the key the person asked to cross by naming this very reference.
    pub(crate) across: Across,
}

/// Where to look for the baseline of a key.
#[derive(Debug, clap::Args)]
pub(crate) struct Source {
    /// What to compare with: a capture folder, or the name of a stored baseline. Without it, the stored baseline of the
    /// runs' own key: same scene, switches, adapter, size
    #[arg(long, value_name = "REF")]
    pub(crate) baseline: Option<PathBuf>,
    /// The folder of stored baselines
    #[arg(long, value_name = "DIR", default_value = BASELINES)]
    pub(crate) baselines: PathBuf,
}

impl Source {
    /// The baseline for runs of that key; none if no name was given and no baseline of the key is stored.
    pub(crate) fn find(&self, key: &HardKey) -> Result<Option<Reference>> {
        let Some(wanted) = &self.baseline else {
            // A folder that was named and is not there would switch the comparison off without a word.
            if self.baselines != Path::new(BASELINES) && !self.baselines.exists() {
                bail!("--baselines {} does not exist", quoted(&self.baselines));
            }
            let found = baseline::find(&self.baselines, key)?;
            return found.map(|baseline| stored(&baseline)).transpose();
        };
        // A capture that was named is taken for what it is: that its switches differ may be the very question. The
        // report shows them as declared.
        if is_capture(wanted) {
            let runs = vec![analyse(framecost_store::read(wanted)?, &Floor::default())?];
            return Ok(Some(Reference { name: quoted(wanted), runs, across: Across::DECLARED }));
        }
        let name = wanted.file_name().unwrap_or_default().to_string_lossy();
        let root = wanted.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(&self.baselines);
        let baseline = baseline::named(root, &name).with_context(|| {
            format!("--baseline {} is neither a capture nor a stored baseline", quoted(wanted))
        })?;
        stored(&baseline).map(Some)
    }
}

/// The pairs of groups that differ in one switch. A baseline that somebody named is one for all groups, so that it says
/// nothing of what lies between them.
pub(crate) fn in_pairs<'a>(groups: &'a [Group], references: &'a [Option<Reference>]) -> Vec<Variants<'a>> {
    let of = |(group, reference): (&'a Group, &'a Option<Reference>)| {
        let own = reference.as_ref().filter(|reference| reference.across == Across::NOTHING);
        let same_key =
            own.filter(|it| it.runs.first().is_some_and(|run| HardKey::of(&run.capture) == group.key));
        Variant { runs: &group.runs, baseline: same_key.map_or(&[], |reference| &reference.runs) }
    };
    Variants::among(&groups.iter().zip(references).map(of).collect::<Vec<_>>())
}

/// Checks the metrics that the configuration names against those that runs and baselines have.
pub(crate) fn check_names(
    config: &Config,
    file: Option<&Path>,
    groups: &[Group],
    references: &[Option<Reference>],
) -> Result<()> {
    let runs = groups.iter().flat_map(|group| &group.runs);
    let all = runs.chain(references.iter().flatten().flat_map(|reference| &reference.runs));
    config.check_metrics(all.map(|run| &run.capture)).with_context(|| match config_file(file) {
        Ok(Some(path)) => quoted(&path),
        Ok(None) | Err(_) => CONFIG.to_owned(),
    })
}

fn stored(baseline: &baseline::Baseline) -> Result<Reference> {
    let runs =
        baseline.load()?.into_iter().map(|run| analyse(run, &Floor::default())).collect::<Result<_>>()?;
    Ok(Reference { name: quoted(&baseline.dir), runs, across: Across::NOTHING })
}

/// The configuration in that file, or in the nearest `framecost.toml` from the working folder upwards, or the defaults.
pub(crate) fn config(file: Option<&Path>) -> Result<Config> {
    let Some(path) = config_file(file)? else { return Ok(Config::default()) };
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => bail!(WrongUse(format!("cannot read {}: {error}", quoted(&path)))),
    };
    Config::from_toml(&text).with_context(|| quoted(&path))
}

fn config_file(file: Option<&Path>) -> Result<Option<PathBuf>> {
    file.map_or_else(|| nearest(CONFIG), |path| Ok(Some(path.to_path_buf())))
}

fn nearest(name: &str) -> Result<Option<PathBuf>> {
    let here = std::env::current_dir().context("cannot tell the working folder")?;
    Ok(here.ancestors().map(|folder| folder.join(name)).find(|path| path.is_file()))
}
