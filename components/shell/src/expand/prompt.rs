//! Prompts: the backslash escapes of `PS1` and `${x@P}`, then expansion as inside double quotes.

use crate::lexer::Mode;
use crate::shell::{Run, Shell};
use crate::sym;
use crate::sys;

/// Levels of `${x@P}` within `${x@P}`: a prompt that expands itself must end.
const MAX_NESTING: u32 = 100;

impl Shell {
    /// Returns a prompt as it is shown.
    pub(crate) fn prompt(&mut self, text: &[u8]) -> Run<Vec<u8>> {
        if self.arithmetic.depth > MAX_NESTING {
            return Ok(text.to_vec());
        }
        let expands = self.opts.shopt("promptvars");
        let decoded = self.decode_prompt(text, expands);
        if !expands {
            return Ok(decoded);
        }
        let Ok(parts) = self.parser(decoded.clone(), self.position.line).parts(Mode::HereDoc) else { return Ok(decoded) };
        let status = self.last.status;
        self.arithmetic.depth += 1;
        let shown = self.expand_quoted(&parts);
        self.arithmetic.depth -= 1;
        self.last.status = status;
        shown
    }

    fn decode_prompt(&mut self, text: &[u8], expands: bool) -> Vec<u8> {
        let now = (sys::now() / 1_000_000_000) as i64;
        let mut out = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let byte = text[at];
            at += 1;
            if byte != b'\\' {
                out.push(byte);
                continue;
            }
            let Some(letter) = text.get(at).copied() else {
                out.push(b'\\');
                break;
            };
            at += 1;
            match letter {
                b'0'..=b'7' => {
                    let digits = text[at - 1..].iter().take(3).take_while(|b| matches!(b, b'0'..=b'7')).count();
                    let value = text[at - 1..at - 1 + digits].iter().fold(0u32, |value, b| value * 8 + u32::from(b - b'0'));
                    out.push(value as u8);
                    at += digits - 1;
                }
                b'a' => out.push(7),
                b'e' => out.push(27),
                b'n' => out.push(b'\n'),
                b'r' => out.push(b'\r'),
                b'[' | b']' => {}
                b'd' => out.extend_from_slice(&self.format_time(b"%a %b %d", now)),
                b't' => out.extend_from_slice(&self.format_time(b"%H:%M:%S", now)),
                b'T' => out.extend_from_slice(&self.format_time(b"%I:%M:%S", now)),
                b'@' => out.extend_from_slice(&self.format_time(b"%I:%M %p", now)),
                b'A' => out.extend_from_slice(&self.format_time(b"%H:%M", now)),
                b'D' if text.get(at) == Some(&b'{') => {
                    let end = text[at..].iter().position(|b| *b == b'}').map_or(text.len(), |end| at + end);
                    let shown = self.format_time(&text[at + 1..end], now);
                    literal(&shown, expands, &mut out);
                    at = (end + 1).min(text.len());
                }
                b'$' if sys::uid() == 0 => out.push(b'#'),
                b'$' => literal(b"$", expands, &mut out),
                b'\\' => literal(b"\\", expands, &mut out),
                other => match self.prompt_fact(other) {
                    Some(fact) => literal(&fact, expands, &mut out),
                    None => out.extend_from_slice(&[b'\\', other]),
                },
            }
        }
        out
    }

    /// Returns the expansion of a letter that names something of the session.
    fn prompt_fact(&mut self, letter: u8) -> Option<Vec<u8>> {
        let base = |path: &[u8]| path.rsplit(|b| *b == b'/').next().unwrap_or_default().to_vec();
        Some(match letter {
            b'h' => sys::hostname().split(|b| *b == b'.').next().unwrap_or_default().to_vec(),
            b'H' => sys::hostname(),
            b'j' => self.jobs.list.iter().filter(|job| !job.hidden).count().to_string().into_bytes(),
            b'l' => b"tty".to_vec(),
            // A script's own name is not the name of the shell.
            b's' if self.invocation.script || self.invocation.from_string => b"bash".to_vec(),
            b's' => base(&self.invocation.arg0.clone()),
            b'u' => self.user_name(),
            b'v' => crate::shell::VERSION.split('.').take(2).collect::<Vec<_>>().join(".").into_bytes(),
            b'V' => crate::shell::VERSION.split('(').next().unwrap_or_default().as_bytes().to_vec(),
            b'!' => self.entry.history.number().to_string().into_bytes(),
            b'#' => self.entry.number.to_string().into_bytes(),
            b'w' | b'W' => {
                let cwd = self.get(sym::PWD).unwrap_or_else(|| self.process.cwd.to_vec());
                let home = self.get(sym::HOME).unwrap_or_default();
                if letter == b'W' {
                    match (cwd == home, &cwd[..]) {
                        (true, _) => b"~".to_vec(),
                        (_, b"/") => b"/".to_vec(),
                        _ => base(&cwd),
                    }
                } else {
                    let shown = self.tilde_path(&cwd);
                    self.trim_dirs(shown)
                }
            }
            _ => return None,
        })
    }

    /// Returns a path, shortened to its last directories if `PROMPT_DIRTRIM` requires it.
    fn trim_dirs(&mut self, path: Vec<u8>) -> Vec<u8> {
        let keep = self.get(sym::intern(b"PROMPT_DIRTRIM")).and_then(|text| crate::vars::parse_int(&text)).unwrap_or(0);
        let (head, rest) = if path.starts_with(b"~/") { path.split_at(2) } else { path.split_at(path.len().min(1)) };
        let parts: Vec<&[u8]> = rest.split(|b| *b == b'/').collect();
        if keep < 1 || parts.len() as i64 <= keep {
            return path;
        }
        let tail = parts[parts.len() - keep as usize..].join(&b'/');
        [if head == b"~/" { head } else { b"" }, b".../", &tail].concat()
    }

    /// Returns the user's name, from the list of users.
    pub(crate) fn user_name(&mut self) -> Vec<u8> {
        let uid = sys::uid().to_string();
        let found = self.passwd().into_iter().find(|fields| fields.get(2).is_some_and(|field| field == uid.as_bytes()));
        match found {
            Some(fields) => fields[0].clone(),
            None => b"user".to_vec(),
        }
    }
}

/// Adds text that is taken literally when it is expanded afterwards.
fn literal(text: &[u8], expands: bool, out: &mut Vec<u8>) {
    for byte in text {
        if expands && matches!(byte, b'$' | b'`' | b'\\') {
            out.push(b'\\');
        }
        out.push(*byte);
    }
}
