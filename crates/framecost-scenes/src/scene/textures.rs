//! Pictures of surfaces, made by rule. In: what each layer shows. Out: colours and reliefs of every layer and mip level,
//! ready for a device.

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

impl Textures {
    /// Mip levels of each layer, down to one texel.
    #[must_use]
    pub const fn levels(&self) -> u32 {
        if self.size == 0 { 0 } else { self.size.ilog2() + 1 }
    }
}
