//! Arbitrary bytes as a file of ocat.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| framecost_fuzz::check(bytes, "ocat"));
