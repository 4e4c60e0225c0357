//! The data image, `tools.python = "data"`: CPython with numpy, pandas, scipy, scikit-learn and matplotlib, in the engine with
//! exceptions. `toolchain/just test-data` builds and compiles it first. Scripts with the output of a native CPython are in
//! `cases/`.

mod cases;
mod commands;
mod determinism;
mod files;
mod forks;
mod guide;
mod kept;
mod kit;
mod limits;
