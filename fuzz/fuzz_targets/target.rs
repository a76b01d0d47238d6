//! The target named by `WAYFARER_FUZZ_TARGET`.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use wayfarer_fuzz::Target;

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("WAYFARER_FUZZ_TARGET").unwrap_or_default();
    Target::named(&name).expect("WAYFARER_FUZZ_TARGET names a target")
});

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = bytes.to_vec();
    (TARGET.repair)(&mut bytes);
    (TARGET.run)(&bytes);
});
