//! A connection to a server, whichever way messages travel.

use serde::Serialize;

use crate::http::Http;
use crate::lines::Lines;
use crate::wire::{Answer, Refusal};

/// A connection.
pub(crate) enum Connection {
    Lines(Lines),
    Http(Http),
}

impl Connection {
    /// Makes a request, about the tool `name` if it is about one, and waits for its answer. If it is given up, the server is told so.
    pub(crate) async fn request(&self, method: &str, name: Option<&str>, params: impl Serialize) -> Answer {
        match self {
            Self::Lines(lines) => lines.request(method, params).await,
            Self::Http(http) => http.request(method, name, params).await,
        }
    }

    /// Tells the server something.
    pub(crate) async fn notify(&self, method: &str, params: impl Serialize) {
        match self {
            Self::Lines(lines) => lines.notify(method, params).await,
            Self::Http(http) => http.notify(method, params).await,
        }
    }

    /// Goes on with this version of the protocol: `stateless` if each request says what the handshake said.
    pub(crate) fn agree(&self, version: &str, stateless: bool) -> Result<(), Refusal> {
        match self {
            // Lines are the same in all versions.
            Self::Lines(_) => Ok(()),
            Self::Http(http) => http.agree(version, stateless),
        }
    }

    /// Returns whether the server may still answer.
    pub(crate) fn is_open(&self) -> bool {
        match self {
            Self::Lines(lines) => lines.is_open(),
            Self::Http(http) => http.is_open(),
        }
    }

    /// Tells a server elsewhere that this is the end. A program ends with its input.
    pub(crate) async fn close(&self) {
        match self {
            Self::Lines(_) => {}
            Self::Http(http) => http.close().await,
        }
    }
}
