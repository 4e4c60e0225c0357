//! `getopt`: a script's options, read and put in order.

use crate::options::{Syntax, flag, value};
use std::ffi::OsString;
use std::io::Write;

const SYNTAX: Syntax = Syntax {
    usage: "<optstring> <parameters>\n[options] [--] <optstring> <parameters>\n[options] -o|--options <optstring> [options] [--] <parameters>",
    about: "Parse a script's options: print them in order, then -- and the other parameters, quoted for `eval set --`.\nStatus: 1 if an option is wrong, 2 if getopt itself is called wrongly, 4 for -T.",
    options: &[
        flag("a", "alternative", "long options may begin with one -"),
        value("l", "longoptions", "the long options, separated by commas; NAME: takes a value, NAME:: an optional one"),
        value("n", "name", "the name in messages"),
        value("o", "options", "the short options"),
        flag("q", "quiet", "no messages about wrong options"),
        flag("Q", "quiet-output", "only messages"),
        value("s", "shell", "quote for sh, bash, csh or tcsh"),
        flag("T", "test", "exit with status 4, which identifies the getopt that quotes"),
        flag("u", "unquoted", "do not quote"),
    ],
    stop_at_operand: true,
    failure: 2,
    origin: "wisp, compatible with util-linux",
    letters: ("h", "V"),
    ..Syntax::COMMON
};

/// Whether an option takes a value: never, always, or only an attached one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    Value,
    Maybe,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Quoting {
    None,
    Sh,
    Csh,
}

/// Runs `getopt`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    let text = |word: &OsString| word.as_encoded_bytes().to_vec();
    let compatible = std::env::var_os("GETOPT_COMPATIBLE").is_some();
    if let Some(first) = args.get(1).map(text).filter(|first| compatible || !first.starts_with(b"-")) {
        // The old form: getopt has no options of its own, and nothing is quoted.
        let from = first.iter().position(|b| !matches!(b, b'-' | b'+')).unwrap_or(first.len());
        let parser = Parser { short: first[from..].to_vec(), ..Parser::default() };
        return parser.print(args[2..].iter().map(text).collect(), Quoting::None, true);
    }
    let line = match SYNTAX.parse(&args) {
        Ok(line) => line,
        Err(status) => return status,
    };
    if line.has("test") {
        return 4;
    }
    let quoting = match line.last_text("shell").as_deref() {
        _ if line.has("unquoted") => Quoting::None,
        None | Some("sh" | "bash") => Quoting::Sh,
        Some("csh" | "tcsh") => Quoting::Csh,
        Some(_) => return SYNTAX.misuse(&args, "unknown shell after -s or --shell argument"),
    };
    let mut words: Vec<Vec<u8>> = line.operands.iter().map(text).collect();
    let short = match line.last("options") {
        Some(given) => given.as_encoded_bytes().to_vec(),
        None if words.is_empty() => return SYNTAX.misuse(&args, "missing optstring argument"),
        None => words.remove(0),
    };
    let mut parser = Parser { short, alternative: line.has("alternative"), silent: line.has("quiet"), ..Parser::default() };
    for given in line.options.iter().filter(|given| given.key == "longoptions") {
        let names = given.value.as_ref().map(text).unwrap_or_default();
        for name in names.split(|b| b", \t\n".contains(b)).filter(|name| !name.is_empty()) {
            let bare = name.strip_suffix(b":").unwrap_or(name);
            let (bare, takes) = match bare.strip_suffix(b":") {
                Some(bare) => (bare, Takes::Maybe),
                None if bare.len() < name.len() => (bare, Takes::Value),
                None => (bare, Takes::Nothing),
            };
            parser.long.push((bare.to_vec(), takes));
        }
    }
    if let Some(name) = line.last("name") {
        parser.name = name.as_encoded_bytes().to_vec();
    }
    parser.print(words, quoting, !line.has("quiet-output"))
}

/// The arguments of getopt_long(3).
struct Parser {
    name: Vec<u8>,
    short: Vec<u8>,
    long: Vec<(Vec<u8>, Takes)>,
    alternative: bool,
    silent: bool,
}

impl Default for Parser {
    fn default() -> Self {
        Self { name: b"getopt".to_vec(), short: Vec::new(), long: Vec::new(), alternative: false, silent: false }
    }
}

#[derive(Default)]
struct Found {
    /// The words of the options; true for those that are quoted.
    words: Vec<(Vec<u8>, bool)>,
    rest: Vec<Vec<u8>>,
    failed: bool,
}

impl Parser {
    fn print(&self, words: Vec<Vec<u8>>, quoting: Quoting, output: bool) -> u8 {
        let found = self.read(words);
        let mut out = Vec::new();
        let rest = found.rest.iter().map(|word| (word.clone(), true));
        for (word, quoted) in found.words.iter().cloned().chain([(b"--".to_vec(), false)]).chain(rest) {
            out.push(b' ');
            out.extend(if quoted { quote(&word, quoting) } else { word });
        }
        out.push(b'\n');
        if output && std::io::stdout().write_all(&out).is_err() {
            return 1;
        }
        u8::from(found.failed)
    }

    fn fail(&self, found: &mut Found, message: &[&[u8]]) {
        found.failed = true;
        if !self.silent && !self.short.trim_ascii_start().starts_with(b":") {
            let text = [&self.name[..], b": ", &message.concat(), b"\n"].concat();
            // A failure here cannot be reported.
            let _ = std::io::stderr().write_all(&text);
        }
    }

    fn read(&self, words: Vec<Vec<u8>>) -> Found {
        let in_order = self.short.starts_with(b"-");
        let stop = self.short.starts_with(b"+") || std::env::var_os("POSIXLY_CORRECT").is_some();
        let mut found = Found::default();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            if word == b"--" {
                break;
            }
            if word.len() < 2 || word[0] != b'-' {
                if in_order {
                    found.words.push((word, true));
                    continue;
                }
                found.rest.push(word);
                if stop {
                    break;
                }
            } else if let Some(long) = word.strip_prefix(b"--") {
                self.long_option(long, b"--", &mut words, &mut found);
            } else if self.alternative && self.is_long(&word) {
                self.long_option(&word[1..], b"-", &mut words, &mut found);
            } else {
                self.cluster(&word, &mut words, &mut found);
            }
        }
        found.rest.extend(words);
        found
    }

    /// Returns whether `-word` is read as a long option: it is one, or no short option has its first letter.
    fn is_long(&self, word: &[u8]) -> bool {
        let known = self.short_takes(word[1]).is_some();
        let name = word[1..].split(|b| *b == b'=').next().unwrap_or_default();
        !known || word.len() > 2 && self.long.iter().any(|(long, _)| long.starts_with(name))
    }

    fn short_takes(&self, letter: u8) -> Option<Takes> {
        let short = self.short.strip_prefix(b"+").or_else(|| self.short.strip_prefix(b"-")).unwrap_or(&self.short);
        let at = short.iter().position(|known| *known == letter && !b":;".contains(&letter))?;
        Some(match &short[at + 1..] {
            [b':', b':', ..] => Takes::Maybe,
            [b':', ..] => Takes::Value,
            _ => Takes::Nothing,
        })
    }

    fn long_option(&self, text: &[u8], dashes: &[u8], words: &mut dyn Iterator<Item = Vec<u8>>, found: &mut Found) {
        let (name, attached) = match text.iter().position(|b| *b == b'=') {
            Some(at) => (&text[..at], Some(text[at + 1..].to_vec())),
            None => (text, None),
        };
        let mut near: Vec<&(Vec<u8>, Takes)> = self.long.iter().filter(|(long, _)| long.starts_with(name)).collect();
        if let Some(exact) = near.iter().copied().find(|(long, _)| long == name) {
            near = vec![exact];
        }
        let (long, takes) = match near[..] {
            [one] => one,
            [] => return self.fail(found, &[b"unrecognized option '", dashes, text, b"'"]),
            _ => {
                let all: Vec<u8> = near.iter().flat_map(|(long, _)| [&b" '"[..], dashes, long, b"'"].concat()).collect();
                return self.fail(found, &[b"option '", dashes, text, b"' is ambiguous; possibilities:", &all]);
            }
        };
        let value = match (takes, attached) {
            (Takes::Nothing, Some(_)) => return self.fail(found, &[b"option '", dashes, long, b"' doesn't allow an argument"]),
            (Takes::Nothing, None) => None,
            (Takes::Maybe, attached) => Some(attached.unwrap_or_default()),
            (Takes::Value, attached) => match attached.or_else(|| words.next()) {
                None => return self.fail(found, &[b"option '", dashes, long, b"' requires an argument"]),
                value => value,
            },
        };
        found.words.push(([b"--", &long[..]].concat(), false));
        found.words.extend(value.map(|value| (value, true)));
    }

    fn cluster(&self, word: &[u8], words: &mut dyn Iterator<Item = Vec<u8>>, found: &mut Found) {
        for (at, letter) in word.iter().copied().enumerate().skip(1) {
            let after = &word[at + 1..];
            let Some(takes) = self.short_takes(letter) else {
                self.fail(found, &[b"invalid option -- '", &[letter], b"'"]);
                continue;
            };
            let attached = (!after.is_empty()).then(|| after.to_vec());
            // `W;` makes `-W name` the same as `--name`.
            if letter == b'W' && self.short.windows(2).any(|pair| pair == b"W;") {
                match attached.or_else(|| words.next()) {
                    Some(long) => self.long_option(&long, b"-W ", words, found),
                    None => self.fail(found, &[b"option requires an argument -- 'W'"]),
                }
                return;
            }
            let value = match takes {
                Takes::Nothing => {
                    found.words.push((vec![b'-', letter], false));
                    continue;
                }
                Takes::Maybe => Some(attached.unwrap_or_default()),
                Takes::Value => attached.or_else(|| words.next()),
            };
            match value {
                Some(value) => found.words.extend([(vec![b'-', letter], false), (value, true)]),
                None => self.fail(found, &[b"option requires an argument -- '", &[letter], b"'"]),
            }
            return;
        }
    }
}

fn quote(word: &[u8], quoting: Quoting) -> Vec<u8> {
    if quoting == Quoting::None {
        return word.to_vec();
    }
    let mut out = vec![b'\''];
    for byte in word {
        match (byte, quoting) {
            (b'\'', _) => out.extend_from_slice(b"'\\''"),
            (b'\\', Quoting::Csh) => out.extend_from_slice(b"\\\\"),
            (b'!', Quoting::Csh) => out.extend_from_slice(b"'\\!'"),
            (b'\n', Quoting::Csh) => out.extend_from_slice(b"\\n"),
            (byte, Quoting::Csh) if byte.is_ascii_whitespace() => out.extend_from_slice(&[b'\'', b'\\', *byte, b'\'']),
            _ => out.push(*byte),
        }
    }
    out.push(b'\'');
    out
}
