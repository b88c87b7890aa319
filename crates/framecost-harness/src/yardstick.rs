//! A scene of known work, for trying verdicts out in minutes: two passes of arithmetic and nothing to load. In: a number of
//! rounds. Out: a benchmark whose frames take as long as they do.

use crate::work::Work;
use crate::{Benchmark, Frame, FrameSamples, Gate, Gpu, Scene, SceneError, SceneInfo, Setup, SwitchDef};

/// Two passes of arithmetic, the second of which does twice what the first does. Along the path the work goes up and down by
/// a half, as that of a scene does: rounds over the frame's index are a triangle of 120 frames.
#[derive(Clone, Copy, Debug, Default)]
pub struct Yardstick;

impl Yardstick {
    /// The switch: rounds of the first pass in the frames with the least work.
    pub const ROUNDS: &'static str = "rounds";
    /// The most rounds that the switch allows.
    pub const MOST: u64 = 1 << 28;

    const PASSES: [&'static str; 2] = ["one_part", "two_parts"];
}

impl Benchmark for Yardstick {
    fn info(&self) -> SceneInfo {
        let [first, last] = Self::PASSES;
        SceneInfo {
            program: "framecost".into(),
            about: "two passes of arithmetic, for trying out what verdicts catch".into(),
            gates: vec![Gate::new("both", first, last)],
            switches: vec![SwitchDef::number(Self::ROUNDS, 1000, 1, Self::MOST, "how much a frame does")],
            ..SceneInfo::new("yardstick", &Self::PASSES)
        }
    }

    fn load(&self, gpu: &Gpu, setup: &Setup) -> Result<Box<dyn Scene>, SceneError> {
        let rounds = u32::try_from(setup.number(Self::ROUNDS)?)?;
        Ok(Box::new(Loaded { parts: [Work::new(gpu), Work::new(gpu)], rounds }))
    }
}

struct Loaded {
    parts: [Work; 2],
    rounds: u32,
}

impl Scene for Loaded {
    fn frame(&mut self, index: u64, frame: &mut Frame<'_>, _: &mut FrameSamples<'_>) {
        let [Some(first), Some(second)] = Yardstick::PASSES.map(|name| frame.pass(name)) else { return };
        let rounds = along(self.rounds, index);
        self.parts[0].set(rounds);
        self.parts[1].set(rounds.saturating_mul(2));
        let mut submission = frame.submission();
        submission.compute_pass(first, |pass| self.parts[0].record(pass));
        submission.compute_pass(second, |pass| self.parts[1].record(pass));
        submission.submit();
    }

    fn again(&mut self, setup: &Setup) -> Result<bool, SceneError> {
        self.rounds = u32::try_from(setup.number(Yardstick::ROUNDS)?)?;
        Ok(true)
    }
}

/// Rounds of a frame: up to half as many again in the middle of each 120 frames.
fn along(rounds: u32, index: u64) -> u32 {
    let place = index % 120;
    let rise = place.min(120 - place);
    let more = u64::from(rounds) * rise / 120;
    rounds.saturating_add(u32::try_from(more).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_goes_up_and_down_by_a_half() {
        assert_eq!(
            [0, 30, 60, 90, 119, 120].map(|index| along(1200, index)),
            [1200, 1500, 1800, 1500, 1210, 1200]
        );
        assert_eq!(along(u32::MAX, 60), u32::MAX);
    }
}
