//! `hexdump`, `hd`: files in formats of one's choice.

use super::hexdump_format::{Format, Unit};
use crate::text;
use std::ffi::OsString;
use std::io::{Read, Write};

/// The text of a built-in format's lines.
const HEX: [&str; 2] = ["\"%07.7_Ax\\n\"", "\"%07.7_ax \" 8/2 \"%04x \" \"\\n\""];
const CANONICAL: [&str; 3] = ["\"%08.8_Ax\\n\"", "\"%08.8_ax  \" 8/1 \"%02x \" \"  \" 8/1 \"%02x \"", "\"  |\" 16/1 \"%_p\" \"|\\n\""];

fn number(text: &str) -> Option<u64> {
    let (digits, factor) = match text.chars().last()? {
        'b' if !text.starts_with("0x") => (&text[..text.len() - 1], 512),
        'k' | 'K' => (&text[..text.len() - 1], 1024),
        'm' | 'M' => (&text[..text.len() - 1], 1 << 20),
        'g' | 'G' => (&text[..text.len() - 1], 1 << 30),
        _ => (text, 1),
    };
    let value = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?,
        None if digits.len() > 1 && digits.starts_with('0') => u64::from_str_radix(digits, 8).ok()?,
        None => digits.parse().ok()?,
    };
    Some(value * factor)
}

const USAGE: &str = "Usage: hexdump [options] <file>...
Display file contents in hexadecimal, decimal, octal, or ascii.

 -b, --one-byte-octal      one-byte octal display
 -c, --one-byte-char       one-byte character display
 -C, --canonical           canonical hex+ASCII display
 -d, --two-bytes-decimal   two-byte decimal display
 -o, --two-bytes-octal     two-byte octal display
 -x, --two-bytes-hex       two-byte hexadecimal display
 -e, --format <format>     format string to be used for displaying data
 -f, --format-file <file>  file that contains format strings
 -n, --length <length>     interpret only length bytes of input
 -s, --skip <offset>       skip offset bytes from the beginning
 -v, --no-squeezing        output identical lines
";

/// Run `hexdump`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    let name = text::name(&args);
    let mut sources: Vec<String> = Vec::new();
    let (mut most, mut skip, mut verbose) = (u64::MAX, 0, false);
    let mut files: Vec<OsString> = Vec::new();
    if name == "hd" {
        sources.extend(CANONICAL.map(str::to_owned));
    }
    let two = |format: &str| [HEX[0].to_owned(), format!("\"%07.7_ax \" {format} \"\\n\"")];
    let mut rest: std::collections::VecDeque<OsString> = args.into_iter().skip(1).collect();
    while let Some(arg) = rest.pop_front() {
        let shown = text::show(&arg);
        if shown == "--" {
            files.extend(rest);
            break;
        }
        if !shown.starts_with('-') || shown == "-" {
            files.push(arg);
            continue;
        }
        let (letters, mut attached) = match shown.strip_prefix("--") {
            Some(long) => {
                let (word, value) = long.split_once('=').map_or((long, None), |(w, v)| (w, Some(v.to_owned())));
                let all = [
                    ("one-byte-octal", 'b'),
                    ("one-byte-char", 'c'),
                    ("canonical", 'C'),
                    ("two-bytes-decimal", 'd'),
                    ("two-bytes-octal", 'o'),
                    ("two-bytes-hex", 'x'),
                    ("format", 'e'),
                    ("format-file", 'f'),
                    ("length", 'n'),
                    ("skip", 's'),
                    ("no-squeezing", 'v'),
                    ("color", 'L'),
                    ("help", 'h'),
                    ("version", 'V'),
                ];
                match all.iter().find(|(l, _)| *l == word) {
                    Some((_, letter)) => (letter.to_string(), value),
                    None => {
                        text::complain(&name, format!("unrecognized option '--{word}'\nTry '{name} --help' for more information."));
                        return 1;
                    }
                }
            }
            None => (shown[1..].to_owned(), None),
        };
        for (at, letter) in letters.char_indices() {
            let takes = "efns".contains(letter);
            if takes && attached.is_none() {
                let tail = &letters[at + 1..];
                attached = if tail.is_empty() { rest.pop_front().map(|v| text::show(&v)) } else { Some(tail.to_owned()) };
            }
            let value = attached.clone().unwrap_or_default();
            match letter {
                'b' => sources.extend(two("16/1 \"%03o \"")),
                'c' => sources.extend(two("16/1 \"%3_c \"")),
                'C' => sources.extend(CANONICAL.map(str::to_owned)),
                'd' => sources.extend(two("8/2 \"  %05u \"")),
                'o' => sources.extend(two("8/2 \" %06o \"")),
                'x' => sources.extend(two("8/2 \"   %04x \"")),
                'v' => verbose = true,
                // Colors: there are none.
                'L' => break,
                'e' => sources.push(value),
                'f' => match std::fs::read_to_string(&value) {
                    Ok(all) => {
                        sources.extend(all.lines().filter(|l| !l.trim().is_empty() && !l.trim_start().starts_with('#')).map(str::to_owned));
                    }
                    Err(error) => {
                        text::complain(&name, format!("can't read {value}: {}", text::reason(&error)));
                        return 1;
                    }
                },
                'n' | 's' => match number(&value) {
                    Some(n) if letter == 'n' => most = n,
                    Some(n) => skip = n,
                    None => {
                        text::complain(
                            &name,
                            format!("failed to parse {}: '{value}': Invalid argument", if letter == 'n' { "length" } else { "offset" }),
                        );
                        return 1;
                    }
                },
                'h' => {
                    print!("{USAGE}");
                    return 0;
                }
                'V' => {
                    println!("{name} (wisp) {}", env!("CARGO_PKG_VERSION"));
                    return 0;
                }
                other => {
                    text::complain(&name, format!("invalid option -- '{other}'\nTry '{name} --help' for more information."));
                    return 1;
                }
            }
            if takes {
                break;
            }
        }
    }
    if sources.is_empty() {
        sources.extend(HEX.map(str::to_owned));
    }
    let mut formats = Vec::new();
    for source in &sources {
        match Format::parse(source) {
            Ok(format) => formats.push(format),
            Err(message) => {
                text::complain(&name, message);
                return 1;
            }
        }
    }
    let Some((input, skip, failed)) = read(&name, &files, skip, most) else {
        text::complain(&name, "all input file arguments failed");
        return 1;
    };
    let mut out = text::output();
    let done = dump(&formats, &input, skip, verbose, &mut out).and_then(|()| out.flush());
    u8::from(done.is_err() || failed)
}

/// All files as one, how much of them was passed over, and whether some could not be read; nothing if none could.
fn read(name: &str, files: &[OsString], skip: u64, most: u64) -> Option<(Vec<u8>, u64, bool)> {
    let dash = [OsString::from("-")];
    let files = if files.is_empty() { &dash } else { files };
    let (mut all, mut failed, mut left) = (Vec::new(), 0, skip);
    let wanted = most.saturating_add(skip);
    for file in files {
        let opened = crate::input::open(file).and_then(|source| {
            let before = all.len();
            // Enough and no more: devices have no end.
            source.take(wanted.saturating_sub(skip - left + before as u64)).read_to_end(&mut all)?;
            let cut = left.min((all.len() - before) as u64);
            all.drain(before..before + cut as usize);
            left -= cut;
            Ok(())
        });
        if let Err(error) = opened {
            text::complain(name, format!("{}: {}", text::show(file), text::reason(&error)));
            failed += 1;
        }
    }
    all.truncate(most.min(usize::MAX as u64) as usize);
    (failed < files.len()).then_some((all, skip - left, failed > 0))
}

fn dump(formats: &[Format], input: &[u8], skip: u64, verbose: bool, out: &mut dyn Write) -> std::io::Result<()> {
    let block = formats.iter().map(Format::size).max().unwrap_or(0).max(1);
    let mut before: Option<&[u8]> = None;
    let mut squeezed = false;
    for (n, part) in input.chunks(block).enumerate() {
        if !verbose && before == Some(part) && part.len() == block {
            if !squeezed {
                out.write_all(b"*\n")?;
            }
            squeezed = true;
            continue;
        }
        squeezed = false;
        before = Some(part);
        for format in formats {
            format.print(part, skip + (n * block) as u64, block, skip + input.len() as u64, out)?;
        }
    }
    if !input.is_empty() || skip > 0 {
        for unit in formats.iter().flat_map(|f| &f.units) {
            if let Unit::End(kind, text) = unit {
                out.write_all(&super::hexdump_format::address(text, *kind, skip + input.len() as u64))?;
            }
        }
    }
    Ok(())
}
