//! Findings: something odd that does not stop the work. In: any stage. Out: the report, where a person reads them.

/// Something odd: where, what caused it, what to do about it. Lower case, no full stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The frame, pass, file or line.
    pub place: String,
    /// What was seen.
    pub cause: String,
    /// What a person can do; not what was already done.
    pub remedy: String,
    /// How often it was seen; later sightings of the same cause only count.
    pub times: u64,
}

/// Findings as they come in: the same one again only counts, and their number is bounded.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    list: Vec<Finding>,
    left_out: u64,
}

impl Findings {
    /// Kinds kept. A report of more is not read; a hostile capture could raise one per pass.
    pub const MOST: usize = 64;

    /// Takes a finding in.
    pub fn add(&mut self, finding: Finding) {
        let same = |kept: &Finding| {
            kept.place == finding.place && kept.cause == finding.cause && kept.remedy == finding.remedy
        };
        if let Some(index) = self.list.iter().position(same) {
            let kept = &mut self.list[index];
            kept.times = kept.times.saturating_add(finding.times);
        } else if self.list.len() < Self::MOST {
            self.list.push(finding);
        } else {
            self.left_out = self.left_out.saturating_add(1);
        }
    }

    /// The findings in the order of their first sighting; the last one says how many more there were.
    #[must_use]
    pub fn into_list(mut self) -> Vec<Finding> {
        if self.left_out > 0 {
            self.list.push(Finding {
                place: "findings".into(),
                cause: format!("more than {} kinds of oddity were met, the rest is left out", Self::MOST),
                remedy: "mend the first ones, then measure again".into(),
                times: self.left_out,
            });
        }
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(place: &str) -> Finding {
        Finding { place: place.into(), cause: "c".into(), remedy: "r".into(), times: 2 }
    }

    #[test]
    fn the_same_finding_again_only_counts() {
        let mut findings = Findings::default();
        findings.add(finding("a"));
        findings.add(finding("b"));
        findings.add(finding("a"));
        let list = findings.into_list();
        assert_eq!(
            list.iter().map(|f| (f.place.as_str(), f.times)).collect::<Vec<_>>(),
            [("a", 4), ("b", 2)]
        );
    }

    #[test]
    fn a_flood_of_findings_stays_bounded() {
        let mut findings = Findings::default();
        for i in 0..1000 {
            findings.add(finding(&i.to_string()));
        }
        let list = findings.into_list();
        assert_eq!(list.len(), Findings::MOST + 1);
        assert_eq!(list.last().map(|last| last.times), Some(1000 - Findings::MOST as u64));
    }
}
