//! The engine for delimited text, shared by every format that is a table. In: a layout made from the header, and whole lines.
//! Out: parts that can be read on any thread and merged in order, and the log's streams at the end.
//!
//! ```text
//!  header -> Layout     lines -> read_part -> Part     Part::then(Part)     Part -> assemble -> columns, streams, quarantine
//! ```
//!
//! Nothing is allocated for a cell or a row but the room for what is kept.

mod assemble;
mod fields;
mod layout;
mod part;
mod row;

pub(crate) use assemble::assemble;
pub(crate) use fields::Fields;
pub(crate) use layout::{ColumnPlan, Kind, Layout, Shown};
pub use part::Part;
pub(crate) use row::{read_on, read_part};

#[cfg(test)]
mod tests;
