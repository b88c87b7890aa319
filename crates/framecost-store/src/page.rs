//! A look at a Parquet column's page headers before they are decoded. In: a file's bytes and a column's place in them.
//! Out: nothing, or the fault. The decoder allocates what a page header claims; here the claim is held against the
//! bytes that back it, so that a few hostile bytes cannot ask for gigabytes.

use std::ops::Range;

use crate::error::Fault;
use crate::thrift::Compact;

/// What a page may hold decoded. Writers aim at 1 MiB.
const MOST_PAGE_BYTES: i64 = 1 << 26;
/// More than this many times its size, nothing unpacks under Snappy, whose longest copy of 64 bytes takes three.
const MOST_EXPANSION: i64 = 22;
/// Encodings of texts whose decoder allocates for a number of values that only the page's own, packed bytes give.
const REFUSED: [(i64, &str); 2] = [(6, "DELTA_LENGTH_BYTE_ARRAY"), (7, "DELTA_BYTE_ARRAY")];

/// Checks the headers of the pages that fill `column`, a range of `file`.
pub(crate) fn check(file: &[u8], column: Range<usize>) -> Result<(), Fault> {
    let mut rest = file.get(column).ok_or("a column lies outside the file")?;
    while !rest.is_empty() {
        let mut reader = Compact { rest };
        let header = Header::read(&mut reader)?;
        rest = header.body(reader.rest)?;
    }
    Ok(())
}

/// The claims of a page header that the decoder allocates for; 0 where absent, as the decoder takes it.
#[derive(Default)]
struct Header {
    decoded_bytes: i64,
    stored_bytes: i64,
    dictionary_values: i64,
    encoding: i64,
}

impl Header {
    /// Field numbers as in `parquet.thrift`: 2, 3 the sizes; 7.1 the number of values in a dictionary page; 5.2 and 8.4
    /// the encoding of a data page.
    fn read(reader: &mut Compact<'_>) -> Result<Self, Fault> {
        let mut header = Self::default();
        let mut field = 0;
        while let Some(kind) = reader.field(&mut field)? {
            match (field, kind) {
                (2, Compact::I32) => header.decoded_bytes = reader.integer()?,
                (3, Compact::I32) => header.stored_bytes = reader.integer()?,
                (5, Compact::STRUCT) => header.encoding = number_in_struct(reader, 2)?,
                (7, Compact::STRUCT) => header.dictionary_values = number_in_struct(reader, 1)?,
                (8, Compact::STRUCT) => header.encoding = number_in_struct(reader, 4)?,
                _ => reader.skip(kind, 0)?,
            }
        }
        Ok(header)
    }

    /// What follows the page whose body starts at `rest`.
    fn body<'a>(&self, rest: &'a [u8]) -> Result<&'a [u8], Fault> {
        let &Self { decoded_bytes, stored_bytes, dictionary_values, encoding } = self;
        if let Some((_, name)) = REFUSED.iter().find(|(number, _)| *number == encoding) {
            return Err(format!(
                "a page is encoded as {name}, which is not read; allowed: plain or a dictionary"
            )
            .into());
        }
        let stored = usize::try_from(stored_bytes).ok().filter(|&stored| stored <= rest.len());
        let Some(stored) = stored else {
            return Err(format!("a page claims {stored_bytes} bytes, its column has {}", rest.len()).into());
        };
        if !(0..=MOST_PAGE_BYTES).contains(&decoded_bytes)
            || decoded_bytes > stored_bytes.saturating_mul(MOST_EXPANSION).saturating_add(64)
        {
            return Err(format!("a page of {stored_bytes} bytes claims {decoded_bytes} when decoded").into());
        }
        // The narrowest value of a dictionary, an empty text, takes four bytes.
        if !(0..=decoded_bytes / 4).contains(&dictionary_values) {
            return Err(
                format!("a dictionary of {decoded_bytes} bytes claims {dictionary_values} values").into()
            );
        }
        Ok(&rest[stored..])
    }
}

/// The number in that field of a struct, 0 where it is absent.
fn number_in_struct(reader: &mut Compact<'_>, wanted: i64) -> Result<i64, Fault> {
    let (mut number, mut field) = (0, 0);
    while let Some(kind) = reader.field(&mut field)? {
        if (field, kind) == (wanted, Compact::I32) {
            number = reader.integer()?;
        } else {
            reader.skip(kind, 1)?;
        }
    }
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A dictionary page: type 2, sizes, then field 7 with a number of values and encoding 0.
    fn page(decoded: u8, stored: u8, values: u8, body: &[u8]) -> Vec<u8> {
        let zigzag = |value: u8| value << 1;
        let mut bytes = vec![0x15, 4, 0x15, zigzag(decoded), 0x15, zigzag(stored)];
        bytes.extend([0x4c, 0x15, zigzag(values), 0x15, 0, 0, 0]);
        bytes.extend(body);
        bytes
    }

    fn fault(bytes: &[u8]) -> String {
        check(bytes, 0..bytes.len()).unwrap_err().0
    }

    #[test]
    fn a_claim_must_be_backed_by_bytes() {
        let good = page(8, 8, 2, &[0; 8]);
        check(&good, 0..good.len()).unwrap();
        assert_eq!(fault(&page(8, 9, 2, &[0; 8])), "a page claims 9 bytes, its column has 8");
        assert_eq!(fault(&page(8, 8, 3, &[0; 8])), "a dictionary of 8 bytes claims 3 values");
        // 2^31 - 1 bytes decoded out of one stored.
        let mut bomb = vec![0x25, 0xfe, 0xff, 0xff, 0xff, 0x0f, 0x15, 2, 0];
        bomb.push(0);
        assert_eq!(fault(&bomb), "a page of 1 bytes claims 2147483647 when decoded");
    }

    #[test]
    fn nesting_is_bounded() {
        assert!(fault(&[0x1c; 64]).starts_with("a header holds a field of type 12"));
    }

    proptest! {
        #[test]
        fn no_bytes_panic_or_loop(bytes: Vec<u8>) {
            let _ = check(&bytes, 0..bytes.len());
        }
    }
}
