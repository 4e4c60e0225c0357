//! `tput` and `reset`: control sequences and facts of the terminal that `TERM` names.

use crate::options::{Line, Syntax, flag, value};
use crate::{sys, text};
use Kind::{Dumb, Linux, Screen, Tmux, Vt100, Xterm};
use std::ffi::OsString;
use std::io::Write;

const SYNTAX: Syntax = Syntax {
    usage: "[options] [command]",
    about: "Print a capability of the terminal by its terminfo name, such as bold, sgr0, setaf 1, cup 0 0, cols, lines, colors.\nStatus 1: the terminal cannot do it; 2: no TERM; 3: TERM is not known; 4: no such capability.",
    options: &[
        flag("S", "", "read commands from standard input, one per line"),
        value("T", "", "use this instead of $TERM"),
        flag("x", "", "do not clear the scrollback"),
    ],
    stop_at_operand: true,
    failure: 2,
    letters: ("", "V"),
    ..Syntax::COMMON
};

/// A family of terminals with the same control sequences.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Dumb,
    Vt100,
    Linux,
    Screen,
    Tmux,
    Xterm,
}

struct Terminal {
    kind: Kind,
    colors: i64,
}

impl Terminal {
    fn named(name: &str) -> Option<Self> {
        let kind = match name.split(['-', '.', '+']).next()? {
            "dumb" | "unknown" => Dumb,
            "vt100" | "vt102" | "vt220" => Vt100,
            "linux" => Linux,
            "screen" => Screen,
            "tmux" => Tmux,
            "xterm" | "rxvt" | "alacritty" | "kitty" | "foot" | "konsole" | "gnome" | "putty" | "ansi" | "cygwin" | "st" | "vte" => Xterm,
            _ => return None,
        };
        let colors = match kind {
            Dumb | Vt100 => -1,
            _ if ["256color", "kitty", "alacritty", "foot", "direct"].iter().any(|many| name.contains(many)) => 256,
            _ => 8,
        };
        Some(Self { kind, colors })
    }
}

/// What a capability is.
enum Cap {
    Text(String),
    Number(i64),
    /// Whether the terminal has it.
    Flag(bool),
    /// Known, but this terminal does not have it.
    Absent,
}

impl Cap {
    fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl Kind {
    /// Returns a text that every terminal except a dumb one understands.
    fn every(self, text: &str) -> Cap {
        self.except(&[], text)
    }

    /// Returns a text that a dumb terminal and those of `without` do not understand.
    fn except(self, without: &[Self], text: &str) -> Cap {
        if self == Self::Dumb || without.contains(&self) { Cap::Absent } else { Cap::text(text) }
    }
}

/// Runs `tput` and `reset`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, tool)
}

fn tool(args: &[OsString], line: Line) -> u8 {
    let name = text::name(args);
    let mut words: Vec<String> = line.operands.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let term = if name == "reset" { words.first().cloned() } else { line.last_text("T") };
    let Some(term) = term.or_else(|| std::env::var("TERM").ok()).filter(|term| !term.is_empty()) else {
        text::complain(&name, "No value for $TERM and no -T specified");
        return 2;
    };
    let Some(terminal) = Terminal::named(&term) else {
        text::complain(&name, format!("unknown terminal \"{term}\""));
        return 3;
    };
    if name == "reset" {
        words = vec!["reset".into()];
    }
    let mut out = text::output();
    let status = if line.has("S") {
        let input = text::slurp("-".as_ref()).unwrap_or_default();
        let input = String::from_utf8_lossy(&input).into_owned();
        input
            .lines()
            .map(|line| run(&terminal, &line.split_whitespace().map(str::to_owned).collect::<Vec<_>>(), line.is_empty(), &mut out))
            .max()
            .unwrap_or(0)
    } else if words.is_empty() {
        return SYNTAX.misuse(args, "no command: name a capability, as in `tput cols` or `tput setaf 1`");
    } else {
        run(&terminal, &words, line.has("x"), &mut out)
    };
    if out.flush().is_ok() { status } else { 1 }
}

fn run(terminal: &Terminal, words: &[String], keep: bool, out: &mut impl Write) -> u8 {
    let Some(name) = words.first() else { return 0 };
    let numbers: Vec<i64> = words[1..].iter().map(|word| word.parse().unwrap_or(0)).collect();
    let shown = match capability(terminal, name, &numbers, keep) {
        None => {
            text::complain("tput", format!("unknown terminfo capability '{name}'"));
            return 4;
        }
        Some(Cap::Absent) => return 1,
        Some(Cap::Flag(has)) => return u8::from(!has),
        Some(Cap::Number(number)) => format!("{number}\n"),
        Some(Cap::Text(text)) => text,
    };
    u8::from(out.write_all(shown.as_bytes()).is_err())
}

/// Returns a size as capabilities have it.
fn size(size: usize) -> Cap {
    Cap::Number(i64::try_from(size).unwrap_or(i64::MAX))
}

fn color(terminal: &Terminal, base: i64, number: i64) -> String {
    match number {
        8..=15 if terminal.colors > 8 => format!("\x1b[{}m", base + 60 + number - 8),
        number if terminal.colors > 8 && number > 15 => format!("\x1b[{};5;{number}m", base + 8),
        number => format!("\x1b[{}{number}m", base / 10),
    }
}

/// Returns a capability by its name of terminfo or termcap; `None` if there is no such name.
fn capability(terminal: &Terminal, name: &str, numbers: &[i64], keep: bool) -> Option<Cap> {
    facts(terminal, name)
        .or_else(|| color_of(terminal, name, numbers))
        .or_else(|| appearance(terminal, name, numbers))
        .or_else(|| screen(terminal, name, numbers, keep))
        .or_else(|| cursor(terminal, name, numbers))
}

/// Returns facts about the terminal, and how to reset it.
fn facts(terminal: &Terminal, name: &str) -> Option<Cap> {
    let kind = terminal.kind;
    Some(match name {
        "cols" | "columns" | "co" => size(sys::terminal::window().1),
        "lines" | "li" => size(sys::terminal::window().0),
        "colors" | "Co" => Cap::Number(terminal.colors),
        "it" => Cap::Number(if kind == Dumb { -1 } else { 8 }),
        "am" => Cap::Flag(true),
        "bce" | "ccc" | "km" | "mir" | "msgr" | "xenl" | "hs" => Cap::Flag(kind != Dumb && name != "hs" && name != "ccc"),
        "longname" => Cap::text(match kind {
            Dumb => "80-column dumb tty",
            Vt100 => "DEC VT100 (w/advanced video)",
            Linux => "Linux console",
            Screen => "VT 100/ANSI X3.64 virtual terminal",
            Tmux => "tmux terminal multiplexer",
            Xterm => "xterm terminal emulator (X Window System)",
        }),
        "init" => Cap::Text(String::new()),
        "reset" if kind == Dumb || !sys::is_terminal(1) && !sys::is_terminal(2) => Cap::Text(String::new()),
        "reset" => Cap::text("\x1bc"),
        _ => return None,
    })
}

/// Returns the colors of the text that follows.
fn color_of(terminal: &Terminal, name: &str, numbers: &[i64]) -> Option<Cap> {
    let kind = terminal.kind;
    let n = |at: usize| numbers.get(at).copied().unwrap_or(0);
    Some(match name {
        "setaf" | "setf" if terminal.colors < 0 => Cap::Absent,
        "setab" | "setb" if terminal.colors < 0 => Cap::Absent,
        "setf" | "setb" if kind != Xterm || terminal.colors > 8 => Cap::Absent,
        "setaf" | "AF" => Cap::Text(color(terminal, 30, n(0))),
        "setab" | "AB" => Cap::Text(color(terminal, 40, n(0))),
        // The old order of colors: blue and red are swapped.
        "setf" | "setb" => {
            let swapped = [0, 4, 2, 6, 1, 5, 3, 7].get(usize::try_from(n(0)).unwrap_or(0)).copied().unwrap_or(0);
            Cap::Text(color(terminal, if name == "setf" { 30 } else { 40 }, swapped))
        }
        "op" if terminal.colors < 0 => Cap::Absent,
        "op" => Cap::text("\x1b[39;49m"),
        _ => return None,
    })
}

/// Returns the look of the text that follows, except its color.
fn appearance(terminal: &Terminal, name: &str, numbers: &[i64]) -> Option<Cap> {
    let kind = terminal.kind;
    Some(match name {
        "sgr0" | "me" => match kind {
            Dumb => Cap::Absent,
            Xterm => Cap::text("\x1b(B\x1b[m"),
            _ => Cap::text("\x1b[m\x0f"),
        },
        "sgr" => {
            if kind == Dumb {
                Cap::Absent
            } else {
                Cap::Text(modes(numbers))
            }
        }
        "bold" | "md" => kind.every("\x1b[1m"),
        "dim" | "mh" => kind.except(&[Vt100], "\x1b[2m"),
        "sitm" | "ZH" => kind.except(&[Vt100, Screen, Linux], "\x1b[3m"),
        "ritm" | "ZR" => kind.except(&[Vt100, Screen, Linux], "\x1b[23m"),
        "smul" | "us" => kind.every("\x1b[4m"),
        "rmul" | "ue" => kind.every(if kind == Vt100 { "\x1b[m" } else { "\x1b[24m" }),
        "blink" | "mb" => kind.every("\x1b[5m"),
        "rev" | "mr" => kind.every("\x1b[7m"),
        "invis" | "mk" => kind.except(&[Vt100, Screen, Linux], "\x1b[8m"),
        "smso" | "so" => kind.every(if kind == Screen { "\x1b[3m" } else { "\x1b[7m" }),
        "rmso" | "se" => kind.every(match kind {
            Vt100 => "\x1b[m",
            Screen => "\x1b[23m",
            _ => "\x1b[27m",
        }),
        "smxx" => kind.except(&[Vt100, Screen, Linux], "\x1b[9m"),
        "rmxx" => kind.except(&[Vt100, Screen, Linux], "\x1b[29m"),
        _ => return None,
    })
}

/// Returns the sequences that clear, insert and delete, and the modes of screen and keyboard; with `keep`, the scrollback is not cleared.
fn screen(terminal: &Terminal, name: &str, numbers: &[i64], keep: bool) -> Option<Cap> {
    let kind = terminal.kind;
    let n = |at: usize| numbers.get(at).copied().unwrap_or(0);
    Some(match name {
        "clear" | "cl" => kind.every(match kind {
            Vt100 | Screen => "\x1b[H\x1b[J",
            Linux | Tmux if keep => "\x1b[H\x1b[J",
            Linux | Tmux => "\x1b[H\x1b[J\x1b[3J",
            _ if keep => "\x1b[H\x1b[2J",
            _ => "\x1b[H\x1b[2J\x1b[3J",
        }),
        "civis" | "vi" => kind.except(&[Vt100], if kind == Linux { "\x1b[?25l\x1b[?1c" } else { "\x1b[?25l" }),
        "cnorm" | "ve" => kind.except(
            &[Vt100],
            match kind {
                Linux => "\x1b[?25h\x1b[?0c",
                Screen | Tmux => "\x1b[34h\x1b[?25h",
                _ => "\x1b[?12l\x1b[?25h",
            },
        ),
        "cvvis" => kind.except(&[Vt100], "\x1b[?12;25h"),
        "smcup" | "ti" => kind.except(&[Vt100, Linux], if kind == Xterm { "\x1b[?1049h\x1b[22;0;0t" } else { "\x1b[?1049h" }),
        "rmcup" | "te" => kind.except(&[Vt100, Linux], if kind == Xterm { "\x1b[?1049l\x1b[23;0;0t" } else { "\x1b[?1049l" }),
        "csr" => kind.every(&format!("\x1b[{};{}r", n(0) + 1, n(1) + 1)),
        "ech" => kind.except(&[Vt100, Screen, Tmux], &format!("\x1b[{}X", n(0))),
        "bel" | "bl" => Cap::text("\x07"),
        "el" | "ce" => kind.every("\x1b[K"),
        "el1" | "cb" => kind.every("\x1b[1K"),
        "ed" | "cd" => kind.every("\x1b[J"),
        "il1" => kind.except(&[Vt100], "\x1b[L"),
        "dl1" => kind.except(&[Vt100], "\x1b[M"),
        "dch1" => kind.except(&[Vt100], "\x1b[P"),
        "smir" => kind.except(&[Vt100], "\x1b[4h"),
        "rmir" => kind.except(&[Vt100], "\x1b[4l"),
        "smkx" => kind.except(&[Linux], "\x1b[?1h\x1b="),
        "rmkx" => kind.except(&[Linux], "\x1b[?1l\x1b>"),
        "flash" => kind.except(&[Vt100], if matches!(kind, Screen | Tmux) { "\x1bg" } else { "\x1b[?5h\x1b[?5l" }),
        _ => return None,
    })
}

/// Returns the sequences that move the cursor.
fn cursor(terminal: &Terminal, name: &str, numbers: &[i64]) -> Option<Cap> {
    let kind = terminal.kind;
    let n = |at: usize| numbers.get(at).copied().unwrap_or(0);
    Some(match name {
        "cup" | "cm" => kind.every(&format!("\x1b[{};{}H", n(0) + 1, n(1) + 1)),
        "hpa" => kind.except(&[Vt100], &format!("\x1b[{}G", n(0) + 1)),
        "vpa" => kind.except(&[Vt100], &format!("\x1b[{}d", n(0) + 1)),
        "cuu" | "cud" | "cuf" | "cub" => kind.every(&format!(
            "\x1b[{}{}",
            n(0),
            match name {
                "cuu" => 'A',
                "cud" => 'B',
                "cuf" => 'C',
                _ => 'D',
            }
        )),
        "cuu1" | "up" => kind.every(if matches!(kind, Screen | Tmux) { "\x1bM" } else { "\x1b[A" }),
        "cud1" | "do" | "ind" => Cap::text("\n"),
        "cuf1" | "nd" => kind.every("\x1b[C"),
        "cub1" | "le" => kind.every("\x08"),
        "cr" => Cap::text("\r"),
        "home" | "ho" => kind.every("\x1b[H"),
        "ri" => kind.every("\x1bM"),
        "sc" => kind.every("\x1b7"),
        "rc" => kind.every("\x1b8"),
        _ => return None,
    })
}

/// Returns several modes at once: standout, underline, reverse, blink, dim, bold.
fn modes(numbers: &[i64]) -> String {
    let mut codes = String::from("0");
    for (at, code) in [(5, 1), (1, 4), (0, 7), (2, 7), (3, 5), (4, 2), (6, 8)] {
        if numbers.get(at).is_some_and(|on| *on != 0) && !codes.ends_with(&format!(";{code}")) {
            codes += &format!(";{code}");
        }
    }
    format!("\x1b(B\x1b[{codes}m")
}
