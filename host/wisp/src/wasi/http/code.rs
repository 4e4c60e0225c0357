//! Failures as the error codes of `wasi:http`.

use super::super::bindings::wasi::http::types::{DnsErrorPayload, ErrorCode, TlsAlertReceivedPayload};
use wisp_net::{Code, Failure};

pub(super) fn error_code(failure: &Failure) -> ErrorCode {
    let dns = |rcode: &str| ErrorCode::DnsError(DnsErrorPayload { rcode: Some(rcode.to_owned()), info_code: None });
    match &failure.code {
        Code::Denied => ErrorCode::HttpRequestDenied,
        Code::AddressProhibited => ErrorCode::DestinationIpProhibited,
        Code::UriInvalid => ErrorCode::HttpRequestUriInvalid,
        Code::MethodInvalid => ErrorCode::HttpRequestMethodInvalid,
        Code::NameUnknown => dns("NXDOMAIN"),
        Code::LookupFailed => dns("SERVFAIL"),
        Code::LookupTimeout => ErrorCode::DnsTimeout,
        Code::ConnectionRefused => ErrorCode::ConnectionRefused,
        Code::ConnectionTimeout => ErrorCode::ConnectionTimeout,
        Code::ConnectionTerminated => ErrorCode::ConnectionTerminated,
        Code::Unreachable => ErrorCode::DestinationUnavailable,
        Code::TooManyAtOnce => ErrorCode::ConnectionLimitReached,
        Code::TlsProtocol => ErrorCode::TlsProtocolError,
        Code::TlsCertificate => ErrorCode::TlsCertificateError,
        Code::TlsAlert(alert) => {
            ErrorCode::TlsAlertReceived(TlsAlertReceivedPayload { alert_id: Some(*alert), alert_message: Some(failure.reason.clone()) })
        }
        Code::RequestBodySize(size) => ErrorCode::HttpRequestBodySize(Some(*size)),
        Code::RequestHeaderSize => ErrorCode::HttpRequestHeaderSectionSize(None),
        Code::ResponseTimeout => ErrorCode::HttpResponseTimeout,
        Code::ReadTimeout => ErrorCode::ConnectionReadTimeout,
        Code::ResponseIncomplete => ErrorCode::HttpResponseIncomplete,
        Code::ResponseHeaderSize => ErrorCode::HttpResponseHeaderSectionSize(None),
        Code::ResponseBodySize(size) => ErrorCode::HttpResponseBodySize(Some(*size)),
        Code::ResponseContentCoding(coding) => ErrorCode::HttpResponseContentCoding(Some(coding.clone())),
        Code::Protocol => ErrorCode::HttpProtocolError,
        Code::Internal => ErrorCode::InternalError(Some(failure.reason.clone())),
    }
}
