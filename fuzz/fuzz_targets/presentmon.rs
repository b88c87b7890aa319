//! Arbitrary bytes as a file of presentmon.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| framecost_fuzz::check(bytes, "presentmon"));
