//! `[[ … ]]`.

use crate::ast::Cond;
use crate::pattern::{Pattern, Regex};
use crate::shell::{Flow, Run, Shell};
use crate::sym;
use crate::vars::Indexed;
use crate::vars::Value;

impl Shell {
    /// Evaluates a condition.
    pub(crate) fn cond(&mut self, cond: &Cond) -> Run<bool> {
        self.cond_part(cond, false)
    }

    fn cond_part(&mut self, cond: &Cond, negated: bool) -> Run<bool> {
        let traced = self.opts.has(b'x');
        Ok(match cond {
            Cond::Word(word) => {
                let text = self.expand_single(word)?;
                if traced {
                    self.trace_primary(negated, &[b"-n ", &shown(&text)[..]].concat())?;
                }
                !text.is_empty()
            }
            Cond::Not(inner) => {
                let met = self.cond_part(inner, true)?;
                self.current.bad_regex &= met;
                !met
            }
            Cond::Group(inner) => self.cond(inner)?,
            Cond::And(left, right) => self.cond(left)? && self.cond(right)?,
            Cond::Or(left, right) => {
                self.cond(left)? || {
                    self.current.bad_regex = false;
                    self.cond(right)?
                }
            }
            Cond::Unary(op, word) => {
                let operand = self.expand_single(word)?;
                if traced {
                    self.trace_primary(negated, &[&op[..], b" ", &shown(&operand)].concat())?;
                }
                let operand = if op[1] == b'v' && word.is_element() { crate::quote::reference(&operand) } else { operand };
                self.test_unary(op[1], &operand)
            }
            Cond::Binary(left, op, right) => {
                let left = self.expand_single(left)?;
                let mut trace = None;
                let right = match &op[..] {
                    b"=" | b"==" | b"!=" if traced => {
                        let (pattern, quoted) = self.expand_pattern_traced(right)?;
                        trace = Some(quoted);
                        pattern
                    }
                    b"=" | b"==" | b"!=" => self.expand_pattern(right)?,
                    b"=~" => self.expand_regex(right)?,
                    _ => self.expand_single(right)?,
                };
                if traced {
                    let right = trace.as_ref().unwrap_or(&right);
                    self.trace_primary(negated, &[&shown(&left)[..], b" ", op, b" ", &shown(right)].concat())?;
                }
                match &op[..] {
                    b"=" | b"==" | b"!=" => {
                        let matched = Pattern::new(&right, self.pattern_flags(true)).matches(&left);
                        matched == (&op[..] != b"!=")
                    }
                    b"=~" => self.match_regex(&left, &right)?,
                    b"<" => left < right,
                    b">" => left > right,
                    b"-nt" | b"-ot" | b"-ef" => self.test_files(op, &left, &right),
                    _ => {
                        let both = self.for_name(&b"[["[..], |shell| Ok((shell.eval_text(&left)?, shell.eval_text(&right)?)));
                        match both {
                            Ok((left, right)) => crate::builtins::compare(op, left, right),
                            Err(Flow::Discard(_)) => false,
                            Err(flow) => return Err(flow),
                        }
                    }
                }
            }
        })
    }

    fn match_regex(&mut self, text: &[u8], pattern: &[u8]) -> Run<bool> {
        let Some(regex) = Regex::new(pattern, self.opts.shopt("nocasematch")) else {
            self.current.bad_regex = true;
            return Ok(false);
        };
        let found = regex.find(text);
        let list = match &found {
            None => Vec::new(),
            Some(groups) => groups.iter().map(|group| group.map_or_else(Vec::new, |(start, end)| text[start..end].to_vec())).collect(),
        };
        self.vars.make(sym::BASH_REMATCH).value = Value::Indexed(Indexed::from_list(list));
        Ok(found.is_some())
    }

    /// Implements `set -x` of a primary of a condition.
    fn trace_primary(&mut self, negated: bool, text: &[u8]) -> Run<()> {
        let not: &[u8] = if negated { b"! " } else { b"" };
        self.trace(&[b"[[ ", not, text, b" ]]"].concat())
    }
}

fn shown(text: &[u8]) -> Vec<u8> {
    if text.is_empty() { b"''".to_vec() } else { text.to_vec() }
}
