//! The data image, `tools.python = "data"`: CPython with numpy, pandas, scipy, scikit-learn and matplotlib, in the engine with
//! exceptions. `toolchain/just test-data` builds and compiles it first. Scripts with the output of a native CPython are in
//! `data/cases` (`data_cases.rs`).

#[path = "data/commands.rs"]
mod commands;
#[path = "data/determinism.rs"]
mod determinism;
#[path = "data/files.rs"]
mod files;
#[path = "data/forks.rs"]
mod forks;
#[path = "data/guide.rs"]
mod guide;
#[path = "data/kept.rs"]
mod kept;
#[path = "data/kit.rs"]
mod kit;
#[path = "data/limits.rs"]
mod limits;
