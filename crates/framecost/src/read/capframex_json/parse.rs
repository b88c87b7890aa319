//! A record as it comes out of the parser: arrays straight into cells, everything else passed over without being kept. In: JSON.
//! Out: facts and runs. Depth is bounded by the shape (what is not looked into is skipped without recursion), room by the file.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::columns::FACTS;
use crate::read::document::fact;
use crate::read::error::shown;
use crate::read::log::{Cell, Cells, Gap};
use crate::read::{MOST_COLUMNS, MOST_STREAMS, ReadError};

#[derive(Debug, Deserialize)]
pub(super) struct Record {
    #[serde(rename = "Info", default)]
    pub(super) info: Info,
    #[serde(rename = "Runs")]
    pub(super) runs: Runs,
}

/// The facts of `Info`, by their names as facts.
#[derive(Debug, Default)]
pub(super) struct Info(pub(super) BTreeMap<String, String>);

#[derive(Debug)]
pub(super) struct Runs(pub(super) Vec<Run>);

#[derive(Debug, Deserialize)]
pub(super) struct Run {
    #[serde(rename = "PresentMonRuntime", default)]
    pub(super) runtime: Text,
    #[serde(rename = "CaptureData", default)]
    pub(super) data: Option<Data>,
}

/// The arrays of a run in the order of the file, by name.
#[derive(Debug, Default)]
pub(super) struct Data(pub(super) Vec<(String, Cells)>);

/// A text; none where something else stands, such as null.
#[derive(Debug, Default)]
pub(super) struct Text(pub(super) Option<String>);

/// Parses a record.
pub(super) fn record(text: &[u8]) -> Result<Record, ReadError> {
    serde_json::from_slice(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let message = error.to_string();
        let message = message.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&message);
        let message = shown(message.as_bytes(), 200);
        ReadError::Malformed(format!(
            "line {line}, column {column}: {message}; allowed: a record of CapFrameX in JSON"
        ))
    })
}

impl<'de> Deserialize<'de> for Runs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Of;
        impl<'de> Visitor<'de> for Of {
            type Value = Runs;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of runs")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Runs, A::Error> {
                let mut runs = Vec::new();
                while let Some(run) = list.next_element()? {
                    if runs.len() >= MOST_STREAMS {
                        return Err(A::Error::custom(format_args!("more than {MOST_STREAMS} runs")));
                    }
                    runs.push(run);
                }
                Ok(Runs(runs))
            }
        }
        deserializer.deserialize_seq(Of)
    }
}

impl<'de> Deserialize<'de> for Info {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Of;
        impl<'de> Visitor<'de> for Of {
            type Value = Info;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of texts")
            }
            fn visit_unit<E>(self) -> Result<Info, E> {
                Ok(Info::default())
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Info, A::Error> {
                let mut facts = BTreeMap::new();
                while let Some(name) = map.next_key::<String>()? {
                    let Some((_, kept)) = FACTS.iter().find(|it| it.0 == name) else {
                        map.next_value::<IgnoredAny>()?;
                        continue;
                    };
                    let Text(text) = map.next_value()?;
                    if let Some(text) = text.as_deref().and_then(fact)
                        && facts.insert((*kept).to_owned(), text).is_some()
                    {
                        return Err(A::Error::custom(format_args!("{name} stands twice")));
                    }
                }
                Ok(Info(facts))
            }
        }
        deserializer.deserialize_any(Of)
    }
}

impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Of;
        impl<'de> Visitor<'de> for Of {
            type Value = Data;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of arrays")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Data, A::Error> {
                let mut arrays: Vec<(String, Cells)> = Vec::new();
                let mut seen = HashSet::new();
                while let Some(name) = map.next_key::<String>()? {
                    let Any::List(cells) = map.next_value::<Any>()? else { continue };
                    if cells.is_empty() {
                        continue;
                    }
                    // Columns keep no more of a name.
                    let name: String = name.chars().take(200).collect();
                    if !seen.insert(name.to_ascii_lowercase()) {
                        return Err(A::Error::custom(format_args!(
                            "{} stands twice",
                            shown(name.as_bytes(), 60)
                        )));
                    }
                    if arrays.len() >= MOST_COLUMNS {
                        return Err(A::Error::custom(format_args!("more than {MOST_COLUMNS} arrays")));
                    }
                    arrays.push((name, cells));
                }
                Ok(Data(arrays))
            }
        }
        deserializer.deserialize_map(Of)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(match Any::deserialize(deserializer)? {
            Any::Text(text) => Some(text),
            _ => None,
        }))
    }
}

/// Any value, as far as one matters here. An array's elements are cells before any column's rule: `NaN`, which records hold as a
/// text, and null are no values.
enum Any {
    Nothing,
    Number(f64),
    Text(String),
    List(Cells),
}

impl Any {
    fn cell(&self) -> Cell {
        match self {
            Self::Number(value) if value.is_finite() => Cell::Value(*value),
            Self::Nothing => Cell::Gap(Gap::NotWritten),
            Self::Text(text) if text == "NaN" => Cell::Gap(Gap::NotWritten),
            _ => Cell::Gap(Gap::Unparsable),
        }
    }
}

/// An element of an array: what lies deeper is skipped.
struct Element(Cell);

impl<'de> Deserialize<'de> for Element {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyOf { deeper: false }).map(|any| Self(any.cell()))
    }
}

impl<'de> Deserialize<'de> for Any {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyOf { deeper: true })
    }
}

struct AnyOf {
    /// Whether elements of an array are kept.
    deeper: bool,
}

impl<'de> Visitor<'de> for AnyOf {
    type Value = Any;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_f64<E>(self, value: f64) -> Result<Any, E> {
        Ok(Any::Number(value))
    }

    #[expect(clippy::cast_precision_loss, reason = "a file's numbers are read as the nearest f64")]
    fn visit_u64<E>(self, value: u64) -> Result<Any, E> {
        Ok(Any::Number(value as f64))
    }

    #[expect(clippy::cast_precision_loss, reason = "a file's numbers are read as the nearest f64")]
    fn visit_i64<E>(self, value: i64) -> Result<Any, E> {
        Ok(Any::Number(value as f64))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Any, E> {
        Ok(Any::Number(f64::from(u8::from(value))))
    }

    fn visit_str<E>(self, value: &str) -> Result<Any, E> {
        // No text of more than a few hundred characters is kept of a record.
        Ok(Any::Text(value.chars().take(400).collect()))
    }

    fn visit_unit<E>(self) -> Result<Any, E> {
        Ok(Any::Nothing)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Any, A::Error> {
        let mut cells = Cells::default();
        if !self.deeper {
            while list.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(Any::List(cells));
        }
        while let Some(Element(cell)) = list.next_element()? {
            cells.push(cell);
        }
        Ok(Any::List(cells))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Any, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Any::List(Cells::default()))
    }
}
