//! Names of files: bytes on the host, texts here. `wisp_spelling` says how a name that is not UTF-8 is spelled.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use wisp_vfs::FsError;

/// Returns the path of the host that a text spells.
///
/// # Errors
/// [`FsError::IllegalBytes`] if it spells none: it would be another spelling of a path that has one.
pub(crate) fn on_host(path: &str) -> Result<Cow<'_, Path>, FsError> {
    if !wisp_spelling::is_spelling(path) {
        return Err(FsError::IllegalBytes);
    }
    Ok(match wisp_spelling::read(path) {
        Cow::Borrowed(bytes) => Cow::Borrowed(Path::new(OsStr::from_bytes(bytes))),
        Cow::Owned(bytes) => Cow::Owned(PathBuf::from(OsString::from_vec(bytes))),
    })
}

/// Returns the spelling of a name of the host.
pub(super) fn spelled(name: &OsStr) -> String {
    wisp_spelling::spell(name.as_bytes()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_one_text() {
        for (name, text) in
            [(&b"caf\xe9/\xff"[..], "caf\u{f7e9}/\u{f7ff}"), (b"caf\xc3\xa9", "café"), (b"\xef\x9f\xa9", "\u{f7ef}\u{f79f}\u{f7a9}")]
        {
            assert_eq!(spelled(OsStr::from_bytes(name)), text);
            assert_eq!(on_host(text).unwrap().as_os_str().as_bytes(), name);
        }
        assert_eq!(on_host("caf\u{f7c3}\u{f7a9}"), Err(FsError::IllegalBytes));
    }
}
