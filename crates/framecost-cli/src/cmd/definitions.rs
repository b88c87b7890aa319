//! `framecost report --definitions`: every definition of averages, lows and smoothness side by side. In: capture folders. Out: a
//! table for each, as text, markdown or JSON.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use framecost::definitions::{Recorded, Sheet};
use framecost::report::{definitions_json, definitions_markdown, definitions_text};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::App;
use crate::args::{Format, LooksFormat};
use crate::exit::{Exit, WrongUse};
use crate::output::{self, quoted};

#[derive(Serialize)]
struct Listed {
    framecost_reports: u32,
    definitions: Vec<Box<RawValue>>,
}

pub(super) fn run(
    captures: &[PathBuf],
    format: LooksFormat,
    out: Option<&Path>,
    app: &App<'_>,
) -> Result<Exit> {
    let Some(format) = format.text() else {
        bail!(WrongUse("--definitions are written as text, markdown or json".into()));
    };
    let mut texts = Vec::new();
    for path in captures {
        let capture = framecost_store::read(path)?;
        let recorded = Recorded::of(&capture).with_context(|| quoted(path))?;
        let sheet = Sheet::of(&recorded.stream());
        let title = format!("{}, {} of {}", path.display(), recorded.frame_time, capture.key.scene);
        texts.push(match format {
            Format::Text => definitions_text(&title, &sheet, app.out.style()),
            Format::Markdown => definitions_markdown(&title, &sheet),
            Format::Json => definitions_json(&title, &sheet),
        });
    }
    let whole = match format {
        Format::Json => {
            let definitions = texts.iter().map(|text| output::raw(text)).collect::<Result<_>>()?;
            output::json(&Listed { framecost_reports: 1, definitions })?
        }
        Format::Text | Format::Markdown => texts.join("\n"),
    };
    app.out.print_to(out, &whole)?;
    Ok(Exit::Passed)
}
