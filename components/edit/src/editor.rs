//! What each key does to the line. The editor has no terminal: it takes bytes that were typed, and collects bytes to show.

use crate::screen::Screen;
use crate::search::Search;
use crate::text::Text;
use std::collections::BTreeMap;
use std::rc::Rc;
use wisp_tool::keys::{Key, Keys};

/// Maximum characters of a line: what is typed beyond them is refused.
const MAX_LINE: usize = 1 << 20;

/// What follows a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// More keys.
    Continue,
    /// The line is complete.
    Done,
    /// Ctrl-D on an empty line.
    End,
    /// Tab: the caller finds the candidates and calls [`Editor::offer`].
    Complete,
}

/// A line that is being edited.
pub(crate) struct Editor {
    /// The last line of the prompt.
    prompt: String,
    pub(crate) screen: Screen,
    pub(crate) text: Text,
    keys: Keys,
    pub(crate) history: Rc<[Vec<u8>]>,
    /// The place in the history of the line that is edited; its length for the new line.
    pub(crate) place: usize,
    /// Lines of the history that were changed, and the new one, while another is edited.
    changed: BTreeMap<usize, Text>,
    killed: Vec<char>,
    /// The last key removed something: the next one that does adds to it.
    killing: bool,
    /// The last key inserted a character: one undo removes both.
    inserting: bool,
    /// The last key was Tab, and changed nothing.
    pub(crate) tabbed: bool,
    /// The next key is inserted as it is: Ctrl-V.
    literal: bool,
    pasting: bool,
    /// How many lines back the last Alt-. looked, and where its word stands.
    last_word: Option<(usize, usize)>,
    pub(crate) search: Option<Search>,
    pub(crate) out: Vec<u8>,
}

impl Editor {
    /// Creates a line that holds `text` after `prompt`, both of which are shown. `killed` is what Ctrl-Y puts in.
    pub(crate) fn new(prompt: &[u8], text: &[u8], columns: usize, history: Rc<[Vec<u8>]>, killed: Vec<char>) -> Self {
        let prompt = String::from_utf8_lossy(prompt).into_owned();
        let begin = prompt.rfind('\n').map_or(0, |at| at + 1);
        let mut editor = Self {
            prompt: prompt[begin..].to_owned(),
            screen: Screen::new(columns),
            text: Text::new(text),
            keys: Keys::default(),
            place: history.len(),
            history,
            changed: BTreeMap::new(),
            killed,
            killing: false,
            inserting: false,
            tabbed: false,
            literal: false,
            pasting: false,
            last_word: None,
            search: None,
            out: prompt.as_bytes()[..begin].to_vec(),
        };
        editor.draw();
        editor
    }

    /// Returns what is to be shown.
    pub(crate) fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }

    /// Returns the line.
    pub(crate) fn line(&self) -> Vec<u8> {
        self.text.bytes()
    }

    /// Returns the number of its characters.
    pub(crate) fn len(&self) -> usize {
        self.text.chars.len()
    }

    /// Returns the line up to the cursor.
    pub(crate) fn before(&self) -> Vec<u8> {
        self.text.before()
    }

    /// Returns what Ctrl-Y puts in.
    pub(crate) fn killed(self) -> Vec<char> {
        self.killed
    }

    /// Notes that the terminal has this many columns now.
    pub(crate) fn resize(&mut self, columns: usize) {
        self.screen.resize(columns);
    }

    /// Moves the cursor below the line, and ends a search.
    pub(crate) fn leave(&mut self) {
        if self.search.take().is_some() {
            self.draw();
        }
        self.screen.leave(&self.text.chars, self.text.at, &mut self.out);
    }

    pub(crate) fn draw(&mut self) {
        let searching = self.search.as_ref().map(Self::search_prompt);
        let prompt = searching.as_deref().unwrap_or(&self.prompt);
        self.screen.draw(prompt, &self.text.chars, self.text.at, &mut self.out);
    }

    pub(crate) fn ring(&mut self) {
        self.out.push(0x07);
    }

    /// Takes a byte that was typed.
    pub(crate) fn byte(&mut self, byte: u8) -> Step {
        if std::mem::take(&mut self.literal) && byte < 0x80 {
            self.text.remember();
            self.insert(char::from(byte));
            return Step::Continue;
        }
        match self.keys.push(byte) {
            Some(key) if self.pasting => self.paste(key),
            Some(key) => self.key(key),
            None => Step::Continue,
        }
    }

    /// Handles a key of text that was pasted: it is inserted, whatever it would do otherwise.
    fn paste(&mut self, key: Key) -> Step {
        match key {
            Key::PasteEnd => {
                self.pasting = false;
                self.draw();
            }
            Key::Char(c) if self.has_room() => self.text.insert(&[c]),
            Key::Control(b'M' | b'J') if self.has_room() => self.text.insert(&['\n']),
            Key::Control(b'I') if self.has_room() => self.text.insert(&['\t']),
            _ => {}
        }
        Step::Continue
    }

    fn has_room(&self) -> bool {
        self.text.chars.len() < MAX_LINE
    }

    fn key(&mut self, key: Key) -> Step {
        if self.search.is_some()
            && let Some(step) = self.search_key(key)
        {
            return step;
        }
        let tabbed = self.tabbed && key == Key::Control(b'I');
        let (killing, inserting, last_word) = (self.killing, self.inserting, self.last_word.take());
        (self.killing, self.inserting, self.tabbed) = (false, false, tabbed);
        match key {
            Key::Control(b'M' | b'J') => return Step::Done,
            Key::Control(b'D') if self.text.chars.is_empty() => return Step::End,
            Key::Control(b'I') => return Step::Complete,
            Key::Char(c) => {
                if !inserting {
                    self.text.remember();
                }
                self.inserting = true;
                self.insert(c);
            }
            Key::Alt('.' | '_') => self.insert_last_word(last_word),
            Key::Control(b'K' | b'U' | b'W') | Key::Alt('d' | '\x7f' | '\x08') => self.kill(key, killing),
            Key::Control(b'P' | b'N' | b'R') | Key::Up | Key::Down | Key::Alt('<' | '>') => self.recall(key),
            key => self.edit(key),
        }
        Step::Continue
    }

    fn insert(&mut self, c: char) {
        if !self.has_room() {
            self.ring();
            return;
        }
        let at_end = self.text.at == self.text.chars.len();
        self.text.insert(&[c]);
        if !(at_end && self.search.is_none() && self.screen.append(c, &mut self.out)) {
            self.draw();
        }
    }

    /// Handles keys that move the cursor or change characters.
    fn edit(&mut self, key: Key) {
        let text = &mut self.text;
        let before = (text.chars.len(), text.at);
        match key {
            Key::Left | Key::Control(b'B') => text.at = text.left(),
            Key::Right | Key::Control(b'F') => text.at = text.right(),
            Key::Home | Key::Control(b'A') => text.at = 0,
            Key::End | Key::Control(b'E') => text.at = text.chars.len(),
            Key::WordLeft | Key::Alt('b') => text.at = text.word_left(char::is_alphanumeric),
            Key::WordRight | Key::Alt('f') => text.at = text.word_right(),
            Key::Backspace => {
                text.remember();
                let start = text.left();
                text.remove(start, text.at);
            }
            Key::Delete | Key::Control(b'D') => {
                text.remember();
                let (at, end) = (text.at, text.right());
                text.remove(at, end);
            }
            Key::Control(b'T') if text.at > 0 && text.chars.len() > 1 => {
                text.remember();
                let at = text.at.min(text.chars.len() - 1);
                text.chars.swap(at - 1, at);
                text.at = at + 1;
                self.draw();
                return;
            }
            Key::Control(b'Y') => {
                text.remember();
                text.insert(&self.killed);
            }
            Key::Control(b'_') if text.undo() => {
                self.draw();
                return;
            }
            Key::Control(b'L') => {
                self.screen.clear(&mut self.out);
                self.draw();
                return;
            }
            Key::Control(b'V' | b'Q') => {
                self.literal = true;
                return;
            }
            Key::PasteBegin => {
                text.remember();
                self.pasting = true;
                return;
            }
            Key::Alt('u') => self.change_case(|word| word.iter().flat_map(|c| c.to_uppercase()).collect()),
            Key::Alt('l') => self.change_case(|word| word.iter().flat_map(|c| c.to_lowercase()).collect()),
            Key::Alt('c') => self.change_case(|word| {
                let first = word.iter().position(|c| c.is_alphanumeric());
                word.iter()
                    .enumerate()
                    .flat_map(|(at, c)| if Some(at) == first { c.to_uppercase().collect::<Vec<_>>() } else { c.to_lowercase().collect() })
                    .collect()
            }),
            _ => {}
        }
        if (self.text.chars.len(), self.text.at) == before {
            self.ring();
        } else {
            self.draw();
        }
    }

    /// Changes the word to the right.
    fn change_case(&mut self, change: impl Fn(&[char]) -> Vec<char>) {
        self.text.remember();
        let (at, end) = (self.text.at, self.text.word_right());
        let word = self.text.remove(at, end);
        self.text.insert(&change(&word));
    }

    /// Removes a part of the line, which Ctrl-Y puts in again.
    fn kill(&mut self, key: Key, killing: bool) {
        let text = &mut self.text;
        let (start, end) = match key {
            Key::Control(b'K') => (text.at, text.chars.len()),
            Key::Control(b'U') => (0, text.at),
            Key::Control(b'W') => (text.word_left(|c| !c.is_whitespace()), text.at),
            Key::Alt('d') => (text.at, text.word_right()),
            _ => (text.word_left(char::is_alphanumeric), text.at),
        };
        if start == end {
            self.ring();
            return;
        }
        text.remember();
        let backwards = end == text.at;
        let removed = text.remove(start, end);
        if !killing {
            self.killed.clear();
        }
        let place = if backwards { 0 } else { self.killed.len() };
        self.killed.splice(place..place, removed);
        self.killing = true;
        self.draw();
    }

    /// Handles keys that go to another line of the history.
    fn recall(&mut self, key: Key) {
        let to = match key {
            Key::Control(b'R') => {
                self.begin_search();
                return;
            }
            Key::Control(b'P') | Key::Up => self.place.checked_sub(1),
            Key::Control(b'N') | Key::Down => Some(self.place + 1).filter(|place| *place <= self.history.len()),
            Key::Alt('<') => (self.place > 0).then_some(0),
            _ => (self.place < self.history.len()).then_some(self.history.len()),
        };
        let Some(to) = to else {
            self.ring();
            return;
        };
        let before = std::mem::take(&mut self.text);
        self.changed.insert(self.place, before);
        self.place = to;
        let there = self.history.get(to).map(|line| Text::new(line)).unwrap_or_default();
        self.text = self.changed.remove(&to).unwrap_or(there);
        self.text.at = self.text.chars.len();
        self.draw();
    }

    /// Inserts the last word of the line before, or of one further back if it was pressed already.
    fn insert_last_word(&mut self, before: Option<(usize, usize)>) {
        let (back, start) = before.map_or((1, self.text.at), |(back, start)| (back + 1, start));
        let found = self.history.len().checked_sub(back).map(|place| String::from_utf8_lossy(&self.history[place]).into_owned());
        let Some(line) = found else {
            self.last_word = before;
            self.ring();
            return;
        };
        self.text.remember();
        self.text.remove(start, self.text.at);
        let word: Vec<char> = line.split_whitespace().next_back().unwrap_or_default().chars().collect();
        self.text.insert(&word);
        self.last_word = Some((back, start));
        self.draw();
    }
}
