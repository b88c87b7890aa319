//! The picture protocol: do switches that must not change the picture leave it as it is? In: a benchmark, frames of its
//! path, variants. Out: each variant's picture of each frame, and where it differs from the first variant's.
//!
//! All variants are loaded at once on one device and drawn side by side, frame by frame. So a frame is drawn once for each
//! variant, no more than two pictures are held, none has to be kept elsewhere, and both scenes still stand at the frame when they
//! are asked what lies behind a pixel. The price is the memory of all scenes together, hence [`PicturePlan::MOST_VARIANTS`].
//!
//! Frame 0 is drawn, as in a run; then for each frame that is asked for the one before it and the frame itself. Frames between
//! those are left to [`Scene::simulate`].

use std::time::Duration;

use framecost_sample::{AdapterClass, Size, Switches};
use framecost_wgpu::{FrameTimer, Gpu, Oddities, Stamping, TimerOptions};

use crate::device::Device;
use crate::faults::Faults;
use crate::plan::{check_size, resolve_all};
use crate::remarks::remarks;
use crate::run::{open, timer};
use crate::samples::Table;
use crate::{Benchmark, Difference, FrameSamples, Image, PlanError, RunError, Scene, SceneInfo, Setup};

/// Which pictures are to be drawn.
#[derive(Clone, Debug)]
pub struct PicturePlan {
    /// Size of the pictures.
    pub size: Size,
    /// The frames, ascending.
    pub frames: Vec<u64>,
    /// Switches of each variant; the first is what the others are held against. What one leaves out has its default.
    pub variants: Vec<Switches>,
    /// Part of the adapter's name; none for the best one.
    pub adapter: Option<String>,
    /// Pixels of a picture that somebody lets differ. Refused on hardware, where pictures must match exactly.
    pub allowed_pixels: Option<u64>,
    /// How long a frame may take before all is given up.
    pub patience: Duration,
}

/// A picture that was drawn.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    /// Which of the plan's variants, from 0.
    pub variant: usize,
    /// Which frame.
    pub frame: u64,
    /// The picture.
    pub image: &'a Image,
    /// The first variant's picture of the same frame; none for that one itself.
    pub reference: Option<&'a Image>,
    /// Where the two differ; none where they are the same.
    pub apart: Option<Apart>,
}

/// Where a variant's picture differs from the first one's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apart {
    /// How.
    pub difference: Difference,
    /// What lies behind the first pixel that differs, nearest first, as the first variant's scene says.
    pub behind_reference: Vec<String>,
    /// The same as this variant's scene says.
    pub behind: Vec<String>,
}

/// Is told how the pictures go. `()` is one that hears nothing and never stops.
pub trait PictureObserver {
    /// The device is open, and so many frames are to come in all variants, drawn or simulated.
    fn opened(&mut self, gpu: &Gpu, frames: u64) {
        let _ = (gpu, frames);
    }

    /// Another frame is drawn or simulated.
    fn advanced(&mut self) {}

    /// A picture is there: by frame, then variant, the first variant before the others.
    fn picture(&mut self, picture: &Picture<'_>) {
        let _ = picture;
    }

    /// Asked before every frame: `true` ends it all.
    fn stop(&mut self) -> bool {
        false
    }
}

impl PictureObserver for () {}

impl PicturePlan {
    /// Variants that may be loaded at once.
    pub const MOST_VARIANTS: usize = 16;

    /// Checks the plan against a scene; each variant's whole set of switches.
    ///
    /// # Errors
    /// A size without pixels, no frame, frames that do not ascend or lie past the scene's path, a bad switch, no variant or
    /// too many, or one that stands twice.
    pub fn check(&self, info: &SceneInfo) -> Result<Vec<Switches>, PlanError> {
        check_size(self.size)?;
        let fault = |name, value: String, allowed: String| PlanError::Range { name, value, allowed };
        let path = format!("0 to {}, the path of scene `{}`", info.frames.saturating_sub(1), info.name);
        if self.frames.is_empty() {
            return Err(fault("frames", "none".into(), path));
        }
        if let Some(frame) = self.frames.iter().find(|&&frame| frame >= info.frames) {
            return Err(fault("frame", frame.to_string(), path));
        }
        if let Some(pair) = self.frames.windows(2).find(|pair| pair[0] >= pair[1]) {
            let value = format!("{} after {}", pair[1], pair[0]);
            return Err(fault("frame", value, "ascending frames, each once".into()));
        }
        if self.variants.len() > Self::MOST_VARIANTS {
            let allowed = format!("up to {}, since all are loaded at once", Self::MOST_VARIANTS);
            return Err(fault("variants", self.variants.len().to_string(), allowed));
        }
        resolve_all(info, &self.variants, false)
    }

    /// Frames of the path that are walked over, drawn or not.
    fn length(&self) -> u64 {
        self.frames.last().map_or(0, |last| last + 1)
    }

    /// Whether a frame is drawn, be it only for the next one's sake.
    fn draws(&self, index: u64) -> bool {
        let asked = |index: u64| self.frames.binary_search(&index).is_ok();
        index == 0 || asked(index) || index.checked_add(1).is_some_and(asked)
    }
}

/// Draws the pictures and hands each to the observer as soon as it is there.
///
/// # Errors
/// A plan that cannot be followed, an allowance on hardware, no device that fits, a scene that fails, that gives no picture
/// or one of another size, or that drew nothing; an observer that asked to stop.
pub fn pictures(
    benchmark: &dyn Benchmark,
    plan: &PicturePlan,
    observer: &mut dyn PictureObserver,
) -> Result<(), RunError> {
    let info = benchmark.info();
    let variants = plan.check(&info)?;
    let gpu = open(&info, plan.size, plan.adapter.clone())?;
    if plan.allowed_pixels.is_some() && gpu.adapter_class() != AdapterClass::Cpu {
        return Err(PlanError::Allowance { adapter: gpu.info.name }.into());
    }
    let faults = Faults::watch(&gpu.device);
    let device = Device { gpu: &gpu, faults: &faults, scene: &info.name, patience: plan.patience };
    observer.opened(&gpu, plan.length().saturating_mul(variants.len() as u64));
    let load = |switches: &Switches| Standing::load(benchmark, &info, device, plan, switches);
    let mut standing: Vec<Standing<'_>> = variants.iter().map(load).collect::<Result<_, _>>()?;
    for &frame in &plan.frames {
        for (variant, it) in standing.iter_mut().enumerate() {
            it.go_to(frame, variant, plan, observer)?;
        }
        let Some((first, others)) = standing.split_first_mut() else { break };
        let reference = first.image(frame, plan.size)?;
        let picture = Picture { variant: 0, frame, image: &reference, reference: None, apart: None };
        observer.picture(&picture);
        for (place, other) in others.iter_mut().enumerate() {
            let image = other.image(frame, plan.size)?;
            let apart = Difference::between(&reference, &image)
                .map(|difference| apart(difference, first, other, frame))
                .transpose()?;
            let variant = place + 1;
            let reference = Some(&reference);
            observer.picture(&Picture { variant, frame, image: &image, reference, apart });
        }
    }
    Ok(())
}

fn apart(
    difference: Difference,
    first: &mut Standing<'_>,
    other: &mut Standing<'_>,
    frame: u64,
) -> Result<Apart, RunError> {
    let behind_reference = first.behind(difference.first, frame)?;
    Ok(Apart { difference, behind_reference, behind: other.behind(difference.first, frame)? })
}

/// A variant's scene, somewhere on its path.
struct Standing<'a> {
    scene: Box<dyn Scene>,
    timer: FrameTimer,
    device: Device<'a>,
    info: &'a SceneInfo,
    /// The frame that comes next.
    next: u64,
}

impl<'a> Standing<'a> {
    fn load(
        benchmark: &dyn Benchmark,
        info: &'a SceneInfo,
        device: Device<'a>,
        plan: &PicturePlan,
        switches: &Switches,
    ) -> Result<Self, RunError> {
        let setup = Setup { size: plan.size, switches: switches.clone() };
        let loaded = device.call(|| "loading".into(), || benchmark.load(device.gpu, &setup))?;
        let scene = loaded.map_err(|source| RunError::Load { scene: info.name.clone(), source })?;
        device.complain(|| "loading".into())?;
        Ok(Self { scene, timer: unstamped(device.gpu, info)?, device, info, next: 0 })
    }

    /// Draws or simulates each frame up to that one.
    fn go_to(
        &mut self,
        frame: u64,
        variant: usize,
        plan: &PicturePlan,
        observer: &mut dyn PictureObserver,
    ) -> Result<(), RunError> {
        while self.next <= frame {
            let index = self.next;
            if observer.stop() {
                return Err(RunError::PicturesStopped { index, variant });
            }
            if plan.draws(index) {
                draw_frame(&self.device, &mut self.timer, &mut *self.scene, index)?;
                self.check_drawn(index)?;
            } else {
                let place = || format!("frame {index}, simulated");
                self.device.call(place, || self.scene.simulate(index))?;
                self.device.complain(place)?;
            }
            self.next += 1;
            observer.advanced();
        }
        Ok(())
    }

    /// Pictures of frames that drew nothing would be alike for that reason alone.
    fn check_drawn(&mut self, index: u64) -> Result<(), RunError> {
        let seen: Oddities = self.timer.take_oddities();
        match remarks(self.info, 1, seen).into_iter().next() {
            None => Ok(()),
            Some(odd) => Err(RunError::NotDrawn { scene: self.info.name.clone(), index, cause: odd.cause }),
        }
    }

    fn image(&mut self, index: u64, size: Size) -> Result<Image, RunError> {
        let image = image(&self.device, &mut *self.scene, index)?;
        let bytes = u64::from(size.width) * u64::from(size.height) * 4;
        if image.size == size && image.rgba.len() as u64 == bytes {
            return Ok(image);
        }
        let (given, length) = (image.size, image.rgba.len());
        let source = format!("it is {given} of {length} bytes; allowed: {size} of {bytes} bytes").into();
        Err(RunError::Picture { scene: self.info.name.clone(), index, source })
    }

    fn behind(&mut self, (x, y): (u32, u32), index: u64) -> Result<Vec<String>, RunError> {
        let place = || format!("what lies behind pixel {x}, {y} of frame {index}");
        let behind = self.device.call(place, || self.scene.behind(x, y))?;
        self.device.complain(place)?;
        Ok(behind)
    }
}

/// Draws one frame outside any run, unstamped, and waits for it: for pictures.
///
/// # Errors
/// The device refused, or the frame took longer than `patience`.
pub fn draw(
    gpu: &Gpu,
    info: &SceneInfo,
    scene: &mut dyn Scene,
    index: u64,
    patience: Duration,
) -> Result<(), RunError> {
    let device = Device { gpu, faults: &Faults::watch(&gpu.device), scene: &info.name, patience };
    draw_frame(&device, &mut unstamped(gpu, info)?, scene, index)
}

/// As [`draw`], and the picture that it drew.
///
/// # Errors
/// As for [`draw`]; or the scene offers no picture.
pub fn picture(
    gpu: &Gpu,
    info: &SceneInfo,
    scene: &mut dyn Scene,
    index: u64,
    patience: Duration,
) -> Result<Image, RunError> {
    draw(gpu, info, scene, index, patience)?;
    let device = Device { gpu, faults: &Faults::watch(&gpu.device), scene: &info.name, patience };
    image(&device, scene, index)
}

fn unstamped(gpu: &Gpu, info: &SceneInfo) -> Result<FrameTimer, RunError> {
    timer(
        gpu,
        info,
        &TimerOptions { stamping: Stamping::Off, frames_in_flight: 1, ..TimerOptions::default() },
    )
}

/// Draws a frame and waits for it.
fn draw_frame(
    device: &Device<'_>,
    timer: &mut FrameTimer,
    scene: &mut dyn Scene,
    index: u64,
) -> Result<(), RunError> {
    let mut nowhere = Table::new(Vec::new(), 0);
    let mut frame = timer.begin_frame(index);
    let place = || format!("frame {index}");
    let samples = &mut FrameSamples::new(&mut nowhere, None);
    device.call(place, || scene.frame(index, &mut frame, samples))?;
    frame.end();
    device.wait(None, &place())?;
    device.complain(place)
}

/// The picture of the frame that was just drawn.
fn image(device: &Device<'_>, scene: &mut dyn Scene, index: u64) -> Result<Image, RunError> {
    let place = || format!("the picture of frame {index}");
    let read = device.call(place, || scene.image())?;
    device.complain(place)?;
    read.map_err(|source| RunError::Picture { scene: device.scene.to_owned(), index, source })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(frames: &[u64], variants: usize) -> PicturePlan {
        PicturePlan {
            size: Size { width: 4, height: 4 },
            frames: frames.to_vec(),
            variants: vec![Switches::default(); variants],
            adapter: None,
            allowed_pixels: None,
            patience: Duration::from_secs(60),
        }
    }

    fn check(plan: &PicturePlan) -> String {
        let info = SceneInfo::new("town", &["lit"]);
        plan.check(&info).map_or_else(|fault| fault.to_string(), |sets| format!("{} sets", sets.len()))
    }

    #[test]
    fn frame_0_and_each_frame_with_the_one_before_it_are_drawn() {
        let drawn = |frames: &[u64]| {
            let plan = plan(frames, 1);
            (0..plan.length()).filter(|&index| plan.draws(index)).collect::<Vec<_>>()
        };
        assert_eq!(drawn(&[0]), [0]);
        assert_eq!(drawn(&[1]), [0, 1]);
        assert_eq!(drawn(&[5]), [0, 4, 5]);
        assert_eq!(drawn(&[5, 6, 9]), [0, 4, 5, 6, 8, 9]);
        assert!(plan(&[7], 1).draws(7) && !plan(&[7], 1).draws(u64::MAX));
    }

    #[test]
    fn a_plan_that_cannot_be_followed_is_refused_with_what_is_allowed() {
        insta::assert_snapshot!(check(&plan(&[0, 599], 1)), @"1 sets");
        insta::assert_snapshot!(check(&plan(&[0, 600], 1)), @"frame 600; allowed: 0 to 599, the path of scene `town`");
        insta::assert_snapshot!(check(&plan(&[], 1)), @"frames none; allowed: 0 to 599, the path of scene `town`");
        insta::assert_snapshot!(check(&plan(&[3, 3], 1)), @"frame 3 after 3; allowed: ascending frames, each once");
        insta::assert_snapshot!(check(&plan(&[9, 3], 1)), @"frame 3 after 9; allowed: ascending frames, each once");
        insta::assert_snapshot!(check(&plan(&[3], 0)), @"variants none; allowed: at least one, which may be empty");
        insta::assert_snapshot!(check(&plan(&[3], 17)), @"variants 17; allowed: up to 16, since all are loaded at once");
        insta::assert_snapshot!(check(&plan(&[3], 2)), @"variants 1 and 2 have the same switches (); a variant stands once");
        let flat = PicturePlan { size: Size { width: 4, height: 0 }, ..plan(&[3], 1) };
        insta::assert_snapshot!(check(&flat), @"size 4x0; allowed: both sides at least 1");
    }
}
