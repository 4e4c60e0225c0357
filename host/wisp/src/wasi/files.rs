//! `wisp:sandbox/files`: shared open-file descriptions, mode bits, usage.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

use wasmtime::component::{HasData, Resource};
use wasmtime_wasi_io::async_trait;
use wasmtime_wasi_io::poll::{DynPollable, Pollable};

use super::bindings::wisp::sandbox::files::{
    self, ErrorCode, FileType, Host, HostOpenFile, LockKind, MountPoint, OpenFlags, Usage, Whence,
};
use super::context::{OpenTicket, Part, WasiView};
use super::description::{Description, IoFailure, OpenDescription};
use super::fifos::joined_or_signal;
use super::filesystem::{Descriptor, File, on_fs};
use super::signals::end_if_doomed;
use super::{Handles, Held, HostMemory, OpenFiles, ProcessEnd, ProcessRandom};
use crate::tasks::Tasks;
use wisp_process::tty::Use;
use wisp_process::{Fifos, FileLocks, Process, Signal};
use wisp_vfs::{Device, Fs, FsError, MAX_READ, OpenHow};

type Answer<T> = wasmtime::Result<Result<T, ErrorCode>>;

pub(super) fn error_code(error: FsError) -> ErrorCode {
    match error {
        FsError::NotFound => ErrorCode::NoEntry,
        FsError::Exists => ErrorCode::Exist,
        FsError::NotDirectory => ErrorCode::NotDirectory,
        FsError::IsDirectory => ErrorCode::IsDirectory,
        FsError::NotEmpty => ErrorCode::NotEmpty,
        FsError::Loop => ErrorCode::Loop,
        FsError::NameTooLong => ErrorCode::NameTooLong,
        FsError::IllegalBytes => ErrorCode::IllegalByteSequence,
        FsError::Refused(why) => error_code(why.error()),
        FsError::Access => ErrorCode::Access,
        FsError::NotPermitted => ErrorCode::NotPermitted,
        FsError::ReadOnly => ErrorCode::ReadOnly,
        FsError::NoSpace => ErrorCode::InsufficientSpace,
        FsError::NoDevice => ErrorCode::NoSuchDevice,
        FsError::CrossDevice => ErrorCode::CrossDevice,
        FsError::BadDescriptor => ErrorCode::BadDescriptor,
        FsError::Invalid => ErrorCode::Invalid,
        FsError::FileTooLarge => ErrorCode::FileTooLarge,
        FsError::IllegalSeek => ErrorCode::IllegalSeek,
        FsError::Busy => ErrorCode::Busy,
        FsError::Unsupported | FsError::TooManyLinks => ErrorCode::Unsupported,
        FsError::OutOfMemory => ErrorCode::InsufficientMemory,
        FsError::Io => ErrorCode::Io,
    }
}

fn file_stat(stat: &wisp_vfs::Stat) -> files::Stat {
    files::Stat {
        device: stat.dev,
        inode: stat.ino,
        kind: match stat.kind {
            wisp_vfs::FileType::Regular => FileType::Regular,
            wisp_vfs::FileType::Directory => FileType::Directory,
            wisp_vfs::FileType::Symlink => FileType::SymbolicLink,
            wisp_vfs::FileType::CharDevice | wisp_vfs::FileType::Unknown => FileType::CharacterDevice,
            wisp_vfs::FileType::Fifo => FileType::Fifo,
            wisp_vfs::FileType::Socket => FileType::Socket,
        },
        mode: stat.mode & 0o7777,
        links: stat.nlink,
        uid: stat.uid,
        gid: stat.gid,
        size: stat.size,
        blocks: stat.blocks,
        accessed: stat.atime,
        modified: stat.mtime,
        changed: stat.ctime,
    }
}

/// A guest's handle to a description.
pub struct OpenFileHandle {
    description: OpenDescription,
    #[expect(dead_code, reason = "held to count the open file; released on drop")]
    ticket: OpenTicket,
}

impl Held for OpenFileHandle {
    const CHARGED: &'static str = "a description: at most one for each handle, or shared; a pipe's buffer has its `Charge` in it";
}

/// Readiness of a description, with a pollable of its own.
struct Readiness {
    description: OpenDescription,
    read: bool,
}

impl Held for Readiness {
    const CHARGED: &'static str = "as `OpenFileHandle`";
}

#[async_trait]
impl Pollable for Readiness {
    async fn ready(&mut self) {
        if self.read {
            self.description.readable().await;
        } else {
            self.description.writable().await;
        }
    }
}

/// The part of a process that `wasi:filesystem` and `wisp:sandbox/files` see. They share one view because they are two
/// doors to the same files: one adopts descriptors of the other.
pub(super) struct HasFiles;

impl HasData for HasFiles {
    type Data<'a> = FilesView<'a>;
}

impl Part for HasFiles {
    fn of(view: WasiView<'_>) -> FilesView<'_> {
        let ctx = view.ctx;
        FilesView {
            table: view.table,
            fs: &ctx.fs,
            process: &ctx.process,
            locks: ctx.processes.file_locks(),
            fifos: ctx.processes.fifos(),
            descriptors: &ctx.descriptors,
            asked: &mut ctx.asked,
            random: &ctx.random,
            open_files: &ctx.open_files,
            memory: &ctx.memory,
            tasks: &ctx.tasks,
        }
    }
}

/// The files of a process.
pub(super) struct FilesView<'a> {
    pub(super) table: &'a mut Handles,
    pub(super) fs: &'a Fs,
    /// For its umask, and because a write to a pipe may end it.
    pub(super) process: &'a Arc<Process>,
    pub(super) locks: &'a Arc<FileLocks>,
    pub(super) fifos: &'a Arc<Fifos>,
    /// `/dev/fd`.
    pub(super) descriptors: &'a BTreeMap<u32, OpenDescription>,
    /// See [`super::ProcessCtx::asked`].
    pub(super) asked: &'a mut Option<u32>,
    /// `/dev/random` and `/dev/urandom`.
    pub(super) random: &'a ProcessRandom,
    pub(super) open_files: &'a Arc<OpenFiles>,
    pub(super) memory: &'a Arc<dyn HostMemory>,
    pub(super) tasks: &'a Arc<Tasks>,
}

/// Gives the guest a handle to a description, counted against the limit of open files.
pub(super) fn hand_out(table: &mut Handles, open_files: &Arc<OpenFiles>, description: OpenDescription) -> Answer<Resource<OpenFileHandle>> {
    let Some(ticket) = open_files.open() else {
        return Ok(Err(ErrorCode::TooManyOpenFiles));
    };
    Ok(Ok(table.push(OpenFileHandle { description, ticket })?))
}

/// Returns the description of a guest's handle.
pub(super) fn description_of(table: &Handles, file: &Resource<OpenFileHandle>) -> wasmtime::Result<OpenDescription> {
    Ok(table.get(file)?.description.clone())
}

/// Converts a failure to the guest's error, or ends a process that does not ignore SIGPIPE.
fn failure<T>(process: &Process, failure: IoFailure) -> Answer<T> {
    match failure {
        IoFailure::Fs(error) => Ok(Err(error_code(error))),
        IoFailure::Reset(_) => Ok(Err(ErrorCode::ConnectionReset)),
        IoFailure::BrokenPipe if process.signals().broken_pipe() => Ok(Err(ErrorCode::BrokenPipe)),
        IoFailure::BrokenPipe => Err(ProcessEnd::signal(Signal::Pipe).into()),
        IoFailure::Ended => Err(ProcessEnd::signal(Signal::Kill).into()),
    }
}

/// Converts the result of an operation on a description for the guest; ends the process if it is doomed.
pub(super) fn answer<T>(process: &Process, result: Result<T, IoFailure>) -> Answer<T> {
    end_if_doomed(process)?;
    result.map_or_else(|error| failure(process, error), |value| Ok(Ok(value)))
}

impl FilesView<'_> {
    fn readiness(&mut self, file: &Resource<OpenFileHandle>, read: bool) -> wasmtime::Result<Resource<DynPollable>> {
        let readiness = Readiness { description: description_of(self.table, file)?, read };
        self.table.push_pollable(readiness)
    }
}

impl HostOpenFile for FilesView<'_> {
    async fn read(&mut self, file: Resource<OpenFileHandle>, len: u32) -> Answer<Vec<u8>> {
        let description = description_of(self.table, &file)?;
        let read = description.read_by(self.process, (len as usize).min(MAX_READ)).await;
        answer(self.process, read.map(Vec::from))
    }

    async fn write(&mut self, file: Resource<OpenFileHandle>, bytes: Vec<u8>) -> Answer<()> {
        let description = description_of(self.table, &file)?;
        let written = description.write_by(self.process, bytes.into()).await;
        answer(self.process, written)
    }

    async fn write_some(&mut self, file: Resource<OpenFileHandle>, bytes: Vec<u8>) -> Answer<u32> {
        let description = description_of(self.table, &file)?;
        if description.is_host() {
            let len = bytes.len();
            let written = description.write(bytes.into()).await;
            return answer(self.process, written.map(|()| len as u32));
        }
        let mut bytes = bytes.into();
        let written = match description.admitted(self.process, Use::Write).await {
            Ok(()) => description.try_write(&mut bytes),
            Err(failure) => Err(failure),
        };
        answer(self.process, written.map(|written| written as u32))
    }

    async fn subscribe_read(&mut self, file: Resource<OpenFileHandle>) -> wasmtime::Result<Resource<DynPollable>> {
        self.readiness(&file, true)
    }

    async fn subscribe_write(&mut self, file: Resource<OpenFileHandle>) -> wasmtime::Result<Resource<DynPollable>> {
        self.readiness(&file, false)
    }

    async fn seek(&mut self, file: Resource<OpenFileHandle>, whence: Whence, offset: i64) -> Answer<u64> {
        let description = description_of(self.table, &file)?;
        let whence = match whence {
            Whence::Start => wisp_vfs::Whence::Start,
            Whence::Current => wisp_vfs::Whence::Current,
            Whence::End => wisp_vfs::Whence::End,
        };
        let moved = description.seek(whence, offset).await;
        answer(self.process, moved)
    }

    async fn stat(&mut self, file: Resource<OpenFileHandle>) -> Answer<files::Stat> {
        let description = description_of(self.table, &file)?;
        let stat = description.stat().await;
        answer(self.process, stat.map(|stat| file_stat(&stat)))
    }

    async fn set_size(&mut self, file: Resource<OpenFileHandle>, size: u64) -> Answer<()> {
        let description = description_of(self.table, &file)?;
        let done = description.set_len(size).await;
        answer(self.process, done)
    }

    async fn appends(&mut self, file: Resource<OpenFileHandle>) -> wasmtime::Result<bool> {
        Ok(description_of(self.table, &file)?.appends())
    }

    async fn set_appends(&mut self, file: Resource<OpenFileHandle>, appends: bool) -> wasmtime::Result<()> {
        description_of(self.table, &file)?.set_appends(appends);
        Ok(())
    }

    async fn duplicate(&mut self, file: Resource<OpenFileHandle>) -> Answer<Resource<OpenFileHandle>> {
        let description = description_of(self.table, &file)?;
        hand_out(self.table, self.open_files, description)
    }

    async fn is_terminal(&mut self, file: Resource<OpenFileHandle>) -> wasmtime::Result<bool> {
        Ok(description_of(self.table, &file)?.is_terminal())
    }

    async fn try_lock(&mut self, file: Resource<OpenFileHandle>, kind: LockKind) -> Answer<()> {
        FilesView::try_lock(self, &file, kind)
    }

    async fn subscribe_lock(&mut self, file: Resource<OpenFileHandle>, kind: LockKind) -> Answer<Resource<DynPollable>> {
        self.wait_for_lock(&file, kind)
    }

    async fn unlock(&mut self, file: Resource<OpenFileHandle>) -> Answer<()> {
        self.release_lock(&file)
    }

    async fn held_lock(&mut self, file: Resource<OpenFileHandle>) -> wasmtime::Result<Option<LockKind>> {
        self.lock_held(&file)
    }

    async fn drop(&mut self, file: Resource<OpenFileHandle>) -> wasmtime::Result<()> {
        self.table.delete(file)?;
        Ok(())
    }
}

impl Host for FilesView<'_> {
    async fn open(&mut self, path: String, how: OpenFlags, mode: u32) -> Answer<Resource<OpenFileHandle>> {
        let open = OpenHow {
            read: how.contains(OpenFlags::READ),
            write: how.contains(OpenFlags::WRITE) || how.contains(OpenFlags::APPEND),
            create: how.contains(OpenFlags::CREATE),
            exclusive: how.contains(OpenFlags::EXCLUSIVE),
            truncate: how.contains(OpenFlags::TRUNCATE),
            follow: !how.contains(OpenFlags::NO_FOLLOW),
            mode: mode & 0o7777 & !self.process.umask(),
            ..OpenHow::default()
        };
        let (fs, root) = (self.fs.clone(), self.fs.root());
        let opened = on_fs(fs.is_host(&root, &path), move || fs.open(&root, &path, open)).await;
        let node = match opened {
            Ok(node) => node,
            Err(error) => return Ok(Err(error_code(error))),
        };
        let description = match (node.device(), node.file_type()) {
            (Some(Device::Fd(number)), _) => match self.descriptors.get(&number) {
                Some(description) => description.clone(),
                None => return Ok(Err(ErrorCode::NoEntry)),
            },
            (Some(Device::Tty), _) => match Description::controlling(self.process) {
                Ok(terminal) => terminal,
                Err(error) => return Ok(Err(error_code(error))),
            },
            (_, wisp_vfs::FileType::Fifo) if node.readable() || node.writable() => {
                let opening = match self.begin_fifo(&node) {
                    Ok(opening) => opening,
                    Err(error) => return Ok(Err(error_code(error))),
                };
                let end = joined_or_signal(opening, self.process.clone()).await;
                end_if_doomed(self.process)?;
                match end {
                    Some(end) => Description::fifo(end, node),
                    None => return Ok(Err(ErrorCode::WouldBlock)),
                }
            }
            _ => Description::file(node, how.contains(OpenFlags::APPEND), self.random),
        };
        hand_out(self.table, self.open_files, description)
    }

    async fn anonymous(&mut self) -> Answer<Resource<OpenFileHandle>> {
        match self.fs.anonymous() {
            Ok(node) => hand_out(self.table, self.open_files, Description::file(node, false, self.random)),
            Err(error) => Ok(Err(error_code(error))),
        }
    }

    async fn adopt(&mut self, device: u64, inode: u64, offset: u64, how: OpenFlags) -> Answer<Resource<OpenFileHandle>> {
        let (read, append) = (how.contains(OpenFlags::READ), how.contains(OpenFlags::APPEND));
        let write = append || how.contains(OpenFlags::WRITE);
        // libc's st_dev is not the device (wasi:filesystem has no field for it); the inode number is unique without it.
        let _ = device;
        let random = self.random;
        let is_it = |descriptor: &Descriptor| match &descriptor.file {
            File::Node(node) => node.ident().is_ok_and(|(_, found)| found == inode),
            File::Shared(description) => description.inode() == Some(inode),
        };
        let fits = |node: &wisp_vfs::Node| (!read || node.readable()) && (!write || node.writable());
        let adopted = |descriptor: &mut Descriptor| match &descriptor.file {
            File::Node(node) if fits(node) => {
                let description = Description::file_at(node.clone(), offset, append, random, descriptor.lock.clone());
                if read || write {
                    // From now on, the streams of the descriptor move the offset of the description.
                    descriptor.file = File::Shared(description.clone());
                }
                Some(description)
            }
            File::Shared(description) if description.node().is_none_or(fits) => Some(description.clone()),
            _ => None,
        };
        let asked = self.asked.map(Resource::<Descriptor>::new_borrow);
        let description = match asked.filter(|asked| self.table.get(asked).is_ok_and(is_it)) {
            Some(asked) => adopted(self.table.get_mut(&asked)?),
            None => {
                let of = |entry: &mut (dyn Any + Send)| {
                    entry.downcast_mut::<Descriptor>().filter(|descriptor| is_it(descriptor)).and_then(adopted)
                };
                self.table.iter_mut().find_map(of)
            }
        };
        match description {
            Some(description) => hand_out(self.table, self.open_files, description),
            None => Ok(Err(ErrorCode::BadDescriptor)),
        }
    }

    async fn stat_at(&mut self, path: String, follow: bool) -> Answer<files::Stat> {
        let (fs, root) = (self.fs.clone(), self.fs.root());
        let stat = on_fs(fs.is_host(&root, &path), move || fs.stat(&root, &path, follow)).await;
        Ok(stat.map(|stat| file_stat(&stat)).map_err(error_code))
    }

    async fn make_fifo(&mut self, path: String, mode: u32) -> Answer<()> {
        let (fs, root) = (self.fs.clone(), self.fs.root());
        let mode = mode & 0o7777 & !self.process.umask();
        let made = on_fs(fs.is_host(&root, &path), move || fs.mkfifo(&root, &path, mode)).await;
        Ok(made.map_err(error_code))
    }

    async fn set_mode(&mut self, path: String, mode: u32) -> Answer<()> {
        let (fs, root) = (self.fs.clone(), self.fs.root());
        let done = on_fs(fs.is_host(&root, &path), move || fs.set_mode(&root, &path, true, mode & 0o7777)).await;
        Ok(done.map_err(error_code))
    }

    async fn space_usage(&mut self) -> wasmtime::Result<Usage> {
        let usage = self.fs.usage();
        Ok(Usage { bytes: usage.bytes, max_bytes: usage.max_bytes, files: usage.files, max_files: usage.max_files })
    }

    async fn mounts(&mut self) -> wasmtime::Result<Vec<MountPoint>> {
        let mut points = vec![MountPoint { path: "/".to_owned(), access: "memory".to_owned() }];
        points.extend(self.fs.mounts().into_iter().map(|(path, access)| MountPoint { path, access: access.to_owned() }));
        Ok(points)
    }
}
