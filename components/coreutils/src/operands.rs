//! Parts of command lines that several tools share: sources and a destination, numbers of lines or bytes, the width of
//! a `%` field.

use crate::options::{Line, Syntax};
use crate::{sys, text};
use std::ffi::{OsStr, OsString};
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::str::Chars;

/// The sources and the destination of `cp` and `mv`.
pub struct Destination {
    /// The sources.
    pub sources: Vec<PathBuf>,
    /// Where they go.
    pub path: PathBuf,
    /// Whether the destination is a directory that receives them.
    pub is_dir: bool,
}

/// Reads `SOURCE DEST`, `SOURCE... DIRECTORY` or `-t DIRECTORY SOURCE...`. With `need_dir`, the destination must be a
/// directory.
pub fn destination(syntax: &Syntax, args: &[OsString], line: &Line, need_dir: bool) -> Result<Destination, u8> {
    let mut sources: Vec<PathBuf> = line.operands.iter().map(PathBuf::from).collect();
    let Some(first) = sources.first() else { return Err(syntax.misuse(args, "missing file operand")) };
    let target = line.last("target-directory").map(PathBuf::from);
    if target.is_none() && sources.len() == 1 {
        return Err(syntax.misuse(args, &format!("missing destination file operand after {}", text::quote(first))));
    }
    let plain = line.has("no-target-directory");
    if plain && target.is_some() {
        text::complain(&text::name(args), "cannot combine --target-directory (-t) and --no-target-directory (-T)");
        return Err(1);
    }
    if plain && sources.len() > 2 {
        return Err(syntax.misuse(args, &format!("extra operand {}", text::quote(&sources[2]))));
    }
    let given = target.is_some();
    let path = target.unwrap_or_else(|| sources.pop().unwrap_or_default());
    let is_dir = !plain && sys::stat(&path, true).is_ok_and(|s| s.is_dir());
    if !is_dir && (given || sources.len() > 1 || need_dir) {
        text::complain(&text::name(args), not_a_directory(&path, given));
        return Err(1);
    }
    Ok(Destination { sources, path, is_dir })
}

/// Implements `--strip-trailing-slashes`.
pub fn strip_slashes(paths: &mut [PathBuf]) {
    for path in paths {
        let bytes = path.as_os_str().as_encoded_bytes();
        let end = bytes.iter().rposition(|b| *b != b'/').map_or(1, |at| at + 1).min(bytes.len());
        *path = sys::path_from_bytes(&bytes[..end]);
    }
}

/// Returns the message about a destination that is not a directory.
pub fn not_a_directory(path: &Path, given: bool) -> String {
    let why = if sys::stat(path, true).is_ok() { "Not a directory" } else { "No such file or directory" };
    format!("target{} {}: {why}", if given { " directory" } else { "" }, text::quote(path))
}

/// Returns the last `-n` or `-c` of `head` and `tail`: whether it counts lines, whether it has the `sign` that changes its
/// meaning, and the number.
pub fn count(tool: &str, line: &Line, sign: char, other: char) -> Result<Option<(bool, bool, u64)>, u8> {
    let mut last = None;
    for given in line.options.iter().filter(|o| o.key == "lines" || o.key == "bytes") {
        let value = given.text();
        let signed = value.strip_prefix(sign);
        let digits = signed.or(value.strip_prefix(other)).unwrap_or(&value);
        let Some(number) = text::size(digits) else {
            // The message does not show a valid sign.
            let shown = value.strip_prefix('-').unwrap_or(&value);
            text::complain(tool, format!("invalid number of {}: {}", given.key, text::quote(shown)));
            return Err(1);
        };
        if number == u64::MAX && digits.parse() != Ok(u64::MAX) {
            let why = "Value too large for defined data type";
            text::complain(tool, format!("invalid number of {}: {}: {why}", given.key, text::quote(digits)));
            return Err(1);
        }
        last = Some((given.key == "lines", signed.is_some(), number));
    }
    Ok(last)
}

/// Returns the names in a file of names that end with NUL (`--files0-from`). Reports wrong names itself; they become empty.
pub fn files0(syntax: &Syntax, args: &[OsString], list: &OsStr, operands: &[OsString], unopened: &str) -> Result<Vec<OsString>, u8> {
    use std::io::Read;
    let tool = text::name(args);
    let fail = |message: String| {
        text::complain(&tool, message);
        1
    };
    if let Some(extra) = operands.first() {
        let hint = "file operands cannot be combined with --files0-from";
        return Err(syntax.misuse(args, &format!("extra operand {}\n{hint}", text::quote(extra))));
    }
    let mut names = Vec::new();
    let read = match list == "-" {
        true => std::io::stdin().lock().read_to_end(&mut names),
        false => std::fs::File::open(list).and_then(|mut f| f.read_to_end(&mut names)),
    };
    if let Err(error) = read {
        let directory = error.kind() == std::io::ErrorKind::IsADirectory;
        let shown = text::quote_if_needed(list);
        return Err(fail(match (directory, tool.as_str()) {
            (true, "du" | "wc") => format!("{shown}: read error: Is a directory"),
            (true, _) => format!("cannot read: {shown}: Is a directory"),
            (false, "du" | "wc") => format!("cannot open {} for reading: {}", text::quote(list), text::reason(&error)),
            (false, _) => format!("{unopened}: {shown}: {}", text::reason(&error)),
        }));
    }
    if names.is_empty() && tool == "sort" {
        return Err(fail(format!("no input from {}", text::quote(list))));
    }
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let names = names.strip_suffix(b"\0").unwrap_or(&names);
    let mut found = Vec::new();
    for (at, name) in names.split(|b| *b == 0).enumerate() {
        let message = match name {
            b"" => format!("{}:{}: invalid zero-length file name", text::quote_if_needed(list), at + 1),
            b"-" if list == "-" => "when reading file names from stdin, no file name of '-' allowed".into(),
            name => {
                found.push(sys::path_from_bytes(name).into_os_string());
                continue;
            }
        };
        fail(message);
        if tool == "sort" {
            return Err(2);
        }
        found.push(OsString::new());
    }
    Ok(found)
}

/// Parses a number within bounds. The error is the end of the message.
pub fn number(text: &str, least: i128, most: i128) -> Result<i128, &'static str> {
    let digits = text.trim_start_matches([' ', '\t', '\n', '\r', '\x0b', '\x0c']);
    let bare = digits.strip_prefix(['-', '+']).unwrap_or(digits);
    if bare.is_empty() || !bare.bytes().all(|b| b.is_ascii_digit()) {
        return Err("");
    }
    match digits.parse::<i128>() {
        Ok(number) if number > most => Err(": Value too large for defined data type"),
        Ok(number) if number < least => Err(": Numerical result out of range"),
        Ok(number) => Ok(number),
        Err(_) if digits.starts_with('-') => Err(": Numerical result out of range"),
        Err(_) => Err(": Value too large for defined data type"),
    }
}

/// Returns the width and the precision after the flags of a `%` field.
pub fn width(chars: &mut Peekable<Chars<'_>>) -> (usize, Option<usize>) {
    let number = |chars: &mut Peekable<Chars<'_>>| {
        let mut value = 0usize;
        while let Some(d) = chars.next_if(char::is_ascii_digit) {
            value = (value * 10 + d as usize - '0' as usize).min(4096);
        }
        value
    };
    let width = number(chars);
    let precision = chars.next_if_eq(&'.').map(|_| number(chars));
    (width, precision)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_bounded() {
        let mut chars = "10.3x".chars().peekable();
        assert_eq!(width(&mut chars), (10, Some(3)));
        assert_eq!(chars.next(), Some('x'));
        assert_eq!(width(&mut "99999999999999999999".chars().peekable()), (4096, None));
        assert_eq!(width(&mut ".s".chars().peekable()), (0, Some(0)));
    }
}
