//! `SHA256SUMS`: what a capture's files must hash to, in the form that `sha256sum -c` reads. A flipped bit in a tick is
//! otherwise a plausible tick.

use std::fmt::Write;

use sha2::{Digest, Sha256};

use crate::error::{Fault, quote};

/// The file's name in the folder.
pub(crate) const NAME: &str = "SHA256SUMS";

/// The hash of `bytes` as 64 lower-case hexadecimal digits.
pub(crate) fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a `String` cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The text for these files, in the given order.
pub(crate) fn text<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> String {
    files.into_iter().map(|(name, bytes)| format!("{}  {name}\n", hash(bytes))).collect()
}

/// The hashes that the text of a folder's list gives, which must be of exactly these files.
pub(crate) fn listed<const N: usize>(list: &[u8], names: &[&str; N]) -> Result<[String; N], Fault> {
    let list = str::from_utf8(list).map_err(|error| format!("is no UTF-8: {error}"))?;
    let mut lines = list.split_terminator('\n');
    let mut hashes = [const { String::new() }; N];
    for (hash, name) in hashes.iter_mut().zip(names) {
        let line = lines.next().unwrap_or_default();
        let Some((sum, listed_name)) = line.split_once("  ") else {
            return Err(format!("line {} must hold a hash, two spaces and `{name}`", quote(line)).into());
        };
        if listed_name != *name {
            return Err(format!("lists {} where `{name}` is due", quote(listed_name)).into());
        }
        *hash = sum.to_owned();
    }
    match lines.next() {
        None if list.ends_with('\n') => Ok(hashes),
        None => Err("its last line does not end".into()),
        Some(line) => Err(format!("lists a file too many: {}", quote(line)).into()),
    }
}

/// Checks that a file hashes to what is listed.
pub(crate) fn check_one(name: &str, bytes: &[u8], listed: &str) -> Result<(), Fault> {
    let actual = hash(bytes);
    if listed == actual {
        return Ok(());
    }
    Err(format!("`{name}` hashes to {actual}, not to the listed {}", quote(listed)).into())
}

/// Checks that `list`, the text of the folder's list, gives exactly these files and their hashes.
pub(crate) fn check<const N: usize>(list: &[u8], files: &[(&str, &[u8]); N]) -> Result<(), Fault> {
    let listed = listed(list, &files.map(|(name, _)| name))?;
    files.iter().zip(&listed).try_for_each(|((name, bytes), listed)| check_one(name, bytes, listed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_standard() {
        // FIPS 180-4, example of one block.
        assert_eq!(hash(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn a_list_fits_its_files_and_no_others() {
        let files: [(&str, &[u8]); 2] = [("a", b"1"), ("b", b"2")];
        let list = text(files);
        check(list.as_bytes(), &files).unwrap();
        fn fault<const N: usize>(list: &str, files: &[(&str, &[u8]); N]) -> String {
            check(list.as_bytes(), files).unwrap_err().0
        }
        assert!(fault(&list, &[("a", b"1"), ("b", b"3")]).starts_with("`b` hashes to "));
        assert!(fault(&list, &[files[0]]).starts_with("lists a file too many: "));
        assert!(fault("", &files).contains("must hold a hash"));
        assert_eq!(fault(list.trim_end(), &files), "its last line does not end");
        assert!(fault(&list.replace("  b", "  c"), &files).starts_with("lists `c` where `b` is due"));
    }
}
