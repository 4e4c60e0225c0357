//! The digest of a component, as text.
//!
//! `wisp_policy::digest` has the same function. This crate does not depend on it: the build script that packs the components
//! uses this crate, and would then wait for the parser of policies.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// Returns the SHA-256 of `content`, in lower-case hexadecimal.
pub(crate) fn sha256(content: &[u8]) -> String {
    Sha256::digest(content).iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}"); // writing to a String cannot fail
        text
    })
}
