//! Single values of `framecost.toml`: percentages, amounts with units, names from lists. In: a value with its place. Out: what
//! it means, or a fault that says what stands there and what may.

use framecost_sample::{AdapterClass, Nanos, Size};
use toml::{Spanned, Value};

use super::config_text::ConfigError;
use super::{AdapterFilter, Amount, Place};
use crate::nearest::nearest_listed;
use crate::stats::Statistic;

/// A fault before its place is known as line and column: the byte at which it starts.
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) cause: String,
}

impl Fault {
    pub(super) fn new<T>(at: &Spanned<T>, cause: impl Into<String>) -> Self {
        Self { at: at.span().start, cause: cause.into() }
    }

    pub(super) fn in_text(self, text: &str) -> ConfigError {
        let Place { line, column } = Place::of(self.at, text);
        ConfigError { line, column, cause: self.cause }
    }
}

impl Place {
    /// The place of that byte.
    pub(super) fn of(byte: usize, text: &str) -> Self {
        let before = text.get(..byte).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            line: before.matches('\n').count() as u64 + 1,
            column: before[line_start..].chars().count() as u64 + 1,
        }
    }
}

/// A message of the TOML reader on one line; it quotes keys and values as they stand in the text.
pub(super) fn one_line(message: &str) -> String {
    let harmless = |c: char| c.is_ascii_graphic() || c == ' ';
    let chars = message.trim().replace('\n', "; ");
    let shown = |c: char| if harmless(c) { c.to_string() } else { c.escape_debug().to_string() };
    chars.chars().map(shown).collect()
}

pub(super) fn percentage(text: &Spanned<Value>) -> Result<f64, Fault> {
    let number = text.get_ref().as_str().and_then(percent);
    let number = number.ok_or_else(|| {
        Fault::new(
            text,
            format!("{} is not a percentage of at least 0, such as \"10 %\"", shown(text.get_ref())),
        )
    })?;
    if number > MOST_PERCENT / 100.0 {
        let given = shown(text.get_ref());
        return Err(Fault::new(
            text,
            format!("{given} is a limit that nothing reaches; allowed: at most {MOST_PERCENT} %"),
        ));
    }
    Ok(number)
}

fn percent(text: &str) -> Option<f64> {
    let number: f64 = text.trim().strip_suffix('%')?.trim_end().parse().ok()?;
    (number.is_finite() && number >= 0.0).then_some(number / 100.0)
}

/// A time, such as a noise floor.
pub(super) fn time(text: &Spanned<Value>) -> Result<Nanos, Fault> {
    match amount(text)? {
        Amount::Time(time) => Ok(time),
        Amount::Bytes(_) | Amount::Plain(_) | Amount::Part(_) | Amount::Rate(_) => {
            Err(Fault::new(text, format!("{} is no time, such as \"20 us\"", shown(text.get_ref()))))
        }
    }
}

/// `"6 ms"`, `"64 KiB"`, `"95 %"`, `12`.
pub(super) fn amount(value: &Spanned<Value>) -> Result<Amount, Fault> {
    let found = match value.get_ref() {
        #[expect(clippy::cast_precision_loss, reason = "a limit of at most 16 digits")]
        Value::Integer(number) => Some(Amount::Plain(*number as f64)),
        Value::Float(number) => Some(Amount::Plain(*number)),
        Value::String(text) => {
            let time = || text.parse::<Nanos>().ok().map(Amount::Time);
            let rate =
                || text.strip_suffix("fps").and_then(|text| text.trim().parse().ok()).map(Amount::Rate);
            percent(text)
                .map(Amount::Part)
                .or_else(rate)
                .or_else(time)
                .or_else(|| bytes(text).map(Amount::Bytes))
        }
        Value::Boolean(_) | Value::Datetime(_) | Value::Array(_) | Value::Table(_) => None,
    };
    let sound = |amount: &Amount| match *amount {
        Amount::Time(Nanos(number))
        | Amount::Bytes(number)
        | Amount::Plain(number)
        | Amount::Part(number)
        | Amount::Rate(number) => number.is_finite() && number >= 0.0,
    };
    let found = found.filter(sound).ok_or_else(|| {
        let given = shown(value.get_ref());
        let bare =
            value.get_ref().as_str().filter(|text| text.trim().parse::<f64>().is_ok_and(|it| it >= 0.0));
        let cause = match bare {
            Some(number) => format!(
                "{given} has no unit: write {AMOUNTS}, which stands without quotes ({})",
                number.trim().escape_debug()
            ),
            None => format!("{given} is not an amount of at least 0: write {AMOUNTS}"),
        };
        Fault::new(value, cause)
    })?;
    let (number, most, allowed) = match found {
        Amount::Time(Nanos(number)) => (number, MOST_TIME, "1 day"),
        Amount::Bytes(number) => (number, MOST_BYTES, "1 PiB"),
        Amount::Plain(number) | Amount::Part(number) | Amount::Rate(number) => (number, MOST_PLAIN, "10^15"),
    };
    if number > most {
        let given = shown(value.get_ref());
        return Err(Fault::new(
            value,
            format!("{given} is past what any frame takes; allowed: at most {allowed}"),
        ));
    }
    Ok(found)
}

/// Growth to a hundred and one times the baseline: a limit past it would be none.
const MOST_PERCENT: f64 = 10_000.0;
const MOST_TIME: f64 = 86_400e9;
const MOST_BYTES: f64 = 1_125_899_906_842_624.0;
const MOST_PLAIN: f64 = 1e15;

/// What an amount may be.
const AMOUNTS: &str = "a time (\"6 ms\"; ns, us, ms, s), bytes (\"64 KiB\"; B, KiB, MiB, GiB), a rate (\"60 fps\"), \
     a percentage or a number";

fn bytes(text: &str) -> Option<f64> {
    let split = text.find(|c: char| c.is_ascii_alphabetic())?;
    let (number, unit) = text.split_at(split);
    let scale = match unit.trim_end() {
        "B" => 1.0,
        "KiB" => 1024.0,
        "MiB" => 1_048_576.0,
        "GiB" => 1_073_741_824.0,
        _ => return None,
    };
    number.trim().parse::<f64>().ok().map(|number| number * scale)
}

pub(super) fn statistic(text: &Spanned<String>) -> Result<Statistic, Fault> {
    let allowed = || format!("one of {}", list(Statistic::ALL.map(Statistic::name)));
    Statistic::from_name(text.get_ref()).ok_or_else(|| unknown(text, "statistic", text.get_ref(), &allowed()))
}

pub(super) fn size(text: &Spanned<String>) -> Result<Option<Size>, Fault> {
    if text.get_ref() == "any" {
        return Ok(None);
    }
    let size = text.get_ref().split_once('x').and_then(|(width, height)| {
        Some(Size { width: width.trim().parse().ok()?, height: height.trim().parse().ok()? })
    });
    let allowed = "write WIDTHxHEIGHT, such as `2560x1440`, or `any`";
    size.map(Some).ok_or_else(|| unknown(text, "size", text.get_ref(), allowed))
}

/// A class, `any`, or a part of the adapter's name. What is a slip of the pen away from a class is that class misspelt: as a
/// part of a name it would bind nothing.
pub(super) fn adapter(text: Spanned<String>) -> Result<AdapterFilter, Fault> {
    if let Some(class) = AdapterClass::from_name(text.get_ref()) {
        return Ok(AdapterFilter::Class(class));
    }
    let classes = AdapterClass::ALL.map(AdapterClass::name);
    let allowed = || format!("{}, any, or a part of the adapter's name", list(classes));
    match text.get_ref().trim() {
        "any" => Ok(AdapterFilter::Any),
        "" => Err(Fault::new(&text, format!("adapter is empty; write one of {}", allowed()))),
        other => match nearest_listed(&other.to_lowercase(), &classes) {
            None => Ok(AdapterFilter::Named(text.into_inner())),
            Some(meant) => {
                let allowed = format!("the nearest is `{meant}`; write one of {}", allowed());
                Err(unknown(&text, "adapter", text.get_ref(), &allowed))
            }
        },
    }
}

/// The name of one scene.
pub(super) fn one_scene(text: Spanned<String>) -> Result<String, Fault> {
    match text.get_ref().trim() {
        "" => Err(Fault::new(&text, "scene is empty; write the name of one scene")),
        "any" | "all" | "*" => {
            let given = text.get_ref().escape_debug().to_string();
            Err(Fault::new(
                &text,
                format!(
                    "scene `{given}` is no scene: a limit on every scene is a [[ceiling]], and a [[limit]] or [[gate]] without `scene` is for all"
                ),
            ))
        }
        _ => Ok(text.into_inner()),
    }
}

pub(super) fn unknown(place: &Spanned<String>, kind: &str, value: &str, allowed: &str) -> Fault {
    let value: String = value.chars().take(80).collect();
    Fault::new(place, format!("{kind} `{}` is not known; {allowed}", value.escape_debug()))
}

pub(super) fn shown(value: &Value) -> String {
    let text: String = value.to_string().chars().take(80).collect();
    format!("`{}`", text.trim_matches('"').escape_debug())
}

pub(super) fn list<const N: usize>(names: [&str; N]) -> String {
    names.join(", ")
}
