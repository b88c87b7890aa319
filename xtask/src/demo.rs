//! The demo: from a clean checkout to the reference scene's report in one command.

use std::path::Path;

use anyhow::Result;

use crate::setup;
use crate::steps::Steps;

/// Sets up, builds, measures, reports.
pub(crate) fn run(root: &Path) -> Result<()> {
    let mut steps = Steps::new(root);
    steps.run("set up Vulkan", setup::vulkan)?;
    steps.cargo("build framecost", "build --release --package framecost-cli", &[])?;
    let bench = "run --release --quiet --package framecost-cli -- bench orrery --profile quick";
    // The report is the last thing on the screen, so no table of times follows.
    steps.cargo("measure the orrery", bench, &[])
}
