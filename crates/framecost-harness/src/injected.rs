//! Extra GPU work of any amount in anybody's scene: a known loss, to see whether it is found. In: a benchmark. Out: the same
//! with one more pass and one more switch, which says how much that pass does.

use std::sync::OnceLock;

use framecost_sample::Switches;

use crate::work::Work;
use crate::{Benchmark, Frame, FrameSamples, Gpu, Image, Scene, SceneError, SceneInfo, Setup, SwitchDef};

/// A benchmark with extra work behind each frame's own: rounds of integer arithmetic, one after the other, so that the time
/// grows by the same step for each round. With none the pass is there all the same and does nothing.
///
/// Its captures have a settings hash of their own: they are never compared with those of the scene as it is.
pub struct Injected<'a> {
    inner: &'a dyn Benchmark,
    info: OnceLock<SceneInfo>,
}

impl<'a> Injected<'a> {
    /// The switch and the pass.
    pub const NAME: &'static str = "injected_work";
    /// The most rounds that the switch allows.
    pub const MOST: u64 = 1 << 28;

    /// That benchmark with extra work.
    #[must_use]
    pub fn new(inner: &'a dyn Benchmark) -> Self {
        Self { inner, info: OnceLock::new() }
    }

    /// Those switches with so many rounds of extra work.
    #[must_use]
    pub fn switches(set: &Switches, rounds: u64) -> Switches {
        let mut set = set.clone();
        set.0.insert(Self::NAME.into(), rounds.to_string());
        set
    }
}

impl std::fmt::Debug for Injected<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Injected").field("info", &self.info()).finish_non_exhaustive()
    }
}

impl Benchmark for Injected<'_> {
    fn info(&self) -> SceneInfo {
        let info = self.info.get_or_init(|| {
            let mut info = self.inner.info();
            info.passes.push(Self::NAME.into());
            info.switches.push(SwitchDef::number(
                Self::NAME,
                0,
                0,
                Self::MOST,
                "rounds of extra work in each frame",
            ));
            info.settings.push_str(", with a pass of extra work");
            info
        });
        info.clone()
    }

    fn load(&self, gpu: &Gpu, setup: &Setup) -> Result<Box<dyn Scene>, SceneError> {
        let (rounds, own) = split(setup)?;
        let scene = self.inner.load(gpu, &own)?;
        let work = Work::new(gpu);
        work.set(rounds);
        Ok(Box::new(Loaded { scene, own, work }))
    }
}

/// The rounds, and what is the scene's own.
fn split(setup: &Setup) -> Result<(u32, Setup), SceneError> {
    let rounds = u32::try_from(setup.number(Injected::NAME)?)?;
    let mut own = setup.clone();
    own.switches.0.remove(Injected::NAME);
    Ok((rounds, own))
}

struct Loaded {
    scene: Box<dyn Scene>,
    own: Setup,
    work: Work,
}

impl Scene for Loaded {
    fn frame(&mut self, index: u64, frame: &mut Frame<'_>, samples: &mut FrameSamples<'_>) {
        self.scene.frame(index, frame, samples);
        let Some(pass) = frame.pass(Injected::NAME) else { return };
        let mut submission = frame.submission();
        submission.compute_pass(pass, |pass| self.work.record(pass));
        submission.submit();
    }

    /// Where only the amount of extra work changes, the scene's own state is that of any frame 0 drawn again.
    fn again(&mut self, setup: &Setup) -> Result<bool, SceneError> {
        let (rounds, own) = split(setup)?;
        let same = own.size == self.own.size && own.switches == self.own.switches;
        if same {
            self.work.set(rounds);
        }
        Ok(same)
    }

    fn finish(&mut self, samples: &mut FrameSamples<'_>) {
        self.scene.finish(samples);
    }

    fn simulate(&mut self, index: u64) {
        self.scene.simulate(index);
    }

    fn behind(&mut self, x: u32, y: u32) -> Vec<String> {
        self.scene.behind(x, y)
    }

    fn image(&mut self) -> Result<Image, SceneError> {
        self.scene.image()
    }
}
