//! Clients that connect to a surface: who can reach it at all, and how many at the same time.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use wisp_api::{ErrorCode, wisp_error};

use crate::timer::pause;
use crate::token::Token;

/// How many times in a row a client may not be accepted, and the time between: then the cause does not pass by itself.
const FAILURES: usize = 200;
const PAUSE: Duration = Duration::from_millis(50);

/// Accepts the clients of a surface that listens.
#[derive(Debug)]
pub struct Listener {
    listener: TcpListener,
    places: Arc<Semaphore>,
    /// How many times in a row a client was not accepted.
    failures: usize,
}

/// Why no clients can be accepted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ListenError {
    /// The system refuses.
    #[error("no connections can be accepted: {source}")]
    Failed {
        /// The system's error.
        source: io::Error,
    },
    /// Other machines could connect without a token.
    #[error("the address {address} is open to other machines, and there is no token: set one, or listen on 127.0.0.1")]
    Open {
        /// The address.
        address: String,
    },
}

impl ListenError {
    /// Returns the code of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Failed { .. } => ErrorCode::IoError,
            Self::Open { .. } => ErrorCode::InvalidArgument,
        }
    }
}

wisp_error!(ListenError);

impl Listener {
    /// Returns what accepts at most `connections` clients at the same time; others wait. Without a token, it must be on a loopback
    /// address. Call it in a Tokio runtime.
    ///
    /// # Errors
    /// If the listener cannot be used, or is open to other machines without a token.
    pub fn new(listener: std::net::TcpListener, token: Option<&Token>, connections: usize) -> Result<Self, ListenError> {
        let failed = |source| ListenError::Failed { source };
        let address = listener.local_addr().map_err(failed)?;
        if token.is_none() && !address.ip().is_loopback() {
            return Err(ListenError::Open { address: address.to_string() });
        }
        listener.set_nonblocking(true).map_err(failed)?;
        let listener = TcpListener::from_std(listener).map_err(failed)?;
        Ok(Self { listener, places: Arc::new(Semaphore::new(connections.max(1))), failures: 0 })
    }

    /// Waits for the next client. It has its place until what comes with it is dropped. No client is lost if the future is dropped.
    ///
    /// # Errors
    /// If the system goes on refusing for ten seconds.
    pub async fn accept(&mut self) -> Result<(TcpStream, OwnedSemaphorePermit), ListenError> {
        loop {
            // It fails only for a semaphore that is closed, and this one never is.
            let place =
                self.places.clone().acquire_owned().await.map_err(|closed| ListenError::Failed { source: io::Error::other(closed) })?;
            match self.listener.accept().await {
                Ok((stream, _)) => {
                    self.failures = 0;
                    return Ok((stream, place));
                }
                // There are no descriptors for another, for example: others are closed in the meantime.
                Err(_) if self.failures < FAILURES => {
                    self.failures += 1;
                    pause(PAUSE).await;
                }
                Err(source) => return Err(ListenError::Failed { source }),
            }
        }
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests listen on this machine, and connect to it")]
mod tests {
    use super::*;
    use crate::timer::now;

    fn listening(address: &str, token: Option<&Token>) -> Result<Listener, ListenError> {
        Listener::new(std::net::TcpListener::bind(address).unwrap(), token, 1)
    }

    #[tokio::test]
    async fn other_machines_need_a_token() {
        assert!(listening("127.0.0.1:0", None).is_ok());
        let refused = listening("0.0.0.0:0", None).unwrap_err();
        assert!(refused.code() == ErrorCode::InvalidArgument && refused.to_string().contains("there is no token"), "{refused}");
        assert!(listening("0.0.0.0:0", Token::new("0123456789abcdef").as_ref()).is_ok());
    }

    #[tokio::test]
    async fn one_more_client_than_there_are_places_waits() {
        let mut listener = listening("127.0.0.1:0", None).unwrap();
        let address = listener.listener.local_addr().unwrap();
        let (_first, _second) = (TcpStream::connect(address).await.unwrap(), TcpStream::connect(address).await.unwrap());
        let (_, place) = listener.accept().await.unwrap();
        assert!(now(listener.accept()).is_none());
        drop(place);
        assert!(listener.accept().await.is_ok());
    }
}
