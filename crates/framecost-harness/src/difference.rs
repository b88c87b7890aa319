//! Where two pictures differ. In: two pictures of one size. Out: how many pixels, how far, and the first of them; nothing
//! where every byte is the same.

use crate::Image;

/// How a picture differs from another of its size, byte by byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Pixels with at least one channel that differs, alpha among them.
    pub pixels: u64,
    /// The largest difference of a channel.
    pub largest: u8,
    /// Column and row of the first pixel that differs, row by row from the top.
    pub first: (u32, u32),
}

impl Difference {
    /// None where the pictures are the same. Both have the same size and four bytes a pixel.
    pub(crate) fn between(reference: &Image, other: &Image) -> Option<Self> {
        debug_assert_eq!(reference.size, other.size, "whoever asks has seen to that");
        let (mut pixels, mut largest, mut first) = (0, 0, None);
        let both = reference.rgba.chunks_exact(4).zip(other.rgba.chunks_exact(4));
        for (place, (this, that)) in both.enumerate() {
            let apart = farthest(this, that);
            if apart > 0 {
                pixels += 1;
                largest = largest.max(apart);
                first.get_or_insert(place);
            }
        }
        let (place, width) = (first? as u64, u64::from(reference.size.width));
        let side = |at: u64| u32::try_from(at).unwrap_or(u32::MAX);
        Some(Self { pixels, largest, first: (side(place % width), side(place / width)) })
    }
}

/// The largest difference of a channel between two pixels.
fn farthest(this: &[u8], that: &[u8]) -> u8 {
    this.iter().zip(that).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use framecost_sample::Size;

    fn image(change: &[(usize, u8)]) -> Image {
        let mut rgba = vec![100; 3 * 2 * 4];
        change.iter().for_each(|&(byte, value)| rgba[byte] = value);
        Image { size: Size { width: 3, height: 2 }, rgba }
    }

    fn between(changes: &[(usize, u8)]) -> Option<Difference> {
        let there = Difference::between(&image(&[]), &image(changes));
        assert_eq!(there, Difference::between(&image(changes), &image(&[])), "the same both ways");
        there
    }

    #[test]
    fn equal_bytes_are_no_difference() {
        assert_eq!(between(&[]), None);
        let one = Image { size: Size { width: 1, height: 1 }, rgba: vec![1, 2, 3, 4] };
        assert_eq!(Difference::between(&one, &one.clone()), None);
    }

    #[test]
    fn each_byte_counts_and_each_pixel_once() {
        for byte in 0..24 {
            let (x, y) = ((byte / 4 % 3) as u32, (byte / 12) as u32);
            let expected = Difference { pixels: 1, largest: 1, first: (x, y) };
            assert_eq!(between(&[(byte, 101)]), Some(expected), "byte {byte}");
        }
        let two = Difference { pixels: 2, largest: 155, first: (2, 0) };
        assert_eq!(between(&[(8, 99), (9, 255), (11, 0), (23, 97)]), Some(two));
    }

    #[test]
    fn the_first_is_the_first_in_rows_and_not_in_columns() {
        assert_eq!(between(&[(2 * 4, 0), (3 * 4, 0)]).unwrap().first, (2, 0));
        let all: Vec<(usize, u8)> = (0..24).map(|byte| (byte, 0)).collect();
        assert_eq!(between(&all), Some(Difference { pixels: 6, largest: 100, first: (0, 0) }));
    }
}
