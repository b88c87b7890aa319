//! Draws one frame of a scene and writes it as PNG: `picture FRAME WIDTHxHEIGHT FILE [SCENE]`; the orrery where none is
//! named.

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::time::Duration;

use framecost_harness::{Benchmark, Scene, Setup, draw, resolve};
use framecost_sample::{Size, Switches};
use framecost_scenes::references;
use framecost_wgpu::{Gpu, OpenOptions};

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (frame, size, file, name) = match arguments.as_slice() {
        [frame, size, file] => (frame, size, file, "orrery"),
        [frame, size, file, name] => (frame, size, file, name.as_str()),
        _ => return Err("usage: picture FRAME WIDTHxHEIGHT FILE [SCENE]".into()),
    };
    let names = || references().iter().map(|scene| scene.name()).collect::<Vec<_>>().join(", ");
    let scene = references().iter().find(|scene| scene.name() == name);
    let scene = scene.ok_or_else(|| format!("no scene is called `{name}`; there are {}", names()))?;
    let (width, height) = size.split_once('x').ok_or("a size is two numbers with an x between them")?;
    let size = Size { width: width.parse()?, height: height.parse()? };
    let info = scene.info();
    let switches = resolve(&info.name, &info.switches, &Switches::default())?;
    let gpu = Gpu::open(&OpenOptions { limits: info.limits.clone(), ..OpenOptions::default() })?;
    let mut engine = scene.engine(&gpu, &Setup { size, switches })?;
    draw(&gpu, &info, &mut engine, frame.parse()?, Duration::from_secs(60))?;
    let image = engine.image()?;
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(file)?), size.width, size.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let rgb: Vec<u8> = image.rgba.chunks_exact(4).flat_map(|pixel| &pixel[..3]).copied().collect();
    encoder.write_header()?.write_image_data(&rgb)?;
    Ok(())
}
