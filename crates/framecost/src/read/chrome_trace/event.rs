//! One event. In: its bytes. Out: the members that matter here, names borrowed where they can be.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// An event. Members of other names are passed over; one that stands twice makes it none.
#[derive(Debug, Deserialize)]
pub(super) struct Event<'a> {
    #[serde(borrow, default)]
    pub(super) ph: Scalar<'a>,
    #[serde(borrow, default)]
    pub(super) name: Scalar<'a>,
    #[serde(borrow, default)]
    pub(super) cat: Scalar<'a>,
    #[serde(borrow, default)]
    pub(super) pid: Scalar<'a>,
    #[serde(borrow, default)]
    pub(super) tid: Scalar<'a>,
    /// Microseconds.
    #[serde(borrow, default)]
    pub(super) ts: Scalar<'a>,
    /// Microseconds.
    #[serde(borrow, default)]
    pub(super) dur: Scalar<'a>,
    #[serde(borrow, default)]
    pub(super) id: Scalar<'a>,
    #[serde(borrow, default)]
    pub(super) id2: Option<Id2<'a>>,
    #[serde(borrow, default)]
    pub(super) args: Option<Args<'a>>,
}

/// An id that says whether it holds in one process or in all.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Id2<'a> {
    #[serde(borrow, default)]
    pub(super) local: Scalar<'a>,
    #[serde(borrow, default)]
    pub(super) global: Scalar<'a>,
}

/// The arguments that matter: names of processes and threads, the state of a frame.
#[derive(Debug, Default)]
pub(super) struct Args<'a> {
    pub(super) name: Scalar<'a>,
    pub(super) frame: Option<FrameArgs<'a>>,
}

/// The state of a compositor's frame.
#[derive(Debug, Default, Deserialize)]
pub(super) struct FrameArgs<'a> {
    #[serde(borrow, default)]
    pub(super) state: Scalar<'a>,
    #[serde(borrow, default)]
    pub(super) layer_tree_host_id: Scalar<'a>,
}

/// A number or a text; nothing where something else stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Scalar<'a> {
    #[default]
    Nothing,
    Number(f64),
    Whole(u64),
    Text(Cow<'a, str>),
}

impl<'a> Scalar<'a> {
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "a file's numbers are read as the nearest f64")]
    pub(super) const fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Whole(number) => Some(*number as f64),
            Self::Nothing | Self::Text(_) => None,
        }
    }

    /// What names something: a text or a number, as a text.
    pub(super) fn name(self) -> Option<Cow<'a, str>> {
        match self {
            Self::Nothing => None,
            Self::Number(number) => Some(Cow::Owned(number.to_string())),
            Self::Whole(number) => Some(Cow::Owned(number.to_string())),
            Self::Text(text) => Some(text),
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Scalar<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

struct ScalarVisitor;

impl<'de> Visitor<'de> for ScalarVisitor {
    type Value = Scalar<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_f64<E>(self, value: f64) -> Result<Scalar<'de>, E> {
        Ok(Scalar::Number(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Scalar<'de>, E> {
        Ok(Scalar::Whole(value))
    }

    #[expect(clippy::cast_precision_loss, reason = "a file's numbers are read as the nearest f64")]
    fn visit_i64<E>(self, value: i64) -> Result<Scalar<'de>, E> {
        Ok(Scalar::Number(value as f64))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Scalar<'de>, E> {
        Ok(Scalar::Nothing)
    }

    fn visit_unit<E>(self) -> Result<Scalar<'de>, E> {
        Ok(Scalar::Nothing)
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Scalar<'de>, E> {
        Ok(Scalar::Text(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Scalar<'de>, E> {
        Ok(Scalar::Text(Cow::Owned(value.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Scalar<'de>, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Scalar::Nothing)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Scalar<'de>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Scalar::Nothing)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Args<'a> {
    /// Whatever stands there: arguments are the writer's own.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Of;
        impl<'de> Visitor<'de> for Of {
            type Value = Args<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Args<'de>, A::Error> {
                let mut args = Args::default();
                while let Some(Scalar::Text(name)) = map.next_key::<Scalar<'de>>()? {
                    match &*name {
                        "name" => args.name = map.next_value()?,
                        "frame_reporter" | "chrome_frame_reporter" => args.frame = Some(map.next_value()?),
                        _ => {
                            map.next_value::<IgnoredAny>()?;
                        }
                    }
                }
                Ok(args)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Args<'de>, A::Error> {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Args::default())
            }

            fn visit_str<E>(self, _: &str) -> Result<Args<'de>, E> {
                Ok(Args::default())
            }

            fn visit_bool<E>(self, _: bool) -> Result<Args<'de>, E> {
                Ok(Args::default())
            }

            fn visit_f64<E>(self, _: f64) -> Result<Args<'de>, E> {
                Ok(Args::default())
            }

            fn visit_u64<E>(self, _: u64) -> Result<Args<'de>, E> {
                Ok(Args::default())
            }

            fn visit_i64<E>(self, _: i64) -> Result<Args<'de>, E> {
                Ok(Args::default())
            }

            fn visit_unit<E>(self) -> Result<Args<'de>, E> {
                Ok(Args::default())
            }
        }
        deserializer.deserialize_any(Of)
    }
}
