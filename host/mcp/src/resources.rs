//! The files of sessions as resources: `wisp://session/NAME/PATH`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use wisp::fs::{FileType, FileWatch, WalkOptions};

use crate::connection::Connection;
use crate::error::CallError;
use crate::sessions::{Place, check_name};

/// How each address begins.
const PREFIX: &str = "wisp://session/";

/// What stands for itself in a path.
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'-').remove(b'_').remove(b'~');

/// Maximum bytes of a resource that is read: a client takes it in one message.
const READ: u64 = 4 << 20;

/// Maximum files that are listed, as resources and by a tool.
pub(crate) const LISTED: usize = 1_000;

/// Returns the address of a file.
pub(crate) fn uri(session: &str, path: &str) -> String {
    format!("{PREFIX}{session}{}", utf8_percent_encode(path, PATH))
}

/// Returns the session and the path of an address.
fn parsed(uri: &str) -> Result<(String, String), CallError> {
    let wrong = || CallError::Arguments(format!("`{uri}` is no resource of this server: one is `{PREFIX}NAME/PATH`"));
    let (session, path) = uri.strip_prefix(PREFIX).and_then(|rest| rest.split_once('/')).ok_or_else(wrong)?;
    let path = percent_decode_str(path).decode_utf8().map_err(|_| wrong())?;
    check_name(session)?;
    Ok((session.to_owned(), format!("/{path}")))
}

/// Returns whether this could be the address of a file.
pub(crate) fn is_address(uri: &str) -> bool {
    parsed(uri).is_ok()
}

/// Returns a watch on the file with this address.
///
/// # Errors
/// If there is none.
pub(crate) async fn watch(connection: &Connection, uri: &str, waiting: usize) -> Result<FileWatch, CallError> {
    let (session, path) = parsed(uri)?;
    Ok(connection.known(&session)?.handle.files()?.watch(&path, waiting).await?)
}

/// Returns what an address can name.
pub(crate) fn template() -> ResourceTemplate {
    ResourceTemplate::new("wisp://session/{session}{+path}", "file")
        .with_title("A file of a sandbox")
        .with_description("Any file of a session, by its absolute path. The session of the connection is `default`.")
}

/// Returns the files of the output directories of the sessions that are open.
pub(crate) async fn list(connection: &Connection) -> Vec<Resource> {
    let mut all = Vec::new();
    for place in connection.core().places() {
        // It may be closed.
        if let Ok(listed) = artifacts(&place).await {
            all.extend(listed);
        }
    }
    all.truncate(LISTED);
    all
}

async fn artifacts(place: &Place) -> Result<Vec<Resource>, CallError> {
    let directory = place.handle.policy().output().path.clone();
    let found = place.handle.files()?.walk(&directory, WalkOptions::new().entries(LISTED)).await?;
    let files = found.entries.iter().filter(|file| file.stat.kind == FileType::Regular);
    Ok(files.map(|file| Resource::new(uri(&place.name, &file.path), file.name()).with_size(file.stat.size)).collect())
}

/// Reads the contents of a resource: text if it is UTF-8.
///
/// # Errors
/// If the address is none, there is no such session or file, or it is too large for a message.
pub(crate) async fn read(connection: &Connection, address: &str) -> Result<ReadResourceResult, CallError> {
    let (session, path) = parsed(address)?;
    let place = connection.known(&session)?;
    let data = place.handle.files()?.read_at_most(&path, READ).await?;
    let contents = match std::str::from_utf8(&data) {
        Ok(text) => ResourceContents::text(text, address),
        Err(_) => ResourceContents::blob(STANDARD.encode(&data), address),
    };
    let media_type = match data.as_ref() {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xFF, 0xD8, 0xFF, ..] => Some("image/jpeg"),
        _ => None,
    };
    let contents = media_type.into_iter().fold(contents, ResourceContents::with_mime_type);
    Ok(ReadResourceResult::new(vec![contents]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_as_it_was_written() {
        for path in ["/output/plot.png", "/output/a b/ü%2F?#.txt"] {
            let address = uri("s-1.x", path);
            assert!(address.starts_with("wisp://session/s-1.x/output/") && !address.contains([' ', '?', '#', 'ü']), "{address}");
            assert_eq!(parsed(&address).expect("an address"), ("s-1.x".to_owned(), path.to_owned()));
        }
        for wrong in [
            "file:///etc/passwd",
            "wisp://session/",
            "wisp://session/a",
            "wisp://session//x",
            "wisp://session/a b/x",
            "wisp://session/a/%FF",
        ] {
            assert!(matches!(parsed(wrong), Err(CallError::Arguments(_))), "{wrong}");
        }
    }
}
