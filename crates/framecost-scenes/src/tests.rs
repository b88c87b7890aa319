//! The renderer on whatever adapter is there, held against its CPU twins and against itself.
//! Without any adapter these tests fail, unless `FRAMECOST_NO_ADAPTER=allow` says that this is known.

use std::time::Duration;

use bytemuck::{Pod, Zeroable};
use framecost_harness::{Benchmark, Gpu, Image, Plan, Scene, Setup, draw, resolve, run};
use framecost_sample::{Reading, Size, Switches};
use framecost_wgpu::{OpenError, OpenOptions};
use glam::{DVec3, Vec3};

use crate::engine::Engine;
use crate::frame::FRAME;
use crate::scene::Draw;
use crate::{ORRERY, cpu, image};

const SMALL: Size = Size { width: 160, height: 90 };

/// The device, unless there is none and that is allowed.
fn gpu() -> Option<Gpu> {
    match Gpu::open(&OpenOptions::default()) {
        Ok(gpu) => Some(gpu),
        Err(OpenError::NoAdapter) if std::env::var("FRAMECOST_NO_ADAPTER").as_deref() == Ok("allow") => {
            eprintln!("left out: there is no adapter");
            None
        }
        Err(fault) => panic!("{fault}; FRAMECOST_NO_ADAPTER=allow leaves this test out"),
    }
}

fn engine(gpu: &Gpu, size: Size, switches: &[(&str, &str)]) -> Engine<'static> {
    let info = ORRERY.info();
    let asked = Switches(switches.iter().map(|&(name, value)| (name.into(), value.into())).collect());
    let switches = resolve(&info.name, &info.switches, &asked).unwrap();
    ORRERY.engine(gpu, &Setup { size, switches }).unwrap()
}

fn show(gpu: &Gpu, engine: &mut Engine<'_>, frame: u64) {
    draw(gpu, &ORRERY.info(), engine, frame, Duration::from_secs(120)).unwrap();
}

fn picture(gpu: &Gpu, engine: &mut Engine<'_>, frame: u64) -> Image {
    show(gpu, engine, frame);
    engine.image().unwrap()
}

/// The whole of a buffer that passes share.
fn contents<T: Pod>(gpu: &Gpu, buffer: &wgpu::Buffer) -> Vec<T> {
    let copy = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: buffer.size(),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    encoder.copy_buffer_to_buffer(buffer, 0, &copy, 0, buffer.size());
    gpu.queue.submit([encoder.finish()]);
    bytemuck::pod_collect_to_vec(&image::mapped(&gpu.device, &copy).unwrap())
}

/// Pixels that differ, and the largest difference of a channel.
fn difference(a: &Image, b: &Image) -> (usize, u8) {
    assert_eq!(a.size, b.size);
    let pixels = a.rgba.chunks_exact(4).zip(b.rgba.chunks_exact(4));
    let differing = pixels.filter(|(a, b)| a != b).count();
    let channels = a.rgba.iter().zip(&b.rgba).map(|(a, b)| a.abs_diff(*b));
    (differing, channels.max().unwrap_or(0))
}

#[test]
fn culling_draws_what_its_twin_draws() {
    let Some(gpu) = gpu() else { return };
    for (size, culling) in [(SMALL, "on"), (Size { width: 61, height: 97 }, "on"), (SMALL, "off")] {
        let mut engine = engine(&gpu, size, &[("culling", culling)]);
        let content = ORRERY.world().content();
        for frame in [0, 333, 590, 930, 1300, 1420, 1799] {
            show(&gpu, &mut engine, frame);
            let draws: Vec<Draw> = contents(&gpu, &engine.buffers.draws);
            let visible: Vec<u32> = contents(&gpu, &engine.buffers.visible);
            let moment = ORRERY.world().moment(frame);
            let layout = &engine.buffers.layout;
            let twin =
                cpu::culling::culling(&engine.view(frame), layout, &content.instances, &moment.placements);
            for (number, (draw, expected)) in draws.iter().zip(&twin).enumerate() {
                let first = layout.lists[number] as usize;
                let mut ids = visible[first..first + draw.instances as usize].to_vec();
                ids.sort_unstable();
                assert_eq!(ids, *expected, "draw {number} of frame {frame} at {size}, culling {culling}");
            }
            let drawn: usize = twin.iter().map(Vec::len).sum();
            let all = content.instances.len();
            assert_eq!(drawn == all, culling == "off", "frame {frame}: {drawn} of {all} drawn");
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct BentOnGpu {
    position: [f32; 3],
    along: f32,
    normal: [f32; 3],
    strip: u32,
}

#[test]
fn bend_shapes_as_its_twin_shapes() {
    let Some(gpu) = gpu() else { return };
    let mut engine = engine(&gpu, SMALL, &[]);
    let content = ORRERY.world().content();
    for frame in [0, 601, 1799] {
        show(&gpu, &mut engine, frame);
        let bent: Vec<BentOnGpu> = contents(&gpu, &engine.buffers.bent);
        let anchors = ORRERY.world().moment(frame).anchors;
        let twin = cpu::bend::bend(&engine.view(frame), &content.strips, &anchors, &content.rest);
        assert_eq!(bent.len(), twin.len());
        for (i, ((gpu, cpu), rest)) in bent.iter().zip(&twin).zip(&content.rest).enumerate() {
            assert_eq!((gpu.strip, gpu.along), (rest.strip, rest.along), "vertex {i}");
            let apart = Vec3::from_array(gpu.position).distance(cpu.position);
            // Sines of arguments up to fifty lose six bits on the way; lengths are of the order of fifty.
            assert!(apart < 2e-3, "vertex {i} of frame {frame}: {apart} apart");
            let turned = Vec3::from_array(gpu.normal).dot(cpu.normal);
            assert!(turned > 0.99, "normal {i} of frame {frame}: cosine {turned}");
        }
    }
}

#[test]
fn pictures_show_a_sun_where_it_is_and_a_sky_full_of_stars() {
    let Some(gpu) = gpu() else { return };
    let size = Size { width: 320, height: 180 };
    let mut engine = engine(&gpu, size, &[]);
    let mut suns = 0;
    for frame in [0, 600, 1000, 1200, 1420] {
        let image = picture(&gpu, &mut engine, frame);
        let brightness = |x: u32, y: u32| {
            let at = 4 * (y * size.width + x) as usize;
            image.rgba[at..at + 3].iter().map(|&channel| u32::from(channel)).sum::<u32>()
        };
        let all: Vec<u32> = (0..size.height)
            .flat_map(|y| (0..size.width).map(move |x| (x, y)))
            .map(|(x, y)| brightness(x, y))
            .collect();
        let mean = all.iter().sum::<u32>() / u32::try_from(all.len()).unwrap();
        assert!((12..400).contains(&mean), "frame {frame}: mean brightness {mean} of 765");
        let distinct: std::collections::HashSet<&u32> = all.iter().collect();
        assert!(distinct.len() > 150, "frame {frame}: {} shades", distinct.len());
        assert!(image.rgba.chunks_exact(4).all(|pixel| pixel[3] == 255), "frame {frame} is opaque");
        let moment = ORRERY.world().moment(frame);
        let aspect = f64::from(size.width) / f64::from(size.height);
        let Some((x, y)) = moment.camera.project(DVec3::ZERO, aspect) else { continue };
        if x.abs() < 0.9 && y.abs() < 0.9 && moment.light_seen > 0.99 {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "inside the image")]
            let pixel = |share: f64, length: u32| (f64::midpoint(share, 1.0) * f64::from(length)) as u32;
            let (x, y) = (pixel(x, size.width), pixel(-y, size.height));
            // A hoop or a rock may cross its very middle.
            let brightest = (y.saturating_sub(3)..y + 3).map(|y| brightness(x, y)).max().unwrap();
            assert!(brightest > 550, "frame {frame}: {brightest} of 765 at the sun ({x}, {y})");
            suns += 1;
        }
    }
    assert!(suns >= 2, "the sun was in sight in {suns} of these frames");
}

#[test]
fn culling_changes_no_pixel() {
    let Some(gpu) = gpu() else { return };
    for size in [SMALL, Size { width: 97, height: 41 }] {
        let mut with = engine(&gpu, size, &[]);
        let mut without = engine(&gpu, size, &[("culling", "off")]);
        for frame in [0, 590, 1300, 1580] {
            let found = difference(&picture(&gpu, &mut with, frame), &picture(&gpu, &mut without, frame));
            assert_eq!(found, (0, 0), "frame {frame} at {size}: pixels, largest difference");
        }
    }
}

#[test]
fn repeated_work_changes_no_pixel() {
    let Some(gpu) = gpu() else { return };
    let mut once = engine(&gpu, SMALL, &[]);
    let names: Vec<String> =
        ORRERY.info().passes.iter().map(|pass| crate::engine::load_switch(pass)).collect();
    for name in &names {
        let mut often = engine(&gpu, SMALL, &[(name, "4")]);
        for frame in [590, 1300] {
            let found = difference(&picture(&gpu, &mut once, frame), &picture(&gpu, &mut often, frame));
            assert_eq!(found, (0, 0), "frame {frame} with {name}=4: pixels, largest difference");
        }
    }
}

#[test]
fn a_frame_does_not_hang_on_the_frames_before_it() {
    let Some(gpu) = gpu() else { return };
    let mut engine = engine(&gpu, SMALL, &[]);
    let first = picture(&gpu, &mut engine, 700);
    for frame in [0, 1799, 42] {
        show(&gpu, &mut engine, frame);
    }
    assert_eq!(difference(&first, &picture(&gpu, &mut engine, 700)), (0, 0));
    assert!(difference(&first, &picture(&gpu, &mut engine, 720)).0 > 100, "frames differ from each other");
}

#[test]
fn a_run_counts_what_the_gpu_drew() {
    let Some(gpu) = gpu() else { return };
    let size = Size { width: 64, height: 36 };
    let plan = Plan { size, frames: Some(5), warm_up: 1, calibration_pairs: 1, ..Plan::default() };
    let capture = &run(&ORRERY, &plan, &mut ()).unwrap()[0].capture;
    let engine = engine(&gpu, size, &[]);
    let content = ORRERY.world().content();
    for frame in 0..5 {
        let placements = ORRERY.world().moment(frame).placements;
        let layout = &engine.buffers.layout;
        let lists = cpu::culling::culling(&engine.view(frame), layout, &content.instances, &placements);
        let instances: usize = lists.iter().map(Vec::len).sum();
        let of_draw = |(list, draw): (&Vec<u32>, &Draw)| list.len() * draw.indices as usize / 3;
        let triangles: usize = lists.iter().zip(&layout.draws).map(of_draw).sum();
        let triangles = triangles + content.strip_indices.len() / 3;
        for (name, expected) in [("instances", instances), ("triangles", triangles)] {
            let metric = capture.metrics.iter().position(|metric| metric.name == name).unwrap();
            let mut samples = capture.samples.iter();
            let sample = samples.find(|it| it.frame == frame && usize::from(it.metric.0) == metric).unwrap();
            assert_eq!(sample.reading, Reading::Measured(expected as f64), "{name} of frame {frame}");
        }
    }
    let passes: Vec<&str> = capture.passes.iter().map(|pass| pass.name.as_str()).collect();
    assert_eq!(passes, FRAME.iter().map(|pass| pass.name).collect::<Vec<_>>());
    let submissions: Vec<u32> =
        capture.stamps.iter().filter(|stamp| stamp.frame == 3).map(|stamp| stamp.submission).collect();
    assert_eq!(submissions, FRAME.iter().map(|pass| pass.submission).collect::<Vec<_>>());
}

#[test]
fn any_size_can_be_drawn() {
    let Some(gpu) = gpu() else { return };
    for (width, height) in [(1, 1), (1, 64), (63, 1), (33, 17), (257, 3)] {
        let size = Size { width, height };
        let image = picture(&gpu, &mut engine(&gpu, size, &[]), 900);
        assert_eq!(image.rgba.len(), (width * height * 4) as usize, "{size}");
    }
}
