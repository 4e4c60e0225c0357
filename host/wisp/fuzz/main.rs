//! The fuzz targets: each is a function of some bytes that must not panic.
//!
//! - `cargo test --test fuzz` runs each on a bounded number of inputs from a fixed seed, always the same
//!   (`WISP_FUZZ_SEED` and `WISP_FUZZ_ITERATIONS` change that), and on the inputs kept in `fuzz/corpus/NAME/`.
//! - `just fuzz NAME` runs one guided by coverage, through `cargo bolero`, with a nightly toolchain.

#![allow(clippy::disallowed_methods, reason = "inputs are kept in files")]

mod answers;
mod archive;
#[expect(dead_code, unreachable_pub, reason = "the tests of snapshot files use all of it")]
#[path = "../../../tests/support/container.rs"]
mod container;
mod filesystem;
mod input;
mod model;
mod mounts;
mod paths;
mod policy;
#[cfg(not(fuzzing))]
mod seeded;
mod snapshots;
mod urls;

/// Makes a test of a target, for both ways to run it.
macro_rules! fuzz {
    ($($name:ident => $target:path, $iterations:expr;)*) => {$(
        #[test]
        fn $name() {
            #[cfg(fuzzing)]
            bolero::check!().for_each(|bytes: &[u8]| $target(bytes));
            #[cfg(not(fuzzing))]
            seeded::run(stringify!($name), $iterations, $target);
        }
    )*};
}

fuzz! {
    path_resolve => paths::target, 20_000;
    policy_text => policy::text, 20_000;
    policy_document => policy::document, 20_000;
    policy_options => policy::options, 5_000;
    filesystem_model => filesystem::memory, 20_000;
    overlay_model => filesystem::overlay, 30_000;
    urls => urls::target, 200_000;
    answers => answers::target, 20_000;
    archive => archive::target, 20_000;
    mounts => mounts::target, 1_000;
    snapshot_shell => snapshots::shell, 5_000;
    snapshot_interpreter => snapshots::interpreter, 200;
}
