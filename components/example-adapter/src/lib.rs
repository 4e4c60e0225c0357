//! `audit-proxy`: a component in front of `wasi:http/outgoing-handler`. It counts the requests of a process and tells the server each
//! one's number, in a header. A component to copy: it exports the interface that it stands in front of, and imports the same one, which is
//! then what the policy grants.

use std::sync::atomic::{AtomicU32, Ordering};

/// Bindings to what it imports and exports.
#[allow(missing_docs)]
mod proxy {
    wit_bindgen::generate!({
        path: "../../wit",
        inline: "
            package audit:proxy;
            world adapter {
                import wasi:http/outgoing-handler@0.2.12;
                export wasi:http/outgoing-handler@0.2.12;
            }
        ",
        world: "audit:proxy/adapter",
        generate_all,
    });
}

use proxy::exports::wasi::http::outgoing_handler::Guest;
use proxy::wasi::http::outgoing_handler;
use proxy::wasi::http::types::{ErrorCode, Fields, FutureIncomingResponse, Method, OutgoingRequest, RequestOptions};

/// The header that each request gets.
const HEADER: &str = "x-audit-count";

/// The requests so far. It lives as long as the process.
static COUNT: AtomicU32 = AtomicU32::new(0);

struct Proxy;

impl Guest for Proxy {
    fn handle(request: OutgoingRequest, options: Option<RequestOptions>) -> Result<FutureIncomingResponse, ErrorCode> {
        let number = COUNT.fetch_add(1, Ordering::Relaxed) + 1;
        outgoing_handler::handle(marked(request, number)?, options)
    }
}

/// Returns the request with the header. One that has a body is passed on as it is: the program holds the body already, and it belongs to
/// this very request.
fn marked(request: OutgoingRequest, number: u32) -> Result<OutgoingRequest, ErrorCode> {
    let (method, headers) = (request.method(), request.headers());
    let has_body = headers.has("content-length") || headers.has("transfer-encoding");
    if has_body || !matches!(method, Method::Get | Method::Head | Method::Delete | Method::Options) {
        drop(headers);
        return Ok(request);
    }
    let mut entries = headers.entries();
    entries.push((HEADER.to_owned(), number.to_string().into_bytes()));
    let failed = |what: &str| ErrorCode::InternalError(Some(format!("audit-proxy: the request's {what} cannot be copied")));
    let copy = OutgoingRequest::new(Fields::from_list(&entries).map_err(|_| failed("headers"))?);
    copy.set_method(&method).map_err(|()| failed("method"))?;
    copy.set_scheme(request.scheme().as_ref()).map_err(|()| failed("scheme"))?;
    copy.set_authority(request.authority().as_deref()).map_err(|()| failed("authority"))?;
    copy.set_path_with_query(request.path_with_query().as_deref()).map_err(|()| failed("path"))?;
    Ok(copy)
}

proxy::export!(Proxy with_types_in proxy);
