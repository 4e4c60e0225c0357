//! The files of a sandbox, from outside.

use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tokio::task;
use wisp::fs::{self, FileEntry, FsError, HOME, Listing, WalkOptions};
use wisp::policy::executed;
use wisp_api::{DiffRequest, ErrorCode, shown};
use wisp_cli::Trusted;

use crate::call::{Call, Ended, made, made_by, nothing};
use crate::data;
use crate::failure::{Failure, or_raise};
use crate::policy;
use crate::sandbox::Sandbox;
use crate::stream;
use crate::transfer::{Rules, transfer};
use crate::watch;

/// Names of a directory that are read at a time.
const PAGE: usize = 10_000;

/// Maximum files of one list. Attack: a guest that makes files as fast as they are listed.
const LISTED: usize = 1_000_000;

/// The files of a sandbox. A relative path begins at `/home/user`.
#[pyclass(frozen, module = "wisp_sandbox._native")]
pub(crate) struct Files(pub(crate) Arc<Sandbox>);

impl Files {
    fn call(&self, work: impl Future<Output = Ended> + Send + 'static) -> Call {
        Call::new(&self.0.host, work)
    }
}

#[pymethods]
impl Files {
    /// Reads a file.
    fn read(&self, path: String) -> Call {
        self.call(read(self.0.clone(), path))
    }

    /// Opens a file, to read it piece by piece.
    fn open(&self, path: String) -> Call {
        self.call(stream::open(self.0.clone(), path))
    }

    /// Writes a file, and makes missing directories above it.
    fn write(&self, path: String, data: &[u8]) -> Call {
        self.call(write(self.0.clone(), path, Bytes::copy_from_slice(data)))
    }

    /// Lists a directory, as JSON: with `depth` 1 its names, with more what is below them. All of it, or it fails.
    fn list(&self, path: String, depth: usize) -> Call {
        self.call(list(self.0.clone(), path, depth))
    }

    /// Returns whether there is such a file.
    fn exists(&self, path: String) -> Call {
        self.call(exists(self.0.clone(), path))
    }

    /// Returns the facts about a file, of a symbolic link itself, as JSON.
    fn info(&self, path: String) -> Call {
        self.call(info(self.0.clone(), path))
    }

    /// Renames a file.
    fn rename(&self, old: String, new: String) -> Call {
        self.call(rename(self.0.clone(), old, new))
    }

    /// Removes a file or an empty directory; if it is recursive, with what is in it.
    fn remove(&self, path: String, recursive: bool) -> Call {
        self.call(remove(self.0.clone(), path, recursive))
    }

    /// Makes a directory, and those above it.
    fn make_dir(&self, path: String) -> Call {
        self.call(make_dir(self.0.clone(), path))
    }

    /// Watches a file, or everything below a directory; so many changes wait to be read.
    fn watch(&self, path: String, capacity: usize) -> Call {
        self.call(watch::watch(self.0.clone(), path, capacity))
    }

    /// Returns what differs from the beginning, as JSON.
    fn diff(&self, py: Python<'_>, request: &str) -> PyResult<Call> {
        let request: DiffRequest = or_raise(py, data::read(request))?;
        Ok(self.call(diff(self.0.clone(), request)))
    }

    /// Applies a unified diff to the files in a directory: what it changed, as JSON.
    fn apply_patch(&self, path: String, patch: &[u8]) -> Call {
        self.call(apply_patch(self.0.clone(), path, Bytes::copy_from_slice(patch)))
    }

    /// Uploads a file or a directory of the host: how many files and bytes, and what was left out.
    fn upload(&self, host: PathBuf, path: String) -> Call {
        self.call(transfer(self.0.clone(), move |transfer| transfer.upload(&host, &path)))
    }

    /// Downloads a file or a directory to the host, at most so many bytes: how many files and bytes, and what was left out. Nothing is
    /// written that a later run executes or trusts.
    fn download(&self, py: Python<'_>, path: String, host: PathBuf, overwrite: bool, most: u64) -> PyResult<Call> {
        let policy = or_raise(py, self.0.policy())?;
        let places = policy::places(py)?;
        let engine = self.0.host.service.runtime().engine().clone();
        Ok(self.call(transfer(self.0.clone(), move |transfer| {
            let executed = executed(engine.cache().directory(), None, engine.components());
            let trusted = Trusted::new([policy.protected_paths(), executed, places].concat());
            transfer.download(&path, &host, &Rules { overwrite, most, trusted })
        })))
    }
}

async fn files(sandbox: &Arc<Sandbox>) -> Result<fs::Files, Failure> {
    Ok(sandbox.ready().await?.files()?)
}

async fn read(sandbox: Arc<Sandbox>, path: String) -> Ended {
    let contents = files(&sandbox).await?.read(&path).await?;
    Ok(made_by(move |py| Ok(PyBytes::new(py, &contents).into_any().unbind())))
}

async fn write(sandbox: Arc<Sandbox>, path: String, contents: Bytes) -> Ended {
    files(&sandbox).await?.write(&path, contents).await?;
    Ok(nothing())
}

async fn list(sandbox: Arc<Sandbox>, path: String, depth: usize) -> Ended {
    let files = files(&sandbox).await?;
    let listing = match depth {
        0 | 1 => names(&files, &path).await?,
        depth => files.walk(&path, WalkOptions::new().entries(LISTED).depth(depth)).await?,
    };
    if listing.truncated {
        let why = if listing.entries.len() >= LISTED {
            format!("there are more than {LISTED} files")
        } else {
            "some directories are more than 1,000 below each other, or have a path of more than 4,096 bytes".to_owned()
        };
        let message = format!("cannot list all of `{}`: {why}; pass a smaller `depth`, or list a directory in it", shown(&plain(&path)));
        return Err(Failure::new(ErrorCode::TooLarge, message));
    }
    Ok(made(data::written(&listing)?))
}

/// Returns all names in a directory.
async fn names(files: &fs::Files, path: &str) -> Result<Listing, Failure> {
    let mut all = Listing::default();
    loop {
        let after = all.entries.last().map(|entry| entry.name().to_owned()).unwrap_or_default();
        let page = files.list_after(path, &after, PAGE).await?;
        all.entries.extend(page.entries);
        if !page.truncated || all.entries.len() >= LISTED {
            return Ok(Listing { truncated: page.truncated, ..all });
        }
        // Others run between two pages.
        task::yield_now().await;
    }
}

async fn exists(sandbox: Arc<Sandbox>, path: String) -> Ended {
    match files(&sandbox).await?.stat(&path).await {
        Ok(_) => Ok(made(true)),
        // A name below a file, too.
        Err(error) if matches!(error.fs(), Some(FsError::NotFound | FsError::NotDirectory)) => Ok(made(false)),
        Err(error) => Err(error.into()),
    }
}

async fn rename(sandbox: Arc<Sandbox>, old: String, new: String) -> Ended {
    files(&sandbox).await?.rename(&old, &new).await?;
    Ok(nothing())
}

async fn remove(sandbox: Arc<Sandbox>, path: String, recursive: bool) -> Ended {
    let files = files(&sandbox).await?;
    if recursive {
        files.remove_tree(&path).await?;
    } else {
        files.remove(&path).await?;
    }
    Ok(nothing())
}

async fn make_dir(sandbox: Arc<Sandbox>, path: String) -> Ended {
    files(&sandbox).await?.mkdir_all(&path).await?;
    Ok(nothing())
}

async fn info(sandbox: Arc<Sandbox>, path: String) -> Ended {
    let stat = files(&sandbox).await?.stat_link(&path).await?;
    Ok(made(data::written(&FileEntry { path: plain(&path), stat })?))
}

async fn diff(sandbox: Arc<Sandbox>, request: DiffRequest) -> Ended {
    let diff = sandbox.ready().await?.diff(request).await?;
    Ok(made(data::written(&diff)?))
}

async fn apply_patch(sandbox: Arc<Sandbox>, path: String, patch: Bytes) -> Ended {
    let patched = files(&sandbox).await?.apply_patch(&path, patch).await?;
    Ok(made(data::written(&patched)?))
}

/// Returns a path from the root, without what means nothing in it.
fn plain(path: &str) -> String {
    let home = if path.starts_with('/') { "" } else { HOME };
    let names = home.split('/').chain(path.split('/')).filter(|name| !matches!(*name, "" | "."));
    let path = names.fold(String::new(), |path, name| path + "/" + name);
    if path.is_empty() { "/".to_owned() } else { path }
}
