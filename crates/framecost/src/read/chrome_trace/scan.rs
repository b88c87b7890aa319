//! The events of a trace, one by one. In: the text. Out: each event's bytes with its line, and what stands beside the list.
//!
//! Nothing is parsed here but brackets and quotes, without recursion, so that depth costs nothing, a list without its end is read
//! up to there, and a damaged event takes no other with it.

use crate::read::ReadError;

/// Damaged events after which a new beginning is looked for; each costs a search, so they are bounded.
const MOST_RESTARTS: u32 = 100;
/// Bytes that an event may have; what is longer is damaged. Screenshots, the longest, have a tenth of it.
const MOST_EVENT: usize = 1 << 20;

/// Where a trace's parts stand in its text.
#[derive(Debug, Default)]
pub(super) struct Outline<'a> {
    /// The list of events from behind its bracket on.
    events: &'a [u8],
    /// The byte of the text at which it begins.
    start: usize,
    /// The object beside the list that describes the recording.
    pub(super) metadata: Option<&'a [u8]>,
}

/// Finds the list of events: the text itself, or the member `traceEvents` of the object that it is.
pub(super) fn outline(text: &[u8]) -> Result<Outline<'_>, ReadError> {
    let mut at = blanks(text, 0);
    match text.get(at) {
        Some(b'[') => return Ok(Outline { events: &text[at + 1..], start: at + 1, metadata: None }),
        Some(b'{') => at += 1,
        _ => return Err(malformed(text, at, "neither a list of events nor an object")),
    }
    let mut outline = Outline::default();
    let mut found = false;
    loop {
        at = blanks(text, at);
        match text.get(at) {
            Some(b',') => at += 1,
            Some(b'"') => {
                let end = string_end(text, at).ok_or_else(|| malformed(text, at, "a name without end"))?;
                let name = &text[at + 1..end - 1];
                at = blanks(text, end);
                if text.get(at) != Some(&b':') {
                    return Err(malformed(text, at, "no colon after a member's name"));
                }
                at = blanks(text, at + 1);
                let end = value_end(text, at);
                if name == b"traceEvents" {
                    if found {
                        return Err(malformed(text, at, "traceEvents stands twice"));
                    }
                    if text.get(at) != Some(&b'[') {
                        return Err(malformed(text, at, "traceEvents is no list"));
                    }
                    found = true;
                    (outline.events, outline.start) = (&text[at + 1..], at + 1);
                }
                // What follows a list without end, or a damaged one, is not looked for.
                let Some(end) = end else { break };
                if name == b"metadata" || name == b"otherData" {
                    outline.metadata = Some(&text[at..end]);
                }
                at = end;
            }
            _ => break,
        }
    }
    if found { Ok(outline) } else { Err(malformed(text, at, "no member traceEvents")) }
}

fn malformed(text: &[u8], at: usize, what: &str) -> ReadError {
    let line = 1 + memchr::memchr_iter(b'\n', &text[..at.min(text.len())]).count();
    ReadError::Malformed(format!("line {line}: {what}; allowed: trace events in JSON"))
}

/// An element of the list.
pub(super) enum Element<'a> {
    /// An object, whole as far as brackets tell.
    Event { line: u64, bytes: &'a [u8] },
    /// Something that is none; reading went on behind it, if it could.
    Damaged { line: u64, bytes: &'a [u8] },
}

/// Goes through a trace's events.
pub(super) struct Events<'a> {
    events: &'a [u8],
    at: usize,
    line: u64,
    /// Up to where lines were counted.
    counted: usize,
    restarts: u32,
    /// Whether the list's own bracket was met.
    pub(super) closed: bool,
}

impl<'a> Events<'a> {
    pub(super) fn of(text: &'a [u8], outline: &Outline<'a>) -> Self {
        let before = memchr::memchr_iter(b'\n', &text[..outline.start]).count() as u64;
        Self { events: outline.events, at: 0, line: 1 + before, counted: 0, restarts: 0, closed: false }
    }

    /// The line of a place, which lies behind every place asked for before.
    fn line_of(&mut self, at: usize) -> u64 {
        self.line += memchr::memchr_iter(b'\n', &self.events[self.counted..at]).count() as u64;
        self.counted = at;
        self.line
    }

    /// The text as far as the event that begins there may reach.
    fn up_to(&self, start: usize) -> &'a [u8] {
        &self.events[..self.events.len().min(start + MOST_EVENT)]
    }

    /// Goes back to the next line that begins an object, behind a place where no event could be read.
    pub(super) fn restart(&mut self, behind: usize) {
        self.restarts += 1;
        let mut at = behind;
        self.at = self.events.len();
        if self.restarts > MOST_RESTARTS {
            return;
        }
        while let Some(end) = memchr::memchr(b'\n', &self.events[at..]) {
            at += end + 1;
            let begins = blanks(self.events, at);
            if self.events.get(begins) == Some(&b'{') {
                self.at = begins;
                return;
            }
        }
    }

    /// Whether events were left unread after too many damaged ones.
    pub(super) const fn gave_up(&self) -> bool {
        self.restarts > MOST_RESTARTS
    }

    /// The place at which the event with these bytes begins.
    pub(super) fn place(&self, bytes: &[u8]) -> usize {
        // The slice was handed out by `next`, which ends where reading goes on.
        self.at - bytes.len()
    }
}

impl<'a> Iterator for Events<'a> {
    type Item = Element<'a>;

    fn next(&mut self) -> Option<Element<'a>> {
        loop {
            self.at = blanks(self.events, self.at);
            match self.events.get(self.at)? {
                // Commas too many are no events: writers leave one behind the last.
                b',' => self.at += 1,
                b']' => {
                    self.closed = true;
                    return None;
                }
                b'{' => {
                    let start = self.at;
                    let line = self.line_of(start);
                    let Some(end) = value_end(self.up_to(start), start) else {
                        self.restart(start);
                        let bytes = &self.events[start..self.events.len().min(start + 200)];
                        return Some(Element::Damaged { line, bytes });
                    };
                    self.at = end;
                    return Some(Element::Event { line, bytes: &self.events[start..end] });
                }
                _ => {
                    let start = self.at;
                    let line = self.line_of(start);
                    match value_end(self.up_to(start), start).filter(|end| *end > start) {
                        Some(end) => self.at = end,
                        None => self.restart(start),
                    }
                    let bytes = &self.events[start..self.at.clamp(start, self.events.len().min(start + 200))];
                    return Some(Element::Damaged { line, bytes });
                }
            }
        }
    }
}

fn blanks(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

/// Behind the closing quote of the string that begins there; none where it has none.
fn string_end(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        at += memchr::memchr2(b'"', b'\\', text.get(at..)?)?;
        if text[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// Behind the value that begins there: a string, something in brackets, or anything up to the next comma, bracket or blank. None
/// where the text ends before it does.
fn value_end(text: &[u8], start: usize) -> Option<usize> {
    let mut depth = 0_u64;
    let mut at = start;
    loop {
        match *text.get(at)? {
            b'"' => at = string_end(text, at)?,
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            b'}' | b']' if depth == 0 => return Some(at),
            b'}' | b']' => {
                depth -= 1;
                at += 1;
            }
            byte if depth == 0 && (byte == b',' || byte.is_ascii_whitespace()) => return Some(at),
            _ => {
                at += 1;
                continue;
            }
        }
        if depth == 0 {
            return Some(at);
        }
    }
}
