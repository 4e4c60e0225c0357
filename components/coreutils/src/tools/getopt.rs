//! `getopt`: the options of a script, in a form that it can take with `eval set --`.

use crate::text;
use std::ffi::OsString;
use std::io::Write;

const USAGE: &str = "
Usage:
 getopt OPTSTRING PARAMETERS
 getopt [OPTIONS] [--] OPTSTRING PARAMETERS
 getopt [OPTIONS] -o OPTSTRING [OPTIONS] [--] PARAMETERS

Print the parameters with their options first and quoted, for `eval set --`.

 -a, --alternative           long options may begin with one -
 -l, --longoptions LIST      the long options, as in name,needs:,may::
 -n, --name NAME             the name in messages
 -o, --options OPTSTRING     the short options, as in ab:c::
 -q, --quiet                 no messages
 -Q, --quiet-output          no output
 -s, --shell SHELL           quote for sh or bash
 -T, --test                  end with 4: this is the getopt with long options
 -u, --unquoted              do not quote
 -h, --help                  print this help
 -V, --version               print the version
";

/// Whether an option has a value.
#[derive(Clone, Copy, PartialEq)]
enum Takes {
    Nothing,
    Value,
    /// Only one that is joined to it.
    Joined,
}

/// Where the first parameter that is no option stands, the scan goes on, ends, or leaves it there.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    Permuted,
    Ends,
    InPlace,
}

/// The options to look for.
struct Spec {
    short: Vec<(u8, Takes)>,
    long: Vec<(Vec<u8>, Takes)>,
    order: Order,
    /// Long options may begin with one `-`.
    single: bool,
}

enum Item {
    /// An option as it is written, and its value if it may have one.
    Option(Vec<u8>, Option<Vec<u8>>),
    Operand(Vec<u8>),
}

/// What a colon or two behind an option say.
fn takes(text: &mut &[u8]) -> Takes {
    let colons = text.iter().take(2).take_while(|byte| **byte == b':').count();
    *text = &text[colons..];
    [Takes::Nothing, Takes::Value, Takes::Joined][colons]
}

impl Spec {
    fn new(mut optstring: &[u8], single: bool) -> Spec {
        let order = match optstring.first() {
            Some(b'+') => Order::Ends,
            Some(b'-') => Order::InPlace,
            _ if std::env::var_os("POSIXLY_CORRECT").is_some() => Order::Ends,
            _ => Order::Permuted,
        };
        optstring = optstring.trim_ascii_start();
        let prefix = optstring.iter().take_while(|byte| matches!(byte, b'+' | b'-' | b':')).count();
        optstring = &optstring[prefix..];
        let mut short = Vec::new();
        while let Some((letter, rest)) = optstring.split_first() {
            optstring = rest;
            short.push((*letter, takes(&mut optstring)));
        }
        Spec { short, long: Vec::new(), order, single }
    }

    fn add_long(&mut self, list: &[u8]) {
        for name in list.split(|byte| matches!(byte, b',' | b' ' | b'\t' | b'\n')).filter(|name| !name.is_empty()) {
            let len = name.iter().position(|byte| *byte == b':').unwrap_or(name.len());
            self.long.push((name[..len].to_vec(), takes(&mut &name[len..])));
        }
    }

    fn letter(&self, letter: u8) -> Option<Takes> {
        self.short.iter().find(|(known, _)| *known == letter && letter != b':').map(|(_, takes)| *takes)
    }

    /// Go through `args`; what is wrong with each bad one goes to `complain`.
    fn scan(&self, args: &[Vec<u8>], mut complain: impl FnMut(String)) -> Vec<Item> {
        let (mut items, mut operands) = (Vec::new(), Vec::new());
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let dashes = if arg.starts_with(b"--") { 2 } else { 1 };
            match &arg[..] {
                b"--" => {
                    operands.extend(args.by_ref().cloned());
                    break;
                }
                [b'-', _, ..] if dashes == 2 || self.single && (arg.len() > 2 || self.letter(arg[1]).is_none()) => {
                    match self.long(arg, dashes, &mut args) {
                        Ok(item) => items.push(item),
                        Err(_) if dashes == 1 && self.letter(arg[1]).is_some() => self.letters(arg, &mut args, &mut items, &mut complain),
                        Err(message) => complain(message),
                    }
                }
                [b'-', _, ..] => self.letters(arg, &mut args, &mut items, &mut complain),
                _ if self.order == Order::InPlace => items.push(Item::Operand(arg.clone())),
                _ => {
                    operands.push(arg.clone());
                    if self.order == Order::Ends {
                        operands.extend(args.by_ref().cloned());
                    }
                }
            }
        }
        items.push(Item::Option(b"--".to_vec(), None));
        items.extend(operands.into_iter().map(Item::Operand));
        items
    }

    fn long<'a>(&self, arg: &[u8], dashes: usize, args: &mut impl Iterator<Item = &'a Vec<u8>>) -> Result<Item, String> {
        let shown = |name: &[u8]| format!("'{}{}'", &"--"[..dashes], String::from_utf8_lossy(name));
        let text = &arg[dashes..];
        let (name, joined) = match text.iter().position(|byte| *byte == b'=') {
            Some(at) => (&text[..at], Some(text[at + 1..].to_vec())),
            None => (text, None),
        };
        let exact: Vec<_> = self.long.iter().filter(|(known, _)| known == name).take(1).collect();
        let found = if exact.is_empty() { self.long.iter().filter(|(known, _)| known.starts_with(name)).collect() } else { exact };
        let (name, takes) = match found[..] {
            [one] => one,
            [] => return Err(format!("unrecognized option {}", shown(text))),
            _ => {
                let all: String = found.iter().map(|(known, _)| format!(" {}", shown(known))).collect();
                return Err(format!("option {} is ambiguous; possibilities:{all}", shown(text)));
            }
        };
        let value = match (takes, joined) {
            (Takes::Nothing, Some(_)) => return Err(format!("option {} doesn't allow an argument", shown(name))),
            (Takes::Nothing, None) => None,
            (Takes::Joined, joined) => Some(joined.unwrap_or_default()),
            (Takes::Value, Some(joined)) => Some(joined),
            (Takes::Value, None) => match args.next() {
                Some(next) => Some(next.clone()),
                None => return Err(format!("option {} requires an argument", shown(name))),
            },
        };
        Ok(Item::Option([b"--", &name[..]].concat(), value))
    }

    fn letters<'a>(
        &self,
        arg: &[u8],
        args: &mut impl Iterator<Item = &'a Vec<u8>>,
        items: &mut Vec<Item>,
        complain: &mut impl FnMut(String),
    ) {
        let mut rest = &arg[1..];
        while let Some((letter, behind)) = rest.split_first() {
            rest = behind;
            let value = match self.letter(*letter) {
                None => {
                    complain(format!("invalid option -- '{}'", char::from(*letter)));
                    continue;
                }
                Some(Takes::Nothing) => None,
                Some(Takes::Joined) => Some(std::mem::take(&mut rest).to_vec()),
                Some(Takes::Value) if !rest.is_empty() => Some(std::mem::take(&mut rest).to_vec()),
                Some(Takes::Value) => match args.next() {
                    Some(next) => Some(next.clone()),
                    None => {
                        complain(format!("option requires an argument -- '{}'", char::from(*letter)));
                        continue;
                    }
                },
            };
            items.push(Item::Option(vec![b'-', *letter], value));
        }
    }
}

fn quoted(value: &[u8]) -> Vec<u8> {
    let mut out = vec![b'\''];
    for byte in value {
        if *byte == b'\'' { out.extend_from_slice(b"'\\''") } else { out.push(*byte) }
    }
    out.push(b'\'');
    out
}

fn misuse(message: &str) -> u8 {
    text::complain("getopt", format!("{message}\nTry 'getopt --help' for more information."));
    2
}

/// `getopt`.
pub fn main(args: Vec<OsString>) -> u8 {
    let mut args: Vec<Vec<u8>> = args.into_iter().skip(1).map(OsString::into_encoded_bytes).collect();
    let Some(first) = args.first() else { return misuse("missing optstring argument") };
    let (mut quiet, mut silent, mut quotes, mut single) = (false, false, true, false);
    let (mut name, mut optstring, mut long) = ("getopt".to_owned(), None, Vec::new());
    let compatible = !first.starts_with(b"-") || std::env::var_os("GETOPT_COMPATIBLE").is_some();
    if compatible {
        quotes = false;
    } else {
        let mut own = Spec::new(b"+ao:l:n:qQs:TuhV", false);
        own.add_long(b"options:,longoptions:,quiet,quiet-output,shell:,test,unquoted,help,alternative,name:,version");
        let mut wrong = false;
        let items = own.scan(&args, |message| {
            text::complain("getopt", message);
            wrong = true;
        });
        args.clear();
        for item in items {
            match item {
                Item::Operand(operand) => args.push(operand),
                Item::Option(option, value) => {
                    let value = value.unwrap_or_default();
                    match &option[..] {
                        b"-a" | b"--alternative" => single = true,
                        b"-o" | b"--options" => optstring = Some(value),
                        b"-l" | b"--longoptions" => long.push(value),
                        b"-n" | b"--name" => name = String::from_utf8_lossy(&value).into_owned(),
                        b"-q" | b"--quiet" => quiet = true,
                        b"-Q" | b"--quiet-output" => silent = true,
                        b"-s" | b"--shell" if !matches!(&value[..], b"sh" | b"bash") => {
                            return misuse("unknown shell after -s or --shell argument");
                        }
                        b"-T" | b"--test" => return 4,
                        b"-u" | b"--unquoted" => quotes = false,
                        b"-h" | b"--help" => {
                            print!("{USAGE}");
                            return 0;
                        }
                        b"-V" | b"--version" => {
                            println!("getopt (wisp, compatible with util-linux) {}", env!("CARGO_PKG_VERSION"));
                            return 0;
                        }
                        _ => {}
                    }
                }
            }
        }
        if wrong {
            eprintln!("Try 'getopt --help' for more information.");
            return 2;
        }
    }
    if optstring.is_none() {
        if args.is_empty() {
            return misuse("missing optstring argument");
        }
        let given = args.remove(0);
        let skipped = if compatible { given.iter().take_while(|byte| matches!(byte, b'+' | b'-')).count() } else { 0 };
        optstring = Some(given[skipped..].to_vec());
    }
    let optstring = optstring.unwrap_or_default();
    quiet |= optstring.iter().take_while(|byte| matches!(byte, b'+' | b'-' | b':')).any(|byte| *byte == b':');
    let mut spec = Spec::new(&optstring, single);
    long.iter().for_each(|list| spec.add_long(list));
    let mut status = 0;
    let items = spec.scan(&args, |message| {
        if !quiet {
            text::complain(&name, message);
        }
        status = 1;
    });
    if !silent {
        let show = |value: Vec<u8>| if quotes { quoted(&value) } else { value };
        let mut out = Vec::new();
        for item in items {
            let words = match item {
                Item::Operand(operand) => [None, Some(show(operand))],
                Item::Option(option, value) => [Some(option), value.map(show)],
            };
            for word in words.into_iter().flatten() {
                out.push(b' ');
                out.extend_from_slice(&word);
            }
        }
        out.push(b'\n');
        // Who does not read it needs no message.
        let _ = std::io::stdout().write_all(&out);
    }
    status
}
