//! `stty`: the settings of the terminal on standard input.

use crate::options::{Line, Opt, Syntax, flag};
use crate::sys::terminal::{self, Settings};
use crate::text;
use std::ffi::OsString;

use self::names::{ALIASES, CHARACTERS, FLAGS, SANE, TAB_NAMES, TABS, Word};

#[path = "stty_names.rs"]
mod names;

const OPTIONS: &[Opt] = &[flag("a", "all", "print all settings"), flag("g", "save", "print all settings in a form that stty reads")];

const SYNTAX: Syntax = Syntax {
    usage: "[-a|-g] [SETTING]...",
    about: "Print or change the settings of the terminal on standard input.\nSETTING is a flag (echo, -echo), a key (intr ^C, erase undef), a number (rows 24, cols 80, min 1, time 0),\nsane, raw, cooked, cbreak, nl, ek, crt, tabs, size, speed, or what -g printed.",
    options: OPTIONS,
    ..Syntax::COMMON
};

/// Columns of a terminal that does not say how many it has.
const WIDTH: usize = 80;

/// Runs `stty`. A setting may begin with `-`, so everything that is no option of stty is an operand.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    let (name, given) = args.split_first().map_or((OsString::from("stty"), &args[..]), |(name, rest)| (name.clone(), rest));
    let is_option = |word: &&OsString| word.to_str().is_some_and(|word| ["-a", "-g"].contains(&word) || word.starts_with("--"));
    let (options, settings): (Vec<&OsString>, Vec<&OsString>) = given.iter().partition(is_option);
    let dashes = OsString::from("--");
    let words: Vec<OsString> = [&name].into_iter().chain(options).chain([&dashes]).chain(settings).cloned().collect();
    SYNTAX.run(&words, run)
}

fn run(args: &[OsString], line: Line) -> u8 {
    let (all, save) = (line.has("all"), line.has("save"));
    if all && save {
        return SYNTAX.misuse(args, "the options for verbose and stty-readable output styles are\nmutually exclusive");
    }
    if (all || save) && !line.operands.is_empty() {
        return SYNTAX.misuse(args, "when specifying an output style, modes may not be set");
    }
    let before = match terminal::settings(0) {
        Ok(settings) => settings,
        Err(error) => {
            text::complain("stty", format!("'standard input': {}", text::reason(&error)));
            return 1;
        }
    };
    if line.operands.is_empty() {
        let size = terminal::size(0).unwrap_or_default();
        print!("{}", if save { saved(&before) } else { shown(&before, size, all) });
        return 0;
    }
    let words: Vec<String> = line.operands.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let done = change(before, &words).and_then(|after| {
        if after == before {
            return Ok(());
        }
        terminal::set_settings(0, &after, true).map_err(system)
    });
    match done {
        Ok(()) => 0,
        Err(Wrong::Word(message)) => SYNTAX.misuse(args, &message),
        Err(Wrong::System(message)) => {
            text::complain("stty", message);
            1
        }
    }
}

/// Why stty fails.
enum Wrong {
    /// A word of the command line is wrong.
    Word(String),
    /// The terminal refused it.
    System(String),
}

fn system(error: std::io::Error) -> Wrong {
    Wrong::System(format!("'standard input': {}", text::reason(&error)))
}

/// Returns the settings after all of `words`, which may print and set the size as well.
fn change(mut settings: Settings, words: &[String]) -> Result<Settings, Wrong> {
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut number = || {
            let value = words.next().ok_or_else(|| Wrong::Word(format!("missing argument to {}", text::quote(word))))?;
            value.parse::<u16>().map_err(|_| Wrong::Word(format!("invalid integer argument: {}", text::quote(value))))
        };
        match word.as_str() {
            "size" => {
                let (rows, columns) = terminal::size(0).map_err(system)?;
                println!("{rows} {columns}");
            }
            "speed" => println!("38400"),
            "rows" => {
                let (rows, (_, columns)) = (number()?, terminal::size(0).map_err(system)?);
                terminal::set_size(0, rows, columns).map_err(system)?;
            }
            "cols" | "columns" => {
                let (columns, (rows, _)) = (number()?, terminal::size(0).map_err(system)?);
                terminal::set_size(0, rows, columns).map_err(system)?;
            }
            // A pseudo-terminal has no line whose speed could be set.
            "ispeed" | "ospeed" | "line" => {
                number()?;
            }
            "min" => settings.characters[names::VMIN] = small(number()?)?,
            "time" => settings.characters[names::VTIME] = small(number()?)?,
            name => match CHARACTERS.iter().find(|(known, ..)| *known == name) {
                Some((_, place, _)) => {
                    let value = words.next().ok_or_else(|| Wrong::Word(format!("missing argument to {}", text::quote(word))))?;
                    settings.characters[*place] = key(value)?;
                }
                None => settings = named(settings, name)?,
            },
        }
    }
    Ok(settings)
}

fn small(number: u16) -> Result<u8, Wrong> {
    u8::try_from(number).map_err(|_| Wrong::Word(format!("invalid integer argument: '{number}': Value too large for defined data type")))
}

/// Returns a key as it is written: `^C`, `^?`, `^-` or `undef` for none, one character, or its number.
fn key(value: &str) -> Result<u8, Wrong> {
    let wrong = || Wrong::Word(format!("invalid integer argument: {}", text::quote(value)));
    match value.as_bytes() {
        [] | b"^-" | b"undef" => Ok(0),
        b"^?" => Ok(0x7f),
        [b'^', letter] => Ok(letter & 0x1f),
        [byte] => Ok(*byte),
        _ => match value.strip_prefix("0x").map(|digits| u8::from_str_radix(digits, 16)) {
            Some(number) => number.map_err(|_| wrong()),
            None if value.starts_with('0') => u8::from_str_radix(value, 8).map_err(|_| wrong()),
            None => value.parse().map_err(|_| wrong()),
        },
    }
}

/// Returns the settings after a word without an argument.
fn named(mut settings: Settings, name: &str) -> Result<Settings, Wrong> {
    let set = |settings: Settings, words: &[&str]| words.iter().try_fold(settings, |settings, word| named(settings, word));
    match name {
        "sane" => return Ok(SANE),
        "raw" | "-cooked" => {
            settings = set(settings, &["-icanon", "-opost", "-isig", "-xcase"])?;
            settings.input = 0;
            (settings.characters[names::VMIN], settings.characters[names::VTIME]) = (1, 0);
            return Ok(settings);
        }
        "cooked" | "-raw" => {
            settings = set(settings, &["brkint", "ignpar", "istrip", "icrnl", "ixon", "opost", "isig", "icanon"])?;
            for place in [names::VEOF, names::VEOL] {
                settings.characters[place] = SANE.characters[place];
            }
            return Ok(settings);
        }
        "cbreak" => return set(settings, &["-icanon"]),
        "-cbreak" => return set(settings, &["icanon"]),
        "nl" => return set(settings, &["-icrnl", "-onlcr"]),
        "-nl" => return set(settings, &["icrnl", "-inlcr", "-igncr", "onlcr", "-ocrnl", "-onlret"]),
        "crt" => return set(settings, &["echoe", "echoctl", "echoke"]),
        "tabs" => return set(settings, &["tab0"]),
        "-tabs" => return set(settings, &["tab3"]),
        "ek" => {
            for place in [names::VERASE, names::VKILL] {
                settings.characters[place] = SANE.characters[place];
            }
            return Ok(settings);
        }
        _ => {}
    }
    if let Some(number) = TAB_NAMES.iter().position(|tab| *tab == name) {
        settings.output = (settings.output & !TABS) | (number as u32 * (TABS / 3));
        return Ok(settings);
    }
    let (plain, on) = name.strip_prefix('-').map_or((name, true), |plain| (plain, false));
    let plain = ALIASES.iter().find(|(alias, _)| *alias == plain).map_or(plain, |(_, name)| name);
    let mut flags = FLAGS.iter().flat_map(|(word, flags)| flags.iter().map(move |(name, bits)| (*word, *name, *bits)));
    if let Some((word, _, bits)) = flags.find(|(_, name, _)| *name == plain) {
        let word = word_of(&mut settings, word);
        *word = if on { *word | bits } else { *word & !bits };
        return Ok(settings);
    }
    if name.parse::<u32>().is_ok() {
        // A speed.
        return Ok(settings);
    }
    read_saved(name).ok_or_else(|| Wrong::Word(format!("invalid argument {}", text::quote(name))))
}

fn word_of(settings: &mut Settings, word: Word) -> &mut u32 {
    match word {
        Word::Input => &mut settings.input,
        Word::Output => &mut settings.output,
        Word::Control => &mut settings.control,
        Word::Local => &mut settings.local,
    }
}

/// Returns the form of `-g`: hexadecimal numbers between colons.
fn saved(settings: &Settings) -> String {
    let words = [settings.input, settings.output, settings.control, settings.local].into_iter();
    let numbers = words.chain(settings.characters.into_iter().map(u32::from));
    numbers.map(|number| format!("{number:x}")).collect::<Vec<_>>().join(":") + "\n"
}

fn read_saved(text: &str) -> Option<Settings> {
    let numbers: Vec<u32> = text.split(':').map(|number| u32::from_str_radix(number, 16).ok()).collect::<Option<_>>()?;
    let (&[input, output, control, local], characters) = numbers.split_first_chunk()?;
    let characters: Vec<u8> = characters.iter().map(|number| u8::try_from(*number).ok()).collect::<Option<_>>()?;
    Some(Settings { input, output, control, local, characters: characters.try_into().ok()? })
}

/// Returns the settings as people read them: all, or those that differ from `sane`.
fn shown(settings: &Settings, (rows, columns): (u16, u16), all: bool) -> String {
    let width = if columns == 0 { WIDTH } else { usize::from(columns) };
    let mut paragraphs = vec![vec!["speed 38400 baud;".to_owned()]];
    if all {
        paragraphs[0].extend([format!("rows {rows};"), format!("columns {columns};")]);
    }
    paragraphs[0].push("line = 0;".to_owned());
    let mut keys: Vec<String> = CHARACTERS
        .iter()
        .filter(|(_, place, listed)| *listed && (all || settings.characters[*place] != SANE.characters[*place]))
        .map(|(name, place, _)| format!("{name} = {};", visible(settings.characters[*place])))
        .collect();
    if all || settings.local & names::ICANON == 0 {
        let [min, time] = [names::VMIN, names::VTIME].map(|place| settings.characters[place]);
        keys.extend([format!("min = {min};"), format!("time = {time};")]);
    }
    paragraphs.push(keys);
    for (word, flags) in FLAGS {
        let (mut now, mut sane) = (*settings, SANE);
        let (now, sane) = (*word_of(&mut now, word), *word_of(&mut sane, word));
        let mut flags: Vec<String> = flags
            .iter()
            .filter(|(_, bits)| all || (now ^ sane) & bits != 0)
            .map(|(name, bits)| format!("{}{name}", if now & bits == 0 { "-" } else { "" }))
            .collect();
        if word == Word::Output && (all || (now ^ sane) & TABS != 0) {
            flags.push(TAB_NAMES[(now & TABS) as usize / (TABS as usize / 3)].to_owned());
        }
        paragraphs.push(flags);
    }
    paragraphs.iter().filter(|words| !words.is_empty()).map(|words| wrapped(words, width)).collect()
}

/// Wraps words into lines of at most `width` columns.
fn wrapped(words: &[String], width: usize) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for word in words {
        if column > 0 && column + 1 + word.len() > width {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += word.len();
    }
    text + "\n"
}

/// Returns a key as stty shows it.
fn visible(key: u8) -> String {
    match key {
        0 => "<undef>".to_owned(),
        0x7f => "^?".to_owned(),
        1..=31 => format!("^{}", char::from(key ^ 0x40)),
        32..=126 => char::from(key).to_string(),
        _ => format!("M-{}", visible(key & 0x7f)),
    }
}

#[cfg(test)]
#[path = "stty_tests.rs"]
mod tests;
