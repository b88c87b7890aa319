//! Work of known size, stamped and held against wall time: the experiment behind `proof.rs`. In: a device and a way of
//! stamping. Out: a [`Trial`]. Nothing here waits without a limit.

use std::time::{Duration, Instant};

use framecost_sample::{Nanos, PassId, Reading, Reason, Stamp};

use crate::proof::{Method, Trial, TrialRow, Work, hopeless, judge, steady, step};
use crate::{FrameTimer, Gpu, Stamping, TimerOptions};

/// Longest wait for one submission.
const PATIENCE: Duration = Duration::from_secs(5);

/// Submissions that are tried, by how much render and how much compute work is in them.
const FRAMES: [Load; 9] = [
    Load { render: None, compute: Some(0) },
    Load { render: Some(0), compute: None },
    Load { render: None, compute: Some(1) },
    Load { render: None, compute: Some(2) },
    Load { render: None, compute: Some(4) },
    Load { render: Some(1), compute: None },
    Load { render: Some(2), compute: None },
    Load { render: Some(4), compute: None },
    Load { render: Some(2), compute: Some(2) },
];

/// At least and at most so many tries of each.
const TRIES: std::ops::RangeInclusive<usize> = 3..=9;

/// The passes of a frame of known work.
const COMPUTE: PassId = PassId(0);
const RENDER: PassId = PassId(1);

const SHADERS: &str = include_str!("known_work.wgsl");

/// Both kinds of work on one device.
#[derive(Debug)]
pub(crate) struct KnownWork<'g> {
    gpu: &'g Gpu,
    compute: Prepared<wgpu::ComputePipeline>,
    render: Prepared<wgpu::RenderPipeline>,
    target: wgpu::TextureView,
    groups: u32,
    /// What work of size 1 should take.
    unit: Duration,
    tolerance: f64,
    slack: Nanos,
    /// Whether the device does nothing else, so that sizes can be held against each other.
    undisturbed: bool,
}

/// How much of which work a submission has: none is no pass, 0 a pass without work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Load {
    render: Option<u32>,
    compute: Option<u32>,
}

/// What one submission came to, in nanoseconds.
#[derive(Clone, Debug)]
struct Outcome {
    compute: Result<f64, Reason>,
    render: Result<f64, Reason>,
    wall: f64,
}

/// Which of the two works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Compute,
    Render,
}

#[derive(Debug)]
struct Prepared<P> {
    pipeline: P,
    bindings: wgpu::BindGroup,
    /// Rounds of arithmetic that each invocation does.
    rounds: wgpu::Buffer,
}

impl<'g> KnownWork<'g> {
    /// Makes the work.
    ///
    /// # Errors
    /// The device cannot do it.
    pub(crate) fn new(gpu: &'g Gpu) -> Result<Self, String> {
        let software = gpu.info.device_type == wgpu::DeviceType::Cpu;
        // Enough invocations to fill the device several times over: a part of a wave would hide growth.
        let (groups, side) = if software { (64, 128) } else { (8192, 2048) };
        let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let shaders = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("framecost known work"),
            source: wgpu::ShaderSource::Wgsl(SHADERS.into()),
        });
        let work = Self {
            compute: compute_work(&gpu.device, &shaders),
            render: render_work(&gpu.device, &shaders),
            target: target(&gpu.device, side),
            gpu,
            groups,
            // Wall time holds some 0.1 ms of the host's own, which differs from try to try: far below the tolerance of this.
            unit: Duration::from_micros(if software { 5_000 } else { 12_000 }),
            tolerance: if software { 0.15 } else { 0.02 },
            slack: Nanos(if software { 0.0 } else { 0.4e6 }),
            undisturbed: !software,
        };
        if let Some(fault) = pollster::block_on(scope.pop()) {
            return Err(format!("the known work cannot be made: {fault}"));
        }
        Ok(work)
    }

    /// Fits the work to what the device does now, then tries one way of stamping until it is proven, hopeless, or out of
    /// tries.
    pub(crate) fn try_method(&self, method: Method) -> Trial {
        let started = Instant::now();
        if let Err(why) = self.fit(Kind::Render).and_then(|()| self.fit(Kind::Compute)) {
            return Trial::failed(method, why);
        }
        let stamping = if method.is_raw() { Stamping::TopBottom } else { Stamping::Attachments };
        let options = TimerOptions { stamping, frames_in_flight: 1, ..TimerOptions::default() };
        let mut timer = FrameTimer::with_method(self.gpu, &["compute", "render"], &options, Ok(method));
        let mut trial = Trial::failed(method, "nothing was tried".into());
        let mut stamps = Vec::new();
        let mut outcomes = vec![Vec::with_capacity(*TRIES.end()); FRAMES.len()];
        for tries in 1..=*TRIES.end() {
            for (outcomes, load) in outcomes.iter_mut().zip(FRAMES) {
                match self.try_load(&mut timer, load, &mut stamps) {
                    Ok(outcome) => outcomes.push(outcome),
                    Err(why) => {
                        trial.verdict = Err(why);
                        return trial;
                    }
                }
            }
            trial.tries = tries;
            if tries >= *TRIES.start() {
                trial.rows = self.rows(&outcomes);
                trial.verdict = judge(&trial.rows);
                if trial.proven() || hopeless(&trial.rows) {
                    break;
                }
            }
        }
        trial.step = step(stamps);
        trial.took = started.elapsed();
        trial
    }

    /// One submission, stamped and timed by the host.
    fn try_load(&self, timer: &mut FrameTimer, load: Load, stamps: &mut Vec<u64>) -> Result<Outcome, String> {
        let mut frame = timer.begin_frame(0);
        let mut submission = frame.submission();
        if let Some(size) = load.render {
            let attachments = [self.attachment()];
            let descriptor = render_pass_descriptor(&attachments);
            submission.render_pass(RENDER, &descriptor, |pass| self.draw(pass, size));
        }
        if let Some(size) = load.compute {
            submission.compute_pass(COMPUTE, |pass| self.dispatch(pass, size));
        }
        let started = Instant::now();
        let index = submission.submit();
        self.wait(index)?;
        let wall = started.elapsed().as_secs_f64() * 1e9;
        frame.end();
        let mut outcome =
            Outcome { compute: Err(Reason::NotAvailable), render: Err(Reason::NotAvailable), wall };
        timer.finish(PATIENCE, &mut |frame| {
            for row in frame.stamps {
                let time = self.time_of(row);
                *(if row.pass == RENDER { &mut outcome.render } else { &mut outcome.compute }) = time;
                let ticks = [&row.start, &row.end].into_iter().filter_map(Reading::measured);
                stamps.extend(ticks.map(|tick| tick.0 & self.gpu.support.clock.valid_bits.mask()));
            }
        });
        Ok(outcome)
    }

    fn time_of(&self, row: &Stamp) -> Result<f64, Reason> {
        let clock = &self.gpu.support.clock;
        let ticks = clock.valid_bits.elapsed(row.start.clone().ok()?, row.end.clone().ok()?)?;
        Ok(clock.period.nanos(ticks).0)
    }

    /// The figures to judge: for each submission those of its least disturbed try.
    fn rows(&self, outcomes: &[Vec<Outcome>]) -> Vec<TrialRow> {
        // Interruptions only add to a submission without work.
        let idle = |load| least(tries_of(outcomes, load).map(|outcome| outcome.wall));
        let idle_compute = idle(Load { render: None, compute: Some(0) });
        let idle_render = idle(Load { render: Some(0), compute: None });
        let row = |(outcomes, load): (&Vec<Outcome>, Load)| {
            let (work, size, idle) = match load {
                Load { render: None, compute } => (Work::Compute, compute.unwrap_or(0), idle_compute),
                Load { render: Some(size), compute: None } => (Work::Render, size, idle_render),
                Load { render: Some(size), compute: Some(_) } => (Work::Both, size, idle_render),
            };
            let tries = outcomes.iter().map(|outcome| (outcome.stamped(work), outcome.wall - idle));
            self.row(work, size, self.tolerance, tries)
        };
        let mut rows: Vec<TrialRow> =
            outcomes.iter().zip(FRAMES).filter(|(_, load)| load.has_work()).map(row).collect();
        rows.push(self.compute_after_render(outcomes));
        if self.undisturbed {
            let growth = [(Work::Compute, Work::ComputeGrowth), (Work::Render, Work::RenderGrowth)];
            let grown: Vec<TrialRow> =
                growth.iter().flat_map(|&(of, work)| self.growth(&rows, of, work)).collect();
            rows.extend(grown);
        }
        rows
    }

    /// Each larger size against so many times the smallest, all by their stamps.
    fn growth(&self, rows: &[TrialRow], of: Work, work: Work) -> Vec<TrialRow> {
        let mut sizes = rows.iter().filter(|row| row.work == of);
        let one = sizes.next().and_then(|row| row.stamped.measured()).map_or(0.0, |time| time.0);
        let row = |row: &TrialRow| TrialRow {
            work,
            due: Nanos(one * f64::from(row.size)),
            tolerance: self.tolerance,
            slack: Nanos(0.0),
            // Held against another figure, not try by try.
            agreeing: 0,
            steady: true,
            ..row.clone()
        };
        sizes.map(row).collect()
    }

    /// The compute pass behind a render pass, against the least that it took alone.
    fn compute_after_render(&self, outcomes: &[Vec<Outcome>]) -> TrialRow {
        let size = 2;
        let alone = tries_of(outcomes, Load { render: None, compute: Some(size) });
        let due = least(alone.filter_map(|outcome| outcome.compute.clone().ok()));
        let behind = tries_of(outcomes, Load { render: Some(size), compute: Some(size) });
        // Two submissions are compared, so that everything that disturbs either counts.
        let tolerance = (self.tolerance * 5.0).min(0.5);
        let tries = behind.map(|outcome| (outcome.compute.clone(), due));
        self.row(Work::ComputeAfterRender, size, tolerance, tries)
    }

    /// A figure from its tries, each what was stamped and what is due.
    fn row(
        &self,
        work: Work,
        size: u32,
        tolerance: f64,
        tries: impl Iterator<Item = (Result<f64, Reason>, f64)> + Clone,
    ) -> TrialRow {
        let (stamped, due) = least_disturbed(tries.clone());
        let row = TrialRow {
            work,
            size,
            stamped,
            due: Nanos(due),
            tolerance,
            slack: self.slack,
            agreeing: 0,
            steady: steady(tries.clone().map(|one| one.1)),
        };
        let whole = tries.filter_map(|(stamped, due)| Some((stamped.ok()?, due)));
        TrialRow { agreeing: row.agreeing(whole), ..row }
    }

    /// Sets the rounds of one kind of work so that size 1 takes about [`Self::unit`].
    fn fit(&self, kind: Kind) -> Result<(), String> {
        let mut rounds = 64;
        for _ in 0..10 {
            self.set_rounds(kind, rounds);
            let idle = self.time(kind, 0)?.min(self.time(kind, 0)?);
            let took = self.time(kind, 1)?.min(self.time(kind, 1)?).saturating_sub(idle);
            let ratio = self.unit.as_secs_f64() / took.as_secs_f64().max(1e-6);
            if (0.7..1.5).contains(&ratio) {
                break;
            }
            // What drowns in the cost of a submission says little: grow, but not by all that it seems to ask for.
            let most = if took < idle { 4.0 } else { 64.0 };
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "clamped to a small range"
            )]
            let fitted = (f64::from(rounds) * ratio.clamp(1.0 / 64.0, most)).clamp(1.0, 4e6) as u32;
            rounds = fitted;
        }
        self.set_rounds(kind, rounds);
        Ok(())
    }

    fn set_rounds(&self, kind: Kind, rounds: u32) {
        let buffer = match kind {
            Kind::Compute => &self.compute.rounds,
            Kind::Render => &self.render.rounds,
        };
        let mut bytes = [0; 16];
        bytes[..4].copy_from_slice(&rounds.to_le_bytes());
        self.gpu.queue.write_buffer(buffer, 0, &bytes);
    }

    /// Host time of unstamped work.
    fn time(&self, kind: Kind, size: u32) -> Result<Duration, String> {
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        match kind {
            Kind::Compute => {
                self.dispatch(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()), size);
            }
            Kind::Render => {
                let attachments = [self.attachment()];
                self.draw(&mut encoder.begin_render_pass(&render_pass_descriptor(&attachments)), size);
            }
        }
        let buffer = encoder.finish();
        let started = Instant::now();
        self.wait(self.gpu.queue.submit([buffer]))?;
        Ok(started.elapsed())
    }

    fn wait(&self, index: wgpu::SubmissionIndex) -> Result<(), String> {
        let poll = wgpu::PollType::Wait { submission_index: Some(index), timeout: Some(PATIENCE) };
        match self.gpu.device.poll(poll) {
            Ok(_) => Ok(()),
            Err(fault) => {
                Err(format!("known work did not complete within {} s: {fault}", PATIENCE.as_secs()))
            }
        }
    }

    fn dispatch(&self, pass: &mut wgpu::ComputePass<'_>, size: u32) {
        pass.set_pipeline(&self.compute.pipeline);
        pass.set_bind_group(0, &self.compute.bindings, &[]);
        for _ in 0..size {
            pass.dispatch_workgroups(self.groups, 1, 1);
        }
    }

    fn draw(&self, pass: &mut wgpu::RenderPass<'_>, size: u32) {
        pass.set_pipeline(&self.render.pipeline);
        pass.set_bind_group(0, &self.render.bindings, &[]);
        pass.draw(0..3, 0..size);
    }

    fn attachment(&self) -> Option<wgpu::RenderPassColorAttachment<'_>> {
        Some(wgpu::RenderPassColorAttachment {
            view: &self.target,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                store: wgpu::StoreOp::Store,
            },
        })
    }
}

impl Outcome {
    fn stamped(&self, work: Work) -> Result<f64, Reason> {
        match work {
            Work::Compute | Work::ComputeAfterRender | Work::ComputeGrowth => self.compute.clone(),
            Work::Render | Work::RenderGrowth => self.render.clone(),
            Work::Both => Ok(self.compute.clone()? + self.render.clone()?),
        }
    }
}

impl Load {
    fn has_work(self) -> bool {
        self.render.unwrap_or(0) + self.compute.unwrap_or(0) > 0
    }
}

/// The tries of that submission.
fn tries_of(outcomes: &[Vec<Outcome>], load: Load) -> impl Iterator<Item = &Outcome> + Clone {
    let place = FRAMES.iter().position(|one| *one == load);
    place.and_then(|place| outcomes.get(place)).into_iter().flatten()
}

fn least(values: impl Iterator<Item = f64>) -> f64 {
    values.reduce(f64::min).unwrap_or(0.0)
}

/// The try that two thirds of the others lie below, by the share of what is due that is stamped: a host that is
/// interrupted only makes what is due look longer, while stamps that leave work out do so in every try. One missing stamp
/// is one too many: it is not outvoted.
fn least_disturbed(tries: impl Iterator<Item = (Result<f64, Reason>, f64)>) -> (Reading<Nanos>, f64) {
    let mut whole = Vec::new();
    for (stamped, due) in tries {
        match stamped {
            Ok(stamped) => whole.push((stamped, due)),
            Err(reason) => return (Reading::Missing(reason), due),
        }
    }
    whole.sort_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)));
    match whole.get(whole.len() * 2 / 3) {
        Some(&(stamped, due)) => (Reading::Measured(Nanos(stamped)), due),
        None => (Reading::Missing(Reason::NotExecuted), 0.0),
    }
}

fn render_pass_descriptor<'a>(
    color_attachments: &'a [Option<wgpu::RenderPassColorAttachment<'a>>],
) -> wgpu::RenderPassDescriptor<'a> {
    wgpu::RenderPassDescriptor { color_attachments, ..Default::default() }
}

fn compute_work(device: &wgpu::Device, shaders: &wgpu::ShaderModule) -> Prepared<wgpu::ComputePipeline> {
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some("framecost known work"),
        layout: None,
        module: shaders,
        entry_point: Some("compute"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let rounds = uniform(device);
    let results = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("framecost known work"),
        size: 1 << 16,
        usage: wgpu::BufferUsages::STORAGE,
        mapped_at_creation: false,
    });
    let bindings = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("framecost known work"),
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: rounds.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: results.as_entire_binding() },
        ],
    });
    Prepared { pipeline, bindings, rounds }
}

fn render_work(device: &wgpu::Device, shaders: &wgpu::ShaderModule) -> Prepared<wgpu::RenderPipeline> {
    let blended = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::One,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Add,
    };
    let targets = [Some(wgpu::ColorTargetState {
        format: wgpu::TextureFormat::R8Unorm,
        // What is blended must be shaded: tiling GPUs leave out what later draws cover.
        blend: Some(wgpu::BlendState { color: blended, alpha: blended }),
        write_mask: wgpu::ColorWrites::ALL,
    })];
    let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("framecost known work"),
        layout: None,
        vertex: wgpu::VertexState {
            module: shaders,
            entry_point: Some("corner"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: shaders,
            entry_point: Some("shade"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &targets,
        }),
        multiview_mask: None,
        cache: None,
    });
    let rounds = uniform(device);
    let bindings = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("framecost known work"),
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[wgpu::BindGroupEntry { binding: 0, resource: rounds.as_entire_binding() }],
    });
    Prepared { pipeline, bindings, rounds }
}

fn uniform(device: &wgpu::Device) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("framecost known work"),
        size: 16,
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

fn target(device: &wgpu::Device, side: u32) -> wgpu::TextureView {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("framecost known work"),
        size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::R8Unorm,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}
