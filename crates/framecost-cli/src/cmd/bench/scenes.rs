//! `framecost bench --list`: the scenes, with what can be set and what is timed.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::Result;
use framecost_harness::{Benchmark, SceneInfo};
use serde::Serialize;

use crate::App;
use crate::args::{Format, ReportFormat};
use crate::exit::Exit;
use crate::output::clean;

#[derive(Serialize)]
struct Entries<'a> {
    framecost_scenes: u32,
    scenes: Vec<Entry<'a>>,
}

/// A scene as programs get it.
#[derive(Serialize)]
struct Entry<'a> {
    name: &'a str,
    about: &'a str,
    frames: u64,
    passes: &'a [String],
    /// By name: the pass that opens it, the last one that may close it.
    gates: BTreeMap<&'a str, [&'a str; 2]>,
    switches: BTreeMap<&'a str, Switch<'a>>,
}

#[derive(Serialize)]
struct Switch<'a> {
    default: &'a str,
    allowed: String,
    about: &'a str,
}

pub(super) fn list(scenes: &[&dyn Benchmark], format: ReportFormat, app: &App<'_>) -> Result<Exit> {
    let scenes: Vec<SceneInfo> = scenes.iter().map(|scene| scene.info()).collect();
    match format.get() {
        Format::Json => {
            app.out.print_json(&Entries {
                framecost_scenes: 1,
                scenes: scenes.iter().map(Entry::from).collect(),
            })?;
        }
        Format::Text | Format::Markdown => {
            app.out.print(&scenes.iter().map(describe).collect::<Vec<_>>().join("\n"))?;
        }
    }
    Ok(Exit::Passed)
}

impl<'a> From<&'a SceneInfo> for Entry<'a> {
    fn from(info: &'a SceneInfo) -> Self {
        let switch = |it: &'a framecost_harness::SwitchDef| {
            (
                it.name.as_str(),
                Switch { default: &it.default, allowed: it.allowed.to_string(), about: &it.about },
            )
        };
        Self {
            name: &info.name,
            about: &info.about,
            frames: info.frames,
            passes: &info.passes,
            gates: info
                .gates
                .iter()
                .map(|it| (it.name.as_str(), [it.from.as_str(), it.to.as_str()]))
                .collect(),
            switches: info.switches.iter().map(switch).collect(),
        }
    }
}

/// Names and sentences are those of the scene's author.
fn describe(info: &SceneInfo) -> String {
    // Writing to a `String` cannot fail.
    let mut text = format!("{}: {}\n", clean(&info.name), clean(&info.about));
    let passes = clean(&info.passes.join(", "));
    let _ = writeln!(text, "  a path of {} frames; passes: {passes}", info.frames);
    for gate in &info.gates {
        let (name, from, to) = (clean(&gate.name), clean(&gate.from), clean(&gate.to));
        let _ = writeln!(text, "  gate {name}: from {from} to {to}");
    }
    for switch in &info.switches {
        let (name, default, about) = (clean(&switch.name), clean(&switch.default), clean(&switch.about));
        let allowed = clean(&switch.allowed.to_string());
        let _ = writeln!(text, "  --set {name}={default}: {about} ({allowed})");
    }
    text
}
