//! Interpreters that stay alive: an evaluation finds what the previous one left; what a fork has, and what it does not
//! share.

#[path = "interpreter/determinism.rs"]
mod determinism;
#[path = "interpreter/engine.rs"]
mod engine;
#[path = "interpreter/evaluations.rs"]
mod evaluations;
#[path = "interpreter/forks.rs"]
mod forks;
#[path = "interpreter/kit.rs"]
mod kit;
#[path = "interpreter/rich.rs"]
mod rich;
#[path = "interpreter/shells.rs"]
mod shells;
#[path = "interpreter/threads.rs"]
mod threads;
