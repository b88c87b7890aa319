//! The arguments that several commands share, each read into its own type with a text that says what is allowed.

use clap::{Command as Grammar, CommandFactory, Parser, ValueEnum};
use framecost_sample::Size;

use crate::cmd::Command;
use crate::version;

/// Says what a rendered frame costs, how sure that is, and whether it changed.
#[derive(Debug, Parser)]
#[command(
    name = "framecost",
    version = version::LONG,
    arg_required_else_help = true,
    after_help = "\
A first run:
  framecost adapters                                 what this machine can measure
  framecost bench orrery --repeats 5 --out stored    measure a scene five times
  framecost baseline save stored/*.framecost         keep the runs to compare with
  framecost bench orrery                             measure again: report here, capture in out/
  framecost compare out/orrery.framecost             against the baseline of this scene and adapter

Exit codes: 0 passes, 1 regressed or over a limit, 2 wrong use, 3 not measured, missing, damaged or undecided."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The grammar as this program's own: in usage and examples stand the program's name, and the name of a scene that it has.
pub(crate) fn grammar(program: &str, scene: Option<&str>) -> Grammar {
    let scene = scene.unwrap_or(REFERENCE_SCENE).to_owned();
    let grammar = Cli::command().bin_name(program).display_name(program);
    if program == NAME && scene == REFERENCE_SCENE { grammar } else { renamed(grammar, program, &scene) }
}

/// What examples in the help texts are written with.
const NAME: &str = "framecost";
const REFERENCE_SCENE: &str = "orrery";

fn renamed(grammar: Grammar, program: &str, scene: &str) -> Grammar {
    // Examples are lines of their own behind two spaces; files named framecost.toml stay what they are.
    let text = grammar.get_after_help().map(|help| {
        let help = help.to_string().replace(&format!("\n  {NAME} "), &format!("\n  {program} "));
        help.replace(REFERENCE_SCENE, scene)
    });
    let grammar = match text {
        Some(text) => grammar.after_help(text),
        None => grammar,
    };
    grammar.mut_subcommands(|command| renamed(command, program, scene))
}

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Tables for a terminal.
    Text,
    /// Tables for a pull request.
    Markdown,
    /// For programs; docs/format.md describes it.
    Json,
}

/// The format of commands that report.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct ReportFormat {
    /// How to write the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl ReportFormat {
    pub(crate) const fn get(self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

/// How a report is written where it may be looked at, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Looks {
    /// Tables for a terminal.
    Text,
    /// Tables for a pull request.
    Markdown,
    /// Charts in one file, for a browser; it needs no network.
    Html,
    /// For programs; docs/format.md describes it.
    Json,
}

/// The format of commands that report from captures alone.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct LooksFormat {
    /// How to write the report
    #[arg(long, value_enum, default_value_t = Looks::Text)]
    format: Looks,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl LooksFormat {
    /// The format; none where it is the page.
    pub(crate) const fn text(self) -> Option<Format> {
        match (self.json, self.format) {
            (true, _) | (false, Looks::Json) => Some(Format::Json),
            (false, Looks::Text) => Some(Format::Text),
            (false, Looks::Markdown) => Some(Format::Markdown),
            (false, Looks::Html) => None,
        }
    }
}

/// How a history is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Told {
    /// Lines for a terminal.
    Text,
    /// Charts in one file, for a browser; it needs no network.
    Html,
    /// For programs; docs/format.md describes it.
    Json,
}

/// The format of a history.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct ToldFormat {
    /// How to write it
    #[arg(long, value_enum, default_value_t = Told::Text)]
    format: Told,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl ToldFormat {
    pub(crate) const fn get(self) -> Told {
        if self.json { Told::Json } else { self.format }
    }
}

/// The format of commands that list.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct ListFormat {
    /// How to write it
    #[arg(long, value_enum, default_value_t = Plain::Text, global = true)]
    format: Plain,
    /// The same as --format json
    #[arg(long, conflicts_with = "format", global = true)]
    json: bool,
}

/// How a list is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Plain {
    /// Lines for a terminal.
    Text,
    /// For programs; docs/format.md describes it.
    Json,
}

impl ListFormat {
    pub(crate) fn is_json(self) -> bool {
        self.json || self.format == Plain::Json
    }
}

/// `NAME=VALUE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Set {
    pub(crate) name: String,
    pub(crate) value: String,
}

/// `NAME=V1,V2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Vary {
    pub(crate) name: String,
    pub(crate) values: Vec<String>,
}

/// Reads `1280x720`.
pub(crate) fn size(text: &str) -> Result<Size, String> {
    let fault = || "write WIDTHxHEIGHT, each at least 1, such as 1280x720".to_owned();
    let (width, height) = text.split_once(['x', 'X']).ok_or_else(fault)?;
    let side = |text: &str| text.parse::<u32>().ok().filter(|&side| side > 0).ok_or_else(fault);
    Ok(Size { width: side(width)?, height: side(height)? })
}

/// Reads `2%` or `2 %`, from 0 to `most` percent, as a part: 0.02. `example` stands in the error.
pub(crate) fn percentage(text: &str, most: f64, example: &str) -> Result<f64, String> {
    let number: Option<f64> = text.strip_suffix('%').and_then(|number| number.trim().parse().ok());
    let number = number.filter(|number| (0.0..=most).contains(number));
    let bare = text.trim().parse().is_ok_and(|number| (0.0..=most).contains(&number));
    let fault = || match bare {
        true => format!("write {}%", text.trim()),
        false => format!("write a percentage from 0 to {most}, such as {example}"),
    };
    number.map(|number| number / 100.0).ok_or_else(fault)
}

/// Reads `lit_load=4`.
pub(crate) fn set(text: &str) -> Result<Set, String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => {
            Ok(Set { name: name.into(), value: value.into() })
        }
        _ => Err("write SWITCH=VALUE, such as lit_load=4".into()),
    }
}

/// Reads `lit_load=1,4`.
pub(crate) fn vary(text: &str) -> Result<Vary, String> {
    let fault = || "write SWITCH=VALUE,VALUE, such as lit_load=1,4".to_owned();
    let (name, values) = text.split_once('=').ok_or_else(fault)?;
    let values: Vec<String> = values.split(',').map(str::to_owned).collect();
    if name.is_empty() || values.iter().any(String::is_empty) {
        return Err(fault());
    }
    Ok(Vary { name: name.into(), values })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_holds_together() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn sizes_and_switches_are_read_whole_or_refused() {
        assert_eq!(size("320x180"), Ok(Size { width: 320, height: 180 }));
        for bad in ["320", "0x180", "320x", "320x180x1", "-1x1", "a x b"] {
            assert!(size(bad).is_err(), "{bad}");
        }
        assert_eq!(set("a=b=c"), Ok(Set { name: "a".into(), value: "b=c".into() }));
        assert!(set("a").is_err() && set("=b").is_err() && set("a=").is_err());
        assert_eq!(vary("a=1,2"), Ok(Vary { name: "a".into(), values: vec!["1".into(), "2".into()] }));
        assert!(vary("a=1,").is_err() && vary("a").is_err());
    }
}
