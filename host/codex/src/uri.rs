//! Paths of the sandbox, as Codex writes them: `file://` and the path.

use std::fmt;

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use serde::{Deserialize, Serialize};

/// How a path begins that is written as a URI.
const SCHEME: &str = "file://";

/// What is escaped in it besides what is not ASCII: as in the `url` crate, so that Codex finds its own spelling again.
const ESCAPED: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'`').add(b'#').add(b'?').add(b'{').add(b'}').add(b'%').add(b'\\');

/// An absolute path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct FileUri(String);

impl FileUri {
    /// Returns the URI of an absolute path.
    pub(crate) fn of(path: impl Into<String>) -> Self {
        Self(path.into())
    }

    pub(crate) fn path(&self) -> &str {
        &self.0
    }
}

impl From<FileUri> for String {
    fn from(uri: FileUri) -> Self {
        format!("{SCHEME}{}", utf8_percent_encode(&uri.0, ESCAPED))
    }
}

/// Why a text is no path.
#[derive(Debug)]
pub(crate) struct NotAPath(&'static str);

impl fmt::Display for NotAPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a path is written as a `file://` URI: {}", self.0)
    }
}

impl TryFrom<String> for FileUri {
    type Error = NotAPath;

    fn try_from(uri: String) -> Result<Self, NotAPath> {
        let rest = uri.strip_prefix(SCHEME).ok_or(NotAPath("it begins with `file://`"))?;
        let rest = rest.strip_prefix("localhost").unwrap_or(rest);
        if !rest.starts_with('/') {
            return Err(NotAPath("it names no other machine, and the path is absolute"));
        }
        if rest.contains(['?', '#']) {
            return Err(NotAPath("`?` and `#` in it are escaped"));
        }
        let path = percent_decode_str(rest).decode_utf8().map_err(|_| NotAPath("the path is UTF-8"))?;
        if path.contains('\0') { Err(NotAPath("the path has no NUL")) } else { Ok(Self(path.into_owned())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(uri: &str) -> Option<String> {
        FileUri::try_from(uri.to_owned()).ok().map(|uri| uri.0)
    }

    #[test]
    fn a_path_comes_back_as_it_was() {
        for path in ["/", "/a/b.txt", "/a b/%41#?", "/über/日本", "/a@b:c;d=e&f+g,h~i", "/back\\slash", "/{x}\"<>`^|"] {
            assert_eq!(read(&String::from(FileUri::of(path))).as_deref(), Some(path));
        }
        assert_eq!(String::from(FileUri::of("/a@b/ü x")), "file:///a@b/%C3%BC%20x");
        assert_eq!(read("file://localhost/a"), Some("/a".to_owned()));
    }

    #[test]
    fn what_is_no_path_of_the_sandbox_is_refused() {
        for none in
            ["", "/a", "file:/a", "file://", "file://host/a", "http://a/b", "file:///a?b", "file:///a#b", "file:///%00", "file:///%ff"]
        {
            assert_eq!(read(none), None, "{none}");
        }
    }
}
