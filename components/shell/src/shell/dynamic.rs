//! Variables that are computed when they are read.

use super::Shell;
use crate::sym::{self, Sym};
use crate::sys;
use crate::vars::{Indexed, Value, format_int};

impl Shell {
    /// Returns the current value of a dynamic variable.
    pub(crate) fn dynamic(&mut self, name: Sym) -> Value {
        let numbers = |list: Vec<i64>| Value::Indexed(Indexed::from_list(list.into_iter().map(format_int).collect()));
        match name {
            sym::RANDOM => Value::Int(i64::from(self.next_random())),
            sym::SRANDOM => Value::Int((sys::random() & 0xffff_ffff) as i64),
            sym::SECONDS => Value::Int((sys::now() / 1_000_000_000) as i64 - self.invocation.started as i64),
            sym::LINENO => Value::Int(i64::from(self.position.line) - i64::from(self.position.base)),
            sym::BASHPID => Value::Int(i64::from(self.process.own_pid)),
            sym::BASH_SUBSHELL => Value::Int(i64::from(self.nesting.subshell - self.nesting.uncounted.min(self.nesting.subshell))),
            sym::EPOCHSECONDS => Value::Int((sys::now() / 1_000_000_000) as i64),
            sym::EPOCHREALTIME => {
                let now = sys::now();
                Value::Str(format!("{}.{:06}", now / 1_000_000_000, now % 1_000_000_000 / 1000).into_bytes())
            }
            sym::PIPESTATUS => numbers(self.last.pipeline.iter().map(|s| i64::from(*s)).collect()),
            sym::BASH_ARGV0 => Value::Str(self.invocation.arg0.to_vec()),
            sym::BASH_COMMAND => Value::Str(self.current.text.to_vec()),
            sym::SHELLOPTS => Value::Str(self.option_names().into_bytes()),
            sym::BASHOPTS => {
                let on: Vec<&str> = super::SHOPTS.iter().map(|(n, _)| *n).filter(|n| self.opts.shopt(n)).collect();
                Value::Str(on.join(":").into_bytes())
            }
            sym::DIRSTACK => {
                let mut list = vec![self.process.cwd.to_vec()];
                list.extend(self.process.dirs.iter().rev().cloned());
                Value::Indexed(Indexed::from_list(list))
            }
            sym::FUNCNAME => {
                if !self.calls.frames.iter().any(|frame| frame.function) {
                    return Value::Indexed(Indexed::default());
                }
                let mut list: Vec<Vec<u8>> = self.calls.frames.iter().rev().map(|frame| frame.name.to_vec()).collect();
                if self.invocation.script {
                    list.push(b"main".to_vec());
                }
                Value::Indexed(Indexed::from_list(list))
            }
            sym::BASH_SOURCE => {
                let mut list: Vec<Vec<u8>> = self.calls.frames.iter().rev().map(|frame| frame.source.to_vec()).collect();
                if self.invocation.script {
                    list.push(self.script_name());
                }
                Value::Indexed(Indexed::from_list(list))
            }
            sym::HISTCMD => Value::Int(self.entry.history.number() as i64),
            sym::BASH_ARGC => {
                let mut list: Vec<i64> = self.traced_frames().map(|frame| frame.args.len() as i64).collect();
                list.push(self.calls.params.len() as i64 * i64::from(self.calls.frames.is_empty()));
                numbers(list)
            }
            sym::BASH_ARGV => {
                let mut list: Vec<Vec<u8>> = self.traced_frames().flat_map(|frame| frame.args.iter().rev().cloned()).collect();
                if self.calls.frames.is_empty() {
                    list.extend(self.calls.params.iter().rev().cloned());
                }
                Value::Indexed(Indexed::from_list(list))
            }
            sym::BASH_LINENO => {
                let mut list: Vec<i64> = self.calls.frames.iter().rev().map(|frame| i64::from(frame.call_line)).collect();
                if self.invocation.script {
                    list.push(0);
                }
                numbers(list)
            }
            _ => Value::Unset,
        }
    }

    /// Returns the calls whose arguments are kept, innermost first.
    fn traced_frames(&self) -> impl Iterator<Item = &super::Frame> {
        let all = self.opts.shopt("extdebug");
        self.calls.frames.iter().rev().filter(move |_| all)
    }

    /// Returns the file being run.
    pub(crate) fn script_name(&self) -> Vec<u8> {
        self.invocation.arg0.to_vec()
    }

    /// Returns the names of the options that are on, for `$SHELLOPTS`.
    pub(crate) fn option_names(&self) -> String {
        let on: Vec<&str> = super::SET_OPTIONS.iter().map(|(_, n)| *n).filter(|n| self.opts.long(n) == Some(true)).collect();
        on.join(":")
    }

    /// Returns the next number of `$RANDOM`: the minimal standard generator, folded to 15 bits as bash does.
    fn next_random(&mut self) -> u32 {
        let seed = if self.builtins.random == 0 { 123_459_876 } else { self.builtins.random };
        let high = (seed / 127_773) as i64;
        let low = (seed % 127_773) as i64;
        let mut next = 16_807 * low - 2_836 * high;
        if next < 0 {
            next += 0x7fff_ffff;
        }
        self.builtins.random = next as u32;
        (self.builtins.random >> 16 ^ self.builtins.random & 0xffff) & 0x7fff
    }

    /// Assigns to a dynamic variable; returns true if nothing else is to be done.
    pub(crate) fn set_dynamic(&mut self, name: Sym, value: &[u8]) -> bool {
        let number = crate::vars::parse_int(value).unwrap_or(0);
        match name {
            sym::RANDOM => self.builtins.random = number as u32,
            sym::SECONDS => self.invocation.started = ((sys::now() / 1_000_000_000) as i64 - number) as u64,
            sym::BASH_ARGV0 => self.invocation.arg0 = value.into(),
            _ => {}
        }
        true
    }
}
