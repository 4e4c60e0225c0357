//! `wasi:filesystem` over the session's filesystem. The only preopen is `/`.

use std::vec;

use wasmtime::component::Resource;
use wasmtime_wasi_io::streams::{DynInputStream, DynOutputStream, InputStream, OutputStream};

use super::bindings::wasi::clocks::wall_clock::Datetime;
use super::bindings::wasi::filesystem::preopens;
use super::bindings::wasi::filesystem::types::{
    self, Advice, DescriptorFlags, DescriptorStat, DescriptorType, DirectoryEntry, ErrorCode, HostDescriptor, HostDirectoryEntryStream,
    MetadataHashValue, NewTimestamp, OpenFlags, PathFlags,
};
use super::context::OpenTicket;
use super::description::{MAX_READ, OpenDescription};
use super::streams::{FileInput, FileOutput, SharedInput, SharedOutput};
use super::{Charge, WasiView};
use crate::vfs::{Device, FileType, Fs, FsError, Node, OpenHow, SetTime, Stat};

/// A `wasi:filesystem` descriptor.
pub struct Descriptor {
    pub(super) file: File,
    #[expect(dead_code, reason = "held to count the open file; released on drop")]
    ticket: Option<OpenTicket>,
    /// Whether it came with the process's start.
    preopen: bool,
}

pub(super) enum File {
    /// A file or directory with offsets of the guest's own.
    Node(Node),
    /// `/dev/stdin` and its like: another descriptor of the process, with its shared offset.
    Shared(OpenDescription),
}

/// What is left of a directory's entries.
pub struct DirectoryEntries {
    left: vec::IntoIter<DirectoryEntry>,
    #[expect(dead_code, reason = "held while the entries are; given back on drop")]
    charge: Charge,
}

/// What the host holds for an entry of a listing besides its name.
const ENTRY_COST: usize = 64;

/// A filesystem operation's failure: an error for the guest, or a trap.
#[derive(Debug, thiserror::Error)]
pub enum FsFailure {
    /// The guest sees this.
    #[error("{0}")]
    Guest(#[from] FsError),
    /// The limit of open files is reached. WASI has no EMFILE; the guest sees ENOMEM.
    #[error("too many open files")]
    TooManyOpen,
    /// The guest broke the interface's rules, or the process ends.
    #[error("{0}")]
    Trap(wasmtime::Error),
}

impl From<wasmtime::component::ResourceTableError> for FsFailure {
    fn from(error: wasmtime::component::ResourceTableError) -> FsFailure {
        FsFailure::Trap(error.into())
    }
}

type FsResult<T> = Result<T, FsFailure>;

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
        FsError::Access => ErrorCode::Access,
        FsError::NotPermitted => ErrorCode::NotPermitted,
        FsError::ReadOnly => ErrorCode::ReadOnly,
        FsError::NoSpace => ErrorCode::InsufficientSpace,
        FsError::CrossDevice => ErrorCode::CrossDevice,
        FsError::BadDescriptor => ErrorCode::BadDescriptor,
        FsError::Invalid => ErrorCode::Invalid,
        FsError::FileTooLarge => ErrorCode::FileTooLarge,
        FsError::TooManyLinks => ErrorCode::TooManyLinks,
        FsError::IllegalSeek => ErrorCode::InvalidSeek,
        FsError::Busy => ErrorCode::Busy,
        FsError::Unsupported => ErrorCode::Unsupported,
        FsError::OutOfMemory => ErrorCode::InsufficientMemory,
        FsError::Io => ErrorCode::Io,
    }
}

fn descriptor_type(kind: FileType) -> DescriptorType {
    match kind {
        FileType::Regular => DescriptorType::RegularFile,
        FileType::Directory => DescriptorType::Directory,
        FileType::Symlink => DescriptorType::SymbolicLink,
        FileType::CharDevice(_) => DescriptorType::CharacterDevice,
        FileType::Fifo => DescriptorType::Fifo,
        FileType::Unknown => DescriptorType::Unknown,
    }
}

fn descriptor_stat(stat: &Stat) -> DescriptorStat {
    let time =
        |nanoseconds: u64| Some(Datetime { seconds: nanoseconds / 1_000_000_000, nanoseconds: (nanoseconds % 1_000_000_000) as u32 });
    DescriptorStat {
        type_: descriptor_type(stat.kind),
        link_count: stat.nlink,
        size: stat.size,
        data_access_timestamp: time(stat.atime),
        data_modification_timestamp: time(stat.mtime),
        status_change_timestamp: time(stat.ctime),
    }
}

/// What `metadata-hash` gives: the inode in the lower half, where libc takes it as `st_ino`, the device in the upper.
pub(super) fn metadata_hash(stat: &Stat) -> MetadataHashValue {
    MetadataHashValue { lower: stat.ino, upper: stat.dev }
}

fn set_time(time: NewTimestamp) -> SetTime {
    match time {
        NewTimestamp::NoChange => SetTime::Keep,
        NewTimestamp::Now => SetTime::Now,
        NewTimestamp::Timestamp(time) => {
            SetTime::At(time.seconds.saturating_mul(1_000_000_000).saturating_add(u64::from(time.nanoseconds)))
        }
    }
}

/// Run `work` here when it only touches memory, on a blocking thread when `host` says a mount may be behind it.
pub(super) async fn on_fs<T: Send + 'static>(host: bool, work: impl FnOnce() -> Result<T, FsError> + Send + 'static) -> Result<T, FsError> {
    if !host {
        return work();
    }
    tokio::task::spawn_blocking(work).await.unwrap_or(Err(FsError::Io))
}

impl WasiView<'_> {
    fn node(&self, fd: &Resource<Descriptor>) -> FsResult<Node> {
        match &self.table.get(fd)?.file {
            File::Node(node) => Ok(node.clone()),
            File::Shared(description) => description.node().cloned().ok_or_else(|| FsError::Invalid.into()),
        }
    }

    /// Run a path operation relative to `fd`. The future holds no borrow of the view.
    fn at<T: Send + 'static, W>(
        &self,
        fd: &Resource<Descriptor>,
        path: String,
        work: W,
    ) -> impl Future<Output = FsResult<T>> + Send + use<T, W>
    where
        W: FnOnce(&Fs, &Node, &str) -> Result<T, FsError> + Send + 'static,
    {
        let (fs, node) = (self.ctx.fs.clone(), self.node(fd));
        async move {
            let node = node?;
            let host = fs.is_host(&node, &path);
            Ok(on_fs(host, move || work(&fs, &node, &path)).await?)
        }
    }

    /// Run an operation on the file itself.
    fn on<T: Send + 'static, W>(&self, fd: &Resource<Descriptor>, work: W) -> impl Future<Output = FsResult<T>> + Send + use<T, W>
    where
        W: FnOnce(&Node) -> Result<T, FsError> + Send + 'static,
    {
        let node = self.node(fd);
        async move {
            let node = node?;
            Ok(on_fs(node.is_host(), move || work(&node)).await?)
        }
    }

    fn descriptor(&mut self, file: File) -> FsResult<Resource<Descriptor>> {
        let ticket = self.ctx.open_files.open().ok_or(FsFailure::TooManyOpen)?;
        Ok(self.table.push(Descriptor { file, ticket: Some(ticket), preopen: false })?)
    }
}

impl preopens::Host for WasiView<'_> {
    fn get_directories(&mut self) -> wasmtime::Result<Vec<(Resource<Descriptor>, String)>> {
        Ok(vec![(self.preopen()?, "/".to_owned())])
    }
}

impl WasiView<'_> {
    /// A handle to the root directory, as [`preopens::Host::get_directories`] gives it.
    pub fn preopen(&mut self) -> wasmtime::Result<Resource<Descriptor>> {
        let root = Descriptor { file: File::Node(self.ctx.fs.root()), ticket: None, preopen: true };
        Ok(self.table.push(root)?)
    }

    /// How many handles to the preopened root, and to anything else, the process holds.
    pub fn handles(&mut self) -> (usize, usize) {
        let (mut preopens, mut others) = (0, 0);
        for entry in self.table.iter_mut() {
            match entry.downcast_ref::<Descriptor>() {
                Some(descriptor) if descriptor.preopen => preopens += 1,
                _ => others += 1,
            }
        }
        (preopens, others)
    }
}

impl types::Host for WasiView<'_> {
    fn convert_error_code(&mut self, failure: FsFailure) -> wasmtime::Result<ErrorCode> {
        match failure {
            FsFailure::Guest(error) => Ok(error_code(error)),
            FsFailure::TooManyOpen => Ok(ErrorCode::InsufficientMemory),
            FsFailure::Trap(error) => Err(error),
        }
    }

    async fn filesystem_error_code(&mut self, error: Resource<wasmtime::Error>) -> wasmtime::Result<Option<ErrorCode>> {
        Ok(self.table.get(&error)?.downcast_ref::<FsError>().copied().map(error_code))
    }
}

impl HostDescriptor for WasiView<'_> {
    async fn read_via_stream(&mut self, fd: Resource<Descriptor>, offset: u64) -> FsResult<Resource<DynInputStream>> {
        let stream: Box<dyn InputStream> = match &self.table.get(&fd)?.file {
            File::Node(node) => Box::new(FileInput::new(node.clone(), offset, self.ctx.memory.clone())),
            File::Shared(description) => Box::new(SharedInput { description: description.clone(), process: self.ctx.process.clone() }),
        };
        Ok(self.table.push(stream)?)
    }

    async fn write_via_stream(&mut self, fd: Resource<Descriptor>, offset: u64) -> FsResult<Resource<DynOutputStream>> {
        self.output_stream(&fd, Some(offset))
    }

    async fn append_via_stream(&mut self, fd: Resource<Descriptor>) -> FsResult<Resource<DynOutputStream>> {
        self.output_stream(&fd, None)
    }

    async fn advise(&mut self, fd: Resource<Descriptor>, _: u64, _: u64, _: Advice) -> FsResult<()> {
        // Advice may be ignored (posix_fadvise); everything is in memory or in the host's page cache.
        self.node(&fd).map(drop)
    }

    async fn sync_data(&mut self, fd: Resource<Descriptor>) -> FsResult<()> {
        // Memory has nothing to wait for, and a mount's files are written through at once.
        self.node(&fd).map(drop)
    }

    async fn sync(&mut self, fd: Resource<Descriptor>) -> FsResult<()> {
        self.node(&fd).map(drop)
    }

    async fn get_flags(&mut self, fd: Resource<Descriptor>) -> FsResult<DescriptorFlags> {
        let mut flags = DescriptorFlags::empty();
        match &self.table.get(&fd)?.file {
            File::Node(node) if node.file_type() == FileType::Directory => {
                flags |= DescriptorFlags::READ | DescriptorFlags::MUTATE_DIRECTORY;
            }
            File::Node(node) => {
                if node.readable() {
                    flags |= DescriptorFlags::READ;
                }
                if node.writable() {
                    flags |= DescriptorFlags::WRITE;
                }
            }
            File::Shared(_) => flags |= DescriptorFlags::READ | DescriptorFlags::WRITE,
        }
        Ok(flags)
    }

    async fn get_type(&mut self, fd: Resource<Descriptor>) -> FsResult<DescriptorType> {
        Ok(match &self.table.get(&fd)?.file {
            File::Node(node) => descriptor_type(node.file_type()),
            File::Shared(description) => match description.node() {
                Some(node) => descriptor_type(node.file_type()),
                None if description.is_terminal() => DescriptorType::CharacterDevice,
                None => DescriptorType::Fifo,
            },
        })
    }

    async fn set_size(&mut self, fd: Resource<Descriptor>, size: u64) -> FsResult<()> {
        self.on(&fd, move |node| node.set_len(size)).await
    }

    async fn set_times(&mut self, fd: Resource<Descriptor>, atime: NewTimestamp, mtime: NewTimestamp) -> FsResult<()> {
        let (atime, mtime) = (set_time(atime), set_time(mtime));
        self.on(&fd, move |node| node.set_times(atime, mtime)).await
    }

    async fn read(&mut self, fd: Resource<Descriptor>, len: u64, offset: u64) -> FsResult<(Vec<u8>, bool)> {
        let len = usize::try_from(len).unwrap_or(MAX_READ).min(MAX_READ);
        let bytes = self.on(&fd, move |node| node.read_at(offset, len)).await?;
        let end = bytes.is_empty() && len > 0;
        Ok((bytes.into(), end))
    }

    async fn write(&mut self, fd: Resource<Descriptor>, bytes: Vec<u8>, offset: u64) -> FsResult<u64> {
        self.on(&fd, move |node| node.write_at(offset, &bytes)).await.map(|written| written as u64)
    }

    async fn read_directory(&mut self, fd: Resource<Descriptor>) -> FsResult<Resource<DirectoryEntries>> {
        let entries = self.on(&fd, Node::read_dir).await?;
        let entries: Vec<_> =
            entries.into_iter().map(|entry| DirectoryEntry { type_: descriptor_type(entry.kind), name: entry.name }).collect();
        let cost = entries.iter().map(|entry| entry.name.len() + ENTRY_COST).sum::<usize>();
        let charge = Charge::new(&self.ctx.memory, cost as u64).ok_or(FsError::OutOfMemory)?;
        Ok(self.table.push(DirectoryEntries { left: entries.into_iter(), charge })?)
    }

    async fn create_directory_at(&mut self, fd: Resource<Descriptor>, path: String) -> FsResult<()> {
        let mode = 0o777 & !self.ctx.process.umask();
        self.at(&fd, path, move |fs, at, path| fs.mkdir(at, path, mode)).await
    }

    async fn stat(&mut self, fd: Resource<Descriptor>) -> FsResult<DescriptorStat> {
        Ok(descriptor_stat(&self.facts(&fd).await?))
    }

    async fn stat_at(&mut self, fd: Resource<Descriptor>, flags: PathFlags, path: String) -> FsResult<DescriptorStat> {
        let follow = flags.contains(PathFlags::SYMLINK_FOLLOW);
        let stat = self.at(&fd, path, move |fs, at, path| fs.stat(at, path, follow)).await?;
        Ok(descriptor_stat(&stat))
    }

    async fn set_times_at(
        &mut self,
        fd: Resource<Descriptor>,
        flags: PathFlags,
        path: String,
        atime: NewTimestamp,
        mtime: NewTimestamp,
    ) -> FsResult<()> {
        let follow = flags.contains(PathFlags::SYMLINK_FOLLOW);
        let (atime, mtime) = (set_time(atime), set_time(mtime));
        self.at(&fd, path, move |fs, at, path| fs.set_times(at, path, follow, atime, mtime)).await
    }

    async fn link_at(
        &mut self,
        fd: Resource<Descriptor>,
        flags: PathFlags,
        old_path: String,
        new_directory: Resource<Descriptor>,
        new_path: String,
    ) -> FsResult<()> {
        let (fs, old, new) = (self.ctx.fs.clone(), self.node(&fd)?, self.node(&new_directory)?);
        let follow = flags.contains(PathFlags::SYMLINK_FOLLOW);
        let host = fs.is_host(&old, &old_path) || fs.is_host(&new, &new_path);
        Ok(on_fs(host, move || fs.link(&old, &old_path, follow, &new, &new_path)).await?)
    }

    async fn open_at(
        &mut self,
        fd: Resource<Descriptor>,
        path_flags: PathFlags,
        path: String,
        open_flags: OpenFlags,
        flags: DescriptorFlags,
    ) -> FsResult<Resource<Descriptor>> {
        let how = OpenHow {
            read: flags.contains(DescriptorFlags::READ),
            write: flags.contains(DescriptorFlags::WRITE),
            create: open_flags.contains(OpenFlags::CREATE),
            mode: 0o666 & !self.ctx.process.umask(),
            exclusive: open_flags.contains(OpenFlags::EXCLUSIVE),
            truncate: open_flags.contains(OpenFlags::TRUNCATE),
            directory: open_flags.contains(OpenFlags::DIRECTORY),
            follow: path_flags.contains(PathFlags::SYMLINK_FOLLOW),
        };
        let node = self.at(&fd, path, move |fs, at, path| fs.open(at, path, how)).await?;
        let file = match node.file_type() {
            FileType::CharDevice(Device::Fd(number)) => File::Shared(self.ctx.descriptors.get(&number).cloned().ok_or(FsError::NotFound)?),
            FileType::CharDevice(Device::Random | Device::Urandom) => File::Shared(super::Description::file(node, false, &self.ctx.random)),
            _ => File::Node(node),
        };
        self.descriptor(file)
    }

    async fn readlink_at(&mut self, fd: Resource<Descriptor>, path: String) -> FsResult<String> {
        self.at(&fd, path, Fs::readlink).await
    }

    async fn remove_directory_at(&mut self, fd: Resource<Descriptor>, path: String) -> FsResult<()> {
        self.at(&fd, path, Fs::rmdir).await
    }

    async fn rename_at(
        &mut self,
        fd: Resource<Descriptor>,
        old_path: String,
        new_directory: Resource<Descriptor>,
        new_path: String,
    ) -> FsResult<()> {
        let (fs, old, new) = (self.ctx.fs.clone(), self.node(&fd)?, self.node(&new_directory)?);
        let host = fs.is_host(&old, &old_path) || fs.is_host(&new, &new_path);
        Ok(on_fs(host, move || fs.rename(&old, &old_path, &new, &new_path)).await?)
    }

    async fn symlink_at(&mut self, fd: Resource<Descriptor>, target: String, path: String) -> FsResult<()> {
        self.at(&fd, path, move |fs, at, path| fs.symlink(at, path, &target)).await
    }

    async fn unlink_file_at(&mut self, fd: Resource<Descriptor>, path: String) -> FsResult<()> {
        self.at(&fd, path, Fs::unlink).await
    }

    async fn is_same_object(&mut self, one: Resource<Descriptor>, other: Resource<Descriptor>) -> wasmtime::Result<bool> {
        let (Ok(one), Ok(other)) = (self.node(&one), self.node(&other)) else { return Ok(false) };
        let same = on_fs(one.is_host() || other.is_host(), move || Ok(one.ident()? == other.ident()?)).await;
        Ok(same.unwrap_or(false))
    }

    async fn metadata_hash(&mut self, fd: Resource<Descriptor>) -> FsResult<MetadataHashValue> {
        Ok(metadata_hash(&self.facts(&fd).await?))
    }

    async fn metadata_hash_at(&mut self, fd: Resource<Descriptor>, flags: PathFlags, path: String) -> FsResult<MetadataHashValue> {
        let follow = flags.contains(PathFlags::SYMLINK_FOLLOW);
        let stat = self.at(&fd, path, move |fs, at, path| fs.stat(at, path, follow)).await?;
        Ok(metadata_hash(&stat))
    }

    async fn drop(&mut self, fd: Resource<Descriptor>) -> wasmtime::Result<()> {
        self.table.delete(fd)?;
        Ok(())
    }
}

impl WasiView<'_> {
    fn facts(&self, fd: &Resource<Descriptor>) -> impl Future<Output = FsResult<Stat>> + Send + use<> {
        let file = self.table.get(fd).map(|descriptor| match &descriptor.file {
            File::Node(node) => Ok(node.clone()),
            File::Shared(description) => Err(description.clone()),
        });
        async move {
            match file? {
                Ok(node) => Ok(on_fs(node.is_host(), move || node.stat()).await?),
                Err(description) => description.stat().await.map_err(|failure| match failure {
                    super::IoFailure::Fs(error) => FsFailure::Guest(error),
                    _ => FsFailure::Guest(FsError::Io),
                }),
            }
        }
    }

    fn output_stream(&mut self, fd: &Resource<Descriptor>, offset: Option<u64>) -> FsResult<Resource<DynOutputStream>> {
        let stream: Box<dyn OutputStream> = match &self.table.get(fd)?.file {
            File::Node(node) if !node.writable() => return Err(FsError::BadDescriptor.into()),
            File::Node(node) => Box::new(FileOutput::new(node.clone(), offset, self.ctx.memory.clone())),
            File::Shared(description) => {
                Box::new(SharedOutput::new(description.clone(), Some(self.ctx.process.clone()), self.ctx.memory.clone()))
            }
        };
        Ok(self.table.push(stream)?)
    }
}

impl HostDirectoryEntryStream for WasiView<'_> {
    async fn read_directory_entry(&mut self, entries: Resource<DirectoryEntries>) -> FsResult<Option<DirectoryEntry>> {
        Ok(self.table.get_mut(&entries)?.left.next())
    }

    async fn drop(&mut self, entries: Resource<DirectoryEntries>) -> wasmtime::Result<()> {
        self.table.delete(entries)?;
        Ok(())
    }
}
