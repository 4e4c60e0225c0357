//! Values and combinations of options that GNU's tools refuse, with GNU's messages, for the tools of uutils.

use crate::formats::od_type;
use crate::operands::number;
use crate::options::{Given, Line, Syntax};
use crate::{sys, text};
use std::ffi::OsString;

/// Returns the status of a command line that GNU's tool refuses. Prints the message.
pub(crate) fn check(name: &str, args: &[OsString], syntax: &Syntax, line: &Line) -> Option<u8> {
    let refusal = match name {
        "csplit" => line.operands.iter().skip(1).find_map(|pattern| csplit(&pattern.to_string_lossy())),
        // The tool would lock its input twice.
        "comm" if line.operands.iter().all(|name| name == "-") => plain("-: Bad file descriptor"),
        "link" if sys::stat(line.operands[1].as_ref(), false).is_ok() && sys::stat(line.operands[0].as_ref(), false).is_ok() => {
            let [from, to] = [0, 1].map(|at| text::quote(&line.operands[at]));
            plain(format!("cannot create link {to} to {from}: File exists"))
        }
        "nproc" | "ptx" => counts(line),
        "fold" if line.has("width") => {
            let width = line.last_text("width")?;
            let why = number(&width, 1, i128::from(i64::MAX)).err()?;
            let why = if width.starts_with('-') { "" } else { why };
            plain(format!("invalid number of columns: {}{why}", text::quote(&width)))
        }
        // Fields of -o and of the old -j1 and -j2 may be operands.
        "join" if line.operands.len() > 2 && !line.has("o") && !line.has("j") => {
            hinted(format!("extra operand {}", text::quote(&line.operands[2])))
        }
        "join" => line
            .options
            .iter()
            .filter(|o| matches!(o.key, "a" | "v"))
            .map(Given::text)
            .find(|side| side != "1" && side != "2")
            .and_then(|side| plain(format!("invalid field number: {}", text::quote(&side)))),
        "numfmt" => line
            .last_text("field")
            .filter(|list| list.contains(|c: char| !"0123456789-, ".contains(c)))
            .and_then(|list| hinted(format!("invalid field value {}", text::quote(&list)))),
        "od" => od(line),
        "shuf" => shuf(line),
        "truncate" => truncate(line),
        "paste" => line.operands.iter().filter(|name| *name != "-").find_map(unreadable),
        // The tool would treat a directory as a missing file.
        "fold" | "tsort" | "unexpand" if line.operands.len() == 1 => unreadable(&line.operands[0]),
        "base32" | "base64" | "basenc" if line.operands.len() == 1 && directory(&line.operands[0]) => plain("read error: Is a directory"),
        "cksum" => None,
        _ if name.ends_with("sum") && name != "sum" => sums(line),
        _ => None,
    };
    match refusal? {
        (message, true) => Some(syntax.misuse(args, &message)),
        (message, false) => {
            text::complain(name, message);
            Some(1)
        }
    }
}

/// A message, and whether the hint at `--help` follows it.
type Refusal = Option<(String, bool)>;

fn plain(message: impl Into<String>) -> Refusal {
    Some((message.into(), false))
}

fn hinted(message: impl Into<String>) -> Refusal {
    Some((message.into(), true))
}

/// Refuses wrong numbers, and numbers that need more memory than there is.
fn counts(line: &Line) -> Refusal {
    line.options.iter().find_map(|given| {
        let (what, least, most) = match given.key {
            "ignore" => ("number", 0, i128::from(u64::MAX)),
            "width" => ("line width", 1, i128::from(i32::MAX)),
            "gap-size" => ("gap width", 1, 1 << 24),
            _ => return None,
        };
        let text = given.text();
        number(&text, least, most).err().and_then(|_| plain(format!("invalid {what}: {}", text::quote(&text))))
    })
}

fn directory(name: &OsString) -> bool {
    sys::stat(name.as_ref(), true).is_ok_and(|stat| stat.is_dir())
}

/// Returns the reason why a file cannot be read, if it is missing or a directory.
fn unreadable(name: &OsString) -> Refusal {
    let shown = text::quote_if_needed(name);
    match sys::stat(name.as_ref(), true) {
        _ if name == "-" => None,
        Ok(stat) if stat.is_dir() => plain(format!("{shown}: Is a directory")),
        Ok(_) => None,
        Err(error) => plain(format!("{shown}: {}", text::reason(&error))),
    }
}

/// Returns the error in a pattern of `csplit`, if it has one.
fn csplit(pattern: &str) -> Refusal {
    let quoted = text::quote(pattern);
    if let Some(count) = pattern.strip_prefix('{') {
        let inner = count.strip_suffix('}')?;
        let valid = inner == "*" || !inner.is_empty() && inner.bytes().all(|b| b.is_ascii_digit());
        return if valid { None } else { plain(format!("'{{{inner}'}}: integer required between '{{' and '}}'")) };
    }
    let mark = pattern.chars().next().filter(|c| "/%".contains(*c))?;
    let Some((expression, offset)) = pattern[1..].rsplit_once(mark) else {
        return plain(format!("{pattern}: closing delimiter '{mark}' missing"));
    };
    if let Err(message) = crate::grep::simple(expression) {
        let quoted = quoted.replace('\\', "\\\\");
        return plain(format!("{quoted}: invalid regular expression: {message}"));
    }
    let digits = offset.strip_prefix(['+', '-']).unwrap_or(offset);
    let number = digits.parse::<i64>().ok().filter(|_| digits.bytes().all(|b| b.is_ascii_digit()));
    match number {
        None if !offset.is_empty() => plain(format!("{quoted}: integer expected after delimiter")),
        Some(number) if number > i64::from(i32::MAX) => plain(format!("{quoted}: line number out of range")),
        _ => None,
    }
}

fn od(line: &Line) -> Refusal {
    for given in &line.options {
        let text = given.text();
        match given.key {
            "address-radix" if !matches!(text.chars().next(), Some('d' | 'o' | 'x' | 'n')) => {
                return plain(format!("invalid output address radix '{text}'; it must be one character from [doxn]"));
            }
            "format" => {
                if let Some(message) = od_type(&text) {
                    return plain(message);
                }
            }
            _ => {}
        }
    }
    None
}

fn shuf(line: &Line) -> Refusal {
    let mut ranges = 0;
    for given in &line.options {
        let text = given.text();
        match given.key {
            "input-range" => {
                if ranges > 0 {
                    return plain("multiple -i options specified");
                }
                ranges += 1;
                let (low, high) = text.split_once('-').unwrap_or((&text, ""));
                let most = i128::from(u64::MAX);
                for end in [low, high] {
                    // A range without one end is shown as a whole.
                    let shown = if end.is_empty() || !text.contains('-') { text.as_str() } else { end };
                    match number(end, 0, most) {
                        Ok(_) if text.contains('-') => {}
                        Ok(_) => return plain(format!("invalid input range: {}", text::quote(&text))),
                        Err(why) => return plain(format!("invalid input range: {}{why}", text::quote(shown))),
                    }
                }
                if let (Ok(low), Ok(high)) = (low.parse::<u64>(), high.parse::<u64>())
                    && low > high
                    && low - high > 1
                {
                    return plain(format!("invalid input range: {}", text::quote(&text)));
                }
            }
            "head-count" if text.starts_with('-') || number(&text, 0, i128::MAX).is_err() && !text.bytes().all(|b| b.is_ascii_digit()) => {
                return plain(format!("invalid line count: {}", text::quote(&text)));
            }
            _ => {}
        }
    }
    let operands = &line.operands;
    match (line.has("echo"), ranges > 0) {
        (true, true) => hinted("cannot combine -e and -i options"),
        (false, true) if !operands.is_empty() => hinted(format!("extra operand {}", text::quote(&operands[0]))),
        (false, false) if operands.len() > 1 => hinted(format!("extra operand {}", text::quote(&operands[1]))),
        _ => None,
    }
}

fn truncate(line: &Line) -> Refusal {
    let size = line.last_text("size");
    let relative = size.as_ref().is_some_and(|s| s.trim_start().starts_with(['+', '-', '<', '>', '/', '%']));
    match (size.is_some(), line.has("reference")) {
        (false, false) => hinted("you must specify either '--size' or '--reference'"),
        (true, true) if !relative => hinted("you must specify a relative '--size' with '--reference'"),
        (false, _) if line.has("io-blocks") => hinted("'--io-blocks' was specified but '--size' was not"),
        _ if line.operands.is_empty() => hinted("missing file operand"),
        _ => None,
    }
}

/// Checks the options of `md5sum` and similar tools.
fn sums(line: &Line) -> Refusal {
    let check = line.has("check");
    if line.has("tag") && line.has("text") && line.last_of(&["text", "binary"]) == Some("text") {
        return hinted("--tag does not support --text mode");
    }
    if check && (line.has("binary") || line.has("text")) {
        return hinted("the --binary and --text options are meaningless when verifying checksums");
    }
    if check && line.has("tag") {
        return hinted("the --tag option is meaningless when verifying checksums");
    }
    let only = ["ignore-missing", "status", "warn", "quiet", "strict"].into_iter().find(|option| line.has(option));
    only.filter(|_| !check).and_then(|option| hinted(format!("the --{option} option is meaningful only when verifying checksums")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_shuf() {
        let shuf = |value: &str| {
            let given = Given { key: "input-range", letter: None, value: Some(value.into()) };
            shuf(&Line { options: vec![given], operands: vec![] }).map(|r| r.0)
        };
        assert_eq!(shuf("1-3"), None);
        assert_eq!(shuf("x-3").as_deref(), Some("invalid input range: 'x'"));
        assert_eq!(shuf("3").as_deref(), Some("invalid input range: '3'"));
        assert_eq!(shuf("5-1").as_deref(), Some("invalid input range: '5-1'"));
        assert!(shuf("0-99999999999999999999").is_some());
    }
}
