//! `tput` and `reset`: what the terminal that `TERM` names is told.

use crate::options::{Line, Syntax, flag, value};
use crate::{sys, text};
use std::ffi::OsString;
use std::io::Write;

const SYNTAX: Syntax = Syntax {
    usage: "[options] [command]",
    about: "Print what a terminal does something by: a capability of terminfo, as bold, sgr0, setaf 1, cup 0 0, cols, lines, colors.\nStatus 1: the terminal cannot do it; 2: no TERM; 3: TERM is not known; 4: no such capability.",
    options: &[
        flag("S", "", "read commands from standard input, one a line"),
        value("T", "", "use this instead of $TERM"),
        flag("x", "", "do not clear what was scrolled away"),
    ],
    stop_at_operand: true,
    failure: 2,
    letters: ("", "V"),
    ..Syntax::COMMON
};

/// A family of terminals that are told the same.
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
    fn named(name: &str) -> Option<Terminal> {
        let kind = match name.split(['-', '.', '+']).next()? {
            "dumb" | "unknown" => Kind::Dumb,
            "vt100" | "vt102" | "vt220" => Kind::Vt100,
            "linux" => Kind::Linux,
            "screen" => Kind::Screen,
            "tmux" => Kind::Tmux,
            "xterm" | "rxvt" | "alacritty" | "kitty" | "foot" | "konsole" | "gnome" | "putty" | "ansi" | "cygwin" | "st" | "vte" => {
                Kind::Xterm
            }
            _ => return None,
        };
        let colors = match kind {
            Kind::Dumb | Kind::Vt100 => -1,
            _ if ["256color", "kitty", "alacritty", "foot", "direct"].iter().any(|many| name.contains(many)) => 256,
            _ => 8,
        };
        Some(Terminal { kind, colors })
    }
}

/// What a capability is.
enum Cap {
    Text(String),
    Number(i64),
    /// Whether it has it.
    Flag(bool),
    /// Known, and this terminal does not do it.
    Absent,
}

/// Run `tput` and `reset`.
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
        return SYNTAX.misuse(args, "no command: say a capability, as `tput cols` or `tput setaf 1`");
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

/// The size that `COLUMNS` or `LINES` says.
fn size(variable: &str, usual: i64) -> i64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).filter(|size| *size > 0).unwrap_or(usual)
}

fn color(terminal: &Terminal, base: i64, number: i64) -> String {
    match number {
        8..=15 if terminal.colors > 8 => format!("\x1b[{}m", base + 60 + number - 8),
        number if terminal.colors > 8 && number > 15 => format!("\x1b[{};5;{number}m", base + 8),
        number => format!("\x1b[{}{number}m", base / 10),
    }
}

fn capability(terminal: &Terminal, name: &str, numbers: &[i64], keep: bool) -> Option<Cap> {
    use Kind::{Dumb, Linux, Screen, Tmux, Vt100, Xterm};
    let kind = terminal.kind;
    let n = |at: usize| numbers.get(at).copied().unwrap_or(0);
    let text = |text: &str| Some(Cap::Text(text.to_owned()));
    let not =
        |kinds: &[Kind], text: &str| Some(if kind == Dumb || kinds.contains(&kind) { Cap::Absent } else { Cap::Text(text.to_owned()) });
    let all = |text: &str| not(&[], text);
    match name {
        "cols" | "columns" | "co" => Some(Cap::Number(size("COLUMNS", 80))),
        "lines" | "li" => Some(Cap::Number(size("LINES", 24))),
        "colors" | "Co" => Some(Cap::Number(terminal.colors)),
        "it" => Some(Cap::Number(if kind == Dumb { -1 } else { 8 })),
        "am" => Some(Cap::Flag(true)),
        "bce" | "ccc" | "km" | "mir" | "msgr" | "xenl" | "hs" => Some(Cap::Flag(kind != Dumb && name != "hs" && name != "ccc")),
        "setaf" | "setf" if terminal.colors < 0 => Some(Cap::Absent),
        "setab" | "setb" if terminal.colors < 0 => Some(Cap::Absent),
        "setf" | "setb" if kind != Xterm || terminal.colors > 8 => Some(Cap::Absent),
        "setaf" | "AF" => Some(Cap::Text(color(terminal, 30, n(0)))),
        "setab" | "AB" => Some(Cap::Text(color(terminal, 40, n(0)))),
        // The old order of colours: blue and red change places.
        "setf" | "setb" => {
            let swapped = [0, 4, 2, 6, 1, 5, 3, 7].get(usize::try_from(n(0)).unwrap_or(0)).copied().unwrap_or(0);
            Some(Cap::Text(color(terminal, if name == "setf" { 30 } else { 40 }, swapped)))
        }
        "op" if terminal.colors < 0 => Some(Cap::Absent),
        "op" => text("\x1b[39;49m"),
        "sgr0" | "me" => match kind {
            Dumb => Some(Cap::Absent),
            Xterm => text("\x1b(B\x1b[m"),
            _ => text("\x1b[m\x0f"),
        },
        "sgr" => Some(if kind == Dumb { Cap::Absent } else { Cap::Text(modes(numbers)) }),
        "bold" | "md" => all("\x1b[1m"),
        "dim" | "mh" => not(&[Vt100], "\x1b[2m"),
        "sitm" | "ZH" => not(&[Vt100, Screen, Linux], "\x1b[3m"),
        "ritm" | "ZR" => not(&[Vt100, Screen, Linux], "\x1b[23m"),
        "smul" | "us" => all("\x1b[4m"),
        "rmul" | "ue" => all(if kind == Vt100 { "\x1b[m" } else { "\x1b[24m" }),
        "blink" | "mb" => all("\x1b[5m"),
        "rev" | "mr" => all("\x1b[7m"),
        "invis" | "mk" => not(&[Vt100, Screen, Linux], "\x1b[8m"),
        "smso" | "so" => all(if kind == Screen { "\x1b[3m" } else { "\x1b[7m" }),
        "rmso" | "se" => all(match kind {
            Vt100 => "\x1b[m",
            Screen => "\x1b[23m",
            _ => "\x1b[27m",
        }),
        "smxx" => not(&[Vt100, Screen, Linux], "\x1b[9m"),
        "rmxx" => not(&[Vt100, Screen, Linux], "\x1b[29m"),
        "clear" | "cl" => all(match kind {
            Vt100 | Screen => "\x1b[H\x1b[J",
            Linux | Tmux if keep => "\x1b[H\x1b[J",
            Linux | Tmux => "\x1b[H\x1b[J\x1b[3J",
            _ if keep => "\x1b[H\x1b[2J",
            _ => "\x1b[H\x1b[2J\x1b[3J",
        }),
        "civis" | "vi" => not(&[Vt100], if kind == Linux { "\x1b[?25l\x1b[?1c" } else { "\x1b[?25l" }),
        "cnorm" | "ve" => not(
            &[Vt100],
            match kind {
                Linux => "\x1b[?25h\x1b[?0c",
                Screen | Tmux => "\x1b[34h\x1b[?25h",
                _ => "\x1b[?12l\x1b[?25h",
            },
        ),
        "cvvis" => not(&[Vt100], "\x1b[?12;25h"),
        "smcup" | "ti" => not(&[Vt100, Linux], if kind == Xterm { "\x1b[?1049h\x1b[22;0;0t" } else { "\x1b[?1049h" }),
        "rmcup" | "te" => not(&[Vt100, Linux], if kind == Xterm { "\x1b[?1049l\x1b[23;0;0t" } else { "\x1b[?1049l" }),
        "cup" | "cm" => all(&format!("\x1b[{};{}H", n(0) + 1, n(1) + 1)),
        "hpa" => not(&[Vt100], &format!("\x1b[{}G", n(0) + 1)),
        "vpa" => not(&[Vt100], &format!("\x1b[{}d", n(0) + 1)),
        "csr" => all(&format!("\x1b[{};{}r", n(0) + 1, n(1) + 1)),
        "ech" => not(&[Vt100, Screen, Tmux], &format!("\x1b[{}X", n(0))),
        "cuu" | "cud" | "cuf" | "cub" => all(&format!(
            "\x1b[{}{}",
            n(0),
            match name {
                "cuu" => 'A',
                "cud" => 'B',
                "cuf" => 'C',
                _ => 'D',
            }
        )),
        "cuu1" | "up" => all(if matches!(kind, Screen | Tmux) { "\x1bM" } else { "\x1b[A" }),
        "cud1" | "do" | "ind" => text("\n"),
        "cuf1" | "nd" => all("\x1b[C"),
        "cub1" | "le" => all("\x08"),
        "cr" => text("\r"),
        "bel" | "bl" => text("\x07"),
        "home" | "ho" => all("\x1b[H"),
        "el" | "ce" => all("\x1b[K"),
        "el1" | "cb" => all("\x1b[1K"),
        "ed" | "cd" => all("\x1b[J"),
        "ri" => all("\x1bM"),
        "sc" => all("\x1b7"),
        "rc" => all("\x1b8"),
        "il1" => not(&[Vt100], "\x1b[L"),
        "dl1" => not(&[Vt100], "\x1b[M"),
        "dch1" => not(&[Vt100], "\x1b[P"),
        "smir" => not(&[Vt100], "\x1b[4h"),
        "rmir" => not(&[Vt100], "\x1b[4l"),
        "smkx" => not(&[Linux], "\x1b[?1h\x1b="),
        "rmkx" => not(&[Linux], "\x1b[?1l\x1b>"),
        "flash" => not(&[Vt100], if matches!(kind, Screen | Tmux) { "\x1bg" } else { "\x1b[?5h\x1b[?5l" }),
        "longname" => text(match kind {
            Dumb => "80-column dumb tty",
            Vt100 => "DEC VT100 (w/advanced video)",
            Linux => "Linux console",
            Screen => "VT 100/ANSI X3.64 virtual terminal",
            Tmux => "tmux terminal multiplexer",
            Xterm => "xterm terminal emulator (X Window System)",
        }),
        "init" => Some(Cap::Text(String::new())),
        "reset" if kind == Dumb || !sys::is_terminal(1) && !sys::is_terminal(2) => Some(Cap::Text(String::new())),
        "reset" => text("\x1bc"),
        _ => None,
    }
}

/// Several modes at once: standout, underline, reverse, blink, dim, bold.
fn modes(numbers: &[i64]) -> String {
    let mut codes = String::from("0");
    for (at, code) in [(5, 1), (1, 4), (0, 7), (2, 7), (3, 5), (4, 2), (6, 8)] {
        if numbers.get(at).is_some_and(|on| *on != 0) && !codes.ends_with(&format!(";{code}")) {
            codes += &format!(";{code}");
        }
    }
    format!("\x1b(B\x1b[{codes}m")
}
