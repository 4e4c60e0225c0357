//! Public suites for shells and tools, run in wisp: each case in its own session, with limits, in parallel.
//!
//! A suite consists of files that `toolchain/suites` fetched; [`suites`] reads them into [`case::Case`]s. If a suite
//! does not state the expected result, or requires what the real program does not do, the real program's verdict
//! counts: [`oracle`] runs it in a jail, and [`verdicts`] stores the results in the tree, so that a run needs no
//! oracle. [`expected`] is the list of known failures; [`report`] shows what changed.

pub mod byutil;
pub mod case;
pub mod expected;
pub mod oracle;
pub mod report;
pub mod run;
pub mod suites;
pub mod verdicts;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The repository.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Where `toolchain/suites` puts what it fetches.
pub fn place() -> PathBuf {
    root().join("target/conformance")
}

/// The cases that run, and why the others do not. `quick`: all except our own cases that are among the tests anyway
/// (`tests/cases/files.rs`).
pub fn choose(cases: &[case::Case], verdicts: &verdicts::Verdicts, quick: bool) -> (Vec<usize>, BTreeMap<usize, String>) {
    let (mut chosen, mut skipped) = (Vec::new(), BTreeMap::new());
    for (index, case) in cases.iter().enumerate() {
        if quick && ["own/shell/", "own/scripts/"].iter().any(|own| case.id.starts_with(own)) {
            continue;
        }
        match case.skip.as_deref().or(verdicts.skip(&case.id)) {
            Some(reason) => _ = skipped.insert(index, reason.to_owned()),
            None => chosen.push(index),
        }
    }
    (chosen, skipped)
}
