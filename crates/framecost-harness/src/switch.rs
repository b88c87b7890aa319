//! Switches: a scene's named options. In: what a person asked for. Out: the whole set in force, or what is wrong with it.

use std::fmt;

use framecost_sample::Switches;

/// An option of a scene. Part of a run's key: runs with different switches are different benchmarks.
#[derive(Clone, Debug, PartialEq)]
pub struct SwitchDef {
    /// Lower case with underscores.
    pub name: String,
    /// The value in force where nobody asked for another; one of the allowed.
    pub default: String,
    /// What it may be.
    pub allowed: Allowed,
    /// What it does, in one sentence.
    pub about: String,
}

/// The values that a switch may have.
#[derive(Clone, Debug, PartialEq)]
pub enum Allowed {
    /// `on` or `off`.
    OnOff,
    /// One of these texts.
    OneOf(Vec<String>),
    /// A whole number from `least` to `most`, both included.
    Number {
        /// The smallest.
        least: u64,
        /// The largest.
        most: u64,
    },
}

/// A switch that cannot be set so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SwitchError {
    /// The scene has no switch of that name.
    #[error("scene `{scene}` has no switch `{name}`; it has {allowed}")]
    Unknown {
        /// The scene.
        scene: String,
        /// The name that was asked for.
        name: String,
        /// The scene's switches, or `none`.
        allowed: String,
    },
    /// The switch has no such value.
    #[error("switch `{name}` of scene `{scene}` cannot be `{value}`; allowed: {allowed}")]
    BadValue {
        /// The scene.
        scene: String,
        /// The switch.
        name: String,
        /// The value that was asked for.
        value: String,
        /// What is allowed.
        allowed: String,
    },
}

impl SwitchDef {
    /// A switch that is `on` or `off`.
    #[must_use]
    pub fn on_off(name: &str, on: bool, about: &str) -> Self {
        let default = if on { "on" } else { "off" }.to_owned();
        Self { name: name.into(), default, allowed: Allowed::OnOff, about: about.into() }
    }

    /// A switch that is a whole number.
    #[must_use]
    pub fn number(name: &str, default: u64, least: u64, most: u64, about: &str) -> Self {
        let allowed = Allowed::Number { least, most };
        Self { name: name.into(), default: default.to_string(), allowed, about: about.into() }
    }

    /// A switch that is one of some texts, the first of them by default.
    #[must_use]
    pub fn one_of(name: &str, values: &[&str], about: &str) -> Self {
        let list: Vec<String> = values.iter().map(|&value| value.to_owned()).collect();
        let default = list.first().cloned().unwrap_or_default();
        Self { name: name.into(), default, allowed: Allowed::OneOf(list), about: about.into() }
    }
}

impl Allowed {
    /// The value as it is written down: `4` for `04`; none where it is not allowed.
    fn normal(&self, value: &str) -> Option<String> {
        match self {
            Self::OnOff => ["on", "off"].contains(&value).then(|| value.to_owned()),
            Self::OneOf(values) => values.iter().any(|one| one == value).then(|| value.to_owned()),
            Self::Number { least, most } => {
                let number: u64 = value.parse().ok()?;
                (*least..=*most).contains(&number).then(|| number.to_string())
            }
        }
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OnOff => f.write_str("on, off"),
            Self::OneOf(values) => f.write_str(&values.join(", ")),
            Self::Number { least, most } => write!(f, "whole numbers from {least} to {most}"),
        }
    }
}

/// The value of each switch where nobody asks for another.
pub(crate) fn defaults(defs: &[SwitchDef]) -> Switches {
    Switches(defs.iter().map(|def| (def.name.clone(), def.default.clone())).collect())
}

/// The whole set: what was asked for, and the default of every other switch.
///
/// # Errors
/// A switch that the scene does not have, or a value that it cannot have.
pub fn resolve(scene: &str, defs: &[SwitchDef], asked: &Switches) -> Result<Switches, SwitchError> {
    let mut set = defaults(defs);
    for (name, value) in &asked.0 {
        let def = defs.iter().find(|def| def.name == *name).ok_or_else(|| SwitchError::Unknown {
            scene: scene.into(),
            name: shown(name),
            allowed: names(defs),
        })?;
        let normal = def.allowed.normal(value).ok_or_else(|| SwitchError::BadValue {
            scene: scene.into(),
            name: name.clone(),
            value: shown(value),
            allowed: def.allowed.to_string(),
        })?;
        set.0.insert(name.clone(), normal);
    }
    Ok(set)
}

fn names(defs: &[SwitchDef]) -> String {
    if defs.is_empty() {
        return "none".into();
    }
    defs.iter().map(|def| def.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// What somebody typed, short and harmless.
fn shown(text: &str) -> String {
    text.chars().take(80).collect::<String>().escape_debug().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn defs() -> Vec<SwitchDef> {
        vec![
            SwitchDef::on_off("culling", true, "leaves out what is not seen"),
            SwitchDef::number("lit_load", 1, 1, 64, "repeats the work of lit"),
            SwitchDef::one_of("filter", &["linear", "nearest"], "how textures are read"),
        ]
    }

    fn check(asked: &[(&str, &str)]) -> String {
        let asked = Switches(asked.iter().map(|&(name, value)| (name.into(), value.into())).collect());
        match resolve("town", &defs(), &asked) {
            Ok(set) => set.to_string(),
            Err(fault) => fault.to_string(),
        }
    }

    #[test]
    fn what_nobody_asked_for_has_its_default() {
        assert_eq!(check(&[]), "culling=on filter=linear lit_load=1");
        assert_eq!(check(&[("lit_load", "04"), ("culling", "off")]), "culling=off filter=linear lit_load=4");
    }

    #[test]
    fn an_error_names_switch_value_and_what_is_allowed() {
        insta::assert_snapshot!(check(&[("shadow", "off")]), @"scene `town` has no switch `shadow`; it has culling, lit_load, filter");
        insta::assert_snapshot!(check(&[("culling", "no")]), @"switch `culling` of scene `town` cannot be `no`; allowed: on, off");
        insta::assert_snapshot!(check(&[("lit_load", "65")]), @"switch `lit_load` of scene `town` cannot be `65`; allowed: whole numbers from 1 to 64");
        insta::assert_snapshot!(check(&[("lit_load", "-1")]), @"switch `lit_load` of scene `town` cannot be `-1`; allowed: whole numbers from 1 to 64");
        insta::assert_snapshot!(check(&[("filter", "\u{1b}[2J")]), @r"switch `filter` of scene `town` cannot be `\u{1b}[2J`; allowed: linear, nearest");
        let bare = resolve("bare", &[], &Switches([("a".into(), "1".into())].into())).unwrap_err();
        insta::assert_snapshot!(bare, @"scene `bare` has no switch `a`; it has none");
    }
}
