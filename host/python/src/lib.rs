//! The module `wisp_sandbox._native`, on which the Python files of the package stand.
//!
//! It has what these files cannot do, and nothing else: engines (`host`), calls that wait without the interpreter's lock and can be
//! interrupted (`call`) or end on an event loop (`delivery`), calls of Python's functions by guests (`function`, `answer`), and a class for
//! each thing of the service (`policy`, `session`, `files`, `stream`, `watch`, `command`, `evaluation`, `snapshot`). Requests and results
//! cross as the JSON of `wisp-api`, output and files as bytes, and errors as documents (`failure`), of which the Python files make
//! exceptions.

mod answer;
mod call;
mod command;
mod data;
mod delivery;
mod engine;
mod evaluation;
mod exit;
mod failure;
mod files;
mod function;
mod held;
mod host;
mod keyed;
mod ledger;
mod map;
mod opened;
mod policy;
mod program;
mod room;
mod sandbox;
mod session;
mod snapshot;
mod stream;
mod transfer;
mod watch;

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;

/// Defines wisp for Python. Use the package `wisp_sandbox`: this module may change at any time.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // SAFETY: the interpreter's lock is held, so there is a current interpreter, which is not null.
    if unsafe { pyo3::ffi::PyInterpreterState_GetID(pyo3::ffi::PyInterpreterState_Get()) } != 0 {
        return Err(PyImportError::new_err("wisp_sandbox works in the main interpreter of a process, and this is another one"));
    }
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<answer::Answer>()?;
    module.add_class::<call::Call>()?;
    module.add_class::<command::Command>()?;
    module.add_class::<engine::Engine>()?;
    module.add_class::<evaluation::Evaluation>()?;
    module.add_class::<files::Files>()?;
    module.add_class::<function::Function>()?;
    module.add_class::<policy::Policy>()?;
    module.add_class::<session::Session>()?;
    module.add_class::<snapshot::Snapshot>()?;
    module.add_class::<stream::Reader>()?;
    module.add_class::<watch::Watch>()?;
    module.add_function(wrap_pyfunction!(session::open_session, module)?)?;
    module.add_function(wrap_pyfunction!(program::run_command, module)?)?;
    module.add_function(wrap_pyfunction!(host::live_sessions, module)?)?;
    module.add_function(wrap_pyfunction!(host::is_forked, module)?)?;
    module.add_function(wrap_pyfunction!(host::shut_down, module)?)?;
    Ok(())
}
