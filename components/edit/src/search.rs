//! The incremental search of the history: Ctrl-R.

use crate::editor::{Editor, Step};
use crate::text::Text;
use wisp_tool::keys::Key;

/// A search that goes on.
#[derive(Debug)]
pub(crate) struct Search {
    query: Vec<char>,
    /// The place in the history of the line that is shown, and whether it has the query.
    place: usize,
    failed: bool,
    /// The line before the search.
    original: Text,
    original_place: usize,
}

impl Editor {
    pub(crate) fn begin_search(&mut self) {
        let original = self.text.clone();
        self.search = Some(Search { query: Vec::new(), place: self.place, failed: false, original, original_place: self.place });
        self.draw();
    }

    /// Returns the prompt of a search.
    pub(crate) fn search_prompt(search: &Search) -> String {
        let query: String = search.query.iter().collect();
        format!("({}reverse-i-search)`{query}': ", if search.failed { "failed " } else { "" })
    }

    /// Handles a key during a search; `None` if it ends the search and has its usual effect.
    pub(crate) fn search_key(&mut self, key: Key) -> Option<Step> {
        let mut search = self.search.take()?;
        match key {
            Key::Char(c) => {
                search.query.push(c);
                let from = search.place + 1;
                self.find(search, from);
            }
            Key::Backspace => {
                search.query.pop();
                let from = self.history.len();
                search.failed = false;
                if search.query.is_empty() {
                    search.place = from;
                }
                self.find(search, from);
            }
            Key::Control(b'R') => {
                let from = search.place;
                self.find(search, from);
            }
            Key::Control(b'G') => {
                (self.text, self.place) = (search.original, search.original_place);
                self.draw();
            }
            _ => {
                self.draw();
                return None;
            }
        }
        Some(Step::Continue)
    }

    /// Shows the newest line before `from` in the history that has the query.
    fn find(&mut self, mut search: Search, from: usize) {
        let query: String = search.query.iter().collect();
        let lines = &self.history[..from.min(self.history.len())];
        let found = lines.iter().rposition(|line| {
            let line = String::from_utf8_lossy(line);
            !query.is_empty() && line.contains(&query)
        });
        match found {
            Some(place) => {
                let mut text = Text::new(&self.history[place]);
                let line = String::from_utf8_lossy(&self.history[place]).into_owned();
                text.at = line.rfind(&query).map_or(text.chars.len(), |byte| line[..byte].chars().count());
                (self.text, self.place, search.place, search.failed) = (text, place, place, false);
            }
            None => search.failed = !query.is_empty(),
        }
        if search.failed {
            self.ring();
        }
        self.search = Some(search);
        self.draw();
    }
}
