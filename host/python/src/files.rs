//! The files of a sandbox, from outside.

use std::sync::Arc;

use bytes::Bytes;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use wisp::fs::{self, FsError, WalkOptions};

use crate::call::{Call, Ended, made, made_by, nothing};
use crate::data;
use crate::failure::Failure;
use crate::sandbox::Sandbox;

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

    /// Writes a file, and makes missing directories above it.
    fn write(&self, path: String, data: &[u8]) -> Call {
        self.call(write(self.0.clone(), path, Bytes::copy_from_slice(data)))
    }

    /// Lists a directory, as JSON: with `depth` 1 its names, with more what is below them.
    fn list(&self, path: String, depth: usize) -> Call {
        self.call(list(self.0.clone(), path, depth))
    }

    /// Returns whether there is such a file.
    fn exists(&self, path: String) -> Call {
        self.call(exists(self.0.clone(), path))
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
}

fn files(sandbox: &Sandbox) -> Result<fs::Files, Failure> {
    Ok(sandbox.handle()?.files()?)
}

async fn read(sandbox: Arc<Sandbox>, path: String) -> Ended {
    let contents = files(&sandbox)?.read(&path).await?;
    Ok(made_by(move |py| Ok(PyBytes::new(py, &contents).into_any().unbind())))
}

async fn write(sandbox: Arc<Sandbox>, path: String, contents: Bytes) -> Ended {
    files(&sandbox)?.write(&path, contents).await?;
    Ok(nothing())
}

async fn list(sandbox: Arc<Sandbox>, path: String, depth: usize) -> Ended {
    let files = files(&sandbox)?;
    let listing = match depth {
        0 | 1 => files.list(&path).await?,
        depth => files.walk(&path, WalkOptions::new().depth(depth)).await?,
    };
    Ok(made(data::written(&listing)?))
}

async fn exists(sandbox: Arc<Sandbox>, path: String) -> Ended {
    match files(&sandbox)?.stat(&path).await {
        Ok(_) => Ok(made(true)),
        // A name below a file, too.
        Err(error) if matches!(error.fs(), Some(FsError::NotFound | FsError::NotDirectory)) => Ok(made(false)),
        Err(error) => Err(error.into()),
    }
}

async fn rename(sandbox: Arc<Sandbox>, old: String, new: String) -> Ended {
    files(&sandbox)?.rename(&old, &new).await?;
    Ok(nothing())
}

async fn remove(sandbox: Arc<Sandbox>, path: String, recursive: bool) -> Ended {
    let files = files(&sandbox)?;
    if recursive {
        files.remove_tree(&path).await?;
    } else {
        files.remove(&path).await?;
    }
    Ok(nothing())
}

async fn make_dir(sandbox: Arc<Sandbox>, path: String) -> Ended {
    files(&sandbox)?.mkdir_all(&path).await?;
    Ok(nothing())
}
