//! Vendored packages: whether the files of others that stand in this repository are those that were published. In: npm and a
//! network. Out: a line per file, or which file is not the package's.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::steps::call;

/// The charts of the HTML report. npm checks the archive against the hash that the registry keeps of it.
const PACKAGE: &str = "echarts@6.1.0";
const ARCHIVE: &str = "echarts-6.1.0.tgz";
const HERE: &str = "crates/framecost/assets/echarts";
/// Each file here, and the same in the package.
const FILES: [(&str, &str); 4] = [
    ("echarts.min.js", "dist/echarts.min.js"),
    ("LICENSE", "LICENSE"),
    ("NOTICE", "NOTICE"),
    ("LICENSE-d3", "licenses/LICENSE-d3"),
];

/// Fetches the package into `target/vendor` and compares.
pub(crate) fn run(root: &Path) -> Result<()> {
    let folder = root.join("target/vendor");
    if folder.exists() {
        fs::remove_dir_all(&folder).context("cannot empty target/vendor")?;
    }
    fs::create_dir_all(&folder).context("cannot make target/vendor")?;
    call(Command::new("npm").current_dir(&folder).args(["pack", "--silent", PACKAGE])).with_context(
        || format!("npm could not fetch {PACKAGE}; it takes npm (`apt-get install npm`) and a network"),
    )?;
    call(Command::new("tar").current_dir(&folder).args(["-xzf", ARCHIVE]))?;
    compare(&root.join(HERE), &folder.join("package"))
}

/// Holds each file against the package's.
fn compare(here: &Path, package: &Path) -> Result<()> {
    let mut others = Vec::new();
    for (ours, theirs) in FILES {
        let read = |path: &Path| fs::read(path).with_context(|| format!("cannot read {}", path.display()));
        if read(&here.join(ours))? == read(&package.join(theirs))? {
            println!("    {HERE}/{ours} is {theirs} of {PACKAGE}");
        } else {
            others.push(ours);
        }
    }
    if !others.is_empty() {
        bail!("{} under {HERE} is not the file of {PACKAGE}", others.join(", "));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_the_packages_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let (here, package) = (folder.path().join("here"), folder.path().join("package"));
        for (ours, theirs) in FILES {
            for path in [here.join(ours), package.join(theirs)] {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, ours).unwrap();
            }
        }
        compare(&here, &package).unwrap();
        fs::write(here.join("NOTICE"), "another").unwrap();
        let fault = compare(&here, &package).unwrap_err().to_string();
        assert_eq!(fault, "NOTICE under crates/framecost/assets/echarts is not the file of echarts@6.1.0");
        fs::remove_file(here.join("LICENSE")).unwrap();
        assert!(compare(&here, &package).is_err());
    }
}
