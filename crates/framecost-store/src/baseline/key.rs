//! What a baseline is of: the part of a run's identity that no comparison crosses, and the folder name made from it.

use std::collections::BTreeSet;

use framecost_sample::{Capture, Key, Semantics, wire};

use crate::error::{Fault, quote};
use crate::sums;

/// The readable part of a name is cut here; the hash behind it tells names apart.
const MOST_READABLE: usize = 96;
/// Hexadecimal digits of the hash in a name: 64 bits.
const HASH_DIGITS: usize = 16;

/// A run's key and the semantics of its stamps. Runs that differ in either are never compared.
///
/// Which passes there are is no part of it: a renderer that gains a pass keeps its baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HardKey {
    /// What ran, where, and how.
    pub key: Key,
    /// The kinds of stamps that its passes have.
    pub semantics: BTreeSet<Semantics>,
}

impl HardKey {
    /// The hard key of a capture.
    #[must_use]
    pub fn of(capture: &Capture) -> Self {
        Self {
            key: capture.key.clone(),
            semantics: capture.passes.iter().map(|pass| pass.semantics).collect(),
        }
    }

    /// The key and the names of its semantics, as files beside the baselines hold them.
    pub(crate) fn to_wire(&self) -> serde_json::Result<(serde_json::Value, Vec<String>)> {
        let key = serde_json::from_str(&wire::key_to_json(&self.key))?;
        Ok((key, self.semantics.iter().map(|it| it.name().into()).collect()))
    }

    /// The same read back.
    pub(crate) fn from_wire(key: &serde_json::Value, semantics: &[String]) -> Result<Self, Fault> {
        let key = wire::key_from_json(&key.to_string()).map_err(|error| error.to_string())?;
        let semantics = semantics.iter().map(|name| {
            Semantics::from_name(name).ok_or_else(|| {
                let allowed = Semantics::ALL.map(Semantics::name).join(", ");
                Fault(format!("semantics {} is not known; one of {allowed}", quote(name)))
            })
        });
        Ok(Self { key, semantics: semantics.collect::<Result<_, _>>()? })
    }

    /// The whole key as one text, equal for equal keys and no others.
    fn canonical(&self) -> String {
        format!("{}\n{}\n", wire::key_to_json(&self.key), self.semantics_text())
    }

    fn semantics_text(&self) -> String {
        self.semantics.iter().map(|semantics| semantics.name()).collect::<Vec<_>>().join(",")
    }

    /// The name of the baseline of this key: scene, adapter, size and switches to read, then a hash of the whole key.
    /// Two keys never share a name, however alike their texts are.
    #[must_use]
    pub fn slug(&self) -> String {
        let size = self.key.size.map(|size| size.to_string());
        let parts = [
            self.key.scene.as_str(),
            &self.key.adapter,
            &self.key.backend,
            size.as_deref().unwrap_or_default(),
            &self.key.switches.to_string(),
        ];
        let mut slug = String::new();
        for c in parts.join("-").chars().flat_map(char::to_lowercase) {
            let kept = c.is_ascii_alphanumeric() || "._=".contains(c);
            if kept && slug.len() < MOST_READABLE {
                slug.push(c);
            } else if !kept && !slug.is_empty() && !slug.ends_with('-') {
                slug.push('-');
            }
        }
        let hash = sums::hash(self.canonical().as_bytes());
        format!("{}-{}", slug.trim_matches(['-', '.']), &hash[..HASH_DIGITS])
    }

    /// Where two keys differ, as `field: this against that`, in the fields' order; nothing for equal keys.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let fields = |key: &Key| -> serde_json::Map<String, serde_json::Value> {
            serde_json::from_str(&wire::key_to_json(key)).unwrap_or_default()
        };
        let (ours, theirs) = (fields(&self.key), fields(&other.key));
        let mut found: Vec<String> = ours
            .iter()
            .filter(|(name, value)| *name != "switches" && theirs.get(*name) != Some(*value))
            .map(|(name, value)| {
                let that = theirs.get(name).unwrap_or(&serde_json::Value::Null);
                format!("{name}: {value} against {that}")
            })
            .collect();
        // Of many switches only those that differ say anything.
        let (ours, theirs) = (&self.key.switches.0, &other.key.switches.0);
        let names: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
        for name in names.into_iter().filter(|name| ours.get(*name) != theirs.get(*name)) {
            let value = |of: Option<&String>| {
                of.map_or_else(|| "not there".into(), |it| it.escape_debug().to_string())
            };
            let (this, that) = (value(ours.get(name)), value(theirs.get(name)));
            found.push(format!("switch {}: {this} against {that}", name.escape_debug()));
        }
        if self.semantics != other.semantics {
            found.push(format!("semantics: {} against {}", self.semantics_text(), other.semantics_text()));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use framecost_sample::{AdapterClass, Switches};
    use proptest::prelude::*;

    fn key() -> HardKey {
        HardKey { key: fixture::key(), semantics: [Semantics::BottomBottom].into() }
    }

    #[test]
    fn a_slug_reads_and_ends_with_the_keys_hash() {
        insta::assert_snapshot!(
            key().slug(),
            @"orrery-llvmpipe-llvm-15.0.6-256-bits-vulkan-320x180-lit_load=1-65a137fce42269a6"
        );
    }

    #[test]
    fn every_part_of_the_key_makes_another_name() {
        let changes: [fn(&mut HardKey); 11] = [
            |it| it.key.benchmark.push('x'),
            |it| it.key.scene.push('x'),
            |it| it.key.switches = Switches::default(),
            |it| it.key.adapter.push('x'),
            |it| it.key.adapter_class = AdapterClass::Virtual,
            |it| it.key.backend.push('x'),
            |it| it.key.size = None,
            |it| it.key.settings_hash.push('x'),
            |it| it.key.instrumentation.0.push('x'),
            |it| it.key.frames_in_flight = None,
            |it| it.semantics = [Semantics::Marker].into(),
        ];
        for (i, change) in changes.iter().enumerate() {
            let mut other = key();
            change(&mut other);
            assert_ne!(key().slug(), other.slug(), "change {i}");
            assert_eq!(key().differences(&other).len(), 1, "change {i}");
        }
        assert_eq!(key().differences(&key()), Vec::<String>::new());
    }

    #[test]
    fn names_that_would_be_cut_into_each_other_stay_apart() {
        // criterion.rs#272: cut at 64 characters, the fast benchmark became the slow one's baseline.
        let long = |end: &str| {
            let mut it = key();
            it.key.scene = format!("{}{end}", "a".repeat(300));
            it.slug()
        };
        assert_ne!(long("fast"), long("slow"));
        assert!(long("fast").len() < 120, "a file system takes 255 bytes");
    }

    proptest! {
        #[test]
        fn any_name_gives_a_plain_folder_name(scene in "\\PC*", adapter in "\\PC*") {
            let mut it = key();
            it.key.scene = scene;
            it.key.adapter = adapter;
            let slug = it.slug();
            prop_assert!(slug.bytes().all(|b| b.is_ascii_alphanumeric() || b"._=-".contains(&b)), "{slug}");
            prop_assert!(!slug.starts_with('.'), "hidden folders are ours: {slug}");
        }
    }
}
