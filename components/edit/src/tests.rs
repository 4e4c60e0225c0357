//! The editor at a small terminal: what keys make of the line, and what a person sees.

use super::*;
use std::rc::Rc;
use unicode_width::UnicodeWidthChar;

/// A terminal of `columns`, as far as the editor uses one.
struct Terminal {
    columns: usize,
    rows: Vec<Vec<char>>,
    at: (usize, usize),
}

impl Terminal {
    fn show(&mut self, bytes: &[u8]) {
        let text = std::str::from_utf8(bytes).expect("the editor shows UTF-8");
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            match c {
                '\r' => self.at.1 = 0,
                // As with ONLCR.
                '\n' => self.at = (self.at.0 + 1, 0),
                '\x07' => {}
                '\x1b' => {
                    let mut sequence = String::new();
                    while !sequence.ends_with(char::is_alphabetic) {
                        sequence.push(chars.next().expect("a whole sequence"));
                    }
                    self.sequence(&sequence);
                }
                c => self.put(c),
            }
        }
    }

    fn sequence(&mut self, sequence: &str) {
        let number = sequence[1..sequence.len() - 1].parse().unwrap_or(1);
        let (row, column) = self.at;
        self.rows.resize_with(self.rows.len().max(row + 1), Vec::new);
        match sequence.chars().next_back() {
            Some('A') => self.at.0 -= number,
            Some('C') => self.at.1 += number,
            Some('H') => self.at = (0, 0),
            Some('K') => self.rows[row].truncate(column),
            Some('J') if sequence == "[2J" => self.rows.clear(),
            Some('J') => {
                self.rows.truncate(row + 1);
                self.rows[row].truncate(column);
            }
            Some('m') => {}
            other => panic!("the editor sent {other:?}"),
        }
    }

    fn put(&mut self, c: char) {
        let width = c.width().expect("a visible character");
        if width == 0 {
            // It is joined to the one before.
            return;
        }
        if self.at.1 + width > self.columns {
            self.at = (self.at.0 + 1, 0);
        }
        let (row, column) = self.at;
        self.rows.resize_with(self.rows.len().max(row + 1), Vec::new);
        let line = &mut self.rows[row];
        line.resize(line.len().max(column + width), ' ');
        line[column] = c;
        for place in &mut line[column + 1..column + width] {
            *place = '\0';
        }
        self.at.1 += width;
    }

    fn text(&self) -> String {
        let lines = self.rows.iter().map(|row| row.iter().filter(|c| **c != '\0').collect::<String>().trim_end().to_owned());
        lines.collect::<Vec<_>>().join("\n").trim_end().to_owned()
    }
}

/// An editor and its terminal.
struct Person {
    editor: Editor,
    terminal: Terminal,
}

impl Person {
    fn new(prompt: &str, columns: usize, history: &[&str]) -> Self {
        let history: Rc<[Vec<u8>]> = history.iter().map(|line| line.as_bytes().to_vec()).collect();
        let editor = Editor::new(prompt.as_bytes(), b"", columns, history, Vec::new());
        let mut person = Self { editor, terminal: Terminal { columns, rows: Vec::new(), at: (0, 0) } };
        person.look();
        person
    }

    fn look(&mut self) {
        let shown = self.editor.take_output();
        self.terminal.show(&shown);
    }

    /// Types keys, the last of which has this effect.
    fn types(&mut self, keys: &str) -> Step {
        let steps: Vec<Step> = keys.bytes().map(|byte| self.editor.byte(byte)).collect();
        self.look();
        let (last, others) = steps.split_last().expect("keys");
        assert!(others.iter().all(|step| *step == Step::Continue), "{keys:?}");
        *last
    }

    fn line(&self) -> String {
        String::from_utf8(self.editor.line()).expect("UTF-8")
    }
}

/// The line that keys make of an empty one.
fn line(keys: &str) -> String {
    let mut person = Person::new("$ ", 80, &["first one", "second two", "third"]);
    person.types(keys);
    assert_eq!(person.terminal.text(), format!("$ {}", person.line()).trim_end(), "{keys:?} is seen as it is");
    person.line()
}

#[test]
fn keys_move_the_cursor_and_change_the_line() {
    for (keys, expected) in [
        ("hello", "hello"),
        ("helo\x1b[Dl", "hello"),
        ("ello\x01h\x05!", "hello!"),
        ("ello\x1b[Hh\x1b[F!", "hello!"),
        ("ello\x1bOHh\x1bOF!", "hello!"),
        ("ello\x1b[1~h\x1b[4~!", "hello!"),
        ("abc\x7f\x7fx", "ax"),
        ("abc\x08", "ab"),
        ("abc\x01\x04", "bc"),
        ("abc\x1b[D\x1b[D\x1b[3~", "ac"),
        ("abc\x02\x02\x06x", "abxc"),
        ("one two three\x1bb\x1bbX", "one Xtwo three"),
        ("one two\x01\x1bfX", "oneX two"),
        ("one two\x1b[1;5DX\x1b[1;5CY", "one XtwoY"),
        ("ab\x14", "ba"),
        ("abc\x02\x14", "acb"),
        ("grün\x7fße", "grüße"),
        ("日本\x1b[Dx", "日x本"),
        ("e\u{301}x\x1b[D\x7f", "x"),
        ("a\x16\x01b", "a\x01b"),
        ("word\x01\x1bu", "WORD"),
        ("WORD x\x01\x1bl", "word x"),
        ("wORD x\x01\x1bc", "Word x"),
        ("ab\x1b[11~\x1b[5~c", "abc"),
        ("ab\x1b\x1b[Dc", "acb"),
    ] {
        if expected != "a\x01b" {
            assert_eq!(line(keys), expected, "{keys:?}");
            continue;
        }
        let mut person = Person::new("$ ", 80, &[]);
        person.types(keys);
        assert_eq!((person.line().as_str(), person.terminal.text().as_str()), (expected, "$ a^Ab"));
    }
}

#[test]
fn what_is_removed_can_be_put_back() {
    for (keys, expected) in [
        ("one two\x17X\x19", "one Xtwo"),
        ("one two three\x17\x17\x19", "one two three"),
        ("one two\x15x\x19", "xone two"),
        ("one two\x01\x0bx\x19", "xone two"),
        ("one two\x1b\x7f", "one "),
        ("one-two\x1b\x7f\x1b\x7f\x19\x19", "one-twoone-two"),
        ("one two\x01\x1bd\x1bd\x19", "one two"),
        ("a/b c/d\x17", "a/b "),
        ("abc\x1f", ""),
        ("abc\x01\x04\x1f", "abc"),
        ("abc\x17\x1f", "abc"),
    ] {
        assert_eq!(line(keys), expected, "{keys:?}");
    }
}

#[test]
fn the_history_is_recalled_and_lines_are_kept_as_they_were_left() {
    for (keys, expected) in [
        ("\x1b[A", "third"),
        ("\x10\x10", "second two"),
        ("new\x1b[A\x1b[B", "new"),
        ("\x1b[A!\x1b[A\x1b[B", "third!"),
        ("\x1b<", "first one"),
        ("new\x1b<\x1b>", "new"),
        ("\x1b[A\x1b[A\x1b[A\x1b[A", "first one"),
        ("\x1b[B", ""),
        ("x \x1b.", "x third"),
        ("x \x1b.\x1b.\x1b.", "x one"),
        ("x \x1b.!\x1b.", "x third!third"),
    ] {
        assert_eq!(line(keys), expected, "{keys:?}");
    }
}

#[test]
fn a_search_finds_older_lines() {
    let mut person = Person::new("$ ", 80, &["make one", "make two", "ls"]);
    person.types("\x12mak");
    assert_eq!((person.terminal.text().as_str(), person.terminal.at.1), ("(reverse-i-search)`mak': make two", 25));
    person.types("\x12");
    assert_eq!(person.terminal.text(), "(reverse-i-search)`mak': make one");
    person.types("\x12");
    assert_eq!(person.terminal.text(), "(failed reverse-i-search)`mak': make one");
    person.types("\x7f\x7f\x7fl");
    assert_eq!(person.terminal.text(), "(reverse-i-search)`l': ls");
    assert_eq!(person.types("\x05 -l\r"), Step::Done);
    assert_eq!((person.line().as_str(), person.terminal.text().as_str()), ("ls -l", "$ ls -l"));
    let mut person = Person::new("$ ", 80, &["make one"]);
    person.types("new\x12one\x07");
    assert_eq!((person.line().as_str(), person.terminal.text().as_str()), ("new", "$ new"));
    assert_eq!(person.types("\x12mak\r"), Step::Done);
    person.editor.leave();
    person.look();
    assert_eq!((person.line().as_str(), person.terminal.text().as_str(), person.terminal.at), ("make one", "$ make one", (1, 0)));
}

#[test]
fn long_lines_wrap_and_are_seen_whole_wherever_the_cursor_is() {
    let mut person = Person::new("\x1b[1;32muser\x1b[0m$ ", 10, &["a line that is longer than the terminal is wide", "x"]);
    for (keys, seen, at) in [
        ("abcd", "user$ abcd", (1, 0)),
        ("efghijklmnop", "user$ abcd\nefghijklmn\nop", (2, 2)),
        ("\x01", "user$ abcd\nefghijklmn\nop", (0, 6)),
        ("XY", "user$ XYab\ncdefghijkl\nmnop", (0, 8)),
        ("\x0b", "user$ XY", (0, 8)),
        ("\x15", "user$", (0, 6)),
        ("日本日本", "user$ 日本\n日本", (1, 4)),
        ("\x15abc日", "user$ abc\n日", (1, 2)),
        ("\x1b[A\x1b[A", "user$ a li\nne that is\n longer th\nan the ter\nminal is w\nide", (5, 3)),
        ("\x1b[B\x1b[B\x15", "user$", (0, 6)),
    ] {
        person.types(keys);
        assert_eq!((person.terminal.text().as_str(), person.terminal.at), (seen, at), "after {keys:?}");
    }
    person.types("abcd\x01");
    person.editor.leave();
    person.look();
    assert_eq!(person.terminal.at, (2, 0), "below the line");
}

#[test]
fn a_prompt_may_have_several_lines_and_the_screen_is_cleared() {
    let mut person = Person::new("top\nuser$ ", 20, &[]);
    person.types("abc\x01x");
    assert_eq!((person.terminal.text().as_str(), person.terminal.at), ("top\nuser$ xabc", (1, 7)));
    person.types("\x0c");
    assert_eq!((person.terminal.text().as_str(), person.terminal.at), ("user$ xabc", (0, 7)));
}

#[test]
fn pasted_text_is_inserted_as_it_is() {
    let mut person = Person::new("$ ", 20, &[]);
    assert_eq!(person.types("\x1b[200~one\r\ttwo\x1b[201~"), Step::Continue);
    assert_eq!((person.line().as_str(), person.terminal.text().as_str()), ("one\n\ttwo", "$ one\n        two"));
    assert_eq!(person.types("\x1f"), Step::Continue);
    assert_eq!((person.line().as_str(), person.terminal.text().as_str()), ("", "$"));
}

#[test]
fn keys_that_end_the_line() {
    assert_eq!(Person::new("$ ", 80, &[]).types("ls\r"), Step::Done);
    assert_eq!(Person::new("$ ", 80, &[]).types("ls\n"), Step::Done);
    assert_eq!(Person::new("$ ", 80, &[]).types("\x04"), Step::End);
    assert_eq!(Person::new("$ ", 80, &[]).types("x\x04"), Step::Continue);
    assert_eq!(Person::new("$ ", 80, &[]).types("x\t"), Step::Complete);
}

fn candidates(start: usize, names: &[(&str, &str)]) -> Completion {
    let one =
        |(name, after): &(&str, &str)| Candidate { insert: (*name).to_owned(), after: (*after).to_owned(), shown: (*name).to_owned() };
    Completion { start, candidates: names.iter().map(one).collect() }
}

#[test]
fn completion_goes_as_far_as_the_candidates_are_equal() {
    let mut person = Person::new("$ ", 20, &[]);
    person.types("cat fi\t");
    person.editor.offer(candidates(4, &[("file\\ one", " "), ("file\\ two", " "), ("file\\#", " ")]));
    assert_eq!(person.line(), "cat file");
    person.types("\t");
    person.editor.offer(candidates(4, &[("file\\ one", " "), ("file\\ two", " ")]));
    assert_eq!(person.line(), "cat file\\ ");
    for shown in ["$ cat file\\", "$ cat file\\\nfile\\ one\nfile\\ two\n$ cat file\\"] {
        person.types("\t");
        person.editor.offer(candidates(4, &[("file\\ one", " "), ("file\\ two", " ")]));
        person.look();
        assert_eq!(person.terminal.text(), shown);
    }
    person.types("t\t");
    person.editor.offer(candidates(4, &[("file\\ two", " ")]));
    assert_eq!(person.line(), "cat file\\ two ");
    person.types("\t");
    person.editor.offer(Completion::default());
    assert_eq!(person.line(), "cat file\\ two ");
}

#[test]
fn candidates_are_shown_in_columns() {
    let mut person = Person::new("$ ", 14, &[]);
    let names = ["aa", "ab", "ac", "ad", "ae"].map(|name| (name, " "));
    person.types("\t");
    person.editor.offer(candidates(0, &names));
    assert_eq!(person.line(), "a", "what all have");
    person.types("\t");
    person.editor.offer(candidates(0, &names));
    person.types("\t");
    person.editor.offer(candidates(0, &names));
    person.look();
    assert_eq!(person.terminal.text(), "$ a\naa  ac  ae\nab  ad\n$ a");
}

/// A terminal that types what it was given, and completes with `done`.
struct Typing<'a> {
    keys: std::slice::Iter<'a, u8>,
    at_the_end: Pressed,
    shown: Vec<u8>,
}

impl crate::Terminal for Typing<'_> {
    fn columns(&self) -> usize {
        80
    }

    fn show(&mut self, bytes: &[u8]) -> bool {
        self.shown.extend_from_slice(bytes);
        true
    }

    fn next(&mut self) -> Pressed {
        self.keys.next().map_or(self.at_the_end, |byte| Pressed::Byte(*byte))
    }

    fn complete(&mut self, before: &[u8]) -> Completion {
        candidates(0, &[(&format!("{}done", String::from_utf8_lossy(before)), " ")])
    }
}

#[test]
fn a_line_is_entered_with_what_it_begins_with() {
    let entered = |keys: &str, at_the_end: Pressed, line: Beginning| {
        let mut typing = Typing { keys: keys.as_bytes().iter(), at_the_end, shown: Vec::new() };
        let entered = enter(&mut typing, line).0;
        (entered, String::from_utf8(typing.shown).expect("UTF-8"))
    };
    let line = |text: &str, most: Option<usize>| Beginning {
        prompt: b"> ".to_vec(),
        text: text.as_bytes().to_vec(),
        most,
        ..Beginning::default()
    };
    let (got, shown) = entered("!\r", Pressed::End, line("text", None));
    assert_eq!(got, Entered::Line(b"text!".to_vec()));
    assert!(shown.starts_with("\x1b[?2004h") && shown.contains("> text") && shown.ends_with("\n\x1b[?2004l"), "{shown:?}");
    assert_eq!(entered("abc", Pressed::End, line("", Some(2))).0, Entered::Line(b"ab".to_vec()));
    assert_eq!(entered("", Pressed::End, line("abc", Some(2))).0, Entered::Line(b"abc".to_vec()));
    assert_eq!(entered("\t\r", Pressed::End, line("un", None)).0, Entered::Line(b"undone ".to_vec()));
    assert_eq!(entered("\x04", Pressed::End, line("", None)).0, Entered::End);
    assert_eq!(entered("ab", Pressed::Stop, line("", None)).0, Entered::Stopped(b"ab".to_vec()));
    assert_eq!(entered("ab", Pressed::End, line("", None)).0, Entered::End);
}
