//! TLS: rustls with ring's cryptography, Mozilla's roots, and those that the policy adds.

use std::sync::{Arc, OnceLock};

use rustls::client::Resumption;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{AlertDescription, ClientConfig, Error, RootCertStore};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::failure::{Code, Failure};
use super::unmasked::Unmasked;
use wisp_policy::hosts::Host;

/// Why a file of certificates cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CaError {
    /// The file has no certificate.
    #[error("has no certificate (`-----BEGIN CERTIFICATE-----`)")]
    Empty,
    /// A certificate is damaged.
    #[error("has a damaged certificate: {0}")]
    Damaged(String),
}

/// The trusted certificates.
#[derive(Clone)]
pub struct Roots(Arc<RootCertStore>);

impl Roots {
    /// Returns Mozilla's certificates.
    pub fn public() -> Self {
        static PUBLIC: OnceLock<Roots> = OnceLock::new();
        let roots = || Self(Arc::new(RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() }));
        PUBLIC.get_or_init(roots).clone()
    }

    /// Returns these certificates, and those of a PEM text.
    ///
    /// # Errors
    /// If the text has no certificate, or one that is damaged.
    pub fn with_pem(&self, pem: &[u8]) -> Result<Self, CaError> {
        let mut store = RootCertStore::clone(&self.0);
        let before = store.len();
        for certificate in CertificateDer::pem_slice_iter(pem) {
            let certificate = certificate.map_err(|error| CaError::Damaged(error.to_string()))?;
            store.add(certificate).map_err(|error| CaError::Damaged(error.to_string()))?;
        }
        if store.len() == before { Err(CaError::Empty) } else { Ok(Self(Arc::new(store))) }
    }
}

/// TLS of one session.
pub(super) struct Tls {
    roots: Roots,
    config: OnceLock<Result<TlsConnector, String>>,
}

impl Tls {
    pub(super) fn new(roots: Roots) -> Self {
        Self { roots, config: OnceLock::new() }
    }

    pub(super) fn roots(&self) -> &Roots {
        &self.roots
    }

    fn connector(&self) -> Result<&TlsConnector, Failure> {
        let make = || {
            let provider = Arc::new(rustls::crypto::ring::default_provider());
            let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
            let config = config.map_err(|error| error.to_string())?;
            let mut config = config.with_root_certificates(self.roots.0.clone()).with_no_client_auth();
            config.alpn_protocols = vec![b"http/1.1".to_vec()];
            // Connections share nothing: otherwise a server could recognize them as one client.
            config.resumption = Resumption::disabled();
            Ok(TlsConnector::from(Arc::new(config)))
        };
        self.config.get_or_init(make).as_ref().map_err(|error| Failure::new(Code::Internal, error.clone()))
    }

    /// Performs the handshake as a client that asks for `host`.
    pub(super) async fn connect(&self, host: &Host, stream: TcpStream) -> Result<TlsStream<TcpStream>, Unmasked<Failure>> {
        let name = match host {
            Host::Name(name) => ServerName::try_from(name.clone())
                .map_err(|_| Failure::new(Code::TlsCertificate, format!("`{name}` is not a name that a certificate can have")))?,
            Host::V4(address) => ServerName::IpAddress((*address).into()),
            Host::V6(address) => ServerName::IpAddress((*address).into()),
        };
        self.connector()?.connect(name, stream).await.map_err(|error| failure(&error))
    }
}

/// Returns the meaning of a TLS error. It may contain names from a certificate, which are the server's text.
pub(super) fn failure(error: &std::io::Error) -> Unmasked<Failure> {
    Unmasked::new(error).map(|error| match error.get_ref().and_then(|inner| inner.downcast_ref::<Error>()) {
        Some(error @ Error::InvalidCertificate(_)) => Failure::new(Code::TlsCertificate, error.to_string()),
        Some(Error::AlertReceived(alert)) => {
            let code = if *alert == AlertDescription::CloseNotify { Code::ConnectionTerminated } else { Code::TlsAlert(u8::from(*alert)) };
            Failure::new(code, format!("the server ended TLS: {alert:?}"))
        }
        Some(error) => Failure::new(Code::TlsProtocol, error.to_string()),
        None => Failure::new(Code::ConnectionTerminated, format!("the connection ended during TLS: {error}")),
    })
}
