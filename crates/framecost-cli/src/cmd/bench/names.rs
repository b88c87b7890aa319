//! Which variants a command line asks for, and what their captures and pictures are named. In: `--set`, `--vary`, `--out`. Out: switch sets
//! and paths that follow from the arguments alone, so that a script knows them beforehand.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use framecost_harness::{Interleave, Plan};
use framecost_sample::{Size, Switches};

use crate::args::{Set, Vary};
use crate::exit::WrongUse;

/// Every combination of the varied values over the set ones, each value once.
pub(in crate::cmd) fn variants(set: &[Set], vary: &[Vary]) -> Result<Vec<Switches>> {
    for Vary { name, values } in vary {
        if let Some((_, twice)) = values.iter().enumerate().find(|(i, value)| values[..*i].contains(value)) {
            let (name, twice) = (name.escape_debug(), twice.escape_debug());
            bail!(WrongUse(format!(
                "--vary {name}: the value `{twice}` stands twice, which only --interleave frames allows"
            )));
        }
    }
    combinations(set, vary)
}

/// Every combination, the same value twice if it is named twice: for measuring what differs by chance.
pub(super) fn combinations(set: &[Set], vary: &[Vary]) -> Result<Vec<Switches>> {
    let names = set.iter().map(|it| &it.name).chain(vary.iter().map(|it| &it.name));
    let mut base = Switches::default();
    for name in names {
        if base.0.insert(name.clone(), String::new()).is_some() {
            bail!(WrongUse(format!("switch `{}` is given twice by --set and --vary", name.escape_debug())));
        }
    }
    base.0.extend(set.iter().map(|it| (it.name.clone(), it.value.clone())));
    let mut variants = vec![base];
    for Vary { name, values } in vary {
        let with = |variant: &Switches| {
            let variant = variant.clone();
            values.iter().map(move |value| {
                let mut one = variant.clone();
                one.0.insert(name.clone(), value.clone());
                one
            })
        };
        variants = variants.iter().flat_map(with).collect();
    }
    Ok(variants)
}

/// The name of each variant's files: a start that all share, then the switches. It leads into no other folder.
pub(in crate::cmd) fn stems(start: &str, variants: &[Switches]) -> Result<Vec<String>> {
    let stems: Vec<String> = variants.iter().map(|switches| stem(start, switches)).collect();
    if let Some((_, name)) = stems.iter().enumerate().find(|(i, name)| stems[..*i].contains(name)) {
        bail!(WrongUse(format!("two variants would both be named `{name}`; ask for them in two calls")));
    }
    Ok(stems)
}

fn stem(start: &str, switches: &Switches) -> String {
    let parts = switches.0.iter().map(|(name, value)| format!("-{name}={value}"));
    let name: String = std::iter::once(start.to_owned()).chain(parts).collect();
    let plain = |c: char| if c.is_alphanumeric() || "._=-".contains(c) { c } else { '_' };
    name.trim_start_matches('.').chars().map(plain).collect()
}

/// Where each run's capture goes.
pub(super) struct Names {
    folder: PathBuf,
    /// By variant.
    stems: Vec<String>,
    repeats: u32,
}

impl Names {
    /// Size and switches stand in a name if the command line named them, defaults or not: `size` is none where it did not.
    pub(super) fn new(folder: &Path, scene: &str, size: Option<Size>, plan: &Plan) -> Result<Self> {
        let size = size.map(|size| format!("-{size}")).unwrap_or_default();
        let start = format!("{scene}{size}");
        let stems = match plan.interleave {
            Interleave::Runs => stems(&start, &plan.variants)?,
            // The two may be the same.
            Interleave::Frames => {
                let sides = plan.variants.iter().zip(["a", "b"]);
                sides.map(|(switches, side)| format!("{}-{side}", stem(&start, switches))).collect()
            }
        };
        Ok(Self { folder: folder.into(), stems, repeats: plan.repeats })
    }

    pub(super) fn of(&self, variant: usize, repeat: u32) -> PathBuf {
        let repeat = if self.repeats > 1 { format!("-{}", repeat + 1) } else { String::new() };
        self.folder.join(format!("{}{repeat}.{}", self.stems[variant], framecost_store::EXTENSION))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(name: &str, value: &str) -> Set {
        Set { name: name.into(), value: value.into() }
    }

    fn vary(name: &str, values: &[&str]) -> Vary {
        Vary { name: name.into(), values: values.iter().map(|&it| it.into()).collect() }
    }

    #[test]
    fn varied_switches_make_every_combination() {
        let made = variants(&[set("c", "on")], &[vary("a", &["1", "2"]), vary("b", &["x", "y"])]).unwrap();
        let made: Vec<String> = made.iter().map(Switches::to_string).collect();
        assert_eq!(made, ["a=1 b=x c=on", "a=1 b=y c=on", "a=2 b=x c=on", "a=2 b=y c=on"]);
        assert_eq!(variants(&[], &[]).unwrap(), [Switches::default()]);
    }

    #[test]
    fn a_switch_is_named_once() {
        for (first, second) in
            [(vec![set("a", "1"), set("a", "2")], vec![]), (vec![set("a", "1")], vec![vary("a", &["2"])])]
        {
            let error = variants(&first, &second).unwrap_err();
            assert_eq!(error.to_string(), "switch `a` is given twice by --set and --vary");
            assert_eq!(crate::exit::of_error(&error), crate::exit::Exit::WrongUse);
        }
    }

    #[test]
    fn a_value_is_named_once_unless_frames_take_turns() {
        let twice = [vary("lit_load", &["1", "1"])];
        let error = variants(&[], &twice).unwrap_err();
        assert_eq!(
            error.to_string(),
            "--vary lit_load: the value `1` stands twice, which only --interleave frames allows"
        );
        let variants = combinations(&[], &twice).unwrap();
        let plan = Plan { repeats: 2, variants, interleave: Interleave::Frames, ..Plan::default() };
        let names = Names::new(Path::new("out"), "orrery", None, &plan).unwrap();
        assert_eq!(names.of(0, 1), Path::new("out/orrery-lit_load=1-a-2.framecost"));
        assert_eq!(names.of(1, 1), Path::new("out/orrery-lit_load=1-b-2.framecost"));
    }

    #[test]
    fn names_follow_from_the_arguments_alone() {
        let plan = |repeats, variants| Plan { repeats, variants, ..Plan::default() };
        let small = Some(Size { width: 64, height: 36 });
        let one = Names::new(Path::new("out"), "orrery", None, &plan(1, vec![Switches::default()])).unwrap();
        assert_eq!(one.of(0, 0), Path::new("out/orrery.framecost"));
        let two = variants(&[], &[vary("lit_load", &["1", "4"])]).unwrap();
        let many = Names::new(Path::new("out"), "orrery", small, &plan(2, two)).unwrap();
        assert_eq!(many.of(1, 1), Path::new("out/orrery-64x36-lit_load=4-2.framecost"));
        let odd =
            Names::new(Path::new("out"), "../a b/c", None, &plan(1, vec![Switches::default()])).unwrap();
        assert_eq!(odd.of(0, 0), Path::new("out/_a_b_c.framecost"), "a scene's name leads nowhere");
    }
}
