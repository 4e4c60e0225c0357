//! The service (`host/service`): whose sessions are whose, how long they live, and what is found again by its id.

mod blocking;
mod checkpoints;
mod commands;
mod evaluations;
<<<<<<< HEAD
mod kept;
mod kit;
=======
pub(crate) mod kit;
>>>>>>> 168f8943 (wisp-mcp: a server of the Model Context Protocol over lines and HTTP)
mod owners;
mod send;
mod time;
