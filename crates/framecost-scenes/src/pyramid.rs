//! Where the depth pyramid keeps each level: `shared/pyramid.wgsl` on the host. In: the image's size. Out: the levels.

use framecost_sample::Size;

/// Size of each level in texels: half the image, rounded up, then half of that, down to one texel.
#[must_use]
pub(crate) fn levels(image: Size) -> Vec<Size> {
    let half = |size: Size| Size { width: size.width.div_ceil(2), height: size.height.div_ceil(2) };
    let mut levels = vec![half(image)];
    while let Some(&last) = levels.last().filter(|last| last.width > 1 || last.height > 1) {
        levels.push(half(last));
    }
    levels
}

/// Texels of all levels together.
#[must_use]
pub(crate) fn texels(image: Size) -> usize {
    levels(image).iter().map(|level| level.width as usize * level.height as usize).sum()
}
