//! The network of a session: the gate, the client, the limits, the secrets, against a server and a resolver of the
//! test. Each denial has an allowed twin.

mod addresses;
mod echoes;
mod kit;
mod limits;
mod rights;
mod secrets;
mod server;
mod session;
mod totals;
mod urls;
