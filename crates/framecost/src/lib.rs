//! The analysis of what a rendered frame cost: pure functions from a capture to a report.

pub mod account;
mod finding;

pub use finding::{Finding, Findings};
