//! What is to be run: size, length, repeats, variants. In: a person's wishes. Out: a checked plan, and the order of runs.

use std::time::Duration;

use framecost_sample::{Capture, Size, Switches};
use framecost_wgpu::Stamping;

use crate::{SceneInfo, SwitchError, resolve};

/// How a benchmark is run. Every field has a default.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Size of the image.
    pub size: Size,
    /// Frames to measure, from index 0 on; none for the scene's whole path.
    pub frames: Option<u64>,
    /// Frames drawn and left out before any is measured, the start-up frame not among them.
    pub warm_up: u64,
    /// Pairs of frames, one stamped and one bracketed, that show what stamping costs; counted by themselves, and left out.
    pub calibration_pairs: u64,
    /// Independent runs of each variant.
    pub repeats: u32,
    /// Frame i starts when frame i minus this many is finished: 1 renders frame by frame. From 1 to 16.
    pub frames_in_flight: u32,
    /// Nothing runs beside a pass: each is in a submission of its own, after which the host waits for the GPU. For passes that
    /// are stamped, with one frame in flight; such a run is like no other, and its key says so. The host's times hold the
    /// waits.
    pub serial: bool,
    /// How the variants' runs take turns.
    pub interleave: Interleave,
    /// Scenes that can be set up anew ([`crate::Scene::again`]) are loaded once for all repeats, where frames take turns. Since
    /// variants change slots from repeat to repeat, each scene is one variant as often as the other.
    pub reuse: bool,
    /// Two variants may have the same switches: how far they lie apart is then chance.
    pub twins: bool,
    /// Whether clocks, heat and load are read around each run, which takes up to a second where a tool is asked for them.
    pub watch: bool,
    /// How passes are stamped.
    pub stamping: Stamping,
    /// Switches of each variant; what one leaves out has its default.
    pub variants: Vec<Switches>,
    /// Part of the adapter's name; none for the best one.
    pub adapter: Option<String>,
    /// The measured program's revision, where somebody knows it.
    pub revision: Option<String>,
    /// More that the caller knows of the environment: name and value.
    pub facts: Vec<(String, String)>,
    /// How long a frame may take before the run is given up.
    pub patience: Duration,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            size: Size { width: 1280, height: 720 },
            frames: None,
            warm_up: 60,
            calibration_pairs: 16,
            repeats: 1,
            frames_in_flight: 2,
            serial: false,
            interleave: Interleave::Runs,
            reuse: false,
            twins: false,
            watch: true,
            stamping: Stamping::Attachments,
            variants: vec![Switches::default()],
            adapter: None,
            revision: None,
            facts: Vec::new(),
            patience: Duration::from_secs(60),
        }
    }
}

/// How the runs of variants take turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Interleave {
    /// Run by run, see [`order`].
    #[default]
    Runs,
    /// Frame by frame, in one process: exactly two variants, A B, B A, A B. Frames in flight are counted over both. The time
    /// from frame to frame is then neither's and not recorded.
    Frames,
}

/// A plan that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A number out of its range.
    #[error("{name} {value}; allowed: {allowed}")]
    Range {
        /// The field.
        name: &'static str,
        /// Its value.
        value: String,
        /// What is allowed.
        allowed: String,
    },
    /// An image that the adapter cannot draw to.
    #[error("size {size}: {side} is past this adapter's limit of {allowed}")]
    TooLarge {
        /// The size.
        size: Size,
        /// The side that is too long.
        side: u32,
        /// The longest side that the adapter allows.
        allowed: u64,
    },
    /// Pictures that may differ, on an adapter that has no excuse.
    #[error(
        "an allowance of differing pixels on `{adapter}`; allowed: on software adapters alone, hardware must match exactly"
    )]
    Allowance {
        /// The adapter.
        adapter: String,
    },
    /// A variant with a bad switch.
    #[error(transparent)]
    Switch(#[from] SwitchError),
    /// Two variants with the same switches.
    #[error("variants {first} and {second} have the same switches ({switches}); a variant stands once")]
    SameVariant {
        /// Place of the first, counted from 1.
        first: usize,
        /// Place of the second.
        second: usize,
        /// What both are.
        switches: String,
    },
}

impl Plan {
    /// How many frames of this scene are measured.
    #[must_use]
    pub fn frames_of(&self, info: &SceneInfo) -> u64 {
        self.frames.unwrap_or(info.frames)
    }

    /// Checks the plan against a scene; each variant's whole set of switches.
    ///
    /// # Errors
    /// A number out of range, a bad switch, no variant, or a variant that stands twice.
    pub fn check(&self, info: &SceneInfo) -> Result<Vec<Switches>, PlanError> {
        let range =
            |name, value: String, allowed: &str| PlanError::Range { name, value, allowed: allowed.into() };
        check_size(self.size)?;
        let frames = self.frames_of(info);
        if !(1..=info.frames).contains(&frames) {
            let allowed = format!("1 to {}, the path of scene `{}`", info.frames, info.name);
            return Err(range("frames", frames.to_string(), &allowed));
        }
        if frames > Capture::MOST_FRAMES {
            let allowed = format!("1 to {}, what a capture holds", Capture::MOST_FRAMES);
            return Err(range("frames", frames.to_string(), &allowed));
        }
        if self.repeats == 0 {
            return Err(range("repeats", "0".into(), "at least 1"));
        }
        if !(1..=16).contains(&self.frames_in_flight) {
            return Err(range("frames in flight", self.frames_in_flight.to_string(), "1 to 16"));
        }
        self.check_serial()?;
        self.check_turns()?;
        resolve_all(info, &self.variants, self.twins)
    }

    /// Frames take turns between two, each of which has the frame before it right behind.
    fn check_turns(&self) -> Result<(), PlanError> {
        let fault =
            |name, value: String, allowed: &str| PlanError::Range { name, value, allowed: allowed.into() };
        if self.interleave == Interleave::Runs {
            return Ok(());
        }
        if self.variants.len() != 2 {
            return Err(fault(
                "variants",
                self.variants.len().to_string(),
                "exactly 2, where frames take turns",
            ));
        }
        if self.serial {
            return Err(fault("serial", "true".into(), "false, where frames take turns"));
        }
        Ok(())
    }

    /// Beside a pass of a serial run nothing is to be: no frame, and no stamps of a kind that passes do not have.
    fn check_serial(&self) -> Result<(), PlanError> {
        let fault = |name, value, allowed: &str| PlanError::Range { name, value, allowed: allowed.into() };
        if self.serial && self.frames_in_flight != 1 {
            let allowed = "1, where nothing may run beside a pass";
            return Err(fault("frames in flight", self.frames_in_flight.to_string(), allowed));
        }
        if self.serial && matches!(self.stamping, Stamping::Off | Stamping::Bracket) {
            let allowed = "Attachments or TopBottom, where nothing may run beside a pass";
            return Err(fault("stamping", format!("{:?}", self.stamping), allowed));
        }
        Ok(())
    }
}

pub(crate) fn check_size(size: Size) -> Result<(), PlanError> {
    if size.width > 0 && size.height > 0 {
        return Ok(());
    }
    let allowed = "both sides at least 1".into();
    Err(PlanError::Range { name: "size", value: size.to_string(), allowed })
}

/// Each variant's whole set of switches: at least one, each once unless `twins` are wanted.
pub(crate) fn resolve_all(
    info: &SceneInfo,
    variants: &[Switches],
    twins: bool,
) -> Result<Vec<Switches>, PlanError> {
    if variants.is_empty() {
        let allowed = "at least one, which may be empty".into();
        return Err(PlanError::Range { name: "variants", value: "none".into(), allowed });
    }
    let whole = |asked| resolve(&info.name, &info.switches, asked);
    let sets: Vec<Switches> = variants.iter().map(whole).collect::<Result<_, _>>()?;
    if !twins {
        check_distinct(&sets)?;
    }
    Ok(sets)
}

fn check_distinct(sets: &[Switches]) -> Result<(), PlanError> {
    for (second, set) in sets.iter().enumerate() {
        if let Some(first) = sets[..second].iter().position(|other| other == set) {
            let switches = set.to_string();
            return Err(PlanError::SameVariant { first: first + 1, second: second + 1, switches });
        }
    }
    Ok(())
}

/// The order of runs, each a variant and a repeat: variants forth in even repeats and back in odd ones (A B B A), so
/// that a steady drift of the machine weighs on all variants alike over each two repeats.
#[must_use]
pub fn order(variants: usize, repeats: u32) -> Vec<(usize, u32)> {
    let mut runs = Vec::new();
    for repeat in 0..repeats {
        let forth = (0..variants).map(|variant| (variant, repeat));
        if repeat % 2 == 0 { runs.extend(forth) } else { runs.extend(forth.rev()) }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SwitchDef;

    fn show(variants: usize, repeats: u32) -> String {
        let name = |(variant, repeat): (usize, u32)| format!("{}{repeat}", ["A", "B", "C"][variant]);
        order(variants, repeats).into_iter().map(name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn variants_run_forth_and_back() {
        for (variants, repeats, expected) in [
            (1, 1, "A0"),
            (1, 3, "A0 A1 A2"),
            (2, 1, "A0 B0"),
            (2, 2, "A0 B0 B1 A1"),
            (2, 4, "A0 B0 B1 A1 A2 B2 B3 A3"),
            (3, 2, "A0 B0 C0 C1 B1 A1"),
            (0, 5, ""),
        ] {
            assert_eq!(show(variants, repeats), expected, "{variants} variants, {repeats} repeats");
        }
    }

    #[test]
    fn each_variant_stands_equally_early_over_two_repeats() {
        let runs = order(3, 4);
        let sum = |variant| -> usize {
            runs.iter().enumerate().filter(|(_, run)| run.0 == variant).map(|(place, _)| place).sum()
        };
        assert_eq!([sum(0), sum(1), sum(2)], [22; 3]);
    }

    fn check(change: impl FnOnce(&mut Plan)) -> String {
        check_path(600, change)
    }

    fn check_path(frames: u64, change: impl FnOnce(&mut Plan)) -> String {
        let mut info = SceneInfo { frames, ..SceneInfo::new("town", &["lit"]) };
        info.switches = vec![SwitchDef::on_off("culling", true, "leaves out what is not seen")];
        let mut plan = Plan::default();
        change(&mut plan);
        match plan.check(&info) {
            Ok(sets) => sets.iter().map(|set| format!("[{set}]")).collect(),
            Err(fault) => fault.to_string(),
        }
    }

    fn set(value: &str) -> Switches {
        Switches([("culling".to_owned(), value.to_owned())].into())
    }

    #[test]
    fn a_plan_out_of_range_is_refused_with_what_is_allowed() {
        insta::assert_snapshot!(check(|_| ()), @"[culling=on]");
        insta::assert_snapshot!(check(|plan| plan.variants = vec![set("on"), set("off")]), @"[culling=on][culling=off]");
        insta::assert_snapshot!(check(|plan| plan.frames = Some(601)), @"frames 601; allowed: 1 to 600, the path of scene `town`");
        insta::assert_snapshot!(check(|plan| plan.frames = Some(0)), @"frames 0; allowed: 1 to 600, the path of scene `town`");
        insta::assert_snapshot!(check_path(5_000_000, |_| ()), @"frames 5000000; allowed: 1 to 4194304, what a capture holds");
        insta::assert_snapshot!(check_path(5_000_000, |plan| plan.frames = Some(9)), @"[culling=on]");
        insta::assert_snapshot!(check(|plan| plan.size.width = 0), @"size 0x720; allowed: both sides at least 1");
        insta::assert_snapshot!(check(|plan| plan.repeats = 0), @"repeats 0; allowed: at least 1");
        insta::assert_snapshot!(check(|plan| plan.frames_in_flight = 17), @"frames in flight 17; allowed: 1 to 16");
        insta::assert_snapshot!(check(|plan| plan.serial = true), @"frames in flight 2; allowed: 1, where nothing may run beside a pass");
        let turns = |plan: &mut Plan, variants| {
            *plan = Plan { variants, interleave: Interleave::Frames, ..plan.clone() }
        };
        insta::assert_snapshot!(check(|plan| turns(plan, vec![set("on"), set("off")])), @"[culling=on][culling=off]");
        insta::assert_snapshot!(check(|plan| turns(plan, vec![set("on")])), @"variants 1; allowed: exactly 2, where frames take turns");
        insta::assert_snapshot!(check(|plan| turns(plan, vec![set("on"), set("off"), set("on")])), @"variants 3; allowed: exactly 2, where frames take turns");
        insta::assert_snapshot!(check(|plan| turns(plan, vec![set("on"), set("on")])), @"variants 1 and 2 have the same switches (culling=on); a variant stands once");
        insta::assert_snapshot!(check(|plan| {
            turns(plan, vec![set("on"), set("on")]);
            plan.twins = true;
        }), @"[culling=on][culling=on]");
        insta::assert_snapshot!(check(|plan| {
            turns(plan, vec![set("on"), set("off")]);
            *plan = Plan { serial: true, frames_in_flight: 1, ..plan.clone() };
        }), @"serial true; allowed: false, where frames take turns");
        insta::assert_snapshot!(check(|plan| *plan = Plan { serial: true, frames_in_flight: 1, stamping: Stamping::Off, ..plan.clone() }), @"stamping Off; allowed: Attachments or TopBottom, where nothing may run beside a pass");
        insta::assert_snapshot!(check(|plan| plan.variants.clear()), @"variants none; allowed: at least one, which may be empty");
        insta::assert_snapshot!(check(|plan| plan.variants = vec![set("on"), Switches::default()]), @"variants 1 and 2 have the same switches (culling=on); a variant stands once");
        insta::assert_snapshot!(check(|plan| plan.variants = vec![set("maybe")]), @"switch `culling` of scene `town` cannot be `maybe`; allowed: on, off");
    }
}
