//! What completion offers, and how it is put into the line.

use crate::editor::Editor;
use crate::screen::Screen;
use unicode_width::UnicodeWidthStr;

/// Maximum candidates that are shown: a directory may have 100,000.
const MAX_SHOWN: usize = 300;

/// One way to complete a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// What replaces the word, as it is written in the line.
    pub insert: String,
    /// What is added if it is the only one: a blank, a slash, a quote.
    pub after: String,
    /// How it is shown in a list.
    pub shown: String,
}

/// The candidates for the word before the cursor.
#[derive(Debug, Clone, Default)]
pub struct Completion {
    /// The character at which the word begins.
    pub start: usize,
    /// The candidates, in the order in which they are shown.
    pub candidates: Vec<Candidate>,
}

impl Editor {
    /// Puts the candidates into the line, as far as they are equal; shows them if that changes nothing and Tab was pressed
    /// before.
    pub(crate) fn offer(&mut self, mut found: Completion) {
        found.candidates.dedup();
        let Some(first) = found.candidates.first() else {
            self.ring();
            return;
        };
        let only = found.candidates.len() == 1;
        let shared = found.candidates.iter().fold(first.insert.clone(), |shared, next| common(&shared, &next.insert));
        let whole = if only { shared + &first.after } else { without_half_escape(shared) };
        let start = found.start.min(self.text.at);
        let before: String = self.text.chars[start..self.text.at].iter().collect();
        if whole != before && (only || whole.chars().count() >= before.chars().count()) {
            self.text.remember();
            self.text.remove(start, self.text.at);
            self.text.insert(&whole.chars().collect::<Vec<_>>());
            self.draw();
            return;
        }
        if only {
            return;
        }
        if !self.tabbed {
            self.tabbed = true;
            self.ring();
            return;
        }
        self.list(&found.candidates);
    }

    /// Shows the candidates below the line, and the line again.
    fn list(&mut self, candidates: &[Candidate]) {
        self.leave();
        let lines = table(&self.screen, candidates);
        self.out.extend_from_slice(lines.as_bytes());
        self.draw();
    }
}

/// Returns the candidates in columns, sorted downwards.
fn table(screen: &Screen, candidates: &[Candidate]) -> String {
    let names: Vec<String> = candidates.iter().take(MAX_SHOWN).map(|candidate| printable(&candidate.shown)).collect();
    let widest = names.iter().map(|name| name.width()).max().unwrap_or(0) + 2;
    let across = (screen.columns() / widest).max(1);
    let down = names.len().div_ceil(across);
    let mut text = String::new();
    for row in 0..down {
        let mut line = String::new();
        let mut end = 0;
        for (column, name) in names.iter().skip(row).step_by(down).enumerate() {
            line.extend(std::iter::repeat_n(' ', (column * widest).saturating_sub(end)));
            line.push_str(name);
            end = column * widest + name.width();
        }
        text += &line;
        text.push('\n');
    }
    if candidates.len() > names.len() {
        text += &format!("and {} more\n", candidates.len() - names.len());
    }
    text
}

/// Returns a name without characters that would move the cursor.
fn printable(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

/// Returns the beginning that both have.
fn common(one: &str, other: &str) -> String {
    one.chars().zip(other.chars()).take_while(|(one, other)| one == other).map(|(c, _)| c).collect()
}

/// Returns the text without a backslash at its end that escapes nothing.
fn without_half_escape(mut text: String) -> String {
    let backslashes = text.len() - text.trim_end_matches('\\').len();
    if backslashes % 2 == 1 {
        text.pop();
    }
    text
}
