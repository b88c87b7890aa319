//! Findings: something odd that does not stop the work. In: any stage. Out: the report, where a person reads them.

/// Something odd: where, what caused it, what to do about it. Lower case, no full stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The frame, pass, file or line.
    pub place: String,
    /// What was seen.
    pub cause: String,
    /// What a person can do; not what was already done.
    pub remedy: String,
    /// How often it was seen; later sightings of the same cause only count.
    pub times: u64,
}
