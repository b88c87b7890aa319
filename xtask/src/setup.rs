//! Set-up: what framecost needs of the machine beyond Rust. In: a machine, perhaps bare. Out: a Vulkan loader and a
//! driver, software if need be, installed if they were absent; or a text that says what to do by hand.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::steps::call;

/// Where Vulkan loaders look for drivers on Linux.
const DRIVER_FOLDERS: [&str; 3] =
    ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d"];
/// Where Linux distributions keep libraries.
const LIBRARY_FOLDERS: [&str; 5] =
    ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib"];
/// Where Linux distributions keep Chromium.
const BROWSERS: [&str; 3] = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const LOADER: &str = "libvulkan.so.1";

/// Installs the Debian packages of whatever is missing, and says which.
pub(crate) fn vulkan() -> Result<()> {
    if !cfg!(target_os = "linux") {
        println!("    nothing to install: this system's own graphics API is used");
        return Ok(());
    }
    let missing = missing(has_loader(), has_driver());
    if missing.is_empty() {
        println!("    nothing to install: a Vulkan loader and a driver are here");
        return Ok(());
    }
    println!("    to install: {}", missing.join(", "));
    install(&missing).with_context(|| {
        format!(
            "a Vulkan loader and a driver are needed, and {} could not be installed; install them by hand (on other \
             systems than Debian the packages are called `vulkan-loader` and `mesa-vulkan-drivers` or alike)",
            missing.join(" and ")
        )
    })
}

/// Installs a browser for the tests of the HTML report, where there is none.
pub(crate) fn browser() -> Result<()> {
    if BROWSERS.iter().any(|browser| Path::new(browser).exists()) {
        println!("    nothing to install: a Chromium is here");
        return Ok(());
    }
    if !cfg!(target_os = "linux") {
        bail!("a Chromium is needed for the tests of the HTML report; install it, and name it in CHROME");
    }
    println!("    to install: chromium");
    install(&["chromium"]).context(
        "a Chromium is needed for the tests of the HTML report, and chromium could not be installed; install it by hand, or \
         leave these tests out with FRAMECOST_NO_BROWSER=allow",
    )
}

/// Installs the parts of the Rust toolchain that the checks call, where rustup manages it.
pub(crate) fn rust_parts(root: &Path) -> Result<()> {
    for (part, arguments) in [("rustfmt", ["fmt", "--version"]), ("clippy", ["clippy", "--version"])] {
        let there = crate::steps::cargo(root).args(arguments).output().is_ok_and(|out| out.status.success());
        if !there {
            println!("    to install: {part}");
            call(Command::new("rustup").current_dir(root).args(["component", "add", part]))
                .with_context(|| format!("`cargo {}` is needed; install {part} by hand", arguments[0]))?;
        }
    }
    Ok(())
}

/// Installs what reads traces back: Node, and what makes a Python environment.
pub(crate) fn trace_readers() -> Result<()> {
    let node = succeeds(Command::new("node").arg("--version"));
    let python = succeeds(Command::new("python3").args(["-c", "import ensurepip, venv"]));
    let wanted = [("nodejs", node), ("python3-venv", python)];
    let missing: Vec<&str> =
        wanted.into_iter().filter(|(_, there)| !there).map(|(package, _)| package).collect();
    if missing.is_empty() {
        return Ok(());
    }
    println!("    to install: {}", missing.join(", "));
    install(&missing).context("Node and Python 3 with its `venv` are needed; install them by hand")
}

/// The packages that supply what is not there.
fn missing(loader: bool, driver: bool) -> Vec<&'static str> {
    let wanted = [("libvulkan1", loader), ("mesa-vulkan-drivers", driver)];
    wanted.into_iter().filter(|(_, there)| !there).map(|(package, _)| package).collect()
}

fn has_loader() -> bool {
    LIBRARY_FOLDERS.iter().any(|folder| Path::new(folder).join(LOADER).exists())
}

fn has_driver() -> bool {
    let given = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].iter().any(|name| std::env::var_os(name).is_some());
    given || DRIVER_FOLDERS.iter().any(|folder| fs::read_dir(folder).is_ok_and(|mut it| it.next().is_some()))
}

fn install(packages: &[&str]) -> Result<()> {
    if !succeeds(Command::new("apt-get").arg("--version")) {
        bail!("there is no apt-get");
    }
    let root = Command::new("id").arg("-u").output().is_ok_and(|out| out.stdout.trim_ascii() == b"0");
    let sudo = !root && succeeds(Command::new("sudo").args(["--non-interactive", "true"]));
    if !root && !sudo {
        bail!("this is not root, and sudo is not there or asks for a password");
    }
    let apt = |arguments: &[&str]| {
        let mut command = Command::new(if sudo { "sudo" } else { "apt-get" });
        if sudo {
            command.args(["--non-interactive", "apt-get"]);
        }
        call(command.args(["--quiet", "--quiet"]).args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    // A bare system has no lists of packages yet.
    apt(&["update"]).context("the lists of packages could not be fetched; is there a network?")?;
    apt(&[["install", "--yes", "--no-install-recommends"].as_slice(), packages].concat())
}

fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|out| out.status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_missing_is_installed() {
        assert_eq!(missing(true, true), Vec::<&str>::new());
        assert_eq!(missing(true, false), ["mesa-vulkan-drivers"]);
        assert_eq!(missing(false, false), ["libvulkan1", "mesa-vulkan-drivers"]);
    }
}
