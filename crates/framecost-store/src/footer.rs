//! A look at a Parquet file's footer before the library parses it. In: a file's bytes. Out: nothing, or the fault. The library
//! makes room for as many children, columns and groups as the footer claims, and walks its schema by recursion.

use crate::error::Fault;
use crate::thrift::Compact;

/// Room for the footers of files with tens of thousands of groups.
const MOST_BYTES: usize = 1 << 24;
/// Columns of a table and the groups that they may be nested in.
const MOST_ELEMENTS: u64 = 1 << 10;
const MAGIC: &[u8] = b"PAR1";

/// Checks the claims of the footer of `file`. Whether it is a whole footer otherwise is the library's to say.
pub(crate) fn check(file: &[u8]) -> Result<(), Fault> {
    let mut reader = Compact { rest: bytes(file)? };
    let mut field = 0;
    while let Some(kind) = reader.field(&mut field)? {
        // Field 2 of `FileMetaData` in `parquet.thrift`.
        match (field, kind) {
            (2, Compact::LIST) => check_schema(&mut reader)?,
            _ => reader.skip(kind, 0)?,
        }
    }
    Ok(())
}

/// The footer lies before its length in four bytes and the magic.
fn bytes(file: &[u8]) -> Result<&[u8], Fault> {
    let ending = file.strip_suffix(MAGIC).and_then(|rest| rest.split_last_chunk::<4>());
    let (before, length) = ending.ok_or("is no Parquet file: it does not end with `PAR1`")?;
    let length = usize::try_from(u32::from_le_bytes(*length)).unwrap_or(usize::MAX);
    let most = before.len().min(MOST_BYTES);
    if length > most {
        return Err(format!("its footer claims {length} bytes; at most {most} are read").into());
    }
    Ok(&before[before.len() - length..])
}

fn check_schema(reader: &mut Compact<'_>) -> Result<(), Fault> {
    let (kind, elements) = reader.list()?;
    if elements > MOST_ELEMENTS {
        return Err(format!("its schema has {elements} elements; at most {MOST_ELEMENTS} are read").into());
    }
    for element in 0..elements {
        if kind != Compact::STRUCT {
            return Err("its schema is no list of elements".into());
        }
        let mut field = 0;
        while let Some(kind) = reader.field(&mut field)? {
            // Field 5 of `SchemaElement`: how many of the elements that follow are its children.
            if (field, kind) != (5, Compact::I32) {
                reader.skip(kind, 1)?;
                continue;
            }
            let children = reader.integer()?;
            if !(0..i64::try_from(elements).unwrap_or(0)).contains(&children) {
                return Err(
                    format!("element {element} of its schema claims {children} children; there are {elements} elements").into()
                );
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A file that is a footer alone.
    fn file(footer: &[u8]) -> Vec<u8> {
        let length = u32::try_from(footer.len()).unwrap().to_le_bytes();
        [footer, &length, MAGIC].concat()
    }

    /// A footer whose schema is a root of that many children, a zigzag number, and a column.
    fn footer(children: &[u8]) -> Vec<u8> {
        [&[0x15, 2, 0x19, 0x2c, 0x55], children, &[0, 0x15, 4, 0, 0]].concat()
    }

    fn fault(file: &[u8]) -> String {
        check(file).unwrap_err().0
    }

    #[test]
    fn children_and_entries_are_backed_by_bytes() {
        check(&file(&footer(&[2]))).unwrap();
        let claim = [0xfe, 0xff, 0xff, 0xff, 0x0f];
        assert_eq!(
            fault(&file(&footer(&claim))),
            "element 0 of its schema claims 2147483647 children; there are 2 elements"
        );
        assert_eq!(
            fault(&file(&[0x29, 0xfc, 0x81, 8])),
            "its schema has 1025 elements; at most 1024 are read"
        );
        // Field 4, the groups: a list of structs.
        assert_eq!(
            fault(&file(&[0x49, 0xfc, 0xff, 0xff, 0xff, 0x0f])),
            "a list in a header claims 33554431 entries; at most 65536 are read"
        );
        assert_eq!(fault(&file(&[0x49, 0x5c])), "a header ends too early");
        assert_eq!(fault(b"PAR1"), "is no Parquet file: it does not end with `PAR1`");
        let mut long = file(&footer(&[2]));
        let at = long.len() - 8;
        long[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(fault(&long), "its footer claims 4294967295 bytes; at most 11 are read");
    }

    #[test]
    fn a_schema_as_deep_as_the_file_is_long_is_refused_before_it_is_walked() {
        let mut deep = vec![0x29, 0xfc, 0x80, 0x80, 0x04];
        deep.extend([0x55, 2, 0].repeat(1 << 16));
        assert_eq!(fault(&file(&deep)), "its schema has 65536 elements; at most 1024 are read");
    }

    proptest! {
        #[test]
        fn no_bytes_panic_or_loop(bytes: Vec<u8>) {
            let _ = check(&file(&bytes));
        }
    }
}
