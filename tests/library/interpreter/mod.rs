//! Interpreters that stay alive: an evaluation finds what the previous one left; what a fork has, and what it does not
//! share.

mod closing;
mod determinism;
mod engine;
mod evaluations;
mod forks;
mod handles;
mod kit;
mod rich;
mod shells;
mod threads;
