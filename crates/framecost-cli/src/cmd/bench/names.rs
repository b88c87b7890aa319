//! Which variants a command line asks for, and what their captures and pictures are named. In: `--set`, `--vary`, `--out`. Out: switch sets
//! and paths that follow from the arguments alone, so that a script knows them beforehand.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use framecost_harness::Plan;
use framecost_sample::{Size, Switches};

use crate::args::{Set, Vary};
use crate::exit::WrongUse;

/// Every combination of the varied values over the set ones.
pub(in crate::cmd) fn variants(set: &[Set], vary: &[Vary]) -> Result<Vec<Switches>> {
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
    let stem = |switches: &Switches| {
        let parts = switches.0.iter().map(|(name, value)| format!("-{name}={value}"));
        let name: String = std::iter::once(start.to_owned()).chain(parts).collect();
        let plain = |c: char| if c.is_alphanumeric() || "._=-".contains(c) { c } else { '_' };
        name.trim_start_matches('.').chars().map(plain).collect::<String>()
    };
    let stems: Vec<String> = variants.iter().map(stem).collect();
    if let Some((_, name)) = stems.iter().enumerate().find(|(i, name)| stems[..*i].contains(name)) {
        bail!(WrongUse(format!("two variants would both be named `{name}`; ask for them in two calls")));
    }
    Ok(stems)
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
        let stems = stems(&format!("{scene}{size}"), &plan.variants)?;
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
