//! CPU twins: each compute pass again, under its name, in plain Rust. They are the truth in tests.

pub mod bend;
pub mod culling;
