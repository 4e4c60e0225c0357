//! Finding files of a session, by name and by what they have.

use rmcp::model::CallToolResult;
use wisp::fs::{FileEntry, FileType, GrepOptions, HOME, WalkOptions};

use crate::arguments::{ListFiles, SearchFiles};
use crate::connection::Connection;
use crate::error::CallError;
use crate::report::Report;
use crate::resources::LISTED;

/// Maximum lines that a search returns.
const FOUND: u32 = 1_000;

/// Handles `list_files`.
pub(super) async fn list_files(connection: &Connection, asked: ListFiles) -> Result<CallToolResult, CallError> {
    let found = connection.session(asked.session.as_deref()).await?;
    let (files, path) = (found.place.handle.files()?, asked.path.as_deref().unwrap_or(HOME));
    let options = WalkOptions::new().entries(LISTED);
    let listing = match &asked.pattern {
        Some(pattern) => {
            let base = files.canonical(path).await?;
            files.glob(&format!("{}/{pattern}", escaped(base.trim_end_matches('/'))), options).await?
        }
        None => files.walk(path, options.depth(usize::try_from(asked.depth.unwrap_or(1).max(1)).unwrap_or(1))).await?,
    };
    let mut report = Report::new(&found);
    let mut room = connection.core().options.output;
    let mut text = String::new();
    let mut left = listing.entries.len();
    for entry in &listing.entries {
        let line = line(entry);
        let Some(less) = room.checked_sub(line.len() + 1) else { break };
        (room, left) = (less, left - 1);
        text.push_str(&line);
        text.push('\n');
    }
    report.text(&text);
    if left > 0 || listing.truncated {
        report.note("[there are more: list a directory below it, or use a `pattern`]");
    }
    if listing.entries.is_empty() {
        report.note("[there is nothing]");
    }
    for path in &listing.unreadable {
        report.note(format!("[{path} cannot be read]"));
    }
    Ok(report.done())
}

/// Returns the path with what has a meaning in patterns taken as it is.
fn escaped(path: &str) -> String {
    let mut escaped = String::with_capacity(path.len());
    for character in path.chars() {
        if matches!(character, '*' | '?' | '[' | ']' | '{' | '}' | '\\') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

fn line(entry: &FileEntry) -> String {
    match entry.stat.kind {
        FileType::Directory => format!("{}/", entry.path),
        FileType::Symlink => format!("{} (symbolic link)", entry.path),
        _ => format!("{} ({} bytes)", entry.path, entry.stat.size),
    }
}

/// Handles `search_files`.
pub(super) async fn search_files(connection: &Connection, asked: SearchFiles) -> Result<CallToolResult, CallError> {
    let found = connection.session(asked.session.as_deref()).await?;
    let limit = asked.limit.unwrap_or(200).clamp(1, FOUND);
    let mut options = GrepOptions::new()
        .literal(asked.literal == Some(true))
        .ignore_case(asked.ignore_case == Some(true))
        .matches(usize::try_from(limit).unwrap_or(1));
    if let Some(glob) = asked.glob {
        options = options.glob(glob);
    }
    let matches = found.place.handle.files()?.grep(&asked.pattern, asked.path.as_deref().unwrap_or(HOME), options).await?;
    let mut report = Report::new(&found);
    let (mut text, mut room, mut more) = (String::new(), connection.core().options.output, matches.truncated);
    for one in &matches.matches {
        let line = format!("{}:{}: {}\n", one.path, one.line, one.text);
        match room.checked_sub(line.len()) {
            Some(less) => room = less,
            None => {
                more = true;
                break;
            }
        }
        text.push_str(&line);
    }
    report.text(&text);
    if more {
        report.note("[there are more: search a smaller `path`, or take a `glob` or a narrower pattern]");
    }
    if matches.matches.is_empty() {
        report.note(format!("[no line of {} files matches]", matches.searched));
    }
    if matches.binary > 0 {
        report.note(format!("[{} files that are not text were not searched]", matches.binary));
    }
    for path in matches.too_large.iter().chain(&matches.unreadable).take(10) {
        report.note(format!("[{path} was not searched: it is too large, or cannot be read]"));
    }
    Ok(report.done())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_in_a_pattern_means_itself() {
        assert_eq!(escaped("/a[1]/b*"), r"/a\[1\]/b\*");
    }
}
