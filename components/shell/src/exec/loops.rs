//! Loops: `for`, `while` and `until`.

use crate::arith::ArithText;
use crate::ast::{List, Part, Word};
use crate::shell::{Flow, Run, Shell};
use crate::sym::Sym;
use crate::vars::{Attrs, Value};

/// What a loop does after its body.
pub(super) enum Turn {
    Next,
    Leave,
}

impl Shell {
    /// Runs a loop, in which `break` and `continue` are valid.
    pub(super) fn looping(&mut self, run: impl FnOnce(&mut Self) -> Run) -> Run {
        self.calls.loops += 1;
        let result = run(self);
        self.calls.loops -= 1;
        let status = result?;
        self.last.status = status;
        Ok(status)
    }

    /// Runs a loop's body once.
    pub(super) fn turn(&mut self, body: &List, status: &mut i32) -> Run<Turn> {
        match self.exec_list(body) {
            Ok(result) => {
                *status = result;
                Ok(Turn::Next)
            }
            Err(flow) => {
                *status = if matches!(flow, Flow::Break(_) | Flow::Continue(_)) { self.last.status } else { 0 };
                self.caught(flow)
            }
        }
    }

    /// Returns what `break` and `continue` mean to this loop.
    fn caught(&mut self, flow: Flow) -> Run<Turn> {
        match flow {
            Flow::Break(1) => Ok(Turn::Leave),
            Flow::Break(levels) if self.calls.loops > 1 => Err(Flow::Break(levels - 1)),
            Flow::Break(_) => Ok(Turn::Leave),
            Flow::Continue(1) => {
                // No pipeline has completed, after which signals would be handled.
                self.hear()?;
                Ok(Turn::Next)
            }
            Flow::Continue(levels) if self.calls.loops > 1 => Err(Flow::Continue(levels - 1)),
            Flow::Continue(_) => Ok(Turn::Next),
            other => Err(other),
        }
    }

    /// Reports a loop's variable that is not a valid name; returns what the loop then returns. In POSIX mode the script ends.
    pub(super) fn bad_loop_name(&mut self, name: Sym) -> Option<Run> {
        let text = name.name();
        if crate::sym::is_name(&text) {
            return None;
        }
        self.error([b"`", &text[..], b"': not a valid identifier"].concat());
        Some(if self.opts.long("posix") == Some(true) { Err(Flow::Exit(2)) } else { Ok(1) })
    }

    /// Runs `for name in words; do body; done`
    pub(super) fn exec_for(&mut self, name: Sym, words: Option<&[Word]>, body: &List) -> Run {
        if let Some(status) = self.bad_loop_name(name) {
            return status;
        }
        let values = match words {
            Some(words) => self.expand_words(words)?,
            None => self.calls.params.to_vec(),
        };
        let line = self.position.line;
        self.looping(|shell| {
            let mut status = 0;
            for value in values {
                let head = || {
                    let list = words.map_or_else(Vec::new, |words| {
                        let words: Vec<&[u8]> = words.iter().map(|word| &word.raw[..]).collect();
                        [b" in ", &words.join(&b' ')[..]].concat()
                    });
                    [b"for ", &name.name()[..], &list].concat()
                };
                if !shell.debug(line, head)? {
                    continue;
                }
                if shell.opts.has(b'x') {
                    shell.position.line = line;
                    let list =
                        words.map_or_else(|| b"\"$@\"".to_vec(), |words| words.iter().map(|w| &w.raw[..]).collect::<Vec<_>>().join(&b' '));
                    let shown = [b"for ", &name.name()[..], b" in ", &list].concat();
                    shell.trace(&shown)?;
                }
                match shell.set_loop_variable(name, value) {
                    Err(Flow::Discard(failed)) if !shell.is_strict() => {
                        status = failed;
                        break;
                    }
                    other => other?,
                }
                if let Turn::Leave = shell.turn(body, &mut status)? {
                    break;
                }
            }
            Ok(status)
        })
    }

    /// Gives the variable of `for` its next value; a name reference refers to what the value names.
    fn set_loop_variable(&mut self, name: Sym, value: Vec<u8>) -> Run<()> {
        let attrs = self.vars.get(name).map_or(Attrs::default(), |var| var.attrs);
        if !attrs.has(Attrs::NAMEREF) {
            return self.set(name, value);
        }
        if attrs.has(Attrs::READONLY) {
            return Ok(());
        }
        if !crate::builtins::is_reference(&value) {
            self.error(format!("`{}': invalid variable name for name reference", String::from_utf8_lossy(&value)));
            return Err(Flow::Discard(1));
        }
        self.vars.make(name).value = Value::Str(value);
        Ok(())
    }

    /// Runs `for ((first; condition; step)); do body; done`
    pub(super) fn exec_for_arith(&mut self, line: u32, sections: &[Option<ArithText>; 3], body: &List) -> Run {
        // A missing part is 1, for `set -x` and `DEBUG` too.
        let one = ArithText::new(Word { raw: b"1"[..].into(), parts: vec![Part::Lit(b"1"[..].into())], brace: false });
        let [first, condition, step] = sections.each_ref().map(|section| section.as_ref().unwrap_or(&one));
        self.at(line);
        self.looping(|shell| {
            let mut status = 0;
            if shell.arith_command(first, true)?.is_none() {
                return Ok(1);
            }
            loop {
                shell.at(line);
                match shell.arith_command(condition, true)? {
                    Some(0) => return Ok(status),
                    None => return Ok(1),
                    _ => {}
                }
                if let Turn::Leave = shell.turn(body, &mut status)? {
                    return Ok(status);
                }
                shell.at(line);
                if shell.arith_command(step, true)?.is_none() {
                    return Ok(1);
                }
            }
        })
    }

    /// Runs `while condition; do body; done`, or `until`.
    pub(super) fn exec_while(&mut self, until: bool, condition: &List, body: &List) -> Run {
        self.looping(|shell| {
            let mut status = 0;
            loop {
                let met = match shell.guarded(|shell| shell.exec_list(condition)) {
                    Ok(status) => (status == 0) != until,
                    Err(flow) => match shell.caught(flow)? {
                        Turn::Next if until => return Ok(status),
                        Turn::Next => continue,
                        // Left by its condition, a `while` loop has succeeded.
                        Turn::Leave => return Ok(if until { status } else { 0 }),
                    },
                };
                if !met {
                    return Ok(status);
                }
                if let Turn::Leave = shell.turn(body, &mut status)? {
                    return Ok(status);
                }
            }
        })
    }
}
