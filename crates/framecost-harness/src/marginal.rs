//! How a frame is had with and without a pass. In: what the scene says about itself, and the switches in force. Out: the two
//! variants whose difference is the pass's marginal cost, or why there are none.

use framecost_sample::Switches;

use crate::{Allowed, SceneInfo, resolve};

/// Two variants that differ by one pass's work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marginal {
    /// Whether the pass is taken out, or more of it is put in.
    pub kind: MarginalKind,
    /// The switch that differs.
    pub switch: String,
    /// All switches of the variant with more of the pass.
    pub with: Switches,
    /// All switches of the variant with less of it.
    pub without: Switches,
}

/// What lies between the two variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MarginalKind {
    /// The pass's work.
    Without,
    /// The pass's work once more: the scene names no way to take it out. Where the switches in force have as much of it as can
    /// be, they are the variant with more.
    OneMore,
}

impl Marginal {
    /// The variants for a pass, the one of them the switches in force.
    ///
    /// # Errors
    /// The scene has neither a way to take the pass out nor one to repeat it; or what it names is no switch or value of its; or
    /// its switch has one value only.
    pub fn of(info: &SceneInfo, pass: &str, set: &Switches) -> Result<Self, String> {
        let Some(way) = info.without.iter().find(|way| way.pass == pass) else {
            return Self::one_more(info, pass, set);
        };
        let (switch, value) = (&way.switch, &way.value);
        let without = changed(info, set, switch, value)?;
        if without.0 == set.0 {
            return Err(format!("the frame is without it already: {switch}={value}"));
        }
        Ok(Self { kind: MarginalKind::Without, switch: switch.clone(), with: set.clone(), without })
    }

    fn one_more(info: &SceneInfo, pass: &str, set: &Switches) -> Result<Self, String> {
        let switch = format!("{pass}_load");
        let number = info.switches.iter().find(|def| def.name == switch).and_then(|def| match def.allowed {
            Allowed::Number { least, most } => Some((least, most, set.0.get(&switch)?.parse::<u64>().ok()?)),
            _ => None,
        });
        let Some((least, most, load)) = number else {
            return Err(format!(
                "the scene names no switch that takes the pass out of the frame, and has no number switch {switch}"
            ));
        };
        let to = |load: u64| changed(info, set, &switch, &load.to_string());
        let (with, without) = if load < most {
            (to(load.saturating_add(1))?, set.clone())
        } else if load > least {
            (set.clone(), to(load.saturating_sub(1))?)
        } else {
            return Err(format!(
                "the scene names no switch that takes the pass out of the frame, and {switch} is {load} always"
            ));
        };
        Ok(Self { kind: MarginalKind::OneMore, switch, with, without })
    }
}

impl Marginal {
    /// Whether the switches in force are the variant with more of the pass.
    #[must_use]
    pub fn is_with(&self, set: &Switches) -> bool {
        self.with.0 == set.0
    }
}

fn changed(info: &SceneInfo, set: &Switches, switch: &str, value: &str) -> Result<Switches, String> {
    let mut asked = set.clone();
    asked.0.insert(switch.to_owned(), value.to_owned());
    resolve(&info.name, &info.switches, &asked).map_err(|fault| fault.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SwitchDef, Without};

    fn check(pass: &str, set: &[(&str, &str)]) -> String {
        let info = SceneInfo {
            switches: vec![
                SwitchDef::on_off("rays", true, "traces rays"),
                SwitchDef::on_off("skip_fog", false, "leaves fog out"),
                SwitchDef::number("lit_load", 1, 1, 4, "repeats lit"),
                SwitchDef::on_off("fog_load", true, "is no number"),
                SwitchDef::number("once_load", 1, 1, 1, "repeats nothing"),
            ],
            without: vec![
                Without::new("mask", "rays", "off"),
                Without::new("fog", "skip_fog", "on"),
                Without::new("sky", "clouds", "off"),
                Without::new("glare", "rays", "maybe"),
            ],
            ..SceneInfo::new("town", &["mask", "lit", "fog", "sky", "glare", "tone", "once"])
        };
        let asked = Switches(set.iter().map(|&(name, value)| (name.into(), value.into())).collect());
        let set = resolve("town", &info.switches, &asked).unwrap();
        match Marginal::of(&info, pass, &set) {
            Ok(it) => {
                let value = |of: &Switches| of.0[&it.switch].clone();
                assert!(it.with == set && it.is_with(&set) || it.without == set, "one of them is in force");
                let others = |of: &Switches| of.0.iter().filter(|(name, _)| **name != it.switch).count();
                assert_eq!(others(&it.with), others(&it.without), "nothing else differs");
                format!("{:?} {} {} - {}", it.kind, it.switch, value(&it.with), value(&it.without))
            }
            Err(why) => why,
        }
    }

    #[test]
    fn a_pass_is_taken_out_or_else_repeated_once_more() {
        insta::assert_snapshot!(check("mask", &[]), @"Without rays on - off");
        insta::assert_snapshot!(check("fog", &[]), @"Without skip_fog off - on");
        insta::assert_snapshot!(check("lit", &[]), @"OneMore lit_load 2 - 1");
        insta::assert_snapshot!(check("lit", &[("lit_load", "3")]), @"OneMore lit_load 4 - 3");
        insta::assert_snapshot!(check("lit", &[("lit_load", "4")]), @"OneMore lit_load 4 - 3");
    }

    #[test]
    fn where_neither_can_be_had_the_reason_is() {
        insta::assert_snapshot!(check("tone", &[]), @"the scene names no switch that takes the pass out of the frame, and has no number switch tone_load");
        insta::assert_snapshot!(check("mask", &[("rays", "off")]), @"the frame is without it already: rays=off");
        insta::assert_snapshot!(check("once", &[]), @"the scene names no switch that takes the pass out of the frame, and once_load is 1 always");
        insta::assert_snapshot!(check("sky", &[]), @"scene `town` has no switch `clouds`; it has rays, skip_fog, lit_load, fog_load, once_load");
        insta::assert_snapshot!(check("glare", &[]), @"switch `rays` of scene `town` cannot be `maybe`; allowed: on, off");
    }
}
