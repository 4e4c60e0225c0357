//! Reading patches: unified, context, normal.

/// First line and count.
type Range = (usize, usize);

/// One line of a hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// ` `, `-` or `+`.
    pub mark: u8,
    /// The text with its end, if it has one.
    pub text: Vec<u8>,
}

/// A hunk.
#[derive(Debug, Clone, Default)]
pub(super) struct Hunk {
    /// Where it begins in the old file and how many lines it has there.
    pub old: (usize, usize),
    /// The same in the new file.
    pub new: (usize, usize),
    /// What follows the second `@@`.
    pub note: Vec<u8>,
    /// Its lines.
    pub lines: Vec<Line>,
}

/// A patch of one file.
#[derive(Debug, Clone, Default)]
pub(super) struct Patch {
    /// Name in the `---` line (`***` of a context diff).
    pub old: Option<String>,
    /// Name in the `+++` line.
    pub new: Option<String>,
    /// Name in the `Index:` line.
    pub index: Option<String>,
    /// The lines of the headers as they are.
    pub header: Vec<Vec<u8>>,
    /// The two names of `rename from` and `rename to`, or of `copy from` and `copy to`.
    pub rename: Option<(String, String)>,
    /// Whether it is a copy.
    pub copy: bool,
    /// Whether its lines ended with carriage returns, which were removed.
    pub returns: bool,
    /// `new file mode`, `new mode`: with the bits that say what kind of file it is.
    pub mode: Option<u32>,
    /// `deleted file mode`, `old mode`.
    pub was: Option<u32>,
    /// Whether it begins with `diff --git`.
    pub git: bool,
    /// How certain it is that the old and the new file do not exist: 1 if the range is empty, 2 if the header says so.
    pub missing: (u8, u8),
    /// Whether it is not a unified diff.
    pub context: bool,
    /// `GIT binary patch`.
    pub binary: bool,
    /// The error after the hunks that were read.
    pub broken: Option<String>,
    /// The hunks.
    pub hunks: Vec<Hunk>,
    /// Where it begins in the input.
    pub line: usize,
    /// The lines before its hunks, as they are.
    pub lead: Vec<Vec<u8>>,
}

/// A file's name in a header: up to a tab, or in quotes.
fn name(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text).into_owned();
    let text = text.trim_end_matches(['\n', '\r']);
    if let Some(inner) = text.strip_prefix('"') {
        return unquoted(inner);
    }
    text.split('\t').next().unwrap_or_default().trim_end().to_owned()
}

/// The text of a quoted name, with escapes such as `\t` and `\040` decoded.
fn unquoted(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next().filter(|c| *c != '"') {
        if c != '\\' {
            bytes.extend(c.encode_utf8(&mut [0; 4]).bytes());
            continue;
        }
        let mut octal = String::new();
        while octal.len() < 3
            && let Some(digit) = chars.next_if(|c| ('0'..='7').contains(c))
        {
            octal.push(digit);
        }
        if let Ok(byte) = u8::from_str_radix(&octal, 8) {
            bytes.push(byte);
        } else if let Some(letter) = chars.next() {
            match "abtnvfr".find(letter) {
                Some(at) => bytes.push(7 + at as u8),
                None => bytes.extend(letter.encode_utf8(&mut [0; 4]).bytes()),
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Whether a header says that its file does not exist: by the name `/dev/null`, or by the time 0.
fn absent(header: &[u8]) -> bool {
    let text = String::from_utf8_lossy(header).into_owned();
    let Some((name, time)) = text.trim_end().split_once('\t') else { return text.trim_end() == "/dev/null" };
    let moment = || {
        let mut parts = time.split_whitespace();
        let (date, clock, zone) = (parts.next()?, parts.next()?, parts.next()?);
        let mut date = date.splitn(3, '-').map(str::parse::<i64>);
        let (year, month, day) = (date.next()?.ok()?, date.next()?.ok()?, date.next()?.ok()?);
        let mut clock = clock.split('.').next()?.splitn(3, ':').map(str::parse::<i64>);
        let (hour, minute, second) = (clock.next()?.ok()?, clock.next()?.ok()?, clock.next()?.ok()?);
        let zone: i64 = zone.parse().ok()?;
        let away = (zone / 100 * 60 + zone % 100) * 60;
        Some(wisp_tool::calendar::days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - away)
    };
    name == "/dev/null" || moment() == Some(0)
}

struct Reader<'a> {
    lines: Vec<&'a [u8]>,
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<&'a [u8]> {
        self.lines.get(self.at).copied()
    }
}

/// Reads all patches; `named`: the command line names the file. Unreadable text ends the last patch.
pub(super) fn parse(input: &[u8], named: bool, binary: bool) -> Vec<Patch> {
    let mut reader = Reader { lines: input.split_inclusive(|b| *b == b'\n').collect(), at: 0 };
    let mut all = Vec::new();
    let mut next = Patch::default();
    let mut started = reader.at;
    while let Some(line) = reader.peek() {
        let git = |key: &[u8]| line.strip_prefix(key).map(name);
        if line.starts_with(b"diff --git ") && next.stands() {
            all.push(std::mem::take(&mut next));
            started = reader.at;
        }
        if line.starts_with(b"diff --git ") {
            next = Patch { git: true, line: reader.at + 1, ..Patch::default() };
        }
        if let Some(names) = line.strip_prefix(b"diff --git ") {
            // A patch that only changes a mode has no other names.
            let names = String::from_utf8_lossy(names).trim_end().to_owned();
            let half = names.len() / 2;
            if names.is_char_boundary(half) && names.as_bytes().get(half) == Some(&b' ') {
                (next.old, next.new) = (Some(names[..half].to_owned()), Some(names[half + 1..].to_owned()));
            }
        }
        if let Some(text) = line.strip_prefix(b"Index:") {
            next.index = Some(name(text).trim().to_owned());
        } else if let Some(from) = git(b"rename from ") {
            next.rename = Some((from, String::new()));
        } else if let Some(from) = git(b"copy from ") {
            (next.rename, next.copy) = (Some((from, String::new())), true);
        } else if let (Some(to), Some(rename)) = (git(b"rename to ").or_else(|| git(b"copy to ")), &mut next.rename) {
            rename.1 = to;
        } else if let Some(mode) = git(b"new file mode ").or_else(|| git(b"new mode ")) {
            next.mode = u32::from_str_radix(&mode, 8).ok();
            next.missing.0 = if line.starts_with(b"new file") { 2 } else { 0 };
        } else if let Some(mode) = git(b"deleted file mode ").filter(|_| next.git) {
            (next.missing.1, next.was) = (2, u32::from_str_radix(&mode, 8).ok());
        } else if let Some(mode) = git(b"old mode ").filter(|_| next.git) {
            next.was = u32::from_str_radix(&mode, 8).ok();
        } else if let Some(mode) = line.strip_prefix(b"index ").filter(|_| next.git && next.mode.is_none()) {
            let mode = String::from_utf8_lossy(mode).into_owned();
            let mode = mode.split_whitespace().nth(1).and_then(|m| u32::from_str_radix(m, 8).ok());
            // Permissions do not change; only this line says that it is a link.
            next.mode = mode.filter(|mode| mode & 0o170_000 == 0o120_000);
        } else if next.git && line.starts_with(b"GIT binary patch") {
            next.binary = true;
        }
        let second = reader.lines.get(reader.at + 1).copied().unwrap_or_default();
        let found = if line.starts_with(b"--- ") && second.starts_with(b"+++ ") {
            headers(&mut reader, &mut next, started);
            unified(&mut reader, &mut next)
        } else if line.starts_with(b"@@ -") && (named || next.index.is_some() || next.old.is_some()) {
            next.line = reader.at + 1;
            unified(&mut reader, &mut next)
        } else if line.starts_with(b"*** ") && second.starts_with(b"--- ") {
            headers(&mut reader, &mut next, started);
            context(&mut reader, &mut next)
        } else if line.starts_with(b"***************") && named {
            next.line = reader.at + 1;
            context(&mut reader, &mut next)
        } else if command(line).is_some() && (named || next.index.is_some() || next.old.is_some()) {
            next.line = reader.at + 1;
            normal(&mut reader, &mut next)
        } else {
            Ok(false)
        };
        let found = found.unwrap_or_else(|message| {
            next.broken = Some(message);
            true
        });
        if found {
            if let Some(hunk) = next.hunks.first() {
                let old = u8::from(hunk.old == (0, 0)) * (1 + u8::from(next.header.first().is_some_and(|line| absent(&line[4..]))));
                let new = u8::from(hunk.new == (0, 0)) * (1 + u8::from(next.header.get(1).is_some_and(|line| absent(&line[4..]))));
                next.missing = (next.missing.0.max(old), next.missing.1.max(new));
            }
            if !binary && !next.header.is_empty() && next.header.iter().all(|line| line.ends_with(b"\r\n")) {
                without_returns(&mut next);
            }
            let end = next.broken.is_some();
            all.push(std::mem::take(&mut next));
            if end {
                return all;
            }
            started = reader.at;
        } else {
            reader.at += 1;
        }
    }
    if next.stands() {
        all.push(next);
    }
    all
}

impl Patch {
    /// Whether git's headers alone make a patch.
    fn stands(&self) -> bool {
        self.git && (self.rename.as_ref().is_some_and(|r| !r.1.is_empty()) || self.mode.is_some() || self.was.is_some() || self.binary)
    }

    /// Whether it is a patch of a symbolic link.
    pub(super) fn is_link(&self) -> bool {
        self.mode.or(self.was).is_some_and(|mode| mode & 0o170_000 == 0o120_000)
    }
}

/// Removes carriage returns that another system added to the ends of lines.
fn without_returns(patch: &mut Patch) {
    patch.returns = true;
    let hunks = patch.hunks.iter_mut().flat_map(|hunk| &mut hunk.lines).map(|line| &mut line.text);
    for line in patch.header.iter_mut().chain(hunks) {
        if line.ends_with(b"\r\n") {
            line.truncate(line.len() - 2);
            line.push(b'\n');
        } else if line.ends_with(b"\r") {
            line.pop();
        }
    }
}

fn headers(reader: &mut Reader<'_>, next: &mut Patch, started: usize) {
    let (one, other) = (reader.lines[reader.at], reader.lines[reader.at + 1]);
    next.lead = reader.lines[started..reader.at + 2].iter().map(|l| l.to_vec()).collect();
    next.line = reader.at + 3;
    next.old = Some(name(&one[4..]));
    next.new = Some(name(&other[4..]));
    next.header = vec![one.to_vec(), other.to_vec()];
    reader.at += 2;
}

/// `12,3`; a missing count is 1.
fn range(text: &str) -> Option<(usize, usize)> {
    match text.split_once(',') {
        Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    }
}

fn unified(reader: &mut Reader<'_>, patch: &mut Patch) -> Result<bool, String> {
    while let Some(line) = reader.peek() {
        let Some(rest) = line.strip_prefix(b"@@ -") else { break };
        let text = String::from_utf8_lossy(rest).into_owned();
        let parsed = text.split_once(" @@").and_then(|(ranges, note)| {
            let (old, new) = ranges.split_once(" +")?;
            Some((range(old)?, range(new)?, note.trim_end_matches('\n').as_bytes().to_vec()))
        });
        let malformed = |at: usize| {
            format!("malformed patch at line {}: {}", at + 1, String::from_utf8_lossy(reader.lines.get(at).copied().unwrap_or_default()))
        };
        let Some((old, new, note)) = parsed else { return Err(malformed(reader.at)) };
        let mut hunk = Hunk { old, new, note, lines: Vec::new() };
        reader.at += 1;
        let (mut left_old, mut left_new) = (old.1, new.1);
        while left_old > 0 || left_new > 0 {
            let Some(line) = reader.peek() else {
                // Empty lines at the end of a patch may have been lost.
                if left_old == left_new && left_old <= 3 && !hunk.lines.is_empty() {
                    hunk.lines.extend((0..left_old).map(|_| Line { mark: b' ', text: b"\n".to_vec() }));
                    break;
                }
                return Err(if left_new > 3 {
                    "unexpected end of file in patch".to_owned()
                } else if hunk.lines.is_empty() {
                    format!("unexpected end of file in patch at line {}", reader.at + 1)
                } else {
                    malformed(reader.at)
                });
            };
            let (mark, text) = match line.first() {
                Some(mark @ (b' ' | b'-' | b'+')) => (*mark, &line[1..]),
                // Trailing blanks may have been lost.
                Some(b'\n' | b'\r') => (b' ', line),
                Some(b'\t') => (b' ', line),
                Some(b'\\') => {
                    strip_end(&mut hunk.lines);
                    reader.at += 1;
                    continue;
                }
                _ => return Err(malformed(reader.at)),
            };
            let (in_old, in_new) = (mark != b'+', mark != b'-');
            if (in_old && left_old == 0) || (in_new && left_new == 0) {
                return Err(malformed(reader.at));
            }
            left_old -= usize::from(in_old);
            left_new -= usize::from(in_new);
            hunk.lines.push(Line { mark, text: text.to_vec() });
            reader.at += 1;
        }
        if reader.peek().is_some_and(|l| l.starts_with(b"\\")) {
            strip_end(&mut hunk.lines);
            reader.at += 1;
        }
        patch.hunks.push(hunk);
    }
    Ok(!patch.hunks.is_empty())
}

/// `\ No newline at end of file`.
fn strip_end(lines: &mut [Line]) {
    if let Some(last) = lines.last_mut()
        && last.text.last() == Some(&b'\n')
    {
        last.text.pop();
    }
}

fn context(reader: &mut Reader<'_>, patch: &mut Patch) -> Result<bool, String> {
    patch.context = true;
    while reader.peek().is_some_and(|l| l.starts_with(b"***************")) {
        reader.at += 1;
        let mut sides: Vec<((usize, usize), Vec<Line>)> = Vec::new();
        for (open, close) in [("*** ", " ****"), ("--- ", " ----")] {
            let header = String::from_utf8_lossy(reader.peek().unwrap_or_default()).into_owned();
            let bounds = header.trim_end().strip_prefix(open).and_then(|h| h.strip_suffix(close));
            let Some(bounds) = bounds else { return Err(format!("malformed patch at line {}: {header}", reader.at + 1)) };
            let (start, end) = match bounds.split_once(',') {
                Some((start, end)) => (start.parse().unwrap_or(0), end.parse().unwrap_or(0)),
                None => {
                    let at: usize = bounds.parse().unwrap_or(0);
                    (at, at)
                }
            };
            reader.at += 1;
            let mut lines = Vec::new();
            while let Some(line) = reader.peek() {
                match line {
                    [mark @ (b' ' | b'-' | b'+' | b'!'), b' ', text @ ..] => lines.push(Line { mark: *mark, text: text.to_vec() }),
                    [b'\\', ..] => strip_end(&mut lines),
                    _ => break,
                }
                reader.at += 1;
            }
            sides.push(((start, (end + 1).saturating_sub(start)), lines));
        }
        let (new_range, new) = sides.pop().unwrap_or_default();
        let (old_range, old) = sides.pop().unwrap_or_default();
        patch.hunks.push(merge(old_range, new_range, old, new));
    }
    Ok(!patch.hunks.is_empty())
}

/// The two sides of a context hunk as one list; an empty side equals the unchanged lines of the other.
fn merge(old_range: (usize, usize), new_range: (usize, usize), old: Vec<Line>, new: Vec<Line>) -> Hunk {
    let kept = |side: &[Line]| side.iter().filter(|l| l.mark == b' ').cloned().collect::<Vec<_>>();
    let old = if old.is_empty() { kept(&new) } else { old };
    let new = if new.is_empty() { kept(&old) } else { new };
    let mut lines = Vec::new();
    let (mut i, mut j) = (old.iter().peekable(), new.iter().peekable());
    loop {
        while let Some(line) = i.next_if(|l| l.mark != b' ') {
            lines.push(Line { mark: b'-', text: line.text.clone() });
        }
        while let Some(line) = j.next_if(|l| l.mark != b' ') {
            lines.push(Line { mark: b'+', text: line.text.clone() });
        }
        match (i.next(), j.next()) {
            (Some(line), _) | (None, Some(line)) => lines.push(line.clone()),
            (None, None) => break,
        }
    }
    let count = |not: u8| lines.iter().filter(|l| l.mark != not).count();
    Hunk { old: (old_range.0, count(b'+')), new: (new_range.0, count(b'-')), note: Vec::new(), lines }
}

/// `3,5c4`: the old range, the letter, the new range.
fn command(line: &[u8]) -> Option<(Range, u8, Range)> {
    let text = std::str::from_utf8(line).ok()?.trim_end();
    let at = text.find(['a', 'c', 'd'])?;
    let ends = |t: &str| -> Option<(usize, usize)> {
        let (a, b) = t.split_once(',').unwrap_or((t, t));
        let (a, b): (usize, usize) = (a.parse().ok()?, b.parse().ok()?);
        Some((a, (b + 1).checked_sub(a)?))
    };
    Some((ends(&text[..at])?, text.as_bytes()[at], ends(&text[at + 1..])?))
}

fn normal(reader: &mut Reader<'_>, patch: &mut Patch) -> Result<bool, String> {
    patch.context = true;
    while let Some((old, letter, new)) = reader.peek().and_then(command) {
        reader.at += 1;
        let mut lines = Vec::new();
        while let Some(line) = reader.peek() {
            match line {
                [b'<', b' ', text @ ..] => lines.push(Line { mark: b'-', text: text.to_vec() }),
                [b'>', b' ', text @ ..] => lines.push(Line { mark: b'+', text: text.to_vec() }),
                [b'\\', ..] => strip_end(&mut lines),
                [b'-', b'-', b'-', ..] => {}
                _ => break,
            }
            reader.at += 1;
        }
        // If nothing is deleted, the number is that of the line before.
        let old = if letter == b'a' { (old.0, 0) } else { old };
        let new = if letter == b'd' { (new.0, 0) } else { new };
        patch.hunks.push(Hunk { old, new, note: Vec::new(), lines });
    }
    Ok(!patch.hunks.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patches_are_read() {
        let all =
            parse(b"junk\n--- a/x\t2024\n+++ b/x\t2024\n@@ -1,2 +1,2 @@ f()\n a\n-b\n+c\n\\ No newline at end of file\n", true, false);
        assert_eq!((all[0].old.as_deref(), all[0].hunks[0].lines.len()), (Some("a/x"), 3));
        assert_eq!(all[0].hunks[0].lines[2].text, b"c");
        assert_eq!(parse(b"2c2\n< b\n---\n> B\n", true, false)[0].hunks[0].old, (2, 1));
        assert!(parse(b"--- a\n+++ b\n@@ -1,3 +1 @@\n x\n?\n", true, false)[0].broken.is_some());
        assert!(parse(b"nothing\n", true, false).is_empty());
    }
}
