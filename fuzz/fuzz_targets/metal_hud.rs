//! Arbitrary bytes as a file of metal-hud.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| framecost_fuzz::check(bytes, "metal-hud"));
