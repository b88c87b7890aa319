//! Arbitrary bytes as a file of capframex-json.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| framecost_fuzz::check(bytes, "capframex-json"));
