//! Documents whose code is run: blocks of Markdown, and `console` blocks replayed command by command.
//!
//! A `console` block has lines `$ COMMAND`, each continued by lines that begin with `> ` and followed by the output,
//! standard output and standard error in the order in which they arrive. A line `…` stands for any lines.
//! `WISP_BLESS=1` rewrites the output.

use std::path::Path;
use std::process::Command;

/// A fenced block of code.
#[derive(Debug, Clone)]
pub struct Block {
    /// The comment in the line above the fence: `test: NAME`, `file: NAME`; empty if there is none.
    pub mark: String,
    /// The word after the opening fence.
    pub language: String,
    /// Its text.
    pub text: String,
    /// The number of its first line, from 0.
    pub line: usize,
}

/// The fenced blocks of a document.
pub fn blocks(markdown: &str) -> Vec<Block> {
    let (mut found, mut open, mut mark) = (Vec::new(), None::<Block>, String::new());
    for (number, line) in markdown.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) => {
                open =
                    Some(Block { mark: std::mem::take(&mut mark), language: language.to_owned(), text: String::new(), line: number + 1 });
            }
            (None, None) => {
                let comment = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->"));
                mark = comment.unwrap_or_default().to_owned();
            }
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(block), None) => block.text.extend([line, "\n"]),
        }
    }
    found
}

/// Runs every command of a `console` block again, and returns the block's new text.
///
/// # Errors
/// If a line precedes the first command.
pub fn replay(block: &str, folder: &Path, binary: &Path) -> Result<String, String> {
    let (mut now, mut lines) = (String::new(), block.lines().peekable());
    while let Some(line) = lines.next() {
        let mut command = line.strip_prefix("$ ").ok_or_else(|| format!("a command begins with `$ `, not: {line}"))?.to_owned();
        now.extend([line, "\n"]);
        while let Some(more) = lines.next_if(|line| line.starts_with("> ")) {
            command.extend(["\n", &more[2..]]);
            now.extend([more, "\n"]);
        }
        let mut expected = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
            expected.push(line);
        }
        let printed = printed(&command, folder, binary);
        if matches(&expected, &printed.lines().collect::<Vec<_>>()) {
            now.extend(expected.iter().flat_map(|line| [*line, "\n"]));
        } else {
            now.push_str(&printed);
        }
    }
    Ok(now)
}

/// Returns the output of a command line, with `wisp` on PATH, its own folder of sessions, and no messages about
/// compiling.
pub fn printed(command: &str, folder: &Path, binary: &Path) -> String {
    let beside = binary.parent().unwrap_or(Path::new("."));
    let path = format!("{}:{}", beside.display(), std::env::var("PATH").unwrap_or_default());
    let shell = Command::new("bash")
        .args(["-c", &format!("exec 2>&1\n{command}")])
        .current_dir(folder)
        .env("PATH", path)
        .env("XDG_STATE_HOME", folder.join(".state"))
        .env("WISP_CLONE", folder.join(".wisp"))
        .output()
        .expect("bash runs");
    let text = String::from_utf8_lossy(&shell.stdout).into_owned();
    text.lines().filter(|line| !line.starts_with("wisp: compiling ")).flat_map(|line| [line, "\n"]).collect()
}

/// Whether the lines match the expected ones, where `…` stands for any number of lines.
fn matches(expected: &[&str], lines: &[&str]) -> bool {
    match expected.split_first() {
        None => lines.is_empty(),
        Some((&"…", rest)) => (0..=lines.len()).any(|skipped| matches(rest, &lines[skipped..])),
        Some((first, rest)) => lines.split_first().is_some_and(|(line, lines)| line.trim_end() == first.trim_end() && matches(rest, lines)),
    }
}
