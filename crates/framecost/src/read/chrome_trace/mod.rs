//! Stub.
use super::format::Head; use super::log::Log; use super::{Options, ReadError};
pub(super) fn matches(_: &Head<'_>) -> bool { false }
pub(super) fn read(_: &[u8], _: &Options) -> Result<Log, ReadError> { Err(ReadError::Empty(String::new())) }
