//! Noise profiles: how far an adapter's runs of the same work lie apart, kept beside the baselines. In: a profile with its
//! key. Out: one file per key, `bench/baselines/NAME.noise.json` by custom, where NAME is that of the key's baseline.
//!
//! That no profile is there and that one is there but damaged are two answers.

use std::path::{Path, PathBuf};

use framecost::judge::NoiseProfile;
use serde::{Deserialize, Serialize};

use crate::baseline::HardKey;
use crate::error::{Fault, check_moment, quote};
use crate::{StoreError, file};

/// The version that is written. Readers accept it and every one before it.
const VERSION: u32 = 1;
const MOST: u64 = 1 << 22;
/// More runs than anybody measures: beyond it a file was made up.
const MOST_RUNS: u64 = 1 << 20;

/// A stored profile.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredNoise {
    /// What it is of.
    pub key: HardKey,
    /// When its first run began, as that capture says.
    pub measured_at: Option<String>,
    /// The noise of each figure.
    pub profile: NoiseProfile,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    framecost_noise: u32,
    key: serde_json::Value,
    semantics: Vec<String>,
    measured_at: Option<String>,
    profile: NoiseProfile,
}

/// Where the profile of that key lies under a root of baselines.
#[must_use]
pub fn path(root: &Path, key: &HardKey) -> PathBuf {
    root.join(format!("{}.noise.json", key.slug()))
}

/// Writes the profile, in place of the one before, and says where.
///
/// # Errors
/// The system refuses.
pub fn save(root: &Path, noise: &StoredNoise) -> Result<PathBuf, StoreError> {
    let path = path(root, &noise.key);
    let text = to_json(noise).map_err(|fault| fault.at(&path))?;
    file::replace(&path, text.as_bytes())?;
    Ok(path)
}

/// The profile of that key; none where there is no file of its name.
///
/// # Errors
/// There is one, but damaged, of a newer version, or of another key.
pub fn find(root: &Path, key: &HardKey) -> Result<Option<StoredNoise>, StoreError> {
    let path = path(root, key);
    let text = match file::read(&path, MOST) {
        Err(StoreError::Missing { .. }) => return Ok(None),
        other => other?,
    };
    let found = from_json(&text).map_err(|fault| fault.at(&path))?;
    match found.key.differences(key).first() {
        None => Ok(Some(found)),
        Some(difference) => {
            Err(Fault(format!("its key is not that of its file's name: {difference}")).at(&path))
        }
    }
}

fn to_json(noise: &StoredNoise) -> Result<String, Fault> {
    let fault = |error: serde_json::Error| Fault(error.to_string());
    let (key, semantics) = noise.key.to_wire().map_err(fault)?;
    let wire = Wire {
        framecost_noise: VERSION,
        key,
        semantics,
        measured_at: noise.measured_at.clone(),
        profile: noise.profile.clone(),
    };
    let mut text = serde_json::to_string_pretty(&wire).map_err(fault)?;
    text.push('\n');
    Ok(text)
}

fn from_json(text: &[u8]) -> Result<StoredNoise, Fault> {
    #[derive(Deserialize)]
    struct Versioned {
        framecost_noise: u32,
    }
    let fault = |error: serde_json::Error| Fault(error.to_string());
    let Versioned { framecost_noise: version } = serde_json::from_slice(text).map_err(fault)?;
    if version != VERSION {
        return Err(Fault(format!(
            "noise version {version} is not known; this framecost reads versions 1 to {VERSION}"
        )));
    }
    let wire: Wire = serde_json::from_slice(text).map_err(fault)?;
    let key = HardKey::from_wire(&wire.key, &wire.semantics)?;
    check_moment(wire.measured_at.as_deref())?;
    check(&wire.profile)?;
    Ok(StoredNoise { key, measured_at: wire.measured_at, profile: wire.profile })
}

/// A spread that is none would make any change certain, or none ever.
fn check(profile: &NoiseProfile) -> Result<(), Fault> {
    if !(2..=MOST_RUNS).contains(&profile.runs) {
        return Err(Fault(format!("profile.runs is {}; allowed: 2 to {MOST_RUNS}", profile.runs)));
    }
    for (name, noise) in profile.figures() {
        let name = quote(name);
        if !noise.spread.is_finite() || noise.spread < 0.0 {
            return Err(Fault(format!("the spread of {name} is {}; allowed: at least 0", noise.spread)));
        }
        if !(1..profile.runs).contains(&noise.freedom) {
            let most = profile.runs - 1;
            return Err(Fault(format!("the freedom of {name} is {}; allowed: 1 to {most}", noise.freedom)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use framecost_sample::Semantics;
    use std::fs;

    fn key() -> HardKey {
        HardKey { key: fixture::key(), semantics: [Semantics::BottomBottom].into() }
    }

    fn noise() -> StoredNoise {
        let profile = r#"{"runs": 10, "figures": {"gpu_total median": {"scale": "ratio", "spread": 0.0125, "freedom": 9}}}"#;
        StoredNoise {
            key: key(),
            measured_at: Some("2026-11-30T02:00:00Z".into()),
            profile: serde_json::from_str(profile).unwrap(),
        }
    }

    /// The stored text with one part put in another's place.
    fn damaged(from: &str, to: &str) -> String {
        let root = tempfile::tempdir().unwrap();
        let path = save(root.path(), &noise()).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from} is not in {text}");
        fs::write(&path, text.replace(from, to)).unwrap();
        let error = find(root.path(), &key()).unwrap_err();
        assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
        error.to_string().split_once("json`: ").unwrap().1.to_owned()
    }

    #[test]
    fn a_profile_is_found_by_its_key_and_no_other() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(find(root.path(), &key()).unwrap(), None, "absent is no error");
        let path = save(root.path(), &noise()).unwrap();
        assert_eq!(find(root.path(), &key()).unwrap(), Some(noise()));
        let other = StoredNoise { measured_at: None, ..noise() };
        assert_eq!(save(root.path(), &other).unwrap(), path, "in place of the one before");
        assert_eq!(find(root.path(), &key()).unwrap(), Some(other));
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1, "nothing is left beside it");
        let mut key = key();
        key.key.scene.push('x');
        assert_eq!(find(root.path(), &key).unwrap(), None);
        // Baselines live beside it and take it for somebody's own file.
        assert_eq!(crate::baseline::list(root.path()).unwrap().len(), 0);
    }

    #[test]
    fn a_damaged_profile_is_another_answer_than_none() {
        insta::assert_snapshot!(damaged("\"framecost_noise\": 1", "\"framecost_noise\": 2"), @"noise version 2 is not known; this framecost reads versions 1 to 1");
        insta::assert_snapshot!(damaged("0.0125", "-0.0125"), @"the spread of `gpu_total median` is -0.0125; allowed: at least 0");
        insta::assert_snapshot!(damaged("\"runs\": 10", "\"runs\": 1"), @"profile.runs is 1; allowed: 2 to 1048576");
        insta::assert_snapshot!(damaged("\"freedom\": 9", "\"freedom\": 0"), @"the freedom of `gpu_total median` is 0; allowed: 1 to 9");
        insta::assert_snapshot!(damaged("bottom-bottom", "sideways"), @"semantics `sideways` is not known; one of top-bottom, bottom-bottom, own-buffer-bottom, stage-boundary, marker, host, unstated");
        insta::assert_snapshot!(damaged("2026-11-30T02:00:00Z", "today"), @"measured_at is `today`; allowed: RFC 3339 in UTC, or null");
        assert!(
            damaged("\"scene\": \"orrery\"", "\"scene\": \"town\"")
                .starts_with("its key is not that of its file's name: scene: ")
        );
        assert!(
            damaged("\"framecost_noise\"", "\"framecost_nose\"").contains("line"),
            "with line and column"
        );
    }
}
