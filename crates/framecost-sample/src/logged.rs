//! What the frames of somebody's log are: which of the run's frames are there, and which metric is their time. In: facts of a
//! capture's environment. Out: the same as a type, or none for a run whose frames are named by their place on a scene's path.

use crate::{Environment, Nanos};

/// The fact that says which frames a log holds.
const FRAMES: &str = "frames of the log";
/// The fact that names the metric of the frames' times.
const FRAME_TIME: &str = "frame time";

/// The fact that names what made the generated frames.
const GENERATOR: &str = "frame generator";

/// A capture of a log that some tool wrote while somebody played. Its frames are counted from 0; frame 7 of another log is other
/// work, so that frames of two logs are never held against each other one by one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Logged {
    /// Which of the run's frames it holds.
    pub coverage: Coverage,
    /// The metric of its frames' times; none where the log has none.
    pub frame_time: Option<String>,
    /// What made its generated frames, by the tool's names for it; none where it has none, or nobody says what made them.
    pub generator: Option<String>,
}

/// Which of a run's frames a log holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Coverage {
    /// All: the frame times add up to the time that passed.
    EveryFrame,
    /// Most: the times add up to clearly less than what passed.
    Gaps,
    /// Samples: a small part, met at instants.
    Sampled,
    /// The frame times add up to more than what passed.
    Overlapping,
    /// It cannot be told.
    Untold,
}

impl Coverage {
    /// Every one, for readers.
    pub const ALL: [Self; 5] = [Self::EveryFrame, Self::Gaps, Self::Sampled, Self::Overlapping, Self::Untold];

    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::EveryFrame => "every frame",
            Self::Gaps => "gaps",
            Self::Sampled => "sampled",
            Self::Overlapping => "overlapping",
            Self::Untold => "untold",
        }
    }

    /// The coverage of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|coverage| coverage.name() == name)
    }
}

impl Logged {
    /// A frame time past this is start-up, loading, a pause or garbage (PresentMon #397, #248). Our own choice.
    pub const LONG_FRAME: Nanos = Nanos(1e9);

    /// The name of the fact that says which generator made frames.
    pub const GENERATOR: &str = GENERATOR;

    /// The facts that say so, by name.
    #[must_use]
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let frame_time = self.frame_time.clone().map(|name| (FRAME_TIME, name));
        let generator = self.generator.clone().map(|name| (GENERATOR, name));
        let coverage = (FRAMES, self.coverage.name().to_owned());
        std::iter::once(coverage).chain(frame_time).chain(generator).collect()
    }

    /// What the frames of a run in that environment are; none where its facts do not say that it is a log.
    #[must_use]
    pub fn of(environment: &Environment) -> Option<Self> {
        let find = |name| environment.fact(name);
        let coverage = Coverage::from_name(find(FRAMES)?)?;
        let text = |name| find(name).map(str::to_owned);
        Some(Self { coverage, frame_time: text(FRAME_TIME), generator: text(GENERATOR) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fact, Reading};

    #[test]
    fn facts_come_back_and_others_say_nothing() {
        let environment = |facts: Vec<(&str, String)>| Environment {
            facts: facts
                .into_iter()
                .map(|(name, value)| Fact {
                    name: name.into(),
                    before: Reading::Measured(value.clone()),
                    after: Reading::Measured(value),
                })
                .collect(),
        };
        for coverage in Coverage::ALL {
            for frame_time in [None, Some("presented_interval".to_owned())] {
                for generator in [None, Some("Intel XeSS".to_owned())] {
                    let logged = Logged { coverage, frame_time: frame_time.clone(), generator };
                    assert_eq!(Logged::of(&environment(logged.facts())), Some(logged));
                }
            }
        }
        assert_eq!(Logged::of(&Environment::default()), None);
        assert_eq!(Logged::of(&environment(vec![(FRAMES, "some".into())])), None);
    }
}
