//! The network of wisp's sessions, outbound HTTP: one gate, one client. It knows neither sessions nor wasmtime: the
//! library passes in the rules, the resolver, the clocks and the observer ([`NetParts`]).
//!
//! The steps of a request: [`Net::send`] reads it (`gate` checks scheme, host, port, method and path) → it waits for
//! its turn (`limits`) → the name is looked up ([`Resolve`]) → the gate checks every address (`address`) → a connection
//! to a checked address, without a second look-up (`connect`) → TLS with the host's name (`tls`) → HTTP/1.1 (`client`,
//! `wire`), where secrets replace their placeholders (`secret`). The server's response, and every error on the way, is
//! `unmasked` until its echoes of secrets are masked (`mask`). Every attempt leaves one [`Attempt`].
//!
//! No redirect is followed, and nothing is cached, decompressed or taken from the environment. A connection serves one
//! request and ends with it; connections are never shared, between sessions or within one.

mod address;
mod client;
mod connect;
mod debug;
mod failure;
mod gate;
mod headers;
mod limits;
mod mask;
mod net;
mod receipt;
mod request_body;
mod resolve;
mod response_body;
mod secret;
#[cfg(test)]
mod tests;
mod time;
mod tls;
mod unmasked;
mod wire;
mod withheld;

pub use client::{Pending, Request, Response, Timeouts};
#[doc(hidden)]
pub use connect::Stream;
pub use failure::{By, Code, Failure, MAX_TEXT};
pub use headers::{allowed as header_allowed, check_name, check_value};
pub use limits::Now;
pub use net::{Net, NetParts};
pub use receipt::{Attempt, Observer};
pub use request_body::{BodySender, RequestBody};
pub use resolve::{Resolve, SystemResolver};
pub use response_body::ResponseBody;
pub use secret::{SecretError, Secrets};
pub use time::Wait;
pub use tls::{CaError, Roots};
