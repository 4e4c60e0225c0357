//! The options of a builtin, read as getopt(3) reads them: clusters of letters, values attached or in the next word, `--`.

use super::text;
use crate::shell::{Run, Shell};

/// Reads the options of a builtin, one letter after the other.
pub(super) struct Options<'a> {
    args: &'a [Vec<u8>],
    letters: &'static str,
    usage: &'static str,
    /// The word being read, or the first one after the options.
    at: usize,
    /// The byte of that word that comes next; 0 before its dash.
    inside: usize,
    value: &'a [u8],
}

impl<'a> Options<'a> {
    /// Creates a reader of options. `args` begin with the builtin's name. `letters` are the valid options, with a `:` after each that takes
    /// a value; if they include `#`, a negative number is not an option. `usage` is what follows `usage: NAME ` in the message for a wrong
    /// option.
    pub(super) fn new(args: &'a [Vec<u8>], letters: &'static str, usage: &'static str) -> Self {
        Options { args, letters, usage, at: 1, inside: 0, value: b"" }
    }

    /// Returns the next letter; `None` after the last. An unknown letter and a missing value are reported and returned as `?`:
    /// the builtin ends with status 2. `Err` if that ends the script.
    pub(super) fn next(&mut self, shell: &mut Shell) -> Run<Option<u8>> {
        let args = self.args;
        let Some(word) = args.get(self.at) else { return Ok(None) };
        if self.inside == 0 {
            match word[..] {
                [b'-', b'-'] => {
                    self.at += 1;
                    return Ok(None);
                }
                [b'-', digit, ..] if digit.is_ascii_digit() && self.letters.contains('#') => return Ok(None),
                [b'-', _, ..] => self.inside = 1,
                _ => return Ok(None),
            }
        }
        let letter = word[self.inside];
        let attached = &word[self.inside + 1..];
        let known = self.letters.bytes().position(|known| known == letter && !matches!(letter, b':' | b'#'));
        let takes_value = known.is_some_and(|at| self.letters.as_bytes().get(at + 1) == Some(&b':'));
        if attached.is_empty() || takes_value {
            self.at += 1;
            self.inside = 0;
        } else {
            self.inside += 1;
        }
        if known.is_none() {
            return self.wrong(shell, letter, "invalid option");
        }
        if takes_value && !attached.is_empty() {
            self.value = attached;
        } else if takes_value {
            let Some(value) = args.get(self.at) else { return self.wrong(shell, letter, "option requires an argument") };
            self.value = value;
            self.at += 1;
        }
        Ok(Some(letter))
    }

    fn wrong(&self, shell: &mut Shell, letter: u8, what: &str) -> Run<Option<u8>> {
        shell.misuse(&text(&self.args[0]), &format!("-{}: {what}", text(&[letter])), self.usage)?;
        Ok(Some(b'?'))
    }

    /// Returns the value of the letter that came last, if it takes one.
    pub(super) fn value(&self) -> &'a [u8] {
        self.value
    }

    /// Returns the words after the options.
    pub(super) fn rest(&self) -> &'a [Vec<u8>] {
        &self.args[self.at.min(self.args.len())..]
    }
}
