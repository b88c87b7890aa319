//! Executes the frame's list on a device: the one place that opens a pass. In: a world, switches, a frame's index.
//! Out: passes recorded through the timer, submitted as the list says, and what the frame drew as samples.

use framecost_harness::{Frame, FrameSamples, Gpu, Image, Scene, SceneError, Setup, Submission};
use framecost_sample::PassId;

use crate::buffers::Buffers;
use crate::counts::Counts;
use crate::cpu;
use crate::frame::{Colour, Depth, FRAME, PassSpec, Work};
use crate::image;
use crate::pass::{Compute, Kit, Render};
use crate::pictures::Pictures;
use crate::rays::Rays;
use crate::scene::{Camera, Content, Moment, World};
use crate::switches;
use crate::targets::Targets;
use crate::view::{Fixed, MOST_PASSES, Settings, View};

/// A world on a device, ready to draw.
pub struct Engine<'w> {
    world: &'w dyn World,
    settings: Settings,
    device: wgpu::Device,
    queue: wgpu::Queue,
    pub(crate) buffers: Buffers,
    pub(crate) targets: Targets,
    passes: Vec<Made>,
    counts: Counts,
    fixed: Fixed,
    /// The frame whose depth the pyramid holds, and its camera.
    drawn: Option<(u64, Camera)>,
    /// What the passes of that frame saw.
    pub(crate) view: Option<View>,
    /// Passes of the list that a frame runs: all of them, but where a test looks at what some leave behind.
    pub(crate) until: usize,
}

/// A pass of the list, made.
enum Made {
    Compute(Box<dyn Compute>),
    Render { work: Box<dyn Render>, colour: Option<Colour>, depth: Option<Depth> },
}

impl<'w> Engine<'w> {
    /// Makes everything that is made once.
    ///
    /// # Errors
    /// A switch that the scene did not declare, or content that the device cannot hold.
    pub fn new(gpu: &Gpu, world: &'w dyn World, setup: &Setup) -> Result<Self, SceneError> {
        let settings = settings(setup)?;
        let content = world.content();
        let buffers = Buffers::new(gpu, content, &world.moment(0), settings.size)?;
        let pictures = Pictures::new(gpu, &content.textures)?;
        let targets = Targets::new(&gpu.device, settings.size);
        let make = |(place, spec): (usize, &PassSpec)| {
            let kit = Kit {
                device: &gpu.device,
                buffers: &buffers,
                targets: &targets,
                pictures: &pictures,
                content,
                looks: world.shader(),
                lighting: world.lighting(),
                place,
                name: spec.name,
                load: settings.loads[place],
            };
            Ok(match spec.work {
                Work::Compute(make) => Made::Compute(make(&kit)?),
                Work::Render { make, colour, depth } => Made::Render { work: make(&kit)?, colour, depth },
            })
        };
        let passes = FRAME.iter().enumerate().map(make).collect::<Result<_, SceneError>>()?;
        let counts = Counts::new(&gpu.device, &buffers.layout, content.strip_indices.len());
        let (device, queue) = (gpu.device.clone(), gpu.queue.clone());
        let fixed = fixed(content, &buffers.rays);
        Ok(Self {
            world,
            settings,
            device,
            queue,
            buffers,
            targets,
            passes,
            counts,
            fixed,
            drawn: None,
            view: None,
            until: FRAME.len(),
        })
    }

    /// What the passes see at `index` if it is drawn next.
    #[must_use]
    pub fn view(&self, index: u64) -> View {
        self.view_of(index, &self.world.moment(index))
    }

    fn view_of(&self, index: u64, moment: &Moment) -> View {
        let before = self.drawn.as_ref().filter(|(drawn, _)| drawn.checked_add(1) == Some(index));
        View::new(moment, before.map(|(_, camera)| camera), &self.fixed, &self.settings)
    }

    fn record(&self, submission: &mut Submission<'_>, place: usize, id: PassId) {
        match &self.passes[place] {
            Made::Compute(work) => submission.compute_pass(id, |pass| work.record(pass)),
            Made::Render { work, colour, depth } => {
                let colour = colour.map(|colour| self.colour(colour));
                let descriptor = wgpu::RenderPassDescriptor {
                    label: Some(FRAME[place].name),
                    color_attachments: if colour.is_some() { std::slice::from_ref(&colour) } else { &[] },
                    depth_stencil_attachment: depth.map(|depth| self.depth(depth)),
                    ..Default::default()
                };
                let load = self.settings.loads[place];
                submission.render_pass(id, &descriptor, |pass| work.record(pass, load));
            }
        }
    }

    fn colour(&self, colour: Colour) -> wgpu::RenderPassColorAttachment<'_> {
        let kept = if colour.resolved.is_some() { wgpu::StoreOp::Discard } else { wgpu::StoreOp::Store };
        wgpu::RenderPassColorAttachment {
            view: self.targets.view(colour.to),
            depth_slice: None,
            resolve_target: colour.resolved.map(|target| self.targets.view(target)),
            ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT), store: kept },
        }
    }

    fn depth(&self, depth: Depth) -> wgpu::RenderPassDepthStencilAttachment<'_> {
        let operations = match depth {
            // Reversed depth: infinity is zero.
            Depth::Lay => wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Store },
            Depth::Add => wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
            Depth::Test => wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Discard },
        };
        wgpu::RenderPassDepthStencilAttachment {
            view: &self.targets.depth_samples,
            depth_ops: Some(operations),
            stencil_ops: None,
        }
    }
}

impl Scene for Engine<'_> {
    fn frame(&mut self, index: u64, frame: &mut Frame<'_>, samples: &mut FrameSamples<'_>) {
        let moment = self.world.moment(index);
        let view = self.view_of(index, &moment);
        self.buffers.update(&self.queue, &view, &moment);
        self.view = Some(view);
        self.drawn = Some((index, moment.camera));
        let ids: [Option<PassId>; MOST_PASSES] =
            std::array::from_fn(|place| FRAME.get(place).and_then(|spec| frame.pass(spec.name)));
        let mut place = 0;
        while place < self.until {
            let number = FRAME[place].submission;
            let mut submission = frame.submission();
            while place < self.until && FRAME[place].submission == number {
                if let Some(id) = ids[place] {
                    self.record(&mut submission, place, id);
                }
                place += 1;
            }
            if place == FRAME.len() && samples.wanted() {
                self.counts.copy(submission.encoder(), &self.buffers, index);
            }
            submission.submit();
        }
        self.counts.map();
        self.counts.collect(samples);
    }

    fn finish(&mut self, samples: &mut FrameSamples<'_>) {
        self.counts.collect(samples);
    }

    fn behind(&mut self, x: u32, y: u32) -> Vec<String> {
        let (Some(view), Some((index, _))) = (&self.view, &self.drawn) else { return Vec::new() };
        let content = self.world.content();
        let placements = content.placed(&self.world.moment(*index).placements);
        let name = |met: cpu::behind::Met| {
            let id = met.instance as usize;
            let mesh = content.instances[id].mesh;
            let moves = if id < content.moving { ", moves" } else { "" };
            format!("instance {id} (mesh {mesh}, {:.2} away{moves})", met.distance)
        };
        cpu::behind::behind(content, &placements, view, x, y).into_iter().map(name).collect()
    }

    fn image(&mut self) -> Result<Image, SceneError> {
        image::read(&self.device, &self.queue, &self.targets.image)
    }
}

/// The run's switches as the passes take them.
fn settings(setup: &Setup) -> Result<Settings, SceneError> {
    let mut loads = [1; MOST_PASSES];
    for (load, spec) in loads.iter_mut().zip(FRAME) {
        *load = u32::try_from(setup.number(&load_switch(spec.name))?)?;
    }
    Ok(Settings { size: setup.size, switches: switches::bits(setup)?, loads })
}

/// What follows from the content alone.
fn fixed(content: &Content, rays: &Rays) -> Fixed {
    let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
    Fixed {
        instances: count(content.instances.len()),
        lights: count(content.lights.len()),
        anchor: rays.anchor,
        roots: rays.roots,
    }
}

/// The switch that repeats a pass's work.
pub(crate) fn load_switch(pass: &str) -> String {
    format!("{pass}_load")
}

impl std::fmt::Debug for Engine<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("settings", &self.settings).finish_non_exhaustive()
    }
}
