//! Arbitrary bytes as a file of chrome-trace.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| framecost_fuzz::check(bytes, "chrome-trace"));
