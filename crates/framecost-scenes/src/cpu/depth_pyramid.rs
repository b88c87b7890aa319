//! depth_pyramid, value for value as `pass/depth_pyramid.wgsl` reduces.

use framecost_sample::Size;

use crate::pyramid::levels;

/// A level: rows of farthest depths.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// Its size in texels.
    pub size: Size,
    /// Row by row.
    pub texels: Vec<f32>,
}

/// All levels, the finest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Pyramid {
    /// The levels.
    pub levels: Vec<Level>,
}

impl Level {
    /// The texel at column `x` of row `y`.
    #[must_use]
    pub fn at(&self, x: u32, y: u32) -> f32 {
        self.texels[(y * self.size.width + x) as usize]
    }
}

impl Pyramid {
    /// The levels as they lie one after the other in a buffer.
    #[must_use]
    pub fn of(image: Size, texels: &[f32]) -> Self {
        let mut rest = texels;
        let level = |size: Size| {
            let (own, after) = rest.split_at(size.width as usize * size.height as usize);
            rest = after;
            Level { size, texels: own.to_vec() }
        };
        Self { levels: levels(image).into_iter().map(level).collect() }
    }
}

/// The pyramid over depth samples: `samples` of each pixel, pixel by pixel, row by row.
#[must_use]
pub fn depth_pyramid(image: Size, samples: &[Vec<f32>]) -> Pyramid {
    let farthest = samples.iter().map(|pixel| pixel.iter().copied().fold(1.0, f32::min)).collect();
    let mut finer = Level { size: image, texels: farthest };
    let reduced = levels(image).into_iter().map(|size| {
        let level = reduce(&finer, size);
        finer = level.clone();
        level
    });
    Pyramid { levels: reduced.collect() }
}

fn reduce(finer: &Level, size: Size) -> Level {
    let texel = |x: u32, y: u32| {
        let right = (2 * x + 1).min(finer.size.width - 1);
        let below = (2 * y + 1).min(finer.size.height - 1);
        [(2 * x, 2 * y), (right, 2 * y), (2 * x, below), (right, below)]
            .into_iter()
            .map(|(x, y)| finer.at(x, y))
            .fold(1.0, f32::min)
    };
    let texels = (0..size.height).flat_map(|y| (0..size.width).map(move |x| (x, y)));
    Level { size, texels: texels.map(|(x, y)| texel(x, y)).collect() }
}
