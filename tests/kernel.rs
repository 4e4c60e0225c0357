//! Interpreters that stay alive: the next cell finds what the previous one left; what a fork has, and what it does
//! not share.

#[path = "kernel/cells.rs"]
mod cells;
#[path = "kernel/determinism.rs"]
mod determinism;
#[path = "kernel/engine.rs"]
mod engine;
#[path = "kernel/forks.rs"]
mod forks;
#[path = "kernel/kit.rs"]
mod kit;
#[path = "kernel/shells.rs"]
mod shells;
