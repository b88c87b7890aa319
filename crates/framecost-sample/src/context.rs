//! What a run was: its key (what must be equal before two runs are compared) and its environment (what is shown).

use std::collections::BTreeMap;
use std::fmt;

use crate::Reading;

/// Named renderer options of a run, such as `shadow_rays=off`. Sorted, so that equal sets have equal texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Switches(pub BTreeMap<String, String>);

/// Width and height in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
}

/// What kind of device stamped the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AdapterClass {
    /// A GPU on its own card.
    Discrete,
    /// A GPU that shares the CPU's memory.
    Integrated,
    /// A GPU handed through by a hypervisor.
    Virtual,
    /// A renderer on the CPU: its times are regression figures for that adapter only.
    Cpu,
    /// A device that does not say.
    Other,
}

impl AdapterClass {
    /// Every class, for readers and documentation.
    pub const ALL: [Self; 5] = [Self::Discrete, Self::Integrated, Self::Virtual, Self::Cpu, Self::Other];

    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Discrete => "discrete",
            Self::Integrated => "integrated",
            Self::Virtual => "virtual",
            Self::Cpu => "cpu",
            Self::Other => "other",
        }
    }

    /// The class of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }
}

/// Which measuring took part in the run. Runs that differ here are never compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Instrumentation(pub String);

/// The part of a run's identity that a comparison never crosses. The passes' semantics belong to it too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The program that ran: `framecost-scenes`, or a user's.
    pub benchmark: String,
    /// The scene.
    pub scene: String,
    /// The switch set in force, defaults included.
    pub switches: Switches,
    /// The adapter's name as its driver gives it.
    pub adapter: String,
    /// The kind of adapter.
    pub adapter_class: AdapterClass,
    /// The graphics API: `vulkan`, `metal`, `dx12`, or the tool that captured.
    pub backend: String,
    /// Size of the image; none where a foreign capture does not say.
    pub size: Option<Size>,
    /// Hash of all settings of the scene that no switch names (seeds, path, formats, sample count).
    pub settings_hash: String,
    /// What was measured beside the frame.
    pub instrumentation: Instrumentation,
    /// Frames that may be submitted and unfinished when the next one starts; none where unknown.
    pub frames_in_flight: Option<u32>,
}

/// What surrounded the run: shown, compared and declared, not part of the hard key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// Facts in a fixed order, each as it stood before and after the run.
    pub facts: Vec<Fact>,
}

impl Environment {
    /// The fact of that name as it stood before the run; none where it is not there or missing.
    #[must_use]
    pub fn fact(&self, name: &str) -> Option<&str> {
        match &self.facts.iter().find(|fact| fact.name == name)?.before {
            Reading::Measured(value) => Some(value),
            Reading::Missing(_) => None,
        }
    }
}

/// One fact about the machine or the build, read before and after the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Such as `driver`, `load average`, `governor`.
    pub name: String,
    /// Before the first warm-up frame.
    pub before: Reading<String>,
    /// After the last measured frame.
    pub after: Reading<String>,
}

impl fmt::Display for Switches {
    /// `a=1 b=off`; nothing for an empty set.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (name, value)) in self.0.iter().enumerate() {
            write!(f, "{}{name}={value}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}
