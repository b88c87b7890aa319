//! The engine for delimited text, shared by every format that is a table. In: a layout made from the header, and whole lines.
//! Out: parts that can be read on any thread and merged in order, and the log's streams at the end.
//!
//! ```text
//!  header -> Layout     lines -> Ends -> Batch -> Part     Part::then(Part)     Part -> assemble -> columns, streams, quarantine
//! ```
//!
//! A reader of something else than a table hands its rows to [`assemble::stream`], flags of [`part`] by row, and the log to
//! `plan::judge`.
//!
//! A format declares its columns as a table of [`known::Known`]; [`known::LookUp`] finds a header's names in it.
//!
//! Nothing is allocated for a cell or a row but the room for what is kept.

mod aside;
pub(super) mod assemble;
mod batch;
mod ends;
mod fields;
pub(crate) mod known;
mod layout;
mod numbers;
pub(super) mod part;
mod reader;
mod streams;

pub(crate) use assemble::{assemble, span};
pub(crate) use fields::Fields;
pub(crate) use layout::{ColumnPlan, Kind, Layout, Shown};
pub use part::Part;
pub(crate) use reader::{read_on, read_part};

#[cfg(test)]
mod tests;
