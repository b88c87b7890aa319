//! Pictures as PNG files. In: pictures. Out: files that are there whole or not at all; the picture of a difference.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};
use framecost_harness::Image;

use crate::output::quoted;

/// Writes the picture, every byte of it: without alpha only where that is opaque throughout.
pub(crate) fn write(path: &Path, image: &Image) -> Result<()> {
    let opaque = image.rgba.iter().skip(3).step_by(4).all(|&alpha| alpha == 255);
    put(path, |file| {
        let mut encoder = png::Encoder::new(&mut *file, image.size.width, image.size.height);
        encoder.set_color(if opaque { png::ColorType::Rgb } else { png::ColorType::Rgba });
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        if opaque {
            let rgb: Vec<u8> = image.rgba.chunks_exact(4).flat_map(|pixel| &pixel[..3]).copied().collect();
            writer.write_image_data(&rgb)?;
        } else {
            writer.write_image_data(&image.rgba)?;
        }
        Ok(writer.finish()?)
    })
    .with_context(|| format!("cannot write {}", quoted(path)))
}

/// Fills a file beside its place and renames it into it.
fn put(path: &Path, fill: impl FnOnce(&mut BufWriter<File>) -> Result<()>) -> Result<()> {
    let name = path.file_name().context("it names no file")?.to_string_lossy();
    let fresh = path.with_file_name(format!(".{name}.new-{}", std::process::id()));
    let filled = File::create(&fresh).map_err(anyhow::Error::from).and_then(|file| {
        let mut file = BufWriter::new(file);
        fill(&mut file)?;
        file.flush()?;
        file.get_ref().sync_all()?;
        Ok(fs::rename(&fresh, path)?)
    });
    if filled.is_err() {
        // What is half written is nobody's; that it was never made is no further fault.
        let _ = fs::remove_file(&fresh);
    }
    filled
}

/// Where two pictures of one size differ: each differing pixel in grey, from a quarter of full light up to white for the
/// largest difference of a channel, over the first picture darkened to below that.
pub(crate) fn difference(reference: &Image, other: &Image) -> Image {
    const DARKEST: u32 = 64;
    let pairs = || reference.rgba.chunks_exact(4).zip(other.rgba.chunks_exact(4));
    let apart = |(this, that): (&[u8], &[u8])| {
        this.iter().zip(that).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or_default()
    };
    let largest = u32::from(pairs().map(apart).max().unwrap_or_default()).max(1);
    let pixel = |(this, that): (&[u8], &[u8])| match u32::from(apart((this, that))) {
        0 => [this[0] / 4, this[1] / 4, this[2] / 4, 255],
        apart => {
            let grey = u8::try_from(DARKEST + (255 - DARKEST) * apart / largest).unwrap_or(255);
            [grey, grey, grey, 255]
        }
    };
    Image { size: reference.size, rgba: pairs().flat_map(pixel).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use framecost_sample::Size;

    fn image(rgba: &[u8]) -> Image {
        Image { size: Size { width: u32::try_from(rgba.len() / 4).unwrap(), height: 1 }, rgba: rgba.to_vec() }
    }

    fn read(path: &Path) -> (png::ColorType, Vec<u8>) {
        let decoder = png::Decoder::new(std::io::BufReader::new(File::open(path).unwrap()));
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut bytes).unwrap();
        bytes.truncate(frame.buffer_size());
        (frame.color_type, bytes)
    }

    #[test]
    fn a_file_holds_every_byte_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        write(&path, &image(&[1, 2, 3, 255, 4, 5, 6, 255])).unwrap();
        assert_eq!(read(&path), (png::ColorType::Rgb, vec![1, 2, 3, 4, 5, 6]));
        write(&path, &image(&[1, 2, 3, 255, 4, 5, 6, 254])).unwrap();
        assert_eq!(read(&path), (png::ColorType::Rgba, vec![1, 2, 3, 255, 4, 5, 6, 254]));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_written_leaves_the_earlier_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        write(&path, &image(&[1, 2, 3, 255])).unwrap();
        // A picture that is shorter than it says.
        let short = Image { size: Size { width: 9, height: 9 }, rgba: vec![0; 4] };
        let error = format!("{:#}", write(&path, &short).unwrap_err());
        assert!(error.starts_with("cannot write `"), "{error}");
        assert_eq!(read(&path).1, [1, 2, 3]);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn the_largest_difference_is_white_and_the_smallest_stands_out() {
        let reference = image(&[255, 255, 255, 255, 100, 40, 8, 255, 10, 10, 10, 255, 10, 10, 10, 0]);
        let other = image(&[255, 255, 255, 255, 100, 40, 8, 255, 10, 11, 10, 255, 10, 10, 10, 191]);
        let found = difference(&reference, &other).rgba;
        assert_eq!(found, [63, 63, 63, 255, 25, 10, 2, 255, 65, 65, 65, 255, 255, 255, 255, 255]);
        assert!(difference(&reference, &reference).rgba.chunks(4).all(|pixel| pixel[0] < 64));
    }
}
