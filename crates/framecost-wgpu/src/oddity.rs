//! What a program does with its frames that it cannot have meant. In: sightings while frames are recorded. Out:
//! [`Oddities`], bounded, for whoever reports the run.

/// Counted since the timer was made, or since they were last taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Oddities {
    /// Names that [`crate::Frame::pass`] was asked for and no pass has, with how often: the first few of them.
    pub unknown_passes: Vec<(String, u64)>,
    /// How often it was asked for further ones.
    pub more_unknown: u64,
    /// Frames in which nothing was submitted.
    pub empty_frames: u64,
    /// Submissions that were dropped without being submitted.
    pub dropped_submissions: u64,
}

impl Oddities {
    /// Names that are kept.
    pub const MOST_NAMES: usize = 8;
    /// Characters of a name that are kept.
    const MOST_CHARS: usize = 80;

    /// Nobody has a pass of that name. Allocates only for a name that was not met before.
    pub(crate) fn unknown_pass(&mut self, name: &str) {
        let cut = name.char_indices().nth(Self::MOST_CHARS).map_or(name, |(end, _)| &name[..end]);
        if let Some((_, times)) = self.unknown_passes.iter_mut().find(|(known, _)| known == cut) {
            *times += 1;
        } else if self.unknown_passes.len() < Self::MOST_NAMES {
            self.unknown_passes.push((cut.to_owned(), 1));
        } else {
            self.more_unknown += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_names_are_counted_and_bounded() {
        let mut oddities = Oddities::default();
        for _ in 0..3 {
            oddities.unknown_pass("lot");
        }
        for i in 0..100 {
            oddities.unknown_pass(&format!("{i}"));
        }
        oddities.unknown_pass(&"\u{e9}".repeat(1000));
        assert_eq!(oddities.unknown_passes[0], ("lot".into(), 3));
        assert_eq!(oddities.unknown_passes.len(), Oddities::MOST_NAMES);
        assert_eq!(oddities.more_unknown, 100 - 7 + 1);
        let mut long = Oddities::default();
        long.unknown_pass(&"\u{e9}".repeat(1000));
        long.unknown_pass(&"\u{e9}".repeat(1000));
        assert_eq!(long.unknown_passes, [("\u{e9}".repeat(80), 2)]);
    }
}
