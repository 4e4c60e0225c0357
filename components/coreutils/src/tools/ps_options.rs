//! The command line of `ps`: options with one dash, as in POSIX; without, as in BSD; and with two, as GNU has them.

use super::ps_columns::{Column, column};
use crate::{names, sys};
use std::collections::VecDeque;

/// How a tree of processes is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tree {
    /// By lines.
    Lines,
    /// By blanks.
    Blanks,
}

/// What a command line asks for.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// The letters of POSIX's options without a value.
    posix: String,
    /// The letters of BSD's options without a value.
    bsd: String,
    /// Whether an option decides by a list which processes are meant.
    pub(crate) has_list: bool,
    pub(crate) pids: Vec<u32>,
    pub(crate) parents: Vec<u32>,
    pub(crate) sessions: Vec<u32>,
    pub(crate) names: Vec<String>,
    pub(crate) terminals: Vec<String>,
    /// Whether a list names the user.
    pub(crate) user: bool,
    pub(crate) all: bool,
    pub(crate) inverse: bool,
    columns: Vec<Column>,
    /// Whether the columns stand between those of a preset (`-O`).
    among: bool,
    /// Keys, and whether their order is downwards.
    pub(crate) sort: Vec<(String, bool)>,
    pub(crate) tree: Option<Tree>,
    pub(crate) headless: bool,
    /// How often `w` was given.
    pub(crate) wide: usize,
}

/// What a list is of.
#[derive(Debug, Clone, Copy)]
enum List {
    Pids,
    Parents,
    Sessions,
    Names,
    Terminals,
    Users,
}

impl Asked {
    /// Reads a command line, without the name of the program.
    pub(crate) fn read(words: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let (mut asked, mut rest) = (Self::default(), words.into_iter().collect::<VecDeque<_>>());
        while let Some(word) = rest.pop_front() {
            if let Some(long) = word.strip_prefix("--") {
                asked.long(long, &mut rest)?;
            } else if let Some(letters) = word.strip_prefix('-') {
                // What many write for BSD's `aux`.
                let bsd = letters.starts_with("au") && letters.chars().all(|letter| "auxwfh".contains(letter));
                if bsd { asked.bsd(letters, &mut rest)? } else { asked.posix(letters, &mut rest)? }
            } else {
                asked.bsd(&word, &mut rest)?;
            }
        }
        Ok(asked)
    }

    fn posix(&mut self, letters: &str, rest: &mut VecDeque<String>) -> Result<(), String> {
        for (at, letter) in letters.char_indices() {
            let tail = &letters[at + letter.len_utf8()..];
            match letter {
                'A' | 'e' => self.all = true,
                'N' => self.inverse = true,
                'w' => self.wide += 1,
                'H' => self.tree = Some(Tree::Blanks),
                'a' | 'd' | 'f' | 'F' | 'l' | 'j' | 'y' | 'L' | 'T' => self.posix.push(letter),
                'c' | 'm' | 'M' | 'Z' | 'P' | 'V' => {}
                'o' | 'O' | 'p' | 'q' | 'C' | 'u' | 'U' | 'g' | 'G' | 's' | 't' | 'k' => {
                    let value = value(tail, rest, letter)?;
                    return match letter {
                        'o' => self.format(&value),
                        'O' => self.format_among(&value),
                        'p' | 'q' => self.list(List::Pids, &value),
                        'C' => self.list(List::Names, &value),
                        'u' | 'U' | 'G' => self.list(List::Users, &value),
                        'g' | 's' => self.list(List::Sessions, &value),
                        't' => self.list(List::Terminals, &value),
                        _ => self.order(&value),
                    };
                }
                _ => return Err("unsupported SysV option".to_owned()),
            }
        }
        Ok(())
    }

    fn bsd(&mut self, letters: &str, rest: &mut VecDeque<String>) -> Result<(), String> {
        if letters.starts_with(|c: char| c.is_ascii_digit()) {
            self.bsd.push('p');
            return self.list(List::Pids, letters);
        }
        for (at, letter) in letters.char_indices() {
            let tail = &letters[at + letter.len_utf8()..];
            self.bsd.push(letter);
            match letter {
                'a' | 'x' | 'g' | 'u' | 'l' | 'j' | 'v' | 'r' | 'c' | 'e' | 'm' | 'n' | 'S' | 'X' | 'L' | 'T' => {}
                'f' => self.tree = Some(Tree::Lines),
                'w' => self.wide += 1,
                'h' => self.headless = true,
                'o' | 'O' | 'p' | 'q' | 't' | 'U' | 'k' => {
                    let value = value(tail, rest, letter)?;
                    return match letter {
                        'o' => self.format(&value),
                        'O' => self.format_among(&value),
                        'p' | 'q' => self.list(List::Pids, &value),
                        't' => self.list(List::Terminals, &value),
                        'U' => self.list(List::Users, &value),
                        _ => self.order(&value),
                    };
                }
                _ => return Err("unsupported option (BSD syntax)".to_owned()),
            }
        }
        Ok(())
    }

    fn long(&mut self, word: &str, rest: &mut VecDeque<String>) -> Result<(), String> {
        let (name, given) = word.split_once('=').map_or((word, None), |(name, given)| (name, Some(given.to_owned())));
        match name {
            "no-headers" | "no-heading" | "noheaders" | "noheading" => self.headless = true,
            "headers" | "heading" | "cumulative" | "info" => {}
            "forest" => self.tree = Some(Tree::Lines),
            "deselect" => self.inverse = true,
            "width" | "cols" | "columns" | "rows" | "lines" => {
                given.or_else(|| rest.pop_front()).ok_or_else(|| format!("value must follow --{name}"))?;
            }
            "format" | "sort" | "pid" | "quick-pid" | "ppid" | "group" | "Group" | "user" | "User" | "sid" | "tty" => {
                let value = given.or_else(|| rest.pop_front()).ok_or_else(|| format!("value must follow --{name}"))?;
                return match name {
                    "format" => self.format(&value),
                    "sort" => self.order(&value),
                    "pid" | "quick-pid" => self.list(List::Pids, &value),
                    "ppid" => self.list(List::Parents, &value),
                    "sid" => self.list(List::Sessions, &value),
                    "tty" => self.list(List::Terminals, &value),
                    _ => self.list(List::Users, &value),
                };
            }
            _ => return Err("unknown gnu long option".to_owned()),
        }
        Ok(())
    }

    /// Adds to a list that decides which processes are meant.
    fn list(&mut self, of: List, text: &str) -> Result<(), String> {
        self.has_list = true;
        for word in text.split([',', ' ', '\t', '\n']).filter(|word| !word.is_empty()) {
            let number = |what: &str| word.parse::<u32>().map_err(|_| format!("{what} syntax error"));
            match of {
                List::Pids => self.pids.push(number("process ID list")?),
                List::Parents => self.parents.push(number("process ID list")?),
                List::Sessions => self.sessions.push(number("session list")?),
                List::Names => self.names.push(word.chars().take(15).collect()),
                List::Terminals => self.terminals.push(word.strip_prefix("/dev/").unwrap_or(word).to_owned()),
                List::Users => {
                    let id = names::users().id(word).or_else(|| word.parse().ok()).ok_or("user name does not exist")?;
                    self.user |= id == sys::uid();
                }
            }
        }
        Ok(())
    }

    /// Adds the columns of `-o`: `pid,comm`, `pid=,comm=`, `pid=ID`, `comm:20`.
    fn format(&mut self, text: &str) -> Result<(), String> {
        for part in text.split(',') {
            let (names, title) = part.split_once('=').map_or((part, None), |(names, title)| (names, Some(title)));
            let names: Vec<&str> = names.split_whitespace().collect();
            for (at, word) in names.iter().enumerate() {
                let (name, width) = word.split_once(':').map_or((*word, None), |(name, width)| (name, Some(width)));
                let unknown = || format!("unknown user-defined format specifier \"{name}\"");
                let mut column = column(name).ok_or_else(unknown)?;
                if let Some(title) = title.filter(|_| at + 1 == names.len()) {
                    title.clone_into(&mut column.title);
                }
                if let Some(width) = width {
                    column.width = width.parse::<usize>().ok().filter(|width| (1..=4096).contains(width)).ok_or_else(unknown)?;
                }
                column.width = column.width.max(column.title.chars().count());
                self.columns.push(column);
            }
        }
        if self.columns.is_empty() { Err("improper format list".to_owned()) } else { Ok(()) }
    }

    fn format_among(&mut self, text: &str) -> Result<(), String> {
        self.among = true;
        self.format(text)
    }

    /// Adds the keys of `--sort`: `-rss,+pid`.
    fn order(&mut self, text: &str) -> Result<(), String> {
        for word in text.split([',', ' ']).filter(|word| !word.is_empty()) {
            let key = word.strip_prefix(['-', '+']).unwrap_or(word);
            column(key).ok_or("unknown sort specifier")?;
            self.sort.push((key.to_owned(), word.starts_with('-')));
        }
        Ok(())
    }

    /// Returns whether this letter of POSIX's options was given.
    pub(crate) fn posix_has(&self, letter: char) -> bool {
        self.posix.contains(letter)
    }

    /// Returns whether this letter of BSD's options was given.
    pub(crate) fn bsd_has(&self, letter: char) -> bool {
        self.bsd.contains(letter)
    }

    /// Returns the columns: those that were asked for, or those of a preset.
    pub(crate) fn columns(&self) -> Vec<Column> {
        let preset = |text: &str| text.split(' ').filter_map(preset_column).collect::<Vec<_>>();
        if self.among {
            return [preset("pid"), self.columns.clone(), preset("s tname time args")].concat();
        }
        if !self.columns.is_empty() {
            return self.columns.clone();
        }
        let posix = |letter| self.posix_has(letter);
        let presets = [
            (self.bsd_has('u'), "user pid %cpu %mem vsz rss tname stat start_time bsdtime args"),
            (self.bsd_has('l'), "f uid pid ppid priority ni vsz rss wchan stat tname bsdtime args"),
            (self.bsd_has('j'), "ppid pid pgid sid tname tpgid stat uid bsdtime args"),
            (self.bsd_has('v'), "pid tname stat bsdtime maj_flt trs drs rss %mem args"),
            (posix('F'), "uid_hack pid ppid c sz rss psr stime tname time cmd"),
            (posix('f') && posix('l'), "f s uid_hack pid ppid c opri ni addr sz wchan stime tname time cmd"),
            (posix('f') && posix('j'), "uid_hack pid ppid pgid sid c stime tname time cmd"),
            (posix('f') && posix('L'), "uid_hack pid ppid lwp c nlwp stime tname time cmd"),
            (posix('f'), "uid_hack pid ppid c stime tname time cmd"),
            (posix('l') && posix('y'), "s uid pid ppid c opri ni rss sz wchan tname time ucmd"),
            (posix('l'), "f s uid pid ppid c opri ni addr sz wchan tname time ucmd"),
            (posix('j'), "pid pgid sid tname time ucmd"),
            (posix('L'), "pid lwp tname time ucmd"),
            (posix('T'), "pid spid tname time ucmd"),
            (!self.bsd.is_empty(), "pid tname stat bsdtime args"),
        ];
        preset(presets.into_iter().find_map(|(asked, names)| asked.then_some(names)).unwrap_or("pid tname time ucmd"))
    }
}

/// Returns a column of a preset.
fn preset_column(name: &str) -> Option<Column> {
    let found = column(name)?;
    // It has no values; its title takes room of the next column.
    Some(if name == "addr" { Column { width: 1, right: false, ..found } } else { found })
}

/// Returns the value of an option: the rest of its word, or the next.
fn value(tail: &str, rest: &mut VecDeque<String>, letter: char) -> Result<String, String> {
    if !tail.is_empty() {
        return Ok(tail.to_owned());
    }
    let what = match letter {
        'o' | 'O' => "format specification",
        'p' | 'q' => "list of process IDs",
        'C' => "list of command names",
        't' => "list of terminals",
        'k' => "sort specification",
        _ => "list of users or groups",
    };
    rest.pop_front().ok_or_else(|| format!("{what} must follow -{letter}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Asked, String> {
        Asked::read(line.split(' ').map(str::to_owned))
    }

    fn columns(line: &str) -> String {
        read(line).unwrap().columns().iter().map(|column| column.key).collect::<Vec<_>>().join(" ")
    }

    fn titles(line: &str) -> Vec<(String, usize)> {
        read(line).unwrap().columns().into_iter().map(|column| (column.title, column.width)).collect()
    }

    #[test]
    fn three_ways_to_write_options_mix() {
        for line in ["aux", "-aux", "au x", "auxww"] {
            assert_eq!(columns(line), "user pid %cpu %mem vsz rss tname stat start_time bsdtime args", "{line}");
        }
        assert_eq!(columns("-ef"), "uid_hack pid ppid c stime tname time cmd");
        assert_eq!(
            (columns("-eo pid,ppid,cmd"), columns("axo pid,comm"), columns("-A -opid")),
            ("pid ppid cmd".into(), "pid comm".into(), "pid".into())
        );
        assert_eq!(
            (columns("12"), columns("-p 12"), columns("-O rss")),
            ("pid tname stat bsdtime args".into(), "pid tname time ucmd".into(), "pid rss s tname time args".into())
        );
        let asked = read("-p 1,2 --ppid=3 -q 4 -C sleep --sort=-rss,+pid --no-headers").unwrap();
        assert_eq!((asked.pids, asked.parents, asked.names), (vec![1, 2, 4], vec![3], vec!["sleep".to_owned()]));
        assert_eq!(asked.sort, [("rss".to_owned(), true), ("pid".to_owned(), false)]);
        assert!(asked.headless && asked.has_list && !asked.all);
    }

    #[test]
    fn columns_have_titles_and_widths() {
        assert_eq!(titles("-o pid=,comm="), [(String::new(), 5), (String::new(), 15)]);
        assert_eq!(titles("-o pid=X,comm:20,user=Owner"), [("X".to_owned(), 5), ("COMMAND".to_owned(), 20), ("Owner".to_owned(), 8)]);
    }

    #[test]
    fn mistakes_have_the_messages_of_procps() {
        for (line, message) in [
            ("-o bogus", "unknown user-defined format specifier \"bogus\""),
            ("--nosuch", "unknown gnu long option"),
            ("-p abc", "process ID list syntax error"),
            ("aux --sort=-bogus", "unknown sort specifier"),
            ("-u nosuchuser", "user name does not exist"),
            ("-o", "format specification must follow -o"),
            ("zzz", "unsupported option (BSD syntax)"),
        ] {
            assert_eq!(read(line).err().as_deref(), Some(message), "{line}");
        }
    }
}
