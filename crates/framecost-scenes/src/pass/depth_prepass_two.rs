//! depth_prepass_two: a pass of depth alone over the second phase's draws.

use framecost_harness::SceneError;

use super::drawn::{DepthOnly, Phases};
use super::{Kit, Render};

pub(crate) fn make(kit: &Kit<'_>) -> Result<Box<dyn Render>, SceneError> {
    Ok(Box::new(DepthOnly::new(kit, Phases::Two)))
}
