//! The service (`host/service`): whose sessions are whose, how long they live, and what is found again by its id.

mod blocking;
mod checkpoints;
mod commands;
mod evaluations;
mod files;
mod functions;
mod kept;
pub(crate) mod kit;
mod owners;
mod send;
mod time;
