//! Runs by hand and random series with a known truth, for the tests of the history, its study and its bench. In: values, or a
//! kind of noise with a seed. Out: runs as the history takes them.

#![allow(dead_code, unreachable_pub, reason = "each program uses its own part")]

use std::collections::BTreeMap;

use framecost::history::{Definition, HistoryReport, Options, Run, Series, Value, history};
use framecost::stats::{FigureId, Subject};
use framecost_sample::{
    AdapterClass, Better, Environment, Fact, Instrumentation, Key, Reading, Semantics, Size, Switches, Unit,
};

/// A millisecond in the unit of times.
pub const MS: f64 = 1e6;

pub fn key() -> Key {
    Key {
        benchmark: "framecost-scenes".into(),
        scene: "town".into(),
        switches: Switches(BTreeMap::from([("lit_load".into(), "1".into())])),
        adapter: "Test GPU".into(),
        adapter_class: AdapterClass::Discrete,
        backend: "vulkan".into(),
        size: Some(Size { width: 2560, height: 1440 }),
        settings_hash: "5e77".into(),
        instrumentation: Instrumentation("stamps".into()),
        frames_in_flight: Some(2),
    }
}

pub fn fact(name: &str, value: &str) -> Fact {
    let reading = Reading::Measured(value.to_owned());
    Fact { name: name.into(), before: reading.clone(), after: reading }
}

pub fn gpu_total() -> FigureId {
    FigureId { metric: "gpu_total".into(), subject: Subject::Frame }
}

pub fn time() -> Definition {
    Definition { unit: Unit::Nanos, better: Better::Lower, floor: 20e3 }
}

/// The moment so many minutes after the start of 2026, in a calendar of months of 28 days.
pub fn moment(minutes: usize) -> String {
    let (day, hour, minute) = (minutes / 1440, minutes / 60 % 24, minutes % 60);
    let (year, month) = (2026 + day / 336, 1 + day / 28 % 12);
    format!("{year}-{month:02}-{:02}T{hour:02}:{minute:02}:00Z", 1 + day % 28)
}

/// The revision of the i-th point.
pub fn revision(i: usize) -> String {
    format!("{:07x}", (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 36)
}

/// The i-th run: ten hours after the one before, of a revision of its own.
pub fn run(i: usize, value: f64) -> Run {
    Run {
        path: format!("out/{i}.framecost"),
        key: key(),
        semantics: [Semantics::BottomBottom].into(),
        asked: Vec::new(),
        started_at: Some(moment(600 * i)),
        environment: Environment { facts: vec![fact("driver", "1.0"), fact("revision", &revision(i))] },
        values: vec![Value { figure: gpu_total(), definition: Some(time()), reading: Ok(value) }],
    }
}

pub fn runs(values: &[f64]) -> Vec<Run> {
    values.iter().enumerate().map(|(i, value)| run(i, *value)).collect()
}

pub fn options() -> Options {
    Options { scene: "town".into(), ..Options::default() }
}

/// The history of one series of these values.
pub fn of(values: &[f64]) -> HistoryReport {
    history(&runs(values), &[], &options())
}

/// Noise of a kind that histories have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Noise {
    Normal,
    /// Student's t with three degrees of freedom.
    Heavy,
    /// Two levels ten of their own deviations apart, four in ten on the upper one.
    Bimodal,
    /// Each value resembles the one before by this correlation.
    Resembling(f64),
}

/// A stream of random numbers.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Between 0 and 1, neither of them.
    pub fn part(&mut self) -> f64 {
        ((self.next() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    /// By Box and Muller.
    pub fn normal(&mut self) -> f64 {
        (-2.0 * self.part().ln()).sqrt() * (std::f64::consts::TAU * self.part()).cos()
    }

    /// `n` values of that noise, with a standard deviation of 1.
    pub fn noise(&mut self, noise: Noise, n: usize) -> Vec<f64> {
        let mut before = self.normal();
        let mut one = || match noise {
            Noise::Normal => self.normal(),
            Noise::Heavy => {
                let squares: f64 = (0..3).map(|_| self.normal().powi(2)).sum();
                self.normal() / (squares / 3.0).sqrt() / 3f64.sqrt()
            }
            Noise::Bimodal => {
                let high = f64::from(u8::from(self.part() < 0.4));
                (high * 10.0 - 4.0 + self.normal()) / 5.0
            }
            Noise::Resembling(rho) => {
                before = rho * before + (1.0 - rho * rho).sqrt() * self.normal();
                before
            }
        };
        (0..n).map(|_| one()).collect()
    }
}

/// Frame times about 10 ms whose logarithm has that noise, a deviation being 3 %; `added` is in deviations.
pub fn times(noise: &[f64], added: impl Fn(usize) -> f64) -> Vec<f64> {
    noise.iter().enumerate().map(|(i, it)| 10.0 * MS * (0.03 * (it + added(i))).exp()).collect()
}

/// Frame times about 10 ms with noise of 0.3 %, times a factor that hangs on the place.
pub fn quiet(n: usize, factor: impl Fn(usize) -> f64) -> Vec<f64> {
    let noise = Random(42).noise(Noise::Normal, n);
    noise.iter().enumerate().map(|(i, it)| 10.0 * MS * (0.003 * it).exp() * factor(i)).collect()
}

pub fn step(at: usize, by: f64) -> impl Fn(usize) -> f64 {
    move |i| if i < at { 1.0 } else { 1.0 + by }
}

/// The same runs with other facts.
pub fn with_facts(runs: Vec<Run>, facts: impl Fn(usize) -> Vec<(&'static str, String)>) -> Vec<Run> {
    let with = |(i, run): (usize, Run)| {
        let mut all = vec![fact("revision", &revision(i))];
        all.extend(facts(i).iter().map(|(name, value)| fact(name, value)));
        Run { environment: Environment { facts: all }, ..run }
    };
    runs.into_iter().enumerate().map(with).collect()
}

pub fn only(report: &HistoryReport) -> &Series {
    assert_eq!(report.series.len(), 1, "one series");
    &report.series[0]
}
