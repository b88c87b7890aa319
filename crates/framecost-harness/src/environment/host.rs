//! Facts about the processor and the operating system. Linux says most of them; elsewhere they are unsupported.

use framecost_sample::{Reading, Reason};

use super::{Facts, file, refused, scaled, text};

const CPU: &str = "/sys/devices/system/cpu/cpu0/cpufreq";

/// What may change during a run.
pub(super) fn moment() -> Facts {
    let temperature = file("/sys/class/thermal/thermal_zone0/temp");
    vec![
        ("cpu governor", file(&format!("{CPU}/scaling_governor"))),
        ("cpu clock", hertz(file(&format!("{CPU}/scaling_cur_freq")))),
        ("cpu temperature", degrees(temperature)),
        ("load average", file("/proc/loadavg").map(|line| first_words(&line, 3))),
    ]
}

/// What does not change.
pub(super) fn fixed() -> Facts {
    let threads = std::thread::available_parallelism();
    let threads = match threads {
        Ok(count) => Reading::Measured(count.to_string()),
        Err(fault) => refused(&fault.to_string()),
    };
    vec![("cpu", cpu_model(file("/proc/cpuinfo"))), ("cpu threads", threads), ("os", os())]
}

fn os() -> Reading<String> {
    let name = file("/etc/os-release").map(|text| pretty_name(&text));
    let kernel = file("/proc/sys/kernel/osrelease");
    match (name, kernel) {
        (Reading::Measured(name), Reading::Measured(kernel)) => Reading::Measured(format!(
            "{name}, {} {kernel}, {}",
            std::env::consts::OS,
            std::env::consts::ARCH
        )),
        _ => text(&format!("{}, {}", std::env::consts::OS, std::env::consts::ARCH)),
    }
}

fn pretty_name(os_release: &str) -> String {
    let line = os_release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    line.map_or("an unnamed system", |name| name.trim_matches('"')).to_owned()
}

fn cpu_model(cpuinfo: Reading<String>) -> Reading<String> {
    let cpuinfo = match cpuinfo {
        Reading::Measured(cpuinfo) => cpuinfo,
        missing @ Reading::Missing(_) => return missing,
    };
    let model = cpuinfo.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == "model name").then(|| value.trim().to_owned())
    });
    model.map_or(Reading::Missing(Reason::Unsupported), Reading::Measured)
}

/// From the kernel's kilohertz.
fn hertz(reading: Reading<String>) -> Reading<String> {
    scaled(reading, 1000.0, "MHz")
}

/// From the kernel's thousandths.
fn degrees(reading: Reading<String>) -> Reading<String> {
    scaled(reading, 1000.0, "C")
}

fn first_words(line: &str, count: usize) -> String {
    line.split_whitespace().take(count).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_the_kernel_are_read() {
        assert_eq!(first_words("1.20 0.80 0.44 2/411 90210", 3), "1.20 0.80 0.44");
        assert_eq!(
            pretty_name("ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n"),
            "Debian GNU/Linux 12 (bookworm)"
        );
        let info = Reading::Measured("processor\t: 0\nmodel name\t: AMD EPYC\nflags: fpu".to_owned());
        assert_eq!(cpu_model(info), Reading::Measured("AMD EPYC".into()));
        assert_eq!(
            cpu_model(Reading::Measured("processor: 0".into())),
            Reading::Missing(Reason::Unsupported)
        );
        assert_eq!(hertz(Reading::Measured("2450000".into())), Reading::Measured("2450 MHz".into()));
        assert_eq!(degrees(Reading::Measured("hot".into())), refused("`hot` is no number"));
    }
}
