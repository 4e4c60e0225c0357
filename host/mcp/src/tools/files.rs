//! Files of a session: reading, writing, editing and viewing them.

use rmcp::model::CallToolResult;
use wisp::fs::{Files, FilesError, FilesReason};

use crate::arguments::{EditFile, ReadFile, ViewImage, WriteFile};
use crate::connection::Connection;
use crate::error::CallError;
use crate::report::{PICTURE, Report};

/// Maximum bytes of a file that is edited.
const EDIT: u64 = 8 << 20;

/// Handles `read_file`.
pub(super) async fn read_file(connection: &Connection, asked: ReadFile) -> Result<CallToolResult, CallError> {
    let found = connection.session(asked.session.as_deref()).await?;
    let mut report = Report::new(&found);
    let first = asked.offset.unwrap_or(1).max(1);
    let last = asked.limit.map_or(u64::MAX, |limit| first.saturating_add(limit.max(1)) - 1);
    let mut lines = Lines { first, last, room: connection.core().options.output, number: 1, taken: Vec::new(), more: false, cut: false };
    let mut reader = found.place.handle.files()?.read_stream(&asked.path).await?;
    let mut began = false;
    while let Some(chunk) = reader.chunk().await? {
        if !began && chunk.contains(&0) {
            return Err(CallError::failed(format!(
                "`{}` is not text: `view_image` shows pictures, and `run_shell` has programs for other files",
                asked.path
            )));
        }
        began = true;
        if !lines.take(&chunk) {
            break;
        }
    }
    report.text(&String::from_utf8_lossy(&lines.taken));
    if lines.cut {
        report.note(format!("[line {} is longer than an answer, and is cut here]", lines.number));
    } else if lines.more {
        report.note(format!(r#"[the file goes on: "offset": {} reads on]"#, lines.number));
    }
    if lines.taken.is_empty() && !lines.more {
        report.note(if began { format!("[the file has fewer than {first} lines]") } else { "[the file is empty]".to_owned() });
    }
    Ok(report.done())
}

/// The lines of a file that are returned.
struct Lines {
    first: u64,
    last: u64,
    /// Bytes that may be taken.
    room: usize,
    /// The number of the line that comes next.
    number: u64,
    taken: Vec<u8>,
    /// Whether the file has more than what was taken.
    more: bool,
    /// Whether a line was too long to be taken whole.
    cut: bool,
}

impl Lines {
    /// Takes what it needs of a piece of the file. Returns whether it needs more.
    fn take(&mut self, chunk: &[u8]) -> bool {
        for line in chunk.split_inclusive(|&byte| byte == b'\n') {
            if self.number > self.last {
                self.more = true;
                return false;
            }
            if self.number >= self.first {
                if self.taken.len() + line.len() > self.room {
                    self.fill(line);
                    return false;
                }
                self.taken.extend_from_slice(line);
            }
            self.number += u64::from(line.ends_with(b"\n"));
        }
        true
    }

    /// Ends where there is no room for this part of a line: gives back what was taken of the line, unless it is the only one.
    fn fill(&mut self, line: &[u8]) {
        self.more = true;
        match self.taken.iter().rposition(|&byte| byte == b'\n') {
            Some(newline) => self.taken.truncate(newline + 1),
            None => {
                let room = self.room - self.taken.len();
                self.taken.extend_from_slice(&line[..room.min(line.len())]);
                self.cut = true;
            }
        }
    }
}

/// Handles `write_file`.
pub(super) async fn write_file(connection: &Connection, asked: WriteFile) -> Result<CallToolResult, CallError> {
    let found = connection.session(asked.session.as_deref()).await?;
    let (files, size) = (found.place.handle.files()?, asked.content.len());
    let _turn = found.place.edits.lock().await;
    files.replace(&asked.path, asked.content).await?;
    let mut report = Report::new(&found);
    report.note(format!("[wrote {size} bytes to {}]", shown_path(&files, &asked.path).await));
    Ok(report.done())
}

/// Handles `edit_file`.
pub(super) async fn edit_file(connection: &Connection, asked: EditFile) -> Result<CallToolResult, CallError> {
    let found = connection.session(asked.session.as_deref()).await?;
    if asked.old_text.is_empty() {
        return Err(CallError::Arguments("`old_text` is empty: `write_file` writes a whole file".to_owned()));
    }
    let files = found.place.handle.files()?;
    let _turn = found.place.edits.lock().await;
    let read = files.read_at_most(&asked.path, EDIT).await?;
    let text = std::str::from_utf8(&read)
        .map_err(|_| CallError::failed(format!("`{}` is not UTF-8 text: edit it with a program (`run_shell`)", asked.path)))?;
    let count = text.matches(&asked.old_text).count();
    let first: Vec<String> = text.match_indices(&asked.old_text).take(10).map(|(at, _)| line_of(text, at).to_string()).collect();
    let first = first.join(", ");
    match (count, asked.replace_all == Some(true)) {
        (0, _) => {
            return Err(CallError::failed(format!(
                "`old_text` is not in `{}`: read the file again, and copy the text with its spaces and line ends",
                asked.path
            )));
        }
        (2.., false) => {
            return Err(CallError::failed(format!(
                "`old_text` is in `{}` {count} times, in lines {first}: take more of the text around it, or `replace_all`",
                asked.path
            )));
        }
        _ => files.replace(&asked.path, text.replace(&asked.old_text, &asked.new_text)).await?,
    }
    let mut report = Report::new(&found);
    let path = shown_path(&files, &asked.path).await;
    report.note(format!("[replaced {} {path}, in {} {}]", times(count), plural(count), first));
    Ok(report.done())
}

/// Returns the number of the line at this byte.
fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count() + 1
}

fn times(count: usize) -> String {
    match count {
        1 => "it once in".to_owned(),
        count => format!("it {count} times in"),
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "line" } else { "lines" }
}

/// Returns the absolute path of a file that was written.
async fn shown_path(files: &Files, path: &str) -> String {
    files.canonical(path).await.unwrap_or_else(|_| path.to_owned())
}

/// Handles `view_image`.
pub(super) async fn view_image(connection: &Connection, asked: ViewImage) -> Result<CallToolResult, CallError> {
    let found = connection.session(asked.session.as_deref()).await?;
    let files = found.place.handle.files()?;
    let read = files.read_at_most(&asked.path, PICTURE as u64).await;
    let data = match read {
        Err(FilesError { source: FilesReason::TooLarge { .. }, path, .. }) => {
            return Err(CallError::failed(format!(
                "`{path}` has more than {PICTURE} bytes, which is as much as an answer can show: make it smaller, for example with \
                 Pillow in `run_python`"
            )));
        }
        read => read?,
    };
    let Some(media_type) = media_type(&data) else {
        return Err(CallError::failed(format!(
            "`{}` is no PNG or JPEG file: convert it, for example with Pillow in `run_python`",
            asked.path
        )));
    };
    let mut report = Report::new(&found);
    report.picture(media_type, &data);
    Ok(report.done())
}

/// Returns the media type of a picture that clients show.
pub(super) fn media_type(data: &[u8]) -> Option<&'static str> {
    match data {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => Some("image/png"),
        [0xFF, 0xD8, 0xFF, ..] => Some("image/jpeg"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(first: u64, last: u64, room: usize, chunks: &[&str]) -> (String, u64, bool, bool) {
        let mut lines = Lines { first, last, room, number: 1, taken: Vec::new(), more: false, cut: false };
        for chunk in chunks {
            if !lines.take(chunk.as_bytes()) {
                break;
            }
        }
        (String::from_utf8(lines.taken).expect("text"), lines.number, lines.more, lines.cut)
    }

    #[test]
    fn lines_are_taken_whole_also_over_the_pieces_of_a_file() {
        let chunks = ["on", "e\ntwo\nth", "ree\nfour"];
        let all = |text: &str, number, more| (text.to_owned(), number, more, false);
        assert_eq!(lines(1, u64::MAX, 100, &chunks), all("one\ntwo\nthree\nfour", 4, false));
        assert_eq!(lines(2, 3, 100, &chunks), all("two\nthree\n", 4, true));
        assert_eq!(lines(4, 9, 100, &chunks), all("four", 4, false));
        assert_eq!(lines(5, 9, 100, &chunks), all("", 4, false));
        // There is no room for the third: it is the next.
        assert_eq!(lines(1, u64::MAX, 11, &chunks), all("one\ntwo\n", 3, true));
        // A line that is too long for itself.
        assert_eq!(lines(3, 3, 4, &chunks), ("thre".to_owned(), 3, true, true));
    }
}
