//! `select`.

use super::loops::Turn;
use crate::ast::{List, Word};
use crate::pattern::char_count;
use crate::shell::{Run, Shell};
use crate::sym::{self, Sym};

/// Writes blanks from column `from` to column `to`, tabs where they fit.
fn indent(mut from: usize, to: usize, out: &mut Vec<u8>) {
    while from < to {
        let next = (from / 8 + 1) * 8;
        if next <= to {
            out.push(b'\t');
            from = next;
        } else {
            out.push(b' ');
            from += 1;
        }
    }
}

impl Shell {
    /// Returns the numbered words, in as many columns as fit, each read downwards.
    fn menu(&mut self, values: &[Vec<u8>]) -> Vec<u8> {
        let width = self.get(sym::COLUMNS).and_then(|text| crate::vars::parse_int(&text)).filter(|width| *width > 0).unwrap_or(80) as usize;
        let digits = values.len().to_string().len();
        let cell = values.iter().map(|value| char_count(value)).max().unwrap_or(0) + digits + 4;
        let mut rows = values.len().div_ceil((width / cell).max(1));
        if rows == 1 {
            // They would fit into one line: print one column instead.
            rows = values.len();
        }
        let mut menu = Vec::new();
        for row in 0..rows {
            let mut column = 0;
            for at in (row..values.len()).step_by(rows) {
                let digits = if column == 0 { rows.to_string().len() } else { digits };
                menu.extend_from_slice(format!("{:>digits$}) ", at + 1).as_bytes());
                menu.extend_from_slice(&values[at]);
                if at + rows < values.len() {
                    indent(column + digits + 2 + char_count(&values[at]), column + cell, &mut menu);
                    column += cell;
                }
            }
            menu.push(b'\n');
        }
        menu
    }

    /// Runs `select name in words; do body; done`
    pub(super) fn exec_select(&mut self, name: Sym, words: Option<&[Word]>, body: &List) -> Run {
        if let Some(status) = self.bad_loop_name(name) {
            return status;
        }
        let values = match words {
            Some(words) => self.expand_words(words)?,
            None => self.calls.params.to_vec(),
        };
        if values.is_empty() {
            return Ok(0);
        }
        let head = || {
            let list = words.map_or_else(Vec::new, |words| {
                let words: Vec<&[u8]> = words.iter().map(|word| &word.raw[..]).collect();
                [b" in ", &words.join(&b' ')[..]].concat()
            });
            [b"select ", &name.name()[..], &list].concat()
        };
        let line = self.position.line;
        if !self.debug(line, head)? {
            return Ok(0);
        }
        let menu = self.menu(&values);
        if self.opts.has(b'x') {
            let list = words.map_or_else(|| b"\"$@\"".to_vec(), |words| words.iter().map(|w| &w.raw[..]).collect::<Vec<_>>().join(&b' '));
            self.trace(&[b"select ", &name.name()[..], b" in ", &list].concat())?;
        }
        self.looping(|shell| {
            let mut status = 0;
            let mut show = true;
            loop {
                if show {
                    shell.warn_raw(&menu);
                }
                show = false;
                let prompt = shell.get(sym::PS3).unwrap_or_else(|| b"#? ".to_vec());
                shell.warn_raw(&prompt);
                let (line, ended) = shell.read_line(0, b'\n');
                if ended && line.is_empty() {
                    shell.print("select", b"\n")?;
                    return Ok(1);
                }
                shell.set(sym::REPLY, line.clone())?;
                if line.is_empty() {
                    show = true;
                    continue;
                }
                let chosen = std::str::from_utf8(&line).ok().and_then(|text| text.trim().parse::<usize>().ok());
                let value = chosen.and_then(|n| n.checked_sub(1)).and_then(|n| values.get(n)).cloned().unwrap_or_default();
                shell.set(name, value)?;
                if let Turn::Leave = shell.turn(body, &mut status)? {
                    return Ok(status);
                }
            }
        })
    }
}
