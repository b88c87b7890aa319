//! depth_prepass: a pass of depth alone over the first phase's draws, so that `lit` shades each sample once.

use framecost_harness::SceneError;

use super::drawn::{DepthOnly, Phases};
use super::{Kit, Render};

pub(crate) fn make(kit: &Kit<'_>) -> Result<Box<dyn Render>, SceneError> {
    Ok(Box::new(DepthOnly::new(kit, Phases::One)))
}
