//! PresentMon's tables: console 1.0 to 2.x in every metrics mode, and captures of its service. In: a header. Out: how its rows are
//! read, and what the data says of units afterwards.
//!
//! Columns are found by name, never by place, since each release moved some (PresentMon #468). What each means and when it is
//! missing stands in one table, [`columns`]. Tools that have PresentMon inside write tables of the same shape; [`lay_out`] reads
//! those as well.

mod columns;
mod finish;
mod header;

pub(super) use finish::finish;
pub(super) use header::{Kin, lay_out, matches, plan};

#[cfg(test)]
mod tests;
