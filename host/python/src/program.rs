//! The command `wisp`, run in the process of an interpreter that has nothing else to do.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use pyo3::prelude::*;
use wisp::policy::ProtectedPath;
use wisp_cli::Invocation;

/// Runs the command, and ends the process with its exit code. `words` are those of its command line, the first of which is the path of
/// the program that a user starts; `again` is a program with the arguments that make it this command; `places` are what a later start
/// executes, with what each is.
#[pyfunction]
#[expect(clippy::disallowed_methods, reason = "the process is the command's, which may not read the interpreter's files any more")]
pub(crate) fn run_command(py: Python<'_>, words: Vec<Vec<u8>>, again: (Vec<u8>, Vec<Vec<u8>>), places: Vec<(String, Vec<u8>)>) {
    let texts = |words: Vec<Vec<u8>>| words.into_iter().map(OsString::from_vec).collect();
    let (program, arguments) = again;
    let places = places.into_iter().map(|(what, path)| ProtectedPath { what, path: OsString::from_vec(path).into() }).collect();
    let invocation = Invocation::within(texts(words), (OsString::from_vec(program), texts(arguments)), places);
    py.detach(|| std::process::exit(wisp_cli::main(invocation).into()));
}
