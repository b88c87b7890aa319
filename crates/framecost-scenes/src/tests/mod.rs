//! The renderer on whatever adapter is there, held against its CPU twins and against itself.
//! Without any adapter these tests fail, unless `FRAMECOST_NO_ADAPTER=allow` says that this is known.

mod behind;
mod bend;
mod culling;
mod cuts;
mod froxel;
mod pictures;
mod pyramid;
mod rays;
mod runs;

use std::time::Duration;

use bytemuck::{Pod, Zeroable};
use framecost_harness::{Benchmark, Gpu, Image, Plan, Scene, Setup, draw, resolve, run};
use framecost_sample::{Reading, Size, Switches};
use framecost_wgpu::{OpenError, OpenOptions};
use glam::{DVec3, Vec3};

use crate::engine::Engine;
use crate::frame::FRAME;
use crate::scene::orrery::ORRERY;
use crate::scene::{Content, Draw, Moment, World};
use crate::{cpu, image};

const SMALL: Size = Size { width: 160, height: 90 };

/// The device, unless there is none and that is allowed.
fn gpu() -> Option<Gpu> {
    match Gpu::open(&OpenOptions { limits: crate::limits(), ..OpenOptions::default() }) {
        Ok(gpu) => Some(gpu),
        Err(OpenError::NoAdapter) if std::env::var("FRAMECOST_NO_ADAPTER").as_deref() == Ok("allow") => {
            eprintln!("left out: there is no adapter");
            None
        }
        Err(fault) => panic!("{fault}; FRAMECOST_NO_ADAPTER=allow leaves this test out"),
    }
}

fn engine(gpu: &Gpu, size: Size, switches: &[(&str, &str)]) -> Engine<'static> {
    engine_of(gpu, ORRERY.world(), size, switches)
}

/// As [`engine`], of any world: all scenes have the same switches.
fn engine_of<'w>(gpu: &Gpu, world: &'w dyn World, size: Size, switches: &[(&str, &str)]) -> Engine<'w> {
    let info = ORRERY.info();
    let asked = Switches(switches.iter().map(|&(name, value)| (name.into(), value.into())).collect());
    let switches = resolve(&info.name, &info.switches, &asked).unwrap();
    Engine::new(gpu, world, &Setup { size, switches }).unwrap()
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

/// The orrery with lamps in it, since it has none of its own.
struct WithLamps {
    content: Content,
}

impl World for WithLamps {
    fn content(&self) -> &Content {
        &self.content
    }

    fn moment(&self, frame: u64) -> Moment {
        ORRERY.world().moment(frame)
    }

    fn shader(&self) -> &'static str {
        ORRERY.world().shader()
    }

    fn lighting(&self) -> &'static str {
        ORRERY.world().lighting()
    }

    fn settings(&self) -> String {
        "orrery with lamps".into()
    }
}

/// Where each instance of the orrery stands at a frame.
fn placements(frame: u64) -> Vec<crate::scene::Placement> {
    ORRERY.world().content().placed(&ORRERY.world().moment(frame).placements)
}

/// Distinct values of a switch, for tests of every combination.
const ON_OFF: [&str; 2] = ["on", "off"];

#[test]
fn what_a_scene_says_of_its_content_is_so() {
    for scene in crate::REFERENCES {
        assert_eq!(scene.settings, scene.world().settings(), "{}", scene.name);
        assert!(
            include_str!("../../../../docs/scenes.md").contains(scene.settings),
            "{} in docs/scenes.md",
            scene.name
        );
    }
}
