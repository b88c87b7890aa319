//! Names that are meant by misspelt ones. In: a name and those that are known. Out: the known ones that lie a few slips of the pen away.

/// The known name that the fewest slips turn into `name`: one, or two in names that are long enough for it. A metric, scene or
/// pass of somebody's own may well be named alike, so that short names are taken at their word.
pub(crate) fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    nearest_within(name, known, |slips, longest| slips * 4 < longest)
}

/// As [`nearest`], of a list that is whole: whatever is not on it is misspelt.
pub(crate) fn nearest_listed<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    nearest_within(name, known, |slips, longest| slips * 3 <= longest)
}

fn nearest_within<'a>(name: &str, known: &[&'a str], near: impl Fn(usize, usize) -> bool) -> Option<&'a str> {
    let apart = |other: &&'a str| {
        let slips = slips(name, other, 2)?;
        near(slips, length(name).max(length(other))).then_some((slips, *other))
    };
    known.iter().filter_map(apart).min().map(|(_, other)| other)
}

/// The names of a list of long ones that a third of their length turns into `name`, the nearest first, as many as are worth
/// reading.
pub(crate) fn nearest_few<'a>(name: &str, known: &[&'a str]) -> Vec<&'a str> {
    const MOST: usize = 3;
    let apart = |other: &&'a str| {
        let longest = length(name).max(length(other));
        Some((slips(name, other, longest / 3)?, *other))
    };
    let mut near: Vec<(usize, &str)> = known.iter().filter_map(apart).collect();
    near.sort_unstable();
    near.into_iter().take(MOST).map(|(_, other)| other).collect()
}

fn length(name: &str) -> usize {
    name.chars().count()
}

/// How many characters were left out, put in, replaced or swapped with their neighbour to make one name of the other; none
/// where there are more than `most`.
fn slips(one: &str, other: &str, most: usize) -> Option<usize> {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if one.len().abs_diff(other.len()) > most {
        return None;
    }
    let mut rows = vec![vec![0; other.len() + 1]; one.len() + 1];
    for i in 0..=one.len() {
        for j in 0..=other.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = rows[i - 1][j - 1] + usize::from(one[i - 1] != other[j - 1]);
                let swapped = i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1];
                let swapped = if swapped { rows[i - 2][j - 2] + 1 } else { usize::MAX };
                replaced.min(swapped).min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1)
            };
        }
    }
    Some(rows[one.len()][other.len()]).filter(|slips| *slips <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_counted() {
        let cases =
            [("gpu_total", "gpu_total", 0), ("gpu_totl", "gpu_total", 1), ("gpu_toatl", "gpu_total", 1)];
        for (one, other, expected) in cases {
            assert_eq!(
                (slips(one, other, 2), slips(other, one, 2)),
                (Some(expected), Some(expected)),
                "{one} {other}"
            );
        }
        assert_eq!(slips("cpu_frme", "gpu_frame", 2), Some(2));
        assert_eq!(slips("a", "abcd", 2), None);
    }

    #[test]
    fn short_names_that_merely_look_alike_are_names_of_their_own() {
        assert_eq!(nearest("rate", &["gate"]), None, "a scene may well have a rate");
        assert_eq!(nearest("gpu_ttoal", &["gate", "gpu_total"]), Some("gpu_total"));
        assert_eq!(nearest("attribted", &["attributed"]), Some("attributed"));
        assert_eq!(nearest("heap_bytes", &["texture_bytes"]), None);
    }

    #[test]
    fn of_long_names_the_nearest_few_are_named() {
        let known = ["low.worst.count", "low.worst.atleast", "low.pct.r7.time", "avg.harmonic"];
        assert_eq!(nearest_few("low.worse.cnt", &known), ["low.worst.count"]);
        assert_eq!(nearest_few("low.worst.cuont", &known)[0], "low.worst.count");
        assert_eq!(nearest_few("gpu_total", &known), Vec::<&str>::new());
    }
}
