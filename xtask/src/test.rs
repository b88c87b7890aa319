//! Every check of this repository, as CI runs them. In: a clean checkout. Out: the name and time of each step.

use std::path::Path;

use anyhow::Result;

use crate::steps::Steps;
use crate::{perfetto, setup, tidy};

/// The checks, the quick ones first.
pub(crate) fn run(root: &Path) -> Result<()> {
    let mut steps = Steps::new(root);
    steps.run("set up Vulkan", setup::vulkan)?;
    steps.run("set up a browser", setup::browser)?;
    steps.run("set up Rust", || setup::rust_parts(root))?;
    steps.run("tidy", || tidy::run(root))?;
    steps.cargo("format", "fmt --all --check", &[])?;
    steps.cargo("clippy", "clippy --workspace --all-targets --quiet -- --deny warnings", &[])?;
    let deny = [("RUSTDOCFLAGS", "--deny warnings")];
    steps.cargo("documentation", "doc --workspace --no-deps --quiet", &deny)?;
    steps.cargo("tests", "test --workspace --quiet", &[])?;
    // A renderer of somebody's own, measured as its author would; in the profile of the tests, which is built by now.
    let own = "bench --profile dev --quiet --package own-scene --bench frame -- \
               bench --frames 30 --size 64x64 --out ../../target/own-scene";
    // Mesa's layer that asks a desktop for the preferred device complains where there is no desktop.
    steps.cargo("a scene of one's own", own, &[("NODEVICE_SELECT", "1")])?;
    steps.run("traces as Perfetto reads them", || perfetto::check(root))?;
    steps.close();
    Ok(())
}
