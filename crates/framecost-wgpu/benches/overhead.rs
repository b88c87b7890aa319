//! What stamping costs the host: a frame of twelve passes on wgpu's noop backend, untimed, with bare pass attachments,
//! with framecost and with wgpu-profiler, in interleaved rounds of one process.
//!
//! `cargo bench -p framecost-wgpu --bench overhead` prints a table: medians over the rounds, and allocations a frame.

use std::time::Instant;

use framecost_probe::alloc::{AllocCounts, CountingAlloc, set_counting};
use framecost_wgpu::{FrameTimer, Stamping, TimerOptions};
use noop::{Noop, PASSES, drawn};
use wgpu_profiler::{GpuProfiler, GpuProfilerSettings};

#[path = "../tests/noop/mod.rs"]
mod noop;

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

/// Frames of a round, and rounds.
const FRAMES: u32 = 256;
const ROUNDS: usize = 101;

/// One way to record the frame.
struct Case<'a> {
    name: &'static str,
    frame: Box<dyn FnMut() + 'a>,
    /// Microseconds a frame, by round.
    times: Vec<f64>,
    allocations: f64,
}

#[allow(clippy::print_stdout, reason = "a benchmark prints its result")]
fn main() {
    for (title, shape) in [("twelve compute passes", noop::COMPUTE), ("a renderer's passes", noop::RENDERER)]
    {
        let noop = Noop::open(shape);
        let mut cases = cases(&noop);
        measure(&mut cases);
        let untimed = cases[0].median();
        let profiler =
            cases.iter().find(|case| case.name == PROFILER).map_or(f64::NAN, Case::median) - untimed;
        println!(
            "{title:<44} {:>9} {:>13} {:>6} {:>12}",
            "us/frame", "added us/pass", "share", "allocations"
        );
        for case in &cases {
            let added = case.median() - untimed;
            let (name, frame, allocations) = (case.name, case.median(), case.allocations);
            let (per_pass, share) = (added / PASSES.len() as f64, added / profiler);
            println!("  {name:<42} {frame:>9.2} {per_pass:>13.3} {share:>6.3} {allocations:>12.2}");
        }
    }
}

/// Rounds of all cases in turn, so that whatever disturbs the machine disturbs them alike.
fn measure(cases: &mut [Case<'_>]) {
    // Counting takes time itself.
    set_counting(false);
    for round in 0..=ROUNDS {
        for case in &mut *cases {
            let time = case.round();
            if round > 0 {
                case.times.push(time);
            }
        }
    }
    set_counting(true);
    cases.iter_mut().for_each(Case::count);
}

const PROFILER: &str = "wgpu-profiler, a scope for each pass";

fn cases(noop: &Noop) -> Vec<Case<'_>> {
    let timer =
        |stamping| noop.timer(&TimerOptions { stamping, frames_in_flight: 2, ..TimerOptions::default() });
    vec![
        Case::new("untimed", move || noop.plain(false)),
        Case::new("bare attachments, never read", move || noop.plain(true)),
        Case::new("bare attachments, read by hand each frame", move || {
            noop.plain(true);
            noop.read_by_hand();
        }),
        framecost_case("framecost, off", noop, timer(Stamping::Off)),
        framecost_case("framecost, passes", noop, timer(Stamping::Attachments)),
        profiler_case("wgpu-profiler, a query for each pass", noop, profiled_by_query),
        profiler_case(PROFILER, noop, profiled_by_scope),
    ]
}

fn framecost_case<'a>(name: &'static str, noop: &'a Noop, mut timer: FrameTimer) -> Case<'a> {
    let (mut index, mut seen) = (0, 0);
    Case::new(name, move || {
        noop.framecost(&mut timer, index, &mut seen);
        index += 1;
    })
}

fn profiler_case<'a>(
    name: &'static str,
    noop: &'a Noop,
    record: fn(&Noop, &GpuProfiler, &mut wgpu::CommandEncoder),
) -> Case<'a> {
    let device = &noop.gpu.device;
    let mut profiler = GpuProfiler::new(device, GpuProfilerSettings::default()).expect("default settings");
    Case::new(name, move || {
        let mut encoder = noop.encoder();
        record(noop, &profiler, &mut encoder);
        profiler.resolve_queries(&mut encoder);
        noop.gpu.queue.submit([encoder.finish()]);
        profiler.end_frame().expect("every query is closed");
        let _ = device.poll(wgpu::PollType::Poll);
        let _ = profiler.process_finished_frame(noop.gpu.queue.get_timestamp_period());
    })
}

/// The least that wgpu-profiler offers: a query handed to each pass.
fn profiled_by_query(noop: &Noop, profiler: &GpuProfiler, encoder: &mut wgpu::CommandEncoder) {
    for (name, draws) in noop.draws() {
        let query = profiler.begin_pass_query(name, encoder);
        if draws {
            let attachments = noop.attachments();
            let timestamp_writes = query.render_pass_timestamp_writes();
            encoder
                .begin_render_pass(&wgpu::RenderPassDescriptor { timestamp_writes, ..drawn(&attachments) });
        } else {
            let timestamp_writes = query.compute_pass_timestamp_writes();
            encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: None, timestamp_writes });
        }
        profiler.end_query(encoder, query);
    }
}

/// As its README shows it: a scope on the encoder, and a pass scoped within.
fn profiled_by_scope(noop: &Noop, profiler: &GpuProfiler, encoder: &mut wgpu::CommandEncoder) {
    for (name, draws) in noop.draws() {
        let mut scope = profiler.scope(name, encoder);
        if draws {
            scope.scoped_render_pass(name, drawn(&noop.attachments()));
        } else {
            scope.scoped_compute_pass(name);
        }
    }
}

impl<'a> Case<'a> {
    fn new(name: &'static str, frame: impl FnMut() + 'a) -> Self {
        Self { name, frame: Box::new(frame), times: Vec::new(), allocations: 0.0 }
    }

    /// One round; its microseconds a frame.
    fn round(&mut self) -> f64 {
        let started = Instant::now();
        for _ in 0..FRAMES {
            (self.frame)();
        }
        started.elapsed().as_secs_f64() * 1e6 / f64::from(FRAMES)
    }

    /// Allocations a frame, over whole batches.
    fn count(&mut self) {
        let before = AllocCounts::of_thread();
        for _ in 0..1024 {
            (self.frame)();
        }
        self.allocations = AllocCounts::of_thread().since(before).allocations as f64 / 1024.0;
    }

    fn median(&self) -> f64 {
        let mut times = self.times.clone();
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
    }
}
