//! Pictures of surfaces, made by rule. In: what each layer shows. Out: colours and reliefs of every layer and mip level,
//! ready for a device: the same bytes on every machine, since only exact integers and basic operations take part.

mod patterns;

use glam::Vec3;

pub(crate) use patterns::Pattern;

/// Square pictures of one size, layer by layer, each with all its mip levels: two for each layer, its colours and its
/// relief. Repeats in both directions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Textures {
    /// Texels along an edge, a power of two; 0 where there are no textures.
    pub size: u32,
    /// How many layers.
    pub layers: u32,
    /// sRGB colour and, in alpha, roughness: four bytes a texel, layer by layer, the finest mip level first.
    pub colours: Vec<u8>,
    /// Normal (x, y, z mapped from -1..1 to 0..255) and, in alpha, height: in the same order.
    pub reliefs: Vec<u8>,
}

/// What a layer shows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layer {
    pub(crate) pattern: Pattern,
    /// Two layers of one pattern and different seeds differ.
    pub(crate) seed: u32,
    /// sRGB colours from dark to bright.
    pub(crate) palette: [[u8; 3]; 3],
}

/// A texel before it is packed: sRGB colour, roughness and height, all from 0 to 1.
#[derive(Clone, Copy, Debug)]
struct Texel {
    colour: Vec3,
    roughness: f32,
    height: f32,
}

impl Textures {
    /// Mip levels of each layer, down to one texel.
    #[must_use]
    pub const fn levels(&self) -> u32 {
        if self.size == 0 { 0 } else { self.size.ilog2() + 1 }
    }

    /// Makes the layers, `size` texels along an edge.
    pub(crate) fn of(size: u32, layers: &[Layer]) -> Self {
        debug_assert!(size.is_power_of_two(), "{size} is no power of two");
        let light = Light::new();
        let mut all = Self {
            size,
            layers: u32::try_from(layers.len()).unwrap_or(u32::MAX),
            colours: Vec::new(),
            reliefs: Vec::new(),
        };
        for layer in layers {
            let texels = patterns::texels(layer, size);
            let mut colours: Vec<[u8; 4]> = texels.iter().map(packed).collect();
            let mut reliefs = relief(&texels, size);
            all.add(&colours, &reliefs);
            let mut edge = size as usize;
            while edge > 1 {
                colours = halved(&colours, edge, |four| light.mean(four));
                reliefs = halved(&reliefs, edge, mean_normal);
                edge /= 2;
                all.add(&colours, &reliefs);
            }
        }
        all
    }

    fn add(&mut self, colours: &[[u8; 4]], reliefs: &[[u8; 4]]) {
        self.colours.extend_from_slice(colours.as_flattened());
        self.reliefs.extend_from_slice(reliefs.as_flattened());
    }
}

/// From 0..1 to 0..255, the nearest.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a byte")]
fn byte(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

fn packed(texel: &Texel) -> [u8; 4] {
    let [r, g, b] = texel.colour.to_array().map(byte);
    [r, g, b, byte(texel.roughness)]
}

/// Normals by the slope between neighbours. A height of one is a twentieth of the picture's edge, so that relief looks
/// alike at every size.
fn relief(texels: &[Texel], size: u32) -> Vec<[u8; 4]> {
    let n = size as usize;
    #[expect(clippy::cast_precision_loss, reason = "sizes are small")]
    let steep = n as f32 / 40.0;
    let height = |x: usize, y: usize| texels[(y & (n - 1)) * n + (x & (n - 1))].height;
    let mut out = Vec::with_capacity(texels.len());
    for y in 0..n {
        for x in 0..n {
            let across = (height(x + n - 1, y) - height(x + 1, y)) * steep;
            let along = (height(x, y + n - 1) - height(x, y + 1)) * steep;
            out.push(packed_normal(Vec3::new(across, along, 1.0), height(x, y)));
        }
    }
    out
}

fn packed_normal(normal: Vec3, height: f32) -> [u8; 4] {
    let length = (normal.x * normal.x + normal.y * normal.y + normal.z * normal.z).sqrt().max(1e-6);
    let [x, y, z] = (normal / length).to_array().map(|axis| byte(axis * 0.5 + 0.5));
    [x, y, z, byte(height)]
}

fn halved(texels: &[[u8; 4]], edge: usize, mean: impl Fn([[u8; 4]; 4]) -> [u8; 4]) -> Vec<[u8; 4]> {
    let half = edge / 2;
    let mut out = Vec::with_capacity(half * half);
    for y in 0..half {
        for x in 0..half {
            let at = 2 * y * edge + 2 * x;
            out.push(mean([texels[at], texels[at + 1], texels[at + edge], texels[at + edge + 1]]));
        }
    }
    out
}

fn mean_normal(four: [[u8; 4]; 4]) -> [u8; 4] {
    let sum = |channel: usize| four.iter().map(|texel| f32::from(texel[channel])).sum::<f32>();
    let axis = |channel: usize| sum(channel) / 510.0 - 1.0;
    packed_normal(Vec3::new(axis(0), axis(1), axis(2)), sum(3) / 1020.0)
}

/// sRGB code values as linear light in 16 bits, and back (IEC 61966-2-1).
struct Light {
    linear: [u16; 256],
    /// The code value nearest to each linear value.
    code: Vec<u8>,
}

impl Light {
    fn new() -> Self {
        let linear: [u16; 256] = std::array::from_fn(decoded);
        let mut code = vec![0; 65_536];
        for value in 0..256 {
            // From halfway below to halfway above.
            let from = if value == 0 { 0 } else { linear[value - 1].midpoint(linear[value]) };
            let to = linear.get(value + 1).map_or(u16::MAX, |next| linear[value].midpoint(*next));
            #[expect(clippy::cast_possible_truncation, reason = "below 256")]
            code[usize::from(from)..=usize::from(to)].fill(value as u8);
        }
        Self { linear, code }
    }

    fn mean(&self, four: [[u8; 4]; 4]) -> [u8; 4] {
        let channel = |channel: usize| {
            let sum: u32 = four.iter().map(|texel| u32::from(self.linear[usize::from(texel[channel])])).sum();
            self.code[((sum + 2) / 4) as usize]
        };
        let roughness: u32 = four.iter().map(|texel| u32::from(texel[3])).sum();
        #[expect(clippy::cast_possible_truncation, reason = "a mean of bytes is a byte")]
        let roughness = ((roughness + 2) / 4) as u8;
        [channel(0), channel(1), channel(2), roughness]
    }
}

/// The power of 2.4 by Newton's rule for the fifth root, since the platform's own differs from machine to machine.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 65,535")]
#[expect(clippy::cast_precision_loss, reason = "below 256")]
fn decoded(code: usize) -> u16 {
    let value = code as f64 / 255.0;
    let linear = if value <= 0.04045 {
        value / 12.92
    } else {
        let base = (value + 0.055) / 1.055;
        let square = base * base;
        let mut root = 0.8;
        for _ in 0..24 {
            let fourth = root * root * root * root;
            root -= (root * fourth - square) / (5.0 * fourth);
        }
        square * root
    };
    (linear * 65_535.0 + 0.5) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYERS: [Layer; 2] = [
        Layer { pattern: Pattern::Brick, seed: 1, palette: [[90, 50, 40], [150, 80, 60], [190, 130, 100]] },
        Layer { pattern: Pattern::Grass, seed: 2, palette: [[30, 50, 20], [70, 100, 40], [130, 150, 80]] },
    ];

    #[test]
    fn levels_follow_each_other_down_to_one_texel() {
        let textures = Textures::of(32, &LAYERS);
        let texels: u32 = (0..textures.levels()).map(|level| (32 >> level) * (32 >> level)).sum();
        assert_eq!(textures.levels(), 6);
        assert_eq!(textures.colours.len(), (texels * 4 * 2) as usize);
        assert_eq!(textures.reliefs.len(), textures.colours.len());
    }

    #[test]
    fn light_is_averaged_not_code_values() {
        let light = Light::new();
        let (black, white) = ([0, 0, 0, 0], [255, 255, 255, 255]);
        // Half the light of white has the code value 188 (IEC 61966-2-1), not 128; roughness has no curve.
        assert_eq!(light.mean([black, white, white, black]), [188, 188, 188, 128]);
        for value in 0..=255u8 {
            assert_eq!(light.mean([[value; 4]; 4]), [value; 4], "the mean of equals is their value");
            let exact = (f64::from(value) / 255.0 + 0.055) / 1.055;
            let exact = if value <= 10 { f64::from(value) / 255.0 / 12.92 } else { exact.powf(2.4) };
            let found = f64::from(light.linear[usize::from(value)]) / 65_535.0;
            assert!((found - exact).abs() < 1e-5, "{value}: {found} for {exact}");
        }
    }

    #[test]
    fn normals_are_of_unit_length_and_out_of_the_surface() {
        let textures = Textures::of(64, &LAYERS);
        for texel in textures.reliefs.chunks_exact(4) {
            let [x, y, z] = [0, 1, 2].map(|axis| f32::from(texel[axis]) / 127.5 - 1.0);
            let length = (x * x + y * y + z * z).sqrt();
            assert!((length - 1.0).abs() < 0.02 && z > 0.0, "{texel:?}");
        }
    }

    #[test]
    fn every_pattern_repeats_and_differs_from_texel_to_texel() {
        for &pattern in Pattern::ALL {
            let layer = Layer { pattern, ..LAYERS[0] };
            let n = 64;
            let texels = patterns::texels(&layer, 64);
            let of = |x: usize, y: usize| texels[y * n + x].colour;
            let step = |a: Vec3, b: Vec3| (a - b).abs().element_sum();
            let (mut inner, mut seam): (f32, f32) = (0.0, 0.0);
            for i in 0..n {
                seam += step(of(0, i), of(n - 1, i)) + step(of(i, 0), of(i, n - 1));
                for j in 1..n {
                    inner += step(of(j, i), of(j - 1, i)) + step(of(i, j), of(i, j - 1));
                }
            }
            inner /= 63.0;
            assert!(inner > 0.0, "{pattern:?} shows nothing");
            // Joints of bricks and planks lie on the seam: it may be rougher than the mean, within reason.
            assert!(
                seam < inner * 14.0 + 0.5,
                "{pattern:?}: the seam differs by {seam}, other lines by {inner}"
            );
        }
    }
}
