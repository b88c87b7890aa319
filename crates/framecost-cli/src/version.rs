//! What this program is: version, revision, features.

/// The revision of its source, or `unknown`.
pub(crate) const REVISION: &str = env!("FRAMECOST_REVISION");
/// The reference scenes are built in: the program measures itself.
pub(crate) const HAS_SCENES: bool = cfg!(feature = "scenes");
/// All of it on one line.
pub(crate) const LONG: &str = if HAS_SCENES {
    concat!(env!("CARGO_PKG_VERSION"), " (revision ", env!("FRAMECOST_REVISION"), ", features: scenes)")
} else {
    concat!(env!("CARGO_PKG_VERSION"), " (revision ", env!("FRAMECOST_REVISION"), ", features: none)")
};
