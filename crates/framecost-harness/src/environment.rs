//! The environment of a run, read before and after it. In: the device, files under /proc and /sys, nvidia-smi where the
//! adapter is one of NVIDIA's. Out: facts in a fixed order, each a reading or the reason why there is none.
//! The one place of this crate that reads files or starts a program; nothing is written anywhere.

mod host;
mod nvidia;
mod sysfs;

use framecost_sample::{Environment, Fact, Reading, Reason};
use framecost_wgpu::Gpu;

use crate::Plan;

/// A fact at one moment.
pub(crate) type Facts = Vec<(&'static str, Reading<String>)>;

/// PCI vendor of NVIDIA.
const NVIDIA: u32 = 0x10de;

/// All that can change during a run, as it stands now.
pub(crate) fn moment(gpu: &Gpu) -> Facts {
    let mut facts = gpu_moment(gpu);
    facts.extend(host::moment());
    facts
}

/// Clocks, power and heat of the GPU.
fn gpu_moment(gpu: &Gpu) -> Facts {
    let bus = gpu.info.device_pci_bus_id.as_str();
    if gpu.info.vendor == NVIDIA {
        return nvidia::moment(bus);
    }
    match gpu.info.device_type {
        wgpu::DeviceType::Cpu => {
            sysfs::NAMES.map(|name| (name, Reading::Missing(Reason::Unsupported))).to_vec()
        }
        _ => sysfs::moment(bus),
    }
}

/// Facts that the run alone knows.
#[derive(Debug)]
pub(crate) struct Fixed {
    pub(crate) stamping: &'static str,
    pub(crate) clock_step: Reading<String>,
    /// What else somebody knows: name and value.
    pub(crate) given: Vec<(String, String)>,
}

/// What the run's environment was. Facts that cannot change stand the same before and after.
pub(crate) fn environment(gpu: &Gpu, plan: &Plan, run: Fixed, before: Facts, after: Facts) -> Environment {
    let Fixed { stamping, clock_step, given } = run;
    let fixed = [
        ("adapter", text(&gpu.info.name)),
        ("driver", text(&format!("{} {}", gpu.info.driver, gpu.info.driver_info))),
        ("backend", text(&gpu.backend())),
        ("stamping", text(stamping)),
        ("gpu clock step", clock_step),
    ];
    let build = [
        ("build profile", text(if cfg!(debug_assertions) { "debug" } else { "release" })),
        (
            "revision",
            plan.revision.clone().map_or_else(|| refused("the caller gave none"), Reading::Measured),
        ),
    ];
    let same = |(name, reading): (&str, Reading<String>)| Fact {
        name: name.to_owned(),
        before: reading.clone(),
        after: reading,
    };
    let changing = before.into_iter().zip(after).map(|((name, before), (_, after))| Fact {
        name: name.to_owned(),
        before,
        after,
    });
    let given = given.iter().map(|(name, value)| same((name.as_str(), text(value))));
    let facts = fixed.into_iter().map(same).chain(changing).chain(host::fixed().into_iter().map(same));
    Environment { facts: facts.chain(build.into_iter().map(same)).chain(given).collect() }
}

fn text(value: &str) -> Reading<String> {
    match value.trim() {
        "" => Reading::Missing(Reason::Unsupported),
        some => Reading::Measured(some.to_owned()),
    }
}

fn refused(why: &str) -> Reading<String> {
    Reading::Missing(Reason::SourceRefused(why.into()))
}

/// What a small file holds, without its line end.
fn file(path: &str) -> Reading<String> {
    match std::fs::read_to_string(path) {
        Ok(content) => text(&content),
        Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => Reading::Missing(Reason::Unsupported),
        Err(fault) => refused(&format!("{path}: {fault}")),
    }
}

/// A number of the kernel's in a unit that people use.
fn scaled(reading: Reading<String>, by: f64, unit: &str) -> Reading<String> {
    match reading {
        Reading::Measured(value) => match value.parse::<f64>() {
            Ok(number) => Reading::Measured(format!("{:.0} {unit}", number / by)),
            Err(_) => refused(&format!("`{}` is no number", value.escape_debug())),
        },
        missing @ Reading::Missing(_) => missing,
    }
}
