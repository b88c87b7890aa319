//! Logs as other tools write them, of frames of known times. In: frame times. Out: a file's text, or its capture.

use std::fmt::Write as _;

use super::{Done, Place};

/// Frame times in microseconds around a mean, alike for alike numbers.
pub fn frames(mean: f64, count: u32, seed: u32) -> Vec<f64> {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 24)
    };
    (0..count).map(|_| (mean * (1.0 + 0.1 * (next() + next() - 1.0))).round()).collect()
}

/// A capture of so many seconds.
pub fn timed(mean: f64, seconds: f64, seed: u32) -> Vec<f64> {
    let mut left = seconds * 1e6;
    let all = frames(mean, 10_000, seed).into_iter();
    all.take_while(|time| {
        left -= time;
        left >= 0.0
    })
    .collect()
}

/// A MangoHud log of frames of these times, in microseconds.
pub fn mangohud(times: &[f64]) -> String {
    let mut text = "os,cpu,gpu,ram,kernel,driver,cpuscheduler\nDebian,CPU,GPU,1000,6.1,Mesa 22.3,\n\
        fps,frametime,cpu_load,gpu_load,elapsed\n"
        .to_owned();
    let mut elapsed = 1e9;
    for (i, time) in times.iter().enumerate() {
        elapsed += if i == 0 { 0.0 } else { time * 1e3 };
        let fps = if *time > 0.0 { 1e6 / time } else { 0.0 };
        writeln!(text, "{fps:.4},{time:.0},50,0,{elapsed:.0}").unwrap();
    }
    text
}

/// A PresentMon log of frames of these times, of which one in so many was never shown.
pub fn presentmon(times: &[f64], dropped_in: usize) -> String {
    let mut text =
        "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,Dropped,TimeInSeconds,\
        msInPresentAPI,msBetweenPresents,AllowsTearing,PresentMode,msUntilRenderComplete,msUntilDisplayed,\
        msBetweenDisplayChange,msUntilRenderStart,msGPUActive,msSinceInput\n"
            .replace("        ", "");
    let (mut at, mut hidden) = (0.0, 0.0);
    for (i, time) in times.iter().enumerate() {
        at += time / 1e6;
        hidden += time / 1e3;
        let dropped = i % dropped_in == dropped_in - 1;
        let shown = if dropped { "0,0".to_owned() } else { format!("20,{:.4}", std::mem::take(&mut hidden)) };
        writeln!(
            text,
            "game.exe,13456,0x1,DXGI,0,0,{},{at:.6},0.1,{:.4},0,Composed: Flip,1.5,{shown},-0.5,5,0",
            u8::from(dropped),
            time / 1e3
        )
        .unwrap();
    }
    text
}

/// A PresentMon 2 log in which each drawn frame is followed by one that `maker` made, if anybody did. So many milliseconds of a
/// frame pass in the present call.
pub fn presentmon_2(times: &[f64], maker: Option<&str>, in_present: f64) -> String {
    let mut text = "Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,\
        FrameType,TimeInSeconds,MsBetweenPresents,MsBetweenDisplayChange,MsInPresentAPI,MsRenderPresentLatency,\
        MsUntilDisplayed,CPUStartTime,MsBetweenAppStart,MsCPUBusy,MsCPUWait,MsGPULatency,MsGPUTime,MsGPUBusy,MsGPUWait,\
        MsAnimationError,AnimationTime,MsAllInputToPhotonLatency,MsClickToPhotonLatency\n"
        .replace("        ", "");
    let mut at = 0.0;
    for time in times {
        let ms = time / 1e3;
        let start = "game.exe,77,0x1,DXGI,0,512,1,Hardware: Independent Flip";
        let shown = if maker.is_some() { ms / 2.0 } else { ms };
        if let Some(maker) = maker {
            writeln!(
                text,
                "{start},{maker},{at:.6},NA,{shown:.4},NA,NA,20,{at:.6},NA,NA,NA,NA,NA,NA,NA,NA,NA,NA,NA"
            )
            .unwrap();
        }
        at += time / 1e6;
        let from = at - 0.008;
        writeln!(
            text,
            "{start},Application,{at:.6},{ms:.4},{shown:.4},{in_present:.4},8,20,{from:.6},{ms:.4},{:.4},0.2,1,{:.4},{:.4},1,NA,NA,NA,NA",
            ms - 0.2,
            ms - 1.0,
            ms - 2.0
        )
        .unwrap();
    }
    text
}

/// README names everything that gates of a log, and nothing that does not.
/// A log of PresentMon 2.2, whose frame time is from start to start: all but a fixed time of it is waiting.
pub fn presentmon_22(times: &[f64]) -> String {
    let mut text = "Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,\
        CPUStartTime,FrameTime,CPUBusy,CPUWait,GPULatency,GPUTime,GPUBusy,GPUWait,VideoBusy,DisplayLatency,DisplayedTime,\
        AnimationError,AllInputToPhotonLatency,ClickToPhotonLatency\n"
        .to_owned();
    let mut start = 0.0;
    for time in times {
        let (frame, wait) = (time / 1e3, time / 1e3 - 4.0);
        writeln!(
            text,
            "game.exe,1,0x1,DXGI,0,0,0,Composed: Flip,{start:.4},{frame:.4},4.0000,{wait:.4},1.0000,5.0000,5.0000,0.0000,0.0000,\
             9.0000,{frame:.4},0.0100,NA,NA"
        )
        .unwrap();
        start += frame;
    }
    text
}

/// Imports a log as `NAME.framecost`, and gives what the import said.
pub fn import(place: &Place, name: &str, text: &str) -> Done {
    place.write(&format!("{name}.csv"), text);
    let done = place.framecost(&format!("import {name}.csv --scene harbour --out ."));
    assert_eq!(done.code, 0, "{done:?}");
    done
}
