//! The renderer's frame under framecost: `cargo bench --bench frame -- bench`, then `report`, `baseline save`, `compare`.

use framecost_harness::{
    Benchmark, Better, Frame, FrameSamples, Gate, Gpu, Metric, Reading, Scene, SceneError, SceneInfo, Setup,
    SwitchDef, Unit,
};
use own_scene::{FORMAT, Renderer, SPARKS};

struct Sparks;
struct Loaded(Renderer, wgpu::TextureView, u64);

impl Benchmark for Sparks {
    fn info(&self) -> SceneInfo {
        SceneInfo {
            gates: vec![Gate::new("picture", "move", "draw")],
            switches: vec![SwitchDef::number("draw_load", 1, 1, 64, "draws the sparks so many times")],
            metrics: vec![Metric::new("sparks", Unit::Count, Better::Neither, "sparks that fly")],
            ..SceneInfo::new("sparks", &["move", "draw"])
        }
    }

    fn load(&self, gpu: &Gpu, setup: &Setup) -> Result<Box<dyn Scene>, SceneError> {
        let view = setup.target(gpu, FORMAT).create_view(&wgpu::TextureViewDescriptor::default());
        Ok(Box::new(Loaded(Renderer::new(&gpu.device, &gpu.queue), view, setup.number("draw_load")?)))
    }
}

impl Scene for Loaded {
    fn frame(&mut self, index: u64, frame: &mut Frame<'_>, samples: &mut FrameSamples<'_>) {
        let Self(renderer, view, load) = self;
        let (Some(moves), Some(draws)) = (frame.pass("move"), frame.pass("draw")) else { return };
        renderer.set_time(index as f32 / 60.0);
        let ops = wgpu::Operations::default();
        let target =
            Some(wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops });
        let to_target = wgpu::RenderPassDescriptor { color_attachments: &[target], ..Default::default() };
        let mut submission = frame.submission();
        submission.compute_pass(moves, |pass| renderer.move_sparks(pass));
        submission.render_pass(draws, &to_target, |pass| (0..*load).for_each(|_| renderer.draw_sparks(pass)));
        submission.submit();
        samples.instances(*load * u64::from(SPARKS));
        samples.set("sparks", Reading::Measured(f64::from(SPARKS)));
    }
}

fn main() -> std::process::ExitCode {
    framecost_cli::main(&[&Sparks])
}
