//! Clocks, power and heat of a GPU whose Linux driver tells them through sysfs (amdgpu, i915, xe).

use framecost_sample::{Reading, Reason};

use super::{Facts, file, scaled, text};

/// What is asked of every GPU.
pub(super) const NAMES: [&str; 6] =
    ["gpu clock", "gpu memory clock", "gpu power state", "gpu temperature", "gpu power", "gpu throttle"];

pub(super) fn moment(bus: &str) -> Facts {
    let values =
        if bus.is_empty() { [const { Reading::Missing(Reason::Unsupported) }; 6] } else { read(bus) };
    NAMES.into_iter().zip(values).collect()
}

fn read(bus: &str) -> [Reading<String>; 6] {
    let device = format!("/sys/bus/pci/devices/{}", bus.to_lowercase());
    let intel = ["gt_cur_freq_mhz", "device/tile0/gt0/freq0/cur_freq"]
        .map(|name| first_below(&format!("{device}/drm"), "card", name));
    let [i915, xe] = intel.map(|reading| reading.map(|mhz| format!("{mhz} MHz")));
    let hwmon = |name| first_below(&format!("{device}/hwmon"), "hwmon", name);
    [
        either(starred(file(&format!("{device}/pp_dpm_sclk"))), either(i915, xe)),
        starred(file(&format!("{device}/pp_dpm_mclk"))),
        file(&format!("{device}/power_dpm_force_performance_level")),
        scaled(hwmon("temp1_input"), 1e3, "C"),
        scaled(hwmon("power1_average"), 1e6, "W"),
        Reading::Missing(Reason::Unsupported),
    ]
}

fn either(first: Reading<String>, second: Reading<String>) -> Reading<String> {
    if first.measured().is_some() { first } else { second }
}

/// The file `name` in the first folder below `parent` whose name starts so.
fn first_below(parent: &str, start: &str, name: &str) -> Reading<String> {
    let Ok(entries) = std::fs::read_dir(parent) else { return Reading::Missing(Reason::Unsupported) };
    let mut folders: Vec<String> =
        entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    folders.retain(|folder| folder.starts_with(start));
    folders.sort();
    match folders.first() {
        Some(folder) => file(&format!("{parent}/{folder}/{name}")),
        None => Reading::Missing(Reason::Unsupported),
    }
}

/// amdgpu lists its steps and puts a star on the one in force: `1: 1800Mhz *`.
fn starred(list: Reading<String>) -> Reading<String> {
    let list = match list {
        Reading::Measured(list) => list,
        missing @ Reading::Missing(_) => return missing,
    };
    let line = list.lines().find_map(|line| line.trim_end().strip_suffix('*'));
    let value = line.and_then(|line| line.split_once(':'));
    value.map_or(Reading::Missing(Reason::NotAvailable), |(_, value)| text(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_in_force_is_the_starred_one() {
        let list = |text: &str| starred(Reading::Measured(text.to_owned()));
        assert_eq!(list("0: 500Mhz\n1: 1800Mhz *\n2: 2600Mhz\n"), Reading::Measured("1800Mhz".into()));
        assert_eq!(list("0: 500Mhz\n"), Reading::Missing(Reason::NotAvailable));
    }
}
