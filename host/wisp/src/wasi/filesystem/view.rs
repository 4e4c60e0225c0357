//! What all operations of `wasi:filesystem` share: finding the file of a handle, and choosing the thread.

use wasmtime::component::Resource;
use wasmtime_wasi_io::streams::{DynOutputStream, OutputStream};

use super::handle::{Descriptor, File, FsFailure, FsResult};
use crate::wasi::context::{Part, WasiView};
use crate::wasi::files::{FilesView, HasFiles};
use crate::wasi::streams::{FileOutput, SharedOutput};
use crate::wasi::{IoFailure, SharedLock, outside};
use wisp_vfs::{Fs, FsError, Node, Stat};

/// Runs `work` here if it only touches memory, and on a blocking thread if `host` says that a mount may be involved.
pub(in crate::wasi) async fn on_fs<T: Send + 'static>(
    host: bool,
    work: impl FnOnce() -> Result<T, FsError> + Send + 'static,
) -> Result<T, FsError> {
    if !host {
        return work();
    }
    outside(crate::meter::blocking(work)).await.unwrap_or(Err(FsError::Io))
}

impl FilesView<'_> {
    pub(super) fn node(&self, fd: &Resource<Descriptor>) -> FsResult<Node> {
        match &self.table.get(fd)?.file {
            File::Node(node) => Ok(node.clone()),
            File::Shared(description) => description.node().cloned().ok_or_else(|| FsError::Invalid.into()),
        }
    }

    /// Runs a path operation relative to `fd`. The future does not borrow the view.
    pub(super) fn at<T: Send + 'static, W>(
        &self,
        fd: &Resource<Descriptor>,
        path: String,
        work: W,
    ) -> impl Future<Output = FsResult<T>> + Send + use<T, W>
    where
        W: FnOnce(&Fs, &Node, &str) -> Result<T, FsError> + Send + 'static,
    {
        let (fs, node) = (self.fs.clone(), self.node(fd));
        async move {
            let node = node?;
            let host = fs.is_host(&node, &path);
            Ok(on_fs(host, move || work(&fs, &node, &path)).await?)
        }
    }

    /// Runs an operation on the file itself.
    pub(super) fn on<T: Send + 'static, W>(
        &self,
        fd: &Resource<Descriptor>,
        work: W,
    ) -> impl Future<Output = FsResult<T>> + Send + use<T, W>
    where
        W: FnOnce(&Node) -> Result<T, FsError> + Send + 'static,
    {
        let node = self.node(fd);
        async move {
            let node = node?;
            Ok(on_fs(node.is_host(), move || work(&node)).await?)
        }
    }

    pub(super) fn descriptor(&mut self, file: File) -> FsResult<Resource<Descriptor>> {
        let ticket = self.open_files.open().ok_or(FsFailure::TooManyOpen)?;
        Ok(self.table.push(Descriptor { file, ticket: Some(ticket), preopen: false, listed: None, lock: SharedLock::default() })?)
    }

    pub(super) fn facts(&self, fd: &Resource<Descriptor>) -> impl Future<Output = FsResult<Stat>> + Send + use<> {
        let file = self.table.get(fd).map(|descriptor| match &descriptor.file {
            File::Node(node) => Ok(node.clone()),
            File::Shared(description) => Err(description.clone()),
        });
        async move {
            match file? {
                Ok(node) => Ok(on_fs(node.is_host(), move || node.stat()).await?),
                Err(description) => description.stat().await.map_err(|failure| match failure {
                    IoFailure::Fs(error) => FsFailure::Guest(error),
                    _ => FsFailure::Guest(FsError::Io),
                }),
            }
        }
    }

    pub(super) fn output_stream(&mut self, fd: &Resource<Descriptor>, offset: Option<u64>) -> FsResult<Resource<DynOutputStream>> {
        let stream: Box<dyn OutputStream> = match &self.table.get(fd)?.file {
            File::Node(node) if !node.writable() => return Err(FsError::BadDescriptor.into()),
            File::Node(node) => Box::new(FileOutput::new(node.clone(), offset, self.memory.clone(), self.tasks.clone())),
            File::Shared(description) => {
                let process = Some(self.process.clone());
                Box::new(SharedOutput::new(description.clone(), process, self.memory.clone(), self.tasks.clone()))
            }
        };
        Ok(self.table.push(stream)?)
    }

    /// Makes a handle to the root directory, as `preopens.get-directories` returns it.
    pub(super) fn preopen(&mut self) -> wasmtime::Result<Resource<Descriptor>> {
        self.root(self.fs.root(), true)
    }

    /// Makes a handle to the root directory, which is not counted as an open file.
    pub(super) fn root(&mut self, root: Node, preopen: bool) -> wasmtime::Result<Resource<Descriptor>> {
        let root = Descriptor { file: File::Node(root), ticket: None, preopen, listed: None, lock: SharedLock::default() };
        self.table.push(root)
    }
}

impl WasiView<'_> {
    /// Makes a handle to the root directory, for a guest that gets it without asking.
    ///
    /// # Errors
    /// Those of [`super::super::Handles::push`].
    pub fn preopen(self) -> wasmtime::Result<Resource<Descriptor>> {
        HasFiles::of(self).preopen()
    }

    /// Returns how many handles the process holds: to the preopened root, and to anything else.
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
