//! Reads a unified diff. It may come from a model, so every mistake is named with its line.

use crate::files::error::FilesReason;
use wisp_api::PatchReject;

/// Maximum sections of a diff. Attack: each costs some 400 bytes beside its 12 in the diff. Changes to all of a large
/// project have some 20,000.
const MAX_SECTIONS: u64 = 65_536;

/// Maximum hunks of a diff. Attack: each costs 48 bytes beside its 13 in the diff.
const MAX_HUNKS: u64 = 1 << 20;

/// A hunk. Its lines stay in the diff: a list of them would take 20 times as much memory.
#[derive(Debug)]
pub(super) struct Hunk<'d> {
    /// The line of the diff where it begins.
    pub(super) at: usize,
    /// The line of the old file where it begins, from 1; 0 for an empty file.
    pub(super) old_start: usize,
    /// How many old lines it has.
    pub(super) old: usize,
    /// Its lines, checked.
    body: &'d [u8],
}

impl<'d> Hunk<'d> {
    /// Its old lines and new lines, without line ends.
    pub(super) fn lines(&self) -> HunkLines<'d> {
        HunkLines(Lines { rest: self.body, at: self.at + 1 })
    }
}

/// The lines of a hunk, read from the diff.
#[derive(Debug, Clone)]
pub(super) struct HunkLines<'d>(Lines<'d>);

impl<'d> Iterator for HunkLines<'d> {
    type Item = Line<'d>;

    fn next(&mut self) -> Option<Line<'d>> {
        let at = self.0.at;
        let (kind, text) = kind_of(self.0.next()?)?;
        let mut unended = false;
        while self.0.rest.first() == Some(&b'\\') {
            unended = true;
            self.0.next();
        }
        Some(Line { kind, text, unended, at })
    }
}

/// A line of a hunk, and the line of the diff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'d> {
    pub(super) kind: Kind,
    pub(super) text: &'d [u8],
    /// Whether the file ends after it, without a line break.
    pub(super) unended: bool,
    pub(super) at: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Context,
    Removed,
    Added,
}

/// The kind and the text of a line of a hunk. None for `\\` and what is in no hunk.
fn kind_of(line: &[u8]) -> Option<(Kind, &[u8])> {
    match line.split_first() {
        Some((b' ', text)) => Some((Kind::Context, text)),
        Some((b'-', text)) => Some((Kind::Removed, text)),
        Some((b'+', text)) => Some((Kind::Added, text)),
        // Editors and models take the space of an empty line away.
        None | Some((b'\r', [])) => Some((Kind::Context, line)),
        Some(_) => None,
    }
}

/// What a diff says about one file.
#[derive(Debug, Default)]
pub(super) struct Section<'d> {
    /// The line of the diff where it begins.
    pub(super) at: usize,
    /// The names, without prefixes; none for `/dev/null`.
    pub(super) old: Option<String>,
    pub(super) new: Option<String>,
    /// Whether the names differ because the file is renamed or copied.
    pub(super) moves: Option<Move>,
    pub(super) new_mode: Option<u32>,
    pub(super) hunks: Vec<Hunk<'d>>,
}

/// Why a file has another name than before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Move {
    Rename,
    Copy,
}

/// The lines of a text that were not read yet, without their line ends.
#[derive(Debug, Clone, Copy)]
struct Lines<'d> {
    rest: &'d [u8],
    /// The number of the next one, from 1.
    at: usize,
}

impl<'d> Lines<'d> {
    fn peek(self) -> Option<&'d [u8]> {
        let end = memchr::memchr(b'\n', self.rest).unwrap_or(self.rest.len());
        (!self.rest.is_empty()).then(|| &self.rest[..end])
    }

    fn next(&mut self) -> Option<&'d [u8]> {
        let line = self.peek()?;
        self.rest = self.rest.get(line.len() + 1..).unwrap_or_default();
        self.at += 1;
        Some(line)
    }
}

/// Reads the diff.
struct Reader<'d> {
    lines: Lines<'d>,
    /// How many hunks it has read.
    hunks: u64,
}

fn reject(file: Option<&str>, hunk: Option<usize>, line: usize, reason: impl Into<String>) -> PatchReject {
    PatchReject { file: file.map(str::to_owned), hunk, line, reason: reason.into() }
}

/// What was read of a section's head.
#[derive(Default)]
struct Head {
    /// From `diff --git`.
    git: Option<(String, String)>,
    /// From `rename from`, `copy from` and their second lines. They have no prefix.
    moved: (Option<String>, Option<String>),
    copies: bool,
    /// From `---` and `+++`. `Some(None)` is `/dev/null`.
    old: Option<Option<String>>,
    new: Option<Option<String>>,
    created: bool,
    deleted: bool,
    new_mode: Option<u32>,
}

pub(super) fn parse(diff: &[u8]) -> Result<Vec<Section<'_>>, FilesReason> {
    let mut reader = Reader { lines: Lines { rest: diff, at: 1 }, hunks: 0 };
    let mut sections = Vec::new();
    while let Some(section) = reader.section()? {
        if sections.len() as u64 >= MAX_SECTIONS {
            return Err(FilesReason::Bound { what: "files in the diff", limit: MAX_SECTIONS });
        }
        sections.push(section);
    }
    if sections.is_empty() {
        return Err(reject(None, None, 1, "there is no diff: no line begins with `--- `, and none with `diff --git `").into());
    }
    Ok(sections)
}

impl<'d> Reader<'d> {
    /// The next section; text between sections is skipped, as `patch` does.
    fn section(&mut self) -> Result<Option<Section<'d>>, FilesReason> {
        let mut head = Head::default();
        let begins = loop {
            let (at, mut ahead) = (self.lines.at, self.lines);
            let Some(line) = ahead.next() else { return Ok(None) };
            if line.starts_with(b"@@ -") {
                return Err(reject(None, None, at, "a hunk without a file: `--- NAME` and `+++ NAME` must come before it").into());
            }
            if line.starts_with(b"diff --git ") || (line.starts_with(b"--- ") && ahead.rest.starts_with(b"+++ ")) {
                break at;
            }
            self.lines = ahead;
        };
        let mut begun = false;
        while let Some(line) = self.lines.peek() {
            let at = self.lines.at;
            let text = String::from_utf8_lossy(line);
            let text = text.trim_end_matches('\r');
            if let Some(names) = text.strip_prefix("diff --git ") {
                if begun {
                    break;
                }
                head.git = git_names(names);
            } else if let Some(name) = text.strip_prefix("--- ") {
                if head.old.is_some() {
                    break;
                }
                head.old = Some(name_of(name, at)?);
            } else if let Some(name) = text.strip_prefix("+++ ").filter(|_| head.old.is_some()) {
                head.new = Some(name_of(name, at)?);
                self.lines.next();
                break;
            } else if !head.extended(text, at)? {
                break;
            }
            begun = true;
            self.lines.next();
        }
        let mut section = head.section(begins)?;
        let file = section.new.clone().or_else(|| section.old.clone());
        while self.lines.rest.starts_with(b"@@ ") {
            let number = section.hunks.len() + 1;
            section.hunks.push(self.hunk(file.as_deref(), number)?);
            self.hunks += 1;
            if self.hunks > MAX_HUNKS {
                return Err(FilesReason::Bound { what: "hunks in the diff", limit: MAX_HUNKS });
            }
        }
        Ok(Some(section))
    }

    fn hunk(&mut self, file: Option<&str>, number: usize) -> Result<Hunk<'d>, PatchReject> {
        let at = self.lines.at;
        let wrong = |line: usize, reason: String| reject(file, Some(number), line, reason);
        let head = String::from_utf8_lossy(self.lines.next().unwrap_or_default()).into_owned();
        let Some(((old_start, old), (_, mut new))) = ranges(&head) else {
            return Err(wrong(at, "the head of a hunk is `@@ -LINE,COUNT +LINE,COUNT @@`".to_owned()));
        };
        let (body, mut left, mut begun) = (self.lines.rest, old, false);
        while left > 0 || new > 0 {
            let line_at = self.lines.at;
            let Some(line) = self.lines.next() else {
                return Err(wrong(line_at, format!("the diff ends in the hunk: {left} old and {new} new lines are missing")));
            };
            if line.first() == Some(&b'\\') {
                if !begun {
                    return Err(wrong(line_at, NOTHING_ENDS.to_owned()));
                }
                continue;
            }
            begun = true;
            let Some((kind, _)) = kind_of(line) else {
                return Err(wrong(
                    line_at,
                    format!("a line of a hunk begins with ` `, `-` or `+`; {left} old and {new} new lines are missing"),
                ));
            };
            let counts: &mut [&mut usize] = match kind {
                Kind::Context => &mut [&mut left, &mut new],
                Kind::Removed => &mut [&mut left],
                Kind::Added => &mut [&mut new],
            };
            for count in counts {
                **count = count.checked_sub(1).ok_or_else(|| wrong(line_at, "the hunk has more lines than its head says".to_owned()))?;
            }
        }
        if self.lines.rest.starts_with(b"\\ ") {
            if !begun {
                return Err(wrong(self.lines.at, NOTHING_ENDS.to_owned()));
            }
            self.lines.next();
        }
        let body = &body[..body.len() - self.lines.rest.len()];
        Ok(Hunk { at, old_start, old, body })
    }
}

const NOTHING_ENDS: &str = "`\\` without a line before it";

impl Head {
    /// Reads a line between `diff --git` and the hunks. Returns whether it is one.
    fn extended(&mut self, text: &str, at: usize) -> Result<bool, PatchReject> {
        let bits = |text: &str| {
            let mode = u32::from_str_radix(text.trim(), 8).map_err(|_| reject(None, None, at, "a mode is an octal number"))?;
            // 0100644: a file. Others are symbolic links, and modules of git.
            if mode >> 12 == 0o10 {
                Ok(Some(mode & 0o777))
            } else {
                Err(reject(None, None, at, "only files can be patched, not links or submodules"))
            }
        };
        if let Some(mode) = text.strip_prefix("new file mode ") {
            (self.created, self.new_mode) = (true, bits(mode)?);
        } else if let Some(mode) = text.strip_prefix("deleted file mode ") {
            bits(mode)?;
            self.deleted = true;
        } else if let Some(mode) = text.strip_prefix("new mode ") {
            self.new_mode = bits(mode)?;
        } else if let Some(mode) = text.strip_prefix("old mode ") {
            bits(mode)?;
        } else if let Some(name) = text.strip_prefix("rename from ").or_else(|| text.strip_prefix("copy from ")) {
            self.moved.0 = Some(unquoted(name, at)?);
            self.copies = text.starts_with("copy");
        } else if let Some(name) = text.strip_prefix("rename to ").or_else(|| text.strip_prefix("copy to ")) {
            self.moved.1 = Some(unquoted(name, at)?);
        } else if text.starts_with("GIT binary patch") || text.starts_with("Binary files ") {
            return Err(reject(None, None, at, "binary files cannot be patched: write them as a whole"));
        } else if text.starts_with("Files ") && text.ends_with(" differ") {
            return Err(reject(None, None, at, "the diff does not have the contents of this file: write it as a whole"));
        } else {
            return Ok(["index ", "similarity index ", "dissimilarity index "].iter().any(|start| text.starts_with(start)));
        }
        Ok(true)
    }

    fn section<'d>(self, at: usize) -> Result<Section<'d>, PatchReject> {
        let (mut old, mut new) = match (self.old, self.new, self.git, self.moved) {
            (_, _, _, (Some(from), Some(to))) => {
                // These names have no prefix.
                let moves = Some(if self.copies { Move::Copy } else { Move::Rename });
                return Ok(Section { at, old: Some(from), new: Some(to), moves, new_mode: self.new_mode, hunks: Vec::new() });
            }
            (Some(old), Some(new), _, _) => without_prefixes(old, new),
            // No contents change: only a mode, or an empty file is created or deleted.
            (None, None, Some((old, new)), _) => without_prefixes(Some(old), Some(new)),
            (None, None, None, _) => return Err(reject(None, None, at, "the names in this line cannot be told apart")),
            (_, _, _, _) => return Err(reject(None, None, at, "`--- NAME` must be followed by `+++ NAME`")),
        };
        if self.created {
            old = None;
        }
        if self.deleted {
            new = None;
        }
        if old.is_none() && new.is_none() {
            return Err(reject(None, None, at, "both names are `/dev/null`"));
        }
        Ok(Section { at, old, new, moves: None, new_mode: self.new_mode, hunks: Vec::new() })
    }
}

/// Takes `a/` and `b/` away if each name that there is has its own.
fn without_prefixes(old: Option<String>, new: Option<String>) -> (Option<String>, Option<String>) {
    let without = |name: &Option<String>, prefix: &str| name.as_ref().map(|name| name.strip_prefix(prefix).map(str::to_owned));
    match (without(&old, "a/"), without(&new, "b/")) {
        (Some(None), _) | (_, Some(None)) => (old, new),
        (one, other) => (one.flatten(), other.flatten()),
    }
}

/// The name in a line `--- NAME` or `+++ NAME`: up to a tab, after which `diff` writes the time.
fn name_of(text: &str, at: usize) -> Result<Option<String>, PatchReject> {
    let name = if text.starts_with('"') { unquoted(text, at)? } else { text.split('\t').next().unwrap_or_default().trim_end().to_owned() };
    if name.is_empty() {
        return Err(reject(None, None, at, "the name of the file is missing"));
    }
    Ok(Some(name).filter(|name| name != "/dev/null"))
}

/// The two names of `diff --git`, which are not quoted if they are simple: then they are equal but for their prefix.
fn git_names(text: &str) -> Option<(String, String)> {
    if let Some(inner) = text.strip_prefix('"') {
        let (one, other) = text.split_at_checked(inner.find("\" ")? + 2)?;
        return Some((unquoted(one, 0).ok()?, unquoted(other.trim_start(), 0).ok()?));
    }
    let (one, other) = text.split_at_checked(text.len() / 2)?;
    let other = other.strip_prefix(' ')?;
    let same = one.strip_prefix("a/").is_some_and(|one| other.strip_prefix("b/") == Some(one)) || one == other;
    same.then(|| (one.to_owned(), other.to_owned()))
}

/// A name as git writes it: in quotes with escapes as in C if it has special characters.
fn unquoted(text: &str, at: usize) -> Result<String, PatchReject> {
    let Some(inner) = text.strip_prefix('"') else { return Ok(text.to_owned()) };
    let wrong = || reject(None, None, at, "a quoted name that does not end, or has an unknown escape");
    let (mut bytes, mut rest) = (Vec::new(), inner.bytes());
    loop {
        match rest.next().ok_or_else(wrong)? {
            b'"' => return String::from_utf8(bytes).map_err(|_| reject(None, None, at, "a name that is not UTF-8")),
            b'\\' => bytes.push(match rest.next().ok_or_else(wrong)? {
                b'n' => b'\n',
                b't' => b'\t',
                b'r' => b'\r',
                b'a' => 7,
                b'b' => 8,
                b'f' => 12,
                b'v' => 11,
                same @ (b'"' | b'\\') => same,
                first @ b'0'..=b'3' => {
                    let mut value = first - b'0';
                    for _ in 0..2 {
                        let digit = rest.next().filter(|byte| (b'0'..=b'7').contains(byte)).ok_or_else(wrong)?;
                        value = (value << 3) | (digit - b'0');
                    }
                    value
                }
                _ => return Err(wrong()),
            }),
            byte => bytes.push(byte),
        }
    }
}

/// The ranges of `@@ -L,C +L,C @@`: line and count of old and new.
fn ranges(head: &str) -> Option<((usize, usize), (usize, usize))> {
    let (old, rest) = head.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let range = |text: &str| {
        let (line, count) = text.split_once(',').unwrap_or((text, "1"));
        Some((line.parse().ok()?, count.parse().ok()?))
    };
    Some((range(old)?, range(new)?))
}
