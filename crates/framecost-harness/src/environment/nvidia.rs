//! Clocks, power and heat of an NVIDIA GPU, from the nvidia-smi that its driver installs.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use framecost_sample::Reading;

use super::{Facts, refused, sysfs::NAMES, text};

/// The columns that answer [`NAMES`], in their order.
const QUERY: &str = "clocks.gr,clocks.mem,pstate,temperature.gpu,power.draw,clocks_throttle_reasons.active";

/// It answers in a second; a driver in trouble may never.
const PATIENCE: Duration = Duration::from_secs(10);

pub(super) fn moment(bus: &str) -> Facts {
    match ask(bus) {
        Ok(answer) => facts(&answer),
        Err(why) => NAMES.map(|name| (name, refused(&format!("nvidia-smi: {why}")))).to_vec(),
    }
}

fn facts(answer: &str) -> Facts {
    let mut fields = answer.trim().split(", ");
    let mut facts =
        NAMES.map(|name| (name, fields.next().map_or_else(|| refused("nvidia-smi: no such column"), field)));
    // The one column that comes without its unit.
    let (_, temperature) = &mut facts[3];
    *temperature = temperature.clone().map(|degrees| format!("{degrees} C"));
    facts.to_vec()
}

/// `[N/A]` and the like are its words for what the board does not measure.
fn field(value: &str) -> Reading<String> {
    if value.starts_with('[') { refused(&format!("nvidia-smi: {value}")) } else { text(value) }
}

/// One line of values. Several GPUs may be there: the bus address tells which; without one there must be only one.
fn ask(bus: &str) -> Result<String, String> {
    let mut command = Command::new("nvidia-smi");
    command.args([&format!("--query-gpu={QUERY}"), "--format=csv,noheader"]);
    if !bus.is_empty() {
        command.arg(format!("--id={bus}"));
    }
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|fault| fault.to_string())?;
    let end = Instant::now() + PATIENCE;
    while child.try_wait().map_err(|fault| fault.to_string())?.is_none() {
        if Instant::now() > end {
            // It may be past killing; either way nobody waits for it.
            let _ = child.kill();
            return Err(format!("no answer in {} s", PATIENCE.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().map_err(|fault| fault.to_string())?;
    let answer = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        return Err(format!("{}: {}", output.status, answer.trim()));
    }
    match answer.lines().count() {
        1 => Ok(answer),
        lines => Err(format!("{lines} GPUs answered where one was asked")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_becomes_facts_and_gaps() {
        let facts = facts("1980 MHz, 2619 MHz, P0, 31, [N/A]\n");
        let shown: Vec<String> = facts
            .iter()
            .map(|(name, reading)| match reading {
                Reading::Measured(value) => format!("{name}: {value}"),
                Reading::Missing(reason) => format!("{name}: ({reason})"),
            })
            .collect();
        insta::assert_snapshot!(shown.join("\n"), @r"
        gpu clock: 1980 MHz
        gpu memory clock: 2619 MHz
        gpu power state: P0
        gpu temperature: 31 C
        gpu power: (source refused: nvidia-smi: [N/A])
        gpu throttle: (source refused: nvidia-smi: no such column)
        ");
    }
}
