//! Draws one frame of the orrery and writes it as PNG: `picture FRAME WIDTHxHEIGHT FILE`.

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::time::Duration;

use framecost_harness::{Benchmark, Scene, Setup, draw, resolve};
use framecost_sample::{Size, Switches};
use framecost_scenes::ORRERY;
use framecost_wgpu::{Gpu, OpenOptions};

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [frame, size, file] = arguments.as_slice() else {
        return Err("usage: picture FRAME WIDTHxHEIGHT FILE".into());
    };
    let (width, height) = size.split_once('x').ok_or("a size is two numbers with an x between them")?;
    let size = Size { width: width.parse()?, height: height.parse()? };
    let info = ORRERY.info();
    let switches = resolve(&info.name, &info.switches, &Switches::default())?;
    let gpu = Gpu::open(&OpenOptions { limits: info.limits.clone(), ..OpenOptions::default() })?;
    let mut engine = ORRERY.engine(&gpu, &Setup { size, switches })?;
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
