//! Thrift's compact protocol, in which Parquet writes its headers, as far as a check of them needs it. In: bytes. Out: fields,
//! or the fault. <https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md>

use crate::error::Fault;

/// Structs and lists inside each other; Parquet's footer nests about six deep.
const MOST_DEPTH: u32 = 16;
/// The reader makes room for as many entries as a list claims.
const MOST_ENTRIES: u64 = 1 << 16;

/// A reader of Thrift's compact protocol over what is left of the input.
pub(crate) struct Compact<'a> {
    pub(crate) rest: &'a [u8],
}

impl Compact<'_> {
    pub(crate) const I32: u8 = 5;
    pub(crate) const LIST: u8 = 9;
    const SET: u8 = 10;
    pub(crate) const STRUCT: u8 = 12;

    fn take(&mut self, count: usize) -> Result<&[u8], Fault> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or("a header ends too early")?;
        self.rest = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, Fault> {
        Ok(self.take(1)?[0])
    }

    fn varint(&mut self) -> Result<u64, Fault> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err("a number in a header is too long".into())
    }

    pub(crate) fn integer(&mut self) -> Result<i64, Fault> {
        let zigzag = self.varint()?;
        Ok((zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed())
    }

    /// The type of the next field, whose number replaces the one before in `field`; none at the struct's end.
    pub(crate) fn field(&mut self, field: &mut i64) -> Result<Option<u8>, Fault> {
        let byte = self.byte()?;
        if byte == 0 {
            return Ok(None);
        }
        *field = match byte >> 4 {
            0 => self.integer()?,
            step => *field + i64::from(step),
        };
        Ok(Some(byte & 0x0f))
    }

    /// The type of a list's entries and how many it claims. Whoever reads on finds each backed by a byte or more.
    pub(crate) fn list(&mut self) -> Result<(u8, u64), Fault> {
        let byte = self.byte()?;
        let length = match byte >> 4 {
            15 => self.varint()?,
            short => short.into(),
        };
        if length > MOST_ENTRIES {
            return Err(format!(
                "a list in a header claims {length} entries; at most {MOST_ENTRIES} are read"
            )
            .into());
        }
        Ok((byte & 0x0f, length))
    }

    /// Skips an entry of a list: unlike a field, a boolean there has a byte of its own.
    fn skip_entry(&mut self, kind: u8, depth: u32) -> Result<(), Fault> {
        match kind {
            1 | 2 => self.byte().map(drop),
            other => self.skip(other, depth),
        }
    }

    /// Skips a field.
    pub(crate) fn skip(&mut self, kind: u8, depth: u32) -> Result<(), Fault> {
        match kind {
            1 | 2 => {} // booleans as fields live in their type
            3 => drop(self.byte()?),
            4..=6 => drop(self.varint()?),
            7 => drop(self.take(8)?),
            8 => {
                let length = usize::try_from(self.varint()?).map_err(|_| "a text in a header is too long")?;
                self.take(length)?;
            }
            Self::LIST | Self::SET if depth < MOST_DEPTH => {
                let (kind, length) = self.list()?;
                for _ in 0..length {
                    self.skip_entry(kind, depth + 1)?;
                }
            }
            Self::STRUCT if depth < MOST_DEPTH => {
                let mut field = 0;
                while let Some(kind) = self.field(&mut field)? {
                    self.skip(kind, depth + 1)?;
                }
            }
            _ => return Err(format!("a header holds a field of type {kind}, which none has").into()),
        }
        Ok(())
    }
}
