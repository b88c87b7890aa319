//! x
#![allow(warnings, missing_docs)]
#[path = "../tests/history_support/mod.rs"]
mod history_support;
use history_support::{Noise, Random, of, times};
fn main() {
    let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    for (name, noise, pts) in [
        ("n", Noise::Normal, 100),
        ("t", Noise::Heavy, 100),
        ("b", Noise::Bimodal, 100),
        ("ar5", Noise::Resembling(0.5), 100),
        ("ar5", Noise::Resembling(0.5), 50),
        ("ar5", Noise::Resembling(0.5), 30),
    ] {
        let mut r = Random(99 + pts as u64);
        let (mut s, mut d, mut si, mut any, mut st, mut b1) = (0, 0, 0, 0, 0, 0);
        for _ in 0..n {
            let x = r.noise(noise, pts);
            let h = of(&times(&x, |_| 0.0));
            let h = &h.series[0];
            s += u32::from(h.steps.len() == 1);
            st += u32::from(h.steps.len() > 1);
            d += u32::from(!h.drifts.is_empty());
            si += u32::from(h.since.is_some());
            b1 += u32::from(h.steps.iter().any(|s| s.block == 1));
            any += u32::from(!h.steps.is_empty() || !h.drifts.is_empty() || h.since.is_some());
        }
        let pc = |x: u32| 100.0 * x as f64 / n as f64;
        println!(
            "{name} {pts}: any {:.2} one step {:.2} more {:.2} b1 {:.2} drift {:.2} since {:.2}",
            pc(any),
            pc(s),
            pc(st),
            pc(b1),
            pc(d),
            pc(si)
        );
    }
}
