//! The network of a session: the gate, the client, the limits, the secrets, against a server and a resolver of the
//! test. Each denial has an allowed twin.

#[path = "net/addresses.rs"]
mod addresses;
#[path = "net/echoes.rs"]
mod echoes;
#[path = "net/kit.rs"]
mod kit;
#[path = "net/limits.rs"]
mod limits;
#[path = "net/rights.rs"]
mod rights;
#[path = "net/secrets.rs"]
mod secrets;
#[path = "net/server.rs"]
mod server;
#[path = "net/session.rs"]
mod session;
#[path = "net/totals.rs"]
mod totals;
#[path = "net/urls.rs"]
mod urls;
