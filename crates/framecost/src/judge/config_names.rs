//! Names of metrics in `framecost.toml` that nothing answers to. In: a configuration and the captures at hand. Out: an error
//! where a name is a slip of the pen away from one that is known.

use framecost_sample::{BUILT_IN, Capture};

use super::{Config, ConfigError, Place};

impl Config {
    /// Checks the names of `[metric.NAME]` tables against framecost's own metrics and those of the captures.
    ///
    /// A name that none of them has may be of a scene that is not among them, so it is no error in itself; see
    /// [`super::Judgement::notes`]. One that is within two slips of a known name is taken for that name misspelt.
    ///
    /// # Errors
    /// The first such name, with its place and the name that was most likely meant.
    pub fn check_metrics<'a>(
        &self,
        captures: impl IntoIterator<Item = &'a Capture>,
    ) -> Result<(), ConfigError> {
        let mut known: Vec<&str> = BUILT_IN.iter().map(|row| row.0).collect();
        known.extend(captures.into_iter().flat_map(|capture| &capture.metrics).map(|it| it.name.as_str()));
        for (name, rule) in &self.metrics {
            let (false, Some(Place { line, column })) = (known.contains(&name.as_str()), rule.place) else {
                continue;
            };
            if let Some(meant) = nearest(name, &known) {
                let (name, meant) = (name.escape_debug(), meant.escape_debug());
                let cause = format!("metric `{name}` is not known; the nearest known name is `{meant}`");
                return Err(ConfigError { line, column, cause });
            }
        }
        Ok(())
    }
}

/// The known name that the fewest slips turn into `name`: one, or two in names that are long enough for it.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let length = |name: &str| name.chars().count();
    let near = |other: &&'a str| {
        let longest = length(name).max(length(other));
        let slips = slips(name, other)?;
        (slips <= 2 && slips * 4 < longest).then_some((slips, *other))
    };
    known.iter().filter_map(near).min().map(|(_, other)| other)
}

/// How many characters were left out, put in, replaced or swapped with their neighbour to make one name of the other; none
/// where the lengths alone say that it is too many to count.
fn slips(one: &str, other: &str) -> Option<usize> {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if one.len().abs_diff(other.len()) > 2 {
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
    Some(rows[one.len()][other.len()])
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
                (slips(one, other), slips(other, one)),
                (Some(expected), Some(expected)),
                "{one} {other}"
            );
        }
        assert_eq!(slips("cpu_frme", "gpu_frame"), Some(2));
        assert_eq!(slips("a", "abcd"), None);
    }

    #[test]
    fn short_names_that_merely_look_alike_are_names_of_their_own() {
        assert_eq!(nearest("rate", &["gate"]), None, "a scene may well have a rate");
        assert_eq!(nearest("gpu_ttoal", &["gate", "gpu_total"]), Some("gpu_total"));
        assert_eq!(nearest("attribted", &["attributed"]), Some("attributed"));
        assert_eq!(nearest("heap_bytes", &["texture_bytes"]), None);
    }
}
