//! `wisp:sandbox/loopback`: sockets between the processes of the session. The table of addresses is `wisp_process`'s; nothing here
//! reaches the machine's network.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use wasmtime::component::{HasData, Resource};

use super::bindings::wisp::sandbox::files::ErrorCode;
use super::bindings::wisp::sandbox::loopback::{Address, Direction, Endpoint, Host};
use super::context::{Part, WasiView};
use super::description::OpenDescription;
use super::files::{description_of, error_code, hand_out};
use super::filesystem::on_fs;
use super::signals::end_if_doomed;
use super::{Charge, Description, Handles, HostMemory, OpenFileHandle, OpenFiles};
use wisp_process::{self as process, BOUND_COST, CONNECTION_COST, Place, Process, ProcessTable, SocketError, Stream};
use wisp_vfs::{FileType, Fs, FsError, MAX_READ, Node, OpenHow};

type Answer<T> = wasmtime::Result<Result<T, ErrorCode>>;

/// Maximum bytes of a Unix socket's path (`sun_path`).
const MAX_SUN_PATH: usize = 108;

/// Permission bits of a Unix socket's file, before the umask.
const MODE: u32 = 0o777;

/// The part of a process that `wisp:sandbox/loopback` sees.
pub(super) struct HasSockets;

impl HasData for HasSockets {
    type Data<'a> = SocketsView<'a>;
}

impl Part for HasSockets {
    fn of(view: WasiView<'_>) -> SocketsView<'_> {
        let ctx = view.ctx;
        SocketsView {
            table: view.table,
            fs: &ctx.fs,
            process: &ctx.process,
            processes: &ctx.processes,
            open_files: &ctx.open_files,
            memory: &ctx.memory,
        }
    }
}

/// The sockets of a session, as a process sees them.
pub(super) struct SocketsView<'a> {
    table: &'a mut Handles,
    /// For the files that are names of Unix sockets.
    fs: &'a Fs,
    process: &'a Arc<Process>,
    processes: &'a Arc<ProcessTable>,
    open_files: &'a Arc<OpenFiles>,
    memory: &'a Arc<dyn HostMemory>,
}

fn socket_code(error: SocketError) -> ErrorCode {
    match error {
        SocketError::Refused => ErrorCode::ConnectionRefused,
        SocketError::InUse => ErrorCode::AddressInUse,
        SocketError::NotAvailable => ErrorCode::AddressNotAvailable,
        SocketError::TooMany => ErrorCode::NoBufferSpace,
        SocketError::NoMemory => ErrorCode::InsufficientMemory,
    }
}

fn told(address: &process::Address) -> Address {
    match address {
        process::Address::Tcp(at) => Address::Tcp(Endpoint { ip: at.ip().to_string(), port: at.port() }),
        process::Address::Unix(path) => Address::Unix(path.to_string()),
        process::Address::Unnamed => Address::Unnamed,
    }
}

fn endpoint(given: &Endpoint) -> Result<Place, ErrorCode> {
    let ip: IpAddr = given.ip.parse().map_err(|_| ErrorCode::Invalid)?;
    Ok(Place::Tcp(SocketAddr::new(ip, given.port)))
}

fn check_path(path: &str) -> Result<(), ErrorCode> {
    match path.len() {
        0 => Err(ErrorCode::Invalid),
        len if len > MAX_SUN_PATH => Err(ErrorCode::NameTooLong),
        _ => Ok(()),
    }
}

/// Runs a path operation.
async fn on_path<T: Send + 'static>(
    fs: &Fs,
    path: &str,
    work: impl FnOnce(&Fs, &Node, &str) -> Result<T, FsError> + Send + 'static,
) -> Result<T, ErrorCode> {
    let (fs, root, path) = (fs.clone(), fs.root(), path.to_owned());
    on_fs(fs.is_host(&root, &path), move || work(&fs, &root, &path)).await.map_err(error_code)
}

/// Returns the file of a socket: not open for reading or writing, so that it only keeps the inode.
async fn socket_file(fs: &Fs, path: &str) -> Result<(Node, Place), ErrorCode> {
    let stat = on_path(fs, path, |fs, root, path| fs.stat(root, path, true)).await?;
    if stat.kind != FileType::Socket {
        return Err(ErrorCode::ConnectionRefused);
    }
    let node = on_path(fs, path, |fs, root, path| fs.open(root, path, OpenHow::default())).await?;
    let file = node.ident().map_err(error_code)?;
    Ok((node, Place::File(path.into(), file)))
}

impl SocketsView<'_> {
    /// Gives the guest one end of a connection.
    fn hand_out(&mut self, stream: Stream) -> Answer<Resource<OpenFileHandle>> {
        let description = Description::stream(stream, self.processes.pipe_number());
        hand_out(self.table, self.open_files, description)
    }

    async fn bind_at(&mut self, address: &Address, only_ipv6: bool) -> Result<OpenDescription, ErrorCode> {
        let (fs, memory, loopback) = (self.fs, self.memory, self.processes.loopback());
        let hold = || Charge::new(memory, BOUND_COST);
        let (socket, file) = match address {
            Address::Tcp(at) => (loopback.bind(endpoint(at)?, only_ipv6, hold).map_err(socket_code)?, None),
            Address::Unix(path) => {
                check_path(path)?;
                let mode = MODE & !self.process.umask();
                let made = on_path(fs, path, move |fs, root, path| fs.mksocket(root, path, mode)).await;
                made.map_err(|error| if error == ErrorCode::Exist { ErrorCode::AddressInUse } else { error })?;
                let (node, place) = socket_file(fs, path).await?;
                let bound = loopback.bind(place, false, hold).map_err(socket_code);
                if bound.is_err() {
                    // It was made just now and has no socket.
                    let _ = on_path(fs, path, Fs::unlink).await;
                }
                (bound?, Some(node))
            }
            Address::Unnamed => return Err(ErrorCode::Invalid),
        };
        Ok(Description::socket(socket, file, self.processes.pipe_number()))
    }

    async fn connect_to(&mut self, address: &Address, bound: Option<OpenDescription>) -> Result<Stream, ErrorCode> {
        let (fs, memory, loopback) = (self.fs, self.memory, self.processes.loopback());
        let from = match &bound {
            Some(description) => Some(description.bound().ok_or(ErrorCode::Invalid)?.address().clone()),
            None => None,
        };
        let place = match address {
            Address::Tcp(at) => endpoint(at)?,
            Address::Unix(path) => {
                check_path(path)?;
                socket_file(fs, path).await?.1
            }
            Address::Unnamed => return Err(ErrorCode::Invalid),
        };
        loopback.connect(&place, from, || Charge::new(memory, CONNECTION_COST)).map_err(socket_code)
    }

    /// Asks a connection for something.
    fn ask<T>(&self, socket: &Resource<OpenFileHandle>, what: impl FnOnce(&Stream) -> T) -> Answer<T> {
        let description = description_of(self.table, socket)?;
        Ok(match (description.connection(), description.bound()) {
            (Some(stream), _) => Ok(what(stream)),
            (None, Some(_)) => Err(ErrorCode::NotConnected),
            (None, None) => Err(ErrorCode::NotSocket),
        })
    }

    /// Returns the bound socket of a handle.
    fn bound(&self, socket: &Resource<OpenFileHandle>) -> Answer<Arc<process::Socket>> {
        let description = description_of(self.table, socket)?;
        Ok(match (description.bound(), description.connection()) {
            (Some(socket), _) => Ok(socket.clone()),
            (None, Some(_)) => Err(ErrorCode::Invalid),
            (None, None) => Err(ErrorCode::NotSocket),
        })
    }
}

impl Host for SocketsView<'_> {
    async fn bind(&mut self, address: Address, only_ipv6: bool) -> Answer<Resource<OpenFileHandle>> {
        let bound = self.bind_at(&address, only_ipv6).await;
        end_if_doomed(self.process)?;
        match bound {
            Ok(description) => hand_out(self.table, self.open_files, description),
            Err(error) => Ok(Err(error)),
        }
    }

    fn listen(&mut self, bound: Resource<OpenFileHandle>, backlog: u32) -> Answer<()> {
        Ok(self.bound(&bound)?.map(|socket| socket.listen(backlog as usize)))
    }

    fn accept(&mut self, listener: Resource<OpenFileHandle>) -> Answer<Resource<OpenFileHandle>> {
        let socket = match self.bound(&listener)? {
            Ok(socket) => socket,
            Err(error) => return Ok(Err(error)),
        };
        match socket.accept() {
            Some(stream) => self.hand_out(stream),
            None if socket.listens() => Ok(Err(ErrorCode::WouldBlock)),
            None => Ok(Err(ErrorCode::Invalid)),
        }
    }

    async fn connect(&mut self, address: Address, bound: Option<Resource<OpenFileHandle>>) -> Answer<Resource<OpenFileHandle>> {
        let bound = match bound {
            Some(bound) => Some(description_of(self.table, &bound)?),
            None => None,
        };
        let connected = self.connect_to(&address, bound).await;
        end_if_doomed(self.process)?;
        match connected {
            Ok(stream) => self.hand_out(stream),
            Err(error) => Ok(Err(error)),
        }
    }

    fn pair(&mut self) -> Answer<(Resource<OpenFileHandle>, Resource<OpenFileHandle>)> {
        let (one, other) = match self.processes.loopback().pair(|| Charge::new(self.memory, CONNECTION_COST)) {
            Ok(ends) => ends,
            Err(error) => return Ok(Err(socket_code(error))),
        };
        let one = match self.hand_out(one)? {
            Ok(one) => one,
            Err(error) => return Ok(Err(error)),
        };
        match self.hand_out(other)? {
            Ok(other) => Ok(Ok((one, other))),
            Err(error) => {
                self.table.delete(one)?;
                Ok(Err(error))
            }
        }
    }

    fn shutdown(&mut self, socket: Resource<OpenFileHandle>, which: Direction) -> Answer<()> {
        let listener = description_of(self.table, &socket)?;
        if let (Some(listener), Direction::Both) = (listener.bound().filter(|bound| bound.listens()), which) {
            listener.shut();
            return Ok(Ok(()));
        }
        self.ask(&socket, |stream| match which {
            Direction::Receive => stream.shut_read(),
            Direction::Send => stream.shut_write(),
            Direction::Both => {
                stream.shut_read();
                stream.shut_write();
            }
        })
    }

    fn peek(&mut self, socket: Resource<OpenFileHandle>, len: u32) -> Answer<Vec<u8>> {
        let len = (len as usize).min(MAX_READ);
        self.ask(&socket, |stream| stream.reader().map_or_else(Vec::new, |reader| reader.peek(len).into()))
    }

    fn local_address(&mut self, socket: Resource<OpenFileHandle>) -> Answer<Address> {
        match self.bound(&socket)? {
            Ok(bound) => Ok(Ok(told(bound.address()))),
            Err(_) => self.ask(&socket, |stream| told(stream.local())),
        }
    }

    fn peer_address(&mut self, socket: Resource<OpenFileHandle>) -> Answer<Address> {
        self.ask(&socket, |stream| told(stream.peer()))
    }
}
