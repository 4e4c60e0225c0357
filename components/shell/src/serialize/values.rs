//! The shell's own types as fields: variables, frames, functions.

use super::codec::{Field, Reader, Writer};
use super::{Refused, Text};
use crate::shell::{Frame, Nest};
use crate::sys::{Bound, Limits};
use crate::vars::{Assoc, Attrs, Indexed, Value, Var};
use std::rc::Rc;

impl Field for Var {
    fn write(&self, out: &mut Writer) {
        self.attrs.0.write(out);
        self.value.write(out);
    }
    fn read(input: &mut Reader<'_>) -> Result<Self, Refused> {
        let attrs = Attrs(u16::read(input)?);
        Ok(Self { value: Value::read(input)?, attrs })
    }
}

impl Field for Value {
    fn write(&self, out: &mut Writer) {
        match self {
            Self::Unset => out.number(0),
            Self::Str(text) => {
                out.number(1);
                out.bytes(text);
            }
            Self::Int(number) => {
                out.number(2);
                out.number(*number);
            }
            Self::Indexed(array) => {
                out.number(3);
                out.list(array.iter().collect::<Vec<_>>().into_iter(), |out, (at, value)| {
                    out.number(at);
                    out.bytes(value);
                });
            }
            Self::Assoc(array) => {
                out.number(4);
                // In reverse, so that setting the elements again keeps their order within a bucket.
                let all: Vec<_> = array.iter().collect();
                out.list(all.into_iter().rev(), |out, (key, value)| {
                    out.bytes(key);
                    out.bytes(value);
                });
            }
        }
    }

    fn read(input: &mut Reader<'_>) -> Result<Self, Refused> {
        Ok(match input.number()? {
            0 => Self::Unset,
            1 => Self::Str(Vec::read(input)?),
            2 => Self::Int(input.number()?),
            3 => {
                let mut array = Indexed::default();
                for (at, value) in Vec::<(i64, Vec<u8>)>::read(input)? {
                    array.set(at, value);
                }
                Self::Indexed(array)
            }
            4 => {
                let mut array = Assoc::default();
                for (key, value) in Vec::<(Vec<u8>, Vec<u8>)>::read(input)? {
                    array.set(key, value);
                }
                Self::Assoc(array)
            }
            _ => return Err(input.impossible()),
        })
    }
}

/// Without the arguments: only `BASH_ARGV` shows those of outer frames.
impl Field for Frame {
    fn write(&self, out: &mut Writer) {
        let Self { name, source, call_line, function, args: _ } = self;
        name.write(out);
        source.write(out);
        call_line.write(out);
        function.write(out);
    }
    fn read(input: &mut Reader<'_>) -> Result<Self, Refused> {
        Ok(Self {
            name: Rc::read(input)?,
            source: Rc::read(input)?,
            call_line: u32::read(input)?,
            function: bool::read(input)?,
            args: Rc::default(),
        })
    }
}

impl Field for Nest {
    fn write(&self, out: &mut Writer) {
        let Self { parentheses, piped } = self;
        parentheses.write(out);
        piped.write(out);
    }
    fn read(input: &mut Reader<'_>) -> Result<Self, Refused> {
        Ok(Self { parentheses: bool::read(input)?, piped: bool::read(input)? })
    }
}

impl Field for Bound {
    fn write(&self, out: &mut Writer) {
        let Self { soft, hard } = self;
        soft.write(out);
        hard.write(out);
    }
    fn read(input: &mut Reader<'_>) -> Result<Self, Refused> {
        Ok(Self { soft: Option::read(input)?, hard: Option::read(input)? })
    }
}

impl Field for Limits {
    fn write(&self, out: &mut Writer) {
        for limit in self {
            limit.write(out);
        }
    }
    fn read(input: &mut Reader<'_>) -> Result<Self, Refused> {
        let mut limits = Self::default();
        for limit in &mut limits {
            *limit = Option::read(input)?;
        }
        Ok(limits)
    }
}

impl Field for Text {
    fn write(&self, out: &mut Writer) {
        let Self { source, line, text } = self;
        source.write(out);
        line.write(out);
        text.write(out);
    }
    fn read(input: &mut Reader<'_>) -> Result<Self, Refused> {
        Ok(Self { source: Rc::read(input)?, line: u32::read(input)?, text: Vec::read(input)? })
    }
}
