//! `wasi:filesystem` over the session's filesystem. The only preopen is `/`.

mod convert;
mod handle;
mod view;

use std::sync::Arc;

use wasmtime::component::Resource;
use wasmtime_wasi_io::streams::{DynInputStream, DynOutputStream, InputStream};

pub(super) use handle::File;
pub use handle::{Descriptor, DirectoryEntries, FsFailure};
pub(super) use view::on_fs;

use super::Charge;
use super::bindings::wasi::filesystem::preopens;
use super::bindings::wasi::filesystem::types::{
    self, Advice, DescriptorFlags, DescriptorStat, DescriptorType, DirectoryEntry, ErrorCode, HostDescriptor, HostDirectoryEntryStream,
    MetadataHashValue, NewTimestamp, OpenFlags, PathFlags,
};
use super::description::Description;
use super::files::FilesView;
use super::signals::end_if_doomed;
use super::streams::{FileInput, SharedInput};
use convert::{descriptor_stat, descriptor_type, error_code, metadata_hash, set_time};
use handle::{ENTRY_COST, FsResult, Listed};
use wisp_vfs::{Device, DirEntry, FileType, Fs, FsError, MAX_READ, Node, OpenHow};

impl preopens::Host for FilesView<'_> {
    fn get_directories(&mut self) -> wasmtime::Result<Vec<(Resource<Descriptor>, String)>> {
        Ok(vec![(self.preopen()?, "/".to_owned())])
    }
}

impl types::Host for FilesView<'_> {
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

impl HostDescriptor for FilesView<'_> {
    async fn read_via_stream(&mut self, fd: Resource<Descriptor>, offset: u64) -> FsResult<Resource<DynInputStream>> {
        let stream: Box<dyn InputStream> = match &self.table.get(&fd)?.file {
            File::Node(node) => Box::new(FileInput::new(node.clone(), offset, self.memory.clone())),
            File::Shared(description) => Box::new(SharedInput { description: description.clone(), process: self.process.clone() }),
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
        // Memory needs no flush, and a mount's files are written through immediately.
        self.node(&fd).map(drop)
    }

    async fn sync(&mut self, fd: Resource<Descriptor>) -> FsResult<()> {
        self.node(&fd).map(drop)
    }

    async fn get_flags(&mut self, fd: Resource<Descriptor>) -> FsResult<DescriptorFlags> {
        let node = match &self.table.get(&fd)?.file {
            File::Node(node) => Some(node),
            File::Shared(description) => description.node(),
        };
        if node.is_some_and(|node| node.file_type() == FileType::Directory) {
            return Ok(DescriptorFlags::READ | DescriptorFlags::MUTATE_DIRECTORY);
        }
        let mut flags = DescriptorFlags::empty();
        if node.is_none_or(Node::readable) {
            flags |= DescriptorFlags::READ;
        }
        if node.is_none_or(Node::writable) {
            flags |= DescriptorFlags::WRITE;
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
        let (entries, device) = self
            .on(&fd, |node| {
                let entries = node.read_dir()?;
                // Everything in a mount's directory belongs to that mount: mounts do not nest.
                Ok((entries, if node.is_host() { Some(node.ident()?.0) } else { None }))
            })
            .await?;
        let entry = |entry: DirEntry| (DirectoryEntry { type_: descriptor_type(entry.kind), name: entry.name }, entry.ino);
        let entries: Vec<_> = entries.into_iter().map(entry).collect();
        let cost = entries.iter().map(|(entry, _)| entry.name.len() + ENTRY_COST).sum::<usize>();
        let charge = Charge::new(self.memory, cost as u64).ok_or(FsError::OutOfMemory)?;
        let listed = device.map(|device| (device, Arc::new(Listed::default())));
        self.table.get_mut(&fd)?.listed = listed.as_ref().map(|(_, listed)| listed.clone());
        Ok(self.table.push(DirectoryEntries { left: entries.into_iter(), listed, charge })?)
    }

    async fn create_directory_at(&mut self, fd: Resource<Descriptor>, path: String) -> FsResult<()> {
        let mode = 0o777 & !self.process.umask();
        self.at(&fd, path, move |fs, at, path| fs.mkdir(at, path, mode)).await
    }

    async fn stat(&mut self, fd: Resource<Descriptor>) -> FsResult<DescriptorStat> {
        *self.asked = Some(fd.rep());
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
        let (fs, old, new) = (self.fs.clone(), self.node(&fd)?, self.node(&new_directory)?);
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
            mode: 0o666 & !self.process.umask(),
            exclusive: open_flags.contains(OpenFlags::EXCLUSIVE),
            truncate: open_flags.contains(OpenFlags::TRUNCATE),
            directory: open_flags.contains(OpenFlags::DIRECTORY),
            follow: path_flags.contains(PathFlags::SYMLINK_FOLLOW),
        };
        let node = self.at(&fd, path, move |fs, at, path| fs.open(at, path, how)).await?;
        let file = match (node.device(), node.file_type()) {
            (Some(Device::Fd(number)), _) => File::Shared(self.descriptors.get(&number).cloned().ok_or(FsError::NotFound)?),
            (Some(Device::Random | Device::Urandom), _) => File::Shared(Description::file(node, false, self.random)),
            (Some(Device::Tty), _) => File::Shared(Description::controlling(self.process)?),
            // A FIFO opened neither for reading nor for writing only has attributes.
            (_, FileType::Fifo) if node.readable() || node.writable() => {
                let opening = self.begin_fifo(&node)?;
                let end = opening.joined().await;
                end_if_doomed(self.process)?;
                File::Shared(Description::fifo(end, node))
            }
            // Like the handles of `preopens`, it is not counted: a language runtime holds numbers of its libc's with it.
            _ if node.is_root() => return Ok(self.root(node, false)?),
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
        let (fs, old, new) = (self.fs.clone(), self.node(&fd)?, self.node(&new_directory)?);
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
        let stat = self.facts(&fd).await?;
        Ok(metadata_hash(stat.ino, stat.dev))
    }

    async fn metadata_hash_at(&mut self, fd: Resource<Descriptor>, flags: PathFlags, path: String) -> FsResult<MetadataHashValue> {
        let follow = flags.contains(PathFlags::SYMLINK_FOLLOW);
        if let Some(hash) = self.table.get(&fd)?.listed.as_ref().filter(|_| !follow).and_then(|listed| listed.take(&path)) {
            return Ok(hash);
        }
        let stat = self.at(&fd, path, move |fs, at, path| fs.stat(at, path, follow)).await?;
        Ok(metadata_hash(stat.ino, stat.dev))
    }

    async fn drop(&mut self, fd: Resource<Descriptor>) -> wasmtime::Result<()> {
        self.table.delete(fd)?;
        Ok(())
    }
}

impl HostDirectoryEntryStream for FilesView<'_> {
    async fn read_directory_entry(&mut self, entries: Resource<DirectoryEntries>) -> FsResult<Option<DirectoryEntry>> {
        let entries = self.table.get_mut(&entries)?;
        Ok(entries.left.next().map(|(entry, ino)| {
            if let Some((device, listed)) = &entries.listed {
                listed.note(&entry.name, metadata_hash(ino, *device));
            }
            entry
        }))
    }

    async fn drop(&mut self, entries: Resource<DirectoryEntries>) -> wasmtime::Result<()> {
        self.table.delete(entries)?;
        Ok(())
    }
}
