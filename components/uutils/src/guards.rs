//! Corrections to uutils' tools on WASI that need only the command line, before the tool starts.

use crate::options::{Line, Syntax};
use crate::{sys, text, values};
use std::ffi::OsString;
use std::path::Path;

/// Returns the status of a call that ends here, after its message; `None` for a call that the tool must handle. `read` is the
/// command line as GNU's tool reads it, if it could be read.
pub(crate) fn check(name: &str, args: &[OsString], read: Option<&(Syntax, Line)>) -> Option<u8> {
    let word = |a: &OsString| a.to_string_lossy().into_owned();
    let words: Vec<String> = args.iter().skip(1).map(word).collect();
    let operands = || args.iter().skip(1).filter(|a| !a.as_encoded_bytes().starts_with(b"-"));
    let fail = |message: String| {
        text::complain(name, message);
        Some(1)
    };
    if let Some((syntax, line)) = read
        && let Some(status) = values::check(name, args, syntax, line)
    {
        return Some(status);
    }
    match name {
        "pathchk" if operands().any(|a| a.is_empty()) && !words.iter().any(|w| w == "-p" || w == "-P" || w.starts_with("--p")) => {
            fail("'': No such file or directory".into())
        }
        // The tool would ignore such a name and read standard input.
        "od" if operands().any(|a| a.to_str().is_none()) => {
            let bad = operands().find(|a| a.to_str().is_none()).map(text::quote_if_needed).unwrap_or_default();
            fail(format!("{bad}: No such file or directory"))
        }
        "rmdir" => operands().find(|a| link_with_slash(a)).and_then(|a| {
            let ignore = words.iter().any(|w| w.starts_with("--i"));
            if ignore { None } else { fail(format!("failed to remove {}: {}", text::quote(a), refusal(a))) }
        }),
        _ => None,
    }
}

/// Returns the command line for uutils' tool: words that it reads differently from GNU's are rewritten to mean the same.
pub(crate) fn mend(name: &str, args: Vec<OsString>) -> Vec<OsString> {
    match name {
        "od" => args
            .into_iter()
            .map(|arg| match arg.to_str() {
                Some("-ww") => {
                    text::complain("od", "invalid -w argument 'w'");
                    sys::exit(1)
                }
                Some("--width") => "--width=32".into(),
                Some("--strings") => "--strings=3".into(),
                Some(bundle) if bundle.ends_with('w') && bundle.strip_prefix('-').is_some_and(flags_of_od) => format!("{bundle}32").into(),
                Some("-w0" | "--width=0") => {
                    text::complain("od", "warning: invalid width 0; using 2 instead");
                    "-w2".into()
                }
                _ => arg,
            })
            .collect(),
        "expr" if args.len() == 4 && args[2] == "==" => {
            let mut args = args;
            args[2] = "=".into();
            args
        }
        "join" => fields_of_join(args),
        // The tool's patterns are those of Rust's regex crate.
        "csplit" => {
            args.into_iter().map(|arg| arg.to_str().and_then(|word| basic(word).or(bounded(word))).map_or(arg, OsString::from)).collect()
        }
        // The tool's numbers have 32 bits here; no line is longer than that.
        "base32" | "base64" | "basenc" => wrap(args),
        _ => args,
    }
}

/// Rewrites `join -o 1.1 2.2 a b`: GNU's join reads operands that look like fields as fields.
fn fields_of_join(mut args: Vec<OsString>) -> Vec<OsString> {
    let field = |word: &OsString| {
        let word = word.to_string_lossy();
        let one =
            |f: &str| f == "0" || f.strip_prefix(['1', '2']).and_then(|f| f.strip_prefix('.')).is_some_and(|n| n.parse::<u32>().is_ok());
        word.split([',', ' ']).all(one)
    };
    let Some(at) = args.iter().position(|a| a == "-o").map(|at| at + 1).filter(|at| *at < args.len()) else { return args };
    while at + 3 < args.len() && field(&args[at]) && field(&args[at + 1]) {
        let more = args.remove(at + 1);
        args[at].push(",");
        args[at].push(more);
    }
    args
}

/// Returns whether these are letters of `od` without a value, except `w` at the end.
fn flags_of_od(letters: &str) -> bool {
    !letters.is_empty() && letters.chars().all(|c| "abBcdDeFfhHiIlLoOsxXvw".contains(c))
}

/// Reduces a repetition count of `csplit` to the range of its numbers, which has the same effect.
fn bounded(word: &str) -> Option<String> {
    let count = word.strip_prefix('{')?.strip_suffix('}')?;
    let large = count.len() > 9 && count.bytes().all(|b| b.is_ascii_digit());
    large.then(|| format!("{{{}}}", i32::MAX))
}

/// Reduces line lengths of `base64` and similar tools to the range of their numbers.
fn wrap(mut args: Vec<OsString>) -> Vec<OsString> {
    let mut value_follows = false;
    for arg in &mut args {
        let Some(word) = arg.to_str() else { continue };
        let mark = ["--wrap=", "-w"].into_iter().find(|mark| word.starts_with(mark) && word.len() > mark.len());
        let digits = match mark {
            Some(mark) => &word[mark.len()..],
            None if value_follows => word,
            None => "",
        };
        value_follows = word == "-w" || word == "--wrap";
        if digits.len() > 9 && digits.bytes().all(|b| b.is_ascii_digit()) {
            *arg = format!("{}{}", mark.unwrap_or_default(), i32::MAX).into();
        }
    }
    args
}

/// Translates a basic expression of `csplit` to Rust's syntax; `None` if it is not one, or does not change.
fn basic(word: &str) -> Option<String> {
    let mark = word.chars().next().filter(|c| "/%".contains(*c))?;
    let (pattern, offset) = word[1..].rsplit_once(mark)?;
    let simple = |c: char| c.is_alphanumeric() || " ^$._-:;,#=<>@~\"'!&%/".contains(c);
    if pattern.chars().all(simple) {
        return None;
    }
    Some(format!("{mark}{}{mark}{offset}", crate::grep::translated(pattern).ok()?))
}

/// Returns the reason why `rmdir LINK/` does not remove the link's target.
fn refusal(name: &OsString) -> &'static str {
    match sys::stat(name.as_ref(), true) {
        Ok(stat) if !stat.is_dir() => "Not a directory",
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => "Not a directory",
        _ => "Symbolic link not followed",
    }
}

/// Returns whether a name is a symbolic link followed by a slash.
fn link_with_slash(name: &OsString) -> bool {
    let bytes = name.as_encoded_bytes();
    let end = bytes.iter().rposition(|b| *b != b'/').map_or(0, |at| at + 1);
    end > 0 && end < bytes.len() && sys::stat(Path::new(&sys::path_from_bytes(&bytes[..end])), false).is_ok_and(|s| s.is_link())
}
