//! Writing what is expected into `framecost.toml`. In: runs, and the file as somebody keeps it. Out: the file with an entry for
//! each key, everything else in it as it was.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use framecost::counted;
use framecost::judge::{AdapterFilter, Config, Expect, expected_of};
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, Value, value};

use crate::capture::Group;
use crate::configured::{CONFIG, Configured};
use crate::exit::WrongUse;
use crate::output::quoted;

/// Lists longer than this stand one name a line.
const ON_ONE_LINE: usize = 4;

/// Entries with the file that they go to, checked and not yet written.
pub(crate) struct Expected {
    file: PathBuf,
    text: String,
    entries: Vec<Expect>,
}

impl Expected {
    /// The entries of these runs in that file, or in the nearest `framecost.toml`, or in a new one here. Of several runs of a
    /// key, what all of them measured.
    pub(crate) fn of(file: Option<&Path>, groups: Vec<Group>) -> Result<Self> {
        // A file that is named may be one that is to be made.
        let is_new = file.is_some_and(|file| !file.exists());
        let configured = if is_new { Configured::default() } else { Configured::read(file)? };
        let file = file.map(Path::to_path_buf).or(configured.file).unwrap_or_else(|| PathBuf::from(CONFIG));
        let entries: Vec<Expect> = groups.iter().filter_map(of_all).collect();
        let before = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => bail!(WrongUse(format!("cannot read {}: {error}", quoted(&file)))),
        };
        let text = with_entries(&before, &entries).with_context(|| quoted(&file))?;
        Config::from_toml(&text)
            .with_context(|| format!("{} would not be sound with what these runs expect", quoted(&file)))?;
        Ok(Self { file, text, entries })
    }

    /// Writes the file and says what is in it now.
    pub(crate) fn write(self) -> Result<String> {
        let fresh = self.file.with_extension("toml.new");
        fs::write(&fresh, &self.text).with_context(|| format!("cannot write {}", quoted(&fresh)))?;
        fs::rename(&fresh, &self.file).with_context(|| format!("cannot write {}", quoted(&self.file)))?;
        let each = |entry: &Expect| {
            let counts =
                [(entry.passes.len(), "pass"), (entry.gates.len(), "gate"), (entry.metrics.len(), "metric")];
            let counts = counts.map(|(count, kind)| counted(count as u64, kind)).join(", ");
            format!("  {}: {counts}", crate::output::clean(&entry.title()))
        };
        let entries: Vec<String> = self.entries.iter().map(each).collect();
        Ok(format!("expected from now on, by {}:\n{}", quoted(&self.file), entries.join("\n")))
    }
}

/// What all runs of a key measured.
fn of_all(group: &Group) -> Option<Expect> {
    let mut runs = group.runs.iter().map(expected_of);
    let mut first = runs.next()?;
    for other in runs {
        first.passes.retain(|name| other.passes.contains(name));
        first.gates.retain(|name| other.gates.contains(name));
        first.metrics.retain(|name| other.metrics.contains(name));
    }
    Some(first)
}

/// The text with these entries in place of those for the same runs, or behind all others.
fn with_entries(text: &str, entries: &[Expect]) -> Result<String> {
    let mut document: DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| WrongUse(error.to_string()))?;
    let list = document.entry("expect").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    let Some(list) = list.as_array_of_tables_mut() else {
        bail!(WrongUse("`expect` is written as a list in brackets; write [[expect]] tables".into()));
    };
    for entry in entries {
        let place = list.iter().position(|table| is_for(table, entry));
        match place.and_then(|place| list.get_mut(place)) {
            Some(table) => fill(table, entry),
            None => {
                let mut table = Table::new();
                identify(&mut table, entry);
                fill(&mut table, entry);
                list.push(table);
            }
        }
    }
    Ok(document.to_string())
}

/// Whether a table is of the same runs.
fn is_for(table: &Table, entry: &Expect) -> bool {
    let mut due = Table::new();
    identify(&mut due, entry);
    let text = |table: &Table, key: &str| table.get(key).and_then(Item::as_str).map(str::to_owned);
    let switches = |table: &Table| -> Vec<(String, String)> {
        let of = table.get("switches").and_then(Item::as_table_like);
        let of = of.into_iter().flat_map(|of| of.iter());
        let mut all: Vec<_> = of
            .map(|(name, value)| (name.to_owned(), value.as_str().unwrap_or_default().to_owned()))
            .collect();
        all.sort();
        all
    };
    let any = |text: Option<String>| text.filter(|text| text != "any");
    ["scene", "size", "adapter"].iter().all(|key| any(text(table, key)) == any(text(&due, key)))
        && switches(table) == switches(&due)
}

fn identify(table: &mut Table, entry: &Expect) {
    table["scene"] = value(&entry.scene);
    if let Some(size) = entry.size {
        table["size"] = value(size.to_string());
    }
    if !entry.switches.is_empty() {
        let switches: InlineTable =
            entry.switches.iter().map(|(name, of)| (name.as_str(), Value::from(of.as_str()))).collect();
        table["switches"] = value(switches);
    }
    if entry.adapter != AdapterFilter::Any {
        table["adapter"] = value(entry.adapter.name());
    }
}

fn fill(table: &mut Table, entry: &Expect) {
    for (key, names) in [("passes", &entry.passes), ("gates", &entry.gates), ("metrics", &entry.metrics)] {
        if names.is_empty() {
            table.remove(key);
        } else {
            table[key] = value(array(names));
        }
    }
}

fn array(names: &[String]) -> Array {
    let mut array: Array = names.iter().map(String::as_str).collect();
    if names.len() > ON_ONE_LINE {
        array.iter_mut().for_each(|name| name.decor_mut().set_prefix("\n    "));
        array.set_trailing("\n");
        array.set_trailing_comma(true);
    }
    array
}
