//! Which build of wisp this is.

use std::fmt::Write as _;
use std::fs::File;
use std::io;

use sha2::{Digest, Sha256};

use crate::invocation;

/// The number of the release.
const NUMBER: &str = env!("CARGO_PKG_VERSION");

/// The date of the sources, or nothing if it was not known.
const DATE: &str = env!("WISP_DATE");

/// Returns the version in one line: the number, and the build by the SHA-256 of the file with this program's code, which `sha256sum` prints
/// too, and the date of its sources.
pub(crate) fn line() -> String {
    let build = digest().unwrap_or_else(|error| format!("unknown: {error}"));
    let date = if DATE.is_empty() { String::new() } else { format!(", {DATE}") };
    format!("{NUMBER} (sha256 {build}{date})")
}

/// Returns the digest of the file that runs, also where another has taken its name.
fn digest() -> io::Result<String> {
    let mut hasher = Sha256::new();
    io::copy(&mut File::open(invocation::running())?, &mut hasher)?;
    Ok(hasher.finalize().iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    }))
}
