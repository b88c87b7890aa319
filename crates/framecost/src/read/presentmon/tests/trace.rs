//! One trace of our own in the three outputs that PresentMon 2.x can write of it: the identities between columns, and that the
//! outputs are the same frames.

use super::{V1_9, V2_1, V2_3, cells, log, only};
use crate::read::Quantity;
use crate::read::log::{ClockKind, Column, Log, Role};

/// One trace of three frames as each output writes it: start, present, end of present, GPU start and end, showing, all in ms.
const TRACE: [[f64; 6]; 3] = [
    [0.0, 12.0, 12.5, 13.0, 15.0, 30.0],
    [12.5, 28.25, 29.0, 20.5, 29.75, 0.0],
    [29.0, 44.5, 44.75, 46.0, 48.5, 62.0],
];

/// The outputs of [`TRACE`]: default, v1 and v2 metrics. The GPU waits a quarter of its time.
fn outputs() -> [String; 3] {
    let ticks = |ms: f64| format!("{:.0}", 1e9 + ms * 1e4);
    let shown = |at: f64, since: f64| if at > 0.0 { format!("{:.4}", at - since) } else { "NA".into() };
    let (mut plain, mut v1, mut v2) =
        (V2_3.to_owned(), V1_9.to_owned(), V2_1.replace("CPUStartTime", "CPUStartQPC"));
    for (i, [start, present, end, gpu, ready, screen]) in TRACE.into_iter().enumerate() {
        let before = if i == 0 { present - 16.0 } else { TRACE[i - 1][1] };
        let (busy, wait, interval) = (present - start, end - present, present - before);
        let (time, gpu_busy, gpu_wait) = (ready - gpu, (ready - gpu) * 0.75, (ready - gpu) * 0.25);
        let frame = format!(
            "{:.4},{busy:.4},{wait:.4},{:.4},{time:.4},{gpu_busy:.4},{gpu_wait:.4},0.0000",
            busy + wait,
            gpu - start
        );
        let (change, animation) = if screen > 0.0 { ("32.0000", "0.5000") } else { ("NA", "NA") };
        plain.push_str(&format!(
            "a.exe,7,0xAB,DXGI,0,0,0,Other,Application,{},NA,{interval:.14},{change},{wait:.14},{:.14},{},NA,{},{frame},{animation},NA,NA,NA,NA\n",
            ticks(present), ready - present, shown(screen, present), ticks(start),
        ));
        v2.push_str(&format!(
            "a.exe,7,0xAB,DXGI,0,0,0,Other,{},{frame},{},{change},{animation},NA\n",
            ticks(start),
            shown(screen, start)
        ));
        let (dropped, until, change) = if screen > 0.0 { (0, screen - present, 32.0) } else { (1, 0.0, 0.0) };
        v1.push_str(&format!(
            "a.exe,7,0x00000000000000AB,DXGI,0,0,{dropped},{:.14},{wait:.14},{interval:.14},0,Other,{:.14},{until:.14},{change:.14},{:.14},{gpu_busy:.14},0.0,0.0,{}\n",
            present / 1e3, ready - present, gpu - present, ticks(present),
        ));
    }
    [plain, v1, v2]
}

#[test]
fn the_identities_hold_and_three_outputs_are_the_same_frames() {
    let [plain, v1, v2] = outputs().map(|text| log(&text));
    let value = |log: &Log, quantity: Quantity, row: usize| cells(log, quantity)[row].value();
    let same = |a: Option<f64>, b: Option<f64>, what: &str| match (a, b) {
        (Some(a), Some(b)) => assert!((a - b).abs() < 1e-9, "{what}: {a} against {b}"),
        _ => assert_eq!(a, b, "{what}"),
    };
    let sum = |a: Option<f64>, b: Option<f64>| Some(a? + b?);
    for row in 0..3 {
        for log in [&plain, &v2] {
            let of = |quantity| value(log, quantity, row);
            same(
                sum(of(Quantity::CpuBusy), of(Quantity::CpuWait)),
                of(Quantity::FrameInterval),
                "frame time",
            );
            same(sum(of(Quantity::GpuBusy), of(Quantity::GpuWait)), of(Quantity::GpuTime), "GPU time");
        }
        let (of, of_v1) = (|quantity| value(&plain, quantity, row), |quantity| value(&v1, quantity, row));
        let latency = sum(of(Quantity::CpuBusy), of(Quantity::UntilDisplayed));
        same(latency, value(&v2, Quantity::DisplayLatency, row), "display latency");
        let start = sum(of(Quantity::GpuLatency), of(Quantity::CpuBusy).map(|busy| -busy));
        same(start, of_v1(Quantity::UntilRenderStart), "render start");
        for quantity in [
            Quantity::UntilRenderComplete,
            Quantity::PresentedInterval,
            Quantity::InPresentApi,
            Quantity::UntilDisplayed,
            Quantity::GpuBusy,
        ] {
            same(of(quantity), of_v1(quantity), quantity.name());
        }
        let ticks = |log: &Log| {
            let counter = |column: &&Column| matches!(column.role, Role::PresentTime(ClockKind::Counter));
            let place = log.columns.iter().position(|column| counter(&column)).unwrap();
            only(log).cell(row, place).unwrap().value()
        };
        same(ticks(&plain), ticks(&v1), "time");
    }
    assert_eq!(
        [&plain, &v1, &v2].map(|log| (only(log).id.clone(), only(log).counts.dropped)),
        [0; 3].map(|_| (only(&plain).id.clone(), 1))
    );
}
