//! Variables and elements in expressions: finding, reading and writing them.

use super::eval::{ArithError, Eval, Frame, fill, ready};
use super::{Place, Subscript, parse};
use crate::shell::{Flow, Run, Shell};
use crate::sym::Sym;
use crate::vars::{Attrs, Value, parse_int};
use std::borrow::Cow;

/// Depth of variables whose values are expressions that name variables. bash's limit is 1,024; ours protects the stack.
const MAX_RECURSION: u32 = 200;

/// What a place is while an expression is evaluated, its subscript computed.
pub(super) enum Spot {
    Whole(Sym),
    Index(Sym, i64),
    Key(Sym, Vec<u8>),
    /// An empty subscript.
    Nowhere(Sym),
}

impl Shell {
    /// Returns what a place is; its subscript is evaluated, once.
    pub(super) fn spot(&mut self, place: &Place, frame: &Frame<'_>) -> Eval<Spot> {
        let Some(index) = &place.index else { return Ok(Spot::Whole(place.name)) };
        let name = self.resolve(place.name).name;
        if matches!(self.vars.get(name).map(|var| &var.value), Some(Value::Assoc(_))) {
            let key = if frame.expands { self.subscript_text(&index.text)? } else { fill(&index.key, frame.subs, index.before) };
            return Ok(if key.is_empty() { Spot::Nowhere(place.name) } else { Spot::Key(name, key) });
        }
        if index.text.iter().all(|byte| *byte == 0) && fill(&index.text, frame.subs, index.before).is_empty() {
            return Ok(Spot::Nowhere(place.name));
        }
        let value = self.for_name(&b""[..], |shell| shell.index(index, frame));
        if value.is_err() {
            // An error in a subscript ends the line, in `((…))` too.
            self.arithmetic.failed = false;
        }
        Ok(Spot::Index(name, value?))
    }

    /// Returns the value of a subscript.
    fn index(&mut self, index: &Subscript, frame: &Frame<'_>) -> Run<i64> {
        let text = || fill(&index.text, frame.subs, index.before);
        if let Some(expr) = index.expr.as_ref().filter(|expr| ready(expr, frame.subs)) {
            return match self.eval(expr, frame) {
                Ok(value) => Ok(value),
                Err(ArithError::Flow(flow)) => Err(flow),
                Err(ArithError::Message(message, at)) => {
                    let at = fill(&index.text[..at.min(index.text.len())], frame.subs, index.before).len();
                    Err(self.arith_error(&text(), message, at))
                }
            };
        }
        let text = if frame.expands { self.expand_text(&text())? } else { text() };
        self.eval_expanded(&text, false)
    }

    pub(super) fn load(&mut self, spot: &Spot) -> Eval {
        let text = match spot {
            Spot::Whole(name) => return self.load_whole(*name),
            Spot::Key(name, key) => match self.vars.get(*name).map(|var| &var.value) {
                Some(Value::Assoc(array)) => array.get(key).map(<[u8]>::to_vec),
                _ => None,
            },
            Spot::Index(name, at) => self.element_at(*name, *at),
            Spot::Nowhere(name) => {
                // bash reports this twice and continues with 0.
                self.error(format!("{}[]: bad array subscript", name.text()));
                self.error(format!("{}[]: bad array subscript", name.text()));
                return Ok(0);
            }
        };
        match (text, spot) {
            (Some(text), _) => self.value_of(&text),
            (None, Spot::Index(name, _) | Spot::Key(name, _)) if self.vars.get(*name).is_none() => self.unset(*name),
            (None, _) => Ok(0),
        }
    }

    pub(super) fn load_whole(&mut self, name: Sym) -> Eval {
        match self.vars.get(name) {
            None => self.unset(name),
            Some(var) if !var.attrs.any(Attrs::DYNAMIC.0 | Attrs::NAMEREF.0) => match &var.value {
                Value::Int(number) => Ok(*number),
                Value::Str(text) => match parse_int(text) {
                    Some(number) => Ok(number),
                    None => {
                        let text = text.clone();
                        self.value_of(&text)
                    }
                },
                Value::Unset => self.unset(name),
                other => {
                    let text = other.scalar().map(Cow::into_owned);
                    text.map_or(Ok(0), |text| self.value_of(&text))
                }
            },
            Some(_) => match (self.refers_to_list(name), self.get(name)) {
                (Some((list, star)), _) => {
                    // All elements are no number.
                    self.error(format!("{}[{}]: bad array subscript", list.text(), if star { "*" } else { "@" }));
                    Ok(0)
                }
                (None, Some(text)) => self.value_of(&text),
                (None, None) => self.unset(name),
            },
        }
    }

    fn unset(&mut self, name: Sym) -> Eval {
        if self.opts.has(b'u') {
            self.error(format!("{}: unbound variable", name.text()));
            return Err(ArithError::Flow(Flow::Exit(1)));
        }
        Ok(0)
    }

    /// Returns the number that a variable's text represents: the text is itself an expression.
    fn value_of(&mut self, text: &[u8]) -> Eval {
        if let Some(number) = parse_int(text) {
            return Ok(number);
        }
        self.arithmetic.depth += 1;
        let result = if self.arithmetic.depth > MAX_RECURSION {
            Err(ArithError::Message("expression recursion level exceeded", 0))
        } else {
            self.eval(&parse(text).0, &Frame { subs: &[], expands: true })
        };
        self.arithmetic.depth -= 1;
        match result {
            Err(ArithError::Message(message, at)) => Err(ArithError::Flow(self.arith_error(text, message, at))),
            other => other,
        }
    }

    /// Returns element `at` of a variable; counted from the end if negative.
    fn element_at(&mut self, name: Sym, at: i64) -> Option<Vec<u8>> {
        match self.vars.get(name) {
            Some(var) if !var.attrs.has(Attrs::DYNAMIC) => {
                if let Value::Indexed(array) = &var.value {
                    let at = if at < 0 { at + array.end() } else { at };
                    if at < 0 {
                        self.error(format!("{}: bad array subscript", name.text()));
                        return None;
                    }
                    return array.get(at).map(<[u8]>::to_vec);
                }
            }
            _ => {}
        }
        let var = self.var(name);
        var.and_then(|var| self.indexed(&var, at))
    }

    /// Assigns; returns the value of the assignment.
    pub(super) fn store(&mut self, spot: Spot, place: &Place, value: i64) -> Eval {
        let text = || crate::vars::format_int(value);
        let written = match spot {
            Spot::Whole(name) => self.set_int(name, value),
            Spot::Key(name, key) => self.set_key(name, key, text(), false),
            Spot::Index(name, at) => {
                let shown = place.index.as_ref().map_or(&b""[..], |index| &index.text);
                self.writable(name).and_then(|()| match self.set_index(name, at, shown, text(), false) {
                    // A subscript that leads to no element is reported, and the expression has its value.
                    Err(Flow::Discard(_)) => Ok(()),
                    done => done,
                })
            }
            Spot::Nowhere(name) => {
                let subject = [&self.arithmetic.subject[..], if self.arithmetic.subject.is_empty() { b"" } else { b": " }].concat();
                self.error([&subject[..], b"`", &name.name(), b"[]': not a valid identifier"].concat());
                Ok(())
            }
        };
        // A variable that cannot be written is an error of this expression.
        self.arithmetic.failed |= written.is_err();
        written?;
        Ok(value)
    }
}
