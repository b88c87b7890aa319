//! The frame: one list of passes, in the order in which they run. The only place where a pass is named; whoever adds one
//! writes its file under `pass/` and one entry here.

use framecost_harness::SceneError;

use crate::pass::{self, Compute, Kit, Render};
use crate::switches;

/// A timed pass.
#[derive(Clone, Copy, Debug)]
pub struct PassSpec {
    /// Its name in captures, switches and reports.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub about: &'static str,
    /// Passes with the same number go to the queue together. Numbers ascend along the list.
    pub submission: u32,
    /// The switch that takes its work out of the frame when it is off; none where the frame cannot do without it.
    pub without: Option<&'static str>,
    /// What it is and how it is made.
    pub work: Work,
}

/// What a pass is: how it is made for a scene and, if it draws, where to.
#[derive(Clone, Copy)]
pub enum Work {
    /// Dispatches.
    Compute(fn(&Kit<'_>) -> Result<Box<dyn Compute>, SceneError>),
    /// Draws.
    Render {
        /// Makes it.
        make: fn(&Kit<'_>) -> Result<Box<dyn Render>, SceneError>,
        /// Where its colour goes; none for a pass of depth alone.
        colour: Option<Colour>,
        /// What it does with the depth samples; none where it has no depth.
        depth: Option<Depth>,
    },
}

/// Where a pass's colour goes. It always starts from nothing: zero in every channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    /// The target.
    pub to: Target,
    /// Where its samples are averaged to at the end; they are then dropped.
    pub resolved: Option<Target>,
}

/// What a pass does with the depth samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Starts from infinity and keeps what it wrote.
    Lay,
    /// Adds to what an earlier pass laid.
    Add,
    /// Reads what earlier passes laid and writes nothing.
    Test,
}

/// The colour targets of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Linear light, four samples a pixel.
    LightSamples,
    /// Linear light, one value a pixel.
    Light,
}

/// The list.
pub static FRAME: &[PassSpec] = &[
    PassSpec {
        name: "bend",
        about: "shapes comet tails and planet rings, vertex by vertex",
        submission: 0,
        without: None,
        work: Work::Compute(pass::bend::make),
    },
    PassSpec {
        name: "blas_refit",
        about: "fits the boxes of the rays' tree over strips to how they are bent",
        submission: 0,
        without: None,
        work: Work::Compute(pass::blas_refit::make),
    },
    PassSpec {
        name: "dynamic_tlas_build",
        about: "builds the rays' tree over instances that move: boxes, codes along a curve, radix sort, radix tree",
        submission: 1,
        without: Some(switches::DYNAMIC_TLAS),
        work: Work::Compute(pass::dynamic_tlas_build::make),
    },
    PassSpec {
        name: "froxel",
        about: "lists, for each cell of the view's volume, the lights that reach into it",
        submission: 2,
        without: None,
        work: Work::Compute(pass::froxel::make),
    },
    PassSpec {
        name: "culling_one",
        about: "leaves out what is outside the view, puts off what the depth of the frame before hides, picks levels of \
                detail, fills the indirect draws",
        submission: 2,
        without: None,
        work: Work::Compute(pass::culling_one::make),
    },
    PassSpec {
        name: "depth_prepass",
        about: "lays down the depth of what culling_one left",
        submission: 2,
        without: None,
        work: Work::Render { make: pass::depth_prepass::make, colour: None, depth: Some(Depth::Lay) },
    },
    PassSpec {
        name: "depth_pyramid",
        about: "reduces the depth to the farthest of each square of pixels, level by level",
        submission: 2,
        without: None,
        work: Work::Compute(pass::depth_pyramid::make),
    },
    PassSpec {
        name: "culling_two",
        about: "tries what culling_one put off against this frame's own depth",
        submission: 2,
        without: None,
        work: Work::Compute(pass::culling_two::make),
    },
    PassSpec {
        name: "depth_prepass_two",
        about: "adds the depth of what culling_two found in sight",
        submission: 2,
        without: None,
        work: Work::Render { make: pass::depth_prepass_two::make, colour: None, depth: Some(Depth::Add) },
    },
    PassSpec {
        name: "shadow_mask",
        about: "traces a ray towards the light from every pixel",
        submission: 2,
        without: Some(switches::SHADOW_RAYS),
        work: Work::Compute(pass::shadow_mask::make),
    },
    PassSpec {
        name: "lit",
        about: "shades what is in front, four samples a pixel, at equal depth",
        submission: 2,
        without: None,
        work: Work::Render {
            make: pass::lit::make,
            colour: Some(Colour { to: Target::LightSamples, resolved: Some(Target::Light) }),
            depth: Some(Depth::Test),
        },
    },
    PassSpec {
        name: "tonemapping",
        about: "puts sky and glare behind the shaded light and maps it to the display",
        submission: 2,
        without: None,
        work: Work::Compute(pass::tonemapping::make),
    },
];

/// The gate over the main pass: from culling to the last pass that may close it.
pub const MAIN_PASS: (&str, &str, &str) = ("main_pass", "culling_one", "lit");

impl std::fmt::Debug for Work {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Compute(_) => f.write_str("Compute"),
            Self::Render { colour, depth, .. } => {
                f.debug_struct("Render").field("colour", colour).field("depth", depth).finish_non_exhaustive()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::MOST_PASSES;

    #[test]
    fn the_list_is_in_order_and_names_each_pass_once() {
        assert!(FRAME.len() <= MOST_PASSES, "{} passes, room for {MOST_PASSES} loads", FRAME.len());
        for (i, pass) in FRAME.iter().enumerate() {
            assert!(FRAME[..i].iter().all(|earlier| earlier.name != pass.name), "{} stands twice", pass.name);
            assert!(FRAME[..i].iter().all(|earlier| earlier.submission <= pass.submission), "{}", pass.name);
        }
        let (_, from, to) = MAIN_PASS;
        assert!([from, to].iter().all(|name| FRAME.iter().any(|pass| pass.name == *name)), "{MAIN_PASS:?}");
    }
}
