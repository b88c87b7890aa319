//! What runs are compared with. In: `--baseline`, `--baselines`, or their absence, and names that were changed. Out: analyses
//! to stand as the baseline.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use framecost::account::Floor;
use framecost::judge::{Across, Known, Renamed, Variant, Variants};
use framecost::{Analysis, counted, some_of};
use framecost_sample::{Capture, Key};
use framecost_store::baseline::{self, Baseline, HardKey, Listed};

use crate::capture::{Group, analyse, is_capture};
use crate::configured::Configured;
use crate::exit::WrongUse;
use crate::output::{clean, in_shell, quoted};

/// Where baselines are looked for unless another folder is named.
pub(crate) const BASELINES: &str = "bench/baselines";

/// A baseline for one group of runs.
pub(crate) struct Reference {
    /// What it is, for people: its name or path.
    pub(crate) name: String,
    pub(crate) runs: Vec<Analysis>,
    /// Which differences of the key the person asked to cross by naming this very reference.
    pub(crate) across: Across,
    /// What of it was read under a new name.
    pub(crate) renamed: Vec<Renamed>,
    /// The names that it was recorded with.
    pub(crate) known: Known,
    /// What else a reader must know of it.
    pub(crate) notes: Vec<String>,
}

/// Where to look for the baseline of a key.
#[derive(Debug, clap::Args)]
pub(crate) struct Source {
    /// What to compare with: capture folders, or the name of a stored baseline. Without it, the stored baseline of the
    /// runs' own key: same scene, switches, adapter, size. A stored one that is named must be of that key too; folders may
    /// have other switches, and the report says which
    #[arg(long, value_name = "REF", num_args = 1..)]
    pub(crate) baseline: Vec<PathBuf>,
    /// The folder of stored baselines
    #[arg(long, value_name = "DIR", default_value = BASELINES)]
    pub(crate) baselines: PathBuf,
}

impl Source {
    /// The baseline for runs of one key; none if no name was given and no baseline of the key is stored, under its names of
    /// now or those before.
    pub(crate) fn find(&self, group: &Group, configured: &Configured) -> Result<Option<Reference>> {
        let Some(wanted) = self.baseline.first() else {
            check_named(&self.baselines)?;
            return match baseline::find(&self.baselines, &group.key)? {
                Some(found) => stored(&found, configured).map(Some),
                None => self.find_renamed(group, configured),
            };
        };
        // A capture that was named is taken for what it is: that its switches differ may be the very question. The
        // report shows them as declared.
        if self.baseline.len() > 1 || is_capture(wanted) {
            return self.captures(group, configured).map(Some);
        }
        let name = wanted.file_name().unwrap_or_default().to_string_lossy();
        let root = wanted.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(&self.baselines);
        let baseline = baseline::named(root, &name).with_context(|| {
            format!("--baseline {} is neither a capture nor a stored baseline", quoted(wanted))
        })?;
        stored(&baseline, configured).map(Some)
    }

    /// The captures that were named, as one baseline: all of them where they are of one key, else those of the group's.
    fn captures(&self, group: &Group, configured: &Configured) -> Result<Reference> {
        let mut named: Vec<(HardKey, &PathBuf, Capture)> = Vec::new();
        let mut copies: Vec<(HardKey, String)> = Vec::new();
        for path in &self.baseline {
            if !is_capture(path) {
                bail!(WrongUse(format!(
                    "--baseline {} is no capture folder; several may be named only if each is one",
                    quoted(path)
                )));
            }
            let capture = framecost_store::read(path)?;
            // A run that is named twice would count as two that agree.
            match named.iter().find(|(_, _, other)| *other == capture) {
                Some((key, of, _)) => {
                    copies.push((key.clone(), format!("{} of {}", quoted(path), quoted(of))))
                }
                None => named.push((HardKey::of(&capture), path, capture)),
            }
        }
        let one_key = named.iter().all(|it| it.0 == named[0].0);
        named.retain(|it| one_key || it.0 == group.key);
        copies.retain(|it| one_key || it.0 == group.key);
        let Some((_, first, _)) = named.first() else {
            bail!(
                "none of the {} named with --baseline is of the key of {}; name those of one key, or some of each",
                counted(self.baseline.len() as u64, "capture"),
                quoted(&group.paths[0])
            );
        };
        let name = match named.len() {
            1 => quoted(first),
            more => format!("{} and {} more", quoted(first), counted(more as u64 - 1, "capture")),
        };
        let known = Known::of(named.iter().map(|it| &it.2));
        let (mut runs, mut renamed) = (Vec::new(), Vec::new());
        for (_, path, capture) in named {
            let (capture, names) = configured.prepare(capture).with_context(|| quoted(path))?;
            runs.push(analyse(capture, &Floor::default()).with_context(|| quoted(path))?);
            renamed.extend(names);
        }
        renamed.sort();
        renamed.dedup();
        let copies: Vec<String> = copies.into_iter().map(|(_, copy)| copy).collect();
        let copied = (!copies.is_empty()).then(|| {
            format!(
                "the same capture stands more than once in the baseline and counts once: {}",
                some_of(&copies, 3, "copy")
            )
        });
        let notes = copied.into_iter().collect();
        Ok(Reference { name, runs, across: Across::DECLARED, renamed, known, notes })
    }

    /// The baseline that was stored under names from before a rename.
    fn find_renamed(&self, group: &Group, configured: &Configured) -> Result<Option<Reference>> {
        let renames = &configured.config.renames;
        if renames.is_empty() {
            return Ok(None);
        }
        let earlier = renames.earlier_scenes(&group.key.key.scene);
        for scene in &earlier {
            let key = Key { scene: scene.clone(), ..group.key.key.clone() };
            let key = HardKey { key, semantics: group.key.semantics.clone() };
            if let Some(found) = baseline::find(&self.baselines, &key)? {
                return stored(&found, configured).map(Some);
            }
        }
        // Names of passes and gates are in the hash of the settings, which is in the key.
        let is_like = |stored: &Baseline| {
            let key = Key {
                scene: stored.key.key.scene.clone(),
                settings_hash: stored.key.key.settings_hash.clone(),
                ..group.key.key.clone()
            };
            let same_scene =
                stored.key.key.scene == group.key.key.scene || earlier.contains(&stored.key.key.scene);
            same_scene && stored.key == HardKey { key, semantics: group.key.semantics.clone() }
        };
        let all = baseline::list(&self.baselines)?.into_iter().filter_map(|it| it.baseline.ok());
        let mut found = Vec::new();
        for baseline in all.filter(is_like) {
            let reference = stored(&baseline, configured)?;
            if let Some(reference) = under_new_names(reference, group) {
                found.push(reference);
            }
        }
        let mut found = found.into_iter();
        match (found.next(), found.next()) {
            (Some(one), Some(other)) => bail!(
                "{} and {} are both of the key that {} had before its passes were renamed: remove the one that is out of date",
                one.name,
                other.name,
                clean(&group.key.key.scene)
            ),
            (one, _) => Ok(one),
        }
    }

    /// The stored baseline that comes nearest to a key for which none is stored, and in what it differs; none where nothing
    /// is stored or a baseline was named.
    pub(crate) fn nearest(&self, key: &HardKey) -> Option<String> {
        let all = baseline::list(&self.baselines).ok()?.into_iter();
        let apart = |Listed { name, baseline }: Listed| {
            let differences = key.differences(&baseline.ok()?.key);
            Some((differences.len(), name, differences))
        };
        let (_, name, differences) = all.filter_map(apart).min()?;
        self.baseline
            .is_empty()
            .then(|| format!("the nearest stored one, {name}, differs: {}", differences.join("; ")))
    }
}

/// A folder that was named and is not there would switch comparing off, or list nothing, without a word.
pub(crate) fn check_named(baselines: &Path) -> Result<()> {
    if baselines != Path::new(BASELINES) && !baselines.exists() {
        bail!("--baselines {} does not exist", quoted(baselines));
    }
    Ok(())
}

/// That baselines are in another folder than the one that was named, and how to name it; none where it holds some, or none are
/// near.
pub(crate) fn elsewhere(baselines: &Path) -> Option<String> {
    let found = baseline::elsewhere(baselines);
    let cures: Vec<String> = found.iter().map(|folder| format!("--baselines {}", in_shell(folder))).collect();
    (!cures.is_empty()).then(|| {
        format!(
            "no baselines in {}: none of its folders holds a `baseline.json`; there are some with {}",
            quoted(baselines),
            some_of(&cures, 5, "folder")
        )
    })
}

/// The reference as a baseline of the group's key, if nothing but renamed passes and gates sets the two apart. The hash of
/// the settings covers their names, so that it cannot be held against the runs' own.
fn under_new_names(mut reference: Reference, group: &Group) -> Option<Reference> {
    let run = &group.runs.first()?.capture;
    let passes = |capture: &Capture| capture.passes.iter().map(|pass| pass.name.clone()).collect::<Vec<_>>();
    let gates = |capture: &Capture| capture.gates.iter().map(|gate| gate.name.clone()).collect::<Vec<_>>();
    let covered = reference.renamed.iter().any(|it| it.kind == "pass" || it.kind == "gate");
    let alike = |it: &Analysis| passes(&it.capture) == passes(run) && gates(&it.capture) == gates(run);
    if !covered || !reference.runs.iter().all(alike) {
        return None;
    }
    let (now, before) = (&run.key.settings_hash, &reference.runs.first()?.capture.key.settings_hash);
    reference.notes.push(format!(
        "the hash of the settings, {before} in the baseline and {now} now, covers names that framecost.toml renames: it was \
         not held against the runs"
    ));
    for analysis in &mut reference.runs {
        let mut parts = analysis.capture.clone().into_parts();
        parts.key.settings_hash.clone_from(now);
        let capture = Capture::new(parts).ok()?;
        *analysis = analyse(capture, &Floor::default()).ok()?;
    }
    Some(reference)
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

fn stored(baseline: &Baseline, configured: &Configured) -> Result<Reference> {
    let (mut runs, mut renamed, mut known) = (Vec::new(), Vec::new(), Known::default());
    for run in baseline.load()? {
        known.add(&run);
        let (capture, names) = configured.prepare(run)?;
        runs.push(analyse(capture, &Floor::default())?);
        renamed.extend(names);
    }
    renamed.sort();
    renamed.dedup();
    Ok(Reference {
        name: quoted(&baseline.dir),
        runs,
        across: Across::NOTHING,
        renamed,
        known,
        notes: Vec::new(),
    })
}
