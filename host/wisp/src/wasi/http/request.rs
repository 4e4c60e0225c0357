//! `wasi:http/types`: outgoing requests, and their options. Incoming requests do not exist here.

use std::time::Duration;

use http::HeaderMap;
use wasmtime::component::Resource;

use super::super::bindings::wasi::http::types::{
    ErrorCode, HostIncomingRequest, HostOutgoingRequest, HostRequestOptions, HostResponseOutparam, Method, Scheme,
};
use super::super::{Charged, Held, Weigh};
use super::{Fields, HttpView, IncomingBody, Nothing, OutgoingBody, OutgoingResponse};
use wisp_net::{RequestBody, Timeouts};

/// Maximum bytes of a method, an authority, or a path. Attack: text that the host holds.
const MAX_TEXT: usize = 16 << 10;

/// The parts of a request beside its headers and its body.
#[derive(Clone)]
pub(super) struct Head {
    pub method: Method,
    pub scheme: Option<Scheme>,
    pub authority: Option<String>,
    pub path: Option<String>,
}

impl Weigh for Head {
    fn weight(&self) -> u64 {
        let method = match &self.method {
            Method::Other(name) => name.weight(),
            _ => 0,
        };
        let scheme = match &self.scheme {
            Some(Scheme::Other(name)) => name.weight(),
            _ => 0,
        };
        method + scheme + self.authority.weight() + self.path.weight()
    }
}

/// An outgoing request.
pub struct OutgoingRequest {
    pub(super) head: Charged<Head>,
    pub(super) headers: Fields,
    /// The body to send; the guest has the other end once it has asked for it.
    pub(super) body: RequestBody,
    taken: bool,
}

impl Held for OutgoingRequest {
    const CHARGED: &'static str = "head and headers are `Charged`; the body's other end has a `Charge`";
}

impl OutgoingRequest {
    /// Changes the head, if there is memory for it.
    fn change(&mut self, change: impl FnOnce(&mut Head)) -> Result<(), ()> {
        let mut head = self.head.clone();
        change(&mut head);
        self.head.replace(head).map_err(drop)
    }
}

/// The longest times that a guest wants to wait.
#[derive(Default)]
pub struct RequestOptions(pub(super) Timeouts);

impl Held for RequestOptions {
    const CHARGED: &'static str = "nothing but three numbers";
}

/// Returns the name of a method.
pub(super) fn method_name(method: &Method) -> &str {
    match method {
        Method::Get => "GET",
        Method::Head => "HEAD",
        Method::Post => "POST",
        Method::Put => "PUT",
        Method::Delete => "DELETE",
        Method::Connect => "CONNECT",
        Method::Options => "OPTIONS",
        Method::Trace => "TRACE",
        Method::Patch => "PATCH",
        Method::Other(name) => name,
    }
}

type Answer<T> = wasmtime::Result<Result<T, ()>>;

fn fits(text: Option<&String>) -> bool {
    text.is_none_or(|text| text.len() <= MAX_TEXT)
}

impl HostOutgoingRequest for HttpView<'_> {
    fn new(&mut self, headers: Resource<Fields>) -> wasmtime::Result<Resource<OutgoingRequest>> {
        let headers = self.table.delete(headers)?;
        let head = Head { method: Method::Get, scheme: None, authority: None, path: None };
        let head = Charged::new(self.memory, head)?;
        self.table.push(OutgoingRequest { head, headers, body: RequestBody::empty(), taken: false })
    }

    fn body(&mut self, request: Resource<OutgoingRequest>) -> Answer<Resource<OutgoingBody>> {
        let request = self.table.get_mut(&request)?;
        if std::mem::replace(&mut request.taken, true) {
            return Ok(Err(()));
        }
        let Some((sender, body)) = OutgoingBody::open(self.memory) else { return Ok(Err(())) };
        request.body = body;
        Ok(Ok(self.table.push(sender)?))
    }

    fn method(&mut self, request: Resource<OutgoingRequest>) -> wasmtime::Result<Method> {
        Ok(self.table.get(&request)?.head.method.clone())
    }

    fn set_method(&mut self, request: Resource<OutgoingRequest>, method: Method) -> Answer<()> {
        let request = self.table.get_mut(&request)?;
        let name = method_name(&method);
        if name.len() > 32 || http::Method::from_bytes(name.as_bytes()).is_err() {
            return Ok(Err(()));
        }
        Ok(request.change(|head| head.method = method))
    }

    fn path_with_query(&mut self, request: Resource<OutgoingRequest>) -> wasmtime::Result<Option<String>> {
        Ok(self.table.get(&request)?.head.path.clone())
    }

    fn set_path_with_query(&mut self, request: Resource<OutgoingRequest>, path: Option<String>) -> Answer<()> {
        let request = self.table.get_mut(&request)?;
        if !fits(path.as_ref()) {
            return Ok(Err(()));
        }
        Ok(request.change(|head| head.path = path))
    }

    fn scheme(&mut self, request: Resource<OutgoingRequest>) -> wasmtime::Result<Option<Scheme>> {
        Ok(self.table.get(&request)?.head.scheme.clone())
    }

    fn set_scheme(&mut self, request: Resource<OutgoingRequest>, scheme: Option<Scheme>) -> Answer<()> {
        let request = self.table.get_mut(&request)?;
        if matches!(&scheme, Some(Scheme::Other(name)) if name.len() > 32) {
            return Ok(Err(()));
        }
        Ok(request.change(|head| head.scheme = scheme))
    }

    fn authority(&mut self, request: Resource<OutgoingRequest>) -> wasmtime::Result<Option<String>> {
        Ok(self.table.get(&request)?.head.authority.clone())
    }

    fn set_authority(&mut self, request: Resource<OutgoingRequest>, authority: Option<String>) -> Answer<()> {
        let request = self.table.get_mut(&request)?;
        if !fits(authority.as_ref()) {
            return Ok(Err(()));
        }
        Ok(request.change(|head| head.authority = authority))
    }

    fn headers(&mut self, request: Resource<OutgoingRequest>) -> wasmtime::Result<Resource<Fields>> {
        let map = self.table.get(&request)?.headers.map().clone();
        self.child_fields(map, &request)
    }

    fn drop(&mut self, request: Resource<OutgoingRequest>) -> wasmtime::Result<()> {
        self.table.delete(request)?;
        Ok(())
    }
}

impl HttpView<'_> {
    /// Makes headers of a message that can only be read, as a child of the message.
    pub(super) fn child_fields<T: 'static>(&mut self, map: HeaderMap, message: &Resource<T>) -> wasmtime::Result<Resource<Fields>> {
        let fields = Fields::read_only(map, self.memory)?;
        self.table.push_child(fields, message)
    }
}

/// Converts the interface's nanoseconds.
fn time(duration: Option<u64>) -> Option<Duration> {
    duration.map(Duration::from_nanos)
}

fn nanoseconds(time: Option<Duration>) -> Option<u64> {
    time.map(|time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))
}

impl HostRequestOptions for HttpView<'_> {
    fn new(&mut self) -> wasmtime::Result<Resource<RequestOptions>> {
        self.table.push(RequestOptions::default())
    }

    fn connect_timeout(&mut self, options: Resource<RequestOptions>) -> wasmtime::Result<Option<u64>> {
        Ok(nanoseconds(self.table.get(&options)?.0.connect))
    }

    fn set_connect_timeout(&mut self, options: Resource<RequestOptions>, duration: Option<u64>) -> Answer<()> {
        self.table.get_mut(&options)?.0.connect = time(duration);
        Ok(Ok(()))
    }

    fn first_byte_timeout(&mut self, options: Resource<RequestOptions>) -> wasmtime::Result<Option<u64>> {
        Ok(nanoseconds(self.table.get(&options)?.0.first_byte))
    }

    fn set_first_byte_timeout(&mut self, options: Resource<RequestOptions>, duration: Option<u64>) -> Answer<()> {
        self.table.get_mut(&options)?.0.first_byte = time(duration);
        Ok(Ok(()))
    }

    fn between_bytes_timeout(&mut self, options: Resource<RequestOptions>) -> wasmtime::Result<Option<u64>> {
        Ok(nanoseconds(self.table.get(&options)?.0.between_bytes))
    }

    fn set_between_bytes_timeout(&mut self, options: Resource<RequestOptions>, duration: Option<u64>) -> Answer<()> {
        self.table.get_mut(&options)?.0.between_bytes = time(duration);
        Ok(Ok(()))
    }

    fn drop(&mut self, options: Resource<RequestOptions>) -> wasmtime::Result<()> {
        self.table.delete(options)?;
        Ok(())
    }
}

/// Fails for the functions that no guest can call with an existing handle, because no function returns one.
fn no_server<T>() -> wasmtime::Result<T> {
    wasmtime::bail!("a sandbox is not an HTTP server: it has no incoming requests")
}

impl HostIncomingRequest for HttpView<'_> {
    fn method(&mut self, _: Resource<Nothing>) -> wasmtime::Result<Method> {
        no_server()
    }

    fn path_with_query(&mut self, _: Resource<Nothing>) -> wasmtime::Result<Option<String>> {
        no_server()
    }

    fn scheme(&mut self, _: Resource<Nothing>) -> wasmtime::Result<Option<Scheme>> {
        no_server()
    }

    fn authority(&mut self, _: Resource<Nothing>) -> wasmtime::Result<Option<String>> {
        no_server()
    }

    fn headers(&mut self, _: Resource<Nothing>) -> wasmtime::Result<Resource<Fields>> {
        no_server()
    }

    fn consume(&mut self, _: Resource<Nothing>) -> Answer<Resource<IncomingBody>> {
        no_server()
    }

    fn drop(&mut self, request: Resource<Nothing>) -> wasmtime::Result<()> {
        self.table.delete(request)?;
        Ok(())
    }
}

impl HostResponseOutparam for HttpView<'_> {
    fn send_informational(&mut self, _: Resource<Nothing>, _: u16, _: Resource<Fields>) -> wasmtime::Result<Result<(), ErrorCode>> {
        no_server()
    }

    fn set(&mut self, _: Resource<Nothing>, _: Result<Resource<OutgoingResponse>, ErrorCode>) -> wasmtime::Result<()> {
        no_server()
    }

    fn drop(&mut self, place: Resource<Nothing>) -> wasmtime::Result<()> {
        self.table.delete(place)?;
        Ok(())
    }
}
