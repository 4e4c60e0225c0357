//! Failures of the host while it runs a guest: what is one, and a hook by which tests cause them.

use std::fmt;
use std::io;
use std::sync::Arc;

use wasmtime::{OutOfMemory, PoolConcurrencyLimitError, WasmtimeBug};
use wisp_api::ErrorCode;

/// The host failed a guest. It travels as the error of wasmtime up to the code that runs the guest. Only the host makes one, so a
/// guest cannot pass for one that the host failed.
#[derive(Debug, thiserror::Error)]
#[error("{what}: {source}")]
pub(crate) struct HostFault {
    code: ErrorCode,
    what: &'static str,
    source: io::Error,
}

impl HostFault {
    /// Returns the error that the machine has no memory for `what`, or allows no further mapping.
    pub(crate) fn memory(what: &'static str, source: io::Error) -> Self {
        Self { code: ErrorCode::HostMemory, what, source }
    }

    /// Makes an error of the system a failure of the host; leaves any other as it is. For errors of wasmtime from work in which the
    /// guest can cause none of the system.
    pub(crate) fn of_system(what: &'static str, error: wasmtime::Error) -> wasmtime::Error {
        let error = match error.downcast::<io::Error>() {
            Ok(source) => return Self::memory(what, source).into(),
            Err(error) => error,
        };
        match error.downcast::<rustix::io::Errno>() {
            Ok(source) => Self::memory(what, source.into()).into(),
            Err(error) => error,
        }
    }
}

/// Returns the code and the text of an error of wasmtime that is a failure of the host. Everything else is the guest's doing, also
/// errors without a type: most of them say how the guest broke the rules of a call.
pub(crate) fn host_fault(error: &wasmtime::Error) -> Option<(ErrorCode, String)> {
    if let Some(fault) = error.downcast_ref::<HostFault>() {
        return Some((fault.code, fault.to_string()));
    }
    let code = if error.is::<PoolConcurrencyLimitError>() {
        ErrorCode::NoRoom
    } else if error.is::<OutOfMemory>() {
        ErrorCode::HostMemory
    } else if error.is::<WasmtimeBug>() {
        ErrorCode::Internal
    } else {
        return None;
    };
    Some((code, format!("{error:#}")))
}

/// A slow operation of the host that a test can make fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FailPoint {
    /// Compiling a component.
    Compile,
    /// Mapping machine code that was compiled just now.
    Code,
    /// Mapping the memory of a process.
    Memory,
    /// Making more of the memory of a process accessible.
    Growth,
    /// Mapping the stack of a process or a thread.
    Stack,
    /// Copying the memory of an interpreter for a snapshot.
    Snapshot,
    /// Writing a file of the cache.
    CacheWrite,
}

type Inject = dyn Fn(FailPoint) -> Option<io::Error> + Send + Sync;

/// What a test makes fail in one engine; nothing otherwise.
#[derive(Clone, Default)]
pub(crate) struct FailPoints(Option<Arc<Inject>>);

impl FailPoints {
    /// Asks `inject` at each operation how it fails; `None` lets it be done.
    pub(crate) fn new(inject: Arc<Inject>) -> Self {
        Self(Some(inject))
    }

    /// Returns the error that `point` fails with, if a test wants that.
    ///
    /// # Errors
    /// That error.
    pub(crate) fn check(&self, point: FailPoint) -> io::Result<()> {
        match &self.0 {
            None => Ok(()),
            Some(inject) => inject(point).map_or(Ok(()), Err),
        }
    }
}

impl fmt::Debug for FailPoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FailPoints").field(&self.0.is_some()).finish()
    }
}

#[cfg(test)]
mod tests {
    use wasmtime::Trap;

    use super::*;

    #[test]
    fn only_what_the_host_made_is_its_fault() {
        let full = || io::Error::from(io::ErrorKind::OutOfMemory);
        let fault = wasmtime::Error::from(HostFault::memory("a stack cannot be mapped", full())).context("while it ran");
        let (code, message) = host_fault(&fault).expect("a fault of the host");
        assert_eq!(code, ErrorCode::HostMemory);
        assert!(message.starts_with("a stack cannot be mapped: "), "{message}");
        let mapping = || wasmtime::Error::from(rustix::io::Errno::NOMEM).context("while it was made");
        for of_system in [full().into(), mapping()] {
            let fault = HostFault::of_system("an instance cannot be made", of_system);
            assert_eq!(host_fault(&fault).map(|(code, _)| code), Some(ErrorCode::HostMemory), "{fault:?}");
        }
        let trap = HostFault::of_system("an instance cannot be made", Trap::UnreachableCodeReached.into());
        assert!(host_fault(&trap).is_none() && trap.is::<Trap>());
        assert_eq!(host_fault(&OutOfMemory::new(8).into()).map(|(code, _)| code), Some(ErrorCode::HostMemory));
        // A guest can choose such a text and such a trap.
        for guests in [wasmtime::Error::msg("a stack cannot be mapped: out of memory"), Trap::UnreachableCodeReached.into(), full().into()]
        {
            assert_eq!(host_fault(&guests), None, "{guests:?}");
        }
    }

    #[test]
    fn a_point_fails_only_where_a_test_wants_it() {
        assert!(FailPoints::default().check(FailPoint::Memory).is_ok());
        let points = FailPoints::new(Arc::new(|point| (point == FailPoint::Stack).then(|| io::ErrorKind::OutOfMemory.into())));
        assert!(points.check(FailPoint::Memory).is_ok());
        assert_eq!(points.check(FailPoint::Stack).map_err(|error| error.kind()), Err(io::ErrorKind::OutOfMemory));
    }
}
